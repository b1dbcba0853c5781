"""What all strategies are made of: their protocol, individuals of genes, and the bounds of weights.

    ask(number) -> the field of a generation, to be rated     tell(field) -> ids of its survivors

Strategies handle weights in units of their genome's scale, so one sigma fits all; `bounds` of the
plan are shares of the genome's bounds. EVA's scale and bounds are 1 and [0, 1], as in the paper.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

import numpy as np

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.errors import RunError
from hsevo.runs.individuals import individual_type
from hsevo.types import Array


class Strategy(Protocol):
    """A source of individuals. All its random numbers come from `random`."""

    random: Random

    def ask(self, number: int) -> Array:
        """Return the field of generation `number`, INDIVIDUAL rows, parents first."""

    def tell(self, field: Array) -> tuple[int, ...]:
        """Take the fitness of the field asked for; return the ids of the survivors, best first."""


def limits(plan: Evolution, genome: Genome) -> tuple[list[float], list[float]]:
    """Return the lower and upper bounds of the weights, both (k,), in units of their scale."""
    low, high = (genome.at(share) / genome.scale for share in plan.bounds)
    return low.tolist(), high.tolist()


def base(plan: Evolution, genome: Genome) -> list[float]:
    """Return the agent's own weights (k,), within the bounds, in units of their scale."""
    inside: list[float] = np.clip(genome.default / genome.scale, *limits(plan, genome)).tolist()
    return inside


def individuals(genome: Genome, genes: Sequence[Sequence[float]], ids: Iterable[int],
                parents: Iterable[int] | None = None, number: int = 0) -> Array:
    """Return INDIVIDUAL rows born in generation `number`.

    genes: for each, k weights in units of the genome's scale, and k sigmas.
    """
    rows, n = np.zeros(len(genes), individual_type(genome.size)), genome.size
    both = np.array(genes, np.float64)
    rows["weights"], rows["sigmas"] = both[:, :n] * genome.scale, both[:, n:]
    rows["id"], rows["born"] = list(ids), number
    rows["parent"] = -1 if parents is None else list(parents)
    return rows


def repeat(strategy: Strategy, past: Iterable[Array]) -> None:
    """Have a strategy that does not store its state make its past fields again.

    Raises RunError if it makes others.
    """
    for number, field in enumerate(past):
        if not np.array_equal(strategy.ask(number)["weights"], field["weights"]):
            raise RunError(f"generation {number} differs from the stored one when repeated, so"
                           " the run can't be resumed: it is damaged (check with hsevo verify),"
                           " or this machine, or its cma or numpy, gives other results")
        strategy.tell(field)
