"""Slots of a vector environment whose observations have a history: what slots.py is without.

    WatchedSlots      both players act
    AnsweredSlots     against a compiled opponent
    begin, step, sample, take    as learning.slots.Slots, with int16 (n, SIZE + HISTORY)

Compiled code steps whole turns of an opponent and does not say what it did. So here the opponent is
asked move by move, in all games at once, and each move is noted. Seeds, seats, decks and games are
those of `Slots`, bit by bit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.engine.record.codec import N_MOVES, PLACES, TARGETS
from hsevo.engine.record.state import DECK, RUNNING, STATE, WIN_0, WIN_1
from hsevo.engine.view.actions import FIRST_PLACE, WHATS
from hsevo.engine.view.observe import ENEMY_DECK_AT, SIZE
from hsevo.learning.batch import moves_of, observe
from hsevo.learning.dealing import next_games
from hsevo.learning.history import HISTORY
from hsevo.learning.past import Past
from hsevo.learning.slots import EACH, Seen, Slots
from hsevo.play.context import PAIRING
from hsevo.play.entry import Command, call
from hsevo.play.environment import FAULTED
from hsevo.play.match import Setting

Array = npt.NDArray[Any]
_TARGETS, _WHATS = np.uint32((1 << TARGETS) - 1), 1 << np.arange(WHATS)  # all bits of each


class WatchedSlots(Slots):
    """Games of which both players see the past; arguments and methods are those of `Slots`."""

    _KEPT = (*Slots._KEPT, "_past")

    def __init__(self, n: int, setting: Setting, agents: Array, own: Array, others: Array,
                 known: bool = False, threads: int | None = None) -> None:
        super().__init__(n, setting, agents, own, others, known, threads)
        self._every, self._past = np.arange(n), Past(n, setting.ruleset)

    def begin(self, seed: int | None) -> Seen:
        """Begin the next game of each slot; with a seed, the first of a new series."""
        self._past.begin()
        return self._followed(super().begin(seed), np.zeros((0, SIZE + HISTORY), np.int16))

    def take(self, seen: Seen | None = None) -> Seen:
        """Take `actions`, which must be legal; write what follows, but the past, to `seen`."""
        self._acted = self._players()
        self._past.note(self._every, self.states, moves_of(self.actions))
        self._last = np.zeros((len(self.slots), SIZE + HISTORY), np.int16)
        return self._followed(super().take(seen), self._last)

    def _run(self, command: Command, seen: Seen | None = None, **arrays: Array) -> None:
        super()._run(command, seen, **arrays)
        if command == Command.STEP_SLOTS:
            assert seen is not None
            self._end(np.flatnonzero(seen.over), seen.last)

    def _end(self, over: Array, last: Array) -> None:
        """Write the last observations, (n, SIZE), of games that are over, with their past."""
        self._last[over] = self._past.follow(last[over], self._acted[over], over)
        self._past.begin(over)

    def _followed(self, seen: Seen, last: Array) -> Seen:
        """Return what a step returns, with the past behind each observation."""
        return replace(seen, last=last,
                       observations=self._past.follow(seen.observations, self._players()))

    def _players(self) -> Array:
        return self.states["me"].astype(np.int64)


class AnsweredSlots(WatchedSlots):
    """The same against a compiled opponent."""

    def _run(self, command: Command, seen: Seen | None = None, **arrays: Array) -> None:
        """Run a command; where the opponent moves in it, ask it for each move."""
        if command not in (Command.BEGIN_SLOTS, Command.STEP_SLOTS):
            super()._run(command, seen, **arrays)
            return
        assert seen is not None
        if command == Command.BEGIN_SLOTS:
            self._open_next(self._every)
        else:
            self._step(seen)
        self._show(seen)

    def _step(self, seen: Seen) -> None:
        """Make the moves of `actions`, and the opponent's; where a game ends, begin the next."""
        self._run(Command.MOVE_ALL, moves=moves_of(self.actions))
        self._answer(self._every)
        seen.over[:] = np.where(self.states["fault"] != 0, FAULTED, self.states["result"])
        won = (seen.over == WIN_0).astype(np.int8) - (seen.over == WIN_1)
        seen.rewards[:] = np.stack([won, -won], axis=1)
        over = np.flatnonzero(seen.over)
        if len(over):
            seen.last[over] = observe(self.games.take(over), self._acted[over])[0]
            self._show_lists(seen.last, over, self._acted[over])
            self._end(over, seen.last)
            self._open_next(over)

    def _open_next(self, which: Array) -> None:
        """Begin the next game of some slots in which there is something to decide."""
        while len(which):
            self._deal_next(which)
            self._answer(which)
            which = which[~self._are_running(which)]

    def _deal_next(self, which: Array) -> None:
        """Begin the next game of some slots; see play.environment.deal_next."""
        pairings = np.zeros(len(which), PAIRING).view(np.recarray)
        pairings.seed = next_games(self.slots, which, self._whole.own, self._whole.others)
        pairings.deck_a, pairings.deck_b = self.slots["deck"][which].T
        states = np.zeros(len(which), STATE).view(np.recarray)
        call(Command.DEAL_ALL, self._contexts[0], pairings=pairings, states=states)
        self.states[which] = states
        self._past.begin(which)

    def _answer(self, which: Array) -> None:
        """Let the opponent move in some slots until it is not its turn in any of them."""
        if len(self._contexts[0].trees):
            self._answer_with_trees(which[self._await(which)])
            return
        n = len(self.slots)
        while len(which := which[self._await(which)]):
            asked, moves = np.full(n, -1, np.int64), np.zeros(n, np.int64)
            asked[which] = self._opponents(which)
            before = self.games.take(which).states
            if len(which) < EACH:
                call(Command.ASK_ALL, self._contexts[0], states=self.states, asked=asked,
                     moves=moves)
            else:
                self._run(Command.ASK_ALL, asked=asked, moves=moves)
            self._past.note(which, before, moves[which])

    def _answer_with_trees(self, which: Array) -> None:
        """Let an opponent that may keep its tree during a turn play its turns in some slots."""
        def run(k: int) -> None:
            part = self._parts[k]
            for i in which[(which >= part.start) & (which < part.stop)]:
                self._answer_with_tree(i, k)

        if self._pool is None:
            run(0)
        else:
            list(self._pool.map(run, range(len(self._parts))))

    def _answer_with_tree(self, i: int, k: int) -> None:
        """Let an opponent play its turn in slot i, with the tree and scratch of thread k."""
        context, state = self._contexts[k], self.states[i:i + 1]
        context.trees["n_nodes"] = 0
        pairing, at = np.zeros(1, PAIRING).view(np.recarray), np.array([i])
        pairing.a = pairing.b = self._opponents(at)
        call(Command.LIST_ALL, context, states=state, masks=np.zeros((1, N_MOVES), np.bool_))
        while self._await(at).any():  # LIST_ALL has loaded the game
            move = np.array([call(Command.DECIDE, context, pairings=pairing)])
            self._past.note(at, state, move)
            call(Command.MOVE, context, moves=move)
            call(Command.STORE, context, states=state)

    def _opponents(self, which: Array) -> Array:
        """Return which agents play against some slots: one for each deck against each, or one."""
        context, slots = self._contexts[0], self.slots[which]
        if len(context.agents) == 1:
            return np.zeros(len(which), np.int64)
        every, seat = np.arange(len(which)), slots["seat"].astype(np.int64)
        decks = slots["deck"].astype(np.int64)
        found: Array = decks[every, 1 - seat] * len(context.decks) + decks[every, seat]
        return found

    def _await(self, which: Array) -> Array:
        """Return in which of some slots the opponent is to move, bool (k,)."""
        others = self.states["me"][which] != self.slots["seat"][which]
        return np.asarray(others & self._are_running(which))

    def _are_running(self, which: Array) -> Array:
        return np.asarray((self.states["result"][which] == RUNNING)
                          & (self.states["fault"][which] == 0))

    def _show(self, seen: Seen) -> None:
        """Write what the players to move see and may do: play.environment.show."""
        players = np.full(len(self.slots), -1, np.int64)
        self._run(Command.OBSERVE_ALL, seen, players=players)
        self._show_lists(seen.observations, self._every, self._players())
        targets, places = self.legal & _TARGETS, self.legal >> FIRST_PLACE
        seen.what[:] = self.legal != 0
        seen.at[:] = _bits(targets, TARGETS)
        seen.where[:] = _bits(places, PLACES)
        self.slots["whats"] = seen.what @ _WHATS
        moves = np.bitwise_count(targets) * np.bitwise_count(places)
        self.slots["moves"] = moves.sum(axis=1)

    def _show_lists(self, seen: Array, which: Array, players: Array) -> None:
        """Write the opponents' deck lists into observations of some slots, if they are known."""
        if len(self._whole.lists):
            lists = self._whole.lists[self.slots["deck"][which, 1 - players]]
            seen[which, ENEMY_DECK_AT:ENEMY_DECK_AT + DECK] = lists


def _bits(numbers: Array, n: int) -> Array:
    """Return the lowest n bits of numbers, uint32 (...), as uint8 (..., n)."""
    each = numbers.astype("<u4", copy=False)[..., None].view(np.uint8)
    return np.unpackbits(each, axis=-1, count=n, bitorder="little")
