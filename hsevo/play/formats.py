"""Formats of a best of n: which decks may play the next game, and who has won.

Conquest: a deck that has won is out, and who has won with each of its decks wins. Last Hero
Standing: a deck that has lost is out, the winner's plays on, and who has no deck left loses. Both
choose without knowing the other's choice. A draw is played again with the same decks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

FORMATS = CONQUEST, LAST_HERO_STANDING = ("conquest", "last-hero-standing")


class FormatStanding(NamedTuple):
    """How a best of n stands: the decks of both players that are not out, by their numbers.

    stays: the decks that have to play the next game, None for a player who may choose.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    stays: tuple[int | None, int | None] = (None, None)

    @property
    def choices(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The decks that each player may choose for the next game."""
        mine, theirs = self.stays
        return (self.mine if mine is None else (mine,),
                self.theirs if theirs is None else (theirs,))


def begin(mine: Iterable[int], theirs: Iterable[int]) -> FormatStanding:
    """Return how a best of n stands before its first game."""
    return FormatStanding((*mine,), (*theirs,))


def after(format: str, at: FormatStanding, mine: int, theirs: int, points: float) -> FormatStanding:
    """Return how it stands after a game of two decks; points: 1 if mine won, 0.5 for a draw."""
    if points == 0.5:
        return at._replace(stays=(mine, theirs))
    won = points == 1
    if won == (format == CONQUEST):
        at = at._replace(mine=tuple(deck for deck in at.mine if deck != mine))
    else:
        at = at._replace(theirs=tuple(deck for deck in at.theirs if deck != theirs))
    if format == CONQUEST:
        return at._replace(stays=(None, None))
    return at._replace(stays=(mine, None) if won else (None, theirs))


def winner(format: str, at: FormatStanding) -> float | None:
    """Return my points, 1 or 0, once a best of n is over; None before."""
    if at.mine and at.theirs:
        return None
    return float(bool(at.mine) == (format == LAST_HERO_STANDING))
