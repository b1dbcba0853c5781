"""The trainer of each policy."""

from __future__ import annotations

from typing import Any

from hsevo.config.learning import END_TO_END, EXPECTED_SARSA, TD, Plan
from hsevo.learning.policy_train import ExpectedTraining, PolicyTraining
from hsevo.learning.train import Training
from hsevo.learning.trainer import Trainer


def trainer(plan: Plan) -> type[Trainer[Any]]:
    """Return the class that trains the policy of a plan. Raises ConfigError without PyTorch."""
    if plan.policy != END_TO_END:
        if plan.learner.method != TD:
            return PolicyTraining
        return ExpectedTraining if plan.learner.targets == EXPECTED_SARSA else Training
    from hsevo.learning.end_to_end.train import Training as EndToEnd  # needs PyTorch

    return EndToEnd
