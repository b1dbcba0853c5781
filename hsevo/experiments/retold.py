"""Experiments that can be told again from their tables: searches for decks, and coevolutions.

    course(run)                   at its beginning
    course.step(number, *play)    ask, have played, tell --> what was made

A course is deterministic, except for the games that `play` returns. So a run continues by
playing what its course asks for; it is resumed by replaying the stored results in place of games;
and it is verified by comparing what follows from them, line by line, and by playing some games
again: those of generation 0, and of a finished run the last ones, from which its last files follow.

Games are played again by the engine of the run alone; by another, they are left out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    """Describe a generation that a search has made."""

    @property
    def line(self) -> Mapping[str, Any]:
        """Its line of generations.csv."""

    @property
    def met(self) -> Met:
        """Players, and their results."""


Step: TypeAlias = tuple[Any, Any]  # Made, and the Course after it


@dataclass(kw_only=True)
class RetoldReport(Checked):
    """Hold the extent of a check, and the problems found."""

    generations: int = 0
    decks: int = 0
    other: str = ""  # why no game was played again, in words

    @property
    def outcome(self) -> str:
        """Consistent results and replayed games, in words."""
        played = self.other or f"{self.games:,} replayed games are equal"
        return f"{self.generations:,} generations with {self.decks:,} decks add up; {played}"


@dataclass(frozen=True)
class RetoldState(watching.State[P], Generic[P]):
    """Hold the state of an experiment; its tables are empty before the first generation."""

    generations: pd.DataFrame

    @property
    def where(self) -> str:
        """Last committed generation, in words."""
        if not len(self.generations):
            return "no generation yet"
        return str(self.kind._place(self.plan, self.generations.iloc[-1].to_dict()))

    def lines(self, before: Self | None = None) -> list[str]:
        """Return one line for each generation since an earlier state, or only the last."""
        since = len(before.generations) if before else max(len(self.generations) - 1, 0)
        return [f"{self.kind._place(self.plan, row)}: {', '.join(self.kind._words(self.plan, row))}"
                for row in self.generations.iloc[since:].to_dict("records")] or (
                    [] if before else [self.where])


class Retold(Experiment[P, Step]):
    """Run an experiment that can be replayed from its stored results.

    A step is a generation: its results, and the state of the search after it. generations.csv and
    confirmed.csv are among its tables.

    Parameters
    ----------
    path : str or Path
        Path of the folder.
    """

    COMMIT = "checkpoint.json"
    MAY_BE_EMPTY: ClassVar[tuple[str, ...]] = ()  # tables that grow, and not by every step
    TAG: ClassVar[str]  # begins the names of its figures in logs

    # --- What a kind declares

    @property
    @abstractmethod
    def _inputs(self) -> Any:
        """Other inputs of the run besides its plan, as `_read_parts` returns them."""

    @abstractmethod
    def _course(self) -> Any:
        """Return the search at its beginning."""

    @abstractmethod
    def _playing(self, course: Any, executor: Executor, on_games: OnGames) -> Plays:
        """Return a function that plays the games that the search requests."""

    @abstractmethod
    def _replaying(self, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return a function that looks up the results that the search requests."""

    @abstractmethod
    def _play_last(self, course: Any, executor: Executor, on_games: OnGames) -> dict[str, bytes]:
        """Play the last games, and return the files to write at the end."""

    @abstractmethod
    def _stored_results(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return the players of each generation, (n,), and results (n, m)."""

    @abstractmethod
    def _played_lines(self, step: Step) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step about its games."""

    @abstractmethod
    def _following_lines(self, step: Step) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step that follow from its games."""

    @classmethod
    @abstractmethod
    def _most_games(cls, plan: Any, parts: Any, numbers: range, last: bool) -> int:
        """Return the maximum number of games of some generations and of the last games."""

    @classmethod
    @abstractmethod
    def _sample(cls, plan: Any, parts: Any) -> tuple[Sequence[Any], int,
                                                    Callable[[Executor, Sequence[Any]], object]]:
        """Return candidates, the games of each, and a function that plays some of them."""

    @classmethod
    @abstractmethod
    def _words(cls, plan: Any, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words."""

    # --- Committed content

    @property
    def steps_done(self) -> int:
        """Number of committed generations."""
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
            if not 0 < self._generations <= self._planned(self.plan) or any(
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

    def _lines_of(self, step: Step) -> dict[str, pd.DataFrame]:
        return {**self._played_lines(step), **self._following_lines(step)}

    def append(self, step: Step) -> None:
        super().append(step)
        self._generations = step[0].number + 1

    @property
    def _finished(self) -> str:
        return f"{self._generations} generations"

    def _forget(self) -> None:
        """Remove the results of the end."""
        self._take_back("generations.csv", (), [name for name in self.digests
                                                if name not in self.growing])

    # --- Steps

    def _steps(self) -> Generator[Step, None, None]:
        """Make all remaining generations, then let the best play again."""
        course = self._told()
        plays = self._playing(course, self.executor, self._count_games)
        for number in range(self.steps_done, self._planned(self.plan)):
            yield course.step(number, *plays), course
        self._made = self._play_last(course, self.executor, self._count_games)

    def _told(self, watch: Callable[[int, Any], object] = lambda number, course: None) -> Any:
        """Return the search after all committed generations."""
        course, known = self._course(), self._stored_results()
        plays = self._replaying(lambda number, population, who: self._results(
            number, population, known[number], who))
        tables: dict[str, list[pd.DataFrame]] = {}
        for number in range(self.steps_done):
            generation = course.step(number, *plays)
            for population, (who, _) in generation.met.items():
                if not np.array_equal(who, known[number][population][0]):
                    raise self._others(number, population)
            for name, table in self._following_lines((generation, course)).items():
                tables.setdefault(name, []).append(table)
            watch(number, course)
        for name, parts in tables.items():
            stored, declared = b"".join(self.rows(name)), self.tables[name]
            for problem in declared.differences(pd.concat(parts), stored):
                raise RunError(f"{self.path}: repeated, {problem}. Either the run is damaged, or"
                               " this machine or numpy gives other results")
        return course

    def _results(self, number: int, population: str, met: Met, who: Array) -> Array:
        """Return stored results of some of a population. Raises RunError if they did not play."""
        known, results = met.get(population, (who[:0], who[:0]))
        if np.array_equal(known, who):
            return results
        at = {candidate: i for i, candidate in enumerate(known.tolist())}
        if not {*who.tolist()} <= {*at}:
            raise self._others(number, population)
        return results[[at[candidate] for candidate in who.tolist()]]

    def _others(self, number: int, population: str) -> RunError:
        return RunError(f"{self.path} can't be continued: repeated, generation {number} has other"
                        f" {population} than its tables. Either they are damaged, or this machine"
                        " or numpy gives other results")

    def _refuse_damage(self) -> None:
        """Replay all stored results."""
        if not self.final:
            self._told()

    # --- Games, and what they cost

    def _games_by_step(self) -> dict[tuple[int, int], int]:
        """Return the games of each generation, then the games that confirm the result."""
        table, confirmed = self.table("generations.csv"), self.table("confirmed.csv")
        counts = {(1, number): int(games) for number, games in zip(
            table["generation"], table["games"], strict=True)} if len(table) else {}
        return counts | ({(1, self.steps_done): int(confirmed["games"].sum())}
                         if len(confirmed) else {})

    @property
    def _games_left(self) -> int:
        return 0 if self.final else self._most_games(
            self.plan, self._inputs, range(self.steps_done, self._planned(self.plan)), True)

    @classmethod
    def _costs(cls, plan: Any, parts: Any) -> Callable[[Any], float]:
        candidates, each, play = cls._sample(plan, parts)
        with open_workers(plan.workers) as executor:
            def some(games: int) -> int:
                chosen = candidates[:max(games // each, 1)]
                play(executor, chosen)
                return len(chosen) * each

            game = pace(some, each, len(candidates) * each)

        def seconds(other_plan: Any) -> float:
            generations = cls._planned(other_plan)
            return BETWEEN * generations + game * cls._most_games(
                other_plan, parts, range(generations), True)

        return seconds

    # --- Verifying

    @property
    def _games_to_verify(self) -> int:
        """Maximum number of games that `verify` replays. 0 if they could differ here."""
        if not self.steps_done or self.other_marks():
            return 0
        return self._most_games(self.plan, self._inputs, range(1), self.final)

    def _checked(self, executor: Executor, threads: int, on_games: OnGames) -> RetoldReport:
        """Replay the run from its results, and play its first generation and last games again."""
        report = RetoldReport(done=self.final, sums=True, generations=self.steps_done,
                              other=self.other_marks())
        report.problems += self.changed()
        if report.problems or not self.steps_done:
            return report
        try:
            course = self._told()
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
        """Play the first generation and the last games again, and yield differences."""
        new = self._course()
        repeated = new.step(0, *self._playing(new, executor, on_games)).met
        for population, (who, stored) in self._stored_results()[0].items():
            _, results = repeated.get(population, (who, stored[:0]))
            if results.shape != stored.shape:
                yield f"matches.csv: generation 0 has other {population} when replayed"
                continue
            for i in np.flatnonzero((results != stored).any(axis=1)).tolist():
                yield (f"matches.csv: the games of {population} {who[i]} in generation 0 differ"
                       " when replayed")
        if self.final:
            for name, data in self._play_last(course, executor, on_games).items():
                if self.digests.get(name) != sums.of(data):
                    yield f"{name}: it differs when recomputed"

    # --- Watching and logs

    def _details(self) -> dict[str, Any]:
        return {"generations": self.table("generations.csv")}

    @classmethod
    def _place(cls, plan: Any, line: Mapping[Any, Any]) -> str:
        """Return the generation of a line of generations.csv, in words."""
        return f"generation {int(line['generation'])} of {cls._planned(plan) - 1}"

    def _show(self, step: Step, meter: Meter) -> str:
        """Show a generation. It may have had fewer games than the maximum."""
        note = Note(self._place(self.plan, step[0].line), self._figures(step))
        return meter.step(note, self._games_played + self._games_left)

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return the displayed measurements of a generation, in words."""
        return self._words(self.plan, step[0].line)

    def _entries(self) -> Iterator[LogEntry]:
        return (self._entry(line) for line in self.table("generations.csv").to_dict("records"))

    def _entry_of(self, step: Step) -> LogEntry:
        return self._entry(step[0].line)

    def _entry(self, line: Mapping[Any, Any],
               more: Mapping[str, float] | None = None) -> LogEntry:
        """Return the log entry of a line of generations.csv; more: values by their names."""
        values = self.tables["generations.csv"].logged(self.TAG, line) | {**(more or {})}
        return LogEntry(1, int(line["generation"]), self._written(self.COMMIT), values, {})
