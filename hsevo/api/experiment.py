"""What `hsevo.Run` and `hsevo.Learned` share: planned by minutes, resumed, watched, verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from hsevo import config
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import as_decks, refuse_foreign
from hsevo.config import short
from hsevo.config.deckbuilding import PoolSettings
from hsevo.errors import ConfigError, RunError, Terminated, resuming
from hsevo.experiments import loggers
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.playing import Progress, measuring, playing, print_line, workers_of
from hsevo.experiments.progress import check_minutes
from hsevo.files import check_path
from hsevo.generated import KEYS
from hsevo.objects import Fields
from hsevo.play.workers import open_workers, worker_count
from hsevo.store.folder import default_path
from hsevo.store.sums import Checked
from hsevo.trust import named

if TYPE_CHECKING:
    import pandas as pd


P = TypeVar("P", bound=config.Section)
# How log.txt calls what has no words of its own.
WHY: dict[type[BaseException], str] = {KeyboardInterrupt: "Ctrl-C", Terminated: "SIGTERM"}


class RunFolder:
    """A run folder of one kind of experiment, finished or not. Raises RunError if it is not one."""

    FIELDS: ClassVar[Fields] = {
        "path": "path",
        "config": lambda self: self.folder.plan.model_dump(mode="json", by_alias=True),
        "done": "done"}

    KIND: ClassVar[type[Experiment[Any, Any]]]
    STATE_AS_JSON: ClassVar[bool] = True  # whether hsevo watch --json shows its state, or the run
    folder: Any  # as it was read last

    def __init__(self, path: str | Path) -> None:
        check_path(Path(path))
        self.folder = self.KIND.FOLDER.open(Path(path))

    @property
    def path(self) -> Path:
        """Where it is."""
        found: Path = self.folder.path
        return found

    @property
    def done(self) -> bool:
        """Whether it is finished."""
        return (self.path / "done").exists()

    @property
    def state(self) -> Any:
        """Its state: finished steps, games left, speed, time left."""
        return self.KIND.look(self.path)

    def verify(self, *, workers: int | None = None, backend: str | None = None,
               progress: Progress = False) -> Checked:
        """Compute again what is in the folder; return a report, with the problems found.

        A run of `evolve`: every pairing and generation, from the stored results. One of `learn`:
        its first period is learned again and its measurements are played again, by these workers.
        Raises RunError if the folder can't be read, or if it is one of `learn` that is in use.

        >>> hsevo.Run("runs/example").verify().problems
        []
        """
        kind, team = self.KIND, workers_of(workers, backend)
        with closing(kind.to_verify(self.path)) as run:
            if games := kind.games_to_verify(run):
                with playing(games, team, progress) as (executor, meter):
                    return kind.verify(run, executor, worker_count(team), meter.advance)
            with open_workers(config.Workers(backend="serial")) as executor:
                return kind.verify(run, executor, 1, lambda games: None)

    @classmethod
    def create(cls, plan: Any, out: str | Path | None = None, *, minutes: float | None = None,
               progress: Progress = False, **how: Any) -> Self:
        """Make the folder of a new run, which `resume` plays.

        out: where it is to be; default: plan.out, or in runs/. minutes: plan as many steps as fit
        into them, by games that are played for it. Raises ConfigError, DeckError, CardError,
        AgentError, RunError.
        """
        kind = cls.KIND
        folder: Any = kind.FOLDER
        parts, said = cls._parts(plan, **how), ""
        check_minutes(minutes, kind.STEPS)
        out = out or plan.out
        if minutes is not None:
            if out:
                folder.refuse_used(Path(out))
            with measuring(progress):
                plan, said = kind.fitted(plan, parts, minutes)
        path = Path(out) if out else default_path(plan)
        with closing(folder.create(path, plan, *parts)) as run:
            if said:
                run.log(said)
                if progress is True:
                    print_line(said)
        return cls(path)

    @classmethod
    def _parts(cls, plan: Any) -> tuple[Any, ...]:
        """Read what the folder of a new run keeps besides its plan. Raises HsevoError."""
        raise NotImplementedError

    @classmethod
    def _begin(cls, source: Any, changes: Mapping[str, Any] | None, example: str, *,
               given: Mapping[str, Any], log: Sequence[str], minutes: float | None,
               progress: Progress, **how: Any) -> Self:
        """Make a run and take all its steps; see `evolve`, `learn` and so on.

        source: a name, a path, or a plan. example: of changes, in a message. given: keywords
        that are keys of the plan; None is not given. how: for `create` and `resume`.
        """
        loggers.load(log)
        named = [key for key, value in given.items() if value is not None]
        check_minutes(minutes, cls.KIND.STEPS, [*(changes or ()), *named])
        kind = cls.KIND.FOLDER.PLAN
        plan = changed(source if isinstance(source, kind) else config.load(source, model=kind),
                       changes, example, given)
        run = cls.create(plan, minutes=minutes, progress=progress, **how)
        run._resume(None, None, None, log, progress, **how)
        return run

    @property
    def plan(self) -> Any:
        """Its settings, as resolved when it began."""
        return self.folder.plan

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of the folder, as far as it is written now. Raises RunError."""
        found: pd.DataFrame = self._now().table(name)
        return found

    def _now(self) -> Any:
        """Return the folder in its current state; another process may be writing it."""
        if not (self.folder.done and self.done):
            self.folder = self.KIND.FOLDER.open(self.path)
        return self.folder

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
        with closing(self.KIND.FOLDER.resume(self.path, self.KIND.refuse_damage)) as run:
            self._refuse(run, number, **how)
            said = self.KIND.prolong(run, number)
            if progress is True:
                for line in (said, *self._outdated()) if said else ():
                    print_line(line)
            if run.done:
                with self._log(run, log, lambda line: None):
                    pass  # what is committed is all there is to log
            else:
                team = config.change(run.plan, {"workers.count": workers,
                                                "workers.backend": backend}).workers
                self._complete(run, team, log, progress)
        self.folder = self.KIND.FOLDER.open(self.path)

    def _refuse(self, run: Any, number: int | None) -> None:
        """Raise an error if a locked run can't go on to so many steps, before it is prolonged."""

    def _refuse_open(self, what: str) -> None:
        """Raise RunError until it is done."""
        if not self.done:
            raise RunError(f"{self.path} is not finished, and names no {what} yet; continue with:"
                           f" {resuming(self.KIND.command(), self.path)}")

    def __repr__(self) -> str:
        run, kind = self._now(), self.KIND
        return (f"{type(self).__name__}('{self.path}': {run.plan.name}, seed {run.plan.seed}"
                f"{self._execution(run)}, {kind.steps_done(run)} of"
                f" {attrgetter(kind.STEPS)(run.plan)} {kind.unit()},"
                f" {'done' if self.done else 'open'})")

    def _execution(self, run: Any) -> str:
        """Return which execution it is at, in words; "" if there is one alone."""
        return ""

    def _outdated(self) -> Iterator[str]:
        """Yield what of the folder is no longer of its last step, once it was prolonged."""
        yield from ()

    def _log(self, run: Any, log: Sequence[str], say: Callable[[str], object]) -> Any:
        return loggers.copied(self.KIND.source(run), self.KIND.entries(run), log, say)

    def _complete(self, run: Any, team: config.Workers, log: Sequence[str],
                  progress: Progress) -> None:
        """Take all steps that are left; log and show each."""
        kind = self.KIND
        played = kind.games_played(run)
        begun = f"go on after {played:,} games" if played else "begin"
        run.log(f"{begun} with {team.backend}, {team.count or 'all'} workers")
        with _logged_stop(run, kind), playing(played + kind.games_left(run), team, progress,
                                              before=played) as (executor, meter):
            def say(line: str) -> None:
                meter.say(line)
                run.log(line)

            def show(step: Any) -> None:
                run.log(experiment.show(step, meter))
                write(lambda: experiment.entry(step))

            meter.say(f"run folder {run.path}")
            if legend := kind.legend(run):
                meter.say(legend)
            with self._log(run, log, say) as write:
                for note in kind.notes(run):
                    say(note)
                experiment = kind(run, executor, worker_count(team), meter.advance)
                experiment.complete(show)
        run.log("done")


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


def pool_of_plan(pool: PoolSettings, ruleset: str) -> DeckPool:
    """Return the cards that decks of a plan may be built of. Raises CardError, ConfigError."""
    return DeckPool.of(pool.cls, ruleset, sets=pool.sets, collection=pool.collection,
                       keep=pool.keep, ban=pool.ban)


def read_decks(named: Sequence[str], ruleset: str) -> tuple[Any, ...]:
    """Read the decks of a config. Raises DeckError; ConfigError if two have one name."""
    decks = as_decks(named)
    called = [deck.name for deck in decks]
    if twice := [name for name in called if called.count(name) > 1]:
        raise ConfigError(f"two decks are called '{twice[0]}'; give each a name of its own")
    refuse_foreign(decks, ruleset)
    return decks


@contextmanager
def _logged_stop(run: Any, kind: type[Experiment[Any, Any]]) -> Iterator[None]:
    """Write to log.txt by what a run was stopped, if that can be written."""
    try:
        yield
    except BaseException as end:
        why = str(end) or WHY.get(type(end), type(end).__name__)
        with suppress(RunError):
            run.log(f"stopped by {why.splitlines()[0]} after {kind.games_played(run):,} games")
        raise
