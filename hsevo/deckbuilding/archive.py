"""The map of MAP-Elites: cells of two features, and the best deck of each.

An own one, of few lines, and not that of pyribs: there, an elite is added with a fitness that never
changes, and here it plays again whenever it is challenged; there, a map with sliding boundaries
knows the newest solutions alone, and here it is made of all decks, which are in the tables of the
run anyway. So nothing of it has to be stored.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.config.deckbuilding import Search
from hsevo.deckbuilding.book import Book
from hsevo.deckbuilding.features import AXES

Array: TypeAlias = npt.NDArray[Any]


class Archive:
    """Cells and their elites."""

    def __init__(self, plan: Search, book: Book) -> None:
        self.plan, self.book = plan, book
        ends = plan.ranges or tuple(AXES[name].ends for name in plan.features)
        self.edges = [np.linspace(low, high, n + 1)[1:-1]
                      for (low, high), n in zip(ends, plan.cells, strict=True)]
        self.cells: dict[tuple[int, int], int] = {}  # a deck's number, by column and row

    @property
    def elites(self) -> Array:
        """The numbers of the elites, in the order of their cells."""
        return np.array([self.cells[cell] for cell in sorted(self.cells)], np.int64)

    @property
    def coverage(self) -> float:
        """The share of cells that are taken."""
        return len(self.cells) / (self.plan.cells[0] * self.plan.cells[1])

    def cells_of(self, numbers: Array) -> list[tuple[int, int]]:
        """Return the cells of decks; what lies beyond the map is in the cell at its edge."""
        at = [np.searchsorted(edges, self.book.features[name][numbers], "right")
              for edges, name in zip(self.edges, self.plan.features, strict=True)]
        return [(int(i), int(j)) for i, j in zip(*at, strict=True)]

    def challenged(self, numbers: Array) -> Array:
        """Return the elites whose cells these decks are in, each once, in the order of cells."""
        cells = sorted({*self.cells_of(numbers)} & {*self.cells})
        return np.array([self.cells[cell] for cell in cells], np.int64)

    def add(self, numbers: Array, compare: str | None = None) -> None:
        """Put decks into their cells; the better one stays, and of equals the older one."""
        how = compare or self.plan.compare
        for number, cell in zip(numbers.tolist(), self.cells_of(numbers), strict=True):
            rivals = np.array([self.cells.get(cell, number), number])
            self.cells[cell] = int(self.book.best(rivals, 1, how)[0])

    def remap(self) -> None:
        """Part the cells at quantiles of all decks so far, and put all of them on the map anew.

        Decks that never met the same deals are compared by all their games.
        """
        for axis, (name, n) in enumerate(zip(self.plan.features, self.plan.cells, strict=True)):
            values = np.sort(self.book.features[name])
            self.edges[axis] = values[(np.arange(1, n) * len(values)) // n]
        self.cells = {}
        self.add(np.arange(len(self.book)), "mean" if self.plan.compare == "paired" else None)
