"""Match-ups of decks: counts of pairs of games, rates with errors, and mixtures that they lead to.

    matchups_of(record)     the pairs of games of decks against decks, as counts
    mixture_table(...)      which decks a metagame settles on: the Nash mixture of the match-ups
    alpha_rank(rates), soft_condorcet(rates)     two other rankings: by evolution, by voting
    value(games), solution(games)     two-player zero-sum matrix games, many at once

Every statement about a metagame follows from these counts. So its errors come from drawing the
counts, and carry over to all results that are computed from them.

Line-ups need the values of a hundred thousand games of at most a few choices each; a linear program
for every one would take minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import pandas as pd

from hsevo.errors import DeckError, did_you_mean, quoted
from hsevo.play.specs import short_names
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.contest import PairedContest
from hsevo.types import Array

RESAMPLES = 1000  # of the counts, for an interval


@dataclass(frozen=True)
class Matchups:
    """Hold decks, and the pairs of games between them.

    Attributes
    ----------
    decks : tuple of str
        Names of the decks.
    classes : tuple of str
        Classes of the decks.
    counts : ndarray of shape (n, n, 5)
        At [i, j], the pairs of games of i and j by points of i, 0 to 2.
    """

    decks: tuple[str, ...]
    classes: tuple[str, ...]
    counts: Array

    @property
    def rates(self) -> Array:
        """Win rates (n, n) of each deck against each deck, 0 to 1. 0.5 against itself."""
        rates = rates_of(self.counts)
        np.fill_diagonal(rates, 0.5)
        return rates

    def resampled(self, times: int = RESAMPLES, seed: int = 1) -> Array:
        """Return bootstrap resamples of the win rates.

        Parameters
        ----------
        times : int, optional
            Number of resamples.
        seed : int, default 1
            Seed of the resamples.

        Returns
        -------
        ndarray of shape (times, n, n)
            Win rates.
        """
        return resampled(self.counts, times, seed)

    def named(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of decks by name.

        Parameters
        ----------
        names : sequence of str
            Names of decks.

        Returns
        -------
        list of int
            Their numbers.

        Raises
        ------
        DeckError
            If there is no such deck.
        """
        for name in names:
            if name not in self.decks:
                hint = did_you_mean(name, self.decks) or f"; it has {', '.join(self.decks[:12])}"
                raise DeckError(f"the matrix has no deck {quoted(name)}{hint}")
        return [self.decks.index(name) for name in names]


def rates_of(counts: Array) -> Array:
    """Return the mean scores (...) of counts (..., k), 0.5 where there are none."""
    games = counts.sum(axis=-1)
    return np.where(games, counts @ rating.points(counts) / np.maximum(games, 1), 0.5)


def resampled(counts: Array, times: int, seed: int) -> Array:
    """Return rates (times, n, n) drawn from what the counts (n, n, k) of pairs leave open.

    The Bayesian bootstrap (Rubin 1981): the shares of the k results of a match-up are drawn from a
    Dirichlet distribution with the counts as parameters. One more pair is spread over the results,
    so that a match-up whose pairs all ended the same has some error, too. Rates of i against j and
    of j against i sum to 1.
    """
    n = len(counts)
    i, j = np.triu_indices(n, 1)
    rates = np.full((times, n, n), 0.5)
    rates[:, i, j] = drawn_shares(counts[i, j], times, seed) @ rating.points(counts)
    rates[:, j, i] = 1 - rates[:, i, j]
    return rates


def drawn_shares(counts: Array, times: int, seed: int) -> Array:
    """Return shares (times, m, k) of k results, drawn from what counts (m, k) leave open."""
    random = np.random.Generator(np.random.PCG64(int(derive((seed, 1, Stream.ARENA))[0])))
    m, k = counts.shape
    drawn = random.standard_gamma(counts + 1 / k, (times, m, k))
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def interval(draws: Array) -> tuple[Array, Array]:
    """Return the ends (...) of the 95 % intervals of resampled values, (times, ...)."""
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    return low, high


def matchups_of(record: PairedContest) -> Matchups:
    """Return the match-ups of an arena whose agents each play one deck (AGENT@DECK).

    Decks are called by their names; if several agents play one, by agent and deck. Raises DeckError
    if an agent plays several decks, or two have not met.
    """
    lineup, counts = record.lineup, record.counts
    for i, name in enumerate(lineup.names):
        if len(lineup.decks_of(i)) > 1:
            raise DeckError(f"agent {quoted(name)} plays {len(lineup.decks_of(i))} decks, but a"
                            " matrix of decks needs agents with one deck each: AGENT@DECK")
    for i, j in combinations(range(len(lineup.names)), 2):
        if not counts[i, j].any():
            raise DeckError(f"{lineup.names[i]} and {lineup.names[j]} have not played each other,"
                            " but a matrix of decks needs games of every two")
    own = [lineup.decks[lineup.decks_of(i)[0]] for i in range(len(lineup.names))]
    names = [deck.name for deck in own]
    if len({*names}) < len(names):
        names = list(short_names(lineup.names).values())
    return Matchups(tuple(names), tuple(deck.hero for deck in own), counts)


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
    shares = np.array([rating.nash(resample) for resample in drawn])
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
    ratings = np.full(len(rates), best / 2)
    for _ in range(steps):
        wrong = 1 / (1 + np.exp((ratings[:, None] - ratings) / temperature))  # [i, j]: i is below j
        pull = votes * wrong * (1 - wrong) / temperature
        ratings = np.clip(ratings + rate * (pull.sum(axis=1) - pull.sum(axis=0)), 0, best)
    return ratings


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


