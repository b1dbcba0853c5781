"""Functions that build agents of weight vectors, as kinds of the registry take them."""

from collections.abc import Callable

import numpy as np

from hsevo.agents.genomes.genome import Agents, Vectors
from hsevo.agents.shared import agent as agents
from hsevo.agents.shared import secrets as guesses


def plain(chooser: int, *budget: int) -> Callable[..., Agents]:
    """Return a function that builds agents; their budget is `budget`, then the options in order."""
    def make(weights: Vectors, **options: int) -> Agents:
        made = np.repeat(agents.agent(chooser, (*budget, *options.values())), len(weights))
        made["w"][:, :weights.shape[1]] = weights
        return made

    return make


def guessing(make: Callable[..., Agents]) -> Callable[..., Agents]:
    """Return `make` with an option more: how agents take the opponent's secrets."""
    def guess(weights: Vectors, secrets: int = 0, **options: int) -> Agents:
        made = make(weights, **options)
        made["budget"][:, guesses.SECRETS] = secrets
        return made

    return guess
