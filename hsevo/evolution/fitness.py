"""Fitness of the individuals of a generation: pair them, play the matches, count victories.

    rate():  rounds of  { undecided pairs --> PAIRING rows --play--> RESULT rows }  --> fitness

By default there is one round, in which every individual of the field plays the same number of games
against every other, as in the paper; its fitness is its number of victories. Three settings change
that:

common_random_numbers: all pairs of individuals get the same deals, once from either side, so
    individuals are compared on the same cards (as in strength/arena.py).
hall_of_fame: all individuals also meet this many champions of earlier generations, drawn anew in
    every generation (Rosin and Belew, "New methods for competitive coevolution", 1997), so that
    the population does not forget how to beat them. Champions are only opponents, and are not
    selected again. Victories over them count; so fitness grows with the hall, and cannot be
    compared across generations.
racing: the games are played in rounds. After each round, individuals that are settled, in or out of
    the mu best at the given confidence, stop playing; only games of undecided individuals go on
    (after the races of Heidrich-Meisner and Igel, "Hoeffding and Bernstein races for selecting
    policies in evolutionary direct policy search", 2009, with Wilson's interval for a rate).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.config import Config
from hsevo.play import match, tournament
from hsevo.seeds import Stream, generator

Array: TypeAlias = npt.NDArray[Any]
# Plays rows of a generation: (number, PAIRING rows, INDIVIDUAL rows they refer to) -> RESULT rows.
Play: TypeAlias = Callable[[int, Array, Array], Array]


@dataclass(frozen=True)
class Rated:
    """All matches of a generation, and the results of its n individuals."""

    pairings: Array  # match.PAIRING; a and b are rows of the field, then of the hall
    results: Array  # match.RESULT
    scores: Array  # tournament.SCORE (n,), of the games played
    fitness: Array  # (n,), victories; with racing, those expected in all games at these rates


def rate(plan: Config, execution: int, number: int, field: Array, hall: Array,
         play: Play) -> Rated:
    """Rate a field (n,) by matches within it and against a hall (k,), both INDIVIDUAL.

    Raises GameError if results do not add up, and what `play` raises.
    """
    n, players, racing = len(field), np.concatenate([field, hall]), plan.rating.racing
    meetings = np.transpose(np.triu_indices(n, 1, len(players)))
    in_doubt = np.arange(len(players)) < n
    rows, results = np.empty(0, match.PAIRING), np.empty(0, match.RESULT)
    for lap in range(rounds(plan)):
        met = meetings[in_doubt[meetings].any(axis=1)]
        dealt = pairings(plan, (plan.seed, execution, number), lap, met, players["id"])
        rows = np.concatenate([rows, dealt])
        results = np.concatenate([results, play(number, dealt, players)])
        wins, games = (sums[:n] for sums in tallies(rows, results, len(players)))
        if racing:
            in_doubt[:n] = undecided(wins, games, plan.evolution.mu, racing.confidence)
    fitness = wins.sum(axis=1).astype(np.float64)
    if racing:  # rounded, so that equal rates stay equal whatever the order of summation
        fitness = np.round(rates(wins * games_of_a_pair(plan), games).sum(axis=1), 6)
    return Rated(rows, results, tournament.tally(rows, results, len(players))[:n], fitness)


def pairings(plan: Config, key: Sequence[int], lap: int, meetings: Array, ids: Array) -> Array:
    """Return the matches of one round, PAIRING rows, for meetings (m, 2) of players with ids.

    key: run seed, execution, generation. With racing, each round has its own seeds.
    """
    racing = plan.rating.racing
    games, key = plan.games // rounds(plan), (*key, lap) if racing else tuple(key)
    if plan.rating.common_random_numbers:
        return tournament.mirrored(meetings, len(plan.decks), games // 2, key)
    return tournament.meet(meetings, ids, len(plan.decks), games, key)


def rounds(plan: Config) -> int:
    """Return the number of rounds in which the games of a generation are played."""
    return plan.rating.racing.rounds if plan.rating.racing else 1


def games_of_a_pair(plan: Config) -> int:
    """Return how many games two individuals play if they meet in all rounds."""
    return plan.games * len(plan.decks) ** 2


def field_size(plan: Config, number: int) -> int:
    """Return how many individuals are rated in a generation."""
    es = plan.evolution
    if es.strategy == "cma-es":
        return es.lam
    return es.mu + (es.lam if number else 0)


def most_games(plan: Config, number: int) -> int:
    """Return how many games a generation takes at most."""
    n = field_size(plan, number)
    hall = min(plan.rating.hall_of_fame, number)
    return (n * (n - 1) // 2 + n * hall) * games_of_a_pair(plan)


def tallies(rows: Array, results: Array, n: int) -> tuple[Array, Array]:
    """Return victories and games of each of n players against each other, both (n, n)."""
    wins, games = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for one, other in (("a", "b"), ("b", "a")):
        np.add.at(wins, (rows[one], rows[other]), results[f"wins_{one}"])
        np.add.at(games, (rows[one], rows[other]), rows["games"])
    return wins, games


def rates(wins: Array, games: Array) -> Array:
    """Return the win rate against each opponent; 0 for opponents not met."""
    each: Array = wins / np.maximum(games, 1)
    return each


def effective_games(games: Array) -> Array:
    """Return the effective number of games, (n,), behind a mean of rates, given games (n, k).

    It equals the number of games played if that is the same for all opponents. Otherwise it is
    smaller: a mean of k rates has the variance of k^2 / sum(1 / games) games, which depends mostly
    on the opponent met least often.
    """
    met = games > 0
    parts = (met / np.maximum(games, 1)).sum(axis=1)
    as_good: Array = met.sum(axis=1) ** 2 / np.where(parts, parts, 1)
    return as_good


def undecided(wins: Array, games: Array, mu: int, confidence: float) -> Array:
    """Return which individuals are not yet settled as in or out of the mu best, bool (n,).

    wins, games: (n, k) against each opponent. An individual's rate is the mean over its opponents;
    it counts as better than another if the interval of their difference lies above 0 (Newcombe's
    method 10, "Interval estimation for the difference between independent proportions", 1998, made
    of both Wilson intervals). The confidence is that of one comparison: among many comparisons of
    many pairs, some are wrong.
    """
    rate = rates(wins, games).sum(axis=1) / np.maximum((games > 0).sum(axis=1), 1)
    low, high = interval(rate, effective_games(games), confidence)
    gap = rate[:, None] - rate[None, :]
    better = gap > np.hypot((rate - low)[:, None], (high - rate)[None, :])  # [i, j]: i above j
    unsettled: Array = (better.sum(axis=1) < len(wins) - mu) & (better.sum(axis=0) < mu)
    return unsettled


def interval(rate: Array, games: Array, confidence: float) -> tuple[Array, Array]:
    """Return the ends of Wilson's interval for rates (n,) of games (n,), which may be 0.

    Unlike scipy's function it takes rates that are not ratios of integers: means over opponents.
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    n = np.maximum(games, 1)
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return middle - half, middle + half


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

