"""Win rates over opponents that count differently, and how many games are behind them.

    wins, games (n, k) against each opponent,  weights (n, k) --> rates (n,), their intervals

In a generation's fitness, groups of opponents count by their shares, and fixed opponents by their
weights.
"""

from statistics import NormalDist

import numpy as np

from hsevo.config import Shares
from hsevo.types import Array


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


def by_shares(shares: Shares, games: Array, fixed: Array) -> Array:
    """Return by how much each opponent counts, (n, k), where each group counts by its share.

    games: (n, k) of n individuals against each other, k - n - m champions of earlier generations,
    and m fixed opponents, whose weights are `fixed`. In the other groups, all opponents that an
    individual met count the same. A group of which it met nobody does not count.
    """
    n, (k, m) = len(games), (games.shape[1], len(fixed))
    weights = np.zeros((n, k))
    for share, start, end, each in ((shares.coevolution, 0, n, 1.0),
                                    (shares.hall_of_fame, n, k - m, 1.0),
                                    (shares.opponents, k - m, k, fixed)):
        met = (games[:, start:end] > 0) * each
        total = met.sum(axis=1, keepdims=True)
        weights[:, start:end] = np.divide(share * met, total, where=total > 0,
                                          out=np.zeros_like(met))
    return weights


def mean_rate(wins: Array, games: Array, weights: Array) -> Array:
    """Return the weighted mean of the win rates against all opponents, (n,); 0 without any."""
    weights = weights * (games > 0)
    total = weights.sum(axis=1)
    mean: Array = (weights * rates(wins, games)).sum(axis=1) / np.where(total > 0, total, 1)
    return mean


def effective_games(games: Array, weights: Array) -> Array:
    """Return the effective number of games, (n,), behind `mean_rate`.

    It equals the number of games played if opponents count by their games. Otherwise it is smaller:
    a mean of k rates has the variance of k^2 / sum(1 / games) games, which depends mostly on the
    opponent met least often.
    """
    weights = weights * (games > 0)
    parts = (weights**2 / np.maximum(games, 1)).sum(axis=1)
    as_good: Array = weights.sum(axis=1) ** 2 / np.where(parts, parts, 1)
    return as_good


def interval(rate: Array, games: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the ends of Wilson's interval for rates (n,) of games (n,), which may be 0.

    Unlike scipy's function it takes rates that are not ratios of integers: means over opponents.
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    n = np.maximum(games, 1)
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return middle - half, middle + half
