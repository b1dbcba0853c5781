"""The (mu+lambda) evolution strategy with self-adaptive sigmas; the only file on inspyred.

    evolve(run, work): inspyred asks for the fitness of offspring
      field = parents + offspring --> round robin --> parents re-rated in place, offspring's scores
      the best mu of the field survive --> run.append(generation)

inspyred's own parts are used wherever they are what the paper says: `ES` mutates (equations
9-12: sigma' = max(sigma exp(tau' N + tau N), epsilon), both N drawn anew for every weight; then
w' = w + N(0, sigma')), `strategize` draws the first sigmas evenly from [0, 1], `Bounder` clips,
and `truncation_replacement` keeps the best mu of mu + lambda. Its sort is stable: of individuals
with the same fitness, the one that stood earlier in the field is the better, so parents come
before offspring, parents as they ranked before, and offspring in order of birth.
"""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from inspyred import ec
from inspyred.ec import generators, replacers

from hsevo import match, tournament
from hsevo.agents.agent import eva
from hsevo.agents.weights import NAMES
from hsevo.config import Config, Evolution
from hsevo.runs import INDIVIDUAL, Generation, Run, Start
from hsevo.workers import Map

Array: TypeAlias = npt.NDArray[Any]
# Rate a field: (generation, INDIVIDUAL rows) -> PAIRING rows, RESULT rows.
Rate: TypeAlias = Callable[[int, Array], tuple[Array, Array]]
N = len(NAMES)


class Genome(list[float]):
    """What inspyred evolves: 21 weights, then 21 sigmas; and who it is."""

    id: int = -1
    parent: int = -1
    born: int = 0


def evolve(run: Run, work: Map, watch: Callable[[Generation], object] = lambda g: None,
           tick: Callable[[int], object] = lambda games: None) -> None:
    """Evolve from where the run stands to its end, committing every generation to it.

    work: the workers' map. watch: called with each generation after it is committed; tick: with
    the number of games of each block played.
    Raises GameError, RunError, WorkersError; the run can go on from its last generation.
    """
    start, plan = run.start, run.config
    for execution in range(start.execution if start else 1, plan.executions + 1):
        def commit(generation: Generation) -> None:
            run.append(generation)
            watch(generation)

        rate = _by_playing(plan, execution, setting(run), work, tick)
        Coevolution(plan, execution, rate, commit, start).run()
        start = None
    run.finish()


def setting(run: Run) -> match.Setting:
    """Return what a worker must know of a run to play its games."""
    plan = run.config
    return match.Setting(ruleset=plan.ruleset, decks=run.decks, information=plan.information,
                         max_turns=plan.max_turns)


def pairings_of(plan: Config, execution: int, number: int, ids: Sequence[int] | Array) -> Array:
    """Return the matches of a generation: PAIRING rows over a field of these ids."""
    key = (plan.seed, execution, number)
    return tournament.round_robin(ids, len(plan.decks), plan.games, key)


def _by_playing(plan: Config, execution: int, rules: match.Setting, work: Map,
                tick: Callable[[int], object]) -> Rate:
    def rate(number: int, field: Array) -> tuple[Array, Array]:
        pairings = pairings_of(plan, execution, number, field["id"])
        weights = np.ascontiguousarray(field["weights"])
        return pairings, tournament.play(work, pairings, eva(weights), rules, tick)

    return rate


