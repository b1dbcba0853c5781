"""CMA-ES (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
2001), from the library cma: a normal distribution that moves to the best of what is drawn from it.

`Distribution` is one; `Cma` is the strategy of one alone, and emitters of a map (maps.py) are more.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.evolution.breeding import base, individuals, limits, repeat
from hsevo.types import Array


class Distribution:
    """The distribution of CMA-ES, of which a generation is `size` samples within the bounds.

    It begins at `mean`, (k,), with the middle of `first_sigmas` as step size; no step size exceeds
    a third of the bounds (cma's maxstd_boundrange). mu: how many of a generation, the best, move
    its mean. active: the worst reduce the variance in their directions.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random, mean: list[float],
                 size: int, mu: int, active: bool = True) -> None:
        from cma import CMAEvolutionStrategy  # a third of a second to import

        self.random, self.limits, self._asked = random, limits(plan, genome), list[Array]()
        self.es = CMAEvolutionStrategy(
            mean, sum(plan.first_sigmas) / 2,
            {"bounds": [*self.limits], "popsize": size, "CMA_mu": mu, "CMA_active": active,
             "randn": self._normals, "seed": np.nan, "verbose": -9, "verb_log": 0, "verb_disp": 0,
             # It is told ranks, which are the same numbers each time: of fitness that is flat or
             # stagnates they say nothing.
             "tolfun": 0, "tolfunhist": 0, "tolstagnation": 0})

    def ask(self) -> list[list[float]]:
        """Return the genes of a generation: weights, and the deviations that they were drawn with,
        before the bounds are applied (cma's BoundTransform).
        """
        self._asked = self.es.ask()
        sigmas = self.es.stds.tolist()
        return [[*np.clip(one, *self.limits).tolist(), *sigmas] for one in self._asked]

    def tell(self, order: Array, mu: int | None = None) -> None:
        """Move. order: rows of the generation, best first. mu: this time, so many of them count.

        CMA-ES uses only ranks. It gets ranks instead of fitness because the order in which cma
        sorts equal values depends on the processor.
        """
        if mu is not None and mu != self.es.sp.weights.mu:
            self.es.opts["CMA_mu"] = mu
            self.es.sp.set(self.es.opts, len(self._asked), verbose=0)
        self.es.tell(self._asked, np.argsort(order).tolist())

    @property
    def settled(self) -> bool:
        """Whether it has become too narrow or too long to go on: cma's conditions."""
        return bool(self.es.stop())

    def _normals(self, *shape: int) -> Array:
        drawn = [self.random.gauss(0, 1) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(shape)


class Cma:
    """CMA-ES with lambda individuals per generation, whose best mu move the distribution.

    It begins in the middle of the bounds, or at the base. Its state is not stored: to resume, it
    repeats all past generations.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 past: Iterable[Array] = ()) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.distribution = Distribution(plan, genome, random, first_mean(plan, genome), plan.lam,
                                         plan.mu)
        repeat(self, past)

    @property
    def es(self) -> Any:
        """The library's strategy."""
        return self.distribution.es

    def ask(self, number: int) -> Array:
        """Return lambda new individuals, drawn from the current distribution."""
        genes, first = self.distribution.ask(), number * self.plan.lam
        return individuals(self.genome, genes, range(first, first + len(genes)), number=number)

    def tell(self, field: Array) -> tuple[int, ...]:
        """Update the distribution; the best mu count as survivors."""
        order = np.argsort(-field["fitness"], kind="stable")  # of equal ones, the earlier first
        self.distribution.tell(order)
        return tuple(field["id"][order[:self.plan.mu]].tolist())


def first_mean(plan: Evolution, genome: Genome) -> list[float]:
    """Return where a distribution begins: in the middle of the bounds, or at the base."""
    if plan.start == "random":
        return [(low + high) / 2 for low, high in zip(*limits(plan, genome), strict=True)]
    return base(plan, genome)
