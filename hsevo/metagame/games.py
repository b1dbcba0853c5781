"""Two-player zero-sum games as matrices: their values and optimal mixtures, many at once.

Line-ups need the values of a hundred thousand games of at most a few choices each; a linear program
for every one would take minutes.
"""

from __future__ import annotations

from itertools import combinations, product
from statistics import NormalDist

import numpy as np

from hsevo.types import Array

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
    found = np.zeros((len(flat), 1 + m + n))
    for rows, columns in _parts(m, n):
        left = np.flatnonzero(off > EXACT)
        if not len(left):
            break
        tried, gap = _tried(flat[left], rows, columns)
        better = gap < off[left]
        off[left[better]], found[left[better]] = gap[better], tried[better]
    return (found[:, 0].reshape(shape), found[:, 1:1 + m].reshape(*shape, m),
            found[:, 1 + m:].reshape(*shape, n))


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
    found = linprog(np.append(np.zeros(n), -1.0), np.column_stack([-rates.T, np.ones(m)]),
                    np.zeros(m), np.append(np.ones(n), 0.0)[None], [1.0],
                    [(0, 1)] * (n + 1), method="highs")
    return np.abs(found.x[:n]), float(found.x[n])  # no minus before a 0


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
