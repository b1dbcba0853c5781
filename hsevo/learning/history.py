"""What happened in games so far, as more blocks of an observation: its second version.

    history = History(games)
    seen, legal = observe(games, history=history)     int16 (n, SIZE + HISTORY): batch.py
    history.step(moves)                               instead of games.step(moves)

The engine's state, and so the first version, shows what is there now: minions that died are listed,
spells that were cast are not. Here are the cards that each player played, and what the opponent did
in its last turn. Secrets of the opponent are unknown cards, for good: which of them fired would
have to be kept from the moment that it does, and can't be told from the state later.
"""

from __future__ import annotations

import functools
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.cards.tables import cards, ids
from hsevo.engine.record.codec import Action
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.observe import UNKNOWN, Listed
from hsevo.learning.vocabulary import rows
from hsevo.play.acts import ACT, acts_of
from hsevo.play.games import Games
from hsevo.types import Array

PLAYED, ACTS = 48, 12  # the last cards that a player played; the last acts of a turn
_AT_FIRST = 64  # acts of a game that there is room for; then for twice as many, and so on


class Acted(IntEnum):
    """Numbers of an act of the opponent."""

    CARD = 0
    TARGET = 1
    PLAYED = 2
    ATTACKED = 3
    USED_POWER = 4
    AT_OWN = 5
    NUMBER = 6


BLOCKS: tuple[tuple[str, int, type[IntEnum]], ...] = (
    ("own_played", PLAYED, Listed),
    ("enemy_played", PLAYED, Listed),
    ("enemy_acts", ACTS, Acted),
)
HISTORY = sum(n * len(columns) for _, n, columns in BLOCKS)  # numbers of an observation


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

    def __init__(self, games: Games) -> None:
        self.games = games
        self._log = np.zeros((len(games), _AT_FIRST), ACT)
        self._length = np.zeros(len(games), np.int64)

    def step(self, moves: Any) -> None:
        """Make moves (n,) as `Games.step` does, and note them. Raises what it raises."""
        before = self.games.states.copy()
        self.games.step(moves)
        self._note(before, np.array(moves).astype(np.int64))

    def ask(self, agents: Array, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Have compiled agents move as `Games.ask` does, and note it; return the moves (n,)."""
        before = self.games.states.copy()
        moves = self.games.ask(agents, seat, information)
        self._note(before, moves)
        return moves

    def see(self, which: Any = slice(None)) -> Array:
        """Return what the players to move see of it, int16 (k, HISTORY).

        which: of these games, by their numbers (k,).
        """
        acts, length = self._log[which], self._length[which]
        there = np.arange(acts.shape[1]) < length[:, None]
        return seen_of(acts[there], np.repeat(np.arange(len(length)), length),
                       self.games.states[which], self.games.ruleset)

    def _note(self, before: Array, moves: Array) -> None:
        """Note moves (n,) that were made in games whose states were STATE (n,)."""
        acts = acts_of(before, moves)
        which = np.flatnonzero((acts["kind"] > 0) & (before["result"] == RUNNING))
        if len(which) and self._length[which].max() == self._log.shape[1]:
            self._log = np.concatenate([self._log, np.zeros_like(self._log)], 1)
        self._log[which, self._length[which]] = acts[which]
        self._length[which] += 1


def seen_of(acts: Array, game: Array, states: Array, ruleset: str) -> Array:
    """Return what the players to move see of acts, int16 (n, HISTORY).

    acts: ACT (k,), in order; game (k,): in which of the games, in their order. states: STATE (n,),
    of these as they are now.
    """
    names, me = rows(ruleset), states["me"].astype(np.int64)
    own, played = acts["player"] == me[game], acts["kind"] == Action.PLAY
    hidden = played & ~own & _secrets(ruleset)[acts["card"]]
    card = np.where(hidden, UNKNOWN, names[acts["card"]])
    last = ~own & (acts["turn"] == states["turn"][game] - 1)
    kinds = [acts["kind"] == one for one in (Action.PLAY, Action.ATTACK, Action.POWER)]
    at_own = (acts["target"] > 0) & (acts["side"] == me[game])
    told = np.stack([card, names[acts["target"]], *kinds, at_own, np.zeros_like(card)], 1)
    told[last, Acted.NUMBER] = 1 + _places(game[last], len(states))[0]
    found = [_last(which, numbers, game, most, len(states)) for which, numbers, most in (
        (played & own, card[:, None], PLAYED), (played & ~own, card[:, None], PLAYED),
        (last, told, ACTS))]
    return np.concatenate(found, 1)


def _places(game: Array, n: int) -> tuple[Array, Array]:
    """Return which of its game's each is, from 0, (k,), and how many each of n games has (n,)."""
    count = np.bincount(game, minlength=n)
    return np.arange(len(game)) - (np.cumsum(count) - count)[game], count


def _last(which: Array, numbers: Array, game: Array, most: int, n: int) -> Array:
    """Return the last `most` rows of numbers (k, c) of each game where which (k,), then zeros."""
    place, count = _places(game[which], n)
    place -= np.maximum(count - most, 0)[game[which]]
    found = np.zeros((n, most, numbers.shape[1]), np.int16)
    found[game[which][place >= 0], place[place >= 0]] = numbers[which][place >= 0]
    return found.reshape(n, -1)


@functools.cache
def _secrets(ruleset: str) -> Array:
    """Return which cards, by table index, are secrets, bool (cards,)."""
    known = cards(ruleset)
    return np.array([id in known and known[id].secret for id in ids(ruleset)])
