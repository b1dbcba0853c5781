"""The course of a search: generation after generation, played or told from what was stored.

    course.step(number, play) --> DeckGeneration
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.deck_pool import DeckPool
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import Book
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.strategies import DeckMapElites, strategy
from hsevo.types import Array

DECKS_PLAYED = "decks"  # the only population
Play: TypeAlias = Callable[[int, Array], Array]  # of a generation's number and decks' numbers


@dataclass(frozen=True)
class DeckGeneration:
    """A generation that was played.

    new: the numbers of its new decks. met: of all decks that played, new ones first, (n,), and
    their book.RESULT (n, m). line: its line of generations.csv.
    """

    number: int
    new: Array
    met: dict[str, tuple[Array, Array]]
    line: dict[str, Any]


class DeckCourse:
    """A search from its beginning on."""

    def __init__(self, plan: Plan, pool: DeckPool, field: Field) -> None:
        self.plan, self.pool, self.field = plan, pool, field
        pilots = len(plan.pilots)
        self.book = Book(pool, field.weights(pilots), len(field.decks), plan.fitness)
        self.strategy = strategy(plan, self.book, [pool.counts(deck) for deck in field.start])

    def step(self, number: int, play: Play) -> DeckGeneration:
        """Make the next generation."""
        new = self.book.add(*self.strategy.ask(number), number)
        results = [play(number, new)]
        self.book.take(new, results[0])
        repeated = self.strategy.repeats(new)
        if len(repeated):
            results.append(play(number, repeated))
            self.book.take(repeated, results[1])
        self.strategy.tell(new, number)
        return DeckGeneration(number, new, {DECKS_PLAYED: (
            np.concatenate([new, repeated]), np.concatenate(results))},
            self._line(number, new, repeated))

    def _line(self, number: int, new: Array, repeated: Array) -> dict[str, Any]:
        stay = self.strategy.stay
        fitness, rates = self.book.fitness(stay), self.book.rates(stay[:1])
        low, high = rates.ends()
        line = {"generation": number, "new": len(new),
                "games": int(self.book.recent["games"][np.concatenate([new, repeated])].sum()),
                "decks": len(self.book), "best": int(stay[0]), "fitness": float(fitness[0]),
                "mean_fitness": float(fitness.mean()), "rate": float(rates.rate()[0]),
                "rate_low": float(low[0]), "rate_high": float(high[0])}
        cells = {"cells": 0, "coverage": 0.0, "qd_score": 0.0}
        if isinstance(self.strategy, DeckMapElites):
            cells = {"cells": len(stay), "coverage": self.strategy.archive.coverage,
                     "qd_score": float(fitness.sum())}
        return line | cells


def most_games(plan: Plan, meetings: int, generations: range) -> int:
    """Return how many games these generations have at most; meetings: of a deck."""
    search = plan.search
    first = search.first * (0 in generations)
    later = len(generations) - (0 in generations)
    repeats = search.lam if search.strategy == "map-elites" else search.mu
    return (first + later * (search.lam + repeats)) * meetings * plan.games


