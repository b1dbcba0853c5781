"""Learning as an experiment: a step is a period, made by the trainer of the plan's policy.

The state of a learning run, as its folder tells it, and its lines.

What logs of a learning run (TensorBoard) hold: a copy of its tables, a step a period.

    learning/COLUMN                  the line of learning.csv, its seconds of CPU time
    references/OPPONENT/COLUMN       win rate with its interval, where it was measured
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from hsevo.config import Workers
from hsevo.config.learning import END_TO_END, Plan
from hsevo.errors import ConfigError
from hsevo.experiments import watching
from hsevo.experiments.experiment import MOST, Experiment
from hsevo.experiments.loggers import LogEntry, tag
from hsevo.experiments.progress import Meter, planned
from hsevo.learning import budget
from hsevo.learning.folder import LearnedPeriod, LearningRun
from hsevo.learning.measures import due, games_measured, games_of_payoff, games_to_play
from hsevo.learning.trainers import trainer
from hsevo.learning.verify import LearningReport, games_to_verify, verify
from hsevo.play.specs import short_names
from hsevo.play.workers import Executor, OnGames, open_workers


@dataclass(frozen=True)
class LearningState(watching.State[Plan]):
    """A learning run at one moment; before the first period, tables are empty."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return len(self.learning)

    @property
    def where(self) -> str:
        """The last committed period, in words; that there is none."""
        return (f"period {self.periods - 1} of {self.plan.periods - 1}" if self.periods
                else "no period yet")

    def lines(self, before: LearningState | None = None) -> list[str]:
        """Return a line per period since an earlier state; without one, of all periods."""
        if before is None and not self.periods:
            return [self.where]
        table, since = self.references, before.periods if before else 0
        measured = dict(list(table.groupby("period"))) if len(table) else {}
        return [period_line(self.plan, row, measured.get(row["period"]))
                for row in self.learning.iloc[since:].to_dict("records")]


def period_line(plan: Plan, row: Mapping[Any, Any], measured: pd.DataFrame | None) -> str:
    """Return a period in words: of its line of learning.csv, and its lines of references.csv."""
    said = [f"period {row['period']} of {plan.periods - 1}: {row['positions']:,} positions, loss"
            f" {row['loss']:.4f}, pool {row['pool']}"]
    lines = [] if measured is None else measured.to_dict("records")
    names = short_names([one["opponent"] for one in lines])
    said += [f"{names[one['opponent']]} {100 * one['rate']:.1f} % ({100 * one['rate_low']:.1f} to"
             f" {100 * one['rate_high']:.1f})" for one in lines]
    return ", ".join(said)


def entries(run: LearningRun) -> Iterator[LogEntry]:
    """Yield the entries of all committed periods, in order. Raises RunError."""
    times = run.table("times.csv")
    seconds = dict(zip(times["period"], times["cpu_seconds"], strict=True)) if len(times) else {}
    measured = run.measured()
    for line in run.table("learning.csv").to_dict("records"):
        number = int(line["period"])
        yield entry(run, line, seconds.get(number, 0.0), measured.get(number))


def entry(run: LearningRun, line: Mapping[Any, Any], seconds: float,
          measured: pd.DataFrame | None) -> LogEntry:
    """Return the entry of a period: its line of learning.csv, and its lines of references.csv."""
    values = run.tables["learning.csv"].logged("learning", line)
    values["learning/cpu_seconds"] = float(seconds)
    for row in [] if measured is None else measured.to_dict("records"):
        values |= run.tables["references.csv"].logged(f"references/{tag(row['opponent'])}", row)
    number = int(line["period"])
    return LogEntry(1, number, run.written(run.net(number)), values, {})


