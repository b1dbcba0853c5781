"""Evolution strategies, with an ask-and-tell interface; `strategy` makes the one of a plan.

    ask(number) -> the field of a generation, to be rated     tell(field) -> ids of its survivors

    SelfAdaptive   the paper's (mu+lambda) strategy
    Genetic        a genetic algorithm for real numbers
    Cma            CMA-ES, one normal distribution
    MapElites, CmaMe    strategies that draw a map: the best individual of each kind of play

No strategy stores its state: to resume, it is told its past fields again. Strategies handle weights
in units of their genome's scale, so one sigma fits all; `bounds` of the plan are shares of the
genome's bounds. EVA's scale and bounds are 1 and [0, 1], as in the paper.

`SelfAdaptive` is built from inspyred's components where they match the paper: `ES` mutates
(equations 9-12: sigma' = max(sigma exp(tau' N + tau N), epsilon), both N drawn separately for each
weight; then w' = w + N(0, sigma')), `strategize` draws the first sigmas, `Bounder` clips, and
`truncation_replacement` keeps the best mu of mu + lambda. Its sort is stable: of individuals with
equal fitness, the one earlier in the field ranks higher, so parents rank before offspring, parents
in their previous order, and offspring in order of birth.

In `Genetic`, parents are chosen by their fitness, pairs mix their weights, some weights change, and
the offspring replace their parents.

`Cma` (Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies",
2001, from the library cma) is one `Distribution`, which moves to the best of what is drawn from it.

`MapElites` (Mouret and Clune, "Illuminating search spaces by mapping elites", 2015) mutates elites.
`CmaMe` is CMA-ME (Fontaine, Togelius, Nikolaidis and Hoover, "Covariance matrix adaptation for the
rapid illumination of behavior space", GECCO 2020) with improvement emitters: several
distributions, each of which moves to what improved the map. The fitness of an individual must not
depend on the rest of a generation, because the map is made of all individuals so far. The best
mu of a generation count as survivors, though the search continues from the map.

With `Cma` and a map, the whole field (lambda individuals of a map) is new in every generation, and
no individual is rated twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Protocol

import numpy as np
from inspyred import ec
from inspyred.ec import generators, replacers, selectors, variators

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.errors import RunError
from hsevo.play.behaviour import AXES
from hsevo.runs.tables import individual_type
from hsevo.strength.archive import Archive
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
        return [[*np.clip(vector, *self.limits).tolist(), *sigmas] for vector in self._asked]

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
        """Whether it has become too narrow or too long to continue: cma's conditions."""
        return bool(self.es.stop())

    def _normals(self, *shape: int) -> Array:
        drawn = [self.random.gauss(0, 1) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(shape)


class Cma:
    """CMA-ES with lambda individuals per generation, whose best mu move the distribution.

    It begins in the middle of the bounds, or at the base.
    """

    def __init__(self, plan: Evolution, genome: Genome, random: Random) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.distribution = Distribution(plan, genome, random, first_mean(plan, genome), plan.lam,
                                         plan.mu)

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


class Mapped(ABC):
    """A strategy with a map. people: all rated so far, INDIVIDUAL, whose ids are their rows."""

    def __init__(self, plan: Evolution, genome: Genome, random: Random) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.limits = limits(plan, genome)
        self.people = np.zeros(0, individual_type(genome.size))
        ends = plan.ranges or tuple(AXES[name].ends for name in plan.axes)
        self.archive = Archive(plan.cells, ends, lambda ids: self.people["features"][ids])
        self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Prepare for the first generation."""

    @abstractmethod
    def genes(self) -> tuple[list[list[float]], list[int]]:
        """Return the genes of lambda new individuals, and their parents, -1 for none."""

    @abstractmethod
    def learn(self, ids: Array, gained: Array, new: Array) -> None:
        """Take what individuals did to the map; see `_put`."""

    def ask(self, number: int) -> Array:
        """Return lambda new individuals."""
        genes, parents = self.genes()
        first = number * self.plan.lam
        return individuals(self.genome, genes, range(first, first + len(genes)), parents, number)

    def tell(self, field: Array) -> tuple[int, ...]:
        """Put all on the map, in order; the best mu count as survivors."""
        self.people = np.concatenate([self.people, field])
        gained, new = np.transpose([self._put(individual) for individual in field["id"].tolist()])
        self.learn(field["id"], gained, new.astype(bool))
        order = np.argsort(-field["fitness"], kind="stable")
        return tuple(field["id"][order[:self.plan.mu]].tolist())

    def _put(self, individual: int) -> tuple[float, bool]:
        """Put an individual on the map; return its improvement, and whether its cell was empty.

        Better than the elite of its cell, which stays if it is not; or new in an empty cell, and
        better than nothing.
        """
        fitness, elites = self.people["fitness"], self.archive.challenged(np.array([individual]))
        gained = float(fitness[individual] - (fitness[elites[0]] if len(elites) else 0))
        self.archive.add(np.array([individual]),
                         lambda rivals: int(rivals[fitness[rivals].argmax()]))
        return gained, not len(elites)

    def elite(self) -> int:
        """Return the id of a random elite."""
        elites = self.archive.elites
        return int(elites[self.random.randrange(len(elites))])

    def weights(self, individual: int) -> list[float]:
        """Return the weights of an individual, in units of the genome's scale."""
        weights: list[float] = (self.people["weights"][individual] / self.genome.scale).tolist()
        return weights


class MapElites(Mapped):
    """The first generation is random, or the base and mutants of it; later all mutate elites.

    Each weight of a mutant changes, by a normal number with the deviation `mutation_sigma`.
    """

    def begin(self) -> None:
        """Begin with an empty map: nothing to prepare."""

    def genes(self) -> tuple[list[list[float]], list[int]]:
        """Return random genes at first, later mutants of elites that are drawn uniformly."""
        lam, sigma = self.plan.lam, [self.plan.mutation_sigma] * self.genome.size
        if len(self.people):
            parents = [self.elite() for _ in range(lam)]
            return [[*self._mutant(self.weights(parent)), *sigma] for parent in parents], parents
        if self.plan.start == "random":
            vectors = [[self.random.uniform(*ends) for ends in zip(*self.limits, strict=True)]
                       for _ in range(lam)]
        else:
            own = base(self.plan, self.genome)
            vectors = [own, *(self._mutant(own) for _ in range(lam - 1))]
        return [[*vector, *sigma] for vector in vectors], [-1] * lam

    def learn(self, ids: Array, gained: Array, new: Array) -> None:
        """Learn nothing: the map is all that it knows."""

    def _mutant(self, weights: list[float]) -> list[float]:
        changed = [weight + self.random.gauss(0, self.plan.mutation_sigma) for weight in weights]
        inside: list[float] = np.clip(changed, *self.limits).tolist()
        return inside


class CmaMe(Mapped):
    """A number of `emitters` make lambda / emitters individuals each.

    An emitter ranks those that took an empty cell first, by their fitness, then those that beat an
    elite, by how much; they are the parents to which it moves, at most half of its individuals. If
    there are none, or it has settled, it restarts at a random elite.
    """

    def begin(self) -> None:
        """Begin with all emitters in the middle of the bounds, or at the base."""
        first = first_mean(self.plan, self.genome)
        self.emitters = [self._emitter(first) for _ in range(self.plan.emitters)]
        self.began = [-1] * self.plan.emitters  # at which elite

    def genes(self) -> tuple[list[list[float]], list[int]]:
        """Return what all emitters draw; the elite at which an emitter began counts as parent."""
        asked = [emitter.ask() for emitter in self.emitters]
        return ([vector for some in asked for vector in some],
                [began for began, some in zip(self.began, asked, strict=True) for _ in some])

    def learn(self, ids: Array, gained: Array, new: Array) -> None:
        """Move each emitter, or restart it."""
        for k, mine in enumerate(np.split(np.arange(len(ids)), self.plan.emitters)):
            parents = int((new[mine] | (gained[mine] > 0)).sum())
            if not parents or self.emitters[k].settled:
                self.began[k] = self.elite()
                self.emitters[k] = self._emitter(self.weights(self.began[k]))
                continue
            order = np.lexsort((-gained[mine], ~new[mine]))
            self.emitters[k].tell(order, min(parents, len(mine) // 2))

    def _emitter(self, mean: list[float]) -> Distribution:
        size = self.plan.lam // self.plan.emitters
        return Distribution(self.plan, self.genome, self.random, mean, size, size // 2,
                            active=False)


class SelfAdaptive:
    """The (mu+lambda) evolution strategy with one sigma per weight."""

    def __init__(self, plan: Evolution, genome: Genome, random: Random) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.parents: Array | None = None
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
        self.parents = field[[individual.candidate for individual in best]]
        return tuple(self.parents["id"].tolist())

    def mutate(self, genes: Sequence[list[float]]) -> list[list[float]]:
        """Return one mutant of each vector of genes: k weights in units of the scale, k sigmas."""
        plan, largest, n = self.plan, self.plan.sigma_max or np.inf, self.genome.size
        known = [[*vector[:n], *(min(sigma, largest) for sigma in vector[n:])] for vector in genes]
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

    def __init__(self, plan: Evolution, genome: Genome, random: Random) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.parents: Array | None = None
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
        for individual, value in zip(pool, fitness, strict=True):
            individual.fitness = value
        way = SELECTORS[self.random.choice(self.plan.selection)]
        number = self.plan.lam + self.plan.lam % 2
        return [individual.candidate
                for individual in way(self.random, pool, {"num_selected": number})]

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
        return individuals(self.genome, [[*vector, *[0.0] * len(vector)] for vector in genes], ids,
                           parents, number)


SELECTORS = {"random": selectors.uniform_selection, "rank": selectors.rank_selection,
             "roulette": selectors.fitness_proportionate_selection,
             "tournament": selectors.tournament_selection}

STRATEGIES: dict[str, Callable[..., Strategy]] = {
    "es": SelfAdaptive, "ga": Genetic, "cma-es": Cma, "cma-me": CmaMe, "map-elites": MapElites}


def strategy(plan: Evolution, genome: Genome, random: Random, past: Iterable[Array] = (),
             own: Callable[..., Strategy] | None = None) -> Strategy:
    """Return the strategy of a plan for a genome, after its past fields, which are rated.

    own: makes the strategy of the user, if the plan has one. Raises RunError if it asks for other
    fields.
    """
    repeated = (own or STRATEGIES[plan.strategy])(plan, genome, random)
    for number, field in enumerate(past):
        if not np.array_equal(repeated.ask(number)["weights"], field["weights"]):
            why = ("Your strategy must ask for the same weights when it is told the same fitness:"
                   " draw all random numbers from problem.seed" if own else
                   "Either it is damaged (check with hsevo verify), or this machine, cma or numpy"
                   " gives other results")
            raise RunError(f"generation {number} differs from the stored one when repeated, so the"
                           f" run can't be resumed. {why}")
        repeated.tell(field)
    return repeated
