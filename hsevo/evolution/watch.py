"""The state of a run, read only from its folder; works while the run is being written.

    look(path) -> State    committed generations, speed, time left
    signature(path)        changes when there is something new to read

Only what checkpoint.json has committed is read (Run.open). Times come from log.txt, and are
those of the machine that wrote it.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genome import Genome
from hsevo.config import Config
from hsevo.errors import RunError
from hsevo.evolution.evolve import games_to_play
from hsevo.evolution.progress import duration, figures
from hsevo.evolution.references import games as reference_games
from hsevo.files import check_regular
from hsevo.runs.folder import Run
from hsevo.runs.individuals import individuals

Array: TypeAlias = npt.NDArray[np.float64]

WINDOW = 10  # generations over which speed is measured
SILENCE = 5  # a run seems stopped after this many times its longest recent generation
PATIENCE = 60.0  # but not before this many seconds
TRIES = 3  # a network disk may show a new checkpoint before the tables that it refers to
_STAMP = "%Y-%m-%d %H:%M:%S"
_LINE = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) "
                   r"(?:((?:begin|go on after [\d,]+ games) with )|"
                   r"(?:execution (\d+) of \d+, )?generation (\d+) of )")


@dataclass(frozen=True)
class Pace:
    """The speed over the last generations, in games/s, and the seconds of the longest of them."""

    speed: float
    longest: float


@dataclass(frozen=True)
class State:
    """A run at one moment; before the first generation, tables and `weights` are empty."""

    path: Path
    plan: Config
    done: bool
    at: tuple[int, int] | None  # execution (from 1) and generation (from 0) committed last
    statistics: pd.DataFrame  # of all executions, as in statistics.csv
    references: pd.DataFrame  # the last measurement, as in references.csv
    played: int  # games
    left: int  # games, at most
    pace: Pace | None
    changed: float  # time of the last change of the folder, in seconds since 1970
    ages: Array  # (mu,) of the survivors, in generations
    weights: Array  # (mu, k) of the survivors, the best first
    genome: Genome  # of the k weights

    @property
    def seconds_left(self) -> float:
        """The estimated time left, in seconds."""
        if self.done:
            return 0.0
        return self.left / self.pace.speed if self.pace and self.pace.speed else float("inf")

    def silence(self, now: float) -> float:
        """Return the seconds since the last change if that is unusually long, else 0."""
        usual = max(SILENCE * self.pace.longest if self.pace else 0.0, PATIENCE)
        quiet = now - self.changed
        return quiet if quiet > usual and not self.done else 0.0


def signature(path: Path) -> tuple[int, ...]:
    """Return numbers that change with the state of a run; 0 for missing files."""
    found = []
    for name in ("checkpoint.json", "log.txt", "done"):
        try:
            stat = (path / name).stat()
            found += [stat.st_mtime_ns, stat.st_size]
        except OSError:
            found += [0, 0]
    return tuple(found)


def look(path: Path, pause: float = 0.5) -> State:
    """Return the state of a run. Raises RunError if the folder is not a run, or damaged.

    pause: seconds before trying again if the files are inconsistent.
    """
    for _ in range(TRIES - 1):
        try:
            return _look(path)
        except RunError:
            if not (path / "checkpoint.json").exists():
                raise
            time.sleep(pause)
    return _look(path)


def _look(path: Path) -> State:
    done = (path / "done").exists()  # read first: if it exists, the rest is final
    changed = max(signature(path)[::2]) / 1e9
    run = Run.open(path)
    statistics, measured = run.statistics(), run.references()
    if run.start is None:
        return State(path, run.config, done, None, statistics, measured, 0,
                     games_to_play(run.config), None, changed, np.zeros(0),
                     np.zeros((0, run.genome.size)), run.genome)
    at = run.start.execution, run.start.number
    games = games_played(run.config, statistics)
    stay = individuals(run.population(), *at, [int(i) for i in run.start.population["id"]])
    return State(path, run.config, done, at, statistics, last_measured(measured),
                 sum(games.values()), 0 if done else games_to_play(run.config, run.start),
                 pace(_log(path), games), changed, at[1] - stay["born"].astype(np.float64),
                 stay["weights"], run.genome)


def games_played(plan: Config, statistics: pd.DataFrame) -> dict[tuple[int, int], int]:
    """Return the games of every (execution, generation), with those of references."""
    rows = zip(statistics["execution"], statistics["generation"], statistics["games"], strict=True)
    return {(int(execution), int(number)): int(games) + reference_games(plan, int(number))
            for execution, number, games in rows}


def last_measured(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of references.csv of its last generation."""
    if measured.empty:
        return measured
    keys = ["execution", "generation"]
    last: pd.DataFrame = measured[(measured[keys] == measured[keys].iloc[-1]).all(axis=1)]
    return last


