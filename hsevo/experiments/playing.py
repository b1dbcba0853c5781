"""The workers and the progress of one call: `with playing(...) as (executor, meter)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeAlias

from rich.console import Console, RenderableType

from hsevo.config import Workers, check
from hsevo.errors import HsevoError, Stopped, refuse_unknown
from hsevo.experiments.compiling import CompileMeter
from hsevo.experiments.progress import Meter
from hsevo.play import match
from hsevo.play.workers import Executor, most_workers, open_workers

# False: silent. True: a live line on a terminal, plain lines elsewhere, both on stderr. A function
# is called with (games done, games in total) after every block of games.
Progress: TypeAlias = bool | Callable[[int, int], object]

ARGUMENTS = "the arguments"  # where a refused value was given


def workers_of(workers: int | None = None, backend: str | None = None) -> Workers:
    """Return the settings of workers: how many (default: one per core), and which backend.

    Raises ConfigError.
    """
    settings: dict[str, Any] = {"count": workers, "backend": backend}
    named = {name: value for name, value in settings.items() if value is not None}
    return check(Workers, named, f"{ARGUMENTS}: workers")


def parted(function: str, keywords: Any, fields: Mapping[str, Any]
           ) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keywords of a call: those of what is played, and workers and backend.

    keywords: a TypedDict of those that there are. Raises TypeError for another one.
    """
    refuse_unknown(function, fields, keywords.__annotations__)
    worker_keys = ("workers", "backend")
    return ({key: value for key, value in fields.items() if key not in worker_keys},
            {key: fields[key] for key in worker_keys if key in fields})


def warm_up(progress: Progress = True, ruleset: str = "cig2018") -> None:
    """Load the engine, or compile it; with progress, report compiling on stderr."""
    with compiling(progress):
        match.warm_up(ruleset)


def compiling(progress: Progress) -> AbstractContextManager[CompileMeter | None]:
    """Return what reports on stderr, with progress, all that is compiled meanwhile."""
    return CompileMeter() if progress is True else nullcontext()


def print_line(line: str) -> None:
    """Print a line on stderr."""
    Console(stderr=True).print(line, highlight=False, soft_wrap=True, markup=False)


@contextmanager
def playing(games: int, workers: Workers, progress: Progress = False,
            above: Callable[[], Iterable[RenderableType]] = tuple,
            before: int = 0, load: Callable[[], object] | None = None,
            ruleset: str = "cig2018") -> Iterator[tuple[Executor, Meter]]:
    """Load the engine, open workers, and count the games that they play against `games`.

    above: returns what to show above the live line in a terminal; called several times a second.
    before: how many of the games were played earlier. load: loads what these games need; default:
    the rules, those of `ruleset`, and the agents that look one action ahead.
    """
    with compiling(progress):
        load() if load else match.warm_up(ruleset)
    if progress is True and workers.backend != "serial" and (workers.count or 1) > most_workers():
        print_line(f"{most_workers()} workers instead of {workers.count:,}(more would not be faster"
                   " here)")
    call = progress if callable(progress) else None
    quiet = Console(stderr=True, quiet=progress is not True)
    late = CompileMeter(quiet, alone=False)
    with (late if progress is True else nullcontext(), open_workers(workers) as executor,
          Meter(games, quiet, lambda: (*late.lines(), *above()), call, before) as meter):
        yield executor, meter


@contextmanager
def keeping(so_far: Callable[[], Any]) -> Iterator[None]:
    """Give what was found so far to whatever stops the work: the `result` of what is raised.

    so_far: returns it, or None if there is nothing yet.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        stopped = Stopped(*interrupt.args)
        stopped.result = so_far()
        raise stopped from None
    except HsevoError as error:
        error.result = so_far()
        raise


@contextmanager
def measuring(progress: Progress, load: Callable[[], object]) -> Iterator[None]:
    """Load what the games call, and show the progress."""
    with compiling(progress):
        load()
    if progress is True:
        print_line("measuring the game length of this config")
    with compiling(progress):
        yield
