"""One life for every kind of run: an experiment is its folder, and what is done with it.

    run = Kind.create(plan)        a new folder, perhaps planned by minutes
    run.resume()                   from the last committed step on:
        for step in steps():
            append(step)           perhaps while the next one is made
            show(step), entry(step)
        finish(made)
    run.state, run.verify()

A step is a generation or a period. A kind is a subclass; what it must declare is abstract, and the
rest has a default. What is asked of a plan alone is a class method.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from hsevo import config
from hsevo.config import short
from hsevo.errors import ConfigError, HsevoError, RunError, Terminated, resuming
from hsevo.experiments import loggers, watching
from hsevo.experiments.loggers import LogEntry, Source
from hsevo.experiments.playing import Progress, measuring, playing, print_line, workers_of
from hsevo.experiments.progress import Meter, check_minutes, planned
from hsevo.generated import KEYS
from hsevo.objects import Fields
from hsevo.play.workers import Executor, OnGames, open_workers, worker_count
from hsevo.store.folder import Folder, default_path
from hsevo.store.kinds import RUNS
from hsevo.store.sums import Checked
from hsevo.trust import named

MOST = 10_000  # steps to plan
TRIES = 3  # a network disk may show a new commit before the tables that it refers to
P = TypeVar("P", bound=config.Section)
S = TypeVar("S")
# How log.txt calls what has no words of its own.
WHY: dict[type[BaseException], str] = {KeyboardInterrupt: "Ctrl-C", Terminated: "SIGTERM"}


class Experiment(Folder[P], Generic[P, S]):
    """A run of one kind, finished or not. Raises RunError if `path` is not one."""

    FIELDS: ClassVar[Fields] = {
        "path": "path",
        "config": lambda self: self.plan.model_dump(mode="json", by_alias=True),
        "done": "done"}

    STATE: ClassVar[Callable[..., watching.State[Any]]]
    STATE_AS_JSON: ClassVar[bool] = True  # whether hsevo watch --json shows its state, or the run
    STEPS: ClassVar[str]  # the key of the plan that says how many: "evolution.generations"
    EXAMPLE: ClassVar[str]  # of changes, in a message: "{'evolution.mu': 20}"
    # Whether a step may be committed while the next one is made: with many workers, writing a
    # generation takes as long as playing one. No step is committed before the one before it.
    AHEAD: ClassVar[bool] = False
    LOGS: ClassVar[str]  # the names of its logs, with the number of the execution

    executor: Executor  # of the steps that are being made
    threads: int  # of what learns; no result depends on them
    made: Mapping[str, bytes] | None = None  # by the end of its steps: the last files, by name

    # --- Making, opening, going on

    @classmethod
    def create(cls, plan: Any, out: str | Path | None = None, *, minutes: float | None = None,
               progress: Progress = False, **how: Any) -> Self:
        """Make the folder of a new run, which `resume` plays.

        out: where it is to be; default: plan.out, or in runs/. minutes: plan as many steps as fit
        into them, by games that are played for it. Raises ConfigError, DeckError, CardError,
        AgentError, RunError.
        """
        parts, said = cls.read_parts(plan, **how), ""
        check_minutes(minutes, cls.STEPS)
        out = out or plan.out
        if minutes is not None:
            if out:
                cls.refuse_used(Path(out))
            with measuring(progress):
                plan, said = cls.fitted(plan, parts, minutes)
        path = Path(out) if out else default_path(plan)
        with closing(cls.make(path, plan, *parts)) as run:
            if said:
                run.log(said)
                if progress is True:
                    print_line(said)
        return run

    @classmethod
    @abstractmethod
    def read_parts(cls, plan: Any) -> tuple[Any, ...]:
        """Read what the folder of a new run keeps besides its plan. Raises HsevoError."""

    @classmethod
    @abstractmethod
    def make(cls, path: Path, plan: Any, *parts: Any, **more: Any) -> Self:
        """Make the folder, whole or not at all; parts: as `read_parts` returns them."""

    @classmethod
    def begin(cls, source: Any, changes: Mapping[str, Any] | None, *, given: Mapping[str, Any],
              log: Sequence[str], minutes: float | None, progress: Progress, **how: Any) -> Self:
        """Make a run and take all its steps; see `evolve`, `learn` and so on.

        source: a name, a path, or a plan. given: keywords that are keys of the plan; None is not
        given. how: for `create` and `resume`.
        """
        loggers.load(log)
        keys = [key for key, value in given.items() if value is not None]
        check_minutes(minutes, cls.STEPS, [*(changes or ()), *keys])
        plan = changed(source if isinstance(source, cls.PLAN) else config.load(
            source, model=cls.PLAN), changes, cls.EXAMPLE, given)
        run = cls.create(plan, minutes=minutes, progress=progress, **how)
        run._resume(None, None, None, log, progress, **how)
        return run

    def now(self) -> Self:
        """Return it as it is now: another process may be writing it."""
        if not (self.final or self._lock):
            self._open()
        return self

    def resume(self, *, generations: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Self:
        """Continue to the end; a finished run is only logged.

        generations: go on to so many, as if it had been planned so from its start. log:
        "tensorboard". Raises RunError, ConfigError.
        """
        self._resume(generations, workers, backend, log, progress)
        return self

    def _resume(self, number: int | None, workers: int | None, backend: str | None,
                log: Sequence[str], progress: Progress, **how: Any) -> None:
        """Continue to the end, or to another number of steps; a finished run is only logged."""
        loggers.load(log)
        with closing(type(self).lock(self.path, lambda run: run.refuse_damage())) as run:
            run._refuse(number, **how)
            said = run.go_on_to(number)
            if progress is True:
                for line in (said, *run._outdated()) if said else ():
                    print_line(line)
            if run.final:
                with run._logged(log, lambda line: None):
                    pass  # what is committed is all there is to log
            else:
                plan: Any = config.change(run.plan, {"workers.count": workers,
                                                     "workers.backend": backend})
                run._complete(plan.workers, log, progress)
        self._open()

    def refuse_damage(self) -> None:
        """Read all that it continues with. Raises RunError if it can't; nothing is written."""

    def _refuse(self, number: int | None) -> None:
        """Raise an error if a locked run can't go on to so many steps, before it is prolonged."""

    def _refuse_open(self, what: str) -> None:
        """Raise RunError until it is done."""
        if not self.done:
            raise RunError(f"{self.path} is not finished, and names no {what} yet; continue with:"
                           f" {resuming(self.command(), self.path)}")

    def __repr__(self) -> str:
        run = self.now()
        plan: Any = run.plan
        return (f"{type(run).__name__}('{run.path}': {plan.name}, seed {plan.seed}"
                f"{run._execution()}, {run.steps_done} of {run.planned(plan)} {run.unit()},"
                f" {'done' if run.done else 'open'})")

    def _execution(self) -> str:
        """Return which execution it is at, in words; "" if there is one alone."""
        return ""

    # --- Steps

    @abstractmethod
    def steps(self) -> Generator[S, None, None]:
        """Make all steps after the last committed one, in order; then what is made at the end."""

    @property
    @abstractmethod
    def steps_done(self) -> int:
        """How many steps of the last execution are committed."""

    @classmethod
    def planned(cls, plan: Any) -> int:
        """Return how many steps a plan has."""
        return int(attrgetter(cls.STEPS)(plan))

    def complete(self, executor: Executor, watch: Callable[[S], object] = lambda step: None, *,
                 threads: int = 1, on_games: OnGames = lambda games: None) -> None:
        """Make and commit all steps that are left, and finish; the folder is locked.

        watch: called with each step after it is committed. on_games: called with the number of
        games of each finished block. Whatever is raised, it can be resumed from its last committed
        step.
        """
        self.executor, self.threads, self._on_games, self._watch = (
            executor, threads, on_games, watch)
        self._pending: tuple[S, Future[None]] | None = None  # the step that is being committed
        with ThreadPoolExecutor(1, "commit") as committer, closing(self.steps()) as steps:
            try:
                for step in steps:
                    self._settle()
                    self._pending = step, committer.submit(self.append, step)
                    if not self.AHEAD:
                        self._settle()
                self._settle()
            except BaseException:
                with suppress(HsevoError):  # the other came first
                    self._settle()
                raise
        self.finish(self.made)

    def _settle(self, wait: bool = True) -> None:
        """End the commit that is under way; without `wait`, only if it has ended already."""
        if self._pending and (wait or self._pending[1].done()):
            step, ended = self._pending
            ended.result()
            self._pending = None
            self._watch(step)

    def on_games(self, games: int) -> None:
        """Count finished games, and tell of a step whose commit has ended meanwhile."""
        self._settle(wait=False)
        self._on_games(games)

    def _complete(self, team: config.Workers, log: Sequence[str], progress: Progress) -> None:
        """Take all steps that are left; log and show each."""
        played = self.games_played
        begun = f"go on after {played:,} games" if played else "begin"
        self.log(f"{begun} with {team.backend}, {team.count or 'all'} workers")
        with self._logged_stop(), playing(played + self.games_left, team, progress,
                                          before=played) as (executor, meter):
            def say(line: str) -> None:
                meter.say(line)
                self.log(line)

            def show(step: S) -> None:
                self.log(self.show(step, meter))
                write(lambda: self.entry(step))

            meter.say(f"run folder {self.path}")
            if legend := self.legend:
                meter.say(legend)
            with self._logged(log, say) as write:
                for note in self.notes():
                    say(note)
                self.complete(executor, show, threads=worker_count(team), on_games=meter.advance)
        self.log("done")

    @contextmanager
    def _logged_stop(self) -> Iterator[None]:
        """Write to log.txt by what a run was stopped, if that can be written."""
        try:
            yield
        except BaseException as end:
            why = str(end) or WHY.get(type(end), type(end).__name__)
            with suppress(RunError):
                self.log(f"stopped by {why.splitlines()[0]} after {self.games_played:,} games")
            raise

    # --- What it says of itself

    @abstractmethod
    def show(self, step: S, meter: Meter) -> str:
        """Show a committed step; return its line of log.txt."""

    @property
    def legend(self) -> str:
        """What the figures of its steps are; "" if they say it themselves."""
        return ""

    def notes(self) -> Iterator[str]:
        """Yield what is to be known of results that are made here, a line each."""
        yield from ()

    @abstractmethod
    def games(self) -> dict[tuple[int, int], int]:
        """Return the games of every committed step, by execution (from 1) and number (from 0)."""

    @property
    @abstractmethod
    def games_left(self) -> int:
        """How many games are left, at most."""

    @property
    def games_played(self) -> int:
        """How many games are committed."""
        return sum(self.games().values())

    # --- Planning

    @classmethod
    @abstractmethod
    def costs(cls, plan: Any, parts: Any) -> Callable[[Any], float]:
        """Measure what steps cost here; return what gives the seconds of a plan.

        parts: of a new run, as `read_parts` returns them. Raises GameError, WorkersError,
        RunError.
        """

    @classmethod
    def fitted(cls, plan: Any, parts: Any, minutes: float) -> tuple[Any, str]:
        """Return the plan with as many steps as fit, and what was planned, in words."""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, most=MOST)

    # --- Prolonging

    def refuse_steps(self, number: int) -> None:
        """Raise ConfigError or RunError if it can't have so many steps."""
        if number <= (done := self.steps_done):
            raise ConfigError(f"{self.unit()} is {number:,}, but {self.path} has {done:,} already,"
                              f" and they count; for {number:,} more, give {done + number}")

    def forget(self) -> None:
        """Take out of the folder what only the last step of all has; called when it is not done."""

    def go_on_to(self, number: int | None) -> str:
        """Have a folder that is locked continue to so many steps; return what changed, in words.

        None: as many as planned. Ends what a killed process began. Raises ConfigError, RunError.
        """
        said = self.prolong(self.STEPS, number, self.refuse_steps)
        if not self.final:
            self.forget()
        return said

    def _outdated(self) -> Iterator[str]:
        """Yield what of the folder is no longer of its last step, once it was prolonged."""
        yield from ()

    # --- Verifying

    def verify(self, *, workers: int | None = None, backend: str | None = None,
               progress: Progress = False) -> Checked:
        """Compute again what is in the folder; return a report, with the problems found.

        A run of `evolve`: every pairing and generation, from the stored results. One of `learn`:
        its first period is learned again and its measurements are played again, by these workers.
        Raises RunError if the folder can't be read, or if it is one of `learn` that is in use.

        >>> hsevo.Run("runs/example").verify().problems
        []
        """
        team = workers_of(workers, backend)
        with closing(self.to_verify(self.path)) as run:
            if games := run.games_to_verify:
                with playing(games, team, progress) as (executor, meter):
                    return run.checked(executor, worker_count(team), meter.advance)
            with open_workers(config.Workers(backend="serial")) as executor:
                return run.checked(executor, 1, lambda games: None)

    @classmethod
    def to_verify(cls, path: Path) -> Self:
        """Open a folder to check it; a kind may lock it, so that no step comes meanwhile."""
        return cls(path)

    @property
    def games_to_verify(self) -> int:
        """How many games `verify` plays again; for none, no worker is started."""
        return 0

    @abstractmethod
    def checked(self, executor: Executor, threads: int, on_games: OnGames) -> Checked:
        """Check all that is committed; problems are listed in the report, not raised.

        threads, on_games: as those of `complete`. Raises RunError only if the folder can't be
        read at all.
        """

    # --- Watching

    @property
    def state(self) -> Any:
        """Its state: finished steps, games left, speed, time left."""
        return self.look(self.path)

    def details(self) -> dict[str, Any]:
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
                if not (path / cls.COMMIT).exists():
                    raise
                time.sleep(pause)
        return cls._look(path)

    @classmethod
    def _look(cls, path: Path) -> watching.State[Any]:
        changed, run = watching.changed(path, cls.COMMIT), cls(path)
        games = run.games()
        return cls.STATE(cls, path, run.plan, run.final, sum(games.values()), run.games_left,
                         watching.pace(watching.log_of(path), games), changed, **run.details())

    # --- Logs

    @abstractmethod
    def entries(self) -> Iterator[LogEntry]:
        """Yield what a log has of all committed steps, in order. Raises RunError."""

    @abstractmethod
    def entry(self, step: S) -> LogEntry:
        """Return what a log has of a step that has just been committed."""

    @property
    def source(self) -> Source:
        """Its folder as a source of logs."""
        return Source(self.path, self.plan, resuming(self.command(), self.path), self.LOGS)

    def _logged(self, log: Sequence[str], say: Callable[[str], object]) -> Any:
        return loggers.copied(self.source, self.entries(), log, say)

    @classmethod
    def command(cls) -> str:
        """Return the command that makes such folders."""
        return RUNS[cls.KIND][0]

    @classmethod
    def unit(cls) -> str:
        """Return what steps are called: the last word of their key."""
        return cls.STEPS.rpartition(".")[2]


def changed(plan: P, changes: Mapping[str, Any] | None, example: str,
            fields: Mapping[str, Any] | None = None) -> P:
    """Return a plan with changed values, and with keywords that are its keys.

    Python files that they name may run: they are arguments of a call (trust.py).
    example: of changes, in a message. fields: a keyword of None has not been given.
    Raises ConfigError.
    """
    if not isinstance(changes, Mapping | None):
        raise ConfigError(f"changes is {short(changes)}, but must be values by their keys,"
                          f" {example}")
    given = {KEYS.get(key, key): value for key, value in (fields or {}).items()
             if value is not None}
    every = {**(changes or {}), **given}
    for value in every.values():
        named(str(value))
    return config.change(plan, every)
