"""One life for every kind of run: an experiment is its folder, and what is done with it.

    run = Kind.create(plan)        a new folder, perhaps planned by minutes
    run.resume()                   from the last committed step on:
        for step in _steps():
            append(step)           perhaps while the next one is made
            _show(step), _entry_of(step)
        _finish(_made)
    run.state, run.verify()

A step is a generation or a period. A kind is a subclass; what it must declare is abstract, and the
rest has a default. What is asked of a plan alone is a class method.
"""

from __future__ import annotations

import inspect
import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from hsevo import config
from hsevo.config import short
from hsevo.errors import ConfigError, HsevoError, RunError, Terminated, brief, resuming
from hsevo.experiments import loggers, watching
from hsevo.experiments.loggers import LogEntry, Source
from hsevo.experiments.playing import Progress, measuring, playing, print_line, workers_of
from hsevo.experiments.progress import Meter, check_minutes, planned
from hsevo.generated import KEYS
from hsevo.objects import Fields
from hsevo.play import match
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
    """Open the folder of a run, finished or not.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.
    """

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
    _made: Mapping[str, bytes] | None = None  # the files that its last step made, by name

    # --- Creating, opening, continuing

    @classmethod
    def create(cls, plan: Any, out: str | Path | None = None, *, minutes: float | None = None,
               progress: Progress = False, **how: Any) -> Self:
        """Create the folder of a new run, which `resume` plays.

        Parameters
        ----------
        plan : object
            Plan of a run.
        out : str or Path, optional
            New folder. Default: plan.out, or a folder in runs/.
        minutes : float, optional
            Plan as many steps as fit into this time, in minutes. Games are played to measure their
            time.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.
        **how
            Further arguments of the type of run.

        Returns
        -------
        Self
            The run.

        Raises
        ------
        HsevoError
            If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
        """
        parts, said = cls._read_parts(plan, **how), ""
        check_minutes(minutes, cls.STEPS)
        out = out or plan.out
        if minutes is not None:
            if out:
                cls._refuse_used(Path(out))
            with measuring(progress, partial(cls._load, plan.ruleset)):
                plan, said = cls._fitted(plan, parts, minutes)
        path = Path(out) if out else default_path(plan)
        with closing(cls.make(path, plan, *parts)) as run:
            if said:
                run._log(said)
                if progress is True:
                    print_line(said)
        return run

    @classmethod
    @abstractmethod
    def _read_parts(cls, plan: Any) -> tuple[Any, ...]:
        """Read the inputs of a new run that its folder stores besides the plan."""

    @classmethod
    @abstractmethod
    def make(cls, path: Path, plan: Any, *parts: Any, **more: Any) -> Self:
        """Create the folder of a run, completely or not at all."""

    @classmethod
    def _begin(cls, source: Any, changes: Mapping[str, Any] | None, *,
               keywords: Mapping[str, Any], log: Sequence[str], minutes: float | None,
               progress: Progress, **how: Any) -> Self:
        """Create a run and make all its steps; see `hsevo.evolve`, `hsevo.learn` and others."""
        loggers.load(log)
        keys = [key for key, value in keywords.items() if value is not None]
        check_minutes(minutes, cls.STEPS, [*(changes or ()), *keys])
        plan = changed(source if isinstance(source, cls.PLAN) else config.load(
            source, model=cls.PLAN), changes, cls.EXAMPLE, keywords)
        run = cls.create(plan, minutes=minutes, progress=progress, **how)
        run._resume(None, None, None, log, progress, **how)
        return run

    def _now(self) -> Self:
        """Reopen the run, which another process may be writing."""
        if not (self.final or self._lock):
            self._open()
        return self

    def resume(self, *, generations: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Self:
        """Continue to the end. A finished run is only logged.

        Parameters
        ----------
        generations : int, optional
            Continue to this number of generations, as if it had been planned from the start.
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        log : sequence of str, optional
            Logs to write: "tensorboard".
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.

        Returns
        -------
        Self
            The finished run.

        Raises
        ------
        RunError
            If the folder is damaged or in use, or the engine or method has changed.
        ConfigError
            If an argument has a wrong type or is out of range.
        """
        self._resume(generations, workers, backend, log, progress)
        return self

    def _resume(self, number: int | None, workers: int | None, backend: str | None,
                log: Sequence[str], progress: Progress, **how: Any) -> None:
        """Continue to the end, or to another number of steps; a finished run is only logged."""
        loggers.load(log)
        with closing(type(self).lock(self.path, lambda run: run._refuse_damage())) as run:
            run._refuse(number, **how)
            said = run._go_on_to(number)
            if progress is True:
                for line in (said, *run._outdated()) if said else ():
                    print_line(line)
            if run.final:
                with run._logged(log, lambda line: None):
                    pass  # only committed steps are logged
            else:
                plan: Any = config.change(run.plan, {"workers.count": workers,
                                                     "workers.backend": backend})
                run._complete(plan.workers, log, progress)
        self._open()

    def _refuse_damage(self) -> None:
        """Read all files that the run continues with. Nothing is written."""

    def _refuse(self, number: int | None) -> None:
        """Raise an error if a locked run can't have a number of steps, before it is prolonged."""

    def _refuse_open(self, what: str) -> None:
        """Raise RunError until it is done."""
        if not self.done:
            raise RunError(f"{self.path} is not finished, so it has no {what} yet; continue with:"
                           f" {resuming(self.command(), self.path)}")

    def __repr__(self) -> str:
        run = self._now()
        plan: Any = run.plan
        return (f"{type(run).__name__}('{run.path}': {plan.name}, seed {plan.seed}"
                f"{run._execution()}, {run.steps_done} of {run._planned(plan)} {run.unit()},"
                f" {'done' if run.done else 'open'})")

    def _execution(self) -> str:
        """Return the current execution, in words; "" if there is only one."""
        return ""

    # --- Steps

    @abstractmethod
    def _steps(self) -> Generator[S, None, None]:
        """Make all remaining steps in order, then the results at the end."""

    @property
    @abstractmethod
    def steps_done(self) -> int:
        """Number of committed steps of the last execution."""

    @classmethod
    def _planned(cls, plan: Any) -> int:
        """Return the number of steps of a plan."""
        return int(attrgetter(cls.STEPS)(plan))

    def _make_steps(self, executor: Executor, watch: Callable[[S], object] = lambda step: None, *,
                    threads: int = 1, on_games: OnGames = lambda games: None) -> None:
        """Make and commit all remaining steps, and finish. The folder is locked.

        After an error, the run can be resumed from its last committed step.
        """
        self.executor, self.threads, self._on_games, self._watch = (
            executor, threads, on_games, watch)
        self._pending: tuple[S, Future[None]] | None = None  # the step that is being committed
        with ThreadPoolExecutor(1, "commit") as committer, closing(self._steps()) as steps:
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
        self._finish(self._made)

    def _settle(self, wait: bool = True) -> None:
        """Finish the pending commit; without `wait`, only if it has ended already."""
        if self._pending and (wait or self._pending[1].done()):
            step, ended = self._pending
            ended.result()
            self._pending = None
            self._watch(step)

    def _count_games(self, games: int) -> None:
        """Count finished games, and report a step whose commit has ended meanwhile."""
        self._settle(wait=False)
        self._on_games(games)

    @classmethod
    def _load(cls, ruleset: str) -> None:
        """Load what the games of such a run call."""
        match.warm_up(ruleset)

    def _loading(self) -> Callable[[], object]:
        return partial(self._load, getattr(self.plan, "ruleset", "cig2018"))

    def _complete(self, workers: config.Workers, log: Sequence[str], progress: Progress) -> None:
        """Take all steps that are left; log and show each."""
        played = self._games_played
        begun = f"go on after {played:,} games" if played else "begin"
        self._log(f"{begun} with {workers.backend}, {workers.count or 'all'} workers")
        with self._logged_stop(), playing(played + self._games_left, workers, progress,
                                          before=played, load=self._loading()
                                          ) as (executor, meter):
            def say(line: str) -> None:
                meter.say(line)
                self._log(line)

            def show(step: S) -> None:
                self._log(self._show(step, meter))
                write(lambda: self._entry_of(step))

            meter.say(f"run folder {self.path}")
            if legend := self._legend:
                meter.say(legend)
            with self._logged(log, say) as write:
                for note in self._notes():
                    say(note)
                self._make_steps(executor, show, threads=worker_count(workers),
                                 on_games=meter.advance)
        self._log("done")

    @contextmanager
    def _logged_stop(self) -> Iterator[None]:
        """Write the reason of a stop to log.txt, if that can be written."""
        try:
            yield
        except BaseException as end:
            why = str(end) or WHY.get(type(end), type(end).__name__)
            with suppress(RunError):
                self._log(f"stopped by {why.splitlines()[0]} after {self._games_played:,} games")
            raise

    # --- What it says of itself

    @abstractmethod
    def _show(self, step: S, meter: Meter) -> str:
        """Show a committed step."""

    @property
    def _legend(self) -> str:
        """Explanation of the measurements of its steps. "" if they need none."""
        return ""

    def _notes(self) -> Iterator[str]:
        """Yield notes about results that are made here."""
        yield from ()

    @abstractmethod
    def _games_by_step(self) -> dict[tuple[int, int], int]:
        """Return the games of every committed step."""

    @property
    @abstractmethod
    def _games_left(self) -> int:
        """Maximum number of remaining games."""

    @property
    def _games_played(self) -> int:
        """Number of committed games."""
        return sum(self._games_by_step().values())

    # --- Planning

    @classmethod
    @abstractmethod
    def _costs(cls, plan: Any, parts: Any) -> Callable[[Any], float]:
        """Measure the time of steps on this machine."""

    @classmethod
    def _fitted(cls, plan: Any, parts: Any, minutes: float) -> tuple[Any, str]:
        """Return the plan with as many steps as fit into a time."""
        return planned(plan, cls.STEPS, cls._costs(plan, parts), minutes, most=MOST)

    # --- Prolonging

    def _refuse_steps(self, number: int) -> None:
        """Check that the run can have a number of steps."""
        if number <= (done := self.steps_done):
            raise ConfigError(f"{self.unit()} is {number:,}, but {self.path} has {done:,} already;"
                              f" for {number:,} more, give {done + number}")

    def _forget(self) -> None:
        """Remove results that only the last of all steps has, before more steps are made."""

    def _go_on_to(self, number: int | None) -> str:
        """Let a locked folder continue to a number of steps, after a killed process too."""
        said = self._prolong(self.STEPS, number, self._refuse_steps)
        if not self.final:
            self._forget()
        return said

    def _outdated(self) -> Iterator[str]:
        """Yield the parts of the folder that are outdated after it was prolonged."""
        yield from ()

    # --- Verifying

    def verify(self, *, workers: int | None = None, backend: str | None = None,
               progress: Progress = False) -> Checked:
        """Recompute the content of the folder.

        A run of `hsevo.evolve`: every pairing and generation, from the stored results. A run of
        `hsevo.learn`: its first iteration is learned again and its measurements are replayed.

        Parameters
        ----------
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.

        Returns
        -------
        Checked
            Report with the problems found.

        Raises
        ------
        RunError
            If the folder cannot be read, or if it is a run of `hsevo.learn` that is in use.

        Examples
        --------
        >>> hsevo.Run("runs/example").verify().problems
        []
        """
        worker_config = workers_of(workers, backend)
        with closing(self._to_verify(self.path)) as run:
            if games := run._games_to_verify:
                with playing(games, worker_config, progress,
                             load=self._loading()) as (executor, meter):
                    return run._checked(executor, worker_count(worker_config), meter.advance)
            with open_workers(config.Workers(backend="serial")) as executor:
                return run._checked(executor, 1, lambda games: None)

    @classmethod
    def _to_verify(cls, path: Path) -> Self:
        """Open a folder to check it. Some types of run lock it meanwhile."""
        return cls(path)

    @property
    def _games_to_verify(self) -> int:
        """Number of games that `verify` replays. Without games, no worker is started."""
        return 0

    @abstractmethod
    def _checked(self, executor: Executor, threads: int, on_games: OnGames) -> Checked:
        """Check all committed steps, and list problems in the report."""

    # --- Watching

    @property
    def state(self) -> Any:
        """State of the run: finished steps, games left, speed, time left."""
        return self.look(self.path)

    def _details(self) -> dict[str, Any]:
        """Return the additional fields of the state of this type of run."""
        return {}

    @classmethod
    def look(cls, path: Path, pause: float = 0.5) -> Any:
        """Return the state of a folder, which another process may be writing.

        Parameters
        ----------
        path : Path
            Path of the folder.
        pause : float, default 0.5
            Seconds before another attempt, if files are inconsistent.

        Returns
        -------
        State
            The state.

        Raises
        ------
        RunError
            If the folder has no such run, or is damaged.
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
        games = run._games_by_step()
        return cls.STATE(cls, path, run.plan, run.final, sum(games.values()), run._games_left,
                         watching.pace(watching.log_of(path), games), changed, **run._details())

    # --- Logs

    @abstractmethod
    def _entries(self) -> Iterator[LogEntry]:
        """Yield the log entries of all committed steps, in order."""

    @abstractmethod
    def _entry_of(self, step: S) -> LogEntry:
        """Return the log entry of a step that has just been committed."""

    @property
    def _source(self) -> Source:
        """The folder as a source of logs."""
        return Source(self.path, self.plan, resuming(self.command(), self.path), self.LOGS)

    def _logged(self, log: Sequence[str], say: Callable[[str], object]) -> Any:
        return loggers.copied(self._source, self._entries(), log, say)

    @classmethod
    def command(cls) -> str:
        """Return the command that makes such folders.

        Returns
        -------
        str
            The command.
        """
        return RUNS[cls.KIND][0]

    @classmethod
    def unit(cls) -> str:
        """Return the name of the steps: the last word of their key.

        Returns
        -------
        str
            The name.
        """
        return cls.STEPS.rpartition(".")[2]


def _spec(key: str, value: Any) -> Any:
    """Return a class or function of a file as py:FILE#NAME; another value as it is.

    Raises ConfigError for a class or function that is in no file.
    """
    if not inspect.isclass(value) and not inspect.isfunction(value):
        return value
    from hsevo.play.python_players import place_of

    if (place := place_of(value)) is None:
        raise ConfigError(f"{key} is '{brief(value.__name__)}', which is not at the top of a Python"
                          " file, so that a run can't keep it; write it into a file")
    return f"py:{place[0]}#{place[1]}"


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
    keywords = {KEYS.get(key, key): value for key, value in (fields or {}).items()
                if value is not None}
    every = {key: _spec(key, value) for key, value in {**(changes or {}), **keywords}.items()}
    for value in every.values():
        named(str(value))
    return config.change(plan, every)
