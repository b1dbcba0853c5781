"""A hosted player as the opponent of an environment: what it decides where slots wait for it.

    opponent.begin(i, slot)             the deck with which it begins the game of a slot
    opponent.note(which, states, moves) moves that are about to be made
    opponent.moves(which, states)       its moves in some slots

A hosted player decides in Python (play/players.py); compiled code does all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from pickle import dumps
from typing import Any

from hsevo.errors import PlayerError, brief
from hsevo.play.hosting import Bots, answers
from hsevo.play.match import Setting, decklists
from hsevo.play.players import built, check, family
from hsevo.types import Array


class HostedOpponent:
    """A hosted player, AGENT (1,), in n slots at a time, under a setting.

    Raises ConfigError if it can't play these decks, or not fairly. A copy, and what a pickle makes,
    remembers the same: functions and classes are shared, objects are not. Raises PlayerError for a
    player that can't be copied or pickled.
    """

    def __init__(self, agent: Array, setting: Setting, n: int) -> None:
        check(agent, setting)
        self._agent, self._setting = agent, setting
        self._bot = family(int(agent["kind"][0])).bot(agent)
        self._games: list[Bots | None] = [None] * n

    def begin(self, i: int, slot: Any) -> Any:
        """Begin the game of slot i, a record GAME_SLOT; return its deck, a record DECKLIST."""
        seat, (first, second) = int(slot["seat"]), slot["deck"]
        seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
        seats: list[Array | None] = [None, None]
        seats[1 - seat] = self._agent
        setting = self._setting
        decks = built((setting.decks[first], setting.decks[second]), seats, setting.ruleset, seed)
        self._games[i] = Bots((seat == 1, seat == 0), replace(setting, decks=decks), seed,
                              once=True)
        return decklists((decks[1 - seat],), setting.ruleset)[0]

    def note(self, which: Iterable[int], states: Array, moves: Iterable[int]) -> None:
        """Note legal moves that are about to be made in some slots; states: STATE (n,) of all."""
        for i, move in zip(which, moves, strict=True):
            self._bots(i).made(states[i], int(move))

    def moves(self, which: Array, states: Array) -> list[int]:
        """Return its moves in some slots, in all of which it is to move; they are noted.

        Raises PlayerError if it has no legal one.
        """
        moves = answers([self._bots(i).asked(self._agent, states[i:i + 1].copy(), self._bot)
                         for i in which])
        self.note(which, states, moves)
        return moves

    def __deepcopy__(self, memo: dict[int, Any]) -> HostedOpponent:
        other = memo[id(self)] = object.__new__(type(self))
        try:
            vars(other).update(deepcopy(vars(self), memo))
        except Exception as error:  # of the player's own
            raise self._refused("copied", error) from error
        return other

    def __getstate__(self) -> dict[str, Any]:
        try:
            dumps((self._bot, self._games))
        except Exception as error:  # of the player's own
            raise self._refused("pickled", error) from error
        return vars(self)

    def _bots(self, i: int) -> Bots:
        bots = self._games[i]
        assert bots is not None, "the slot has begun no game"
        return bots

    def _refused(self, what: str, error: Exception) -> PlayerError:
        return PlayerError(f"the opponent can't be {what}, so the environment can't be either"
                           f" ({brief(error)}); take a function or class of the top level of a"
                           " module, or an object that can be")