EXACT = 1e-9  # how far a solution may be from an equilibrium
SINGULAR = 1e-14


def value(games: Array) -> Array:
    """Return the values (...) of games (..., m, n) to the player of rows, who maximises."""
    return solution(games)[0]


def solution(games: Array) -> tuple[Array, Array, Array]:
    """Return values (...) of games (..., m, n), and optimal mixtures (..., m) and (..., n).

    Some square part of each game, of the choices that are mixed, decides it (Shapley and Snow
    1950): parts are tried from small to large, and the one that is nearest to an equilibrium of the
    whole game is taken.
    """
    *shape, m, n = games.shape
    flat = np.ascontiguousarray(games, np.float64).reshape(-1, m, n)
    off = np.full(len(flat), np.inf)
    solved = np.zeros((len(flat), 1 + m + n))
    for rows, columns in _parts(m, n):
        left = np.flatnonzero(off > EXACT)
        if not len(left):
            break
        tried, gap = _tried(flat[left], rows, columns)
        better = gap < off[left]
        off[left[better]], solved[left[better]] = gap[better], tried[better]
    return (solved[:, 0].reshape(shape), solved[:, 1:1 + m].reshape(*shape, m),
            solved[:, 1 + m:].reshape(*shape, n))


def _parts(m: int, n: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the square parts of a game of m and n choices, small ones first."""
    return [part for k in range(1, min(m, n) + 1)
            for part in product(combinations(range(m), k), combinations(range(n), k))]


def _tried(games: Array, rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[Array, Array]:
    """Return value and mixtures (s, 1 + m + n) if a part decides games, and how far off they are.

    Both players mix such that the other's choices of the part are worth the same.
    """
    s, (m, n), k = len(games), games.shape[1:], len(rows)
    part = games[:, rows][:, :, columns]
    tried = np.zeros((s, 1 + m + n))
    x, _ = _levelled(part.swapaxes(1, 2))
    y, tried[:, 0] = _levelled(part)
    tried[:, [1 + row for row in rows]] = x
    tried[:, [1 + m + column for column in columns]] = y
    worst = (tried[:, None, 1:1 + m] @ games)[:, 0].min(axis=1)  # what the row player gets at least
    best = (games @ tried[:, 1 + m:, None])[..., 0].max(axis=1)
    wrong = np.maximum(-x.min(axis=1), -y.min(axis=1)) if k > 1 else np.zeros(s)
    return tried, np.maximum(best - worst, wrong)


def _levelled(part: Array) -> tuple[Array, Array]:
    """Return mixtures (s, k) of columns that make all rows of parts (s, k, k) worth v, and v (s,).

    NaN where there is none.
    """
    s, k = part.shape[:2]
    if k == 1:
        return np.ones((s, 1)), part[:, 0, 0]
    system = np.zeros((s, k + 1, k + 1))
    system[:, :k, :k], system[:, :k, k], system[:, k, :k] = part, -1, 1
    none = np.abs(np.linalg.det(system)) < SINGULAR
    system[none] = np.eye(k + 1)
    solved = np.linalg.solve(system, np.eye(k + 1)[k][:, None])[..., 0]
    solved[none] = np.nan
    return solved[:, :k], solved[:, k]


def best_mixture(rates: Array) -> tuple[Array, float]:
    """Return the shares (n,) of choices whose lowest rate is highest, and that rate.

    rates: (n, m) of n choices against each of m, 0 to 1. The optimal mixture of one game by its
    linear program (von Neumann 1928), for games with more square parts than `solution` can try.
    """
    from scipy.optimize import linprog  # half a second to import

    n, m = rates.shape
    solved = linprog(np.append(np.zeros(n), -1.0), np.column_stack([-rates.T, np.ones(m)]),
                     np.zeros(m), np.append(np.ones(n), 0.0)[None], [1.0],
                     [(0, 1)] * (n + 1), method="highs")
    return np.abs(solved.x[:n]), float(solved.x[n])  # no minus before a 0


def sure_of(rates: Array, games: Array, shares: Array) -> float:
    """Return the rate that a mixture surpasses against every opponent, with a probability of 95 %.

    rates, games: (n, m) of n choices against each of m. shares: (n,), not chosen by these games.
    The least of the lower ends of m normal intervals, each of 1 - 0.05 / m on one side
    (Bonferroni).
    """
    m = rates.shape[1]
    worth = (rates * games + 1) / (games + 2)  # never 0 or 1, whose interval would have no width
    error = np.sqrt(shares**2 @ (worth * (1 - worth) / games))
    return float(np.min(shares @ rates - NormalDist().inv_cdf(1 - 0.05 / m) * error))
