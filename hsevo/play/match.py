"""Matches: pairings in, results out. The interface between Python and the compiled engine.

    pairings (PAIRING) + agents (AGENT) + Setting  --play_block()-->  results (RESULT)

Nothing is compiled at import; `warm_up()`, or the first call, loads or compiles the engine.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hsevo.agents.genomes.decks import seated
from hsevo.agents.learned.nets import grows_tree, keep, numbered
from hsevo.agents.mcts.tree import TREE
from hsevo.agents.shared.agent import AGENT, ONE_AHEAD, WITH_TREE
from hsevo.agents.shared.scratch import SCRATCH, TRUE
from hsevo.cards.decks import Deck, refuse_foreign
from hsevo.cards.tables import index, table_array, tables
from hsevo.cards.terms import Class
from hsevo.engine import jit
from hsevo.engine.game.setup import DECKLIST
from hsevo.engine.jit import EntryPoint
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import CACHE_LINE, FAIR, GAME, HAND, LEAKY, NONE, STATE
from hsevo.errors import ConfigError, printable
from hsevo.play.closed import check_classes, guesses
from hsevo.play.context import PAIRING, RESULT, Context
from hsevo.play.entry import Command, Report, call, enter, enter_rest
from hsevo.play.moves import MoveCosts
from hsevo.play.samples import SAMPLE, Count
from hsevo.types import Array

__all__ = ["PAIRING", "RESULT", "Setting", "Table", "context", "decklists",
           "new_scratch", "pairings", "pairs", "play_block", "swapped", "warm_up"]  # fmt: skip


# Samples a game, and for all games together; words a sample: more than is needed on average.
ROOM, SPARE, ROOM_WORDS = 120, 1_000, 280


@dataclass(frozen=True)
class Setting:
    """What all games of a run share. A game is a draw after `max_turns` player turns.

    Code that plays games takes it whole. For a game of other decks use `dataclasses.replace`, which
    keeps every rule; a test finds settings that are made of some rules alone.

    Raises DeckError for a deck with a card that the ruleset lacks.
    """

    ruleset: str = "cig2018"
    decks: tuple[Deck, ...] = ()
    information: str = "fair"  # what look-aheads may know: config.INFORMATION
    max_turns: int = 89
    # Whether who plays through Python is offered every place for a minion; None: people are.
    # Compiled agents list moves themselves: always without places that do not matter.
    all_places: bool | None = None
    first: int = NONE  # the player that begins; NONE: by chance

    def __post_init__(self) -> None:
        refuse_foreign(self.decks, self.ruleset)


def pairings(a: npt.ArrayLike, b: npt.ArrayLike, deck_a: npt.ArrayLike, deck_b: npt.ArrayLike,
             seed: npt.ArrayLike, games: npt.ArrayLike = 1) -> Array:
    """Return matches, PAIRING: agent a with deck_a in seat 0 against b with deck_b in seat 1.

    All arguments are whole numbers, or arrays of them, which are broadcast to the returned shape.
    seed: of the first game of a match; game k has the seed + k.
    """
    columns = {"a": a, "b": b, "deck_a": deck_a, "deck_b": deck_b, "games": games, "seed": seed}
    rows = np.empty(np.broadcast_shapes(*map(np.shape, columns.values())), PAIRING)
    for name, column in columns.items():
        rows[name] = column
    return rows


def swapped(rows: Array, decks: bool = True) -> Array:
    """Return matches, PAIRING (...), with the agents in each other's seats.

    decks: their decks change seats, too; without, a deck stays in its seat.
    """
    exchanged = rows.copy()
    exchanged["a"], exchanged["b"] = rows["b"], rows["a"]
    if decks:
        exchanged["deck_a"], exchanged["deck_b"] = rows["deck_b"], rows["deck_a"]
    return exchanged


def pairs(rows: Array, decks: bool = True) -> Array:
    """Return matches, PAIRING (...), each followed by the `swapped` one: PAIRING (..., 2)."""
    return np.stack([rows, swapped(rows, decks)], axis=-1)


def check_places(all_places: Any) -> bool | None:
    """Return whether every place is offered; None: to people. Raises ConfigError."""
    if all_places is not None and not isinstance(all_places, bool | np.bool_):
        raise ConfigError(f"all_places is {printable(all_places)}, but must be True, False or None")
    return None if all_places is None else bool(all_places)


@functools.lru_cache(maxsize=16)
def decklists(decks: tuple[Deck, ...], ruleset: str) -> np.recarray[Any, Any]:
    """Return decks (n,) as records for the kernels."""
    numbers = index(ruleset)
    lists = np.zeros(len(decks), DECKLIST).view(np.recarray)
    for row, deck in zip(lists, decks, strict=True):
        row.cls, row.n = Class[deck.hero_class], len(deck.ids)
        row.cards[: row.n] = [numbers[card] for card in deck.ids]
    return lists


def new_scratch() -> Array:
    """Return zeroed scratch for one thread, SCRATCH (1,) of agents.shared.scratch.

    It begins at a cache line, as do its games then: copies take 13.5 ns, else 15.5.
    """
    room = np.zeros(SCRATCH.itemsize + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start:start + SCRATCH.itemsize].view(SCRATCH).view(np.recarray)


def context(agents: Array, setting: Setting, scratch: Array) -> Context:
    """Return what the compiled engine needs for games of agents, AGENT (m,), under a setting."""
    ours = np.array(agents, AGENT).view(np.recarray)  # a copy: the caller's stay unchanged
    ours.sight = LEAKY if setting.information == "leaky" else FAIR
    searches = not WITH_TREE.isdisjoint(ours.kind.tolist()) or grows_tree(ours).any()
    trees = np.zeros(int(searches), TREE).view(np.recarray)
    ordered = setting.information == "leaky"  # such look-aheads see the next card
    nets = numbered(ours, setting.ruleset, setting.decks).view(np.recarray)
    lists, belief = guesses(setting.information, setting.ruleset)
    check_classes(setting.decks, belief)
    return Context(table_array(setting.ruleset), decklists(setting.decks, setting.ruleset), ours,
                   scratch, trees, nets, setting.max_turns, int(ordered), lists, belief,
                   int(setting.all_places is True), setting.first)


def _copy_trees(trees: Array, others: Array) -> None:
    """Copy search trees, TREE (n,), to others: of each the nodes that it has, not all its room."""
    nodes = int(trees["n_nodes"].max(initial=0))
    for name in TREE.names or ():
        if name != "node":
            others[name] = trees[name]
    others["node"][:, :nodes] = trees["node"][:, :nodes]


class Table:
    """Agents at a table, under one setting: they play pairings, or one game move by move.

    agents: AGENT (m,) or, with weights for each deck, (m, d, d); see agents/genomes/decks.py.
    """

    def __init__(self, agents: Array, setting: Setting) -> None:
        self.setting, self._agents = setting, agents
        self._context = context(agents.ravel(), setting, new_scratch())
        self._pairings = np.zeros(1, PAIRING).view(np.recarray)

    def play(self, pairings: Array) -> Array:
        """Play every game of every pairing; return RESULT (n,), one row per pairing, in order."""
        results = np.zeros(len(pairings), RESULT)
        _, seats = seated(self._agents, pairings)
        rows = np.ascontiguousarray(seats, PAIRING).view(np.recarray)
        call(Command.PLAY_ROWS, self._context, pairings=rows, results=results.view(np.recarray))
        return results

    def record(self, pairings: Array) -> tuple[Array, Array, Array]:
        """Play as `play`; return also samples of agent 0, samples.SAMPLE, and their words.

        If they need more room than most games do, all is played again with twice as much.
        """
        room = ROOM * int(pairings["games"].sum()) + SPARE
        while (recorded := self._recorded(pairings, room)) is None:
            room *= 2
        return recorded

    def _recorded(self, pairings: Array, room: int) -> tuple[Array, Array, Array] | None:
        """Play and record with room for so many samples; return None if a game found none."""
        results = np.zeros(len(pairings), RESULT)
        samples = np.zeros(room, SAMPLE).view(np.recarray)
        words = np.zeros(ROOM_WORDS * len(samples), np.uint16)
        counts = np.zeros(len(Count), np.int64)
        call(Command.RECORD_ROWS, self._context, results=results.view(np.recarray),
             pairings=np.ascontiguousarray(pairings, PAIRING).view(np.recarray),
             samples=samples, words=words, counts=counts)
        if counts[Count.LOST]:
            return None
        return results, samples[:counts[Count.SAMPLES]].view(np.ndarray).copy(), \
            words[:counts[Count.WORDS]].copy()

    @property
    def game(self) -> Any:
        """The game that `deal`, `decide` and `move` work on: a record (engine.record.state.GAME).

        A state or another game can be assigned, to continue from it.
        """
        return self._context.scratch[0].games[TRUE]

    @game.setter
    def game(self, game: Any) -> None:
        state = np.frombuffer(game.tobytes()[:STATE.itemsize], np.uint8)  # a GAME begins with it
        self._bytes[:STATE.itemsize] = state

    @functools.cached_property
    def _bytes(self) -> Array:
        """The game, as bytes."""
        games = self._context.scratch.view(np.ndarray)["games"][0, TRUE:TRUE + 1]
        return cast(Array, games.view(np.uint8))

    @functools.cached_property
    def plain(self) -> Any:
        """The same game to read: without attributes, in a tenth of the time."""
        return self._bytes.view(GAME)[0]

    def __getstate__(self) -> dict[str, Any]:
        views = ("_bytes", "plain")
        return {name: value for name, value in vars(self).items() if name not in views}

    @property
    def state(self) -> Any:
        """A copy of the game as a record of dtype engine.record.state.STATE."""
        return self._states()[0]

    def states(self) -> Array:
        """Return a copy of the game, STATE (1,)."""
        return np.asarray(self._states())

    @property
    def agents(self) -> Any:
        """The agents at the table, AGENT (m,); they can be changed."""
        return self._context.agents

    def deal(self, pairing: Any, k: int, begin: bool = True) -> None:
        """Begin game k of a pairing, a row of PAIRING; begin=False leaves its turn to `resolve`."""
        self._pairings[:] = seated(self._agents, np.array([pairing], PAIRING))[1]
        self._pairings[0].seed = (int(pairing["seed"]) + k) % 2**64
        command = Command.DEAL if begin else Command.LAY_OUT
        call(command, self._context, pairings=self._pairings)

    def decide(self, fresh: bool = False) -> int:
        """Return the move of the agent whose turn it is; `play` makes the same move.

        fresh: a tree search begins a new tree, as it does in batches of games.
        """
        if fresh:
            self._context.trees["n_nodes"] = 0
        return call(Command.DECIDE, self._context, pairings=self._pairings)

    @property
    def moves(self) -> Array:
        """The legal moves at the last decision, int32 (n,), in the order of moves.list_moves."""
        return cast(Array, self.game.moves[:self.game.n_moves].copy())

    @property
    def scores(self) -> Array:
        """The agent's scores of `moves`, float64 (n,).

        EVA: -1e300 for a move that was not simulated because an equal card comes later in the hand.
        Undefined for agents without scores, and in a choice or a mulligan.
        """
        return cast(Array, self._context.scratch[0].decision[0].score[:self.game.n_moves].copy())

    @property
    def simulated(self) -> int:
        """The number of actions examined for the last decision, forecast ones included."""
        return int(self._context.scratch[0].decision[0].simulated)

    def move(self, move: int) -> None:
        """Make a legal move."""
        call(Command.MOVE, self._context, moves=np.array([move], np.int64))

    def begin(self, move: int) -> None:
        """Begin a legal move; call `resolve` until nothing is left to do the rest."""
        call(Command.BEGIN, self._context, moves=np.array([move], np.int64))

    def resolve(self) -> Array | None:
        """Resolve one step of a move; return its entry.Report, or None if nothing was left."""
        report = np.zeros(len(Report), np.int64)
        return report if call(Command.RESOLVE, self._context, report=report) else None

    def legal(self, all_places: bool = False) -> list[int]:
        """Return the legal moves, in the order in which agents look at them.

        all_places: with every place for a minion, of which agents consider those that matter.
        """
        call(Command.LIST_ALL, self._context._replace(all_places=int(all_places)),
             states=self._states(), masks=np.zeros((1, N_MOVES), np.bool_))
        return [int(move) for move in self.moves]

    def costs(self) -> tuple[MoveCosts, MoveCosts]:
        """Return what players 0 and 1 have to pay now."""
        costs = np.zeros((1, 2, HAND + 1), np.int64)
        call(Command.COSTS_ALL, self._context, states=self._states(), costs=costs)
        return MoveCosts.of(costs[0, :, :HAND], costs[0, :, HAND],
                            [int(side.n_hand) for side in self.game.side])

    def think(self) -> tuple[int, dict[int, float]]:
        """Return the move of `decide`, and the scores of the moves that have one."""
        self._context.scratch[0].decision[0].score[:] = np.nan
        move = self.decide()
        scored = zip(self.moves.tolist(), self.scores.tolist(), strict=True)
        return move, {move_number: score for move_number, score in scored if score == score}

    @property
    def has_tree(self) -> bool:
        """Whether an agent keeps a search tree between its decisions."""
        return len(self._context.trees) > 0

    def copy(self, agents: Array | None = None) -> Table:
        """Return a copy with the same game; or the same game with one agent in both seats."""
        # Not of self.agents: these have the digests of nets composed for the ruleset.
        copy = Table(self._agents if agents is None else agents, self.setting)
        copy.game = self.game
        copy._pairings[:] = self._pairings
        if agents is None:
            copy.agents[:] = self.agents  # they may have been changed
            _copy_trees(self._context.trees, copy._context.trees)
        else:
            copy._pairings.a = copy._pairings.b = 0
        return copy

    def by_tables(self, tables: Array) -> Table:
        """Return a copy that plays by other tables, TABLES (1,), with programs added to its own."""
        copy = self.copy()
        copy._context = copy._context._replace(tables=tables)
        return copy

    def adopt_search_tree(self, decided: Table) -> None:
        """Take over the search tree of a copy that has decided."""
        if len(decided.agents) == len(self.agents):
            _copy_trees(decided._context.trees, self._context.trees)

    def _states(self) -> Array:
        """Return a copy of the game as STATE (1,)."""
        states = np.zeros(1, STATE).view(np.recarray)
        call(Command.STORE, self._context, states=states)
        return states


def play_block(pairings: Array, agents: Array, setting: Setting, *nets: Array) -> Array:
    """Play every game of every pairing; return RESULT (n,), one row per pairing, in order.

    agents: AGENT (m,) or (m, d, d); a and b of a pairing are rows of it. nets: those that they need
    and this process may lack. The result depends only on the arguments. Releases the GIL.
    """
    keep(nets)
    return Table(agents, setting).play(pairings)


def record_block(pairings: Array, agents: Array, setting: Setting,
                 *nets: Array) -> tuple[Array, Array, Array]:
    """Play every game of every pairing; return RESULT (n,), samples of agent 0 and their words.

    A game that has no room among the samples is left out of them. See play_block.
    """
    keep(nets)
    return Table(agents, setting).record(pairings)


def warm_up(ruleset: str = "cig2018") -> None:
    """Load or compile the engine before workers need it, except what few calls need."""
    for entry in entry_points(False, ruleset)[0]:
        entry.load()


def load_rest(ruleset: str = "cig2018") -> None:
    """Load or compile what searches, environments and learning call; it contains the rules."""
    for entry in entry_points(False, ruleset)[1]:
        entry.load()


def load_for(agents: Array, information: str = "fair", ruleset: str = "cig2018") -> None:
    """Load or compile what `play_block` calls for these agents, AGENT, so that no game waits."""
    if searches(agents, information):
        load_rest(ruleset)
    else:
        warm_up(ruleset)


def searches(agents: Array, information: str = "fair") -> bool:
    """Return whether games of these agents, AGENT, need more than one action of look-ahead."""
    return (information.startswith("closed")
            or not ONE_AHEAD.issuperset(agents["kind"].ravel().tolist()))


def entry_points(rest: bool, ruleset: str = "cig2018",
                 ) -> tuple[list[EntryPoint], list[EntryPoint]]:
    """Return the entry points that games of a ruleset need at once, and the others.

    rest: whether what they need is more than the rules and agents that look one action ahead.
    """
    if jit.INTERPRETED:
        return [], []
    rules, others = (entry.build(bool(tables(ruleset).late)) for entry in (enter, enter_rest))
    return ([rules, others], []) if rest else ([rules], [others])


def compile_all(ruleset: str = "cig2018") -> None:
    """Load or compile the rules and all agents, environments and learning."""
    jit.load_all(entry_points(True, ruleset)[0])
