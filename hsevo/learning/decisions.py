"""Decisions of compiled agents, recorded for learners: what each player saw, could do and did.

    rows of match.PAIRING --record()--> RESULT rows and Decisions --parquet()--> bytes of a file

All games of a block advance together: what the players to move see and may do is written down, then
their agents move. The games are those of `match.play_block`. Agents that search a tree keep it from
one move to the next, so they play each game alone first, and its moves are made again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from hsevo.agents.genomes.decks import seated
from hsevo.agents.learned.nets import grows_tree, keep
from hsevo.agents.shared.agent import WITH_TREE
from hsevo.engine.record.codec import N_MOVES, PLACES, TARGETS
from hsevo.engine.record.state import RUNNING, Phase
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import SIZE
from hsevo.learning.batch import History, observe, parts_of
from hsevo.play import match
from hsevo.play.acts import HISTORY
from hsevo.play.entry import Command, call
from hsevo.play.games import GameBatch
from hsevo.play.hosting import results_of
from hsevo.store.tables import arrow_buffer
from hsevo.strength.lineup import Lineup
from hsevo.types import Array

Decisions: TypeAlias = dict[str, Array]  # columns by their names, each (n, ...)


class DecisionSet(Protocol):
    """Games with their stored decisions: see datasets.DataSet."""

    path: Path
    """Folder of the data set."""
    shard_games: int
    """Number of games in each file."""
    history: bool
    """Whether observations include the history."""

    @property
    def names(self) -> tuple[str, ...]:
        """The agents."""

    @property
    def lineup(self) -> Lineup:
        """Agents, decks and rules."""

    @property
    def rows(self) -> Array:
        """The games, match.PAIRING (n,)."""

    @property
    def results(self) -> Array:
        """What came of them, match.RESULT (n,)."""

    @property
    def engine(self) -> str:
        """Fingerprint of the engine that played them."""

    @property
    def decisions(self) -> int:
        """Number of decisions."""

    @property
    def files(self) -> list[Path]:
        """The files."""

    @property
    def card(self) -> dict[str, Any]:
        """The data card."""

    def batches(self) -> Iterator[Decisions]:
        """Yield the decisions file by file."""


# The columns that are numbers: their type, and the highest value that each may have.
NUMBERS: dict[str, tuple[str, int]] = {
    "game": ("u4", 2**32 - 1), "step": ("u2", 2**16 - 1), "player": ("u1", 1),
    "seed": ("u8", 2**64 - 1), "what": ("u1", WHATS - 1), "at": ("u1", TARGETS - 1),
    "where": ("u1", PLACES - 1), "move": ("u2", N_MOVES - 1), "return": ("i1", 1)}
NAMES = ("agent", "opponent", "deck", "opponent_deck")
COLUMNS = ("game", "step", "player", *NAMES, "seed", "observation", "legal", "what", "at", "where",
           "move", "return", "last")


def sizes(history: bool) -> dict[str, tuple[str, int]]:
    """Return the columns that are bytes: the type and number of the numbers in each."""
    return {"observation": ("<i2", SIZE + HISTORY * history), "legal": ("<u4", WHATS)}


# -- games --------------------------------------------------------------------------------------


def record(rows: Array, agents: Array, setting: match.Setting,
           history: bool) -> tuple[Array, Decisions]:
    """Play games, PAIRING (n,), and record them; return RESULT (n,) and their decisions.

    agents: AGENT (m,) or (m, d, d), compiled. history: of which version observations are.
    Decisions are in the order of games, and in a game of its steps; games that the engine refused
    have none. Simulated actions are not counted.
    """
    records, seats = seated(agents, rows)
    scripts = _played(rows, agents, setting) if _searches(records) else None
    context = match.context(records, setting, match.new_scratch())
    players = np.stack([seats["a"], seats["b"]]).astype(np.int64)  # agents by player and game
    results, taken = np.zeros(len(rows), match.RESULT), list[dict[str, Array]]()
    for at, (games, which, past) in enumerate(_running(rows, setting, history, results)):
        seen, legal = observe(games, history=past)
        player, choice = games.players.astype(np.int64), games.states["pending"] == Phase.CHOICE
        before = games.take(slice(None)) if past else games
        if scripts is not None:
            moves = np.array([scripts[game][at] for game in which], np.int64)
            games.step(moves)
        else:
            moves = np.zeros(len(games), np.int64)
            call(Command.ASK_ALL, context, states=games.states, asked=players[player, which],
                 moves=moves)
        if past:
            past.note(before, moves)
        what, place, where = parts_of(moves, choice).T
        taken.append({"game": which, "step": np.full(len(which), at), "player": player,
                      "observation": seen, "legal": legal, "what": what, "at": place,
                      "where": where, "move": moves})
    return results, _ordered(taken, results, history)


def _searches(records: Array) -> bool:
    """Return whether an agent keeps a tree from one move to the next."""
    return bool(not WITH_TREE.isdisjoint(records["kind"].tolist()) or grows_tree(records).any())


def _played(rows: Array, agents: Array, setting: match.Setting) -> list[list[int]]:
    """Play games one by one; return the moves of each."""
    table, games = match.Table(agents, setting), []
    for row in rows:
        table.deal(row, 0)
        moves: list[int] = []
        while table.game.result == RUNNING and not table.game.fault:
            moves.append(table.decide())
            table.move(moves[-1])
        games.append(moves)
    return games


def begun(rows: Array, setting: match.Setting) -> GameBatch:
    """Return games, PAIRING (n,), at their beginning."""
    deck_0, deck_1 = ([setting.decks[i] for i in rows[f"deck_{side}"]] for side in "ab")
    return GameBatch.under(setting, deck_0, deck_1, rows["seed"])


def _running(rows: Array, setting: match.Setting, history: bool,
             results: Array) -> Iterator[tuple[GameBatch, Array, History | None]]:
    """Yield the games that run, their numbers and their history, until the caller has ended all.

    The results of games that have ended are written to `results`, RESULT (n,).
    """
    games = begun(rows, setting)
    which, past = np.arange(len(rows)), History(games) if history else None
    while True:
        over = ~games.running | (games.states["fault"] != 0)
        if over.any():
            results[which[over]] = results_of(games.take(over).states)
            which = which[~over]
            past = past and past.take(~over)
            games = past.games if past else games.take(~over)
        if not len(which):
            return
        yield games, which, past


def _ordered(taken: Sequence[Decisions], results: Array, history: bool) -> Decisions:
    """Join decisions, game by game, and add what came of the games."""
    if not taken:
        taken = [_none(history)]
    game = np.concatenate([part["game"] for part in taken])
    results["decisions"] = np.bincount(game, minlength=len(results))
    refused = results["faults"][game] > 0
    order, places = np.lexsort((game, refused)), np.zeros(len(game), np.int64)  # it is stable
    places[order] = np.arange(len(game))
    whole, done = {name: np.zeros((len(game), *part.shape[1:]), part.dtype)
                   for name, part in taken[0].items()}, 0
    for part in taken:
        there = places[done:done + len(part["game"])]
        done += len(there)
        for name, column in part.items():
            whole[name][there] = column
    whole = {name: column[:len(game) - refused.sum()] for name, column in whole.items()}
    won = (results["wins_a"] - results["wins_b"])[whole["game"]]
    whole["return"] = np.where(whole["player"] == 0, won, -won)
    whole["last"] = _last(whole["game"], whole["player"])
    return whole


def _none(history: bool) -> Decisions:
    """Return no decisions."""
    bytes_ = {name: np.zeros((0, n), kind) for name, (kind, n) in sizes(history).items()}
    return {name: np.zeros(0, np.int64) for name in (
        "game", "step", "player", "what", "at", "where", "move")} | bytes_


def _last(game: Array, player: Array) -> Array:
    """Return which decisions are the last ones of their players in their games, bool (n,)."""
    key = 2 * game + player
    order = np.argsort(key, kind="stable")
    last = np.zeros(len(key), np.bool_)
    last[order[np.diff(key[order], append=-1) != 0]] = True
    return last


# -- files --------------------------------------------------------------------------------------


def record_file(first: int, rows: Array, agents: Array, setting: match.Setting,
                names: Sequence[str], history: bool, *nets: Array) -> tuple[Array, bytes]:
    """Play games and record them: a job. Return RESULT (n,), and the bytes of a Parquet file.

    first: the number of the first game. names: of the agents. nets: those that they need.
    """
    keep(nets)
    results, decisions = record(rows, agents, setting, history)
    game, player = decisions["game"], decisions["player"]
    decks = [deck.name for deck in setting.decks]
    sides = {"agent": (("a", "b"), names), "opponent": (("b", "a"), names),
             "deck": (("deck_a", "deck_b"), decks), "opponent_deck": (("deck_b", "deck_a"), decks)}
    called = {name: (np.stack([rows[side] for side in sides_])[player, game], words)
              for name, (sides_, words) in sides.items()}
    numbers = {**decisions, "game": first + game, "seed": rows["seed"][game]}
    return results, parquet(numbers, called)


def parquet(decisions: Decisions, called: Mapping[str, tuple[Array, Sequence[str]]]) -> bytes:
    """Return decisions as a Parquet file. called: columns of names, as indices (n,) and words.

    Observations and bits are columns of bytes: lists of numbers take ten times as long to write
    and to read, and are not smaller.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {name: pa.array(decisions[name].astype(kind))
                               for name, (kind, _) in NUMBERS.items()}
    columns["last"] = pa.array(decisions["last"])
    for name in ("observation", "legal"):
        lines = np.ascontiguousarray(decisions[name])
        columns[name] = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(lines.shape[1] * lines.itemsize), len(lines), [None, pa.py_buffer(lines)])
    for name, (places, words) in called.items():
        columns[name] = pa.DictionaryArray.from_arrays(
            pa.array(places.astype(np.int32)), pa.array([*words], pa.string()))
    out = io.BytesIO()
    pq.write_table(pa.table({name: columns[name] for name in COLUMNS}), out, compression="zstd",
                   compression_level=3, use_dictionary=[*called], write_statistics=False)
    return out.getvalue()


