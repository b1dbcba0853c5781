"""Check a run folder of hsevo learn: play its measurements again, and learn its first period again.

    verify(run, executor, threads) -> LearningReport

All results follow from the seed, so everything must come out equal:

    files          what was written, by their SHA-256; a checkpoint for each period, and its lines
    state.npz      its weights are those of the last checkpoint (of a net, rounded)
    tables         games, members of the pool, rates and their intervals add up
    period 0       played and learned again: the same line of learning.csv, the same net
    references.csv, payoff.csv     all games played again by the checkpoints

Later periods are not learned again, for the learner's state before them is not kept. Games are
played again by the engine of the run alone; by another, they are left out. So are those of an
end-to-end policy on another processor, or if it learned on a GPU, or while games were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.errors import AgentError, RunError
from hsevo.learning.folder import LearningRun, period_name
from hsevo.learning.measures import due, games_measured, games_of_payoff
from hsevo.learning.trainer import Trainer
from hsevo.learning.trainers import trainer
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checkpoints
from hsevo.store.sums import Checked
from hsevo.store.tables import DataTable

CLOSE = 1e-9  # rates are written with all their digits


@dataclass(kw_only=True)
class LearningReport(Checked):
    """What was checked, and the problems found."""

    periods: int = 0
    measurements: int = 0  # lines of references.csv and payoff.csv whose games were played again
    other: str = ""  # why no game was played again, in words

    @property
    def outcome(self) -> str:
        """What adds up, and what was played again."""
        played = self.other or (
            f"the first period, learned again, and {self.measurements:,} lines of measurements,"
            f" played again, are equal ({self.games:,} games)" if self.periods else "none to check")
        return (f"{self.periods:,} periods add up; {played}"
                f"{self.unsigned if self.periods else ''}")


def games_to_verify(run: LearningRun) -> int:
    """Return how many games `verify` plays; 0 if they could come out otherwise here."""
    plan, done = run.plan, run.periods
    if not done or why_not_replayed(run):
        return 0
    return (plan.rounds * plan.games_per_round + games_measured(plan, range(done))
            + run.final * games_of_payoff(plan))


def verify(run: LearningRun, executor: Executor, threads: int,
           on_games: OnGames = lambda games: None) -> LearningReport:
    """Check all that a run has committed; problems are listed in the report, not raised.

    threads: of the learner; no result depends on them. on_games: called with the number of games
    just played. Raises RunError only if the folder can't be read at all.
    """
    report = LearningReport(periods=run.periods, done=run.final, sums=bool(run.digests),
                            other=why_not_replayed(run))
    report.problems += _files(run)
    if report.problems or not run.periods:
        return report
    report.problems += [*_state(run), *_sums(run)]
    if report.other:
        return report

    def count(games: int) -> None:
        report.games += games
        on_games(games)

    with trainer(run.plan)(run, executor, threads, count, anew=True) as training:
        report.problems += _first_period(run, training)
        report.problems += _references(run, training)
        report.problems += _payoff(run, training)
    report.measurements = len(run.table("references.csv")) + len(run.table("payoff.csv"))
    return report


def why_not_replayed(run: LearningRun) -> str:
    """Return why no game can be played again here, in words; "" if they can."""
    if marks := run.other_marks():
        return marks
    why = trainer(run.plan).may_differ(run)
    return f"{why}: no game was replayed" if why else ""


def _files(run: LearningRun) -> Iterator[str]:
    """Yield what is changed, missing, left over, or no net."""
    if problems := [*run.changed()]:
        yield from problems
        return
    if run.final and run.periods < run.plan.periods:
        yield f"it is marked as done after {run.periods} of {run.plan.periods} periods"
    wanted = [period_name(number) for number in range(run.periods)]
    names = checkpoints.names(run.path) if wanted else []
    if run.final and (more := [name for name in names if name not in wanted]):
        yield f"{_file(run, more[0])} belongs to no period"
    read = trainer(run.plan).read_policy
    for name in wanted:
        try:
            read(run, name)
        except (AgentError, RunError) as error:
            yield str(error)
    for name in ("learning.csv", "times.csv"):
        try:
            periods = run.table(name)["period"].tolist() if wanted else []
        except RunError as error:
            yield str(error)
            continue
        if periods != [*range(run.periods)]:
            yield f"{name} lacks a line for each of the {run.periods} periods"
    for name in ("references.csv", "payoff.csv"):
        try:
            run.table(name)
        except RunError as error:
            yield str(error)
    if run.final and run.plan.payoff_games and not (run.path / "payoff.csv").exists():
        yield "payoff.csv is missing"
    elif run.final and run.plan.payoff_games and run.digests and "payoff.csv" not in run.digests:
        yield "state.npz: it has no SHA-256 of payoff.csv"


def _file(run: LearningRun, name: str) -> str:
    """Return the file of a checkpoint, as it is called in a problem."""
    return f"{checkpoints.FOLDER}/{checkpoints.path_of(run.path, name).name}"


def _state(run: LearningRun) -> Iterator[str]:
    """Yield the problem of the learner's state, against the last checkpoint."""
    kind = trainer(run.plan)
    last = kind.read_policy(run, period_name(run.periods - 1))
    if problem := kind.state_problem(run, last):
        yield f"state.npz: {problem}"


