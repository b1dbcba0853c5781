"""How many games to give a worker per job, learnt from the games so far."""


import numpy as np

from hsevo.types import Array


class Pace:
    """The work that a game of every two agents takes, measured so far."""

    def __init__(self, n: int, block: int) -> None:
        self.block = block
        self.work, self.games = np.zeros((n, n)), np.zeros((n, n))

    def cut(self, rows: Array) -> Array:
        """Return the first rows that are about a block, in whole pairs, one at least."""
        a, b = rows["a"], rows["b"]
        each = np.full(len(rows), float(self.block))  # nothing known: a pair is a block
        known = self.games[a, b] > 0
        each[known] = self.work[a, b][known] / self.games[a, b][known]
        whole = int(np.searchsorted(np.cumsum(each), self.block)) + 1
        return rows[:whole + whole % 2]

    def learn(self, rows: Array, results: Array) -> None:
        """Add what games took."""
        work = results["decisions"] + results["simulated"]
        for one, other in (("a", "b"), ("b", "a")):
            np.add.at(self.work, (rows[one], rows[other]), work)
            np.add.at(self.games, (rows[one], rows[other]), 1)
