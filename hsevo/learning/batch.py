"""Observations and actions of a batch of games (`hsevo.Games`), without an environment.

    games = hsevo.Games("mage", "warrior", range(1000))
    seen, legal = observe(games)              what the players to move see and may do
    what, at, where = masks(legal)            the same as masks, for a policy
    games.step(moves_of(actions))             actions (n, 3): what, at, where

The engine's state, and so an observation, shows what is there now: minions that died are listed,
spells that were cast are not. A history adds the cards that each player played, and what the
opponent did in its last turn (play/acts.py): the second version of an observation.

    history = History(games)
    seen, legal = observe(games, history=history)     int16 (n, SIZE + HISTORY)
    history.step(moves)                               instead of games.step(moves)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hsevo.engine.record.codec import N_MOVES, PLACES, TARGETS
from hsevo.engine.record.state import Phase
from hsevo.engine.view.actions import FIRST_PLACE, WHATS, all_parts, numbers_of
from hsevo.engine.view.observe import SIZE
from hsevo.learning import vocabulary
from hsevo.play.acts import ACT, HISTORY, PAST, Act
from hsevo.play.context import Environment
from hsevo.play.entry import Command
from hsevo.play.games import GameBatch
from hsevo.types import Array


class Masks(NamedTuple):
    """Hold the legal actions as bool masks.

    Attributes
    ----------
    what : ndarray of bool, shape (n, 58)
        Legal values of `what`.
    at : ndarray of bool, shape (n, 58, 17)
        Legal values of `at` for each `what`.
    where : ndarray of bool, shape (n, 58, 7)
        Legal values of `where` for each `what`.
    """

    what: Array
    at: Array
    where: Array


class History:
    """Record the moves of both players in a batch of games, from their beginning.

    Parameters
    ----------
    games : Games
        The games, which then move by `step` and `ask` of the history.

    Examples
    --------
    >>> from hsevo import learning
    >>> games = hsevo.Games("mage", "warrior", range(5))
    >>> history = learning.History(games)
    >>> for clock in range(20):
    ...     history.step(games.sample(clock))
    >>> seen, legal = learning.observe(games, history=history)
    >>> learning.split(seen)["enemy_acts"].shape
    (5, 12, 7)
    """

    def __init__(self, games: GameBatch) -> None:
        self.games = games
        self._pasts = np.zeros(len(games), PAST).view(np.recarray)

    @classmethod
    def of(cls, games: GameBatch, acts: Sequence[Act]) -> History:
        """Return the history of one game from its acts.

        Parameters
        ----------
        games : Games
            The game.
        acts : sequence of Act
            Acts in their order.

        Returns
        -------
        History
            The history.
        """
        history = cls(games)
        games.call(Command.NOTE_ACTS, Environment(
            pasts=history._pasts, acts=np.array([*acts], ACT).view(np.recarray)))
        return history

    def take(self, which: Any) -> History:
        """Return a copy of some of the games, with their history.

        Parameters
        ----------
        which : array_like of int, array_like of bool or slice
            Indices (m,), mask (n,), or slice of the games.

        Returns
        -------
        History
            The copy.
        """
        history = History(self.games.take(which))
        history._pasts[:] = self._pasts[which]
        return history

    def step(self, moves: Any) -> None:
        """Make moves as `Games.step` does, and record them.

        Parameters
        ----------
        moves : array_like of int, shape (n,)
            The moves.

        Raises
        ------
        ValueError
            If `moves` has another shape or type.
        GameError
            If a move is illegal.
        """
        before = self.games.take(slice(None))
        self.games.step(moves)
        self.note(before, np.array(moves).astype(np.int64))

    def ask(self, agents: Array, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Let compiled agents move as `Games.ask` does, and record the moves.

        Parameters
        ----------
        agents : ndarray of AGENT, shape (1,), (2,) or (n,)
            One agent for all games, one for each seat, or one for each game.
        seat : {0, 1} or array_like of int, optional
            Move only where this player is to move. Default: both.
        information : str, default "fair"
            Information of look-aheads.

        Returns
        -------
        ndarray of int64, shape (n,)
            The moves. -1 where no move was made.
        """
        before = self.games.take(slice(None))
        moves = self.games.ask(agents, seat, information)
        self.note(before, moves)
        return moves

    def see(self, which: Any = slice(None)) -> Array:
        """Return the part of observations about the history, for the players to move.

        Parameters
        ----------
        which : array_like of int or slice, optional
            Numbers of the games. Default: all.

        Returns
        -------
        ndarray of int16, shape (k, HISTORY)
            Observations.
        """
        some = self.take(which)
        return observe(some.games, history=some)[0][:, SIZE:]

    def note(self, before: GameBatch, moves: Array) -> None:
        """Record moves that were made otherwise.

        Parameters
        ----------
        before : Games
            The games as they were before the moves.
        moves : ndarray of int64, shape (n,)
            The moves. -1 where no move was made.

        Raises
        ------
        ValueError
            If the numbers of games differ, or a move is out of range.
        """
        if not len(before) == len(moves) == len(self._pasts):
            raise ValueError(f"the history has {len(self._pasts)} games, but there are"
                             f" {len(before)} games before and {len(moves)} moves")
        if ((moves < -1) | (moves >= N_MOVES)).any():
            raise ValueError(f"a move is a number from 0 to {N_MOVES - 1}, or -1 for none")
        before.call(Command.NOTE_ALL, Environment(pasts=self._pasts), moves=moves)


