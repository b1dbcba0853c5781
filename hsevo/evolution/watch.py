"""The state of a run, read only from its folder; works while the run is being written.

    look(path) -> State    committed generations, speed, time left

Only what checkpoint.json has committed is read (Run.open).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Config
from hsevo.evolution.evolve import games_to_play
from hsevo.evolution.progress import duration, figures
from hsevo.evolution.references import games as reference_games
from hsevo.runs.folder import Run
from hsevo.runs.individuals import individuals
from hsevo.store import watching

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class State(watching.State[Config]):
    """A run at one moment; before the first generation, tables and `weights` are empty."""

    at: tuple[int, int] | None  # execution (from 1) and generation (from 0) committed last
    statistics: pd.DataFrame  # of all executions, as in statistics.csv
    references: pd.DataFrame  # the last measurement, as in references.csv
    ages: Array  # (mu,) of the survivors, in generations
    weights: Array  # (mu, k) of the survivors, the best first
    genome: Genome  # of the k weights


def look(path: Path, pause: float = 0.5) -> State:
    """Return the state of a run. Raises RunError if the folder is not a run, or damaged.

    pause: seconds before trying again if the files are inconsistent.
    """
    return watching.look(_look, path, Run.COMMIT, pause)


def _look(path: Path) -> State:
    changed, run = watching.changed(path), Run.open(path)
    plan, genome = run.config, run.genome
    statistics, measured = run.statistics(), run.references()
    if run.start is None:
        return State(path, plan, run.done, 0, games_to_play(plan), None, changed, None, statistics,
                     measured, np.zeros(0), np.zeros((0, genome.size)), genome)
    at = run.start.execution, run.start.number
    games = games_played(plan, statistics)
    stay = individuals(run.population(), *at, [int(i) for i in run.start.population["id"]])
    left = 0 if run.done else games_to_play(plan, run.start)
    return State(path, plan, run.done, sum(games.values()), left,
                 watching.pace(watching.log_of(path), games), changed, at, statistics,
                 last_measured(measured), at[1] - stay["born"].astype(np.float64),
                 stay["weights"], genome)


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
