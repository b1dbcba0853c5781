"""Fitness of the individuals of a generation: pair them, play the matches, count victories.

    rate():  rounds of  { undecided pairs --> PAIRING rows --play--> RESULT rows }  --> fitness

By default there is one round, in which every individual of the field plays the same number of games
against every other, as in the paper; its fitness is its number of victories. Five settings change
that:

common_random_numbers: all pairs of individuals get the same deals, once from either side, so
    individuals are compared on the same cards (as in strength/lineup.py).
hall_of_fame: all individuals also meet this many champions of earlier generations, redrawn in
    every generation (Rosin and Belew, "New methods for competitive coevolution", 1997), so that
    the population does not forget how to beat them. Champions are only opponents, and are not
    selected again. Victories over them count; so fitness grows with the hall, and cannot be
    compared across generations.
opponents: all individuals also meet fixed agents, such as external ones. Victories over them count
    as those over individuals.
shares: fitness is the win rate in per cent, each group of opponents (the field, the hall, the fixed
    agents) by its share; so it can be compared across generations if the fixed agents alone count.
racing: the games are played in rounds. After each round, individuals that are settled, in or out of
    the mu best at the given confidence, stop playing; only games of undecided individuals continue
    (after the races of Heidrich-Meisner and Igel, "Hoeffding and Bernstein races for selecting
    policies in evolutionary direct policy search", 2009, with Wilson's interval for a rate).
fitness: a function of the user makes the fitness from the games (custom.py).
Fixed opponents of a config count by their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.config import Config
from hsevo.errors import AgentError, did_you_mean
from hsevo.play import match, tournament
from hsevo.play.behaviour import SEEN, SIDES, WATCHED, behaviour
from hsevo.runs.opponents import StoredOpponents
from hsevo.seeds import Stream, generator
from hsevo.strength.lineup import mixed
from hsevo.strength.panel import Panel
from hsevo.strength.rating import by_shares, effective_games, interval, mean_rate, rates, tallies
from hsevo.strength.roster import read_agents
from hsevo.types import Array

MIXTURE = "panel-2026"  # its games define the Nash mixture of rating.opponents
# Plays rows of a generation: (number, PAIRING rows, INDIVIDUAL rows they refer to) -> RESULT rows.
Play: TypeAlias = Callable[[int, Array, Array], Array]
# Makes the fitness of n individuals, the first of INDIVIDUAL rows, from their matches:
# (number, PAIRING rows, RESULT rows, INDIVIDUAL rows, n) -> (n,).
OwnFitness: TypeAlias = Callable[[int, Array, Array, Array, int], Array]


@dataclass(frozen=True)
class Others:
    """Whom a field meets besides itself: champions of old, then fixed opponents."""

    rows: Array  # INDIVIDUAL; fixed opponents have the ids -1, -2 ..., in their order
    weights: Array  # (k,), of the k fixed opponents, with sum 1


@dataclass(frozen=True)
class RatedField:
    """All matches of a generation, and the results of its n individuals."""

    pairings: Array  # match.PAIRING; a and b are rows of the field, then of others
    results: Array  # match.RESULT
    scores: Array  # tournament.SCORE (n,), of the games played
    fitness: Array  # (n,), victories (racing: expected in all games); with shares, a rate in %


def rate(plan: Config, execution: int, number: int, field: Array, others: Others,
         play: Play, own: OwnFitness | None = None) -> RatedField:
    """Rate a field, INDIVIDUAL (n,), by matches within it and against others.

    own: makes the fitness, if the plan names a function of the user. If the plan has features,
    they are set in the field; if games are watched, results are behaviour.WATCHED. Raises
    GameError if results do not add up, and what `play` and `own` raise.
    """
    n, players, racing = len(field), np.concatenate([field, others.rows]), plan.rating.racing
    meetings = np.transpose(np.triu_indices(n, 1, len(players)))
    if not plan.rating.coevolves:
        meetings = meetings[meetings[:, 1] >= n]
    in_doubt = np.arange(len(players)) < n
    rows = np.empty(0, match.PAIRING)
    results = np.empty(0, WATCHED if plan.evolution.watches else match.RESULT)
    for lap in range(rounds(plan)):
        met = meetings[in_doubt[meetings].any(axis=1)]
        dealt = pairings(plan, (plan.seed, execution, number), lap, met, players["id"])
        rows = np.concatenate([rows, dealt])
        results = np.concatenate([results, play(number, dealt, players)])
        wins, games = (sums[:n] for sums in tallies(rows, results, len(players)))
        if racing:
            full = _full(plan, games, others) / games_of_a_pair(plan)
            in_doubt[:n] = undecided(wins, games, full, plan.evolution.mu, racing.confidence)
    if axes := plan.evolution.axes:
        field["features"][:, :len(axes)] = _features(plan, rows, results, n)
    fitness = (_fitness(plan, wins, games, others) if own is None else
               own(number, rows, results, players, n))
    return RatedField(rows, results, tournament.tally(rows, results, len(players))[:n], fitness)


def _features(plan: Config, rows: Array, results: Array, n: int) -> Array:
    """Return how individuals play, (n, f): the features of the plan."""
    sums, watched = np.zeros((n, 2 + len(SEEN)), np.int64), plan.evolution.watches
    for side in SIDES:
        own = rows[side] < n
        seen = (results[f"{name}_{side}"] if watched else 0 * results["turns"] for name in SEEN)
        values = (rows["games"], results["turns"], *seen)
        np.add.at(sums, rows[side][own], np.stack(values, axis=1)[own])
    features = behaviour(*sums.T)
    return np.stack([features[name] for name in plan.evolution.axes], axis=1)


def _fitness(plan: Config, wins: Array, games: Array, others: Others) -> Array:
    """Return the fitness (n,) of a field, given its victories and games (n, k) by opponent.

    Rates are rounded: equal ones stay equal whatever the order of summation.
    """
    if plan.rating.shares:
        weights = by_shares(plan.rating.shares, games, others.weights)
        rated: Array = np.round(100 * mean_rate(wins, games, weights), 6)
        return rated
    if plan.rating.racing:
        each = rates(wins * _full(plan, games, others), games)
        expected: Array = np.round(each.sum(axis=1), 6)
        return expected
    victories: Array = wins.sum(axis=1).astype(np.float64)
    return victories


def _full(plan: Config, games: Array, others: Others) -> Array:
    """Return an individual's number of games with each opponent, (k,), if it is never settled."""
    full = np.full(games.shape[1], games_of_a_pair(plan))
    full[games.shape[1] - len(others.weights):] = games_of_an_opponent(plan)
    return full


