"""`hsevo.evolve_decks` and `hsevo.DeckEvolution`: decks that beat a field, and their run folder.

A step is a generation; folder.py has the tables.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.config.deckbuilding import Plan, PoolSettings
from hsevo.deckbuilding.book import COUNTS, RESULT, Rates, results_of
from hsevo.deckbuilding.confirm import LAST, confirm, deck_of, files, games_to_confirm
from hsevo.deckbuilding.course import DECKS_PLAYED, DeckCourse, DeckGeneration, most_games
from hsevo.deckbuilding.field import Field, FieldGames, read_field
from hsevo.deckbuilding.folder import (
    ALL_TABLES,
    FORMAT,
    decks_table,
    marks,
    meetings_table,
    pool_data,
    pool_of,
)
from hsevo.deckbuilding.strategies import DeckMapElites, random_deck
from hsevo.errors import RunError
from hsevo.experiments.playing import Progress
from hsevo.experiments.retold import Plays, Retold, RetoldState
from hsevo.generated import DeckFields
from hsevo.objects import Fields
from hsevo.play.behaviour import SEEN
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, generator
from hsevo.store.kinds import DECKS
from hsevo.strength.rating import Estimate
from hsevo.types import Array

MAP = ("generation", "cell_1", "cell_2", "deck", "rate", "rate_low", "rate_high")
P = TypeVar("P", bound=config.Section)


class PoolRun(Retold[P]):
    """A run that makes decks of a pool."""

    @functools.cached_property
    def pool(self) -> DeckPool:
        """The pool as it was when the run began. Raises RunError."""
        with self.reading("pool"):
            return pool_of(self.about["pool"], self.plan.ruleset)  # type: ignore[attr-defined]

    def _met(self, rows: pd.DataFrame, column: str, m: int) -> tuple[Array, Array]:
        """Return who played, (n,), and RESULT (n, m), of lines of matches.csv. Raises RunError."""
        who = rows[column].to_numpy(np.int64)
        if len(rows) % m or (who.reshape(-1, m) != who[::m, None]).any():
            raise RunError(f"{self.path / 'matches.csv'} is damaged: a generation lacks matches")
        return who[::m], results_of(rows).reshape(-1, m)


@dataclass(frozen=True)
class DeckState(RetoldState[Plan]):
    """A search at one moment; before the first generation, its tables are empty."""

    archive: pd.DataFrame  # of a finished search


class DeckEvolution(PoolRun[Plan]):
    """A run folder of hsevo decks evolve, finished or not. Raises RunError if `path` is not one.

    >>> few = {"search.generations": 2, "search.first": 4, "search.lambda": 4, "search.mu": 2,
    ...        "games": 2, "confirm.games": 2, "confirm.best": 2, "field": ["mage"]}
    >>> path = hsevo.evolve_decks("deck-smoke", out="runs/decks", changes=few).path
    >>> hsevo.DeckEvolution(path)
    DeckEvolution('runs/decks': deck-smoke, seed 1, 2 of 2 generations, done)
    >>> len(hsevo.DeckEvolution(path).best)
    30
    """

    FIELDS: ClassVar[Fields] = {
        **Retold.FIELDS, "best": lambda self: self.best if self.done else None,
        "rate": lambda self: self.rate if self.done else None, "generations": "generations",
        "archive": "archive"}

    KIND, FORMATS, PLAN = DECKS, {FORMAT: {}}, Plan
    SPEC = "AGENT@RUN/best.txt"
    STEPS, TABLES, STATE = "search.generations", ALL_TABLES, DeckState
    EXAMPLE = "{'search.generations': 50}"
    LOGS, TAG = "deck-search", "search"
    STATE_AS_JSON = False

    @property
    def generations(self) -> pd.DataFrame:
        """A row a generation: games, decks so far, the best and its rate, cells."""
        return self.now().table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """Every deck that was made: number, parents, cards, features, games, rate and its ends.

        rate: of all its games in the search; the highest of many are too high.
        """
        run = self.now()
        table, opponents = run.table("decks.csv"), len(run.field.decks)
        pilots = len(run.plan.pilots)
        results = np.zeros((len(table), pilots * opponents), RESULT)
        for numbers, played in (met[DECKS_PLAYED] for met in run.stored()):
            for name in RESULT.names or ():
                results[name][numbers] += played[name]
        rates = Rates(results, run.field.weights(pilots), opponents)
        low, high = rates.ends()
        return table.assign(games=results["games"].sum(axis=1), rate=rates.rate(), rate_low=low,
                            rate_high=high)

    @property
    def maps(self) -> pd.DataFrame:
        """The map after each parting of its cells, with search.boundaries: sliding; else empty.

        A line per elite: columns generation, cell_1, cell_2, deck, rate (of its games until then),
        rate_low, rate_high. The search is told again for it. Raises RunError.
        """
        run = self.now()
        parts: list[pd.DataFrame] = []

        def watch(number: int, course: DeckCourse) -> None:
            if not (number + 1) % search.remap:
                parts.append(map_table(number, course))

        search = run.plan.search
        if search.strategy == "map-elites" and search.boundaries == "sliding":
            run.told(watch)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*MAP])

    @property
    def archive(self) -> pd.DataFrame:
        """The decks that stayed, the best first, with confirmed rates; empty until it is done."""
        return self.now().table("archive.csv")

    @property
    def confirmed(self) -> pd.DataFrame:
        """The games after the search, a row a match-up; empty until it is done."""
        return self.now().table("confirmed.csv")

    @property
    def best(self) -> Deck:
        """The best deck, as its games after the search say. Raises RunError until it is done."""
        self._refuse_open("best deck")
        return Deck(self.path / "best.txt")

    @property
    def rate(self) -> Estimate:
        """The best deck's win rate in games that chose nothing, with its 95 % interval.

        Raises RunError until it is done.
        """
        self._refuse_open("best deck")
        row = self.archive.iloc[0]
        return Estimate(*(float(row[f"confirmed_{name}"]) for name in (
            "rate", "rate_low", "rate_high")))

    # --- What it is made of

    @classmethod
    def read_parts(cls, plan: Plan) -> tuple[DeckPool, Field]:
        """Read the pool and the field of a new run. Raises HsevoError."""
        pool, field = pool_of_plan(plan.pool, plan.ruleset), read_field(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field

    @classmethod
    def make(cls, path: Path, plan: Plan, pool: DeckPool, field: Field) -> Self:
        """Make the folder, whole or not at all. Raises RunError."""
        return cls._make(path, plan, marks(), {"field": field.data(), "pool": pool_data(pool)},
                         named=str(path), folders=["decks"])

    def given(self) -> dict[str, Sequence[str]]:
        """Return what is seen of its games, if they are watched."""
        return {"watched": SEEN if self.plan.watches else ()}

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine and the method."""
        return marks()

    @functools.cached_property
    def field(self) -> Field:
        """The field as it was when the run began. Raises RunError."""
        with self.reading("field"):
            return Field.of(self.about["field"], self.plan.ruleset)

    @property
    def parts(self) -> tuple[DeckPool, Field]:
        """Its pool and its field."""
        return self.pool, self.field

    # --- Its course and its games

    def course(self) -> DeckCourse:
        """Return the search at its beginning. Raises RunError."""
        return DeckCourse(self.plan, self.pool, self.field)

    def playing(self, course: DeckCourse, executor: Executor, on_games: OnGames) -> Plays:
        """Return what plays decks of a generation against the field."""
        plan, games = self.plan, FieldGames(self.plan, self.field, self.plan.pilots)

        def play(number: int, decks: Array) -> Array:
            return games.play(executor, [deck_of(course, i) for i in decks.tolist()],
                              plan.games, (plan.seed, Stream.DECK_SEARCH, number), on_games,
                              watch=plan.watches and bool(course.book.unplayed(decks).any()))

        return (play,)

    def replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up the results of decks of a generation."""
        return (lambda number, decks: stored(number, DECKS_PLAYED, decks),)

    def last(self, course: DeckCourse, executor: Executor, on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""
        return files(self.tables, course, confirm(self.field, course, executor, on_games))

    @classmethod
    def most_games(cls, plan: Plan, parts: tuple[DeckPool, Field], numbers: range,
                   last: bool) -> int:
        """Return how many games these generations, and the last games, have at most."""
        opponents = len(parts[1].decks)
        return (most_games(plan, opponents * len(plan.pilots), numbers)
                + games_to_confirm(plan, opponents) * last)

    @classmethod
    def sample(cls, plan: Plan, parts: tuple[DeckPool, Field]) -> tuple[
            list[Deck], int, Callable[[Executor, Sequence[Deck]], object]]:
        """Return random decks, the games of each, and what plays some."""
        pool, field = parts
        key = (plan.seed, Stream.DECK_SEARCH, 0)
        random, games = generator(key), FieldGames(plan, field, plan.pilots)
        decks = [pool.deck(random_deck(pool, random), f"deck-{i}")
                 for i in range(plan.search.first)]
        return decks, len(games.deck) * plan.games, lambda executor, some: games.play(
            executor, some, plan.games, key, watch=plan.watches)

    @classmethod
    def words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""
        rate, low, high = (100 * line[name] for name in ("rate", "rate_low", "rate_high"))
        best = f"deck-{int(line['best'])} best: {rate:.1f} % ({low:.1f} to {high:.1f})"
        own = {"rate": [f"mean {100 * line['mean_fitness']:.1f} %"],
               "worst": [f"worst match-up {100 * line['fitness']:.1f} %"],
               "health": [f"health {line['fitness']:+.2f}"]}[plan.fitness]
        cells = [f"{int(line['cells'])} cells"] if plan.search.strategy == "map-elites" else []
        return best, *own, *cells

    def details(self) -> dict[str, Any]:
        """Return its tables, for its state."""
        return super().details() | {"archive": self.table("archive.csv")}

    # --- Its tables

    def stored(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return the decks that played in each generation, (n,), and their RESULT (n, m).

        Raises RunError if they do not add up.
        """
        table, m = self.table("matches.csv"), len(self.plan.pilots) * len(self.field.decks)
        return [{DECKS_PLAYED: self._met(table[table["generation"] == number], "deck", m)}
                for number in range(self.steps_done)]

    def played(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of matches.csv of a generation."""
        made, _ = step
        decks, results = made.met[DECKS_PLAYED]
        matches = meetings_table(self.field, decks.tolist(), results, self.plan.pilots)
        matches.insert(0, "generation", made.number)
        return {"matches.csv": matches}

    def following(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of the other tables."""
        made, course = step
        return {"decks.csv": decks_table(course.book, made.new),
                "generations.csv": pd.DataFrame([made.line])}


def pool_of_plan(pool: PoolSettings, ruleset: str) -> DeckPool:
    """Return the cards that decks of a plan may be built of. Raises CardError, ConfigError."""
    return DeckPool.of(pool.cls, ruleset, sets=pool.sets, collection=pool.collection,
                       keep=pool.keep, ban=pool.ban)


def map_table(number: int, course: DeckCourse) -> pd.DataFrame:
    """Return the map of a search after a generation: a line per elite, columns MAP."""
    assert isinstance(course.strategy, DeckMapElites)
    cells = sorted(course.strategy.archive.cells.items())
    rates = course.book.rates(np.array([deck for _, deck in cells], np.int64))
    low, high = rates.ends()
    values = (number, *zip(*(cell for cell, _ in cells), strict=True), [deck for _, deck in cells],
              rates.rate(), low, high)
    return pd.DataFrame(dict(zip(MAP, values, strict=True)))


def evolve_decks(source: str | Path | Plan = "human-field",
                 changes: Mapping[str, Any] | None = None, *, out: str | Path | None = None,
                 minutes: float | None = None, log: Sequence[str] = (), progress: Progress = False,
                 **fields: Unpack[DeckFields]) -> DeckEvolution:
    """Find decks that beat a field, into a run folder, and return the run.

    source: the name of a config in configs/decks, a path, or a Plan. changes: keys of the config
    with other values, {"pool.class": "rogue", "search.generations": 50}; those without a point may
    be keywords, too, as seed=7, and so may workers and backend. log: "tensorboard".
    minutes: plan as many generations as fit into them; not with generations in changes.
    Results are bit-identical with any workers and backend. A stopped run continues with
    `DeckEvolution(path).resume()`.

    Raises ConfigError, DeckError, CardError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"search.generations": 2, "search.first": 4, "search.lambda": 4, "search.mu": 2,
    ...        "games": 2, "confirm.games": 2, "confirm.best": 2, "field": ["mage"]}
    >>> run = hsevo.evolve_decks("deck-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.generations["decks"].tolist()
    [4, 8]
    """
    return DeckEvolution.begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})


