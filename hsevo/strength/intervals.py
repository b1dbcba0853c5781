"""Intervals of the rates of a study: its games come alone, or in pairs that share a seed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.play.tournament import wilson
from hsevo.strength import rating

Array: TypeAlias = npt.NDArray[Any]


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
            found = rating.rate(np.bincount(sums, minlength=pair + 1))
            ends[:, i] = found.low, found.high
    return ends[0], ends[1]


def lead(results: Array, i: int, j: int, pair: int = 1) -> tuple[float, float, float]:
    """Return the difference of the rates of points i and j, and the ends of its 95 % interval.

    It is computed from the differences game by game: game k has the same seed at every point, so
    part of the chance cancels out. pair: how many games in a row share a seed; they count as one.
    """
    from scipy.stats import norm  # half a second to import

    gaps = results["wins_a"][i].astype(float) - results["wins_a"][j]
    gaps = gaps.reshape(-1, pair).mean(axis=1)
    half = norm.ppf(0.975) * gaps.std() / np.sqrt(len(gaps))
    return gaps.mean(), gaps.mean() - half, gaps.mean() + half