def observe(games: GameBatch, player: Any = None,
            history: History | None = None) -> tuple[Array, Array]:
    """Return the observations and the legal actions of players.

    `layout` describes the numbers of an observation. `masks` turns the bits into masks.

    Parameters
    ----------
    games : Games
        The games.
    player : {0, 1} or array_like of int, optional
        Observing player, or one for each game (n,). Default: the player to move. A player that is
        not to move has no legal action, as in a finished game.
    history : History, optional
        History of these games. Observations are then of the second version.

    Returns
    -------
    tuple of ndarray
        Observations, int16 (n, SIZE), or (n, SIZE + HISTORY) with a history, and bits of legal
        actions, uint32 (n, WHATS).

    Raises
    ------
    ValueError
        If arguments do not fit together.

    Examples
    --------
    >>> from hsevo import learning
    >>> games = hsevo.Games("mage", "warrior", range(5))
    >>> seen, legal = learning.observe(games)
    >>> learning.split(seen)["own_board"].shape
    (5, 7, 33)
    """
    seats = np.full(len(games), -1, np.int64)
    if player is not None:
        seats[:] = player
        if not np.isin(seats, (0, 1)).all():
            raise ValueError(f"player is {player!r}, but must be 0 or 1, or an array with 0 or 1"
                             " for each game")
    if history is not None and history.games is not games:
        raise ValueError("the history belongs to other games; observe history.games instead")
    past: dict[str, Any] = {} if history is None else {"pasts": history._pasts}
    seen = np.zeros((len(games), SIZE + HISTORY * len(past)), np.int16)
    legal = np.zeros((len(games), WHATS), np.uint32)
    games.call(Command.OBSERVE_ALL, Environment(
        rows=vocabulary.rows(games.ruleset), observations=seen, legal=legal, **past),
        players=seats)
    return seen, legal


def masks(legal: Array) -> Masks:
    """Return the bits of legal actions as masks.

    Parameters
    ----------
    legal : ndarray of uint32, shape (n, WHATS)
        The bits.

    Returns
    -------
    Masks
        The masks.
    """
    bits = legal[..., None]
    return Masks(legal != 0, bits >> np.arange(TARGETS, dtype=np.uint32) & 1 == 1,
                 bits >> np.arange(FIRST_PLACE, FIRST_PLACE + PLACES, dtype=np.uint32) & 1 == 1)


def move_masks(legal: Array) -> Array:
    """Return the bits of legal actions as masks of moves.

    Parameters
    ----------
    legal : ndarray of uint32, shape (n, WHATS)
        The bits.

    Returns
    -------
    ndarray of bool, shape (n, N_MOVES)
        Masks, as `Games.legal_moves` returns them.
    """
    allowed = np.zeros((len(legal), N_MOVES), np.bool_)
    for parts in all_parts():  # a card is thrown back, or chosen, by the same move
        what, at, where = parts.astype(np.uint32).T
        bits = legal[:, what]
        allowed |= bits >> at & bits >> (FIRST_PLACE + where) & 1 == 1
    return allowed


def moves_of(actions: Any) -> Array:
    """Return the moves of actions.

    Parameters
    ----------
    actions : array_like of int, shape (n, 3)
        Parts of actions: what, at, where.

    Returns
    -------
    ndarray of int64, shape (n,)
        The moves.

    Raises
    ------
    ValueError
        If no move has these parts.
    """
    parts = np.asarray(actions)
    if parts.ndim != 2 or parts.shape[1] != 3 or parts.dtype.kind not in "iu":
        raise ValueError(f"actions has shape {parts.shape} and type {parts.dtype}, but must be"
                         " whole numbers (n, 3): what, at, where")
    outside = (parts < 0) | (parts >= (WHATS, TARGETS, PLACES))
    if outside.any():
        row = int(np.flatnonzero(outside.any(axis=1))[0])
        raise ValueError(f"action {row} is {parts[row].tolist()}, but its parts must be below"
                         f" {WHATS}, {TARGETS} and {PLACES}")
    moves: Array = _numbers()[*parts.T]
    return moves


@functools.cache
def _numbers() -> Array:
    """Return the moves of all parts, int64 (WHATS, TARGETS, PLACES): of some there is none."""
    shape = WHATS, TARGETS, PLACES
    return numbers_of(*np.indices(shape).reshape(3, -1)).reshape(shape)


def actions_of(moves: Any, games: GameBatch) -> Array:
    """Return the actions of moves, the inverse of `moves_of`.

    Parameters
    ----------
    moves : array_like of int, shape (n,)
        The moves.
    games : Games
        The game of each move.

    Returns
    -------
    ndarray of int64, shape (n, 3)
        Parts of actions: what, at, where.
    """
    numbers = np.asarray(moves).astype(np.int64)
    if numbers.shape != (len(games),) or ((numbers < 0) | (numbers >= N_MOVES)).any():
        raise ValueError(f"moves must be one for each of {len(games)} games, from 0 to"
                         f" {N_MOVES - 1}")
    return parts_of(numbers, games.states["pending"] == Phase.CHOICE)


def parts_of(moves: Array, choice: Array) -> Array:
    """Return the parts (n, 3) of moves, int64 (n,); choice (n,): whether cards are offered."""
    return all_parts()[choice.astype(np.int64), moves]
