"""Prolong a run of hsevo learn: other periods than planned, as if it had been planned so before.

What depends on how many there are: the afterstate learner's rate, if it falls; the last period,
which is always measured; `done`; and payoff.csv, which is played anew.
"""

from __future__ import annotations

from hsevo.config import Workers
from hsevo.config.learning import END_TO_END
from hsevo.errors import ConfigError
from hsevo.learning.folder import LearningRun
from hsevo.learning.measures import due
from hsevo.learning.trainer import trainer
from hsevo.play.workers import open_workers


def refuse_damage(run: LearningRun) -> None:
    """Read all that a run goes on with. Raises RunError if it can't; nothing is written."""
    if not run.done:
        with open_workers(Workers(backend="serial")) as executor, trainer(run.plan)(
                run, executor, 1, lambda games: None):
            pass


def prolong(run: LearningRun, periods: int | None) -> str:
    """Have a run that is locked go on to so many periods; return what was changed, in words.

    None: as many as planned. Ends what a killed process began. Raises ConfigError for a number that
    it can't have, RunError.
    """
    said = run.prolong("periods", periods, lambda many: _refuse(run, many))
    if not run.done:  # payoff.csv is of all periods; the last one was measured because it was last
        last = run.periods - 1
        run.forget([last] if run.periods and not due(run.plan, last) else [])
    return said


def _refuse(run: LearningRun, periods: int) -> None:
    """Raise ConfigError if a run can't have so many periods."""
    learner = run.plan.learner
    if run.plan.policy != END_TO_END and learner.rate != learner.last_rate and run.periods:
        raise ConfigError(
            f"{run.path} can't have {periods:,} periods: its learning rate falls from"
            f" {learner.rate:g} to {learner.last_rate:g} over {run.plan.periods:,}, so with another"
            f" number it would have learned otherwise from the start; begin a new run with --set"
            f" periods={periods} (or with learner.last_rate={learner.rate:g}, which can be"
            " prolonged)")
    if periods <= run.periods:
        raise ConfigError(f"periods is {periods:,}, but {run.path} has {run.periods:,} already,"
                          f" and they count; for {periods:,} more, give {run.periods + periods}")
