"""What an evolution does between its games, timed with made-up results in their place."""

import time
from statistics import median

import numpy as np

from hsevo.evolution.evolve import Execution
from hsevo.play import match
from hsevo.play.behaviour import WATCHED
from hsevo.runs.folder import Run
from hsevo.runs.tables import Generation
from hsevo.types import Array


class Clock:
    """Evolves a new run with made-up results in the place of games; times what happens between.

    first: the matches, PAIRING, of the first generation, and the players they refer to.
    generation: the last one.
    """

    first: tuple[Array, Array] | None = None
    generation: Generation

    def __init__(self, run: Run) -> None:
        self.run = run
        self.serials: list[float] = []
        self.commits: list[float] = []
        self.since = time.perf_counter()

    def time(self) -> None:
        """Evolve one execution."""
        run = self.run
        for generation in Execution(run.config, 1, self._play, run.genome,
                                      opponents=run.opponents.weights).generations():
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
        maps = self.run.config.evolution.maps
        results = np.zeros(len(pairings), WATCHED if maps else match.RESULT)
        results["wins_a"] = pairings["seed"] % (pairings["games"] + 1)
        results["wins_b"] = pairings["games"] - results["wins_a"]
        self.since = time.perf_counter() - before
        return results