def _sums(run: LearningRun) -> Iterator[str]:
    """Yield the lines of learning.csv that do not add up."""
    table, each = run.table("learning.csv"), run.plan.rounds * run.plan.games_per_round
    wrong = {"games": table["games"] != each, "pool": table["pool"] != table["added"].cumsum(),
             "reason": (table["reason"] != "") != (table["added"] == 1)}
    for column, lines in wrong.items():
        for number in table["period"][lines]:
            yield f"learning.csv, period {number}: its {column} does not add up"
    for name, won in (("references.csv", "wins"), ("payoff.csv", "wins_a")):
        stored = run.table(name)
        if len(stored):
            wins, games = stored[won].to_numpy(), stored["games"].to_numpy()
            computed = np.column_stack([wins / np.maximum(games, 1),
                                        *tournament.wilson(wins, games)])
            rates = stored[["rate", "rate_low", "rate_high"]].to_numpy()
            for line in np.flatnonzero((np.abs(computed - rates) > CLOSE).any(axis=1)):
                yield f"{name}, line {line + 2}: its rates do not match its games"


def _first_period(run: LearningRun, training: Trainer[Any]) -> Iterator[str]:
    """Learn the first period again, and yield what differs."""
    name = period_name(0)
    line, policy = training.learn_period(0)
    stored = run.rows("learning.csv")[0]
    if any(run.tables["learning.csv"].differences(pd.DataFrame([line]), stored)):
        yield "learning.csv, period 0: the repetition gives another line"
    if not training.repeats(policy, name):
        yield f"{_file(run, name)}: the repetition gives another network"


def _references(run: LearningRun, training: Trainer[Any]) -> Iterator[str]:
    """Play all measurements again, and yield what differs."""
    table = run.table("references.csv")
    expected = [number for number in range(run.periods)
                if due(run.plan, number) and run.plan.references.against]
    periods = table["period"].astype(int).tolist() if len(table) else []
    if sorted({*periods}) != expected:
        yield "references.csv lacks lines for periods that were measured"
        return
    lines = run.rows("references.csv")
    for number in expected:
        replayed = training.measure(number, training.read_policy(run, period_name(number)))
        stored = [line for line, period in zip(lines, periods, strict=True) if period == number]
        yield from _differences(run.tables["references.csv"], f", period {number}", replayed,
                                stored, ["opponent"])


def _payoff(run: LearningRun, training: Trainer[Any]) -> Iterator[str]:
    """Play all checkpoints against all again, and yield what differs."""
    if run.final and run.plan.payoff_games:
        stored = run.content("payoff.csv").splitlines(keepends=True)[1:]
        yield from _differences(run.tables["payoff.csv"], "", training.payoff(), stored, ["a", "b"])


def _differences(table: DataTable, where: str, replayed: pd.DataFrame, stored: Sequence[bytes],
                 names: list[str]) -> Iterator[str]:
    """Yield the lines of a stored table that are not what its games give."""
    if len(stored) != len(replayed):
        yield f"{table.name}{where}: has {len(stored)} lines, not {len(replayed)}"
        return
    for row, line in enumerate(stored):
        if any(table.differences(replayed.iloc[[row]], line)):
            yield (f"{table.name}{where}: the games of"
                   f" {' and '.join(map(str, replayed[names].iloc[row]))} give other numbers when"
                   " replayed")
