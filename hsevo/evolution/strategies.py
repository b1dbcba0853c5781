"""Evolution strategies, built from inspyred's components, and which of all a plan asks for.

`SelfAdaptive` is the paper's (mu+lambda) strategy, built from inspyred's components where they
match the paper: `ES` mutates (equations 9-12: sigma' = max(sigma exp(tau' N + tau N), epsilon),
both N drawn anew for every weight; then w' = w + N(0, sigma')), `strategize` draws the first
sigmas, `Bounder` clips, and `truncation_replacement` keeps the best mu of mu + lambda. Its sort is
stable: of individuals with equal fitness, the one earlier in the field ranks higher, so parents
rank before offspring, parents in their previous order, and offspring in order of birth.

`Genetic` is a genetic algorithm for real numbers: parents are chosen by their fitness, pairs mix
their weights, some weights change, and the offspring replace their parents.

CMA-ES is in covariance.py, strategies that draw a map are in maps.py. There, the whole field is new
in every generation, and no individual is rated twice.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random

import numpy as np
from inspyred import ec
from inspyred.ec import generators, replacers, selectors, variators

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.evolution.breeding import Strategy, base, individuals, limits
from hsevo.evolution.covariance import Cma
from hsevo.evolution.maps import CmaMe, MapElites
from hsevo.runs.folder import Start
from hsevo.types import Array

# They repeat past generations.
AGAIN: dict[str, Callable[..., Strategy]] = {
    "cma-es": Cma, "cma-me": CmaMe, "map-elites": MapElites}


def strategy(plan: Evolution, genome: Genome, random: Random, start: Start | None,
             past: Iterable[Array] = ()) -> Strategy:
    """Return the strategy of a plan for a genome, at its beginning or at `start`.

    past: the rated fields of the generations up to `start`, for strategies that must repeat them.
    Raises RunError if such a strategy then asks for different fields.
    """
    if plan.strategy in AGAIN:
        return AGAIN[plan.strategy](plan, genome, random, past)
    if start:
        random.setstate(start.random_state)
    made = Genetic if plan.strategy == "ga" else SelfAdaptive
    return made(plan, genome, random, start.population if start else None)


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
