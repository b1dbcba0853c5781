"""`hsevo.coevolve` and `hsevo.Coevolution`: decks and their pilots' weights, and their run folder.

A step is a generation; folder.py has the tables.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.coevolution.confirm import confirm, files, games_to_confirm, last
from hsevo.coevolution.course import (
    DECKS,
    POPULATIONS,
    REFERENCE,
    Meetings,
    PairCourse,
    PairGeneration,
    games_of,
    genome_of,
    measured,
)
from hsevo.coevolution.folder import ALL_TABLES, FORMAT, marks, matches_table, weights_table
from hsevo.coevolution.pairs import (
    DECK_GAMES,
    REFERENCE_GAMES,
    WEIGHT_GAMES,
    Pair,
    ReferencePairs,
    play_pairs,
    read_first,
)
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import RESULT, results_of
from hsevo.deckbuilding.field import Field, read_field
from hsevo.deckbuilding.folder import decks_table, pool_data
from hsevo.deckbuilding.run import PoolRun, pool_of_plan
from hsevo.deckbuilding.strategies import random_deck
from hsevo.errors import RunError
from hsevo.experiments.loggers import LogEntry
from hsevo.experiments.playing import Progress
from hsevo.experiments.retold import Plays, Retold, RetoldState
from hsevo.generated import CoevolveFields
from hsevo.objects import Fields
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, generator
from hsevo.store.kinds import COEVOLUTION
from hsevo.strength.agents import Agent
from hsevo.strength.rating import Estimate
from hsevo.types import Array

NONE: Array = np.zeros((1, 0), RESULT)  # games, of a champion that is not measured
Step = tuple[PairGeneration, PairCourse]


@dataclass(frozen=True)
class CoevolutionState(RetoldState[Plan]):
    """Hold the state of a coevolution; its tables are empty before the first generation.

    generations: generations.csv. reference: the champions that met the reference decks, one row
    each: generation, deck, pilot, games, rate, low, high. confirmed: the pairs of the last games,
    the champion first, at the end.
    """

    reference: pd.DataFrame
    confirmed: pd.DataFrame


class Coevolution(PoolRun[Plan]):
    """Open a run folder of `hsevo.coevolve`, finished or not.

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
    >>> few = {"generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
    ...        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["warrior"],
    ...        "confirm.games": 2, "confirm.choosing": 2}
    >>> path = hsevo.coevolve("coevolve-smoke", out="runs/together", changes=few).path
    >>> hsevo.Coevolution(path)
    Coevolution('runs/together': coevolve-smoke, seed 1, 2 of 2 generations, done)
    >>> len(hsevo.Coevolution(path).deck)
    30
    """

    FIELDS: ClassVar[Fields] = {
        **Retold.FIELDS, "deck": lambda self: self.deck if self.done else None,
        "agent": lambda self: self.agent.spec if self.done else None,
        "rate": lambda self: self.rate if self.done else None, "confirmed": "confirmed",
        "reference": "reference", "hall": "hall", "generations": "generations"}

    KIND, FORMATS, PLAN = COEVOLUTION, {FORMAT: {}}, Plan
    SPEC = "KIND:RUN/champion.yaml@RUN/champion.txt"
    STEPS, TABLES, STATE = "generations", ALL_TABLES, CoevolutionState
    EXAMPLE = "{'generations': 100}"
    MAY_BE_EMPTY = ("references.csv",)
    LOGS = TAG = "coevolution"
    STATE_AS_JSON = False

    @property
    def generations(self) -> pd.DataFrame:
        """One row for each generation: the best deck and weights, with their rates."""
        return self._now().table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """All decks: number, parents, cards, features."""
        return self._now().table("decks.csv")

    @property
    def weights(self) -> pd.DataFrame:
        """All weight vectors: number, parent, weights, step sizes."""
        return self._now().table("weights.csv")

    @property
    def reference(self) -> pd.DataFrame:
        """Champions that met the reference decks.

        Columns generation, deck, pilot, games, rate, low, high.
        """
        return reference_table(self._now())

    @property
    def confirmed(self) -> pd.DataFrame:
        """Results of the last games. Empty before the end.

        Rows: the champion, its deck with the first pilot, the first deck with the champion's pilot,
        and the first pair. Columns deck, pilot, games, rate, low, high.
        """
        return self._now()._confirmed()

    @property
    def hall(self) -> pd.DataFrame:
        """Hall of fame at the end: generation, deck, pilot, cards. Empty before the end."""
        return self._now().table("hall.csv")

    @property
    def deck(self) -> Deck:
        """Deck of the champion.

        Raises
        ------
        RunError
            If the run is not finished.
        """
        self._refuse_open("champion")
        return Deck(self.path / "champion.txt")

    @property
    def agent(self) -> Agent:
        """Agent of the champion, with its deck.

        Raises
        ------
        RunError
            If the run is not finished.
        """
        self._refuse_open("champion")
        return Agent(self.spec, deck=str(self.path / "champion.txt"))

    @property
    def spec(self) -> str:
        """Spec of the champion's agent: eva:RUN/champion.yaml."""
        kind, _, options = self.plan.agent.kind.partition("?")
        return f"{kind}:{self.path}/champion.yaml" + (f"?{options}" if options else "")

    @property
    def rate(self) -> Estimate:
        """Win rate of the champion against the reference decks, with its 95 % interval.

        The games were not used for selection.

        Raises
        ------
        RunError
            If the run is not finished.
        """
        self._refuse_open("champion")
        row = self.confirmed.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    # --- What it is made of

    @classmethod
    def _read_parts(cls, plan: Plan) -> tuple[DeckPool, Field, Sequence[Pair]]:
        pool = pool_of_plan(plan.pool, plan.ruleset)
        field, first = read_field(plan.search), read_first(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field, first

    @classmethod
    def make(cls, path: Path, plan: Plan, pool: DeckPool, field: Field,
             first: Sequence[Pair]) -> Self:
        return cls._make(path, plan, marks(genome_of(plan)), {
            "hall": [pair.data() for pair in first], "field": field.data(),
            "pool": pool_data(pool)}, named=str(path))

    def _placeholders(self) -> dict[str, Sequence[str]]:
        """Return the names of the weights."""
        return {"weight": self.genome.names}

    def _marks(self) -> dict[str, str]:
        return marks(self.genome)

    @functools.cached_property
    def genome(self) -> Genome:
        """Weights that evolve.

        Raises
        ------
        AgentError
            If an agent is unknown, damaged or unable to play here.
        """
        return genome_of(self.plan)

    @functools.cached_property
    def reference_pairs(self) -> ReferencePairs:
        """Reference decks at the beginning of the run.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        with self._reading("field"):
            return ReferencePairs(self.plan, Field.of(self.about["field"], self.plan.ruleset))

    @functools.cached_property
    def _first_pairs(self) -> tuple[Pair, ...]:
        """First pairs of the hall of fame at the beginning of the run."""
        with self._reading("hall"):
            pairs = tuple(Pair.of(entry, self.plan.ruleset) for entry in self.about["hall"])
            if len(pairs) != len(self.plan.hall.first):
                raise ValueError("its pairs are inconsistent")
            return pairs

    @property
    def _inputs(self) -> tuple[DeckPool, Field, tuple[Pair, ...]]:
        return self.pool, self.reference_pairs.field, self._first_pairs

    # --- Its course and its games

    def _course(self) -> PairCourse:
        return PairCourse(self.plan, self.pool, self.genome, self._first_pairs,
                          self.reference_pairs.field.start)

    def _playing(self, course: PairCourse, executor: Executor, on_games: OnGames) -> Plays:
        plan, key = self.plan, (self.plan.seed, Stream.COEVOLUTION)

        def play(meetings: Meetings) -> Array:
            use = DECK_GAMES if meetings.population == DECKS else WEIGHT_GAMES
            return play_pairs(executor, plan, meetings.own, meetings.theirs, plan.games,
                              (*key, meetings.number, use), on_games)

        def measure(number: int, champion: Pair) -> Array:
            if not measured(plan, number):
                return NONE
            return self.reference_pairs.play(executor, [champion], plan.reference.games,
                                             (*key, number, REFERENCE_GAMES), on_games)

        return play, measure

    def _replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        return (lambda meetings: stored(meetings.number, meetings.population, meetings.candidates),
                lambda number, champion: stored(number, REFERENCE, np.array([number]))
                if measured(self.plan, number) else NONE)

    def _play_last(self, course: PairCourse, executor: Executor,
                   on_games: OnGames) -> dict[str, bytes]:
        reference = self.reference_pairs
        return files(self.tables, course, reference,
                     confirm(course, reference, executor, on_games))

    @classmethod
    def _most_games(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]], numbers: range,
                   last: bool) -> int:
        _, field, first = parts
        decks, champions = len(field.decks), sum(measured(plan, number) for number in numbers)
        return (sum(games_of(plan, number) for number in numbers)
                + champions * decks * plan.reference.games
                + games_to_confirm(plan, len(first), decks) * last)

    @classmethod
    def _sample(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]]) -> tuple[
            list[Pair], int, Callable[[Executor, Sequence[Pair]], object]]:
        pool, field, _ = parts
        key, each = (plan.seed, Stream.COEVOLUTION), 2 * len(field.decks)
        random, genome, reference = generator(key), genome_of(plan), ReferencePairs(plan, field)
        agent = genome.build(genome.default[None])
        pairs = [Pair("base", pool.deck(random_deck(pool, random), f"deck-{i}"), agent)
                 for i in range(max(games_of(plan, 0) // each, 1))]
        return pairs, each, lambda executor, some: reference.play(executor, some, 2, key)

    @classmethod
    def _words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        return (f"deck-{int(line['deck'])} {100 * line['deck_rate']:.1f} %,"
                f" individual-{int(line['individual'])} {100 * line['individual_rate']:.1f} %"
                " against the hall", f"sigma {line['sigma']:.3f}")

    @property
    def _legend(self) -> str:
        """Explanation of the measurements of a generation."""
        return ("win rates of the best of a generation against the hall of fame, which changes;"
                " biased upwards; reference decks are not used for selection")

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return a generation in words, first its champion against the reference decks, if any."""
        rates = self._rates(step[0])
        said = [f"{row['pilot']}@{row['deck']} {100 * row['rate']:.1f} % ({100 * row['low']:.1f} to"
                f" {100 * row['high']:.1f}) against the reference decks"
                for row in rates.to_dict("records")]
        return (*said, *super()._figures(step))

    def _details(self) -> dict[str, Any]:
        return super()._details() | {"reference": reference_table(self),
                                    "confirmed": self._confirmed()}

    def _confirmed(self) -> pd.DataFrame:
        confirmed = self.table("confirmed.csv")
        return last(self.reference_pairs, confirmed) if len(confirmed) else confirmed

    def _entries(self) -> Iterator[LogEntry]:
        rates = reference_table(self)
        for line in self.table("generations.csv").to_dict("records"):
            yield self._entry(line, _logged(rates[rates["generation"] == line["generation"]]))

    def _entry_of(self, step: Step) -> LogEntry:
        return self._entry(step[0].line, _logged(self._rates(step[0])))

    def _rates(self, generation: PairGeneration) -> pd.DataFrame:
        """Return the champion's games against the reference decks, as `reference_table` does."""
        if not generation.references.size:
            return pd.DataFrame()
        rates = self.reference_pairs.rates(generation.references)
        low, high = rates.ends()
        return pd.DataFrame({
            "pilot": generation.champion.pilot, "deck": generation.champion.deck.name,
            "rate": rates.rate(), "low": low, "high": high})

    # --- Its tables

    def _stored_results(self) -> list[dict[str, tuple[Array, Array]]]:
        table, champions, generations = self.table("matches.csv"), self._champions(), []
        for number in range(self.steps_done):
            here = table[table["generation"] == number]
            met = {name: self._met(here[here["population"] == name], "number", self.plan.slots)
                   for name in POPULATIONS}
            if number in champions:
                met[REFERENCE] = np.array([number]), champions[number]
            generations.append(met)
        return generations

    def _champions(self) -> dict[int, Array]:
        """Return the games of champions against the reference, RESULT (1, k), by generation."""
        table = self.table("references.csv")
        k = len(self.reference_pairs.field.decks)
        if len(table) % k:
            raise RunError(f"{self.path / 'references.csv'} is damaged: it lacks games")
        results = results_of(table).reshape(-1, k) if len(table) else ()
        numbers = table["generation"].tolist()[::k] if len(table) else ()
        return {int(number): row[None] for number, row in zip(numbers, results, strict=True)}

    def _played_lines(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        generation, _ = step
        references = self.reference_pairs.table([generation.champion], generation.references) if (
            generation.references.size) else pd.DataFrame()
        if len(references):
            references.insert(0, "generation", generation.number)
        return {"references.csv": references, "matches.csv": pd.concat(
            [matches_table(meetings, results) for meetings, results in zip(
                generation.meetings, generation.results, strict=True)])}

    def _following_lines(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        generation, course = step
        return {"decks.csv": decks_table(course.book, generation.decks),
                "weights.csv": weights_table(self.genome, generation.weights),
                "generations.csv": pd.DataFrame([generation.line])}


def reference_table(run: Coevolution) -> pd.DataFrame:
    """Return the champions that met the reference decks, as in a state."""
    table = run.table("references.csv")
    if not len(table):
        return pd.DataFrame(columns=["generation", "deck", "pilot", "games", "rate", "low", "high"])
    k = len(run.reference_pairs.field.decks)
    results = results_of(table).reshape(-1, k)
    rates = run.reference_pairs.rates(results)
    low, high = rates.ends()
    names = table[["generation", "deck", "pilot"]].iloc[::k].reset_index(drop=True)
    return names.assign(games=results["games"].sum(axis=1), rate=rates.rate(), low=low, high=high)


def _logged(rates: pd.DataFrame) -> dict[str, float]:
    """Return the log values of a champion's games, by name; empty if there are none."""
    return {f"reference/{name}": float(row[name]) for row in rates.to_dict("records")
            for name in ("rate", "low", "high")}


def coevolve(source: str | Path | Plan = "user-deck", changes: Mapping[str, Any] | None = None, *,
             out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
             progress: Progress = False, **fields: Unpack[CoevolveFields]) -> Coevolution:
    """Coevolve decks and the weights of their pilots, into a run folder.

    Results are bit-identical for any workers and backend. Continue a stopped run with
    `hsevo.Coevolution(path).resume()`.

    Parameters
    ----------
    source : str or Path or Plan, default "user-deck"
        Name of a config in configs/coevolve, path of a config, or plan.
    changes : mapping, optional
        Keys of the config with other values: {"pool.class": "rogue", "generations": 100}.
    out : str or Path, optional
        New run folder. Default: runs/NAME-seed-SEED-DATE-TIME.
    minutes : float, optional
        Plan as many steps as fit into this time, in minutes. Not together with a number of steps in
        `changes`.
    log : sequence of str, optional
        Logs to write: "tensorboard".
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : CoevolveFields
        Keys of the config without a point, such as `seed`, and `workers` and `backend`.

    Returns
    -------
    Coevolution
        The finished run.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> few = {"generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
    ...        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["warrior"],
    ...        "confirm.games": 2, "confirm.choosing": 2}
    >>> run = hsevo.coevolve("coevolve-smoke", seed=7, out="runs/both", changes=few)
    >>> run.confirmed["games"].tolist()
    [2, 2, 2, 2]
    """
    return Coevolution._begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        keywords={**fields, "out": str(out) if out else None})
