"""What happened in the games of an environment, as their players see it, kept up move by move.

    past = Past(n, ruleset)            n games, one after the other in each place
    past.begin(which)                  new games begin there
    past.note(which, states, moves)    moves, with the games before them
    past.follow(seen, players)         observations of the first version -> of the second

The numbers are those of `History`, which keeps all acts and looks at them anew for each
observation; an environment observes after each step, so here only new acts are looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hsevo.engine.view.observe import DECISION_AT, Decision
from hsevo.learning.history import ACTS, HISTORY, PLAYED, Acted, seen_of
from hsevo.play.acts import acts_of
from hsevo.types import Array

_CLOCK = np.dtype([("turn", "i8"), ("me", "i8")])  # what `seen_of` reads of a state
_ENEMY, _ACT = PLAYED, 2 * PLAYED  # where the enemy's card and act stand in what it returns


class Past:
    """The past of n games, each of which may begin anew, for the observations of both players."""

    def __init__(self, n: int, ruleset: str) -> None:
        self._ruleset, self._every = ruleset, np.arange(n)
        self._played = np.zeros((n, 2, 2, PLAYED), np.int16)  # by who sees it: own, enemy
        self._plays = np.zeros((n, 2), np.int64)  # cards that each player played
        self._acts = np.zeros((n, 2, ACTS, len(Acted)), np.int16)  # by who acted, in its turn
        self._number = np.zeros((n, 2), np.int64)  # acts in it
        self._turn = np.full((n, 2), -1, np.int64)

    def begin(self, which: Any = slice(None)) -> None:
        """Forget what happened in some games, by their places (k,)."""
        for kept in (self._played, self._plays, self._acts, self._number):
            kept[which] = 0
        self._turn[which] = -1

    def note(self, which: Array, states: Array, moves: Array) -> None:
        """Note moves (k,) in some games, by their places (k,); states: before them, STATE (k,)."""
        acts = acts_of(states, moves)
        which, acts = which[acts["kind"] > 0], acts[acts["kind"] > 0]
        if not len(which):
            return
        who = acts["player"].astype(np.int64)
        own, enemy = self._told(acts, who)
        played = np.flatnonzero(own[:, 0])
        at, me, plays = which[played], who[played], self._plays[which[played], who[played]]
        _append(self._played, (at, me, 0), plays, own[played, 0])
        _append(self._played, (at, 1 - me, 1), plays, enemy[played, _ENEMY])
        self._plays[at, me] += 1
        self._note_turn(which, who, acts["turn"], enemy[:, _ACT:_ACT + len(Acted)])

    def follow(self, seen: Array, players: Array, which: Array | None = None) -> Array:
        """Return observations, int16 (k, SIZE), with the past behind: int16 (k, SIZE + HISTORY).

        players (k,): whose they are. which (k,): of which games; None: of all. A player that is not
        to move sees what the opponent has done in its turn so far.
        """
        which = self._every if which is None else which
        waits = 1 - seen[:, DECISION_AT + Decision.TO_MOVE]
        acts = self._acts[which, 1 - players]
        last = seen[:, DECISION_AT + Decision.TURN] - 1 + waits
        acts[self._turn[which, 1 - players] != last] = 0
        played = self._played[which, players]
        return np.concatenate([seen, played.reshape(len(which), _ACT),
                               acts.reshape(len(which), HISTORY - _ACT)], 1)

    def _told(self, acts: Array, who: Array) -> Array:
        """Return how each act, ACT (k,), is seen by who acted and by the other: (2, k, HISTORY)."""
        looks = np.zeros((2, len(acts)), _CLOCK)
        looks["me"], looks["turn"] = (who, 1 - who), acts["turn"] + 1
        found = seen_of(np.concatenate([acts, acts]), np.arange(2 * len(acts)), looks.ravel(),
                        self._ruleset)
        return found.reshape(2, len(acts), -1)

    def _note_turn(self, which: Array, who: Array, turn: Array, rows: Array) -> None:
        """Add acts as the other player sees them, (k, Acted), to those of the turns (k,)."""
        fresh = self._turn[which, who] != turn
        self._acts[which[fresh], who[fresh]] = 0
        self._number[which[fresh], who[fresh]] = 0
        self._turn[which, who] = turn
        number = self._number[which, who]
        rows[:, Acted.NUMBER] = number + 1
        _append(self._acts, (which, who), number, rows)
        self._number[which, who] += 1


def _append(table: Array, at: tuple[Any, ...], count: Array, rows: Array) -> None:
    """Add rows (k, ...) behind the `count` (k,) of a list; a full one loses its first.

    table: lists; at: the indices of k of them.
    """
    lists = table[at]
    most = lists.shape[1]
    full = count >= most
    lists[full, :-1] = lists[full, 1:]
    lists[np.arange(len(lists)), np.minimum(count, most - 1)] = rows
    table[at] = lists