def of_stage(run: DeckEvolution, stage: str) -> pd.DataFrame:
    """Return the games of a stage of confirming: rows of confirmed.csv."""
    table = run.table("confirmed.csv")
    rows: pd.DataFrame = table[table["stage"] == stage].reset_index(drop=True)
    return rows


def rates_of(run: DeckEvolution, rows: pd.DataFrame, weights: Array) -> pd.DataFrame:
    """Return the rates of groups of rows of confirmed.csv: games, rate, low, high.

    rows: in the order of meetings, len(weights) a group.
    """
    results = np.zeros(len(rows), RESULT)
    for name in COUNTS:
        results[name] = rows[name]
    rates = Rates(results.reshape(-1, len(weights)), weights, 1)
    low, high = rates.ends()
    return pd.DataFrame({"games": rates.results["games"].sum(axis=1), "rate": rates.rate(),
                         "low": low, "high": high})


def summary(run: DeckEvolution) -> pd.DataFrame:
    """Return the decks of the last games under each pilot: deck, pilot, games, rate, low, high."""
    rows, k = of_stage(run, LAST), len(run.field.decks)
    names = rows[["deck", "pilot"]].iloc[::k].reset_index(drop=True)
    return pd.concat([names, rates_of(run, rows, run.field.weights(1))], axis=1)