def _log(path: Path) -> str:
    try:
        check_regular(path / "log.txt")
        return (path / "log.txt").read_text(encoding="utf-8", errors="replace")
    except (OSError, RunError):
        return ""


def pace(log: str, games: dict[tuple[int, int], int]) -> Pace | None:
    """Return the speed of the last generations since the run was last started or resumed.

    If there are none since then, of those before.
    log: text of log.txt. games: of each committed (execution, generation).
    """
    stretches: list[tuple[list[datetime], list[int]]] = []  # times, and games between them
    for line in log.splitlines():
        found = _LINE.match(line)
        if not found:
            continue
        try:
            when = datetime.strptime(found[1], _STAMP)
        except ValueError:  # a date that is none
            continue
        key = int(found[3] or 1), int(found[4] or 0)
        if found[2]:
            stretches.append(([when], []))
        elif stretches and key in games:
            stretches[-1][0].append(when)
            stretches[-1][1].append(games[key])
    known = [stretch for stretch in stretches if stretch[1]]
    if not known:
        return None
    times, counts = known[-1][0][-WINDOW - 1:], known[-1][1][-WINDOW:]
    steps = [(b - a).total_seconds() for a, b in pairwise(times)]
    seconds = max(sum(steps), 0.5)  # the log has whole seconds
    return Pace(sum(counts) / seconds, max(steps))


def spent(run: Run) -> float:
    """Return for how many seconds a run was played, without stops; 0 if log.txt does not say."""
    lines = filter(None, map(_LINE.match, _log(run.path).splitlines()))
    try:
        times = [(datetime.strptime(line[1], _STAMP), bool(line[2])) for line in lines]
    except ValueError:  # not a date
        return 0.0
    steps = [(now - before).total_seconds() for (before, _), (now, begins) in pairwise(times)
             if not begins]  # before a line that begins, it was stopped
    return sum(max(step, 0.0) for step in steps)


def lines(state: State, since: tuple[int, int] = (0, 0)) -> list[str]:
    """Return one line per generation after `since`; the last line includes the progress."""
    stats = state.statistics
    new = [row for row in stats.to_dict("records")
           if (row["execution"], row["generation"]) > since]
    said = [f"{moment(state.plan, row['execution'], row['generation'])}: "
            + ", ".join(figures(state.plan, row["best"], row["mean"], row["mean_sigma"]))
            for row in new]
    return [*said[:-1], f"{said[-1]}, {progress_text(state)}"] if said else []


def progress_text(state: State, stopped: bool = False) -> str:
    """Return games, speed and time left as text; `stopped`: the run seems to have stopped."""
    said = [f"{state.played:,} of {state.played + state.left:,} games"]
    said += [f"{state.pace.speed:,.0f} games/s"] if state.pace else []
    left = f"{duration(state.seconds_left)} left" + (" once resumed" if stopped else "")
    return ", ".join([*said, "done" if state.done else left])


def moment(plan: Config, execution: int, generation: int) -> str:
    """Return the number of a generation within its run, as text."""
    many = f"execution {execution} of {plan.executions}, " if plan.executions > 1 else ""
    return f"{many}generation {generation} of {plan.evolution.generations - 1}"