def read_file(data: bytes, history: bool, rows: int, first: int, games: int,
              names: Sequence[str]) -> Decisions:
    """Return the decisions in a Parquet file, which anyone may have written.

    rows: how many it must have. first, games: the numbers of its games. names: the words that
    its columns of names may have. Raises ValueError, or an error of Arrow.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(arrow_buffer(data)))
    if file.metadata.num_rows != rows:
        raise ValueError(f"it has {file.metadata.num_rows:,} decisions, not {rows:,}")
    schema = _schema(history)
    if file.schema_arrow.names != schema.names or any(
            not file.schema_arrow.field(field.name).type.equals(field.type) for field in schema):
        raise ValueError("its columns are not those of a data set")
    # Anyone may write the metadata of a schema.
    table = file.read(use_threads=False).replace_schema_metadata(None)
    table = table.unify_dictionaries().combine_chunks()
    if any(column.null_count for column in table.columns):
        raise ValueError("a cell is empty")
    read: Decisions = {name: table.column(name).to_numpy() for name in (*NUMBERS, "last")}
    for name, (kind, n) in sizes(history).items():
        cells = _whole(table.column(name))
        start = cells.offset * cells.type.byte_width
        read[name] = np.frombuffer(cells.buffers()[1], kind, len(cells) * n, start).reshape(-1, n)
    for name in NAMES:
        cells = _whole(table.column(name))
        words = cells.dictionary.to_pylist()
        if not {*words} <= {*names}:
            raise ValueError(f"column {name} has a name that is not of the data set")
        read[name] = np.array(words, object)[cells.indices.to_numpy()]
    for name, (_, most) in NUMBERS.items():
        least = -1 if name == "return" else first if name == "game" else 0
        most = first + games - 1 if name == "game" else most
        if rows and not (read[name].min() >= least and read[name].max() <= most):
            raise ValueError(f"column {name} has an impossible number")
    return {name: read[name] for name in COLUMNS}


def _whole(column: Any) -> Any:
    """Return a column as one array of Arrow."""
    import pyarrow as pa

    cells = column.combine_chunks()
    return cells if isinstance(cells, pa.Array) else pa.concat_arrays(cells.chunks)


def _schema(history: bool) -> Any:
    """Return the columns of a file with their types."""
    import pyarrow as pa

    kinds: dict[str, Any] = {name: pa.from_numpy_dtype(np.dtype(kind))
                             for name, (kind, _) in NUMBERS.items()}
    kinds |= {name: pa.binary(np.dtype(kind).itemsize * n)
              for name, (kind, n) in sizes(history).items()}
    kinds |= dict.fromkeys(NAMES, pa.dictionary(pa.int32(), pa.string())) | {"last": pa.bool_()}
    return pa.schema([(name, kinds[name]) for name in COLUMNS])
