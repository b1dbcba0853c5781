"""Evolution strategies with an ask-and-tell interface.

    ask(number) -> the field of a generation, to be rated     tell(field) -> ids of its survivors

`SelfAdaptive` is the paper's (mu+lambda) strategy, built from inspyred's components where they
match the paper: `ES` mutates (equations 9-12: sigma' = max(sigma exp(tau' N + tau N), epsilon),
both N drawn anew for every weight; then w' = w + N(0, sigma')), `strategize` draws the first
sigmas, `Bounder` clips, and `truncation_replacement` keeps the best mu of mu + lambda. Its sort is
stable: of individuals with equal fitness, the one earlier in the field ranks higher, so parents
rank before offspring, parents in their previous order, and offspring in order of birth.

`Genetic` is a genetic algorithm for real numbers: parents are chosen by their fitness, pairs mix
their weights, some weights change, and the offspring replace their parents.

`Cma` is CMA-ES (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution
strategies", 2001) from the library cma: the whole field is new in every generation, and no
individual is rated twice.

Strategies handle weights in units of their genome's scale, so one sigma fits all; `bounds` of the
plan are shares of the genome's bounds. EVA's scale and bounds are 1 and [0, 1], as in the paper.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from inspyred import ec
from inspyred.ec import generators, replacers, selectors, variators

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.errors import RunError
from hsevo.runs.folder import Start
from hsevo.runs.individuals import individual_type

Array: TypeAlias = npt.NDArray[Any]


class Strategy(Protocol):
    """A source of individuals. All its random numbers come from `random`."""

    random: Random

    def ask(self, number: int) -> Array:
        """Return the field of generation `number`, INDIVIDUAL rows, parents first."""

    def tell(self, field: Array) -> tuple[int, ...]:
        """Take the fitness of the field asked for; return the ids of the survivors, best first."""


def strategy(plan: Evolution, genome: Genome, random: Random, start: Start | None,
             past: Iterable[Array] = ()) -> Strategy:
    """Return the strategy of a plan for a genome, at its beginning or at `start`.

    past: the rated fields of the generations up to `start`, for strategies that must repeat them.
    Raises RunError if such a strategy then asks for different fields.
    """
    if plan.strategy == "cma-es":
        return Cma(plan, genome, random, past)
    if start:
        random.setstate(start.random_state)
    made = Genetic if plan.strategy == "ga" else SelfAdaptive
    return made(plan, genome, random, start.population if start else None)


def limits(plan: Evolution, genome: Genome) -> tuple[list[float], list[float]]:
    """Return the lower and upper bounds of the weights, both (k,), in units of their scale."""
    low, high = (genome.at(share) / genome.scale for share in plan.bounds)
    return low.tolist(), high.tolist()


def base(plan: Evolution, genome: Genome) -> list[float]:
    """Return the agent's own weights (k,), within the bounds, in units of their scale."""
    inside: list[float] = np.clip(genome.default / genome.scale, *limits(plan, genome)).tolist()
    return inside


class SelfAdaptive:
    """The (mu+lambda) evolution strategy with one sigma per weight."""

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 parents: Array | None = None) -> None:
        self.plan, self.genome, self.random, self.parents = plan, genome, random, parents
        self.limits = limits(plan, genome)
        self.es = ec.ES(random)
        self.es.bounder = ec.Bounder(*self.limits)

    def ask(self, number: int) -> Array:
        """Return mu random individuals at first, later the parents and lambda offspring."""
        if self.parents is None:
            return individuals(self.genome, self._first(), range(self.plan.mu))
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
        """Return one mutant of each vector of genes: k weights in units of the scale, k sigmas."""
        plan, largest, n = self.plan, self.plan.sigma_max or np.inf, self.genome.size
        known = [[*one[:n], *(min(sigma, largest) for sigma in one[n:])] for one in genes]
        keys = {"tau": plan.tau, "tau_prime": plan.tau_prime, "epsilon": plan.epsilon}
        mutants: list[list[float]] = self.es.variator(self.random, known, keys) if known else []
        return mutants

    def _first(self) -> list[list[float]]:
        """Return the genes of the first mu: random ones; or the base, and mutants of it."""
        if self.plan.start == "random":
            return [self._random() for _ in range(self.plan.mu)]
        own = base(self.plan, self.genome)
        copies = [[*own, *self._sigmas(own)] for _ in range(self.plan.mu)]
        return [copies[0], *self.mutate(copies[1:])]

    def _random(self) -> list[float]:
        """Return random genes: weights uniform within the bounds, sigmas within first_sigmas."""
        weights = [self.random.uniform(*ends) for ends in zip(*self.limits, strict=True)]
        return [*weights, *self._sigmas(weights)]

    def _sigmas(self, weights: list[float]) -> list[float]:
        """Return random first sigmas for weights."""
        genes = generators.strategize(lambda random, args: list(weights))(self.random, {})
        low, high = self.plan.first_sigmas
        return [low + (high - low) * sigma for sigma in genes[len(weights):]]


