"""Strategies that draw a map: the best individual of each kind of play, not the best of all.

`MapElites` is MAP-Elites (Mouret and Clune, "Illuminating search spaces by mapping elites", 2015):
individuals are mutants of elites. `CmaMe` is CMA-ME (Fontaine, Togelius, Nikolaidis and Hoover,
"Covariance matrix adaptation for the rapid illumination of behavior space", GECCO 2020) with
improvement emitters: several distributions of CMA-ES, each of which moves to what improved the map.

An individual is rated once. Its fitness must not depend on whom else a generation holds; the map is
made of all individuals so far, so that nothing of it has to be stored: to resume, past generations
are repeated. In every generation all lambda individuals are new, and the best mu of them count as
survivors, though what goes on is the map.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from random import Random

import numpy as np

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Evolution
from hsevo.evolution.breeding import base, individuals, limits, repeat
from hsevo.evolution.covariance import Distribution, first_mean
from hsevo.play.behaviour import AXES
from hsevo.runs.individuals import individual_type
from hsevo.strength.archive import Archive
from hsevo.types import Array


class Mapped(ABC):
    """A strategy with a map. people: all rated so far, INDIVIDUAL, whose ids are their rows."""

    def __init__(self, plan: Evolution, genome: Genome, random: Random,
                 past: Iterable[Array] = ()) -> None:
        self.plan, self.genome, self.random = plan, genome, random
        self.limits = limits(plan, genome)
        self.people = np.zeros(0, individual_type(genome.size))
        ends = plan.ranges or tuple(AXES[name].ends for name in plan.features)
        self.archive = Archive(plan.cells, ends, lambda ids: self.people["features"][ids])
        self.begin()
        repeat(self, past)

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
        gained, new = np.transpose([self._put(one) for one in field["id"].tolist()])
        self.learn(field["id"], gained, new.astype(bool))
        order = np.argsort(-field["fitness"], kind="stable")
        return tuple(field["id"][order[:self.plan.mu]].tolist())

    def _put(self, one: int) -> tuple[float, bool]:
        """Put an individual on the map; return by how much it is better there, and if it is new.

        Better than the elite of its cell, which stays if it is not; or new in an empty cell, and
        better than nothing.
        """
        fitness, elites = self.people["fitness"], self.archive.challenged(np.array([one]))
        gained = float(fitness[one] - (fitness[elites[0]] if len(elites) else 0))
        self.archive.add(np.array([one]), lambda rivals: int(rivals[fitness[rivals].argmax()]))
        return gained, not len(elites)

    def elite(self) -> int:
        """Return the id of a random elite."""
        elites = self.archive.elites
        return int(elites[self.random.randrange(len(elites))])

    def weights(self, one: int) -> list[float]:
        """Return the weights of an individual, in units of the genome's scale."""
        found: list[float] = (self.people["weights"][one] / self.genome.scale).tolist()
        return found


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
            return [[*self._mutant(self.weights(one)), *sigma] for one in parents], parents
        if self.plan.start == "random":
            made = [[self.random.uniform(*ends) for ends in zip(*self.limits, strict=True)]
                    for _ in range(lam)]
        else:
            own = base(self.plan, self.genome)
            made = [own, *(self._mutant(own) for _ in range(lam - 1))]
        return [[*one, *sigma] for one in made], [-1] * lam

    def learn(self, ids: Array, gained: Array, new: Array) -> None:
        """Learn nothing: the map is all that it knows."""

    def _mutant(self, weights: list[float]) -> list[float]:
        changed = [one + self.random.gauss(0, self.plan.mutation_sigma) for one in weights]
        inside: list[float] = np.clip(changed, *self.limits).tolist()
        return inside


class CmaMe(Mapped):
    """A number of `emitters` make lambda / emitters individuals each.

    An emitter ranks those that took an empty cell first, by their fitness, then those that beat an
    elite, by how much; they are the parents to which it moves, at most half of its individuals. If
    there are none, or it has settled, it begins anew at a random elite.
    """

    def begin(self) -> None:
        """Begin with all emitters in the middle of the bounds, or at the base."""
        first = first_mean(self.plan, self.genome)
        self.emitters = [self._emitter(first) for _ in range(self.plan.emitters)]
        self.began = [-1] * self.plan.emitters  # at which elite

    def genes(self) -> tuple[list[list[float]], list[int]]:
        """Return what all emitters draw; the elite at which an emitter began counts as parent."""
        made = [emitter.ask() for emitter in self.emitters]
        return ([one for some in made for one in some],
                [began for began, some in zip(self.began, made, strict=True) for _ in some])

    def learn(self, ids: Array, gained: Array, new: Array) -> None:
        """Move each emitter, or begin it anew."""
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
