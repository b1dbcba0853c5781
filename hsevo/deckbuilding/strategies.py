"""Strategies of the search, with an ask-and-tell interface, and their operators on decks.

    ask(generation) -> new decks and their parents     they play
    again(new)      -> older decks that play the same deals, to be compared with them
    tell(new)       -> who stays

What a strategy does follows from the seed and from the book, in which all results are; so it has no
state to store. On resuming, past generations are told again.

Operators take decks as counts of cards: a random deck, a mutant, a child of two. Every result is
legal: within the pool's `least` and `most`, with 30 cards. A mutation replaces k
cards with probability 0.5^k, by cards of equal probability (Fontaine et al., "Mapping Hearthstone
deck spaces through MAP-Elites with sliding boundaries", 2019); they may be restricted to cards of
similar cost (García-Sánchez et al., 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import SIZE
from hsevo.config.deckbuilding import Plan, SearchSettings
from hsevo.deckbuilding.book import Book
from hsevo.deckbuilding.features import AXES
from hsevo.deckbuilding.surrogate import Surrogate
from hsevo.seeds import Stream, generator
from hsevo.strength.archive import Archive
from hsevo.types import Array

Mask: TypeAlias = npt.NDArray[np.bool_]


def random_deck(pool: DeckPool, random: Random) -> Array:
    """Return a deck (q,): what is kept, and other cards, each drawn from those that have room."""
    counts = pool.least.copy()
    while counts.sum() < SIZE:
        counts[_one_of(counts < pool.most, random)] += 1
    return counts


def mutant(pool: DeckPool, parent: Array, plan: SearchSettings, random: Random) -> Array:
    """Return a deck in which k cards of its parent gave way to others, k geometric."""
    child, copies = parent.copy(), np.repeat(np.arange(len(parent)), parent - pool.least)
    k = 1
    while k < len(copies) and random.random() < plan.more:
        k += 1
    out = [copies[i] for i in random.sample(range(len(copies)), min(k, len(copies)))]
    for card in out:
        child[card] -= 1
    for card in out:
        child[_one_of(_replacements(pool, child, card, out, plan.mana), random)] += 1
    return child


def child_of(pool: DeckPool, parent_a: Array, parent_b: Array, random: Random) -> Array:
    """Return a deck of what two decks share, and of copies drawn from what either has besides.

    A multiset's crossover: no card is there more often than in one of the parents.
    """
    child = np.minimum(parent_a, parent_b)
    rest = np.repeat(np.arange(len(parent_a)), parent_a + parent_b - 2 * child)
    for i in random.sample(range(len(rest)), SIZE - int(child.sum())):
        child[rest[i]] += 1
    return child


def _replacements(pool: DeckPool, child: Array, card: int, out: list[int],
                  mana: int | None) -> Mask:
    """Return which cards may replace one: not the removed ones, of similar cost if possible."""
    room = child < pool.most
    allowed = room.copy()
    allowed[out] = False
    near = allowed
    if mana is not None:
        near = allowed & (np.abs(pool.costs - pool.cards[card].cost) <= mana)
    return next(mask for mask in (near, allowed, room) if mask.any())


def _one_of(which: Mask, random: Random) -> int:
    numbers = np.flatnonzero(which)
    return int(numbers[random.randrange(len(numbers))])


NONE = (-1, -1)  # parents of a deck that has none
TRIES = 20  # for a deck that was not there yet


class DeckStrategy(Protocol):
    """A source of decks."""

    def ask(self, number: int) -> tuple[Array, Array]:
        """Return the new decks (n, q) of a generation, and their parents (n, 2)."""

    def repeats(self, new: Array) -> Array:
        """Return the numbers of the decks that play as well, once the new ones have played."""

    def tell(self, new: Array, number: int) -> None:
        """Take what was played: who stays?"""

    @property
    def stay(self) -> Array:
        """The numbers of the decks that stay, best first."""


def strategy(plan: Plan, book: Book, start: Sequence[Array]) -> DeckStrategy:
    """Return the strategy of a plan. start: decks (q,) of the first generation."""
    kinds: dict[str, Callable[..., DeckStrategy]] = {
        "mu-lambda": MuLambda, "random": RandomSearch, "map-elites": DeckMapElites}
    return kinds[plan.search.strategy](plan, book, start)


class MuLambda:
    """The (mu+lambda) strategy: parents in turn, and all of them play again with their offspring.

    With mu: 1, a hill climber.
    """

    def __init__(self, plan: Plan, book: Book, start: Sequence[Array]) -> None:
        self.plan, self.search, self.book, self._start = plan, plan.search, book, start
        self._parents = np.zeros(0, np.int64)

    @property
    def stay(self) -> Array:
        """The parents of the next generation, best first."""
        return self._parents

    def ask(self, number: int) -> tuple[Array, Array]:
        """Return the decks of `start` and random ones at first, later lambda offspring."""
        random = generator((self.plan.seed, Stream.DECK_SEARCH, number))
        if not number:
            offspring = [(deck, NONE) for deck in self._start[:self.search.first]]
            offspring += [self._random(random) for _ in range(self.search.first - len(offspring))]
        else:
            offspring = self._offspring(random)
        return (np.array([deck for deck, _ in offspring]),
                np.array([parents for _, parents in offspring]))

    def repeats(self, new: Array) -> Array:
        """Return the parents."""
        return self._parents

    def tell(self, new: Array, number: int) -> None:
        """Keep the best mu of parents and offspring."""
        everyone = np.concatenate([self._parents, new])
        self._parents = self.book.best(everyone, self.search.mu, self.search.compare)

    def _offspring(self, random: Random) -> list[tuple[Array, tuple[int, int]]]:
        """Return lambda offspring; a surrogate chooses them from many more."""
        many = self.search.lam * self.search.surrogate
        offspring = [self._child(self._parent(k, random), random) for k in range(many)]
        if self.search.surrogate == 1:
            return offspring
        chosen = Surrogate(self.book).promising(offspring, self._base(offspring), self.search.lam)
        return [offspring[i] for i in chosen]

    def _parent(self, k: int, random: Random) -> int:
        """Return the parent of offspring k: each in turn, best first."""
        return int(self._parents[k % len(self._parents)])

    def _any(self, random: Random) -> int:
        """Return any parent."""
        return int(self._parents[random.randrange(len(self._parents))])

    def _base(self, offspring: Sequence[tuple[Array, tuple[int, int]]]) -> Array:
        """Return the baseline of the guess for each offspring: zeros."""
        return np.zeros(len(offspring))

    def _child(self, parent: int, random: Random) -> tuple[Array, tuple[int, int]]:
        """Return a new deck, if some tries find one."""
        pool, decks = self.book.pool, self.book.counts
        for _ in range(TRIES):
            base, second = decks[parent], -1
            if random.random() < self.search.crossover:
                second = self._any(random)
                base = child_of(pool, base, decks[second], random)
            child = mutant(pool, base, self.search, random)
            if child not in self.book:
                break
        return child, (parent, second)

    def _random(self, random: Random) -> tuple[Array, tuple[int, int]]:
        return random_deck(self.book.pool, random), NONE


class RandomSearch(MuLambda):
    """Random decks alone; the best mu of all play again with the new ones."""

    def _offspring(self, random: Random) -> list[tuple[Array, tuple[int, int]]]:
        return [self._random(random) for _ in range(self.search.lam)]


class DeckMapElites(MuLambda):
    """MAP-Elites (Mouret and Clune 2015): the best deck of each cell of a map of two features.

    Parents are drawn from all elites. A new deck whose cell is taken challenges its elite: both
    play the same deals, and the better one stays.
    """

    def __init__(self, plan: Plan, book: Book, start: Sequence[Array]) -> None:
        super().__init__(plan, book, start)
        search = plan.search
        ends = search.ranges or tuple(AXES[name].ends for name in search.features)
        self.archive = Archive(search.cells, ends, lambda numbers: np.stack(
            [book.features[name][numbers] for name in search.features], axis=1))

    @property
    def stay(self) -> Array:
        """The elites, best first."""
        elites = self.archive.elites
        return self.book.best(elites, len(elites))

    def repeats(self, new: Array) -> Array:
        """Return the elites whose cells the new decks are in."""
        return self.archive.challenged(new)

    def tell(self, new: Array, number: int) -> None:
        """Put the new decks on the map; split its cells again if it is time.

        Then, decks that never met the same deals are compared by all their games.
        """
        compare = self.search.compare
        self.archive.add(new, self._better(compare))
        if self.search.boundaries == "sliding" and not (number + 1) % self.search.remap:
            everyone = np.arange(len(self.book))
            self.archive.part(everyone, self._better("mean" if compare == "paired" else compare))

    def _better(self, compare: str) -> Callable[[Array], int]:
        """Return a function that chooses the best of decks; of equal decks, the first named."""
        return lambda rivals: int(self.book.best(rivals, 1, compare)[0])

    def _parent(self, k: int, random: Random) -> int:
        return self._any(random)

    def _any(self, random: Random) -> int:
        elites = self.archive.elites
        return int(elites[random.randrange(len(elites))])

    def _base(self, offspring: Sequence[tuple[Array, tuple[int, int]]]) -> Array:
        """Return the fitness of each offspring's parent: a map only accepts improvements."""
        return self.book.fitness(np.array([parents[0] for _, parents in offspring]))
