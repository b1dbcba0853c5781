"""Estimate strength from games: rates, Elo, SPRT, Bradley-Terry ratings, Nash mixtures, fitness.

Games come in pairs: the same cards from the same seed, once from each side. The luck of the cards
then cancels out within a pair, and pairs, not games, are the independent observations. So the
estimates of contests take *pentanomial counts*, (5,): the numbers of pairs in which an agent
scored 0, 1/2, 1, 3/2 and 2 of two points, a draw being half a point. Counts of single games, (3,),
lost, drawn and won, work as well.

Sources: the documentation of fishtest, Stockfish's testing framework ("Fishtest mathematics"), and
the notes that it is based on: M. Van den Bergh, "A practical introduction to normalized Elo" and
"The generalized maximum likelihood ratio for the expectation value of a distribution"
(www.cantate.be/Fishtest/normalized_elo_practical.pdf and support_MLE_multinomial.pdf).

A fitness takes single games, and its opponents can count differently (`tallies`, `by_shares`,
`mean_rate`, `interval`):

    wins, games (n, k) against each opponent,  weights (n, k) --> rates (n,), their intervals

There, groups of opponents count by their shares, and fixed opponents by their weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf, log, nan, sqrt
from statistics import NormalDist
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hsevo import config
from hsevo.config import Shares
from hsevo.errors import ConfigError
from hsevo.objects import Fields
from hsevo.play import paired as matched
from hsevo.play.paired import Z
from hsevo.types import Array

ELO = 400 / log(10)  # Elo of one unit of log odds
NELO = 800 / log(10)  # normalised Elo of one standard deviation of a game
RESULTS = (0, 0.5, 1)  # points of a game
GRID = 3000  # Elo around the opponents' mean in which somebody's rating is looked for
UNSEEN = 1e-3  # count of a result that did not occur, in a likelihood; as in fishtest


@dataclass(frozen=True)
class Estimate:
    """Hold an estimate with its 95 % interval.

    Without games, the value is NaN and the interval is the whole range.

    Attributes
    ----------
    value : float
        Estimated value.
    low : float
        Lower end of the 95 % interval.
    high : float
        Upper end of the 95 % interval.
    """

    FIELDS: ClassVar[Fields] = {"value": "value", "low": "low", "high": "high"}

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the value and its interval: "0.573 (0.558 to 0.588)"."""
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"

    def percent(self, digits: int = 2) -> str:
        """Return a rate and its interval in per cent, such as "51.77 % (51.02 to 52.52)".

        Parameters
        ----------
        digits : int, default 2
            Decimal places.

        Returns
        -------
        str
            The text.
        """
        value, low, high = (f"{100 * number:.{digits}f}"
                            for number in (self.value, self.low, self.high))
        return f"{value} % ({low} to {high})"

    def signed(self) -> str:
        """Return a difference and its interval, such as "+12 (+7 to +18)".

        If the value is infinite, only the finite end of the interval is stated: "above +915".

        Returns
        -------
        str
            The text.
        """
        low, high = (f"{end:+.0f}" for end in (self.low, self.high))
        if isinf(self.low) and isinf(self.high):
            ends = "not known by so few games"
        elif isinf(self.low):
            ends = f"below {high}"
        else:
            ends = f"above {low}" if isinf(self.high) else f"{low} to {high}"
        return ends if isinf(self.value) else f"{self.value:+.0f} ({ends})"


UNKNOWN = Estimate(nan, nan, nan)  # there is nothing to estimate it by


def points(counts: Array) -> Array:
    """Return the score of each column of counts (..., k), from 0 to 1."""
    return np.linspace(0, 1, np.shape(counts)[-1])


