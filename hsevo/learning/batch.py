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
    """The legal actions as bool masks: what (n, 58), at (n, 58, 17), where (n, 58, 7)."""

    what: Array
    at: Array
    where: Array


class History:
    """What both players did in a batch of games since it was made: best at their beginning.

    games: `hsevo.Games`, which then move by `step` and `ask` of the history.

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
        """Return the history of one game in which these acts were made, in their order."""
        history = cls(games)
        games.call(Command.NOTE_ACTS, Environment(
            pasts=history._pasts, acts=np.array([*acts], ACT).view(np.recarray)))
        return history

    def take(self, which: Any) -> History:
        """Return a copy of some of the games, as `Games.take`, with their history."""
        history = History(self.games.take(which))
        history._pasts[:] = self._pasts[which]
        return history

    def step(self, moves: Any) -> None:
        """Make moves (n,) as `Games.step` does, and note them. Raises what it raises."""
        before = self.games.take(slice(None))
        self.games.step(moves)
        self._note(before, np.array(moves).astype(np.int64))

    def ask(self, agents: Array, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Have compiled agents move as `Games.ask` does, and note it; return the moves (n,)."""
        before = self.games.take(slice(None))
        moves = self.games.ask(agents, seat, information)
        self._note(before, moves)
        return moves

    def see(self, which: Any = slice(None)) -> Array:
        """Return what the players to move see of it, int16 (k, HISTORY).

        which: of these games, by their numbers (k,).
        """
        some = self.take(which)
        return observe(some.games, history=some)[0][:, SIZE:]

    def _note(self, before: GameBatch, moves: Array) -> None:
        """Note moves (n,) that were made in games, which were like this before."""
        before.call(Command.NOTE_ALL, Environment(pasts=self._pasts), moves=moves)


def observe(games: GameBatch, player: Any = None,
            history: History | None = None) -> tuple[Array, Array]:
    """Return what players see, int16 (n, SIZE), and what they may do, uint32 (n, WHATS).

    player: 0 or 1, or one for each game (n,); None: the player to move. A player that is not to
    move may do nothing, as in a finished game. `layout` explains the numbers, `masks` turns the
    bits into masks. history: `History` of these games; then observations are of the second version,
    (n, SIZE + HISTORY). Raises ValueError.

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
            raise ValueError(f"player is {player!r}, but must be 0 or 1, or one of them per game")
    if history is not None and history.games is not games:
        raise ValueError("the history is of other games; observe its own, history.games")
    past: dict[str, Any] = {} if history is None else {"pasts": history._pasts}
    seen = np.zeros((len(games), SIZE + HISTORY * len(past)), np.int16)
    legal = np.zeros((len(games), WHATS), np.uint32)
    games.call(Command.OBSERVE_ALL, Environment(
        rows=vocabulary.rows(games.ruleset), observations=seen, legal=legal, **past),
        players=seats)
    return seen, legal


def masks(legal: Array) -> Masks:
    """Return bits, uint32 (n, WHATS), as masks."""
    bits = legal[..., None]
    return Masks(legal != 0, bits >> np.arange(TARGETS, dtype=np.uint32) & 1 == 1,
                 bits >> np.arange(FIRST_PLACE, FIRST_PLACE + PLACES, dtype=np.uint32) & 1 == 1)


def moves_of(actions: Any) -> Array:
    """Return the moves, int64 (n,), with these parts (n, 3): what, at, where.

    Raises ValueError for parts that no move has.
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
    found: Array = _numbers()[*parts.T]
    return found


@functools.cache
def _numbers() -> Array:
    """Return the moves of all parts, int64 (WHATS, TARGETS, PLACES): of some there is none."""
    shape = WHATS, TARGETS, PLACES
    return numbers_of(*np.indices(shape).reshape(3, -1)).reshape(shape)


def actions_of(moves: Any, games: GameBatch) -> Array:
    """Return the parts (n, 3) of moves (n,), each in its game: the inverse of `moves_of`."""
    numbers = np.asarray(moves).astype(np.int64)
    if numbers.shape != (len(games),) or ((numbers < 0) | (numbers >= N_MOVES)).any():
        raise ValueError(f"moves must be one for each of {len(games)} games, from 0 to"
                         f" {N_MOVES - 1}")
    return parts_of(numbers, games.states["pending"] == Phase.CHOICE)


def parts_of(moves: Array, choice: Array) -> Array:
    """Return the parts (n, 3) of moves, int64 (n,); choice (n,): whether cards are offered."""
    return all_parts()[choice.astype(np.int64), moves]
