"""Games of an environment against a hosted player: what slots.py is for compiled opponents.

    slots = HostedSlots(n, setting, opponent, own, others)    as learning.slots.Slots
    slots.begin(seed), slots.step(actions)

A hosted player decides in Python (play/players.py), so these are not compiled; it is asked for its
moves in all games at once. Seeds, seats, decks and games are those of `Slots` with the same seed;
only the opponent is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pickle import dumps
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.agents.learned import nets
from hsevo.engine.record.codec import PLACES, TARGETS
from hsevo.engine.record.state import DECK, RUNNING, STATE, WIN_0, WIN_1
from hsevo.engine.view.actions import FIRST_PLACE, WHATS
from hsevo.engine.view.observe import ENEMY_DECK_AT
from hsevo.errors import GameError, PlayerError, brief
from hsevo.learning.batch import actions_of, masks, moves_of, observe
from hsevo.learning.dealing import next_games, scaled
from hsevo.learning.past import Past
from hsevo.learning.slots import Seen, deck_lists
from hsevo.play.context import GAME_SLOT
from hsevo.play.environment import FAULTED
from hsevo.play.games import Games
from hsevo.play.hosting import Bots, answers
from hsevo.play.match import Setting
from hsevo.play.players import built, check, family
from hsevo.seeds import Stream, derive, mix

Array = npt.NDArray[Any]


class HostedSlots:
    """n games at a time, of given decks, against a hosted player; see learning.slots.Slots.

    opponent: AGENT (1,). history: whether observations are of the second version. Raises
    ConfigError if the opponent can't play these decks, or not fairly; steps raise PlayerError where
    it has no legal move.

    A copy, and what a pickle makes, has an opponent of its own, which remembers the same: functions
    and classes are shared, objects are not. Raises PlayerError for an opponent that can't be copied
    or pickled.
    """

    def __init__(self, n: int, setting: Setting, opponent: Array, own: Array, others: Array,
                 known: bool = False, history: bool = False) -> None:
        check(opponent, setting)
        self.states = np.zeros(n, STATE).view(np.recarray)
        self.slots = np.zeros(n, GAME_SLOT).view(np.recarray)
        self.games = Games(self.states, setting.ruleset, setting.all_places is True)
        self._setting, self._opponent, self._own, self._others = setting, opponent, own, others
        self._bot = family(int(opponent["kind"][0])).bot(opponent)
        self._lists = deck_lists(setting.decks, setting.ruleset) if known else None
        self._bots: list[Bots | None] = [None] * n
        self._past = Past(n, setting.ruleset) if history else None
        self._legal = np.zeros((n, WHATS), np.uint32)

    def begin(self, seed: int | None) -> Seen:
        """Begin the next game of each slot; with a seed, the first of a new series."""
        if seed is not None:
            self.slots["seed"] = derive((seed, Stream.ENVIRONMENT), np.arange(len(self.slots)))
            self.slots["game"] = 0
        self._open_next(range(len(self.slots)))
        return self._show(np.zeros(len(self.slots), np.int8))

    def step(self, actions: Array) -> Seen:
        """Take an action, int64 (n, 3), in each game; where that ends it, begin the next.

        Raises GameError if one is illegal; then no game has changed.
        """
        illegal = np.flatnonzero(~self._are_legal(actions))
        if len(illegal):
            raise GameError(f"action {actions[illegal[0]].tolist()} is not legal in game"
                            f" {illegal[0]} of {len(actions)}; no game was changed (the masks what,"
                            " at and where hold the legal ones)")
        moves = moves_of(actions)
        for i, move in enumerate(moves):
            self._make(i, int(move))
        self._answer(range(len(moves)))
        over = np.array([FAULTED if state["fault"] else state["result"] for state in self.states],
                        np.int8)
        won = (over == WIN_0).astype(np.float32) - (over == WIN_1)
        last = self._observed(self.slots["seat"].astype(np.int64))[0]
        self._open_next(np.flatnonzero(over != RUNNING).tolist())
        seen = self._show(over)
        seen.rewards, seen.last = np.stack([won, -won], axis=1), last
        return seen

    def sample(self, seeds: Array) -> Array:
        """Return uniform legal actions, int64 (n, 3), by seeds, uint64 (n,)."""
        legal = self.legal_moves()
        bits = mix(seeds)
        chosen = [np.flatnonzero(row)[one]
                  for row, one in zip(legal, scaled(bits, legal.sum(axis=1)), strict=True)]
        return actions_of(np.array(chosen), self.games)

    def legal_moves(self) -> Array:
        """Return the legal moves of all games, bool (n, N_MOVES), by their numbers."""
        return self.games.legal_moves()

    def close(self) -> None:
        """Do nothing: there are no threads."""

    def __deepcopy__(self, memo: dict[int, Any]) -> HostedSlots:
        other = memo[id(self)] = object.__new__(type(self))
        try:
            vars(other).update(deepcopy(vars(self), memo))
        except Exception as error:  # of the opponent's own
            raise self._refused("copied", error) from error
        return other

    def __getstate__(self) -> dict[str, Any]:
        try:
            dumps((self._bot, self._bots))
        except Exception as error:  # of the opponent's own
            raise self._refused("pickled", error) from error
        return {"carried": nets.carried(self._opponent), **vars(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nets.keep(state.pop("carried"))
        vars(self).update(state)

    def _refused(self, what: str, error: Exception) -> PlayerError:
        return PlayerError(f"the opponent can't be {what}, so the environment can't be either"
                           f" ({brief(error)}); take a function or class of the top level of a"
                           " module, or an object that can be")

    def _open_next(self, slots: Sequence[int]) -> None:
        """Begin the next game of some slots in which there is something to decide."""
        while slots:
            for i in slots:
                self._deal_next(i)
            self._answer(slots)
            slots = [i for i in slots
                     if self.states["result"][i] != RUNNING or self.states["fault"][i]]

    def _deal_next(self, i: int) -> None:
        """Begin the next game of a slot, as play.environment.deal_next does."""
        slot, rules = self.slots[i], self._setting
        number = next_games(self.slots, np.array([i]), self._own, self._others)
        seat, deck = int(slot["seat"]), slot["deck"].tolist()
        seats: list[Array | None] = [None, None]
        seats[1 - seat] = self._opponent
        decks = built((rules.decks[deck[0]], rules.decks[deck[1]]), seats, rules.ruleset,
                      int(number[0]))
        self._bots[i] = Bots((seat == 1, seat == 0), replace(rules, decks=decks), int(number[0]),
                             once=True)
        self.states[i] = Games.under(rules, *decks, number).states[0]
        if self._past is not None:
            self._past.begin([i])

    def _answer(self, slots: Sequence[int]) -> None:
        """Let the opponent move in some slots until it is not its turn in any of them."""
        while slots := [i for i in slots if self._is_opponents_turn(i)]:
            asked = [self._bots_of(i).asked(self._opponent, self.states[i:i + 1].copy(), self._bot)
                     for i in slots]
            for i, move in zip(slots, answers(asked), strict=True):
                self._make(i, move)

    def _is_opponents_turn(self, i: int) -> bool:
        state = self.states[i]
        over = state["result"] != RUNNING or state["fault"]
        return bool(not over and state["me"] != self.slots["seat"][i])

    def _bots_of(self, i: int) -> Bots:
        bots = self._bots[i]
        assert bots is not None
        return bots

    def _make(self, i: int, move: int) -> None:
        """Make a legal move in a game, which stops if it reaches a limit of the engine."""
        self._bots_of(i).made(self.states[i], move)
        state = self.states[i:i + 1].view(np.recarray)
        if self._past is not None:
            self._past.note(np.array([i]), state, np.array([move]))
        try:
            Games(state, self._setting.ruleset, all_places=True).step(np.array([move]))
        except GameError:
            if not self.states["fault"][i]:
                raise

    def _are_legal(self, actions: Array) -> Array:
        what, at, where = actions.T
        inside = ((actions >= 0) & (actions < (WHATS, TARGETS, PLACES))).all(axis=1)
        bits = self._legal[np.arange(len(actions)), np.where(inside, what, 0)].astype(np.int64)
        return np.asarray(inside & (bits >> np.where(inside, at, 0) & 1 == 1)
                          & (bits >> FIRST_PLACE + np.where(inside, where, 0) & 1 == 1))

    def _observed(self, players: Array | None = None) -> tuple[Array, Array]:
        seen, legal = observe(self.games, players)
        who = self.states["me"].astype(np.int64) if players is None else players
        if self._lists is not None:
            seen[:, ENEMY_DECK_AT:ENEMY_DECK_AT + DECK] = self._lists[
                self.slots["deck"][np.arange(len(who)), 1 - who]]
        if self._past is not None:
            seen = self._past.follow(seen, who)
        return seen, legal

    def _show(self, over: Array) -> Seen:
        """Return what the learner sees and may do now."""
        seen, self._legal = self._observed()
        what, at, where = (part.astype(np.int8) for part in masks(self._legal))
        n = len(over)
        return Seen(seen, what, at, where, np.zeros((n, 2), np.float32), over, np.zeros_like(seen))
