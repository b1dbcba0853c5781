"""Stored results in place of games: to verify a run, and to prolong one with several executions.

The executions of a run follow each other in its tables. So a run that is prolonged goes back to the
end of its first execution, and RUN/earlier keeps a copy of it until it is done. The generations of
this copy are evolved again with its results, and take no games; those after them are played.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.errors import RunError
from hsevo.play import match
from hsevo.play.behaviour import WATCHED
from hsevo.runs.folder import EARLIER, RunFolder
from hsevo.types import Array


class StoredMatches:
    """The stored matches of an execution, returned in place of games."""

    def __init__(self, run: RunFolder, execution: int) -> None:
        self.run, self.execution = run, execution
        self.number, self.at = -1, 0
        self.table: dict[str, Array] = {}

    def __call__(self, number: int, pairings: Array, players: Array) -> Array:
        """Return the next stored results, RESULT rows. Raises RunError if there are too few."""
        if number != self.number:
            self.table = self.run.match_columns(self.execution, number, self.run.match_names)
            self.number, self.at = number, 0
        part = {name: column[self.at:self.at + len(pairings)]
                for name, column in self.table.items()}
        self.at += len(pairings)
        return _results(self.run, part, pairings)

    def of(self, number: int, pairings: Array, players: Array) -> Array:
        """Return the next stored results. Raises RunError unless they are of these matches."""
        results = self(number, pairings, players)
        seeds = self.table["seed"][self.at - len(pairings):self.at]
        if not np.array_equal(seeds, pairings["seed"]):
            raise RunError(f"{self.run.path} is damaged: generation {number} has matches that"
                           " differ from what the seed and the population give; remove it and"
                           " resume")
        return results


class Earlier:
    """The generations that a run had before it was prolonged; none of another run."""

    def __init__(self, run: RunFolder) -> None:
        """Read RUN/earlier. Raises RunError if it is damaged."""
        path = run.path / EARLIER
        self.run = RunFolder(path) if path.exists() else None
        self.moments = {*self.run.committed()} if self.run else set()
        self.stored: dict[int, StoredMatches] = {}

    def has(self, execution: int, number: int) -> bool:
        """Return whether a generation is there."""
        return (execution, number) in self.moments

    def results(self, execution: int, number: int, pairings: Array, players: Array) -> Array:
        """Return the results of some matches of a generation that is there. Raises RunError."""
        assert self.run is not None
        stored = self.stored.setdefault(execution, StoredMatches(self.run, execution))
        return stored.of(number, pairings, players)

    def references(self, execution: int, number: int) -> pd.DataFrame | None:
        """Return the measurement of a generation's best, or None if it was not measured."""
        if not self.has(execution, number):
            return None
        assert self.run is not None
        table = self.run.table(self.run.names[2])
        here = table[(table["execution"] == execution) & (table["generation"] == number)]
        return here if len(here) else None


def _results(run: RunFolder, table: dict[str, Array], pairings: Array) -> Array:
    """Return the stored results, RESULT rows. Raises RunError unless there is one per pairing."""
    length = len(table["seed"])
    if length != len(pairings):
        raise RunError(f"{run.path} is damaged: a generation has {length} matches, not"
                       f" {len(pairings)}")
    results = np.zeros(length, WATCHED if run.config.evolution.watches else match.RESULT)
    for name in set(results.dtype.names or ()) - {"faults"}:
        results[name] = table[name]
    short = pairings["games"] - (results["wins_a"] + results["wins_b"] + results["draws"])
    if short.any():
        seed = pairings["seed"][np.flatnonzero(short)[0]]
        raise RunError(f"{run.path} is damaged: the match with seed {seed} has results that do not"
                       " sum to its games")
    return results
