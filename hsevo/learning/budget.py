"""What periods cost, by some rounds of a config: how many fit into a time?

The rounds are played and learned from as the run will, by the config's own workers, and thrown
away. The first of each kind is not counted: with it, workers load the engine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from hsevo.cards.decks import Deck
from hsevo.config import change
from hsevo.config.learning import END_TO_END, Plan
from hsevo.experiments.progress import pace
from hsevo.learning.folder import LearningRun
from hsevo.learning.measures import games_measured, games_of_payoff
from hsevo.learning.trainer import Trainer
from hsevo.learning.trainers import trainer
from hsevo.play.workers import open_workers, worker_count
from hsevo.types import Array

MOST = 10_000  # periods to plan
ONCE = {"rounds": 1, "references.every": MOST, "payoff_games": 0}


@dataclass(frozen=True)
class LearningCosts:
    """What a run costs with its workers, in seconds."""

    imitating: float  # a round of the games of `start`
    own: float  # a round of its own games
    commit: float  # a period, without its rounds
    game: float  # of a measurement

    def run(self, plan: Plan) -> float:
        """Return how long a run of this plan takes."""
        imitates = min(plan.imitates, plan.periods)
        rounds = imitates * self.imitating + (plan.periods - imitates) * self.own
        measured = games_measured(plan, range(plan.periods)) + games_of_payoff(plan)
        return plan.rounds * rounds + plan.periods * self.commit + measured * self.game


def measure(plan: Plan, decks: Sequence[Deck], agents: Mapping[str, Array],
            files: Mapping[str, bytes]) -> LearningCosts:
    """Measure what a run of this config costs on this machine.

    It takes SECONDS for each kind of round, or longer if few rounds do. Raises GameError,
    WorkersError, RunError.
    """
    # An end-to-end policy counts its own rounds: it has its teacher in all of them, at some cost.
    few = {"start_periods": MOST if plan.policy == END_TO_END else 1} if plan.imitates else {}
    probe = change(plan, ONCE | few | {"periods": MOST})
    with tempfile.TemporaryDirectory() as folder, open_workers(plan.workers) as executor:
        path = LearningRun.make(Path(folder) / "run", probe, decks, agents, files).path
        with closing(LearningRun.lock(path)) as run, trainer(plan)(
                run, executor, worker_count(plan.workers), lambda games: None) as training:
            return _costs(training, probe)


def _costs(training: Trainer[Any], plan: Plan) -> LearningCosts:
    def learn(number: int) -> int:
        training.learn_period(number)
        return 1

    numbers = count(plan.imitates)
    imitating = pace(lambda rounds: learn(0), 1, plan.imitates)
    own = pace(lambda rounds: learn(next(numbers)), 1, 1)
    began = time.perf_counter()
    training.run.append(training.period(next(numbers)))
    commit = max(time.perf_counter() - began - own, 0.0)
    _, policy = training.learn_period(next(numbers))
    began = time.perf_counter()
    games = training.measure(MOST - 1, policy)["games"].sum() if plan.references.against else 0
    game = (time.perf_counter() - began) / games if games else 0.0
    return LearningCosts(imitating, own, commit, game)
