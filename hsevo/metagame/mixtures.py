"""Which decks a metagame settles on: the Nash mixture of a matrix of match-ups.

Beside it alpha-rank, and a ranking by the rules of voting: soft Condorcet.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.metagame.matchups import RESAMPLES, Matchups, interval
from hsevo.strength import rating
from hsevo.types import Array

ALPHA, POPULATION = 100.0, 50  # OpenSpiel's own, of the ranking's intensity and population
BEST, SOFTNESS = 100.0, 10.0  # the highest rating of soft Condorcet; its temperature
RATE, STEPS = 2000.0, 3000  # of its descent


def mixture_table(matchups: Matchups, resamples: int = RESAMPLES, seed: int = 1) -> pd.DataFrame:
    """Return a line for each deck, the one with the largest share first.

    Columns deck, share (of the Nash mixture), share_low, share_high, kept (the share of resamples
    in which it has any), rate (against that mixture), rate_low, rate_high, alpha_rank,
    soft_condorcet (a rating, 0 to 100).
    """
    rates, drawn = matchups.rates, matchups.resampled(resamples, seed)
    share = rating.nash(rates)
    shares = np.array([rating.nash(one) for one in drawn])
    low, high = interval(shares)
    rate_low, rate_high = interval(drawn @ share)
    table = pd.DataFrame({
        "deck": matchups.decks, "share": share, "share_low": low, "share_high": high,
        "kept": (shares > 0).mean(axis=0), "rate": rates @ share, "rate_low": rate_low,
        "rate_high": rate_high, "alpha_rank": alpha_rank(rates),
        "soft_condorcet": soft_condorcet(rates)})
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


def soft_condorcet(rates: Array, temperature: float = SOFTNESS, best: float = BEST,
                   rate: float = RATE, steps: int = STEPS) -> Array:
    """Return ratings (n,), 0 to `best`, that put as few games as can be in the wrong order.

    Lanctot and others, "Soft Condorcet optimization for ranking of general agents" (2024): each
    game is a vote for the deck that won it, and is in the wrong order if the loser has the higher
    rating. Order counts softly, by a sigmoid of the difference over the temperature. Every match-up
    has as many votes. So a deck that wins most games against every other one is first, as Condorcet
    asks, unless it is by a hair; of ratings, the order alone says something. From the middle they
    descend, in `steps` of `rate` times the gradient of the mean vote and within their range, as in
    OpenSpiel's SoftCondorcetOptimizer.
    """
    votes = np.array(rates)
    np.fill_diagonal(votes, 0)
    votes /= max(votes.sum(), 1)
    found = np.full(len(rates), best / 2)
    for _ in range(steps):
        wrong = 1 / (1 + np.exp((found[:, None] - found) / temperature))  # [i, j]: i is below j
        pull = votes * wrong * (1 - wrong) / temperature
        found = np.clip(found + rate * (pull.sum(axis=1) - pull.sum(axis=0)), 0, best)
    return found


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
