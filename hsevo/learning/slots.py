"""Games for a vector environment, stepped on several threads.

    slots = Slots(n, setting, ...)  n games; each begins a new game when it is over
    slots.begin(seed)               the first games
    slots.step(actions)             an action in each, the opponent's turns, the next games
    slots.take()                    the same, of the actions that `sample` has chosen
    slots.set_opponents(pool)       what opponents of coming games are drawn from

Each slot has its own random stream, so the number of threads changes no bit of any game. Whoever
the opponent is, and with a history or without one, games are dealt, stepped and shown by the same
kernels (play/environment.py), and get their rules here alone. Slots wait for opponents that decide
in Python (opponents.py), and for decks that are drawn by shares (dealing.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from hsevo.agents.learned import nets
from hsevo.cards.decks import Deck
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.engine.game.setup import DECKLIST
from hsevo.engine.record.codec import N_MOVES, PLACES, TARGETS
from hsevo.engine.record.state import DECK, NONE, STATE
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import SIZE
from hsevo.errors import GameError
from hsevo.learning import vocabulary
from hsevo.learning.batch import moves_of
from hsevo.learning.dealing import Dealer
from hsevo.learning.opponents import Opponent, OpponentPool, read_opponents
from hsevo.play.acts import HISTORY, PAST
from hsevo.play.context import GAME_SLOT, Environment, Waits
from hsevo.play.entry import Command, call
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting, context, decklists, new_scratch
from hsevo.seeds import Stream, derive
from hsevo.types import Array

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
        self._n, self._size, self._steps = n, size, list[StepSeen]()

    def take(self) -> StepSeen:
        """Return arrays that only the caller has; their contents are undefined."""
        for seen in self._steps:
            if all(sys.getrefcount(array) == _OURS for array in vars(seen).values()):
                return StepSeen(**vars(seen))
        seen = StepSeen.new(self._n, self._size)
        self._steps = [*self._steps[-KEPT + 1:], seen]
        return StepSeen(**vars(seen))


def _references() -> int:
    """Return the reference count of an array that only a Seen holds, as `take` counts it."""
    return next(sys.getrefcount(array) for array in vars(StepSeen.new(1)).values())


_OURS = _references()


class Slots:
    """n games at a time, alone or against opponents that are drawn for each game.

    opponents: (): both players act. own, others: numbers of the decks of who acts (or of player 0),
    and of the other one. dealer: draws decks instead of these; those of the setting are examples.
    known: whether observations show the opponent's deck list. history: whether they are of the
    second version. Raises ConfigError if a hosted opponent can't play these decks, or not fairly;
    `begin` and `step` raise PlayerError where it has no legal move.

    A copy, and what a pickle makes, has memory and threads of its own, and hosted opponents of its
    own. Raises PlayerError for one that can't be copied or pickled.
    """

    _KEPT = ("states", "slots", "actions", "legal", "pasts", "_built", "_lists")  # all that changes

    def __init__(self, n: int, setting: Setting, opponents: Sequence[Opponent], own: Array,
                 others: Array, known: bool = False, history: bool = False,
                 threads: int | None = None, dealer: Dealer | None = None) -> None:
        self._opponents = OpponentPool(n, setting, opponents)
        self._prepare(n, setting, own, others, known, history, threads, dealer)

    def _prepare(self, *arguments: Any) -> None:
        """Make all that games need; arguments: those of __init__ without the opponents."""
        n, setting, own, others, known, history, threads, dealer = self._arguments = arguments
        self._setting, self._dealer = setting, dealer
        self.states = np.zeros(n, STATE).view(np.recarray)
        self.games = GameBatch(self.states, setting.ruleset, setting.all_places is True)
        self.slots = np.zeros(n, GAME_SLOT).view(np.recarray)
        self.slots.opponent = NONE
        self.actions = np.zeros((n, 3), np.int64)
        self.legal = np.zeros((n, WHATS), np.uint32)
        self.pasts = np.zeros(n if history else 0, PAST).view(np.recarray)
        self._built = np.zeros(2 * n, DECKLIST).view(np.recarray)
        self._lists = (np.zeros((2 * n, DECK), np.int16) if known and dealer else
                       deck_lists(setting.decks if known else (), setting.ruleset))
        self._memory = StepMemory(n, SIZE + HISTORY * history)
        self._own, self._others = (own, others) if dealer is None else (own[:0], others[:0])
        workers = min(threads or len(os.sched_getaffinity(0)), max(n // EACH, 1))
        edges = np.linspace(0, n, workers + 1).astype(int).tolist()
        self._parts = [slice(*ends) for ends in pairwise(edges)]
        # Made once, because slices of records are slow: a call takes 20 us with these, else 50.
        self._states = [self.states[part] for part in self._parts]
        self._scratches = [new_scratch() for _ in self._parts]
        self._pool = ThreadPoolExecutor(workers, "hsevo-games") if workers > 1 else None
        self._seat(self._opponents)

    def _seat(self, opponents: OpponentPool) -> None:
        """Let games have these opponents."""
        agents, setting = opponents.agents, self._setting
        if opponents.hosted and not len(agents):
            setting = replace(setting, information="fair")  # no compiled agent guesses deck lists
        contexts = [context(agents, setting, scratch) for scratch in self._scratches]
        fixed: dict[str, Any] = {"rows": vocabulary.rows(self._setting.ruleset), "own": self._own,
                                 "others": self._others, "opponents": opponents.records}
        self._whole, *self._environments = (
            Environment(slots=self.slots[part], actions=self.actions[part], legal=self.legal[part],
                        built=self._built[_twice(part)], pasts=self.pasts[part],
                        lists=self._lists[_twice(part)] if self._dealer else self._lists, **fixed)
            for part in (slice(None), *self._parts))
        self._opponents, self._contexts = opponents, contexts

    def read_opponents(self, opponent: Any) -> tuple[Opponent, ...]:
        """Return an opponent, or a pool of them, that may play here; see opponents.py."""
        return read_opponents(opponent, self._setting.decks, self._dealer is not None)

    def set_opponents(self, opponents: Sequence[Opponent]) -> None:
        """Draw the opponents of coming games from these; games that have begun keep theirs.

        Raises ConfigError if one can't play the decks here, or not fairly; then nothing changes.
        """
        used = [int(k) for k in np.unique(self.slots.opponent) if k != NONE]
        self._seat(OpponentPool(len(self.slots), self._setting, opponents, self._opponents, used))
        now = self.slots.opponent
        self.slots.opponent = np.where(now == NONE, NONE, np.searchsorted(used, now))

    def names(self, opponents: Array) -> Array:
        """Return the names of opponents, numbers (m,) as in `slots`."""
        return self._opponents.names[opponents]

    @property
    def decks(self) -> tuple[Deck, ...]:
        """All decks, by number."""
        setting: Setting = self._arguments[1]
        return setting.decks

    def begin(self, seed: int | None) -> StepSeen:
        """Begin the next game of each slot; with a seed, the first of a new series."""
        if seed is not None:
            self.slots["seed"] = derive((seed, Stream.ENVIRONMENT), np.arange(len(self.slots)))
            self.slots["game"] = 0
            if self._dealer is not None:
                self._dealer.forget()
        seen = self._memory.take()
        self._play(Command.BEGIN_SLOTS, seen)
        return seen

    def take_back(self) -> None:
        """Let `begin` begin the games that have just begun again."""
        self.slots["game"] -= 1

    def step(self, actions: Array) -> StepSeen:
        """Take an action, int64 (n, 3), in each game; where that ends it, begin the next.

        Raises GameError if one is illegal; then no game has changed.
        """
        self.actions[:] = actions
        illegal = call(Command.CHECK_SLOTS, self._contexts[0], self._whole)
        if illegal >= 0:
            raise GameError(f"action {actions[illegal].tolist()} is not legal in game {illegal} of"
                            f" {len(actions)}; no game was changed (see the masks what, at and"
                            " where for the legal actions)")
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
        if self._opponents.hosted:
            moves = moves_of(self.actions)
            for k, slots in self._opponents.at(self.slots.opponent).items():
                self._opponents.hosted[k].note(slots, self.states, moves[slots])
        self._play(Command.STEP_SLOTS, seen)
        return seen

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __getstate__(self) -> dict[str, Any]:
        return {"opponents": self._opponents,  # first: one may refuse
                "given": self._arguments, "carried": self._opponents.carried(),
                "kept": {name: vars(self)[name] for name in self._KEPT}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nets.keep(state["carried"])
        self._opponents = state["opponents"]
        self._prepare(*state["given"])
        for name, array in state["kept"].items():
            vars(self)[name][:] = array  # others look at the same memory

    def _play(self, command: Command, seen: StepSeen) -> None:
        """Run a command, and continue while slots wait for a hosted opponent or for decks."""
        self._run(command, seen)
        while len(waiting := np.flatnonzero(self.slots["waits"])):
            self._run(Command.GO_ON_SLOTS, seen, moves=self._answers(waiting))

    def _answers(self, waiting: Array) -> Array:
        """Return the moves (n,) of hosted opponents where slots wait for one; write their decks."""
        waits, moves = self.slots.waits[waiting], np.zeros(len(self.slots), np.int64)
        self._begin(waiting[waits == Waits.DECK])
        asked = waiting[waits == Waits.MOVE]
        for k, places in self._opponents.at(self.slots.opponent[asked]).items():
            moves[asked[places]] = self._opponents.hosted[k].moves(asked[places], self.states)
        return moves

    def deck_of_only(self, player: int) -> Deck:
        """Return the deck of a player in the game of the only slot, as at the beginning."""
        number = int(self.slots["deck"][0, player])
        if self._dealer is None:
            decks: tuple[Deck, ...] = self._setting.decks
            return decks[number]
        row, names = self._built[number], ids(self._setting.ruleset)
        cards = tuple(names[card] for card in row.cards[:row.n].tolist())
        return Deck.of("drawn", Class(int(row.cls)).name, cards)

    def _begin(self, which: Array) -> None:
        """Write the decks with which the games of some slots, numbers (m,), begin."""
        if not len(which):
            return
        slots = self.slots[which]
        places = np.stack([2 * which, 2 * which + 1], axis=1)  # of decks in `built`, (m, 2)
        if self._dealer is not None:
            dealt = self._dealer.deal(self.slots, which)
        else:
            decks = self._setting.decks
            dealt = [(decks[first], decks[second]) for first, second in slots["deck"]]
        flat = tuple(deck for pair in dealt for deck in pair)
        self._built[places.ravel()] = decklists(flat, self._setting.ruleset)
        for k, begun in self._opponents.at(slots["opponent"]).items():
            hosted = self._opponents.hosted[k]
            for m in begun:
                self._built[places[m]] = hosted.begin(which[m], slots[m], dealt[m])
        if self._dealer is not None and len(self._lists):
            self._lists[places.ravel()] = deck_lists(flat, self._setting.ruleset)

    def _run(self, command: Command, seen: StepSeen | None = None, **arrays: Array) -> None:
        """Run a command on all parts at the same time. arrays: of the batch, (n,)."""
        shown = vars(seen) if seen is not None else {}

        def run(k: int) -> int:
            part, own = self._parts[k], self._environments[k]
            if shown:
                own = own._replace(**{name: array[part] for name, array in shown.items()})
            return call(command, self._contexts[k], own, states=self._states[k],
                        **{name: array[part] for name, array in arrays.items()})

        if self._pool is None:
            run(0)
        else:
            list(self._pool.map(run, range(len(self._parts))))


def _twice(part: slice) -> slice:
    """Return the part of 2 n rows, two for each slot, of a part of n slots."""
    return slice(*(None if end is None else 2 * end for end in (part.start, part.stop)))


def deck_lists(decks: tuple[Deck, ...], ruleset: str) -> Array:
    """Return the cards of each deck as numbers of the vocabulary, sorted, int16 (d, DECK)."""
    rows = vocabulary.rows(ruleset)
    lists = np.zeros((len(decks), DECK), np.int16)
    for line, deck in zip(lists, decklists(decks, ruleset), strict=True):
        line[: deck.n] = np.sort(rows[deck.cards[: deck.n]])
    return lists
