"""End-to-end policies as agents: PyTorch computes them, so no compiled code plays their games.

    play_rows(executor, rows, agents, setting)    rows of match.PAIRING over workers to match.RESULT
    play_block(pairings, agents, setting)         pairings of any agents to match.RESULT
    Minds(seats, setting, seed)                   the policies of one game, move by move
    Duel(pairing, agents, setting)                such a game, as match.Table plays one

The network of such an agent is kept by agents/nets.py. What computes it is imported by `_torch`
when a game first needs it, and says what to install if PyTorch is not there.

A policy remembers what it saw at its own decisions in a game (an LSTM), and draws its move by the
game's seed and the number of the decision. So its memory follows from the states that the game has
been in: asking it changes nothing, and whoever was asked or not, it plays as in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents import nets
from hsevo.agents.agent import RANDOM, agent
from hsevo.agents.decks import on_decks
from hsevo.cards.decks import Deck
from hsevo.errors import ConfigError
from hsevo.play import match
from hsevo.play.ending import out_of_torch
from hsevo.play.games import Games
from hsevo.play.match import Setting
from hsevo.play.workers import Executor

Array: TypeAlias = npt.NDArray[Any]


class Decision(NamedTuple):
    """What a policy decides by, beside its memory."""

    state: Array  # STATE (1,)
    setting: Setting  # its decks are those of players 0 and 1
    clock: int  # 1 + how many decisions of policies the game has had
    seed: int  # of the game


class Mind(Protocol):
    """A policy that plays games move by move; its memories are never changed."""

    def start(self, deck: Deck) -> Any:
        """Return the memory with which a game begins. Raises ConfigError for another class."""

    def act(self, decision: Decision, memory: Any) -> tuple[int, Any]:
        """Return the move that it draws, and its new memory."""

    def chances(self, decision: Decision, memory: Any) -> dict[int, float]:
        """Return the probability of each legal move."""


def among(agents: Array) -> bool:
    """Return whether one of some agents, AGENT (...), is an end-to-end policy."""
    return bool((agents["kind"] == nets.END_TO_END).any())


def read(path: Path) -> Array:
    """Return the end-to-end policy of a checkpoint, AGENT (1,). Raises RunError, ConfigError."""
    return nets.end_to_end(_torch().network_bytes(path))


def traits(one: Array) -> str:
    """Return what sets the games of an agent, AGENT (...), apart, in words; "" if nothing does."""
    return str(_torch().traits(one)) if among(one) else ""


def play_rows(executor: Executor, rows: Array, agents: Array,
              setting: Setting) -> Iterator[tuple[Array, Array]]:
    """Play rows of one game each on the workers; yield them in order, in blocks, with results.

    agents: AGENT (m,) or (m, d, d); games of compiled agents alone come out as they do without
    policies. Raises ConfigError for a policy that can't play these decks, or not fairly.
    """
    yield from _torch().play_rows(executor, rows, agents, setting)


def play_block(pairings: Array, agents: Array, setting: Setting) -> Array:
    """Play every game of every pairing of any agents; return RESULT (n,): see match.play_block."""
    if not among(agents):
        return match.play_block(pairings, agents, setting)
    found: Array = _torch().play_block(pairings, agents, setting)
    return found


def check(agents: Array, setting: Setting) -> None:
    """Raise ConfigError if one of some agents, AGENT (...), is a policy that can't play this.

    Its games are fair, and it may have networks for some classes alone.
    """
    if among(agents):
        check_fair(setting)
        _torch().check(agents, setting.decks)


def check_fair(setting: Setting) -> None:
    """Raise ConfigError unless games are fair; a policy can't see what is hidden."""
    if setting.information != "fair":
        raise ConfigError("an end-to-end policy is fair: it can't play with --information leaky")


def built(decks: tuple[Deck, Deck], agents: Sequence[Array | None], ruleset: str,
          seed: int) -> tuple[Deck, Deck]:
    """Return the decks of a game after policies that build theirs have done so.

    agents: AGENT (1,) of players 0 and 1; None for one that plays through Python.
    """
    seats = [agent(RANDOM) if one is None else one for one in agents]
    if not any(map(among, seats)):
        return decks
    first, second = _torch().built(decks, seats, ruleset, seed)
    return first, second


def compiled(agents: Array) -> Array:
    """Return agents, AGENT (...), with one that compiled code takes in the place of each policy."""
    found = agents.copy()
    found[found["kind"] == nets.END_TO_END] = agent(RANDOM)[0]
    return found