class Learning(Experiment[LearningRun, LearnedPeriod]):
    """A player that learns by playing, of either policy."""

    FOLDER, STATE, STEPS = LearningRun, LearningState, "periods"
    LOGS = "learning"

    def steps(self) -> Generator[LearnedPeriod, None, None]:
        """Learn all periods after the last committed one; then all checkpoints meet all."""
        run, plan = self.run, self.run.plan
        with trainer(plan)(run, self.executor, self.threads, self.on_games) as training:
            for number in range(run.periods, plan.periods):
                yield training.period(number)
            self.made = {"payoff.csv": run.tables["payoff.csv"].text(training.payoff())} if (
                plan.payoff_games) else {}

    def finish(self) -> None:
        """Write the payoff table, and mark the run as finished."""
        self.run.finish(self.made)

    def show(self, step: LearnedPeriod, meter: Meter) -> str:
        """Print the line of a period, and return it."""
        line = period_line(self.run.plan, step.line, step.measured)
        meter.say(line)
        return line

    @classmethod
    def notes(cls, run: LearningRun) -> Iterator[str]:
        """Yield where else a course would be another, and whether this one will be."""
        if run.plan.policy == END_TO_END and run.plan.network.actors != "rounds":
            yield (f"games are played while it learns (network.actors: {run.plan.network.actors}):"
                   " no two runs are alike, also after a stop")
            return
        if run.plan.policy == END_TO_END:
            yield ("bit-identical with any number of workers, on this kind of processor with this"
                   " version of PyTorch; elsewhere, and on GPUs, the course differs")
        if run.periods and (why := trainer(run.plan).may_differ(run)):
            yield f"{why}: from here the course may be another"

    @classmethod
    def games(cls, run: LearningRun) -> dict[tuple[int, int], int]:
        """Return the games of each period, with its measurement; at the end those of the payoff."""
        plan = run.plan
        found = {(1, period): plan.rounds * plan.games_per_round
                 + games_measured(plan, range(period, period + 1)) for period in range(run.periods)}
        return found | ({(1, plan.periods): games_of_payoff(plan)} if run.done else {})

    @classmethod
    def games_left(cls, run: LearningRun) -> int:
        """Return how many games are left."""
        return 0 if run.done else games_to_play(run.plan, run.periods)

    @classmethod
    def details(cls, run: LearningRun) -> dict[str, Any]:
        """Return its tables, for its state."""
        return {"learning": run.table("learning.csv"), "references": run.table("references.csv")}

    @classmethod
    def refuse_damage(cls, run: LearningRun) -> None:
        """Read all that a run continues with. Raises RunError if it can't; nothing is written."""
        if not run.done:
            with open_workers(Workers(backend="serial")) as executor, trainer(run.plan)(
                    run, executor, 1, lambda games: None):
                pass

    @classmethod
    def refuse_steps(cls, run: LearningRun, number: int) -> None:
        """Raise ConfigError if a run can't have so many periods.

        A learning rate that falls depends on how many there are.
        """
        ours = run.plan.policy == END_TO_END
        part = run.plan.network if ours else run.plan.learner
        if part.last_rate not in (None, part.rate) and run.periods:
            key = "network.last_rate" if ours else "learner.last_rate"
            raise ConfigError(
                f"{run.path} can't have {number:,} periods: its learning rate falls from"
                f" {part.rate:g} to {part.last_rate:g} over {run.plan.periods:,}, so with"
                " another number it would have learned otherwise from the start; begin a new run"
                f" with --set periods={number} (or with {key}={part.rate:g}, which"
                " can be prolonged)")
        super().refuse_steps(run, number)

    @classmethod
    def steps_done(cls, run: LearningRun) -> int:
        """Return how many periods are committed."""
        return run.periods

    @classmethod
    def forget(cls, run: LearningRun) -> None:
        """Take away payoff.csv, of all periods, and what was measured because it was the last."""
        last = run.periods - 1
        run.forget([last] if run.periods and not due(run.plan, last) else [])

    @classmethod
    def to_verify(cls, path: Path) -> LearningRun:
        """Open and lock a folder: a step replaces the learner's state. Raises RunError if in use.
        """
        return LearningRun.hold(path)

    @classmethod
    def games_to_verify(cls, run: LearningRun) -> int:
        """Return how many games `verify` plays again."""
        return games_to_verify(run)

    @classmethod
    def verify(cls, run: LearningRun, executor: Executor, threads: int,
               on_games: OnGames) -> LearningReport:
        """Play its measurements again, and learn its first period again."""
        return verify(run, executor, threads, on_games)

    @classmethod
    def entries(cls, run: LearningRun) -> Iterator[LogEntry]:
        """Yield what a log has of all committed periods, in order. Raises RunError."""
        return entries(run)

    @classmethod
    def costs(cls, plan: Plan, parts: Any) -> Callable[[Plan], float]:
        """Return what gives the seconds of a plan, measured by some rounds."""
        return budget.measure(plan, *parts).run

    @classmethod
    def fitted(cls, plan: Plan, parts: Any, minutes: float) -> tuple[Plan, str]:
        """Return the plan with as many periods as fit, and what was planned, in words."""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, plan.imitates + 1, MOST)

    def entry(self, step: LearnedPeriod) -> LogEntry:
        """Return what a log has of a period."""
        return entry(self.run, step.line, step.seconds, step.measured)
