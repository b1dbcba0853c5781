"""The trainer of each policy."""

from __future__ import annotations

from typing import Any

from hsevo.config.learning import END_TO_END, TD, Plan
from hsevo.learning.policy_train import PolicyTraining
from hsevo.learning.train import Training
from hsevo.learning.trainer import Trainer


def trainer(plan: Plan) -> type[Trainer[Any]]:
    """Return the class that trains the policy of a plan. Raises ConfigError without PyTorch."""
    if plan.policy != END_TO_END:
        return Training if plan.learner.method == TD else PolicyTraining
    from hsevo.learning.end_to_end.train import Training as EndToEnd  # needs PyTorch

    return EndToEnd
