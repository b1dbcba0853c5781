"""A guess of a deck's fitness by its cards: ridge regression on all decks that have played.

The idea of DSA-ME (Zhang et al., "Deep surrogate assisted MAP-Elites for automated Hearthstone
deckbuilding", 2022) with a linear model: a card is worth the same in any deck. It is refitted
each generation; a deck has few of the pool's cards, so the equations are sparse.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hsevo.deckbuilding.book import Book
from hsevo.types import Array

STEPS = 100  # of LSQR, at most (Paige and Saunders 1982); it ends earlier
RIDGE = 10.0  # decks' worth of evidence that a card is worth nothing
DIGITS = 6  # of a guess: the last digits of a solution depend on the processor


class Surrogate:
    """A linear model of fitness."""

    def __init__(self, book: Book) -> None:
        from scipy.sparse import csr_array
        from scipy.sparse.linalg import lsqr  # a third of a second to import

        fitness, games = book.fitness(np.arange(len(book))), book.results["games"].sum(axis=1)
        sure = np.sqrt(games / games.mean())
        mean = float(np.average(fitness, weights=games))
        decks = csr_array(book.counts * sure[:, None])
        self.worth: Array = lsqr(decks, (fitness - mean) * sure, damp=RIDGE**0.5,
                                 iter_lim=STEPS)[0]
        self.mean = mean - float(np.average(book.counts @ self.worth, weights=games))

    def guess(self, counts: Array) -> Array:
        """Return the guessed fitness (n,) of decks (n, q)."""
        guesses: Array = np.round(self.mean + counts @ self.worth, DIGITS)
        return guesses

    def promising(self, offspring: Sequence[tuple[Array, tuple[int, int]]], base: Array,
                  n: int) -> list[int]:
        """Return the n decks with the highest guess above their `base` (m,), each list once."""
        gains = self.guess(np.array([deck for deck, _ in offspring])) - base
        chosen: dict[bytes, int] = {}
        for i in np.argsort(-gains, kind="stable").tolist():
            chosen.setdefault(offspring[i][0].tobytes(), i)
        once = [*chosen.values()]
        rest = sorted({*range(len(offspring))} - {*once})
        return (once + rest)[:n]