def win_rate(points: npt.ArrayLike) -> Estimate:
    """Estimate a win rate from your own games, with draws as half wins.

    Parameters
    ----------
    points : array_like of shape (n,) or (n, 2)
        Points of one player in each game: 1 for a win, 0.5 for a draw, 0 for a loss. True and False
        are 1 and 0. Shape (n,) is for n independent games. Shape (n, 2) is for n mirrored pairs,
        two games with the same seed and swapped seats.

    Returns
    -------
    Estimate
        The mean, 0 to 1, with a 95 % interval.

    Raises
    ------
    ConfigError
        If the shape or a value is invalid, or there are no games.

    Notes
    -----
    The interval is the interval of Agresti and Coull (1998), generalised to pairs by the variance
    of the pairs, as in `hsevo.match`.

    References
    ----------
    Agresti, A. and Coull, B. A. (1998). Approximate is better than "exact" for interval estimation
    of binomial proportions. The American Statistician 52, 119-126.

    Examples
    --------
    >>> print(hsevo.win_rate([1, 1, 0.5, 0]))
    0.625 (0.2399 to 0.8876)
    >>> print(hsevo.win_rate([[1, 0], [1, 1], [0, 1], [1, 0.5]]))
    0.6875 (0.3217 to 0.8696)
    """
    try:
        scores = np.asarray(points)
        if scores.dtype.kind not in "biuf" or np.ma.isMaskedArray(points):
            raise TypeError
        scores = scores.astype(np.float64)
    except (TypeError, ValueError):
        said = " ".join(config.short(points).split())  # an array has lines
        raise ConfigError(f"points are {said}, but must be numbers, of shape (n,) or (n, 2)"
                          ) from None
    if scores.ndim == 0 or scores.shape[1:] not in ((), (2,)):
        hint = "; transpose them" if scores.ndim == 2 and len(scores) == 2 else ""
        raise ConfigError(f"points have shape {scores.shape}, but must be (n,) for n games or"
                          f" (n, 2) for n mirrored pairs{hint}")
    if not scores.size:
        raise ConfigError("there are no points, but a win rate needs at least one game")
    if (wrong := scores[~np.isin(scores, RESULTS)]).size:
        raise ConfigError(f"the points of a game are {wrong[0]:g}, but must be 0 (lost), 0.5"
                          " (drawn) or 1 (won)")
    halves = 2 * (scores.sum(axis=1) if scores.ndim == 2 else scores)
    return rate(np.bincount(halves.astype(np.int64), minlength=2 * scores.ndim + 1))


def rate(counts: Array) -> Estimate:
    """Return the mean score, 0 to 1, of counts (k,): the win rate, with draws as half wins.

    The interval is that of Agresti and Coull ("Approximate is better than exact", 1998) for more
    than two outcomes: add Z² pairs, half of them lost and half won, and take the normal interval
    from the variance of the pairs. It contains the observed rate, and stays valid if all pairs had
    the same result and their variance is 0.
    """
    if not counts.sum():
        return Estimate(nan, 0.0, 1.0)
    more = np.array(counts, np.float64)
    more[[0, -1]] += Z**2 / 2
    mean, deviation = moments(more)
    half = Z * deviation / sqrt(more.sum())
    return Estimate(moments(counts)[0], max(mean - half, 0.0), min(mean + half, 1.0))


def ratio(points: Array, games: Array) -> Estimate:
    """Return the mean score, 0 to 1, of games that depend on each other within clusters.

    points, games: sums of each cluster, (n,), as of the games of a series. The interval is that of
    a ratio of sums, clusters being what is independent; as in `rate`, Z² clusters of mean length
    are added, half of them lost and half won, so that it has a width if all ended the same. Without
    a game, the score is NaN, and its interval 0 to 1.
    """
    n = len(points)
    if not np.sum(games):
        return Estimate(nan, 0.0, 1.0)
    length, more = float(np.mean(games)), n + Z**2
    mean = (float(np.sum(points)) + Z**2 * length / 2) / (more * length)
    squares = float(np.sum((points - mean * games) ** 2))
    squares += Z**2 / 2 * length**2 * (mean**2 + (1 - mean) ** 2)
    half = Z * sqrt(squares * more / (more - 1)) / (more * length)
    value = float(np.sum(points) / np.sum(games))
    return Estimate(value, max(mean - half, 0.0), min(mean + half, 1.0))


def moments(counts: Array) -> tuple[float, float]:
    """Return mean and standard deviation of the scores, 0 to 1, of counts (k,), not all 0."""
    weight = counts / counts.sum()
    mean = float(weight @ points(counts))
    return mean, sqrt(weight @ (points(counts) - mean) ** 2)


def elo(counts: Array) -> Estimate:
    """Return the (logistic) Elo difference of the rate and of the ends of its interval.

    Infinite where the rate is 0 or 1.
    """
    score = rate(counts)
    return Estimate(*(to_elo(part) for part in (score.value, score.low, score.high)))


def to_elo(score: float) -> float:
    """Return the Elo difference that gives an expected score, 0 to 1."""
    if score <= 0 or score >= 1:
        return -inf if score <= 0 else inf
    return ELO * log(score / (1 - score))