def pairings(plan: Config, key: Sequence[int], lap: int, meetings: Array, ids: Array) -> Array:
    """Return the matches of one round, PAIRING rows, for meetings (m, 2) of players with ids.

    key: run seed, execution, generation. With racing, each round has its own seeds.
    """
    racing, fixed = plan.rating.racing, ids[meetings[:, 1]] < 0
    key = (*key, lap) if racing else tuple(key)
    dealt = [_dealt(plan, key, meetings[~fixed], ids, None, plan.games)]
    if fixed.any():
        theirs = plan.opponent_decks
        dealt.append(_dealt(plan, key, meetings[fixed], ids, theirs, opponent_games(plan)))
    return np.concatenate(dealt)


def _dealt(plan: Config, key: Sequence[int], meetings: Array, ids: Array,
           theirs: Sequence[int] | None, games: int) -> Array:
    """Return one round of matches over all decks, `games` in all rounds; see `pairings`."""
    own, games = range(len(plan.decks)), games // rounds(plan)
    if plan.rating.common_random_numbers:
        return tournament.mirrored(meetings, own, games // 2, key, theirs)
    return tournament.meet(meetings, ids, own, games, key, theirs)


def rounds(plan: Config) -> int:
    """Return the number of rounds in which the games of a generation are played."""
    return plan.rating.racing.rounds if plan.rating.racing else 1


def games_of_a_pair(plan: Config) -> int:
    """Return how many games two individuals play if they meet in all rounds."""
    return plan.games * len(plan.decks) ** 2


def opponent_games(plan: Config) -> int:
    """Return how many games of each pair of decks a fixed opponent plays against an individual."""
    return (plan.rating.opponents and plan.rating.opponents.games) or plan.games


def games_of_an_opponent(plan: Config) -> int:
    """Return how many games an individual plays against a fixed opponent, in all rounds."""
    theirs = len(plan.opponent_decks or plan.decks)
    return opponent_games(plan) * len(plan.decks) * theirs


def field_size(plan: Config, number: int) -> int:
    """Return how many individuals are rated in a generation, at most."""
    es = plan.evolution
    if number == 0:
        return es.lam if es.renews else es.mu
    return es.largest


def most_games(plan: Config, number: int) -> int:
    """Return how many games a generation takes at most."""
    n = field_size(plan, number)
    hall = min(plan.rating.hall_of_fame, number)
    meetings = n * (n - 1) // 2 * plan.rating.coevolves + n * hall
    fixed = len(plan.rating.opponents.agents) if plan.rating.opponents else 0
    return meetings * games_of_a_pair(plan) + n * fixed * games_of_an_opponent(plan)


def undecided(wins: Array, games: Array, weights: Array, mu: int, confidence: float) -> Array:
    """Return which individuals are not yet settled as in or out of the mu best, bool (n,).

    wins, games: (n, k) against each opponent. An individual's rate is the mean over its opponents,
    which count by `weights` (k,); it counts as better than another if the interval of their
    difference lies above 0 (Newcombe's method 10, "Interval estimation for the difference between
    independent proportions", 1998, made of both Wilson intervals). The confidence is that of one
    comparison: among many comparisons of many pairs, some are wrong.
    """
    rate = mean_rate(wins, games, weights)
    low, high = interval(rate, effective_games(games, weights), confidence)
    gap = rate[:, None] - rate[None, :]
    better = gap > np.hypot((rate - low)[:, None], (high - rate)[None, :])  # [i, j]: i above j
    unsettled: Array = (better.sum(axis=1) < len(wins) - mu) & (better.sum(axis=0) < mu)
    return unsettled


def draw_hall(plan: Config, execution: int, number: int, champions: Array, field: Array) -> Array:
    """Draw the hall of fame of a generation from the champions (m,) of those before it.

    champions: INDIVIDUAL, the best of each generation. Those in the current field are excluded.
    """
    _, first = np.unique(champions["id"], return_index=True)
    past = champions[np.sort(first)]
    past = past[~np.isin(past["id"], field["id"])]
    random = generator((plan.seed, execution, number, Stream.HALL_OF_FAME))
    size = min(plan.rating.hall_of_fame, len(past))
    return past[sorted(random.sample(range(len(past)), size))]


LEAST = 1e-6  # share of a mixture below which it is taken for 0


def read_opponents(plan: Config, decks: Sequence[Deck]) -> StoredOpponents:
    """Return the fixed opponents of a config, whose decks are `decks`. Raises AgentError."""
    fixed = plan.rating.opponents
    if fixed is None:
        return StoredOpponents.of([], len(decks))
    names, agents = read_agents(fixed.agents, decks)
    weights = np.full(len(names), 1 / len(names))
    return StoredOpponents(names, agents, _nash(names) if fixed.mixture == "nash" else weights)


def _nash(names: tuple[str, ...]) -> Array:
    """Return the Nash mixture (k,) of agents of the panel, by the panel's own games."""
    panel = Panel.read(MIXTURE)
    for name in names:
        if name not in panel.plan.agents:
            raise AgentError(f"opponents.mixture nash takes agents of {MIXTURE}, and '{name}' is"
                             f" not one of them{did_you_mean(name, panel.plan.agents)}; these are"
                             f" {', '.join(panel.plan.agents)}")
    rows = [panel.plan.agents.index(name) for name in names]
    mixture = mixed(panel.counts[np.ix_(rows, rows)])
    assert mixture is not None  # all agents of the panel met
    without = [name for name, share in zip(names, mixture, strict=True) if share < LEAST]
    if without:
        raise AgentError(f"opponents.mixture nash gives no share to {', '.join(without)}, so their"
                         " games would not count; leave them out")
    return mixture
