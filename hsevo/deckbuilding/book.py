"""All decks of a search so far, with the sums of all their games.

    book.add(counts, parents, born) --> their numbers     book.take(numbers, results)

Meetings are pairs of a pilot and a deck of the field, pilot by pilot: m of them, of which each has
a weight. A deck's rate is the weighted mean of its rates in all meetings.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.cards.deck_pool import DeckPool
from hsevo.deckbuilding import features
from hsevo.play.behaviour import SEEN, behaviour
from hsevo.strength.rating import effective_games, interval
from hsevo.types import Array

# Of a deck in a meeting, summed over its games. turns: of both players. margin: over games that it
# won, its health and armour less the loser's, and over those it lost, the same with a minus. The
# rest is of games that were watched, see play/behaviour.py; of others, 0.
COUNTS = ("games", "wins", "draws", "turns", "margin")
RESULT = np.dtype([(name, "i8") for name in (*COUNTS, *SEEN)])
DIGITS = 9  # of a fitness: equal ones are equal, whatever the order of summation


def results_of(rows: pd.DataFrame) -> Array:
    """Return lines of a table of games as RESULT (n,)."""
    results = np.zeros(len(rows), RESULT)
    for name in (*COUNTS, *(name for name in SEEN if name in rows)):
        results[name] = rows[name]
    return results


class Rates:
    """Sums of games (n, m) as rates, under the weights of m meetings."""

    def __init__(self, results: Array, weights: Array, opponents: int) -> None:
        self.results, self.weights, self._opponents = results, weights, opponents

    def _points(self) -> Array:
        """Return games won in each meeting, draws as halves, (n, m)."""
        points: Array = self.results["wins"] + self.results["draws"] / 2
        return points

    def rate(self) -> Array:
        """Return the win rates (n,), 0 to 1; NaN without games."""
        return _mean(self._points(), self.results["games"], self.weights)

    def ends(self) -> tuple[Array, Array]:
        """Return the ends of the 95 % intervals (n,): Wilson's, for as many games as count."""
        games = self.results["games"]
        each = np.broadcast_to(self.weights, games.shape)
        return interval(np.nan_to_num(self.rate()), effective_games(games, each))

    def health(self) -> Array:
        """Return the mean difference of health at the end, (n,)."""
        return _mean(self.results["margin"], self.results["games"], self.weights)

    def behaviour(self) -> dict[str, Array]:
        """Return the features of the games, (n,) each, by name: see play/behaviour.py."""
        sums = (self.results[name] for name in ("games", "turns", *SEEN))
        return {name: each @ self.weights / self.weights.sum()
                for name, each in behaviour(*sums).items()}

    def by_opponent(self) -> list[Rates]:
        """Return the same against each deck of the field alone, over all pilots."""
        return [Rates(self.results[:, j::self._opponents], self.weights[j::self._opponents], 1)
                for j in range(self._opponents)]

    def fitness(self, kind: str, bound: bool = False) -> Array:
        """Return the fitness (n,) of a kind, as in a config; bound: of the lower ends of rates."""
        if kind == "worst":
            fitness = np.min([rates.fitness("rate", bound) for rates in self.by_opponent()], axis=0)
        else:
            fitness = (self.health() if kind == "health" else
                       self.ends()[0] if bound else self.rate())
        rounded: Array = np.round(fitness, DIGITS)
        return rounded


def _mean(sums: Array, games: Array, weights: Array) -> Array:
    """Return the weighted means of sums (n, m) a game; NaN without games."""
    with np.errstate(invalid="ignore"):
        means: Array = (sums / games) @ weights / weights.sum()
    return means


class Book:
    """The decks of a search by their numbers, from 0, and their games.

    weights: of the m meetings. kind: of fitness.
    """

    def __init__(self, pool: DeckPool, weights: Array, opponents: int, kind: str) -> None:
        self.pool, self.weights, self.opponents, self.kind = pool, weights, opponents, kind
        self.counts = np.zeros((0, len(pool.cards)), np.int64)
        self.parents = np.zeros((0, 2), np.int64)  # -1: none
        self.born = np.zeros(0, np.int64)
        self.results = np.zeros((0, len(weights)), RESULT)
        self.recent = self.results.copy()  # of the last games of each alone
        self.features = {name: np.zeros(0) for name in features.AXES}
        self._known: set[bytes] = set()

    def __len__(self) -> int:
        return len(self.born)

    def __contains__(self, counts: Array) -> bool:
        return counts.tobytes() in self._known

    def add(self, counts: Array, parents: Array, born: int) -> Array:
        """Add decks (n, q) with their parents (n, 2); return their numbers (n,)."""
        numbers = np.arange(len(self), len(self) + len(counts))
        self._known |= {deck.tobytes() for deck in counts}
        self.counts = np.concatenate([self.counts, counts])
        self.parents = np.concatenate([self.parents, parents])
        self.born = np.concatenate([self.born, np.full(len(counts), born)])
        empty = np.zeros((len(counts), len(self.weights)), RESULT)
        self.results, self.recent = (np.concatenate([table, empty])
                                     for table in (self.results, self.recent))
        new = features.static(self.pool, counts) | {
            name: np.full(len(counts), np.nan) for name in features.PLAYED}
        self.features = {name: np.concatenate([self.features[name], new[name]])
                         for name in self.features}
        return numbers

    def take(self, numbers: Array, results: Array) -> None:
        """Add results (n, m) to the games of some decks, each once."""
        first = self.unplayed(numbers)
        self.recent[numbers] = results
        for name in RESULT.names or ():
            self.results[name][numbers] += results[name]
        for name, values in Rates(results[first], self.weights, self.opponents).behaviour().items():
            self.features[name][numbers[first]] = values

    def unplayed(self, numbers: Array) -> Array:
        """Return which decks have no games yet, (n,)."""
        return np.asarray(~self.results["games"][numbers].any(axis=1))

    def rates(self, numbers: Array, recent: bool = False) -> Rates:
        """Return all games of some decks, or the last ones of each alone, as rates."""
        here = (self.recent if recent else self.results)[numbers]
        return Rates(here, self.weights, self.opponents)

    def fitness(self, numbers: Array, compare: str = "mean") -> Array:
        """Return by what decks are compared, (n,), as `search.compare` says."""
        return self.rates(numbers, compare == "paired").fitness(self.kind, compare == "bound")

    def best(self, numbers: Array, n: int, compare: str = "mean") -> Array:
        """Return the best n of some decks, best first; of equal ones, those named first."""
        order = np.argsort(-self.fitness(numbers, compare), kind="stable")
        chosen: Array = numbers[order[:n]]
        return chosen
