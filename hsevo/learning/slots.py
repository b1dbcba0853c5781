"""Games for a vector environment, stepped on several threads, and hosted opponents in them.

    slots = Slots(n, setting, ...)  n games; each begins anew when it is over
    slots.begin(seed)               the first games
    slots.step(actions)             an action in each, the opponent's turns, the next games
    slots.take()                    the same, of the actions that `sample` has chosen

    opponent.begin(i, slot)             the deck with which it begins the game of a slot
    opponent.note(which, states, moves) moves that are about to be made
    opponent.moves(which, states)       its moves in some slots

Each slot has its own random stream, so the number of threads changes no bit of any game. Whoever
the opponent is, and with a history or without one, games are dealt, stepped and shown by the same
kernels (play/environment.py), and get their rules here alone.

A `HostedOpponent` decides in Python (play/players.py) where slots wait for it; compiled code does
all the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from pickle import dumps
from typing import Any

import numpy as np

from hsevo.agents.learned import nets
from hsevo.cards.decks import Deck
from hsevo.engine.game.setup import DECKLIST
from hsevo.engine.record.codec import N_MOVES, PLACES, TARGETS
from hsevo.engine.record.state import DECK, STATE
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import SIZE
from hsevo.errors import GameError, PlayerError, brief
from hsevo.learning import vocabulary
from hsevo.learning.batch import moves_of
from hsevo.play.acts import HISTORY, PAST
from hsevo.play.context import GAME_SLOT, Environment, Waits
from hsevo.play.entry import Command, call
from hsevo.play.games import GameBatch, dealing_context
from hsevo.play.hosting import Bots, answers
from hsevo.play.match import Setting, context, decklists, new_scratch
from hsevo.play.players import among, built, check, family
from hsevo.seeds import Stream, derive
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


EACH = 256  # slots that are worth a thread: about 0.3 ms
KEPT = 4  # sets of arrays to use again: a loop holds two, one that looks back some more


@dataclass
class StepSeen:
    """What a step returns: observations, masks, rewards, and how games ended that are over."""

    observations: Array  # int16 (n, size): SIZE, or SIZE + HISTORY
    what: Array  # int8 (n, WHATS)
    at: Array  # int8 (n, WHATS, TARGETS)
    where: Array  # int8 (n, WHATS, PLACES)
    rewards: Array  # float32 (n, 2): of players 0 and 1
    over: Array  # int8 (n,): 0, or engine.record.state.Outcome, or play.environment.FAULTED
    last: Array  # int16 (n, size), where over: the last observation of that game; else undefined

    @classmethod
    def new(cls, n: int, size: int = SIZE) -> StepSeen:
        """Return arrays for n games; their contents are undefined. size: of an observation."""
        return cls(np.empty((n, size), np.int16), np.empty((n, WHATS), np.int8),
                   np.empty((n, WHATS, TARGETS), np.int8), np.empty((n, WHATS, PLACES), np.int8),
                   np.empty((n, 2), np.float32), np.empty(n, np.int8),
                   np.empty((n, size), np.int16))


class StepMemory:
    """Arrays for what steps return, used again once nobody else holds them or a view of them.

    New memory for each step would take as long as a third of the step itself.
    """

    def __init__(self, n: int, size: int) -> None:
        self._n, self._size, self._kept = n, size, list[StepSeen]()

    def take(self) -> StepSeen:
        """Return arrays that only the caller has; their contents are undefined."""
        for seen in self._kept:
            if all(sys.getrefcount(array) == _OURS for array in vars(seen).values()):
                return StepSeen(**vars(seen))
        seen = StepSeen.new(self._n, self._size)
        self._kept = [*self._kept[-KEPT + 1:], seen]
        return StepSeen(**vars(seen))


def _references() -> int:
    """Return the reference count of an array that only a Seen holds, as `take` counts it."""
    return next(sys.getrefcount(array) for array in vars(StepSeen.new(1)).values())


_OURS = _references()


class Slots:
    """n games at a time, of given decks, alone or against an agent.

    agents: AGENT (0,): both players act; (1,) or (d * d,), one for each deck against each: the
    opponent, compiled or hosted (play/players.py). own, others: numbers of the decks of who acts
    (or of player 0), and of the other one. known: whether observations show the opponent's deck
    list. history: whether they are of the second version. Raises ConfigError if a hosted opponent
    can't play these decks, or not fairly; `begin` and `step` raise PlayerError where it has no
    legal move.

    A copy, and what a pickle makes, has memory and threads of its own, and a hosted opponent of its
    own. Raises PlayerError for one that can't be copied or pickled.
    """

    _KEPT = ("states", "slots", "actions", "legal", "pasts")  # all that changes

    def __init__(self, n: int, setting: Setting, agents: Array, own: Array, others: Array,
                 known: bool = False, history: bool = False, threads: int | None = None) -> None:
        self._opponent = HostedOpponent(agents, setting, n) if among(agents) else None
        self._prepare(n, setting, agents, own, others, known, history, threads)

    def _prepare(self, *given: Any) -> None:
        """Make all that games need; given: the arguments of __init__."""
        n, setting, agents, own, others, known, history, threads = self._given = given
        self.states = np.zeros(n, STATE).view(np.recarray)
        self.games = GameBatch(self.states, setting.ruleset, setting.all_places is True)
        self.slots = np.zeros(n, GAME_SLOT).view(np.recarray)
        self.actions = np.zeros((n, 3), np.int64)
        self.legal = np.zeros((n, WHATS), np.uint32)
        self.pasts = np.zeros(n if history else 0, PAST).view(np.recarray)
        self._built = np.zeros(n if self._opponent else 0, DECKLIST).view(np.recarray)
        self._memory = StepMemory(n, SIZE + HISTORY * history)
        fixed: dict[str, Any] = {
            "rows": vocabulary.rows(setting.ruleset), "own": own, "others": others,
            "lists": deck_lists(setting.decks if known else (), setting.ruleset),
            "hosted": int(self._opponent is not None)}
        workers = min(threads or len(os.sched_getaffinity(0)), max(n // EACH, 1))
        edges = np.linspace(0, n, workers + 1).astype(int).tolist()
        self._parts = [slice(*ends) for ends in pairwise(edges)]
        # Made once, for slices of records are slow: a call takes 20 us with these, else 50.
        self._states = [self.states[part] for part in self._parts]
        self._whole, *self._own = (
            Environment(slots=self.slots[part], actions=self.actions[part], legal=self.legal[part],
                        built=self._built[part], pasts=self.pasts[part], **fixed)
            for part in (slice(None), *self._parts))
        self._contexts = [
            context(agents, setting, new_scratch()) if self._opponent is None
            else dealing_context(setting, new_scratch()) for _ in self._parts]
        self._pool = ThreadPoolExecutor(workers, "hsevo-games") if workers > 1 else None

    def begin(self, seed: int | None) -> StepSeen:
        """Begin the next game of each slot; with a seed, the first of a new series."""
        if seed is not None:
            self.slots["seed"] = derive((seed, Stream.ENVIRONMENT), np.arange(len(self.slots)))
            self.slots["game"] = 0
        seen = self._memory.take()
        self._play(Command.BEGIN_SLOTS, seen)
        return seen

    def step(self, actions: Array) -> StepSeen:
        """Take an action, int64 (n, 3), in each game; where that ends it, begin the next.

        Raises GameError if one is illegal; then no game has changed.
        """
        self.actions[:] = actions
        illegal = call(Command.CHECK_SLOTS, self._contexts[0], self._whole)
        if illegal >= 0:
            raise GameError(f"action {actions[illegal].tolist()} is not legal in game {illegal} of"
                            f" {len(actions)}; no game was changed (the masks what, at and where"
                            " hold the legal ones)")
        return self.take()

    def sample(self, seeds: Array) -> Array:
        """Return uniform legal actions, int64 (n, 3), by seeds, uint64 (n,)."""
        self._run(Command.SAMPLE_SLOTS, seeds=seeds)
        return self.actions.copy()

    def legal_moves(self) -> Array:
        """Return the legal moves of all games, bool (n, N_MOVES), by their numbers."""
        masks = np.zeros((len(self.slots), N_MOVES), np.bool_)
        self._run(Command.LIST_ALL, masks=masks)
        return masks

    def take(self, seen: StepSeen | None = None) -> StepSeen:
        """Take `actions`, which must be legal; write what follows to `seen`, if given."""
        seen = seen or self._memory.take()
        if self._opponent is not None:
            self._opponent.note(range(len(self.slots)), self.states, moves_of(self.actions))
        self._play(Command.STEP_SLOTS, seen)
        return seen

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __getstate__(self) -> dict[str, Any]:
        return {"opponent": self._opponent, "given": self._given,  # it first: it may refuse
                "carried": nets.carried(self._given[2]),
                "kept": {name: vars(self)[name] for name in self._KEPT}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nets.keep(state["carried"])
        self._opponent = state["opponent"]
        self._prepare(*state["given"])
        for name, array in state["kept"].items():
            vars(self)[name][:] = array  # others look at the same memory

    def _play(self, command: Command, seen: StepSeen) -> None:
        """Run a command, and go on while slots wait for a hosted opponent."""
        self._run(command, seen)
        while len(waiting := np.flatnonzero(self.slots["waits"])):
            self._run(Command.GO_ON_SLOTS, seen, moves=self._answers(waiting))

    def _answers(self, waiting: Array) -> Array:
        """Return the moves (n,) of a hosted opponent where slots wait for one; build its decks."""
        assert self._opponent is not None
        of, moves = self.slots["waits"][waiting], np.zeros(len(self.slots), np.int64)
        for i in waiting[of == Waits.DECK]:
            self._built[i] = self._opponent.begin(i, self.slots[i])
        asked = waiting[of == Waits.MOVE]
        moves[asked] = self._opponent.moves(asked, self.states)
        return moves

    def _run(self, command: Command, seen: StepSeen | None = None, **arrays: Array) -> None:
        """Run a command on all parts at the same time. arrays: of the batch, (n,)."""
        shown = vars(seen) if seen is not None else {}

        def run(k: int) -> int:
            part, own = self._parts[k], self._own[k]
            if shown:
                own = own._replace(**{name: array[part] for name, array in shown.items()})
            return call(command, self._contexts[k], own, states=self._states[k],
                        **{name: array[part] for name, array in arrays.items()})

        if self._pool is None:
            run(0)
        else:
            list(self._pool.map(run, range(len(self._parts))))


def deck_lists(decks: tuple[Deck, ...], ruleset: str) -> Array:
    """Return the cards of each deck as numbers of the vocabulary, sorted, int16 (d, DECK)."""
    rows = vocabulary.rows(ruleset)
    found = np.zeros((len(decks), DECK), np.int16)
    for line, deck in zip(found, decklists(decks, ruleset), strict=True):
        line[: deck.n] = np.sort(rows[deck.cards[: deck.n]])
    return found
