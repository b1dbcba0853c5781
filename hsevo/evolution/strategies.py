"""Where individuals come from: evolution strategies, all asked and told in the same way.

    ask(number) -> the field of a generation, to be rated     tell(field) -> who is left of it

`SelfAdaptive` is the paper's (mu+lambda) strategy, made of inspyred's own parts wherever they are
what the paper says: `ES` mutates (equations 9-12: sigma' = max(sigma exp(tau' N + tau N), epsilon),
both N drawn anew for every weight; then w' = w + N(0, sigma')), `strategize` draws the first
sigmas, `Bounder` clips, and `truncation_replacement` keeps the best mu of mu + lambda. Its sort is
stable: of individuals with the same fitness, the one that stood earlier in the field is the better,
so parents come before offspring, parents as they ranked before, and offspring in order of birth.

`Cma` is CMA-ES (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution
strategies", 2001) as the library cma has it: the whole field is new in every generation, and
nobody is rated twice.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from inspyred import ec
from inspyred.ec import generators, replacers

from hsevo.agents.weights import NAMES
from hsevo.config import Evolution
from hsevo.errors import RunError
from hsevo.runs.folder import INDIVIDUAL, Start

Array: TypeAlias = npt.NDArray[Any]
N = len(NAMES)


class Strategy(Protocol):
    """A source of individuals. `random` is all that it draws from."""

    random: Random

    def ask(self, number: int) -> Array:
        """Return the field of generation `number`, INDIVIDUAL rows, parents first."""

    def tell(self, field: Array) -> tuple[int, ...]:
        """Learn the fitness of the field asked for; return the ids of the survivors, best first."""


def strategy(plan: Evolution, random: Random, start: Start | None,
             past: Iterable[Array] = ()) -> Strategy:
    """Return the strategy of a plan, at its beginning or where `start` says.

    past: the rated fields of the generations up to `start`, for a strategy that must live through
    them again. Raises RunError if it does not ask for the same fields this time.
    """
    if plan.strategy == "cma-es":
        return Cma(plan, random, past)
    if start:
        random.setstate(start.random_state)
    return SelfAdaptive(plan, random, start.population if start else None)


class SelfAdaptive:
    """The (mu+lambda) evolution strategy with a sigma of its own for every weight."""

    def __init__(self, plan: Evolution, random: Random, parents: Array | None = None) -> None:
        self.plan, self.random, self.parents = plan, random, parents
        self.es = ec.ES(random)
        self.es.bounder = ec.Bounder(*plan.bounds)

    def ask(self, number: int) -> Array:
        """Return mu random individuals, and later the parents with lambda offspring."""
        if self.parents is None:
            return individuals([self._first() for _ in range(self.plan.mu)], range(self.plan.mu))
        parents = self.parents[np.arange(self.plan.lam) % self.plan.mu]  # each in turn, best first
        genes = self.mutate([[*row["weights"].tolist(), *row["sigmas"].tolist()]
                             for row in parents])
        first = self.plan.mu + (number - 1) * self.plan.lam
        offspring = individuals(genes, range(first, first + len(genes)), parents["id"], number)
        return np.concatenate([self.parents, offspring])

    def tell(self, field: Array) -> tuple[int, ...]:
        """Keep the best mu of the field: the next parents."""
        pool = []
        for i, fitness in enumerate(field["fitness"].tolist()):
            pool.append(ec.Individual(i))
            pool[-1].fitness = fitness
        mu = self.plan.mu
        best = replacers.truncation_replacement(self.random, pool[:mu], [], pool[mu:], {})
        self.parents = field[[one.candidate for one in best]]
        return tuple(self.parents["id"].tolist())

    def mutate(self, genes: Sequence[list[float]]) -> list[list[float]]:
        """Return a mutant of each genome: 21 weights, then 21 sigmas."""
        plan, largest = self.plan, self.plan.sigma_max or np.inf
        known = [[*genome[:N], *(min(sigma, largest) for sigma in genome[N:])] for genome in genes]
        keys = {"tau": plan.tau, "tau_prime": plan.tau_prime, "epsilon": plan.epsilon}
        mutants: list[list[float]] = self.es.variator(self.random, known, keys)
        return mutants

    def _first(self) -> list[float]:
        """Make a random genome: weights even over the bounds, sigmas even over theirs."""
        def weights(random: Random, args: dict[str, Any]) -> list[float]:
            return [random.uniform(*self.plan.bounds) for _ in range(N)]

        genome = generators.strategize(weights)(self.random, {})
        low, high = self.plan.first_sigmas
        return [*genome[:N], *(low + (high - low) * sigma for sigma in genome[N:])]


class Cma:
    """CMA-ES with lambda individuals a generation, whose best mu move the distribution.

    It begins in the middle of the bounds, with the middle of `first_sigmas` as its step, but no
    step is ever longer than a third of the bounds (cma's maxstd_boundrange). The sigmas of its
    individuals are the standard deviations that they were drawn with, before the bounds (cma's
    BoundTransform). The mean moves to the best mu; the worst count against the directions they
    came from (cma's active update). Its state is its past: to go on, it is told it all again.
    """

    def __init__(self, plan: Evolution, random: Random, past: Iterable[Array] = ()) -> None:
        from cma import CMAEvolutionStrategy  # a third of a second to import

        self.plan, self.random = plan, random
        low, high = plan.bounds
        self.es = CMAEvolutionStrategy(
            [(low + high) / 2] * N, sum(plan.first_sigmas) / 2,
            {"bounds": [low, high], "popsize": plan.lam, "CMA_mu": plan.mu, "randn": self._normals,
             "seed": np.nan, "verbose": -9, "verb_log": 0, "verb_disp": 0})
        self.asked: list[Array] = []
        for number, field in enumerate(past):
            if not np.array_equal(self.ask(number)["weights"], field["weights"]):
                raise RunError(f"generation {number} does not come out as it is stored, so that"
                               " the run can't go on: it is damaged (hsevo verify tells), or"
                               " another machine or version of cma or numpy calculates otherwise")
            self.tell(field)

    def ask(self, number: int) -> Array:
        """Return lambda new individuals, drawn around the mean."""
        low, high = self.plan.bounds
        self.asked = self.es.ask()
        sigmas = self.es.stds.tolist()
        genes = [[*np.clip(one, low, high).tolist(), *sigmas] for one in self.asked]
        first = number * self.plan.lam
        return individuals(genes, range(first, first + len(genes)), number=number)

    def tell(self, field: Array) -> tuple[int, ...]:
        """Move the distribution to the better ones; the best mu count as survivors."""
        order = np.argsort(-field["fitness"], kind="stable")
        # CMA-ES looks at ranks alone. They are told, not the fitness, because cma's sort of equals
        # depends on the processor: here the earlier one is the better, as among the survivors.
        self.es.tell(self.asked, np.argsort(order).tolist())
        return tuple(field["id"][order[:self.plan.mu]].tolist())

    def _normals(self, *shape: int) -> Array:
        drawn = [self.random.gauss(0, 1) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(shape)


def individuals(genes: Sequence[Sequence[float]], ids: Iterable[int],
                parents: Iterable[int] | None = None, number: int = 0) -> Array:
    """Return INDIVIDUAL rows of genomes (21 weights, 21 sigmas), born in generation `number`."""
    rows = np.zeros(len(genes), INDIVIDUAL)
    both = np.array(genes, np.float64)
    rows["weights"], rows["sigmas"] = both[:, :N], both[:, N:]
    rows["id"], rows["born"] = list(ids), number
    rows["parent"] = -1 if parents is None else list(parents)
    return rows
