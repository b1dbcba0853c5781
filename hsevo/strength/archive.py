"""The map of MAP-Elites: cells of two features, and the best solution of each, by their numbers.

An own one, of few lines, and not that of pyribs: there, an elite is added with a fitness that never
changes, and decks play again whenever they are challenged; there, a map with sliding boundaries
knows the newest solutions alone, and here it is made of all, which are in the tables of the run
anyway. So nothing of it has to be stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from hsevo.types import Array

Cell: TypeAlias = tuple[int, int]


class Archive:
    """Cells and their elites.

    cells: along either axis. ends: of the axes, (low, high) each. features: returns those of
    solutions (n,), (n, 2).
    """

    def __init__(self, cells: tuple[int, int], ends: Sequence[tuple[float, float]],
                 features: Callable[[Array], Array]) -> None:
        self.size, self.features = cells, features
        self.edges = [np.linspace(low, high, n + 1)[1:-1]
                      for (low, high), n in zip(ends, cells, strict=True)]
        self.cells: dict[Cell, int] = {}  # a solution's number, by column and row

    @property
    def elites(self) -> Array:
        """The numbers of the elites, in the order of their cells."""
        return np.array([self.cells[cell] for cell in sorted(self.cells)], np.int64)

    @property
    def coverage(self) -> float:
        """The share of cells that are taken."""
        return len(self.cells) / (self.size[0] * self.size[1])

    def cells_of(self, numbers: Array) -> list[Cell]:
        """Return the cells of solutions; what lies beyond the map is in the cell at its edge."""
        at = [np.searchsorted(edges, values, "right")
              for edges, values in zip(self.edges, self.features(numbers).T, strict=True)]
        return [(int(i), int(j)) for i, j in zip(*at, strict=True)]

    def challenged(self, numbers: Array) -> Array:
        """Return the elites whose cells these solutions are in, each once, in the order of cells.
        """
        cells = sorted({*self.cells_of(numbers)} & {*self.cells})
        return np.array([self.cells[cell] for cell in cells], np.int64)

    def add(self, numbers: Array, best: Callable[[Array], int]) -> None:
        """Put solutions into their cells.

        best: which of two stays, the elite and the new one, in this order.
        """
        for number, cell in zip(numbers.tolist(), self.cells_of(numbers), strict=True):
            self.cells[cell] = best(np.array([self.cells.get(cell, number), number]))

    def part(self, numbers: Array, best: Callable[[Array], int]) -> None:
        """Split the cells at quantiles of these solutions, and put them on the map again."""
        for axis, (values, n) in enumerate(zip(self.features(numbers).T, self.size, strict=True)):
            ranked = np.sort(values)
            self.edges[axis] = ranked[(np.arange(1, n) * len(ranked)) // n]
        self.cells = {}
        self.add(numbers, best)
