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
from operator import attrgetter
from pathlib import Path
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
from hsevo.store.folder import Folder, read_json
from hsevo.store.sums import Checked
from hsevo.types import Array

BETWEEN = 0.1  # seconds between the games of two generations, about
P = TypeVar("P", bound=config.Section)
R = TypeVar("R", bound="RetoldFolder[Any]")
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


class RetoldFolder(Folder[P]):
    """The folder of such an experiment; `generations` are committed.

    Its steps are generations: what was made, and the course after it. generations.csv and
    confirmed.csv are among its tables.
    """

    COMMIT = "checkpoint.json"
    STEPS: ClassVar[str]  # the key of the plan that says how many generations there are to be
    MAY_BE_EMPTY: ClassVar[tuple[str, ...]] = ()  # tables that grow, and not by every step

    def __init__(self, path: Path, plan: P, about: Mapping[str, Any]) -> None:
        super().__init__(path, plan, about)
        self.generations = 0  # committed

    # --- What a kind declares

    @property
    @abstractmethod
    def parts(self) -> Any:
        """What it was made of, besides its plan, as `create` takes it. Raises RunError."""

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

    # --- What is committed

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.done:
                raise self._gone()
            self.generations, self.digests = 0, {}
            self.sizes = dict.fromkeys(self.growing, 0)
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes = {name: int(state["sizes"][name]) for name in self.growing}
            self.generations = int(state["generations"])
            if not 0 < self.generations <= attrgetter(self.STEPS)(self.plan) or any(
                    size <= 0 and (size < 0 or name not in self.MAY_BE_EMPTY)
                    for name, size in self.sizes.items()):
                raise ValueError("generations that the plan lacks")

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      step: Step | None = None) -> bytes:
        number = self.generations if step is None else step[0].number + 1
        return sums.sign({"generations": number, "sizes": dict(sizes)}, self.COMMIT, dict(digests))

    def _check(self) -> None:
        for problem in self.changed():
            raise RunError(problem)

    # --- Writing

    def lines(self, step: Step) -> dict[str, pd.DataFrame]:
        """Return the lines of a step, by table."""
        return {**self.played(step), **self.following(step)}

    def append(self, step: Step) -> None:
        """Add a generation and commit it. Raises RunError; earlier ones stay."""
        super().append(step)
        self.generations = step[0].number + 1

    @property
    def finished(self) -> str:
        """What it has when it is finished, in words."""
        return f"{self.generations} generations"

    def forget(self) -> None:
        """Take away what was made at the end."""
        self._take_back("generations.csv", (), [name for name in self.digests
                                                if name not in self.growing])


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