def to_score(difference: float) -> float:
    """Return the expected score, 0 to 1, at an Elo difference."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def normalised_elo(counts: Array) -> Estimate:
    """Return the difference in standard deviations of a game, in units of NELO.

    It determines how many games are needed to detect a difference (Van den Bergh, section 2). A
    game's standard deviation is that of a pair's score times the root of 2, the games in a pair.
    The ends are those of the rate's interval, each with the deviation of the most likely
    distribution with this mean. Infinite if all pairs had the same score other than 1 of 2.
    """
    if not counts.sum():
        return Estimate(nan, -inf, inf)
    score = rate(counts)
    ends = [_in_deviations(end, moments(_likeliest(counts, end))[1], len(counts))
            if 0 < end < 1 else inf * (end - 0.5) for end in (score.low, score.high)]
    value = _in_deviations(*moments(counts), len(counts))
    return Estimate(value, min(value, ends[0]), max(value, ends[1]))


def _in_deviations(mean: float, deviation: float, k: int) -> float:
    """Return a mean in normalised Elo; k results are those of (k - 1) / 2 games."""
    if deviation < 1e-9:  # all the same, up to rounding
        return 0.0 if mean == 0.5 else inf * (mean - 0.5)
    return NELO * (mean - 0.5) / (deviation * sqrt((k - 1) / 2))


@dataclass(frozen=True)
class Sprt:
    """A sequential test of H0, the difference is elo0, against H1, it is elo1 > elo0.

    alpha: the probability of accepting H1 if H0 holds; beta: of accepting H0 if H1 holds.
    """

    FIELDS: ClassVar[Fields] = {
        "elo0": "elo0", "elo1": "elo1", "alpha": "alpha", "beta": "beta", "bounds": "bounds"}

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verdict(self, counts: Array) -> str | None:
        """Return "H0" or "H1" if the test has accepted it, else None."""
        low, high = self.bounds
        ratio = self.llr(counts)
        return "H0" if ratio <= low else "H1" if ratio >= high else None

    def llr(self, counts: Array) -> float:
        """Return the generalised log likelihood ratio of H1 to H0, given counts (k,); 0 if empty.

        This is Van den Bergh's exact one ("The generalized maximum likelihood ratio", proposition
        1.1): each hypothesis is represented by the most likely distribution over the k results
        that has its mean.
        """
        if not counts.sum():
            return 0.0
        chances = [_likeliest(counts, to_score(elo)) for elo in (self.elo0, self.elo1)]
        return float(_seen(counts) @ np.log(chances[1] / chances[0]))


def _seen(counts: Array) -> Array:
    return np.where(counts > 0, counts, UNSEEN)


def _likeliest(counts: Array, mean: float) -> Array:
    """Return the most likely distribution, (k,), with a given mean, 0 < mean < 1.

    Result i has probability w_i / (1 + x (a_i - mean)), with observed frequencies w; x is the only
    root of the mean's equation at which all probabilities are positive.
    """
    weight = _seen(counts) / _seen(counts).sum()
    off = points(counts) - mean
    terms = list(zip(weight.tolist(), off.tolist(), strict=True))
    inside = 1 - 1e-12
    x = _root(lambda x: sum(part * gap / (1 + x * gap) for part, gap in terms),
              -inside / terms[-1][1], -inside / terms[0][1])
    return np.asarray(weight / (1 + x * off))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a falling function between two ends, by bisection to the last bit.

    scipy's brentq takes fewer steps, but scipy.optimize takes half a second to import.
    """
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return middle


def paired(gaps: Array) -> tuple[Estimate, float]:
    """Return the mean of differences (n,), each from -1 to 1, and the two-sided p that it is 0.

    gaps: how much more the first of two agents scored in each of the same n pairs of games. The
    interval is Agresti and Min's (play/paired.py), and contains the observed mean.
    """
    if not len(gaps):
        return Estimate(nan, -1.0, 1.0), 1.0
    seen, (mean, error) = float(np.mean(gaps)), matched.paired(gaps)
    low, high = mean - Z * error, mean + Z * error
    estimate = Estimate(seen, max(min(low, seen), -1.0), min(max(high, seen), 1.0))
    return estimate, 2 * NormalDist().cdf(-abs(mean) / error)


