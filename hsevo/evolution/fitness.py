"""What the individuals of a generation are worth: who meets whom, and what it comes to.

    rate():  rounds of  { undecided pairs --> PAIRING rows --play--> RESULT rows }  --> fitness

By default there is one round, in which every individual of the field plays the same number of games
against every other, as in the paper; its fitness is its victories. Three settings change that:

common_random_numbers: all pairs of individuals get the same deals, once from either side, so that
    who is compared is compared on the same cards (as in `arena`, see there).
hall_of_fame: everyone also meets so many champions of earlier generations, drawn anew in every
    generation (Rosin and Belew, "New methods for competitive coevolution", 1997), so that an old
    weakness is not forgotten. They are opponents alone, and are not selected again. Victories over
    them count; so fitness grows with the hall, and says nothing across generations.
racing: the games are dealt in rounds. After each, who is surely among the mu best or surely not
    needs no more games of its own, and games are played for those who are in doubt alone (after
    the races of Heidrich-Meisner and Igel, "Hoeffding and Bernstein races for selecting policies
    in evolutionary direct policy search", 2009, with Wilson's interval for a rate).
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
# Play rows of a generation: (number, PAIRING rows, INDIVIDUAL rows they are of) -> RESULT rows.
Play: TypeAlias = Callable[[int, Array, Array], Array]


@dataclass(frozen=True)
class Rated:
    """All matches of a generation, and what they came to for each of its n individuals."""

    pairings: Array  # match.PAIRING; a and b are rows of the field, then of the hall
    results: Array  # match.RESULT
    scores: Array  # tournament.SCORE (n,): of the games that were played
    fitness: Array  # (n,), victories; with racing as many as all games would give at these rates


def rate(plan: Config, execution: int, number: int, field: Array, hall: Array,
         play: Play) -> Rated:
    """Rate a field (n,) by matches among itself and against a hall (k,), both INDIVIDUAL.

    Raises GameError if results do not re-add, and what `play` raises.
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
    if racing:  # rounded, so that equal rates stay equal however their parts are added up
        fitness = np.round(rates(wins * games_of_a_pair(plan), games).sum(axis=1), 6)
    return Rated(rows, results, tournament.tally(rows, results, len(players))[:n], fitness)


def pairings(plan: Config, key: Sequence[int], lap: int, meetings: Array, ids: Array) -> Array:
    """Return the matches of one round, PAIRING rows, for meetings (m, 2) of players with ids.

    key: run seed, execution, generation. A round of several has seeds of its own.
    """
    racing = plan.rating.racing
    games, key = plan.games // rounds(plan), (*key, lap) if racing else tuple(key)
    if plan.rating.common_random_numbers:
        return tournament.mirrored(meetings, len(plan.decks), games // 2, key)
    return tournament.meet(meetings, ids, len(plan.decks), games, key)


def rounds(plan: Config) -> int:
    """Return in how many rounds the games of a generation are dealt."""
    return plan.rating.racing.rounds if plan.rating.racing else 1


def games_of_a_pair(plan: Config) -> int:
    """Return how many games two individuals play that meet in all rounds."""
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
    """Return victories and games of each of n players against each, both (n, n)."""
    wins, games = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for one, other in (("a", "b"), ("b", "a")):
        np.add.at(wins, (rows[one], rows[other]), results[f"wins_{one}"])
        np.add.at(games, (rows[one], rows[other]), rows["games"])
    return wins, games


def rates(wins: Array, games: Array) -> Array:
    """Return victories by games against each opponent; 0 against those not met."""
    each: Array = wins / np.maximum(games, 1)
    return each


def worth(games: Array) -> Array:
    """Return how many games the mean of an individual's rates is worth, (n,), of games (n, k).

    As many as it played, if against all opponents equally many. Else fewer: a mean of k rates has
    the variance of k^2 / sum(1 / games), which the opponent that it met least decides.
    """
    met = games > 0
    parts = (met / np.maximum(games, 1)).sum(axis=1)
    as_good: Array = met.sum(axis=1) ** 2 / np.where(parts, parts, 1)
    return as_good


def undecided(wins: Array, games: Array, mu: int, confidence: float) -> Array:
    """Tell of whom it is not sure yet whether they are among the mu best, bool (n,).

    wins, games: (n, k) against each opponent. An individual's rate is the mean over its opponents;
    it is surely better than another if the interval of their difference, of this confidence, lies
    above 0 (Newcombe's method 10, "Interval estimation for the difference between independent
    proportions", 1998, made of both Wilson intervals). It is the confidence of one such look: of
    many looks at many pairs, some are wrong.
    """
    rate = rates(wins, games).sum(axis=1) / np.maximum((games > 0).sum(axis=1), 1)
    low, high = interval(rate, worth(games), confidence)
    gap = rate[:, None] - rate[None, :]
    surely = gap > np.hypot((rate - low)[:, None], (high - rate)[None, :])  # [i, j]: i above j
    doubtful: Array = (surely.sum(axis=1) < len(wins) - mu) & (surely.sum(axis=0) < mu)
    return doubtful


def interval(rate: Array, games: Array, confidence: float) -> tuple[Array, Array]:
    """Return the ends of Wilson's interval for rates (n,) of so many games (n,), 0 included.

    Unlike scipy's it takes a rate that is no ratio of whole numbers: a mean over opponents.
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    n = np.maximum(games, 1)
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return middle - half, middle + half


def draw_hall(plan: Config, execution: int, number: int, champions: Array, field: Array) -> Array:
    """Draw the hall of fame of a generation from the champions (m,) of those before it.

    champions: INDIVIDUAL, the best of each generation. Those in the field now are left out.
    """
    _, first = np.unique(champions["id"], return_index=True)
    past = champions[np.sort(first)]
    past = past[~np.isin(past["id"], field["id"])]
    random = generator((plan.seed, execution, number, Stream.HALL_OF_FAME))
    size = min(plan.rating.hall_of_fame, len(past))
    return past[sorted(random.sample(range(len(past)), size))]

