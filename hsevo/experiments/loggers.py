"""Loggers: copy the progress of an experiment to TensorBoard (off by default).

    with copied(source, entries, names, say) as write:    log the entries of all committed steps
        write(make)                                       log a new one, after its commit

A log is a copy of the tables of the run folder, with one LogEntry per step; hsevo never reads it.
So a run is bit-identical with and without loggers, and a log can be made when a run starts, is
resumed, or is done. This is why loggers are an option of the command line and not a key of the
config, which determines the results. Killing and resuming a run neither repeats nor loses steps: on
resuming, all are logged again.

The contents of entries are explained where they are made: evolution/run.py, learning/run.py and
retold.py.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hsevo.config import Section, dump, short
from hsevo.errors import ConfigError, did_you_mean, quoted
from hsevo.optional import need
from hsevo.types import Array

BINS = 30  # per histogram, as many as TensorBoard draws
# Modules, and the packages that provide them.
NEEDED = {"tensorboard": (("tensorboardX",), "tensorboardX")}
# Loggers of earlier versions, and what you can use instead.
RETIRED = {"mlflow": "log to tensorboard, or send the columns of RUN/statistics.csv to MLflow"}


@dataclass(frozen=True)
class LogEntry:
    """The data of one step in a log."""

    execution: int  # from 1
    number: int  # from 0
    when: float  # time of its commit, in seconds since 1970
    values: dict[str, float]  # finite
    spreads: dict[str, Array]  # (mu,) of the survivors


@dataclass(frozen=True)
class Source:
    """A run folder of which there are logs."""

    path: Path
    plan: Section  # its settings
    resume: str  # the command that continues it
    executions: str  # their names


class Logger(Protocol):
    """The log of one execution. Methods may raise any exception of the underlying package."""

    def write(self, entry: LogEntry) -> None:
        """Add a step; called in order, from 0 on."""

    def close(self) -> None:
        """Close the log, whether the execution is over or was stopped."""


def named(names: str | Sequence[str]) -> list[str]:
    """Return the names of loggers as a list without duplicates. Raises ConfigError if unknown."""
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, Iterable):
        raise ConfigError(f"log is {short(names)}, but must be {' or '.join(NEEDED)}")
    for name in (listed := list(listed)):
        if name in RETIRED:
            raise ConfigError(f"the {name} log was removed in version 0.6: {RETIRED[name]}")
        if name not in NEEDED:
            raise ConfigError(f"there is no log {quoted(name)}{did_you_mean(name, NEEDED)};"
                              f" there is {' and '.join(NEEDED)}")
    return list(dict.fromkeys(listed))


def load(names: str | Sequence[str]) -> None:
    """Import the packages of loggers.

    Raises ConfigError if a logger is unknown, or a package is missing or broken.
    """
    for name in named(names):
        modules, packages = NEEDED[name]
        need(f"the {name} log", *modules, install=packages)


@contextmanager
def copied(source: Source, entries: Iterable[LogEntry], names: str | Sequence[str],
           say: Callable[[str], object]) -> Iterator[Callable[[Callable[[], LogEntry]], None]]:
    """Log entries, and yield a function that logs a further one, which it makes if it is needed.

    A logger that fails is dropped: a failing copy, which can be made again later, must not end a
    run. say: called with a message about it. Raises what `entries` raises.
    """
    alive = named(names)
    loggers: dict[str, tuple[int, Logger]] = {}  # by name, with the execution each belongs to

    @contextmanager
    def surviving(name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # its package may raise anything
            alive.remove(name)
            say(f"the {name} log failed ({_line(error)}); the run continues without it. To write it"
                f" later: {source.resume} --log {name}")

    def close(name: str) -> None:
        if name in loggers:
            loggers.pop(name)[1].close()

    def write(entry: LogEntry) -> None:
        for name in list(alive):
            with surviving(name):
                if name not in loggers or loggers[name][0] != entry.execution:
                    close(name)
                    loggers[name] = entry.execution, LOGGERS[name](source, entry)
                loggers[name][1].write(entry)

    try:
        for old in entries if alive else ():
            write(old)
        yield lambda new: write(new()) if alive else None
    finally:
        for name in list(alive):
            with surviving(name):
                close(name)


def tag(name: object) -> str:
    """Return a name as a part of a tag: TensorBoard groups tags by their slashes."""
    return re.sub(r"[^\w.:-]", "_", str(name))


class TensorBoard:
    """Writes RUN/tensorboard/execution-01 and so on: files with one event per entry.

    A file truncated by a kill can't be continued, so files are rewritten. Events are written
    directly: the package's SummaryWriter leaves this to a thread, and would wait forever for a
    thread that has died because the disk is full.
    """

    def __init__(self, source: Source, first: LogEntry) -> None:
        from tensorboardX.event_file_writer import EventsWriter
        from tensorboardX.summary import text

        folder = source.path / "tensorboard" / _name(source, first)
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        self.writer = EventsWriter(str(folder / "events"))
        block = "".join(f"    {line}\n" for line in dump(source.plan).splitlines())  # Markdown's
        self._add(first, text("config", block))

    def write(self, entry: LogEntry) -> None:
        """Add an event with all numbers and histograms."""
        from tensorboardX.proto.summary_pb2 import Summary
        from tensorboardX.summary import make_histogram

        points = [Summary.Value(tag=name, simple_value=x) for name, x in entry.values.items()]
        points += [Summary.Value(tag=name, histo=make_histogram(some, BINS))
                 for name, some in entry.spreads.items()]
        self._add(entry, Summary(value=points))

    def close(self) -> None:
        """Close the file."""
        self.writer.close()

    def _add(self, entry: LogEntry, summary: Any) -> None:
        from tensorboardX.proto.event_pb2 import Event

        self.writer.write_event(Event(wall_time=entry.when, step=entry.number, summary=summary))
        self.writer.flush()


LOGGERS: dict[str, Callable[[Source, LogEntry], Logger]] = {"tensorboard": TensorBoard}


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def _name(source: Source, entry: LogEntry) -> str:
    return source.executions.format(entry.execution)