class Genetic:
    """A genetic algorithm built from inspyred's components.

    The next parents are the best mu of the lambda offspring and of `elites` parents, which are
    rated again. Children come in pairs: with probability `crossover` the two parents swap each
    weight with probability 1/2 (uniform crossover), then each weight changes with probability
    `mutation`. The column `parent` has one of the two. Sigmas are 0.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 parents: Array | None = None) -> None:
        self.plan, self.genome, self.random, self.parents = plan, genome, random, parents
        self.limits = limits(plan, genome)
        self.ga = ec.GA(random)
        self.ga.bounder = ec.Bounder(*self.limits)

    def ask(self, number: int) -> Array:
        """Return mu individuals at first, later the elites and lambda offspring."""
        if self.parents is None:
            return self._rows(self._first(), range(self.plan.mu))
        chosen = self.parents[self._choose(self.parents["fitness"].tolist())]
        genes = (chosen["weights"] / self.genome.scale).tolist()
        start = self.plan.mu + (number - 1) * self.plan.lam
        children = self._rows(self._vary(genes), range(start, start + self.plan.lam),
                              chosen["id"][:self.plan.lam], number)
        return np.concatenate([self.parents[:self.plan.elites], children])

    def tell(self, field: Array) -> tuple[int, ...]:
        """Keep the best mu of the field: the next parents, best first."""
        order = np.argsort(-field["fitness"], kind="stable")[:self.plan.mu]
        self.parents = field[order]
        return tuple(self.parents["id"].tolist())

    def _choose(self, fitness: list[float]) -> list[int]:
        """Choose parents by their rows, with repetition: an even number, at least lambda."""
        pool = [ec.Individual(i) for i in range(len(fitness))]
        for one, value in zip(pool, fitness, strict=True):
            one.fitness = value
        way = SELECTORS[self.random.choice(self.plan.selection)]
        number = self.plan.lam + self.plan.lam % 2
        return [one.candidate for one in way(self.random, pool, {"num_selected": number})]

    def _vary(self, genes: list[list[float]]) -> list[list[float]]:
        """Return lambda children of parents, given and returned in units of the genome's scale."""
        keys = {"_ec": self.ga, "crossover_rate": self.plan.crossover,
                "mutation_rate": self.plan.mutation, "gaussian_stdev": self.plan.mutation_sigma}
        mixed = variators.uniform_crossover(self.random, genes, keys)
        children: list[list[float]] = variators.gaussian_mutation(self.random, mixed, keys)
        return children[:self.plan.lam]

    def _first(self) -> list[list[float]]:
        """Return the first mu: uniform within the bounds, or the base and mutants of it."""
        if self.plan.start == "random":
            return [[self.random.uniform(*ends) for ends in zip(*self.limits, strict=True)]
                    for _ in range(self.plan.mu)]
        own = base(self.plan, self.genome)
        keys = {"_ec": self.ga, "mutation_rate": 1.0, "gaussian_stdev": self.plan.mutation_sigma}
        copies = [list(own) for _ in range(self.plan.mu - 1)]
        return [own, *variators.gaussian_mutation(self.random, copies, keys)]

    def _rows(self, genes: list[list[float]], ids: Iterable[int],
              parents: Iterable[int] | None = None, number: int = 0) -> Array:
        return individuals(self.genome, [[*one, *[0.0] * len(one)] for one in genes], ids, parents,
                           number)


SELECTORS = {"random": selectors.uniform_selection, "rank": selectors.rank_selection,
             "roulette": selectors.fitness_proportionate_selection,
             "tournament": selectors.tournament_selection}


class Cma:
    """CMA-ES with lambda individuals per generation, whose best mu move the distribution.

    It begins in the middle of the bounds, or at the base, with the middle of `first_sigmas` as step
    size; no step size exceeds a third of the bounds (cma's maxstd_boundrange). The sigmas of its
    individuals are the standard deviations that they were drawn with, before the bounds are applied
    (cma's BoundTransform). The mean moves to the best mu; the worst reduce the variance in their
    directions (cma's active update). Its state is not stored: to resume, it repeats all past
    generations.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 past: Iterable[Array] = ()) -> None:
        from cma import CMAEvolutionStrategy  # a third of a second to import

        self.plan, self.genome, self.random = plan, genome, random
        self.limits = limits(plan, genome)
        self.es = CMAEvolutionStrategy(
            self._mean(),
            sum(plan.first_sigmas) / 2,
            {"bounds": [*self.limits], "popsize": plan.lam, "CMA_mu": plan.mu,
             "randn": self._normals, "seed": np.nan, "verbose": -9, "verb_log": 0, "verb_disp": 0})
        self.asked: list[Array] = []
        for number, field in enumerate(past):
            if not np.array_equal(self.ask(number)["weights"], field["weights"]):
                raise RunError(f"generation {number} differs from the stored one when repeated, so"
                               " the run can't be resumed: it is damaged (check with hsevo verify),"
                               " or this machine, or its cma or numpy, gives other results")
            self.tell(field)

    def ask(self, number: int) -> Array:
        """Return lambda new individuals, drawn from the current distribution."""
        self.asked = self.es.ask()
        sigmas = self.es.stds.tolist()
        genes = [[*np.clip(one, *self.limits).tolist(), *sigmas] for one in self.asked]
        first = number * self.plan.lam
        return individuals(self.genome, genes, range(first, first + len(genes)), number=number)

    def tell(self, field: Array) -> tuple[int, ...]:
        """Update the distribution; the best mu count as survivors."""
        order = np.argsort(-field["fitness"], kind="stable")
        # CMA-ES uses only ranks. Pass ranks instead of fitness because the order in which cma sorts
        # equal values depends on the processor; here the earlier one ranks higher, as above.
        self.es.tell(self.asked, np.argsort(order).tolist())
        return tuple(field["id"][order[:self.plan.mu]].tolist())

    def _mean(self) -> list[float]:
        """Return the first mean: the middle of the bounds, or the base."""
        if self.plan.start == "random":
            return [(low + high) / 2 for low, high in zip(*self.limits, strict=True)]
        return base(self.plan, self.genome)

    def _normals(self, *shape: int) -> Array:
        drawn = [self.random.gauss(0, 1) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(shape)


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
