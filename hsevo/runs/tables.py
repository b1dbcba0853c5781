"""The tables of a run folder: their columns, and a generation's lines of each."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards.decks import Deck
from hsevo.runs.individuals import FEATURE, SIGMA
from hsevo.types import Array

POPULATION = ["execution", "generation", "individual", "parent", "born", "age", "fitness", "wins",
              "draws", "losses", "survived"]  # then features of a map, weights, their sigmas
STATISTICS = ["execution", "generation", "best", "median", "mean", "worst", "std",
              "best_individual", "new", "mean_age", "mean_sigma", "games", "draws", "mean_turns"]
REFERENCES = ["execution", "generation", "individual", "opponent", "games", "wins", "draws",
             "losses", "rate", "rate_low", "rate_high", "elo", "elo_low", "elo_high", "pairs_0",
             "pairs_0.5", "pairs_1", "pairs_1.5", "pairs_2"]
MATCH_COLUMNS = ("execution", "generation", "a", "b", "deck_a", "deck_b", "games", "wins_a",
                 "wins_b", "draws", "turns", "margin_a", "margin_b", "decisions", "simulated",
                 "seed")


RATED = ("games", "rate", "rate_low", "rate_high")


def archive_columns(features: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns of archive.csv of a map with these axes and weights (k,).

    Rates are shares of games won, 0 to 1, with 95 % intervals: in the search, of all elites in new
    games (confirmed), and of the best of these in games that chose nothing (last).
    """
    return ["execution", "individual", "born", "cell_1", "cell_2", *features, *RATED,
            *(f"confirmed_{one}" for one in RATED), *(f"last_{one}" for one in RATED), *names]


@dataclass(frozen=True)
class Generation:
    """A finished generation. a and b of pairings index the field, then the hall."""

    execution: int  # from 1
    number: int  # from 0
    field: Array  # INDIVIDUAL (n,): all rated individuals, parents first
    pairings: Array  # match.PAIRING (m,)
    results: Array  # match.RESULT (m,)
    survivors: tuple[int, ...]  # ids, in order as the next parents
    random_state: tuple[Any, ...]  # random.Random.getstate() after this generation
    others: Array  # INDIVIDUAL: earlier champions, then fixed opponents (ids < 0)
    references: pd.DataFrame | None = None  # lines of references.csv, if the best was measured

    def state(self, sizes: dict[str, int]) -> dict[str, Any]:
        """Return where a run continues after it, as data for json.dumps. sizes: of its files."""
        return {"execution": self.execution, "generation": self.number, "sizes": sizes,
                "survivors": self.survivors, "random_state": self.random_state}


def population_table(generation: Generation, names: Sequence[str],
                     features: Sequence[str] = ()) -> pd.DataFrame:
    """Return a generation's lines of population.csv.

    names: of the weights, (k,). features: of the axes, if there is a map.
    """
    field = generation.field
    table = pd.DataFrame({
        "execution": generation.execution, "generation": generation.number,
        "individual": field["id"], "parent": field["parent"], "born": field["born"],
        "age": generation.number - field["born"], "fitness": _plain(field["fitness"]),
        "wins": field["wins"], "draws": field["draws"], "losses": field["losses"],
        "survived": field["survived"].astype(int)}
        | {FEATURE + name: field["features"][:, i] for i, name in enumerate(features)})
    genes = pd.DataFrame(np.hstack([field["weights"], field["sigmas"]]),
                         columns=[*names, *(f"{SIGMA}{name}" for name in names)])
    return pd.concat([table, genes], axis=1)


def statistics_table(generation: Generation) -> pd.DataFrame:
    """Return a generation's line of statistics.csv (columns STATISTICS).

    Fitness, age and sigma are of the survivors; games, draws and turns are of all matches.
    """
    stay = generation.field[generation.field["survived"]]
    fitness, played = _plain(stay["fitness"]), generation.results
    games = int(generation.pairings["games"].sum())
    line = [generation.execution, generation.number, fitness.max(), float(np.median(fitness)),
            fitness.mean(), fitness.min(), fitness.std(), generation.survivors[0],
            int((stay["born"] == generation.number).sum()),
            (generation.number - stay["born"]).mean(), stay["sigmas"].mean(), games,
            int(played["draws"].sum()), played["turns"].sum() / games if games else 0.0]
    return pd.DataFrame([line], columns=STATISTICS)


def _plain(fitness: Array) -> Array:
    """Return fitness as integers where it counts victories, not rates (racing)."""
    whole = fitness.astype(np.int64)
    return whole if (whole == fitness).all() else fitness


def match_arrays(generation: Generation, decks: Sequence[Deck]) -> dict[str, Array]:
    """Return the columns of a generation's matches: individuals by id, decks by name, and counts.

    wins_a + wins_b + draws = games; turns, margins, decisions and simulated actions are sums over
    the games; margin_a sums, over a's wins, its health and armour minus the loser's.
    """
    pairings, results = generation.pairings, generation.results
    ids = np.concatenate([generation.field["id"], generation.others["id"]])
    names = np.array([deck.name for deck in decks], object)
    table = {"execution": np.full(len(pairings), generation.execution, np.int16),
             "generation": np.full(len(pairings), generation.number, np.int32),
             "a": ids[pairings["a"]], "b": ids[pairings["b"]],
             "deck_a": names[pairings["deck_a"]], "deck_b": names[pairings["deck_b"]],
             "games": pairings["games"]}
    counts = [name for name in results.dtype.names or () if name != "faults"]  # a fault ends a run
    table |= {name: results[name] for name in counts} | {"seed": pairings["seed"]}
    return table


def parquet_bytes(columns: Mapping[str, Array]) -> bytes:
    """Return columns as a parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), out, compression="zstd")
    return out.getvalue()


def arrow_buffer(data: bytes) -> Any:
    """Return bytes in Arrow's own memory.

    Arrow's threads would have to release Python's, which aborts a process that is exiting (SIGABRT,
    apache/arrow issue 34314).
    """
    import pyarrow as pa

    own = pa.BufferOutputStream()
    own.write(data)
    return own.getvalue()


def csv_bytes(table: pd.DataFrame, header: bool) -> bytes:
    """Return a table as `to_csv` writes it, which takes five times as long."""
    columns = [["" if value != value else value for value in table[name].tolist()]
               for name in table.columns]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([list(table.columns)] * header)
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue().encode()