def bradley_terry(counts: Array) -> tuple[Array, Array]:
    """Rate n agents by the pairs between them: ratings (n,) in Elo, and their covariance (n, n).

    counts: (n, n, 5), [i, j] from the view of i; two agents need not have met if others connect
    them. The ratings maximise the likelihood of the Bradley-Terry model, with draws as half wins;
    their mean is 0. Each of the m meetings gets (n - 1) / (2 m) additional games won and as many
    lost, about what Firth's correction (1993) adds, so an agent that lost every game has a finite
    rating. The covariance is Huber's sandwich (1967), from the pentanomial variance of each
    meeting: it assumes neither that the games of a pair are independent nor that the model is true.
    Intervals from it are wider than necessary for an agent that won, or lost, every game.
    Raises ValueError if there are groups of agents without games between them.
    """
    counts = _with_prior(counts)
    pairs = counts.sum(axis=2)
    _require_connected(pairs)
    mean = (counts @ points(counts)) / np.where(pairs, pairs, 1)
    variance = (counts @ points(counts) ** 2) / np.where(pairs, pairs, 1) - mean**2
    values = _most_likely(pairs, mean)
    chance = _chances(values)
    bread = _inverse(_laplacian(pairs * chance * (1 - chance)))
    spread = bread @ _laplacian(pairs * variance) @ bread
    return values * ELO, spread * ELO**2


def against_known(scores: Array, ratings: Array) -> Estimate:
    """Return the rating of somebody by games with opponents whose ratings are known, in Elo.

    scores: 0, 1/2 or 1 of each game, (n,). ratings: of the opponents, (n,). By the Bradley-Terry
    model with draws as half wins; the median and the middle 95 % of the posterior of Jeffreys'
    prior. So it is finite even if all games were won, and of use for a few games, where `place`
    takes the normal approximation. Without games, NaN and the whole range.
    """
    if not len(scores):
        return Estimate(nan, -inf, inf)
    grid = np.arange(-GRID, GRID + 1.0) + float(np.mean(ratings))
    gap = (grid[:, None] - np.asarray(ratings)) / ELO
    won, lost = -np.logaddexp(0, -gap), -np.logaddexp(0, gap)  # log probabilities
    known = np.exp(won + lost).sum(axis=1)  # Fisher's information
    likely = (won * scores + lost * (1 - np.asarray(scores))).sum(axis=1) + np.log(known) / 2
    below = np.cumsum(np.exp(likely - likely.max()))
    middle, low, high = (float(grid[np.searchsorted(below, share * below[-1])])
                         for share in (0.5, 0.025, 0.975))
    return Estimate(middle, low, high)


def intervals(values: Array, spread: Array) -> tuple[Array, Array]:
    """Return the ends of the ratings' 95 % intervals, relative to the mean of all; (n,) each."""
    half = Z * np.sqrt(np.maximum(np.diag(spread), 0))
    return values - half, values + half


def lead(values: Array, spread: Array, i: int, j: int) -> Estimate:
    """Return by how much agent i is rated above j.

    Errors that both ratings share cancel out in it: it can exclude 0 although the two agents'
    intervals overlap.
    """
    half = Z * sqrt(max(spread[i, i] + spread[j, j] - 2 * spread[i, j], 0))
    gap = float(values[i] - values[j])
    return Estimate(gap, gap - half, gap + half)


def place(values: Array, spread: Array, counts: Array) -> tuple[Array, Array]:
    """Rate one more agent on the scale of n others, whose ratings stay what they are.

    values (n,), spread (n, n): the others' ratings, as `bradley_terry` returns them. counts (n, 5):
    the pairs with each of them from the view of the new agent; at least one must not be empty.
    Returns ratings (n + 1,) and covariance (n + 1, n + 1), the new agent last.
    Its rating maximises the likelihood given the others': it is the rating at which the expected
    score equals the observed one, up to Firth's addition as in `bradley_terry`. Its error has two
    parts: that of its own games (the sandwich again), and a share of each opponent's error (delta
    method: the derivatives of its rating with respect to theirs, which sum to 1).
    """
    met = counts.sum(axis=1) > 0
    more = np.array(counts[met], np.float64)
    more[:, [0, -1]] += 1 / (4 * len(more))  # 1 / (2 m) games won and as many lost
    pairs = more.sum(axis=1)
    mean = (more @ points(more)) / pairs
    variance = (more @ points(more) ** 2) / pairs - mean**2
    others = values[met] / ELO
    far = 2 * np.abs(others).max() + 50  # log odds, beyond any possible rating
    value = _root(lambda x: float(pairs @ (mean - 1 / (1 + np.exp(others - x)))), -far, far)
    chance = 1 / (1 + np.exp(others - value))
    information = pairs * chance * (1 - chance)
    parts = np.zeros(len(values))
    parts[met] = information / information.sum()
    own = ELO**2 * (pairs @ variance) / information.sum() ** 2
    shared = spread @ parts
    return (np.append(values, value * ELO),
            np.block([[spread, shared[:, None]], [shared, parts @ shared + own]]))


