"""Watch a folder that another process may write: its state, how fast it goes, whether it stopped.

    State                     what all kinds have; each adds its tables, and its words
    pace(log, games)          speed over the last steps

A step is a generation or a period. Times come from log.txt, and are those of the machine that wrote
it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from hsevo import config
from hsevo.errors import RunError, resuming
from hsevo.experiments.progress import duration, speed_text
from hsevo.files import check_regular
from hsevo.objects import Fields

WINDOW = 10  # steps over which speed is measured
SILENCE = 5  # a run seems stopped after this many times its longest recent step
PATIENCE = 60.0  # but not before this many seconds
_STAMP = "%Y-%m-%d %H:%M:%S"
_LINE = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) "
                   r"(?:((?:begin|go on|go on after [\d,]+ games) with )|"
                   r"(?:execution (\d+) of \d+, )?[a-z]+ (\d+) of )")
P = TypeVar("P", bound=config.Section)


@dataclass(frozen=True)
class RunPace:
    """The speed over the last steps, in games/s, and the seconds of the longest of them."""

    speed: float
    longest: float


@dataclass(frozen=True)
class State(ABC, Generic[P]):
    """What all experiments have at one moment."""

    FIELDS: ClassVar[Fields] = {
        "path": "path", "config": lambda self: self.plan.model_dump(mode="json", by_alias=True),
        "done": "done", "games": "played", "games_left": "left",
        "games_per_second": lambda self: self.pace.speed if self.pace else None,
        "seconds_left": "seconds_left"}

    kind: Any  # the class of its experiment
    path: Path
    plan: P
    done: bool
    played: int  # games, with those of measurements
    left: int  # games, at most
    pace: RunPace | None
    changed: float  # time of the last change of the folder, in seconds since 1970

    @property
    @abstractmethod
    def where(self) -> str:
        """The last committed step, in words; that there is none."""

    @abstractmethod
    def lines(self, before: Self | None = None) -> list[str]:
        """Return a line per step since an earlier state; without one, what is told first."""

    @property
    def speed(self) -> float:
        """Games a second over the last steps; 0 if not known."""
        return self.pace.speed if self.pace else 0.0

    @property
    def seconds_left(self) -> float:
        """The estimated time left, in seconds."""
        if self.done:
            return 0.0
        return self.left / self.speed if self.speed else float("inf")

    def progress(self, stopped: bool = False) -> str:
        """Return games, speed and time left as text; `stopped`: it seems to have stopped."""
        said = [f"{self.played:,} of {self.played + self.left:,} games"]
        said += [speed_text(self.speed)] if self.pace else []
        left = f"{duration(self.seconds_left)} left" + (" once resumed" if stopped else "")
        return ", ".join([*said, "done" if self.done else left])

    def silence(self, now: float) -> float:
        """Return the seconds since the last change if that is unusually long, else 0."""
        usual = max(SILENCE * self.pace.longest if self.pace else 0.0, PATIENCE)
        silent = now - self.changed
        return silent if silent > usual and not self.done else 0.0

    def stopped(self, now: float) -> str:
        """Return that it seems to have stopped, and the command that continues it; or ""."""
        if not (silent := self.silence(now)):
            return ""
        return (f"no progress for {duration(silent)}; if the run was stopped, continue with:"
                f" {resuming(self.kind.command(), self.path)}")

    def refreshed(self) -> Self:
        """Return the state now; this one if the folder has not changed. Raises RunError."""
        if changed(self.path, self.kind.COMMIT) == self.changed:
            return self
        state: Self = self.kind.look(self.path)
        return state


def changed(path: Path, commit: str) -> float:
    """Return the time of the last change of a folder, in seconds since 1970."""
    times = [0]
    for name in ("about.json", commit, "log.txt", "done"):
        with suppress(OSError):
            times.append((path / name).stat().st_mtime_ns)
    return max(times) / 1e9


def log_of(path: Path) -> str:
    """Return the text of log.txt, "" if it can't be read."""
    try:
        check_regular(path / "log.txt")
        return (path / "log.txt").read_text(encoding="utf-8", errors="replace")
    except (OSError, RunError):
        return ""


def _moments(log: str) -> Iterator[tuple[datetime, tuple[int, int] | None]]:
    """Yield the times of starts and of continuations (None), and of the commit of each step."""
    for match in filter(None, map(_LINE.match, log.splitlines())):
        try:
            when = datetime.strptime(match[1], _STAMP)
        except ValueError:  # no such date
            continue
        yield when, None if match[2] else (int(match[3] or 1), int(match[4]))


def pace(log: str, games: Mapping[tuple[int, int], int]) -> RunPace | None:
    """Return the speed of the last steps since the run was last started or resumed.

    If there are none since then, of those before.
    log: text of log.txt. games: of each committed step, by execution (from 1) and number.
    """
    stretches: list[tuple[list[datetime], list[int]]] = []  # times, and games between them
    for when, step in _moments(log):
        if step is None:
            stretches.append(([when], []))
        elif stretches and step in games:
            stretches[-1][0].append(when)
            stretches[-1][1].append(games[step])
    known = [stretch for stretch in stretches if stretch[1]]
    if not known:
        return None
    times, counts = known[-1][0][-WINDOW - 1:], known[-1][1][-WINDOW:]
    steps = [(b - a).total_seconds() for a, b in pairwise(times)]
    seconds = max(sum(steps), 0.5)  # the log has whole seconds
    return RunPace(sum(counts) / seconds, max(steps))


def spent(path: Path) -> float:
    """Return for how many seconds a run was played, without stops; 0 if log.txt does not say."""
    steps = [(now - before).total_seconds() for (before, _), (now, step)
             in pairwise(_moments(log_of(path))) if step]  # before a line that begins, it stood
    return sum(max(step, 0.0) for step in steps)
