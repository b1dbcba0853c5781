"""Intervals of rates: of a study, whose games come alone or in pairs that share a seed, and of
players that learned with several seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hsevo.play.tournament import wilson
from hsevo.strength import rating
from hsevo.strength.rating import UNKNOWN, Estimate
from hsevo.types import Array


def rate_ends(hits: Array, games: Array, pair: int) -> tuple[Array, Array]:
    """Return the ends, (n,), of the 95 % intervals of n rates; NaN without games.

    hits: 0 or 1 (n, most), by game. games: (n,), how many count. pair: how many games in a row
    share a seed. Pairs are counted as by rating.rate, single games by Wilson's interval.
    """
    if pair == 1:
        return wilson(hits.sum(axis=1), games)
    ends = np.full((2, len(hits)), np.nan)
    for i, n in enumerate(games.tolist()):
        if n:
            sums = hits[i, :n - n % pair].reshape(-1, pair).sum(axis=1, dtype=np.int64)
            estimate = rating.rate(np.bincount(sums, minlength=pair + 1))
            ends[:, i] = estimate.low, estimate.high
    return ends[0], ends[1]


def lead(results: Array, i: int, j: int, pair: int = 1) -> Estimate:
    """Return the difference of the rates of points i and j with its 95 % interval.

    It is computed from the differences game by game: game k has the same seed at every point, so
    part of the chance cancels out. pair: how many games in a row share a seed; they count as one.
    The interval is that of rating.paired.
    """
    gaps = results["wins_a"][i].astype(float) - results["wins_a"][j]
    return rating.paired(gaps.reshape(-1, pair).mean(axis=1))[0]


def over_seeds(rates: Array) -> Estimate:
    """Return the mean of rates with its 95 % interval, where seeds are the samples.

    rates: (n, m), from 0 to 1, of players that learned with n seeds against those of m others, and
    at least one of n and m is above 1. With m = 1, one fixed opponent, it is Student's interval of
    the mean over seeds. Else it is Welch's ("The generalization of 'Student's' problem when several
    different population variances are involved", 1947), from the variances of the means of rows and
    of columns. Ends are cut to 0 and 1.
    """
    from scipy.stats import t  # half a second to import

    means = [axis for axis in (rates.mean(axis=1), rates.mean(axis=0)) if len(axis) > 1]
    parts = np.array([axis.var(ddof=1) / len(axis) for axis in means])
    free = np.array([len(axis) - 1 for axis in means])
    freedom = parts.sum()**2 / (parts**2 / free).sum() if parts.sum() else np.inf
    mean, half = float(rates.mean()), float(t.ppf(0.975, freedom) * np.sqrt(parts.sum()))
    return Estimate(mean, max(mean - half, 0.0), min(mean + half, 1.0))


def of_matches(estimates: Sequence[Sequence[Estimate | None]]) -> Estimate:
    """Return the mean rate of matches between players of n seeds and of m others, over seeds.

    estimates: a row for each of the n seeds. UNKNOWN if one is missing. With one match, it is that
    of its games. Else it is never narrower than that of all games: few seeds may agree by luck.
    """
    rates, lows, highs = (
        np.array([[np.nan if estimate is None else getattr(estimate, end) for estimate in row]
                  for row in estimates]) for end in ("value", "low", "high"))
    if np.isnan(rates).any():
        return UNKNOWN
    if rates.size == 1:
        return estimates[0][0] or UNKNOWN
    seeds = over_seeds(rates)
    below, above = (float(np.sqrt((gaps**2).sum()) / gaps.size)
                    for gaps in (rates - lows, highs - rates))
    return Estimate(seeds.value, min(seeds.low, max(seeds.value - below, 0.0)),
                    max(seeds.high, min(seeds.value + above, 1.0)))
