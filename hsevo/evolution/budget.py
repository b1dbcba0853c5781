"""What generations cost, by samples of a config's games: how many fit into a time?

The samples are of the first generation's games and of the measurement of its best, by the config's
own workers. Racing saves games, so such a run may end earlier.

The work between games is timed with made-up results in place of games.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck
from hsevo.config import Config, change
from hsevo.evolution.confirm import games_to_confirm
from hsevo.evolution.custom import NOTHING, Custom, load
from hsevo.evolution.evolve import Execution
from hsevo.evolution.fitness import field_size, games_of_an_opponent, most_games
from hsevo.evolution.references import ReferenceOpponents
from hsevo.evolution.references import games as reference_games
from hsevo.experiments.progress import Sample, pace
from hsevo.play import match, tournament
from hsevo.play.behaviour import WATCHED, Watched
from hsevo.play.python_files import Code
from hsevo.play.workers import Executor, open_workers
from hsevo.runs.folder import OwnMethods, RunFolder
from hsevo.runs.opponents import StoredOpponents
from hsevo.runs.tables import Generation
from hsevo.types import Array


class Clock:
    """Evolves a new run with made-up results in the place of games; times what happens between.

    first: the matches, PAIRING, of the first generation, and the players they refer to.
    generation: the last one.
    """

    first: tuple[Array, Array] | None = None
    generation: Generation

    def __init__(self, run: RunFolder, custom: Custom = NOTHING) -> None:
        self.run, self.custom = run, custom
        self.serials: list[float] = []
        self.commits: list[float] = []
        self.since = time.perf_counter()

    def time(self) -> None:
        """Evolve one execution."""
        run = self.run
        for generation in Execution(run.config, 1, self._play, run.genome,
                                      opponents=run.opponents.weights,
                                      custom=self.custom).generations():
            began = time.perf_counter()
            self.serials.append(began - self.since)
            run.append(generation)
            self.generation, self.since = generation, time.perf_counter()
            self.commits.append(self.since - began)

    @property
    def serial(self) -> float:
        """Seconds of a generation in which nothing else runs, without the first one."""
        return median(self.serials[1:])

    @property
    def commit(self) -> float:
        """Seconds of a commit, without the first one."""
        return median(self.commits[1:])

    def _play(self, number: int, pairings: Array, players: Array) -> Array:
        before = time.perf_counter() - self.since  # asked and paired since the last commit
        self.first = self.first or (pairings, players)
        watches = self.run.config.evolution.watches
        results = np.zeros(len(pairings), WATCHED if watches else match.RESULT)
        results["wins_a"] = pairings["seed"] % (pairings["games"] + 1)
        results["wins_b"] = pairings["games"] - results["wins_a"]
        self.since = time.perf_counter() - before
        return results


GENERATIONS = 4  # with made-up results, to time the work between games; the first one warms up


@dataclass(frozen=True)
class EvolutionCosts:
    """What a run costs with its workers, in seconds."""

    serial: float  # of a generation: selection, breeding, pairing, counting
    commit: float  # of a generation, during the games of the next one
    game: float  # among individuals
    fixed: float  # against a fixed opponent
    reference: float  # against a reference opponent

    def generation(self, plan: Config, number: int) -> float:
        """Return how long a generation takes at most, without its measurement."""
        opponents = len(plan.rating.opponents.agents) if plan.rating.opponents else 0
        fixed = field_size(plan, number) * opponents * games_of_an_opponent(plan)
        games = (most_games(plan, number) - fixed) * self.game + fixed * self.fixed
        return self.serial + max(games, self.commit)

    def run(self, plan: Config) -> float:
        """Return how long a run of this plan takes at most."""
        generations = range(plan.evolution.generations)
        measured = sum(reference_games(plan, number) for number in generations)
        confirming = games_to_confirm(plan) * self.fixed
        return plan.executions * (measured * self.reference + confirming + sum(
            self.generation(plan, number) for number in generations))


def measure(plan: Config, decks: Sequence[Deck], references: Mapping[str, Array],
            opponents: StoredOpponents, files: Mapping[str, Code],
            methods: OwnMethods) -> EvolutionCosts:
    """Measure what a run of this config costs on this machine.

    files: those of the user's own strategy and fitness, if there are any. methods: of the strategy.

    It takes SECONDS for each kind of game, or longer if few games do. Raises GameError,
    WorkersError, RunError.
    """
    probe = change(plan, {"evolution.generations": GENERATIONS, "executions": 1})
    with (tempfile.TemporaryDirectory() as folder, open_workers(plan.workers) as executor,
          closing(RunFolder.make(Path(folder) / "run", probe, decks, references,
                                 opponents, methods=methods)) as run):
        return _costs(run, executor, load(plan, files, methods))


def _costs(run: RunFolder, executor: Executor, custom: Custom) -> EvolutionCosts:
    clock = Clock(run, custom)
    clock.time()
    assert clock.first is not None
    rows, players = clock.first
    fixed = (players["id"][rows["a"]] < 0) | (players["id"][rows["b"]] < 0)
    least = tournament.LEAST_GAMES * executor.workers
    among, against = (
        pace(_rating(run, executor, some, players), least, int(some["games"].sum()))
        for some in (rows[~fixed], rows[fixed]))
    measured = pace(_measuring(run, executor, clock), least, reference_games(run.config, 0))
    return EvolutionCosts(clock.serial, clock.commit, among or against, against, measured)


def _rating(run: RunFolder, executor: Executor, rows: Array, players: Array) -> Sample:
    """Return a function that plays some of a generation's games, evenly spread over its matches."""
    evolved = players[players["id"] >= 0]
    agents = joined([run.genome.build(evolved["weights"]), run.opponents.agents], len(run.decks))

    def play(games: int) -> int:
        some = rows[np.linspace(0, len(rows), min(games, len(rows)), endpoint=False).astype(int)]
        some["games"] = np.minimum(some["games"], -(-games // len(some)))
        watched = Watched(executor) if run.config.evolution.watches else executor
        tournament.play(watched, some, agents, run.setting)
        return int(some["games"].sum())

    return play


def _measuring(run: RunFolder, executor: Executor, clock: Clock) -> Sample:
    """Return a function that plays some of the games that measure the best of a generation."""
    opponents = run.reference_agents

    def play(games: int) -> int:
        run.plan = change(run.config, {"references.games": -(-games // len(opponents))})
        table = ReferenceOpponents(run, opponents).measure(clock.generation, executor)
        return int(table["games"].sum())

    return play
