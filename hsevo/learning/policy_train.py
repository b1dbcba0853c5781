"""Learning from all options of a decision: the rounds of train.py, with PPO, magnetic mirror
descent or the targets of Expected SARSA(lambda).

Games are played by the policy alone. With PPO and mirror descent a checkpoint also keeps the
network of values, by which the player searches.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hsevo.agents.learned.nets import read_values
from hsevo.errors import RunError
from hsevo.learning.policy import (
    ActorCritic,
    expected_targets_of,
    record_options,
    record_taught,
    together,
)
from hsevo.learning.pretrained import values_of
from hsevo.learning.train import Training
from hsevo.runs import checkpoints
from hsevo.types import Array


class PolicyTraining(Training):
    """A policy, its network of values, its pool and its opponents."""

    record = staticmethod(record_options)

    def _begin(self, threads: int) -> None:
        super()._begin(threads)
        self.values = self._new_learner(threads, [*map(values_of, self.plan.pretrained or ())])
        self.both = ActorCritic(self.learner, self.values, self.plan.learner)

    def __exit__(self, *error: object) -> None:
        self.values.close()
        super().__exit__(*error)

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        try:
            self.values.step = int(state["values_step"])
        except (LookupError, TypeError, ValueError, OverflowError):
            raise RunError(f"{self.run.path / 'state.npz'} is damaged: it has no number of steps"
                           " of the values") from None

    def _to_store(self, policy: Array) -> tuple[bytes, dict[str, Any], dict[str, Array]]:
        checkpoint, plain, arrays = super()._to_store(policy)
        return checkpoint, plain | {"values_step": self.values.step}, arrays

    def _values(self) -> Array:
        return self.values.net()

    def repeats(self, policy: Array, name: str) -> bool:
        values = read_values(checkpoints.path_of(self.run.path, name))
        return super().repeats(policy, name) and (
            values is not None and self.same(self._values(), values))

    def _arrays(self) -> dict[str, Array]:
        learner, text = self.values, self.values.text
        more = {"values_text": text.flat, "values_text_moments": text.moments} if text else {}
        return super()._arrays() | {
            "values": learner.flat, "values_moments": learner.moments, **more}

    def _learn(self, blocks: Sequence[Any], rate: float,
               starting: bool) -> tuple[int, float, float]:
        played = together([block for (block,) in blocks])
        learn = self.both.imitate if starting else self.both.learn
        return len(played.samples), *learn(played, rate)

    def _agents(self, period: int) -> Array:
        if period >= self.plan.imitates:
            return self._own_agents()
        return np.concatenate([self._own_agents(), self.run.stored_agent(self.plan.start)])

    def _recorder(self, period: int) -> Callable[..., Any]:
        if period >= self.plan.imitates:
            return self.record
        return functools.partial(record_taught, self.plan.learner.asked)


class ExpectedTraining(Training):
    """As Training, but the targets are those of Expected SARSA(lambda)."""

    record = staticmethod(record_options)

    def _learn(self, blocks: Sequence[Any], rate: float,
               starting: bool) -> tuple[int, float, float]:
        played, plan = together([block for (block,) in blocks]), self.plan.learner
        targets = expected_targets_of(self.learner, played, plan)
        return len(played.samples), *self.learner.learn(played.samples, played.words, rate, plan,
                                                        targets)
