"""How many periods fit into a time: learn some rounds of a config, and extrapolate.

    measure(plan, ...) --> Costs --fitting(plan, costs, seconds)--> periods

The rounds are played and learned from as the run will, by the config's own workers, and thrown
away. The first of each kind is not counted: with it, workers load the engine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import numpy.typing as npt

from hsevo.cards.decks import Deck
from hsevo.config.learning import Plan
from hsevo.errors import ConfigError
from hsevo.evolution.progress import duration
from hsevo.learning.folder import LearningRun
from hsevo.learning.lifecycle import Trainer
from hsevo.learning.measures import games_measured, games_of_payoff
from hsevo.learning.plan import change_plan
from hsevo.learning.trainer import trainer
from hsevo.play.workers import open_workers, worker_count

Array: TypeAlias = npt.NDArray[Any]

SECONDS = 2.0  # of rounds of each kind, at least
MOST = 10_000  # periods to plan
ONCE = {"rounds": 1, "references.every": MOST, "payoff_games": 0}


@dataclass(frozen=True)
class Costs:
    """What a run costs with its workers, in seconds."""

    imitating: float  # a round of the games of `start`
    own: float  # a round of its own games
    commit: float  # a period, beside its rounds
    game: float  # of a measurement

    def run(self, plan: Plan) -> float:
        """Return how long a run of this plan takes."""
        rounds = plan.imitates * self.imitating + (plan.periods - plan.imitates) * self.own
        measured = games_measured(plan, range(plan.periods)) + games_of_payoff(plan)
        return plan.rounds * rounds + plan.periods * self.commit + measured * self.game


def measure(plan: Plan, decks: Sequence[Deck], agents: Mapping[str, Array],
            files: Mapping[str, bytes]) -> Costs:
    """Measure what a run of this config costs on this machine.

    It takes SECONDS for each kind of round, or longer if few rounds do. Raises GameError,
    WorkersError, RunError.
    """
    few = {"start_periods": 1} if plan.imitates else {}
    probe = change_plan(plan, ONCE | few | {"periods": MOST})
    with tempfile.TemporaryDirectory() as folder, open_workers(plan.workers) as executor:
        run = LearningRun.resume(
            LearningRun.create(Path(folder) / "run", probe, decks, agents, files).path)
        try:
            with trainer(plan)(run, executor, worker_count(plan.workers),
                               lambda games: None) as training:
                return _costs(training, probe)
        finally:
            run.close()


def _costs(training: Trainer[Any], plan: Plan) -> Costs:
    imitating = 0.0
    if plan.imitates:
        training.learn_period(0)
        imitating = _pace(lambda: training.learn_period(0))
    numbers = count(plan.imitates)
    _, policy = training.learn_period(next(numbers))
    own = _pace(lambda: training.learn_period(next(numbers)))
    began = time.perf_counter()
    training.period(next(numbers))
    commit = max(time.perf_counter() - began - own, 0.0)
    began = time.perf_counter()
    games = training.measure(MOST - 1, policy)["games"].sum() if plan.references.against else 0
    return Costs(imitating, own, commit, (time.perf_counter() - began) / games if games else 0.0)


def _pace(learn: Callable[[], object]) -> float:
    """Return how long a round takes, in seconds."""
    rounds, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        learn()
        rounds += 1
    return (time.perf_counter() - began) / rounds


def fitting(plan: Plan, costs: Costs, seconds: float) -> int:
    """Return how many periods fit into so many seconds; perhaps 0."""
    least = plan.imitates + 1

    def fits(periods: int) -> bool:
        return costs.run(change_plan(plan, {"periods": periods})) <= seconds

    if not fits(least):
        return 0
    low, high = least, MOST  # the cost grows with the number
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def planned(plan: Plan, costs: Costs, minutes: float) -> tuple[Plan, str]:
    """Return the plan with as many periods as fit, and what was planned, in words.

    Raises ConfigError if too few fit.
    """
    number = fitting(plan, costs, 60 * minutes)
    if not number:
        least = plan.imitates + 1
        takes = costs.run(change_plan(plan, {"periods": least}))
        many = f"{least:,} periods take" if least > 1 else "one period takes"
        raise ConfigError(f"minutes is {minutes:g}, but {many} about {duration(max(takes, 1))}"
                          " here; give more")
    return change_plan(plan, {"periods": number}), (
        f"{number:,} period{'s' * (number > 1)} fit{'s' * (number == 1)} into {minutes:g}"
        f" minute{'s' * (minutes != 1)}; the same run: --set periods={number}")
