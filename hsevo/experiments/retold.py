"""Experiments that can be told again from their tables: searches for decks, and coevolutions.

    course(run)                   at its beginning
    course.step(number, *play)    ask, have played, tell --> what was made

A course is deterministic, but for the games that `play` returns. So a run goes on by playing what
its course asks for; it is resumed by replaying the stored results in place of games; and it is
verified by comparing what follows from them, line by line, and by playing some games again: those
of generation 0, and of a finished run the last ones, from which its last files follow.

Games are played again by the engine of the run alone; by another, they are left out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.errors import RunError
from hsevo.experiments import watching
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import LogEntry
from hsevo.experiments.progress import Meter, Note, pace
from hsevo.files import undamaged
from hsevo.play.workers import Executor, OnGames, open_workers
from hsevo.store import sums
from hsevo.store.folder import read_json
from hsevo.store.sums import Checked
from hsevo.types import Array

BETWEEN = 0.1  # seconds between the games of two generations, about
P = TypeVar("P", bound=config.Section)
Plays: TypeAlias = tuple[Callable[..., Array], ...]  # of what a course asks for: results
Met: TypeAlias = Mapping[str, tuple[Array, Array]]  # who (n,) and results (n, m), by population


class Made(Protocol):
    """A generation that a course has made."""

    @property
    def line(self) -> Mapping[str, Any]:
        """Its line of generations.csv."""

    @property
    def met(self) -> Met:
        """Who played, and the results."""


class RetoldCourse(Protocol):
    """An experiment from its beginning on."""

    book: Any  # all decks so far

    def step(self, number: int, *play: Callable[..., Array]) -> Any:
        """Make the next generation: ask, have played, tell."""


Step: TypeAlias = tuple[Any, Any]  # Made, and the Course after it


@dataclass(kw_only=True)
class RetoldReport(Checked):
    """What was checked, and the problems found."""

    generations: int = 0
    decks: int = 0
    other: str = ""  # why no game was played again, in words

    @property
    def outcome(self) -> str:
        """What adds up, and what was played again."""
        played = self.other or f"{self.games:,} games, played again, are equal"
        return f"{self.generations:,} generations with {self.decks:,} decks add up; {played}"


@dataclass(frozen=True)
class RetoldState(watching.State[P], Generic[P]):
    """An experiment at one moment; before the first generation, its tables are empty."""

    generations: pd.DataFrame

    @property
    def where(self) -> str:
        """The last committed generation, in words; that there is none."""
        if not len(self.generations):
            return "no generation yet"
        return str(self.kind.place(self.plan, self.generations.iloc[-1].to_dict()))

    def lines(self, before: Self | None = None) -> list[str]:
        """Return a line per generation since an earlier state; without one, the last alone."""
        since = len(before.generations) if before else max(len(self.generations) - 1, 0)
        return [f"{self.kind.place(self.plan, row)}: {', '.join(self.kind.words(self.plan, row))}"
                for row in self.generations.iloc[since:].to_dict("records")] or (
                    [] if before else [self.where])


class Retold(Experiment[P, Step]):
    """The life of such an experiment; a kind declares its tables, its course and its games.

    A step is a generation: what was made, and the course after it. generations.csv and
    confirmed.csv are among its tables.
    """

    COMMIT = "checkpoint.json"
    MAY_BE_EMPTY: ClassVar[tuple[str, ...]] = ()  # tables that grow, and not by every step
    TAG: ClassVar[str]  # begins the names of its figures in logs

    # --- What a kind declares

    @property
    @abstractmethod
    def parts(self) -> Any:
        """What it was made of, besides its plan, as `read_parts` returns it. Raises RunError."""

    @abstractmethod
    def course(self) -> Any:
        """Return its Course at its beginning. Raises RunError."""

    @abstractmethod
    def playing(self, course: Any, executor: Executor, on_games: OnGames) -> Plays:
        """Return what plays whatever its course asks for."""

    @abstractmethod
    def replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up whatever its course asks for.

        stored: takes the number of a generation, a population, and who of it plays.
        """

    @abstractmethod
    def last(self, course: Any, executor: Executor, on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""

    @abstractmethod
    def stored(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return who played in each generation, (n,), and results (n, m), by population.

        Raises RunError if they do not add up.
        """

    @abstractmethod
    def played(self, step: Step) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step that say what was played, by table."""

    @abstractmethod
    def following(self, step: Step) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step that follow from what was played, by table."""

    @classmethod
    @abstractmethod
    def most_games(cls, plan: Any, parts: Any, numbers: range, last: bool) -> int:
        """Return how many games these generations, and the last games, have at most."""

    @classmethod
    @abstractmethod
    def sample(cls, plan: Any, parts: Any) -> tuple[Sequence[Any], int,
                                                    Callable[[Executor, Sequence[Any]], object]]:
        """Return candidates of the first generation, the games of each, and what plays some."""

    @classmethod
    @abstractmethod
    def words(cls, plan: Any, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""

    # --- What is committed

    @property
    def steps_done(self) -> int:
        """How many generations are committed."""
        return self._generations

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.final:
                raise self._gone()
            self._generations, self.digests = 0, {}
            self.sizes = dict.fromkeys(self.growing, 0)
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes = {name: int(state["sizes"][name]) for name in self.growing}
            self._generations = int(state["generations"])
            if not 0 < self._generations <= self.planned(self.plan) or any(
                    size <= 0 and (size < 0 or name not in self.MAY_BE_EMPTY)
                    for name, size in self.sizes.items()):
                raise ValueError("generations that the plan lacks")

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      step: Step | None = None) -> bytes:
        number = self._generations if step is None else step[0].number + 1
        return sums.sign({"generations": number, "sizes": dict(sizes)}, self.COMMIT, dict(digests))

    def _check(self) -> None:
        for problem in self.changed():
            raise RunError(problem)

    def lines_of(self, step: Step) -> dict[str, pd.DataFrame]:
        """Return the lines of a step, by table."""
        return {**self.played(step), **self.following(step)}

    def append(self, step: Step) -> None:
        """Add a generation and commit it. Raises RunError; earlier ones stay."""
        super().append(step)
        self._generations = step[0].number + 1

    @property
    def finished(self) -> str:
        """What it has when it is finished, in words."""
        return f"{self._generations} generations"

    def forget(self) -> None:
        """Take away what was made at the end."""
        self._take_back("generations.csv", (), [name for name in self.digests
                                                if name not in self.growing])

    # --- Steps

    def steps(self) -> Generator[Step, None, None]:
        """Make all generations after the last committed one; then the best play again."""
        course = self.told()
        plays = self.playing(course, self.executor, self.on_games)
        for number in range(self.steps_done, self.planned(self.plan)):
            yield course.step(number, *plays), course
        self.made = self.last(course, self.executor, self.on_games)

    def told(self, watch: Callable[[int, Any], object] = lambda number, course: None) -> Any:
        """Return the course after all committed generations. Raises RunError if it is damaged.

        watch: called with the number of each generation, and the course after it.
        """
        course, known = self.course(), self.stored()
        plays = self.replaying(lambda number, population, who: self._results(
            number, population, known[number], who))
        tables: dict[str, list[pd.DataFrame]] = {}
        for number in range(self.steps_done):
            made = course.step(number, *plays)
            for population, (who, _) in made.met.items():
                if not np.array_equal(who, known[number][population][0]):
                    raise self._others(number, population)
            for name, table in self.following((made, course)).items():
                tables.setdefault(name, []).append(table)
            watch(number, course)
        for name, parts in tables.items():
            stored, declared = b"".join(self.rows(name)), self.tables[name]
            for problem in chain(declared.heading_differs(self.part(name)),
                                 declared.differences(pd.concat(parts), stored)):
                raise RunError(f"{self.path}: repeated, {problem}: it is damaged, or this machine,"
                               " or its numpy, gives other results")
        return course

    def _results(self, number: int, population: str, met: Met, who: Array) -> Array:
        """Return stored results of some of a population. Raises RunError if they did not play."""
        known, results = met.get(population, (who[:0], who[:0]))
        if np.array_equal(known, who):
            return results
        at = {one: i for i, one in enumerate(known.tolist())}
        if not {*who.tolist()} <= {*at}:
            raise self._others(number, population)
        return results[[at[one] for one in who.tolist()]]

    def _others(self, number: int, population: str) -> RunError:
        return RunError(f"{self.path} can't be continued: repeated, generation {number} has other"
                        f" {population} than its tables: they are damaged, or this machine, or its"
                        " numpy, gives other results")

    def refuse_damage(self) -> None:
        """Replay all that was stored. Raises RunError if it can't be continued."""
        if not self.final:
            self.told()

    # --- Games, and what they cost

    def games(self) -> dict[tuple[int, int], int]:
        """Return the games of each generation; at the end those that confirm."""
        table, confirmed = self.table("generations.csv"), self.table("confirmed.csv")
        found = {(1, number): int(games) for number, games in zip(
            table["generation"], table["games"], strict=True)} if len(table) else {}
        return found | ({(1, self.steps_done): int(confirmed["games"].sum())}
                        if len(confirmed) else {})

    @property
    def games_left(self) -> int:
        """How many games are left, at most."""
        return 0 if self.final else self.most_games(
            self.plan, self.parts, range(self.steps_done, self.planned(self.plan)), True)

    @classmethod
    def costs(cls, plan: Any, parts: Any) -> Callable[[Any], float]:
        """Return what gives the seconds of a plan, measured by games of random candidates.

        Raises GameError, WorkersError.
        """
        candidates, each, play = cls.sample(plan, parts)
        with open_workers(plan.workers) as executor:
            def some(games: int) -> int:
                chosen = candidates[:max(games // each, 1)]
                play(executor, chosen)
                return len(chosen) * each

            game = pace(some, each, len(candidates) * each)

        def seconds(other: Any) -> float:
            generations = cls.planned(other)
            return BETWEEN * generations + game * cls.most_games(
                other, parts, range(generations), True)

        return seconds

    # --- Verifying

    @property
    def games_to_verify(self) -> int:
        """How many games `verify` plays, at most; 0 if they could differ here."""
        if not self.steps_done or self.other_marks():
            return 0
        return self.most_games(self.plan, self.parts, range(1), self.final)

    def checked(self, executor: Executor, threads: int, on_games: OnGames) -> RetoldReport:
        """Repeat it from its results; play its first generation and its last games again."""
        report = RetoldReport(done=self.final, sums=True, generations=self.steps_done,
                              other=self.other_marks())
        report.problems += self.changed()
        if report.problems or not self.steps_done:
            return report
        try:
            course = self.told()
        except RunError as error:
            report.problems.append(str(error))
            return report
        report.decks = len(course.book)
        if not report.other:
            def count(games: int) -> None:
                report.games += games
                on_games(games)

            report.problems += self._played_again(course, executor, count)
        return report

    def _played_again(self, course: Any, executor: Executor, on_games: OnGames) -> Iterator[str]:
        """Play the first generation and the last games again, and yield what differs."""
        new = self.course()
        again = new.step(0, *self.playing(new, executor, on_games)).met
        for population, (who, stored) in self.stored()[0].items():
            _, results = again.get(population, (who, stored[:0]))
            if results.shape != stored.shape:
                yield f"matches.csv: other {population} play in generation 0, played again"
                continue
            for i in np.flatnonzero((results != stored).any(axis=1)).tolist():
                yield (f"matches.csv: the games of {population} {who[i]} in generation 0, played"
                       " again, differ")
        if self.final:
            for name, data in self.last(course, executor, on_games).items():
                if self.digests.get(name) != sums.of(data):
                    yield f"{name}: made again, it is another"

    # --- Watching and logs

    def details(self) -> dict[str, Any]:
        """Return its table of generations, for its state."""
        return {"generations": self.table("generations.csv")}

    @classmethod
    def place(cls, plan: Any, line: Mapping[Any, Any]) -> str:
        """Return which generation a line of generations.csv is of, in words."""
        return f"generation {int(line['generation'])} of {cls.planned(plan) - 1}"

    def show(self, step: Step, meter: Meter) -> str:
        """Show a generation; fewer games may have been played than could have been."""
        note = Note(self.place(self.plan, step[0].line), self._figures(step))
        return meter.step(note, self.games_played + self.games_left)

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return what is shown of a generation, in words."""
        return self.words(self.plan, step[0].line)

    def entries(self) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        return (self._entry(line) for line in self.table("generations.csv").to_dict("records"))

    def entry(self, step: Step) -> LogEntry:
        """Return what a log has of a generation."""
        return self._entry(step[0].line)

    def _entry(self, line: Mapping[Any, Any],
               more: Mapping[str, float] | None = None) -> LogEntry:
        """Return what a log has of a line of generations.csv; more: values by their names."""
        values = self.tables["generations.csv"].logged(self.TAG, line) | {**(more or {})}
        return LogEntry(1, int(line["generation"]), self.written(self.COMMIT), values, {})