class Minds:
    """The policies of one game: what they remember of it, and how they decide.

    seats: whether each player is a policy. setting: its decks are those of players 0 and 1.
    Raises ConfigError if there is a policy in a game that is not fair.
    """

    def __init__(self, seats: tuple[bool, bool], setting: Setting, seed: int) -> None:
        if any(seats):
            check_fair(setting)
        self.seats, self._setting, self._seed = seats, setting, seed
        self._past: list[tuple[int, Array]] = []  # who moved in which state, STATE (1,)
        self._memories: dict[tuple[bytes, int], list[Any]] = {}  # at the own decisions of a seat

    def made(self, state: Array) -> None:
        """Note that the player to move in a state, STATE (1,), made a move, whoever chose it."""
        self._past.append((int(state["me"][0]), state))

    def act(self, one: Array, state: Array) -> int:
        """Return the move of a policy, AGENT (1,), in a state, STATE (1,), of the player to move.

        It need not be the one that has the seat.
        """
        mind, memories, at = self._asked(one, state)
        move, memory = mind.act(self._decision(state), memories[at])
        memories[at + 1:] = [memory]
        return move

    def chances(self, one: Array, state: Array) -> dict[int, float]:
        """Return the probability with which the policy draws each legal move there."""
        mind, memories, at = self._asked(one, state)
        return mind.chances(self._decision(state), memories[at])

    def copy(self) -> Minds:
        """Return an independent copy."""
        other = Minds(self.seats, self._setting, self._seed)
        other._past = [*self._past]
        other._memories = {key: [*found] for key, found in self._memories.items()}
        return other

    def _asked(self, one: Array, state: Array) -> tuple[Mind, list[Any], int]:
        """Return a policy, its memories, and the number of the own decision that it is asked for.

        It catches up with the decisions of its seat that it was not asked for.
        """
        check_fair(self._setting)
        mind: Mind = _torch().mind(one)
        seat = int(state["me"][0])
        memories = self._memories.setdefault((one.tobytes(), seat),
                                             [mind.start(self._setting.decks[seat])])
        own = [past for mover, past in self._past if mover == seat]
        for past in own[len(memories) - 1:]:
            memories.append(mind.act(self._decision(past), memories[-1])[1])
        return mind, memories, len(own)

    def _decision(self, state: Array) -> Decision:
        """Return the decision in a state, after all that were made so far."""
        seat = int(state["me"][0])
        clock = 1 + sum(mover == seat or self.seats[mover] for mover, _ in self._past)
        return Decision(state, self._setting, clock, self._seed)


class Duel:
    """A game with a policy, move by move, as match.Table plays one of compiled agents.

    pairing: a row of match.PAIRING, of game 0. agents: AGENT (m,) or (m, d, d).
    """

    def __init__(self, pairing: Any, agents: Array, setting: Setting) -> None:
        both = on_decks(agents[[pairing["a"], pairing["b"]]], pairing["deck_a"], pairing["deck_b"])
        self._agents = both[:1], both[1:]
        dealt = setting.decks[pairing["deck_a"]], setting.decks[pairing["deck_b"]]
        seed = int(pairing["seed"])
        decks = built(dealt, self._agents, setting.ruleset, seed)
        self._games = Games.new(*decks, [seed], setting.ruleset, setting.max_turns)
        seats = among(both[:1]), among(both[1:])
        self._minds = Minds(seats, Setting(setting.ruleset, decks, setting.information), seed)
        self._after: Games | None = None  # the game after the move of a compiled agent

    @property
    def game(self) -> Any:
        """The game, a record STATE."""
        return self._games.states[0]

    def decide(self) -> int:
        """Return the move of the agent whose turn it is."""
        one = self._agents[int(self.game["me"])]
        if among(one):
            return self._minds.act(one, self._games.states)
        with out_of_torch():
            self._after = self._games.take([0])
            return int(self._after.ask(one)[0])

    @out_of_torch()
    def move(self, move: int) -> None:
        """Make the move that `decide` has returned."""
        self._minds.made(self._games.states)
        games = self._after or self._games.take([0])
        if self._after is None:
            games.step(np.array([move]))
        self._games, self._after = games, None


def _torch() -> Any:
    """Return the module that computes policies. Raises ConfigError if PyTorch is not there."""
    return import_module("hsevo.learning.end_to_end.agents")