def _with_prior(counts: Array) -> Array:
    met = counts.sum(axis=2) > 0
    games = (len(counts) - 1) / max(met.sum(), 1)  # half the mean leverage of a meeting
    more = np.array(counts, np.float64)
    more[met, 0] += games / 2  # a pair is two games
    more[met, -1] += games / 2
    return more


def _require_connected(pairs: Array) -> None:
    from scipy.sparse.csgraph import connected_components

    groups, label = connected_components(pairs > 0, directed=False)
    if groups > 1:
        apart = int(np.flatnonzero(label != label[0])[0])
        raise ValueError(f"agents 0 and {apart} have played neither each other nor a common"
                         " opponent")


def _most_likely(pairs: Array, mean: Array) -> Array:
    """Return the ratings (n,), log odds with mean 0, that maximise the likelihood."""
    from scipy.optimize import minimize

    def loss(rest: Array) -> float:
        values = np.append(0.0, rest)
        gap = values[:, None] - values
        return float((pairs * mean * np.logaddexp(0, -gap)).sum())

    def gradient(rest: Array) -> Array:
        expected = _chances(np.append(0.0, rest))
        return np.asarray((pairs * (expected - mean)).sum(axis=1)[1:])

    def hessian(rest: Array) -> Array:
        chance = _chances(np.append(0.0, rest))
        return _laplacian(pairs * chance * (1 - chance))[1:, 1:]

    n = len(pairs)
    if n == 1:
        return np.zeros(1)
    fitted = minimize(loss, np.zeros(n - 1), jac=gradient, hess=hessian, method="trust-exact",
                      options={"gtol": 1e-9 * max(pairs.sum(), 1)})
    values = np.append(0.0, fitted.x)
    return np.asarray(values - values.mean())


def _chances(values: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(values - values[:, None])))


def _laplacian(weights: Array) -> Array:
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def _inverse(laplacian: Array) -> Array:
    """Return the pseudo-inverse of a connected Laplacian, whose null space is the constants."""
    n = len(laplacian)
    return np.asarray(np.linalg.inv(laplacian + 1 / n) - 1 / n)


def nash(rates: Array) -> Array:
    """Return the mixture of n agents, (n,) with sum 1, that no agent beats: the Nash equilibrium.

    rates: (n, n) of i against j; rates[i, j] + rates[j, i] = 1. The game "both choose an agent,
    they play" has such a mixture (Nash averaging: Balduzzi et al., "Re-evaluating evaluation",
    2018). An agent that beats all others has share 1; all agents of a cycle have a share. If there
    are several mixtures, this is the one with the least sum of squares, so equal agents have equal
    shares. It is computed from the observed rates, and inherits their noise.

    Least-distance programming by least squares with bounds: Lawson and Hanson, "Solving least
    squares problems" (1974), chapter 23.
    """
    from scipy.optimize import lsq_linear  # its nnls is wrong in degenerate games (scipy 1.17)

    n = len(rates)
    gain = (rates - rates.T) / 2
    limits = np.vstack([-gain, np.eye(n), np.ones(n), -np.ones(n)])  # limits @ mixture >= floor
    floor = np.concatenate([np.zeros(2 * n), [1.0, -1.0]])
    system, target = np.vstack([limits.T, floor]), np.append(np.zeros(n), 1.0)
    multipliers = lsq_linear(system, target, (0, inf), "bvls", tol=1e-14, max_iter=100 * n + 100).x
    rest = target - system @ multipliers
    mixture = np.maximum(-rest[:-1] / rest[-1], 0)
    mixture[mixture < 1e-9 * mixture.max()] = 0
    return np.asarray(mixture / mixture.sum())


def tallies(rows: Array, results: Array, n: int) -> tuple[Array, Array]:
    """Return victories and games of each of n players against each other, both (n, n)."""
    wins, games = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for side, opposite in (("a", "b"), ("b", "a")):
        np.add.at(wins, (rows[side], rows[opposite]), results[f"wins_{side}"])
        np.add.at(games, (rows[side], rows[opposite]), rows["games"])
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
