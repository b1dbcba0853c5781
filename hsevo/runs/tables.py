"""The tables of a run folder: their columns, and a generation's lines of each.

Individuals of any genome are records in memory and rows in population.csv.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards.decks import Deck
from hsevo.config import Config, short
from hsevo.play.behaviour import SEEN, WATCHED
from hsevo.store.tables import Column, DataTable
from hsevo.types import Array

FEATURE = "feature_"  # with the name of a feature of a map, its column in population.csv
SIGMA = "sigma_"  # with the name of a weight, the column of its sigma in population.csv


def fitness_text(plan: Config, fitness: float, unit: bool = True) -> str:
    """Return a fitness as text: "1,963 wins", "56.2 %" where it is a win rate (shares), or
    "0.345" of a function of the user.
    """
    if plan.rating.fitness:
        return f"{fitness:,.4g}"
    if plan.rating.in_percent:
        return f"{fitness:.1f}" + " %" * unit
    return f"{fitness:,.0f}" + " wins" * unit


def individual_type(size: int) -> np.dtype[np.void]:
    """Return INDIVIDUAL, the dtype of an individual with `size` weights.

    A field has the parents first, in the order of the previous generation, then the offspring.
    parent is -1 in generation 0. wins are the fitness, except with racing (fitness.py). features
    are 0 without a map. Weights are in the agent's units, sigmas in units of the genome's scale.
    """
    return np.dtype([
        ("id", "i8"), ("parent", "i8"), ("born", "i8"), ("fitness", "f8"),
        ("wins", "i8"), ("draws", "i8"), ("losses", "i8"), ("survived", "?"),
        ("features", "f8", (2,)),
        ("weights", "f8", (size,)), ("sigmas", "f8", (size,))])


def weight_names(population: pd.DataFrame) -> list[str]:
    """Return the names of a population's weights: the columns that have a sigma."""
    return [name for name in population.columns if f"{SIGMA}{name}" in population.columns]


def individuals(population: pd.DataFrame, execution: int, number: int,
                ids: Sequence[int] | None = None) -> Array:
    """Return a generation's INDIVIDUAL rows from population.csv: all, or those of `ids` in order.

    Raises KeyError if an id is missing.
    """
    here = (population["execution"] == execution) & (population["generation"] == number)
    rows = population[here].set_index("individual", drop=False)
    rows = rows.loc[list(ids)] if ids is not None else rows
    names = weight_names(population)
    records = np.zeros(len(rows), individual_type(len(names)))
    for name in ("parent", "born", "fitness", "wins", "draws", "losses", "survived"):
        records[name] = rows[name]
    records["id"] = rows["individual"]
    if features := [name for name in rows.columns if name.startswith(FEATURE)]:
        records["features"] = rows[features]
    records["weights"] = rows[names]
    records["sigmas"] = rows[[f"{SIGMA}{name}" for name in names]]
    return records


def weights_of(population: pd.DataFrame, execution: int, ids: Sequence[int]) -> Array:
    """Return the weights (n, k) of individuals of an execution. Raises KeyError if unknown."""
    rows = population[population["execution"] == execution].drop_duplicates("individual")
    weights = rows.set_index("individual").loc[list(ids), weight_names(rows)]
    return weights.to_numpy(np.float64, copy=True)


