"""Opponents of an environment: one is drawn for each game, by weights.

    members = read_opponents({"eva:2018": 2, my_function: 1}, decks)     agents, and their shares
    pool = OpponentPool(n, setting, members)                             what n slots need of them

    hosted.begin(i, slot, decks)      the deck with which it begins the game of a slot
    hosted.note(which, states, moves) moves that are about to be made
    hosted.moves(which, states)       its moves in some slots

Compiled opponents play in compiled code (play/environment.py). A `HostedOpponent` decides in Python
(play/players.py) where slots wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pickle import dumps
from typing import Any, TypeAlias

import numpy as np

from hsevo.agents.learned import nets
from hsevo.agents.registry import genome_of
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import Deck
from hsevo.config import short
from hsevo.config.mistakes import as_real
from hsevo.errors import ConfigError, PlayerError, brief, quoted
from hsevo.play.context import OPPONENT
from hsevo.play.hosting import Bots, answers
from hsevo.play.match import Setting, decklists
from hsevo.play.players import among, built, check, family
from hsevo.strength.agents import AgentLike, as_agent
from hsevo.types import Array

OpponentLike: TypeAlias = "AgentLike | Mapping[AgentLike, float]"
MOST = 1_000  # opponents in a pool
_NO_AGENTS = np.zeros(0, AGENT)


@dataclass(frozen=True)
class Opponent:
    """An agent that may be the opponent of a game."""

    name: str
    share: float  # how often it is drawn, from 0 to 1
    records: Array  # AGENT (1,), or (d * d,): for each of d decks against each

    @property
    def hosted(self) -> bool:
        """Whether it decides in Python."""
        return among(self.records)


def read_opponents(opponent: Any, decks: Sequence[Deck], drawn: bool = False
                   ) -> tuple[Opponent, ...]:
    """Return an opponent, an agent in any form, or a pool of them: a mapping of agents to weights.

    decks: all that it meets; drawn: only examples of them. Raises AgentError; ConfigError for a
    weight that is no finite number above 0, for an empty pool and for a name that is in it twice.
    """
    pool = [*opponent.items()] if is_pool(opponent) else [(opponent, 1.0)]
    if not 1 <= len(pool) <= MOST:
        raise ConfigError(f"opponent is a pool of {len(pool):,} agents, but must have 1 to"
                          f" {MOST:,}, for example {{'random': 1, 'eva:2018': 2}}")
    agents = [as_agent(agent) for agent, _ in pool]
    names = [agent.name for agent in agents]
    weights = np.array([_weight(name, weight) for name, (_, weight)
                        in zip(names, pool, strict=True)])
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"opponent has {quoted(twice[0])} twice; give each agent a name of its"
                          " own: hsevo.Agent(..., name=\"other\")")
    records = [np.ascontiguousarray(agent.on(decks).ravel(), AGENT) for agent in agents]
    if drawn and (each := [name for name, own in zip(names, records, strict=True)
                           if len(own) > 1]):
        raise ConfigError(f"opponent {quoted(each[0])} has weights for each deck, so it can't play"
                          " decks that are drawn; list its decks")
    shares = weights / weights.max()
    return tuple(map(Opponent, names, (shares / shares.sum()).tolist(), records))


def is_pool(opponent: Any) -> bool:
    """Return whether a mapping is a pool: its keys are not the names of an agent's weights."""
    return isinstance(opponent, Mapping) and {*genome_of("eva").names}.isdisjoint(opponent)


def names_of(opponent: Any, members: Sequence[Opponent]) -> Any:
    """Return opponents in words: a name, or of a pool the share of each name."""
    if is_pool(opponent):
        return {member.name: member.share for member in members}
    return members[0].name


def _weight(name: str, weight: Any) -> float:
    try:
        number = as_real(weight)
    except OverflowError:  # a whole number beyond all floats
        number = None
    if number is None or not 0 < number < np.inf:
        raise ConfigError(f"the weight of opponent {quoted(name)} is {short(weight)}, but must be a"
                          " finite number above 0")
    return number


