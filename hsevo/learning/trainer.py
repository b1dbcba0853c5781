"""Which module trains the policy of a plan: learning.train, or learning.end_to_end.train.

    trainer(plan).train(run, executor, threads)

PyTorch is imported only for a plan that needs it. Both modules have the same names, of which
`learning.verify` uses the rest: a policy is what a checkpoint keeps, a net or a network of PyTorch.

    LINE                        the columns of learning.csv
    Training                    with learn_period, measure, payoff
    read_policy(run, name)      of a checkpoint
    same(one, other)            whether two policies are bit-identical
    state_problem(run, last)    of state.npz against the last policy; "" if there is none
    may_differ(run)             why games can come out otherwise here; "" if they can't
"""

from __future__ import annotations

from typing import Any

from hsevo.config.learning import END_TO_END, Plan
from hsevo.learning import train


def trainer(plan: Plan) -> Any:
    """Return the module that trains the policy of a plan. Raises ConfigError without PyTorch."""
    if plan.policy != END_TO_END:
        return train
    from hsevo.learning.end_to_end import train as end_to_end

    return end_to_end
