"""A guess of a deck's fitness by its cards: ridge regression on all decks that have played.

The idea of DSA-ME (Zhang et al., "Deep surrogate assisted MAP-Elites for automated Hearthstone
deckbuilding", 2022) with a linear model: a card is worth the same in any deck. It is fitted anew
each generation, in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.deckbuilding.book import Book

Array: TypeAlias = npt.NDArray[Any]
RIDGE = 10.0  # decks' worth of evidence that a card is worth nothing
DIGITS = 6  # of a guess: the last digits of a solution depend on the processor


class Surrogate:
    """A linear model of fitness."""

    def __init__(self, book: Book) -> None:
        everyone = np.arange(len(book))
        fitness = book.fitness(everyone)
        games = book.results["games"].sum(axis=1)
        weights = games / games.mean()
        self.mean = float(np.average(fitness, weights=weights))
        self.centre = np.average(book.counts, axis=0, weights=weights)
        x = (book.counts - self.centre) * np.sqrt(weights)[:, None]
        y = (fitness - self.mean) * np.sqrt(weights)
        self.worth: Array = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)

    def guess(self, counts: Array) -> Array:
        """Return the guessed fitness (n,) of decks (n, q)."""
        found: Array = np.round(self.mean + (counts - self.centre) @ self.worth, DIGITS)
        return found

    def promising(self, made: Sequence[tuple[Array, tuple[int, int]]], base: Array,
                  n: int) -> list[int]:
        """Return the n decks with the highest guess above their `base` (m,), each list once."""
        gains = self.guess(np.array([one for one, _ in made])) - base
        chosen: dict[bytes, int] = {}
        for i in np.argsort(-gains, kind="stable").tolist():
            chosen.setdefault(made[i][0].tobytes(), i)
        once = [*chosen.values()]
        rest = [i for i in range(len(made)) if i not in {*once}]
        return (once + rest)[:n]