class OpponentPool:
    """The opponents of n slots: those that are drawn, and those of games that have begun.

    Raises ConfigError if a hosted one can't play these decks, or not fairly.
    """

    def __init__(self, n: int, setting: Setting, opponents: Sequence[Opponent],
                 before: OpponentPool | None = None, used: Sequence[int] = ()) -> None:
        """before, used: opponents so far, and which of them play now; they are drawn no more."""
        still = [replace(before.members[k], share=0.0) for k in used] if before else []
        self.members: tuple[Opponent, ...] = (*still, *opponents)
        self.hosted = {k: HostedOpponent(member.records, setting, n)
                       for k, member in enumerate(opponents, len(still)) if member.hosted}
        if before:
            self.hosted |= {place: before.hosted[k] for place, k in enumerate(used)
                            if k in before.hosted}
        self.names = np.array([member.name for member in self.members], object)

    @property
    def agents(self) -> Array:
        """The compiled agents of all, AGENT (m,)."""
        return np.concatenate([_NO_AGENTS, *(member.records for member in self.members
                                             if not member.hosted)])

    @property
    def records(self) -> Array:
        """All opponents as the kernels draw them, OPPONENT (k,)."""
        rows, first = np.zeros(len(self.members), OPPONENT).view(np.recarray), 0
        if self.members:
            rows.until = np.cumsum([member.share for member in self.members])
            rows.until[np.argmax(rows.until):] = 1.0  # whatever the sum of rounded shares is
        for row, member in zip(rows, self.members, strict=True):
            row.agent, row.each, row.hosted = first, len(member.records) > 1, member.hosted
            first += 0 if member.hosted else len(member.records)
        return rows

    def carried(self) -> Any:
        """Return the networks and players that another process needs."""
        return nets.carried(np.concatenate([_NO_AGENTS, *(member.records
                                                          for member in self.members)]))

    def at(self, opponents: Array) -> dict[int, Array]:
        """Return the places at which hosted ones are among opponents, numbers (m,)."""
        return {k: places for k in self.hosted
                if len(places := np.flatnonzero(opponents == k))}


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

    def begin(self, i: int, slot: Any, decks: tuple[Deck, Deck]) -> Any:
        """Begin the game of slot i, a record GAME_SLOT; return both decks, DECKLIST (2,).

        decks: of players 0 and 1, before it builds its own.
        """
        seat, setting = int(slot["seat"]), self._setting
        seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
        seats: list[Array | None] = [None, None]
        seats[1 - seat] = self._agent
        decks = built(decks, seats, setting.ruleset, seed)
        self._games[i] = Bots((seat == 1, seat == 0), replace(setting, decks=decks), seed,
                              once=True)
        return decklists(decks, setting.ruleset)

    def note(self, which: Iterable[int], states: Array, moves: Iterable[int]) -> None:
        """Note legal moves that are about to be made in some slots; states: STATE (n,) of all."""
        for i, move in zip(which, moves, strict=True):
            self._bots(i).note_move(states[i], int(move))

    def moves(self, which: Array, states: Array) -> list[int]:
        """Return its moves in some slots, in all of which it is to move; they are noted.

        Raises PlayerError if it has no legal one.
        """
        moves = answers([self._bots(i).asked(self._agent, states[i:i + 1].copy(), self._bot)
                         for i in which])
        self.note(which, states, moves)
        return moves

    def __deepcopy__(self, memo: dict[int, Any]) -> HostedOpponent:
        copy = memo[id(self)] = object.__new__(type(self))
        try:
            vars(copy).update(deepcopy(vars(self), memo))
        except Exception as error:  # of the player's own
            raise self._refused("copied", error) from error
        return copy

    def __getstate__(self) -> dict[str, Any]:
        try:
            dumps((self._bot, self._games))
        except Exception as error:  # of the player's own
            raise self._refused("pickled", error) from error
        return vars(self)

    def _bots(self, i: int) -> Bots:
        bots = self._games[i]
        assert bots is not None, "this slot has no game yet; reset it first"
        return bots

    def _refused(self, what: str, error: Exception) -> PlayerError:
        return PlayerError(f"the opponent can't be {what}, so the environment can't be either"
                           f" ({brief(error)}); take a function or class of the top level of a"
                           " module, or an object that can be")
