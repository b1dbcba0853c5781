"""The protocol of experiments: steps that follow from each other, each committed to a folder.

    kind(run, executor, ...).complete(watch):
        for step in steps():       from the last committed one on
            run.append(step)       perhaps while the next one is made
            watch(step)
        finish()

A step is a generation or a period. A kind is a subclass; what it must declare is abstract, and the
rest has a default. All about a folder alone is a class method, for it is asked when no step is to
be made: by watching, logging, resuming, verifying.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

from hsevo.errors import ConfigError, HsevoError, RunError, resuming
from hsevo.experiments import watching
from hsevo.experiments.loggers import LogEntry, Source
from hsevo.experiments.progress import Meter, planned
from hsevo.play.workers import Executor, OnGames
from hsevo.store.folder import Folder
from hsevo.store.kinds import RUNS
from hsevo.store.sums import Checked

MOST = 10_000  # steps to plan
TRIES = 3  # a network disk may show a new commit before the tables that it refers to
R = TypeVar("R", bound=Folder[Any])
S = TypeVar("S")


class Experiment(ABC, Generic[R, S]):
    """An experiment of one kind at work in its folder, which is locked.

    threads: of what learns; no result depends on them. on_games: called with the number of games
    of each finished block.
    """

    FOLDER: ClassVar[type[Folder[Any]]]
    STATE: ClassVar[Callable[..., watching.State[Any]]]
    STEPS: ClassVar[str]  # the key of the plan that says how many: "evolution.generations"
    # Whether a step may be committed while the next one is made: with many workers, writing a
    # generation takes as long as playing one. No step is committed before the one before it.
    AHEAD: ClassVar[bool] = False
    LOGS: ClassVar[str]  # the names of its logs, with the number of the execution

    def __init__(self, run: R, executor: Executor, threads: int = 1,
                 on_games: OnGames = lambda games: None) -> None:
        self.run, self.executor, self.threads, self._on_games = run, executor, threads, on_games
        self._pending: tuple[S, Future[None]] | None = None  # the step that is being committed

    # --- Steps

    @abstractmethod
    def steps(self) -> Generator[S, None, None]:
        """Make all steps after the last committed one, in order."""

    @abstractmethod
    def finish(self) -> None:
        """Mark the folder as finished."""

    def complete(self, watch: Callable[[S], object] = lambda step: None) -> None:
        """Make and commit all steps that are left, and finish.

        watch: called with each step after it is committed. Whatever is raised, the experiment can
        be resumed from its last committed step.
        """
        self.watch = watch
        with ThreadPoolExecutor(1, "commit") as committer, closing(self.steps()) as steps:
            try:
                for step in steps:
                    self._settle()
                    self._pending = step, committer.submit(self.run.append, step)
                    if not self.AHEAD:
                        self._settle()
                self._settle()
            except BaseException:
                with suppress(HsevoError):  # the other came first
                    self._settle()
                raise
        self.finish()

    def _settle(self, wait: bool = True) -> None:
        """End the commit that is under way; without `wait`, only if it has ended already."""
        if self._pending and (wait or self._pending[1].done()):
            step, ended = self._pending
            ended.result()
            self._pending = None
            self.watch(step)

    def on_games(self, games: int) -> None:
        """Count finished games, and tell of a step whose commit has ended meanwhile."""
        self._settle(wait=False)
        self._on_games(games)

    # --- What it says of itself

    @abstractmethod
    def show(self, step: S, meter: Meter) -> str:
        """Show a committed step; return its line of log.txt."""

    @classmethod
    def legend(cls, run: R) -> str:
        """Return what the figures of its steps are; "" if they say it themselves."""
        return ""

    @classmethod
    def notes(cls, run: R) -> Iterator[str]:
        """Yield what is to be known of results that are made here, a line each."""
        yield from ()

    @classmethod
    @abstractmethod
    def games(cls, run: R) -> dict[tuple[int, int], int]:
        """Return the games of every committed step, by execution (from 1) and number (from 0)."""

    @classmethod
    @abstractmethod
    def games_left(cls, run: R) -> int:
        """Return how many games are left, at most."""

    @classmethod
    def games_played(cls, run: R) -> int:
        """Return how many games are committed."""
        return sum(cls.games(run).values())

    # --- Planning

    @classmethod
    @abstractmethod
    def costs(cls, plan: Any, parts: Any) -> Callable[[Any], float]:
        """Measure what steps cost here; return what gives the seconds of a plan.

        parts: of a new run, as `FOLDER.create` takes them. Raises GameError, WorkersError,
        RunError.
        """

    @classmethod
    def fitted(cls, plan: Any, parts: Any, minutes: float) -> tuple[Any, str]:
        """Return the plan with as many steps as fit, and what was planned, in words."""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, most=MOST)

    # --- Resuming and prolonging

    @classmethod
    def refuse_damage(cls, run: R) -> None:
        """Read all that it continues with. Raises RunError if it can't; nothing is written."""

    @classmethod
    @abstractmethod
    def steps_done(cls, run: R) -> int:
        """Return how many steps of the last execution are committed."""

    @classmethod
    def refuse_steps(cls, run: R, number: int) -> None:
        """Raise ConfigError or RunError if it can't have so many steps."""
        if number <= (done := cls.steps_done(run)):
            raise ConfigError(f"{cls.unit()} is {number:,}, but {run.path} has {done:,} already,"
                              f" and they count; for {number:,} more, give {done + number}")

    @classmethod
    def forget(cls, run: R) -> None:
        """Take out of the folder what only the last step of all has; called when it is not done."""

    @classmethod
    def prolong(cls, run: R, number: int | None) -> str:
        """Have a folder that is locked continue to so many steps; return what changed, in words.

        None: as many as planned. Ends what a killed process began. Raises ConfigError, RunError.
        """
        said = run.prolong(cls.STEPS, number, lambda many: cls.refuse_steps(run, many))
        if not run.done:
            cls.forget(run)
        return said

    # --- Verifying

    @classmethod
    def to_verify(cls, path: Path) -> R:
        """Open a folder to check it; a kind may lock it, so that no step comes meanwhile."""
        return cast(R, cls.FOLDER.open(path))

    @classmethod
    def games_to_verify(cls, run: R) -> int:
        """Return how many games `verify` plays again; for none, no worker is started."""
        return 0

    @classmethod
    @abstractmethod
    def verify(cls, run: R, executor: Executor, threads: int, on_games: OnGames) -> Checked:
        """Check all that is committed; problems are listed in the report, not raised.

        threads, on_games: as those of an experiment. Raises RunError only if the folder can't be
        read at all.
        """

    # --- Watching

    @classmethod
    def details(cls, run: R) -> dict[str, Any]:
        """Return what the state of this kind has besides, by the names of its fields."""
        return {}

    @classmethod
    def look(cls, path: Path, pause: float = 0.5) -> Any:
        """Return the state of a folder, of class STATE; another process may be writing it.

        pause: seconds before trying again if its files are inconsistent. Raises RunError if the
        folder is not one, or damaged.
        """
        for _ in range(TRIES - 1):
            try:
                return cls._look(path)
            except RunError:
                if not (path / cls.FOLDER.COMMIT).exists():
                    raise
                time.sleep(pause)
        return cls._look(path)

    @classmethod
    def _look(cls, path: Path) -> watching.State[Any]:
        changed, run = watching.changed(path, cls.FOLDER.COMMIT), cast(R, cls.FOLDER.open(path))
        games = cls.games(run)
        return cls.STATE(cls, path, run.plan, run.done, sum(games.values()), cls.games_left(run),
                         watching.pace(watching.log_of(path), games), changed, **cls.details(run))

    # --- Logs

    @classmethod
    @abstractmethod
    def entries(cls, run: R) -> Iterator[LogEntry]:
        """Yield what a log has of all committed steps, in order. Raises RunError."""

    @abstractmethod
    def entry(self, step: S) -> LogEntry:
        """Return what a log has of a step that has just been committed."""

    @classmethod
    def source(cls, run: R) -> Source:
        """Return its folder as a source of logs."""
        return Source(run.path, run.plan, resuming(cls.command(), run.path), cls.LOGS)

    @classmethod
    def command(cls) -> str:
        """Return the command that makes such folders."""
        return RUNS[cls.FOLDER.KIND][0]

    @classmethod
    def unit(cls) -> str:
        """Return what steps are called: the last word of their key."""
        return cls.STEPS.rpartition(".")[2]
