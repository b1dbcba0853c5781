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

Strategies know a weight in the unit of its genome's scale, so that one sigma fits all; `bounds` of
the plan are shares of the genome's. EVA's scale and bounds are 1 and [0, 1], as the paper has them.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from inspyred import ec
from inspyred.ec import generators, replacers

from hsevo.agents.genome import Genome
from hsevo.config import Evolution
from hsevo.errors import RunError
from hsevo.runs.folder import Start
from hsevo.runs.individuals import individual_type

Array: TypeAlias = npt.NDArray[Any]


class Strategy(Protocol):
    """A source of individuals. `random` is all that it draws from."""

    random: Random

    def ask(self, number: int) -> Array:
        """Return the field of generation `number`, INDIVIDUAL rows, parents first."""

    def tell(self, field: Array) -> tuple[int, ...]:
        """Learn the fitness of the field asked for; return the ids of the survivors, best first."""


def strategy(plan: Evolution, genome: Genome, random: Random, start: Start | None,
             past: Iterable[Array] = ()) -> Strategy:
    """Return the strategy of a plan for a genome, at its beginning or where `start` says.

    past: the rated fields of the generations up to `start`, for a strategy that must live through
    them again. Raises RunError if it does not ask for the same fields this time.
    """
    if plan.strategy == "cma-es":
        return Cma(plan, genome, random, past)
    if start:
        random.setstate(start.random_state)
    return SelfAdaptive(plan, genome, random, start.population if start else None)


def limits(plan: Evolution, genome: Genome) -> tuple[list[float], list[float]]:
    """Return the lowest and highest number of each weight, both (k,), in units of its scale."""
    low, high = (genome.at(share) / genome.scale for share in plan.bounds)
    return low.tolist(), high.tolist()


class SelfAdaptive:
    """The (mu+lambda) evolution strategy with a sigma of its own for every weight."""

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 parents: Array | None = None) -> None:
        self.plan, self.genome, self.random, self.parents = plan, genome, random, parents
        self.limits = limits(plan, genome)
        self.es = ec.ES(random)
        self.es.bounder = ec.Bounder(*self.limits)

    def ask(self, number: int) -> Array:
        """Return mu random individuals, and later the parents with lambda offspring."""
        if self.parents is None:
            first = [self._first() for _ in range(self.plan.mu)]
            return individuals(self.genome, first, range(self.plan.mu))
        parents = self.parents[np.arange(self.plan.lam) % self.plan.mu]  # each in turn, best first
        genes = self.mutate(np.hstack([parents["weights"] / self.genome.scale,
                                       parents["sigmas"]]).tolist())
        start = self.plan.mu + (number - 1) * self.plan.lam
        offspring = individuals(self.genome, genes, range(start, start + len(genes)),
                                parents["id"], number)
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
        """Return a mutant of each of some genes: k weights in units of the scale, k sigmas."""
        plan, largest, n = self.plan, self.plan.sigma_max or np.inf, self.genome.size
        known = [[*one[:n], *(min(sigma, largest) for sigma in one[n:])] for one in genes]
        keys = {"tau": plan.tau, "tau_prime": plan.tau_prime, "epsilon": plan.epsilon}
        mutants: list[list[float]] = self.es.variator(self.random, known, keys)
        return mutants

    def _first(self) -> list[float]:
        """Make random genes: weights even over the bounds, sigmas even over theirs."""
        def weights(random: Random, args: dict[str, Any]) -> list[float]:
            return [random.uniform(*ends) for ends in zip(*self.limits, strict=True)]

        genes, n = generators.strategize(weights)(self.random, {}), self.genome.size
        low, high = self.plan.first_sigmas
        return [*genes[:n], *(low + (high - low) * sigma for sigma in genes[n:])]


class Cma:
    """CMA-ES with lambda individuals a generation, whose best mu move the distribution.

    It begins in the middle of the bounds, with the middle of `first_sigmas` as its step, but no
    step is ever longer than a third of the bounds (cma's maxstd_boundrange). The sigmas of its
    individuals are the standard deviations that they were drawn with, before the bounds (cma's
    BoundTransform). The mean moves to the best mu; the worst count against the directions they
    came from (cma's active update). Its state is its past: to go on, it is told it all again.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 past: Iterable[Array] = ()) -> None:
        from cma import CMAEvolutionStrategy  # a third of a second to import

        self.plan, self.genome, self.random = plan, genome, random
        self.limits = limits(plan, genome)
        self.es = CMAEvolutionStrategy(
            [(low + high) / 2 for low, high in zip(*self.limits, strict=True)],
            sum(plan.first_sigmas) / 2,
            {"bounds": [*self.limits], "popsize": plan.lam, "CMA_mu": plan.mu,
             "randn": self._normals, "seed": np.nan, "verbose": -9, "verb_log": 0, "verb_disp": 0})
        self.asked: list[Array] = []
        for number, field in enumerate(past):
            if not np.array_equal(self.ask(number)["weights"], field["weights"]):
                raise RunError(f"generation {number} does not come out as it is stored, so that"
                               " the run can't go on: it is damaged (hsevo verify tells), or"
                               " another machine or version of cma or numpy calculates otherwise")
            self.tell(field)

    def ask(self, number: int) -> Array:
        """Return lambda new individuals, drawn around the mean."""
        self.asked = self.es.ask()
        sigmas = self.es.stds.tolist()
        genes = [[*np.clip(one, *self.limits).tolist(), *sigmas] for one in self.asked]
        first = number * self.plan.lam
        return individuals(self.genome, genes, range(first, first + len(genes)), number=number)

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


def individuals(genome: Genome, genes: Sequence[Sequence[float]], ids: Iterable[int],
                parents: Iterable[int] | None = None, number: int = 0) -> Array:
    """Return INDIVIDUAL rows born in generation `number`.

    genes: of each, k weights in units of the genome's scale, and k sigmas.
    """
    rows, n = np.zeros(len(genes), individual_type(genome.size)), genome.size
    both = np.array(genes, np.float64)
    rows["weights"], rows["sigmas"] = both[:, :n] * genome.scale, both[:, n:]
    rows["id"], rows["born"] = list(ids), number
    rows["parent"] = -1 if parents is None else list(parents)
    return rows