class Coevolution:
    """One execution: inspyred's ES, whose evaluator rates parents and offspring together."""

    def __init__(self, plan: Config, execution: int, rate: Rate,
                 commit: Callable[[Generation], object], start: Start | None = None) -> None:
        es = plan.evolution
        self.plan: Evolution = es
        self.execution = execution
        self.rate, self.commit, self.start = rate, commit, start
        self.number = start.number + 1 if start else 0  # of the generation to come
        self.ids = count(es.mu + start.number * es.lam if start else 0)
        self.random = Random(int(tournament.seeds((plan.seed, execution))[0]))
        if start:
            self.random.setstate(start.random_state)
        self.rated: tuple[Array, Array, Array] | None = None

    def run(self) -> None:
        """Evolve to the last generation of the plan."""
        es = ec.ES(self.random)
        es.selector = self._each_in_turn
        es.variator = [es.variator, self._christen]
        es.replacer = replacers.truncation_replacement
        es.observer, es.terminator = self._observe, self._over
        # Not ES.evolve: it would cut the sigmas, and with them the names, off before we rate.
        ec.EvolutionaryComputation.evolve(
            es, self._first, self._evaluate, pop_size=self.plan.mu,
            seeds=[_genome(row) for row in self.start.population] if self.start else None,
            bounder=ec.Bounder(*self.plan.bounds), tau=self.plan.tau,
            tau_prime=self.plan.tau_prime, epsilon=self.plan.epsilon)

    def _first(self, random: Random, args: dict[str, Any]) -> Genome:
        """Make a random individual: weights even over the bounds, sigmas even over [0, 1]."""
        def weights(random: Random, args: dict[str, Any]) -> list[float]:
            return [random.uniform(*self.plan.bounds) for _ in range(N)]

        return self._name(generators.strategize(weights)(random, args), parent=-1)

    def _each_in_turn(self, random: Random, population: list[Any], args: Any) -> list[Any]:
        """Select lambda parents: each in turn, the best first; all of them when lambda = mu."""
        return [population[i % len(population)] for i in range(self.plan.lam)]

    def _christen(self, random: Random, candidates: list[Any], args: Any) -> list[Genome]:
        parents = args["_ec"].population
        return [self._name(genes, parents[i % len(parents)].candidate.id)
                for i, genes in enumerate(candidates)]

    def _name(self, genes: list[float], parent: int) -> Genome:
        genome = Genome(genes)
        genome.id, genome.parent, genome.born = next(self.ids), parent, self.number
        return genome

    def _evaluate(self, candidates: list[Genome], args: Any) -> list[int]:
        """Rate parents and offspring by one round robin; inspyred knows of the offspring only."""
        parents = args["_ec"].population
        if self.start and not parents:  # a resumed run begins with parents, rated before
            return [int(wins) for wins in self.start.population["wins"]]
        genomes = [parent.candidate for parent in parents] + candidates
        field = np.array([_row(genome) for genome in genomes], INDIVIDUAL)
        pairings, results = self.rate(self.number, field)
        scores = tournament.tally(pairings, results, len(field))
        for name in ("wins", "draws", "losses"):
            field[name] = scores[name]
        for parent, wins in zip(parents, scores["wins"], strict=False):
            parent.fitness = int(wins)
        self.rated = field, pairings, results
        return [int(wins) for wins in scores["wins"][len(parents):]]

    def _observe(self, args: Any, **_: Any) -> None:
        """Commit the generation, once its survivors are known."""
        if self.rated is None:
            return  # the parents that a resumed run begins with
        field, pairings, results = self.rated
        parents = args["_ec"].population
        parents.sort(reverse=True)  # as the replacer does; generation 0 has not met it
        survivors = tuple(parent.candidate.id for parent in parents)
        field["survived"] = np.isin(field["id"], survivors)
        self.commit(Generation(self.execution, self.number, field, pairings, results, survivors,
                               self.random.getstate()))
        self.number += 1

    def _over(self, **_: Any) -> bool:
        return self.number >= self.plan.generations


def _row(genome: Genome) -> tuple[Any, ...]:
    return (genome.id, genome.parent, genome.born, 0, 0, 0, False, genome[:N], genome[N:])


def _genome(row: Any) -> Genome:
    genome = Genome([*row["weights"].tolist(), *row["sigmas"].tolist()])
    genome.id, genome.parent, genome.born = int(row["id"]), int(row["parent"]), int(row["born"])
    return genome