class Retold(Experiment[R, Step]):
    """The life of such an experiment; a kind declares its course, its games and its words."""

    TAG: ClassVar[str]  # begins the names of its figures in logs

    # --- What a kind declares

    @classmethod
    @abstractmethod
    def course(cls, run: R) -> Any:
        """Return its Course at its beginning. Raises RunError."""

    @classmethod
    @abstractmethod
    def playing(cls, run: R, course: Any, executor: Executor, on_games: OnGames) -> Plays:
        """Return what plays whatever its course asks for."""

    @classmethod
    @abstractmethod
    def replaying(cls, run: R, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up whatever its course asks for.

        stored: takes the number of a generation, a population, and who of it plays.
        """

    @classmethod
    @abstractmethod
    def last(cls, run: R, course: Any, executor: Executor, on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""

    @classmethod
    @abstractmethod
    def most_games(cls, plan: Any, parts: Any, numbers: range, last: bool) -> int:
        """Return how many games these generations, and the last games, have at most.

        parts: of the run, as its folder is made of.
        """

    @classmethod
    @abstractmethod
    def sample(cls, plan: Any, parts: Any) -> tuple[Sequence[Any], int,
                                                    Callable[[Executor, Sequence[Any]], object]]:
        """Return candidates of the first generation, the games of each, and what plays some."""

    @classmethod
    @abstractmethod
    def words(cls, plan: Any, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""

    # --- Steps

    def steps(self) -> Generator[Step, None, None]:
        """Make all generations after the last committed one; then the best play again."""
        run, course = self.run, self.told(self.run)
        plays = self.playing(run, course, self.executor, self.on_games)
        for number in range(run.generations, self.planned(run.plan)):
            yield course.step(number, *plays), course
        self.made = self.last(run, course, self.executor, self.on_games)

    def finish(self) -> None:
        """Write what was found, and mark the run as finished."""
        self.run.finish(self.made)

    @classmethod
    def told(cls, run: R, watch: Callable[[int, Any], object] = lambda number, course: None
             ) -> Any:
        """Return the course after all committed generations. Raises RunError if it is damaged.

        watch: called with the number of each generation, and the course after it.
        """
        course, known = cls.course(run), run.stored()
        plays = cls.replaying(run, lambda number, population, who: _stored(
            run, number, population, known[number], who))
        tables: dict[str, list[pd.DataFrame]] = {}
        for number in range(run.generations):
            made = course.step(number, *plays)
            for population, (who, _) in made.met.items():
                if not np.array_equal(who, known[number][population][0]):
                    raise _others(run, number, population)
            for name, table in run.following((made, course)).items():
                tables.setdefault(name, []).append(table)
            watch(number, course)
        for name, parts in tables.items():
            stored = b"".join(run.rows(name))
            table = run.tables[name]
            for problem in chain(table.heading_differs(run.part(name)),
                                 table.differences(pd.concat(parts), stored)):
                raise RunError(f"{run.path}: repeated, {problem}: it is damaged, or this machine,"
                               " or its numpy, gives other results")
        return course

    @classmethod
    def planned(cls, plan: Any) -> int:
        """Return how many generations a plan has."""
        return int(attrgetter(cls.STEPS)(plan))

    @classmethod
    def steps_done(cls, run: R) -> int:
        """Return how many generations are committed."""
        return run.generations

    @classmethod
    def refuse_damage(cls, run: R) -> None:
        """Replay all that was stored. Raises RunError if it can't be continued."""
        if not run.done:
            cls.told(run)

    @classmethod
    def forget(cls, run: R) -> None:
        """Take away what was made at the end."""
        run.forget()

    # --- Games, and what they cost

    @classmethod
    def games(cls, run: R) -> dict[tuple[int, int], int]:
        """Return the games of each generation; at the end those that confirm."""
        table, confirmed = run.table("generations.csv"), run.table("confirmed.csv")
        found = {(1, number): int(games) for number, games in zip(
            table["generation"], table["games"], strict=True)} if len(table) else {}
        return found | ({(1, run.generations): int(confirmed["games"].sum())}
                        if len(confirmed) else {})

    @classmethod
    def games_left(cls, run: R) -> int:
        """Return how many games are left, at most."""
        return 0 if run.done else cls.most_games(
            run.plan, run.parts, range(run.generations, cls.planned(run.plan)), True)

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

    @classmethod
    def games_to_verify(cls, run: R) -> int:
        """Return how many games `verify` plays, at most; 0 if they could differ here."""
        if not run.generations or run.other_marks():
            return 0
        return cls.most_games(run.plan, run.parts, range(1), run.done)

    @classmethod
    def verify(cls, run: R, executor: Executor, threads: int, on_games: OnGames) -> RetoldReport:
        """Repeat it from its results; play its first generation and its last games again."""
        report = RetoldReport(done=run.done, sums=True, generations=run.generations,
                              other=run.other_marks())
        report.problems += run.changed()
        if report.problems or not run.generations:
            return report
        try:
            course = cls.told(run)
        except RunError as error:
            report.problems.append(str(error))
            return report
        report.decks = len(course.book)
        if not report.other:
            def count(games: int) -> None:
                report.games += games
                on_games(games)

            report.problems += cls._played_again(run, course, executor, count)
        return report

    @classmethod
    def _played_again(cls, run: R, course: Any, executor: Executor,
                      on_games: OnGames) -> Iterator[str]:
        """Play the first generation and the last games again, and yield what differs."""
        new = cls.course(run)
        again = new.step(0, *cls.playing(run, new, executor, on_games)).met
        for population, (who, stored) in run.stored()[0].items():
            _, results = again.get(population, (who, stored[:0]))
            if results.shape != stored.shape:
                yield f"matches.csv: other {population} play in generation 0, played again"
                continue
            for i in np.flatnonzero((results != stored).any(axis=1)).tolist():
                yield (f"matches.csv: the games of {population} {who[i]} in generation 0, played"
                       " again, differ")
        if run.done:
            for name, data in cls.last(run, course, executor, on_games).items():
                if run.digests.get(name) != sums.of(data):
                    yield f"{name}: made again, it is another"

    # --- Watching and logs

    @classmethod
    def details(cls, run: R) -> dict[str, Any]:
        """Return its table of generations, for its state."""
        return {"generations": run.table("generations.csv")}

    @classmethod
    def place(cls, plan: Any, line: Mapping[Any, Any]) -> str:
        """Return which generation a line of generations.csv is of, in words."""
        return f"generation {int(line['generation'])} of {cls.planned(plan) - 1}"

    def show(self, step: Step, meter: Meter) -> str:
        """Show a generation; fewer games may have been played than could have been."""
        line = step[0].line
        note = Note(self.place(self.run.plan, line), self._figures(step))
        return meter.step(note, self.games_played(self.run) + self.games_left(self.run))

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return what is shown of a generation, in words."""
        return self.words(self.run.plan, step[0].line)

    @classmethod
    def entries(cls, run: R) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        return (cls._entry(run, line) for line in run.table("generations.csv").to_dict("records"))

    def entry(self, step: Step) -> LogEntry:
        """Return what a log has of a generation."""
        return self._entry(self.run, step[0].line)

    @classmethod
    def _entry(cls, run: R, line: Mapping[Any, Any],
               more: Mapping[str, float] | None = None) -> LogEntry:
        """Return what a log has of a line of generations.csv; more: values by their names."""
        values = run.tables["generations.csv"].logged(cls.TAG, line) | {**(more or {})}
        return LogEntry(1, int(line["generation"]), run.written(run.COMMIT), values, {})


def _stored(run: RetoldFolder[Any], number: int, population: str, met: Met, who: Array) -> Array:
    """Return stored results of some of a population. Raises RunError if they did not play."""
    known, results = met.get(population, (who[:0], who[:0]))
    if np.array_equal(known, who):
        return results
    at = {one: i for i, one in enumerate(known.tolist())}
    if not {*who.tolist()} <= {*at}:
        raise _others(run, number, population)
    return results[[at[one] for one in who.tolist()]]


def _others(run: RetoldFolder[Any], number: int, population: str) -> RunError:
    return RunError(f"{run.path} can't be continued: repeated, generation {number} has other"
                    f" {population} than its tables: they are damaged, or this machine, or its"
                    " numpy, gives other results")

