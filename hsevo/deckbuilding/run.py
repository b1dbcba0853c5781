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
    """Hold a run that makes decks from a card pool."""

    @functools.cached_property
    def pool(self) -> DeckPool:
        """Card pool at the beginning of the run.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        with self._reading("pool"):
            return pool_of(self.about["pool"], self.plan.ruleset)  # type: ignore[attr-defined]

    def _met(self, rows: pd.DataFrame, column: str, m: int) -> tuple[Array, Array]:
        """Return players, (n,), and RESULT (n, m), of lines of matches.csv. Raises RunError."""
        who = rows[column].to_numpy(np.int64)
        if len(rows) % m or (who.reshape(-1, m) != who[::m, None]).any():
            raise RunError(f"{self.path / 'matches.csv'} is damaged: a generation lacks matches")
        return who[::m], results_of(rows).reshape(-1, m)


@dataclass(frozen=True)
class DeckState(RetoldState[Plan]):
    """Hold the state of a search; its tables are empty before the first generation."""

    archive: pd.DataFrame  # of a finished search


class DeckEvolution(PoolRun[Plan]):
    """Open a run folder of `hsevo.evolve_decks`, finished or not.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.

    Examples
    --------
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
        """One row for each generation: games, number of decks, the best deck, cells."""
        return self._now().table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """All decks: number, parents, cards, features, games, rate and its interval.

        The rate is of all games in the search. The highest rates are biased upwards by selection.
        """
        run = self._now()
        table, opponents = run.table("decks.csv"), len(run.field.decks)
        pilots = len(run.plan.pilots)
        results = np.zeros((len(table), pilots * opponents), RESULT)
        for numbers, played in (met[DECKS_PLAYED] for met in run._stored_results()):
            for name in RESULT.names or ():
                results[name][numbers] += played[name]
        rates = Rates(results, run.field.weights(pilots), opponents)
        low, high = rates.ends()
        return table.assign(games=results["games"].sum(axis=1), rate=rates.rate(), rate_low=low,
                            rate_high=high)

    @property
    def maps(self) -> pd.DataFrame:
        """Map after each update of its cell boundaries. Empty without `search.boundaries: sliding`.

        One row for each elite: columns generation, cell_1, cell_2, deck, rate (of its games until
        then), rate_low, rate_high. The search is replayed from its stored results.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        run = self._now()
        parts: list[pd.DataFrame] = []

        def watch(number: int, course: DeckCourse) -> None:
            if not (number + 1) % search.remap:
                parts.append(map_table(number, course))

        search = run.plan.search
        if search.strategy == "map-elites" and search.boundaries == "sliding":
            run._told(watch)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*MAP])

    @property
    def archive(self) -> pd.DataFrame:
        """Surviving decks, the best first, with confirmed rates. Empty before the end."""
        return self._now().table("archive.csv")

    @property
    def confirmed(self) -> pd.DataFrame:
        """Games after the search, one row for each match-up. Empty before the end."""
        return self._now().table("confirmed.csv")

    @property
    def best(self) -> Deck:
        """Best deck by the games after the search.

        Raises
        ------
        RunError
            If the run is not finished.
        """
        self._refuse_open("best deck")
        return Deck(self.path / "best.txt")

    @property
    def rate(self) -> Estimate:
        """Win rate of the best deck, with its 95 % interval.

        The games were not used for selection.

        Raises
        ------
        RunError
            If the run is not finished.
        """
        self._refuse_open("best deck")
        row = self.archive.iloc[0]
        return Estimate(*(float(row[f"confirmed_{name}"]) for name in (
            "rate", "rate_low", "rate_high")))

    # --- What it is made of

    @classmethod
    def _read_parts(cls, plan: Plan) -> tuple[DeckPool, Field]:
        pool, field = pool_of_plan(plan.pool, plan.ruleset), read_field(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field

    @classmethod
    def make(cls, path: Path, plan: Plan, pool: DeckPool, field: Field) -> Self:
        return cls._make(path, plan, marks(), {"field": field.data(), "pool": pool_data(pool)},
                         named=str(path), folders=["decks"])

    def _placeholders(self) -> dict[str, Sequence[str]]:
        """Return the features of its games, if they are recorded."""
        return {"watched": SEEN if self.plan.watches else ()}

    def _marks(self) -> dict[str, str]:
        return marks()

    @functools.cached_property
    def field(self) -> Field:
        """Opponent decks at the beginning of the run.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        with self._reading("field"):
            return Field.of(self.about["field"], self.plan.ruleset)

    @property
    def _inputs(self) -> tuple[DeckPool, Field]:
        return self.pool, self.field

    # --- Its course and its games

    def _course(self) -> DeckCourse:
        return DeckCourse(self.plan, self.pool, self.field)

    def _playing(self, course: DeckCourse, executor: Executor, on_games: OnGames) -> Plays:
        plan, games = self.plan, FieldGames(self.plan, self.field, self.plan.pilots)

        def play(number: int, decks: Array) -> Array:
            return games.play(executor, [deck_of(course, i) for i in decks.tolist()],
                              plan.games, (plan.seed, Stream.DECK_SEARCH, number), on_games,
                              watch=plan.watches and bool(course.book.unplayed(decks).any()))

        return (play,)

    def _replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        return (lambda number, decks: stored(number, DECKS_PLAYED, decks),)

    def _play_last(self, course: DeckCourse, executor: Executor,
                   on_games: OnGames) -> dict[str, bytes]:
        return files(self.tables, course, confirm(self.field, course, executor, on_games))

    @classmethod
    def _most_games(cls, plan: Plan, parts: tuple[DeckPool, Field], numbers: range,
                   last: bool) -> int:
        opponents = len(parts[1].decks)
        return (most_games(plan, opponents * len(plan.pilots), numbers)
                + games_to_confirm(plan, opponents) * last)

    @classmethod
    def _sample(cls, plan: Plan, parts: tuple[DeckPool, Field]) -> tuple[
            list[Deck], int, Callable[[Executor, Sequence[Deck]], object]]:
        pool, field = parts
        key = (plan.seed, Stream.DECK_SEARCH, 0)
        random, games = generator(key), FieldGames(plan, field, plan.pilots)
        decks = [pool.deck(random_deck(pool, random), f"deck-{i}")
                 for i in range(plan.search.first)]
        return decks, len(games.deck) * plan.games, lambda executor, some: games.play(
            executor, some, plan.games, key, watch=plan.watches)

    @classmethod
    def _words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        rate, low, high = (100 * line[name] for name in ("rate", "rate_low", "rate_high"))
        best = f"deck-{int(line['best'])} best: {rate:.1f} % ({low:.1f} to {high:.1f})"
        own = {"rate": [f"mean {100 * line['mean_fitness']:.1f} %"],
               "worst": [f"worst match-up {100 * line['fitness']:.1f} %"],
               "health": [f"health {line['fitness']:+.2f}"]}[plan.fitness]
        cells = [f"{int(line['cells'])} cells"] if plan.search.strategy == "map-elites" else []
        return best, *own, *cells

    def _details(self) -> dict[str, Any]:
        return super()._details() | {"archive": self.table("archive.csv")}

    # --- Its tables

    def _stored_results(self) -> list[dict[str, tuple[Array, Array]]]:
        table, m = self.table("matches.csv"), len(self.plan.pilots) * len(self.field.decks)
        return [{DECKS_PLAYED: self._met(table[table["generation"] == number], "deck", m)}
                for number in range(self.steps_done)]

    def _played_lines(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        generation, _ = step
        decks, results = generation.met[DECKS_PLAYED]
        matches = meetings_table(self.field, decks.tolist(), results, self.plan.pilots)
        matches.insert(0, "generation", generation.number)
        return {"matches.csv": matches}

    def _following_lines(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        generation, course = step
        return {"decks.csv": decks_table(course.book, generation.new),
                "generations.csv": pd.DataFrame([generation.line])}


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
    """Evolve decks that beat a metagame, into a run folder.

    Results are bit-identical for any workers and backend. Continue a stopped run with
    `hsevo.DeckEvolution(path).resume()`.

    Parameters
    ----------
    source : str or Path or Plan, default "human-field"
        Name of a config in configs/decks, path of a config, or plan.
    changes : mapping, optional
        Keys of the config with other values: {"pool.class": "rogue", "search.generations": 50}.
    out : str or Path, optional
        New run folder. Default: runs/NAME-seed-SEED-DATE-TIME.
    minutes : float, optional
        Plan as many steps as fit into this time, in minutes. Not together with a number of steps in
        `changes`.
    log : sequence of str, optional
        Logs to write: "tensorboard".
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : DeckFields
        Keys of the config without a point, such as `seed`, and `workers` and `backend`.

    Returns
    -------
    DeckEvolution
        The finished run.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> few = {"search.generations": 2, "search.first": 4, "search.lambda": 4, "search.mu": 2,
    ...        "games": 2, "confirm.games": 2, "confirm.best": 2, "field": ["mage"]}
    >>> run = hsevo.evolve_decks("deck-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.generations["decks"].tolist()
    [4, 8]
    """
    return DeckEvolution._begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        keywords={**fields, "out": str(out) if out else None})


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
