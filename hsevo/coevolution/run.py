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
    """A coevolution at one moment; before the first generation, its tables are empty.

    generations: generations.csv. reference: the champions that met the reference decks, a line
    each: generation, deck, pilot, games, rate, low, high. confirmed: the pairs of the last games,
    the champion first, once it is done.
    """

    reference: pd.DataFrame
    confirmed: pd.DataFrame


class Coevolution(PoolRun[Plan]):
    """A run folder of hsevo coevolve, finished or not. Raises RunError if `path` is not one.

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
        """A row a generation: the best deck and weights, their rates against the hall."""
        return self.now().table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """Every deck that was made: number, parents, cards, features."""
        return self.now().table("decks.csv")

    @property
    def weights(self) -> pd.DataFrame:
        """All weights that were made: number, parent, weights, step sizes."""
        return self.now().table("weights.csv")

    @property
    def reference(self) -> pd.DataFrame:
        """The champions that met the reference decks: generation, deck, pilot, games, rate, ends.
        """
        return reference_table(self.now())

    @property
    def confirmed(self) -> pd.DataFrame:
        """The last games: the champion; its deck with the first pilot; the first deck with its
        pilot; the first pair. Columns deck, pilot, games, rate, low, high; empty until it is done.
        """
        return self.now()._confirmed()

    @property
    def hall(self) -> pd.DataFrame:
        """The hall of fame at the end: generation, deck, pilot, cards; empty until it is done."""
        return self.now().table("hall.csv")

    @property
    def deck(self) -> Deck:
        """The champion's deck. Raises RunError until it is done."""
        self._refuse_open("champion")
        return Deck(self.path / "champion.txt")

    @property
    def agent(self) -> Agent:
        """The champion's pilot, with its deck. Raises RunError until it is done."""
        self._refuse_open("champion")
        return Agent(self.spec, deck=str(self.path / "champion.txt"))

    @property
    def spec(self) -> str:
        """What names the champion's pilot: eva:RUN/champion.yaml."""
        kind, _, options = self.plan.agent.kind.partition("?")
        return f"{kind}:{self.path}/champion.yaml" + (f"?{options}" if options else "")

    @property
    def rate(self) -> Estimate:
        """The champion's win rate against the reference decks in games that chose nothing.

        With its 95 % interval. Raises RunError until it is done.
        """
        self._refuse_open("champion")
        row = self.confirmed.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    # --- What it is made of

    @classmethod
    def read_parts(cls, plan: Plan) -> tuple[DeckPool, Field, Sequence[Pair]]:
        """Read the pool, the reference decks and the first pairs of a new run. Raises HsevoError.
        """
        pool = pool_of_plan(plan.pool, plan.ruleset)
        field, first = read_field(plan.search), read_first(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field, first

    @classmethod
    def make(cls, path: Path, plan: Plan, pool: DeckPool, field: Field,
             first: Sequence[Pair]) -> Self:
        """Make the folder, whole or not at all. Raises RunError, AgentError."""
        return cls._make(path, plan, marks(genome_of(plan)), {
            "hall": [pair.data() for pair in first], "field": field.data(),
            "pool": pool_data(pool)}, named=str(path))

    def given(self) -> dict[str, Sequence[str]]:
        """Return its weights."""
        return {"weight": self.genome.names}

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine, the method, the genome."""
        return marks(self.genome)

    @functools.cached_property
    def genome(self) -> Genome:
        """The weights that evolve. Raises AgentError."""
        return genome_of(self.plan)

    @functools.cached_property
    def reference_pairs(self) -> ReferencePairs:
        """The reference decks as they were when the run began. Raises RunError."""
        with self.reading("field"):
            return ReferencePairs(self.plan, Field.of(self.about["field"], self.plan.ruleset))

    @functools.cached_property
    def first(self) -> tuple[Pair, ...]:
        """The first pairs of the hall as they were when the run began. Raises RunError."""
        with self.reading("hall"):
            found = tuple(Pair.of(one, self.plan.ruleset) for one in self.about["hall"])
            if len(found) != len(self.plan.hall.first):
                raise ValueError("its pairs do not add up")
            return found

    @property
    def parts(self) -> tuple[DeckPool, Field, tuple[Pair, ...]]:
        """Its pool, the field of its reference decks, and the first pairs of its hall."""
        return self.pool, self.reference_pairs.field, self.first

    # --- Its course and its games

    def course(self) -> PairCourse:
        """Return the coevolution at its beginning. Raises RunError."""
        return PairCourse(self.plan, self.pool, self.genome, self.first,
                          self.reference_pairs.field.start)

    def playing(self, course: PairCourse, executor: Executor, on_games: OnGames) -> Plays:
        """Return what plays the meetings of a population, and a champion against the reference."""
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

    def replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up the same."""
        return (lambda meetings: stored(meetings.number, meetings.population, meetings.candidates),
                lambda number, champion: stored(number, REFERENCE, np.array([number]))
                if measured(self.plan, number) else NONE)

    def last(self, course: PairCourse, executor: Executor, on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""
        reference = self.reference_pairs
        return files(self.tables, course, reference,
                     confirm(course, reference, executor, on_games))

    @classmethod
    def most_games(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]], numbers: range,
                   last: bool) -> int:
        """Return how many games these generations, and the last games, have at most."""
        _, field, first = parts
        decks, champions = len(field.decks), sum(measured(plan, number) for number in numbers)
        return (sum(games_of(plan, number) for number in numbers)
                + champions * decks * plan.reference.games
                + games_to_confirm(plan, len(first), decks) * last)

    @classmethod
    def sample(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]]) -> tuple[
            list[Pair], int, Callable[[Executor, Sequence[Pair]], object]]:
        """Return random decks with one pilot, the games of each, and what plays some."""
        pool, field, _ = parts
        key, each = (plan.seed, Stream.COEVOLUTION), 2 * len(field.decks)
        random, genome, reference = generator(key), genome_of(plan), ReferencePairs(plan, field)
        agent = genome.build(genome.default[None])
        pairs = [Pair("base", pool.deck(random_deck(pool, random), f"deck-{i}"), agent)
                 for i in range(max(games_of(plan, 0) // each, 1))]
        return pairs, each, lambda executor, some: reference.play(executor, some, 2, key)

    @classmethod
    def words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""
        return (f"deck-{int(line['deck'])} {100 * line['deck_rate']:.1f} %,"
                f" individual-{int(line['individual'])} {100 * line['individual_rate']:.1f} %"
                " against the hall", f"sigma {line['sigma']:.3f}")

    @property
    def legend(self) -> str:
        """What the figures of a generation are."""
        return ("against the hall: rates of the best of a generation, too high, and the hall"
                " changes; the reference decks choose nothing")

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return a generation in words, first its champion against the reference decks, if any."""
        rates = self._rates(step[0])
        said = [f"{row['pilot']}@{row['deck']} {100 * row['rate']:.1f} % ({100 * row['low']:.1f} to"
                f" {100 * row['high']:.1f}) against the reference decks"
                for row in rates.to_dict("records")]
        return (*said, *super()._figures(step))

    def details(self) -> dict[str, Any]:
        """Return its tables, for its state."""
        return super().details() | {"reference": reference_table(self),
                                    "confirmed": self._confirmed()}

    def _confirmed(self) -> pd.DataFrame:
        found = self.table("confirmed.csv")
        return last(self.reference_pairs, found) if len(found) else found

    def entries(self) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        rates = reference_table(self)
        for line in self.table("generations.csv").to_dict("records"):
            yield self._entry(line, _logged(rates[rates["generation"] == line["generation"]]))

    def entry(self, step: Step) -> LogEntry:
        """Return what a log has of a generation."""
        return self._entry(step[0].line, _logged(self._rates(step[0])))

    def _rates(self, made: PairGeneration) -> pd.DataFrame:
        """Return the champion's games against the reference decks, as `reference_table` does."""
        if not made.references.size:
            return pd.DataFrame()
        rates = self.reference_pairs.rates(made.references)
        low, high = rates.ends()
        return pd.DataFrame({
            "pilot": made.champion.pilot, "deck": made.champion.deck.name, "rate": rates.rate(),
            "low": low, "high": high})

    # --- Its tables

    def stored(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return who played in each generation, (n,), and their RESULT (n, m), by population.

        Raises RunError if they do not add up.
        """
        table, champions, found = self.table("matches.csv"), self._champions(), []
        for number in range(self.steps_done):
            here = table[table["generation"] == number]
            met = {name: self._met(here[here["population"] == name], "number", self.plan.slots)
                   for name in POPULATIONS}
            if number in champions:
                met[REFERENCE] = np.array([number]), champions[number]
            found.append(met)
        return found

    def _champions(self) -> dict[int, Array]:
        """Return the games of champions against the reference, RESULT (1, k), by generation."""
        table = self.table("references.csv")
        k = len(self.reference_pairs.field.decks)
        if len(table) % k:
            raise RunError(f"{self.path / 'references.csv'} is damaged: it lacks games")
        results = results_of(table).reshape(-1, k) if len(table) else ()
        numbers = table["generation"].tolist()[::k] if len(table) else ()
        return {int(number): one[None] for number, one in zip(numbers, results, strict=True)}

    def played(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of a generation that say what was played."""
        made, _ = step
        references = self.reference_pairs.table([made.champion], made.references) if (
            made.references.size) else pd.DataFrame()
        if len(references):
            references.insert(0, "generation", made.number)
        return {"references.csv": references, "matches.csv": pd.concat(
            [matches_table(one, results) for one, results in zip(
                made.meetings, made.results, strict=True)])}

    def following(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines that follow from it."""
        made, course = step
        return {"decks.csv": decks_table(course.book, made.decks),
                "weights.csv": weights_table(self.genome, made.weights),
                "generations.csv": pd.DataFrame([made.line])}


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
    """Return what a log has of a champion's games, by name; nothing if there are none."""
    return {f"reference/{name}": float(row[name]) for row in rates.to_dict("records")
            for name in ("rate", "low", "high")}


def coevolve(source: str | Path | Plan = "user-deck", changes: Mapping[str, Any] | None = None, *,
             out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
             progress: Progress = False, **fields: Unpack[CoevolveFields]) -> Coevolution:
    """Evolve decks and the weights of their pilots together, into a run folder; return the run.

    source: the name of a config in configs/coevolve, a path, or a Plan. changes: keys of the config
    with other values, {"pool.class": "rogue", "generations": 100}; those without a point may be
    keywords, too, as seed=7, and so may workers and backend. log: "tensorboard".
    minutes: plan as many generations as fit into them; not with generations in changes. Results are
    bit-identical with any workers and backend. A stopped run continues with
    `Coevolution(path).resume()`.

    Raises ConfigError, DeckError, CardError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
    ...        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["warrior"],
    ...        "confirm.games": 2, "confirm.choosing": 2}
    >>> run = hsevo.coevolve("coevolve-smoke", seed=7, out="runs/both", changes=few)
    >>> run.confirmed["games"].tolist()
    [2, 2, 2, 2]
    """
    return Coevolution.begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})
