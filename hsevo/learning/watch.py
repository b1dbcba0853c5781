"""The state of a learning run, read only from its folder; works while the run is being written.

    look(path) -> State    committed periods, speed, time left

Times come from log.txt, and are those of the machine that wrote it.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pandas as pd

from hsevo.config.learning import Plan
from hsevo.errors import RunError
from hsevo.evolution.watch import PATIENCE, SILENCE, TRIES, WINDOW
from hsevo.learning.folder import LearningRun
from hsevo.learning.measures import games_measured, games_to_play

_STAMP = "%Y-%m-%d %H:%M:%S"
_LINE = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?:(begin|go on) with |period \d+ of )")


@dataclass(frozen=True)
class State:
    """A learning run at one moment; before the first period, tables are empty."""

    path: Path
    plan: Plan
    done: bool
    learning: pd.DataFrame
    references: pd.DataFrame
    played: int  # games, with those of measurements
    left: int
    seconds: tuple[float, ...]  # of the last periods, without stops
    changed: float  # time of the last change of the folder, in seconds since 1970

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return len(self.learning)

    @property
    def speed(self) -> float:
        """Games a second over the last periods, with their measurements; 0 if not known."""
        there = range(max(self.periods - len(self.seconds), 0), self.periods)
        games = (len(there) * self.plan.rounds * self.plan.games_per_round
                 + games_measured(self.plan, there))
        return games / max(sum(self.seconds), 0.5) if self.seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """The estimated time left, in seconds."""
        if self.done:
            return 0.0
        return self.left / self.speed if self.speed else float("inf")

    def silence(self, now: float) -> float:
        """Return the seconds since the last change if that is unusually long, else 0."""
        quiet = now - self.changed
        usual = max(SILENCE * max(self.seconds, default=0.0), PATIENCE)
        return quiet if quiet > usual and not self.done else 0.0


def look(path: Path, pause: float = 0.5) -> State:
    """Return the state of a run. Raises RunError if the folder is not a run, or damaged.

    pause: seconds before trying again, for a network disk may show a new state before its tables.
    """
    for _ in range(TRIES - 1):
        try:
            return _look(path)
        except RunError:
            if not (path / "state.npz").exists():
                raise
            time.sleep(pause)
    return _look(path)


def _look(path: Path) -> State:
    done = (path / "done").exists()  # read first: if it exists, the rest is final
    run = LearningRun.open(path)
    total = games_to_play(run.plan)
    left = 0 if done else games_to_play(run.plan, run.periods)
    return State(path, run.plan, done, run.table("learning.csv"), run.table("references.csv"),
                 total - left, left, _seconds(path), _changed(path))


def _changed(path: Path) -> float:
    times = []
    for name in ("about.json", "state.npz", "log.txt", "done"):
        try:
            times.append((path / name).stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)


def _seconds(path: Path) -> tuple[float, ...]:
    """Return how long the last periods took, at most WINDOW, by log.txt; none if it is not there.
    """
    try:
        text = (path / "log.txt").read_text(encoding="utf-8", errors="replace")
        found = [(datetime.strptime(line[1], _STAMP), bool(line[2]))
                 for line in map(_LINE.match, text.splitlines()) if line]
    except (OSError, ValueError):  # not there, or no date
        return ()
    steps = [(now - before).total_seconds() for (before, _), (now, begins) in pairwise(found)
             if not begins]
    return tuple(max(step, 0.0) for step in steps[-WINDOW:])