POPULATION = DataTable("population.csv", "Everyone of every generation, a row each.", (
    Column("execution", int, "Which execution, from 1.", logged=False),
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("individual", int, "The individual's number, its own within an execution.",
           logged=False),
    Column("parent", int, "The number of its parent; -1 for a random one.", logged=False),
    Column("born", int, "The generation in which it appeared.", logged=False),
    Column("age", int, "Generations since then.", logged=False),
    Column("fitness", float,
        "Wins; with races, the wins that are expected of all games; with "
        "`rating.shares`, the win rate in per cent, opponents weighted; with "
        "`rating.fitness`, the value of your function.", logged=False),
    Column("wins", int, "Games won in this generation.", logged=False),
    Column("draws", int, "Games drawn.", logged=False),
    Column("losses", int, "Games lost.", logged=False),
    Column("survived", int, "1 if it is a parent of the next generation, else 0.", logged=False),
    Column("feature_<feature>", float, "What its games were, along an axis of the map.",
           only="feature", logged=False),
    Column("<weight>", float, "One column a weight, by its name."),
    Column("sigma_<weight>", float,
        "One column a weight, its step size, in units of the genome's scale; 0 in `ga`, and empty"
        " in your own strategy.",
           empty=True, logged=False),
))
STATISTICS = DataTable("statistics.csv", "One row a generation. Fitness, ages and sigmas are the"
                       " survivors'.", (
    Column("execution", int, "Which execution, from 1.", logged=False),
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("best", float, "The fitness of the best individual: the highest, or that of your own"
           " strategy's recommendation."),
    Column("median", float, "The median fitness."),
    Column("mean", float, "The mean fitness."),
    Column("worst", float, "The lowest fitness."),
    Column("std", float, "The standard deviation of the fitness."),
    Column("best_individual", int, "Who has this fitness."),
    Column("new", int, "How many survivors were born in this generation."),
    Column("mean_age", float, "Their mean age, in generations."),
    Column("mean_sigma", float, "The mean of all their sigmas; empty in your own strategy.",
           empty=True),
    Column("games", int, "Games of the generation."),
    Column("draws", int, "Draws among them."),
    Column("mean_turns", float, "Player turns a game."),
    Column("<logged>", float, "One column for each number that your own strategy logs.",
           only="logged", empty=True),
))
REFERENCES = DataTable("references.csv",
        "The best of a generation against reference opponents, only if the config names"
        " some. In runs of version 0.1 it is `yardstick.csv`, and the key of the config"
        " `yardstick`.", (
    Column("execution", int, "Which execution, from 1.", logged=False),
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("individual", int, "Who was measured.", logged=False),
    Column("opponent", str, "The spec of the reference opponent.", logged=False),
    Column("games", int, "Games against it.", logged=False),
    Column("wins", int, "Games won.", logged=False),
    Column("draws", int, "Games drawn.", logged=False),
    Column("losses", int, "Games lost.", logged=False),
    Column("rate", float, "Mean score, draws counting half."),
    Column("rate_low", float, "Lower end of its 95 % interval."),
    Column("rate_high", float, "Upper end."),
    Column("elo", float, "The Elo difference that the rate means.", infinite=True),
    Column("elo_low", float, "Lower end.", infinite=True),
    Column("elo_high", float, "Upper end.", infinite=True),
    Column("pairs_0", int, "Pairs of games with 0 points.", logged=False),
    Column("pairs_0.5", int, "Pairs with half a point.", logged=False),
    Column("pairs_1", int, "Pairs with 1 point.", logged=False),
    Column("pairs_1.5", int, "Pairs with 1½ points.", logged=False),
    Column("pairs_2", int, "Pairs with 2 points.", logged=False),
))
MATCHES = DataTable("matches.parquet/",
        "A file a generation, `execution-01-generation-000000.parquet` and so on; read "
        "the folder as one table with `pandas.read_parquet`.", (
    Column("execution", int, "Which execution, from 1.", logged=False),
    Column("generation", int, "Which generation, from 0.", logged=False),
    Column("a", int,
        "The number of an individual; of fixed opponents, -1 is the first of the "
        "config, -2 the second.", logged=False),
    Column("b", int, "The number of its opponent, in the same way.", logged=False),
    Column("deck_a", str, "The deck that a plays.", logged=False),
    Column("deck_b", str, "The deck that b plays.", logged=False),
    Column("games", int, "Games of this match; wins_a + wins_b + draws.", logged=False),
    Column("wins_a", int, "Games that a won.", logged=False),
    Column("wins_b", int, "Games that b won.", logged=False),
    Column("draws", int, "Games drawn.", logged=False),
    Column("turns", int, "Player turns, summed over the games.", logged=False),
    Column("margin_a", int,
        "Over a's wins: its health and armour less the loser's, summed.", logged=False),
    Column("margin_b", int, "The same of b.", logged=False),
    Column("decisions", int, "Decisions of both agents, summed.", logged=False),
    Column("simulated", int, "Actions that look-aheads tried out, summed.", logged=False),
    Column("seed", int, "The seed of the match, from which each game's follows.", logged=False),
    *(Column(name, int, "Of games that are watched, summed; see play/behaviour.py.",
             only="feature", logged=False)
      for name in WATCHED.names or () if name.removesuffix("_a").removesuffix("_b") in SEEN),
), grows=False)
_RATED = (("", "in the search", False), ("confirmed_", "of all elites in new games", False),
          ("last_", "of the best of these in games that chose nothing", True))
ARCHIVE = DataTable("archive.csv", "The elites of a map, once it is done: of each execution the"
                    " best first, by new games.", (
    Column("execution", int, "Which execution, from 1.", logged=False),
    Column("individual", int, "The individual's number.", logged=False),
    Column("born", int, "The generation in which it appeared.", logged=False),
    Column("cell_1", int, "Its cell along the first axis, from 0.", logged=False),
    Column("cell_2", int, "Its cell along the second axis, from 0.", logged=False),
    Column("<feature>", float, "What its games were, along an axis of the map.", logged=False),
    *(Column(f"{begins}{name}", float, f"{says}, {where}.", empty=empty, logged=False)
      for begins, where, empty in _RATED for name, says in (
          ("games", "Games"), ("rate", "Share of games won"),
          ("rate_low", "Lower end of its 95 % interval"), ("rate_high", "Upper end"))),
    Column("<weight>", float, "One column a weight, by its name.", logged=False),
), grows=False, optional=True)
TABLES = (POPULATION, STATISTICS, REFERENCES, MATCHES, ARCHIVE)
MOST_LOGGED = 100
MATCH_COLUMNS = tuple(column.name for column in MATCHES.columns if not column.only)


def logged_problem(names: Iterable[object]) -> str:
    """Return why numbers with these names can't be logged in statistics.csv; "" if they can."""
    for name in (listed := [*names]):
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]\w{0,59}", name, re.ASCII):
            return f"the name {short(name)} must be letters, digits and _"
        if name in STATISTICS.names:
            return f"the name {name} is a column of {STATISTICS.name} already"
    return f"{len(listed)} names are more than {MOST_LOGGED}" * (len(listed) > MOST_LOGGED)


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
    logged: tuple[tuple[str, float], ...] = ()  # names and numbers of the user's own strategy

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
    """Return a generation's line of statistics.csv.

    Fitness, age and sigma are of the survivors; games, draws and turns are of all matches.
    """
    stay = generation.field[generation.field["survived"]]
    fitness, played = _plain(stay["fitness"]), generation.results
    best = fitness[stay["id"] == generation.survivors[0]][0]
    games = int(generation.pairings["games"].sum())
    return pd.DataFrame([{
        "execution": generation.execution, "generation": generation.number,
        "best": best, "median": float(np.median(fitness)), "mean": fitness.mean(),
        "worst": fitness.min(), "std": fitness.std(), "best_individual": generation.survivors[0],
        "new": int((stay["born"] == generation.number).sum()),
        "mean_age": (generation.number - stay["born"]).mean(),
        "mean_sigma": stay["sigmas"].mean(), "games": games,
        "draws": int(played["draws"].sum()),
        "mean_turns": played["turns"].sum() / games if games else 0.0, **dict(generation.logged)}])


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
