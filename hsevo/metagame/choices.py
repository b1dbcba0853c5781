"""How players choose their decks in a best of n: at random, or optimally for known rates.

An optimal choice is a mixture: what a player of the matrix game "which deck does each choose" does,
whose entries are the chances that follow (lineups.py has the same chances for many line-ups at
once, without the mixtures).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from hsevo.metagame.games import solution
from hsevo.play import formats
from hsevo.play.formats import FormatStanding
from hsevo.types import Array

Mixtures: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # of both players' choices
Chooser: TypeAlias = Callable[[FormatStanding], Mixtures]


def uniform(at: FormatStanding) -> Mixtures:
    """Choose among all that may be chosen, each as likely."""
    mine, theirs = at.choices
    return (1 / len(mine),) * len(mine), (1 / len(theirs),) * len(theirs)


class Optimal:
    """The chances of a best of n in which both choose optimally, and the choices.

    rates: (m, t) of my decks against theirs, which both know.
    """

    def __init__(self, format: str, rates: Array) -> None:
        self.format, self.rates = format, rates
        self._solved = cache(self._solve)

    def __call__(self, at: FormatStanding) -> Mixtures:
        """Return how both choose their decks for the next game."""
        return self._solved(at)[1]

    def chance(self, at: FormatStanding) -> float:
        """Return the chance that I win."""
        won = formats.winner(self.format, at)
        return self._solved(at)[0] if won is None else won

    def bans(self, at: FormatStanding) -> Mixtures:
        """Return how I choose which of their decks to strike, and how they choose one of mine."""
        _, mine, theirs = solution(self._banned(at))
        return tuple(mine.tolist()), tuple(theirs.tolist())

    def banned_chance(self, at: FormatStanding) -> float:
        """Return the chance that I win, if both first strike a deck of the other."""
        return float(solution(self._banned(at))[0])

    def _banned(self, at: FormatStanding) -> Array:
        """Return the game of whom to strike: [i, j], their deck i and my deck j are out."""
        return np.array([[self.chance(strike(at, mine, theirs)) for mine in at.mine]
                         for theirs in at.theirs])

    def _solve(self, at: FormatStanding) -> tuple[float, Mixtures]:
        mine, theirs = at.choices
        games = np.array([[self._after(at, i, j) for j in theirs] for i in mine])
        value, rows, columns = solution(games)
        return float(value), (tuple(rows.tolist()), tuple(columns.tolist()))

    def _after(self, at: FormatStanding, mine: int, theirs: int) -> float:
        rate = float(self.rates[mine, theirs])
        won, lost = (self.chance(formats.after(self.format, at, mine, theirs, points))
                     for points in (1.0, 0.0))
        return rate * won + (1 - rate) * lost


def strike(at: FormatStanding, mine: int, theirs: int) -> FormatStanding:
    """Return how a best of n stands without one deck of each player."""
    return FormatStanding(tuple(deck for deck in at.mine if deck != mine),
                          tuple(deck for deck in at.theirs if deck != theirs))


def drawn(mixture: tuple[float, ...], number: float) -> int:
    """Return the place that a number from 0 to 1 draws from a mixture."""
    ends = [*accumulate(mixture)]
    return min(sum(number * ends[-1] >= end for end in ends), len(ends) - 1)
