"""The generations of an evolution: make individuals, rate them by matches, and select.

    for each generation (Execution.generations):
        field = strategy.ask(number)            parents and offspring (strategies.py)
        others = earlier champions, fixed opponents
        rate(plan, execution, number, field, others, play)     matches on the workers (fitness.py)
        survivors = strategy.tell(field)        which has its fitness

`evolve` makes the executions of a run, one after the other, and measures the best of generations
against reference opponents (references.py).
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.agents.genomes.genome import Genome
from hsevo.config import Config, change
from hsevo.evolution.custom import NOTHING, Custom, Own
from hsevo.evolution.fitness import Others, Play, draw_hall, most_games, rate
from hsevo.evolution.references import ReferenceOpponents, due
from hsevo.evolution.references import games as reference_games
from hsevo.evolution.stored import Earlier
from hsevo.evolution.strategies import strategy
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import Generation
from hsevo.seeds import generator
from hsevo.types import Array

NO_OPPONENTS: Array = np.zeros(0)


def evolve(run: RunFolder, executor: Executor, on_games: OnGames,
           custom: Custom = NOTHING) -> Generator[Generation, None, None]:
    """Make all generations after the run's last one.

    on_games: called with the number of games of each finished block. custom: what of the run is
    the user's. Raises AgentError, ConfigError, GameError, RunError, WorkersError.
    """
    plan, opponents, (first, _) = run.config, run.opponents, run.next
    references, earlier = ReferenceOpponents.of(run), Earlier(run)

    def play(number: int, pairings: Array, players: Array) -> Array:
        if earlier.has(execution, number):
            return earlier.results(execution, number, pairings, players)
        evolved = players[players["id"] >= 0]  # the others, fixed opponents, stand last
        agents = joined([run.genome.build(evolved["weights"]), opponents.agents], len(run.decks))
        return tournament.play(executor, pairings, agents, run.setting, on_games)

    for execution in range(first, plan.executions + 1):
        past = run.fields(execution) if execution == first else ()
        for generation in Execution(plan, execution, play, run.genome, past,
                                    opponents.weights, custom).generations():
            if references and due(plan, generation.number):
                known = earlier.references(execution, generation.number)
                yield replace(generation, references=references.measure(
                    generation, executor, on_games) if known is None else known)
            else:
                yield generation


def repeated(run: RunFolder, execution: int, play: Play,
             custom: Custom = NOTHING) -> Iterator[Generation]:
    """Evolve the committed generations of an execution again, with stored results."""
    last = max(number for its_execution, number in run.committed() if its_execution == execution)
    shorter = change(run.config, {"evolution.generations": last + 1})
    return Execution(shorter, execution, play, run.genome,
                       opponents=run.opponents.weights, custom=custom).generations()


def games_to_play(plan: Config, first: tuple[int, int] = (1, 0)) -> int:
    """Return the most games that a run may still play, from an execution and generation on."""
    each = [most_games(plan, number) + reference_games(plan, number)
            for number in range(plan.evolution.generations)]
    return (plan.executions - first[0]) * sum(each) + sum(each[first[1]:])


class Execution:
    """One execution, after its past fields, which are rated.

    opponents: the weights (k,) of the fixed opponents. custom: what of it is the user's.
    """

    def __init__(self, plan: Config, execution: int, play: Play, genome: Genome,
                 past: Iterable[Array] = (), opponents: Array = NO_OPPONENTS,
                 custom: Custom = NOTHING) -> None:
        self.plan, self.execution, self.play, self.custom = plan, execution, play, custom
        fields = list(past)
        self.number = len(fields)  # of the next generation
        self.champions = [champion(field) for field in fields]
        self.opponents = opponents
        self.random = generator((plan.seed, execution))
        self.strategy = strategy(plan.evolution, genome, self.random, fields, custom.strategy)

    def generations(self) -> Iterator[Generation]:
        """Evolve to the last generation of the plan."""
        while self.number < self.plan.evolution.generations:
            yield self.step()
            self.number += 1

    def step(self) -> Generation:
        """Make, rate and select the next generation."""
        field = self.strategy.ask(self.number)
        champions = np.array(self.champions, field.dtype)
        hall = draw_hall(self.plan, self.execution, self.number, champions, field)
        fixed = np.zeros(len(self.opponents), field.dtype)
        fixed["id"] = -1 - np.arange(len(fixed))
        others = Others(np.concatenate([hall, fixed]), self.opponents)
        rated = rate(self.plan, self.execution, self.number, field, others, self.play,
                     self.custom.fitness)
        field["fitness"] = rated.fitness
        for name in ("wins", "draws", "losses"):
            field[name] = rated.scores[name]
        survivors = self.strategy.tell(field)
        field["survived"] = np.isin(field["id"], survivors)
        self.champions.append(champion(field))
        logged = tuple(self.strategy.logged.items()) if isinstance(self.strategy, Own) else ()
        return Generation(self.execution, self.number, field, rated.pairings, rated.results,
                          survivors, self.random.getstate(), others.rows, logged=logged)


def champion(field: Array) -> Any:
    """Return the best of a rated field: the first with the highest fitness."""
    return field[field["fitness"].argmax()]
