"""Which decks a metagame settles on: the Nash mixture and alpha-rank of a matrix of match-ups."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.metagame.matchups import RESAMPLES, Matchups, interval
from hsevo.strength import rating

Array: TypeAlias = npt.NDArray[Any]

ALPHA, POPULATION = 100.0, 50  # OpenSpiel's own, of the ranking's intensity and population


def mixture_table(matchups: Matchups, resamples: int = RESAMPLES, seed: int = 1) -> pd.DataFrame:
    """Return a line for each deck, the one with the largest share first.

    Columns deck, share (of the Nash mixture), share_low, share_high, kept (the share of resamples
    in which it has any), rate (against that mixture), rate_low, rate_high, alpha_rank.
    """
    rates, drawn = matchups.rates, matchups.resampled(resamples, seed)
    share = rating.nash(rates)
    shares = np.array([rating.nash(one) for one in drawn])
    low, high = interval(shares)
    rate_low, rate_high = interval(drawn @ share)
    table = pd.DataFrame({
        "deck": matchups.decks, "share": share, "share_low": low, "share_high": high,
        "kept": (shares > 0).mean(axis=0), "rate": rates @ share, "rate_low": rate_low,
        "rate_high": rate_high, "alpha_rank": alpha_rank(rates)})
    return table.sort_values(["share", "rate"], ascending=False, kind="stable", ignore_index=True)


def alpha_rank(rates: Array, alpha: float = ALPHA, population: int = POPULATION) -> Array:
    """Return how often a population plays each of n decks in the long run, (n,) with sum 1.

    Omidshafiei and others, "Alpha-rank: multi-agent evaluation by evolution" (2019): in a
    population of one deck, a member changes to another one at random, which takes over with the
    chance of the Fermi process of this intensity (`alpha`), with the payoffs 2 rate - 1. The result
    is the stationary distribution of this Markov chain; that of OpenSpiel's alpharank.compute.
    """
    n = len(rates)
    if n == 1:
        return np.ones(1)
    gain = 2 * alpha * (2 * rates.T - 1)  # [i, j]: what j has more than i when they meet
    with np.errstate(over="ignore", invalid="ignore"):
        takes = np.expm1(-gain) / np.expm1(-population * gain)
    takes = np.where(np.isclose(gain, 0), 1 / population, np.nan_to_num(takes))
    np.fill_diagonal(takes, 0)
    steps = takes / (n - 1)
    np.fill_diagonal(steps, 1 - steps.sum(axis=1))
    return _stationary(steps)


def _stationary(steps: Array) -> Array:
    """Return the stationary distribution of a Markov chain (n, n), by eliminating its states.

    Grassmann, Taksar and Heyman (1985): it subtracts nothing, so that chances of 1e-300 count.
    """
    steps, n = np.array(steps), len(steps)
    for k in range(n - 1, 0, -1):
        steps[:k, k] /= max(steps[k, :k].sum(), np.finfo(float).tiny)
        steps[:k, :k] += np.outer(steps[:k, k], steps[k, :k])
    share = np.ones(n)
    for k in range(1, n):
        share[k] = share[:k] @ steps[:k, k]
        share /= share.max()
    return np.asarray(share / share.sum())
