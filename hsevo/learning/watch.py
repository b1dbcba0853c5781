"""The state of a learning run, read only from its folder; works while the run is being written.

    look(path) -> State    committed periods, speed, time left
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hsevo.config.learning import Plan
from hsevo.learning.folder import LearningRun
from hsevo.learning.measures import games_measured, games_to_play
from hsevo.store import watching


@dataclass(frozen=True)
class State(watching.State[Plan]):
    """A learning run at one moment; before the first period, tables are empty."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return len(self.learning)


def look(path: Path, pause: float = 0.5) -> State:
    """Return the state of a run. Raises RunError if the folder is not a run, or damaged.

    pause: seconds before trying again if the files are inconsistent.
    """
    return watching.look(_look, path, LearningRun.COMMIT, pause)


def _look(path: Path) -> State:
    changed, run = watching.changed(path), LearningRun.open(path)
    plan, total = run.plan, games_to_play(run.plan)
    left = 0 if run.done else games_to_play(plan, run.periods)
    games = {(1, period): plan.rounds * plan.games_per_round
             + games_measured(plan, range(period, period + 1)) for period in range(run.periods)}
    return State(path, plan, run.done, total - left, left,
                 watching.pace(watching.log_of(path), games), changed,
                 run.table("learning.csv"), run.table("references.csv"))
