"""Operators on decks as counts of cards: a random deck, a mutant, a child of two.

Every result is legal: within the pool's `least` and `most`, with 30 cards. A mutation replaces k
cards with probability 0.5^k, by cards of equal probability (Fontaine et al., "Mapping Hearthstone
deck spaces through MAP-Elites with sliding boundaries", 2019); they may be restricted to cards of
similar cost (García-Sánchez et al., 2018).
"""

from __future__ import annotations

from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import SIZE
from hsevo.config.deckbuilding import SearchSettings
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


def child_of(pool: DeckPool, one: Array, other: Array, random: Random) -> Array:
    """Return a deck of what two decks share, and of copies drawn from what either has besides.

    A multiset's crossover: no card is there more often than in one of the parents.
    """
    child = np.minimum(one, other)
    rest = np.repeat(np.arange(len(one)), one + other - 2 * child)
    for i in random.sample(range(len(rest)), SIZE - int(child.sum())):
        child[rest[i]] += 1
    return child


def _replacements(pool: DeckPool, child: Array, card: int, out: list[int],
                  mana: int | None) -> Mask:
    """Return which cards may come for one: not those taken out, of similar cost, if there are any.
    """
    room = child < pool.most
    other = room.copy()
    other[out] = False
    near = other
    if mana is not None:
        near = other & (np.abs(pool.costs - pool.cards[card].cost) <= mana)
    return next(found for found in (near, other, room) if found.any())


def _one_of(which: Mask, random: Random) -> int:
    numbers = np.flatnonzero(which)
    return int(numbers[random.randrange(len(numbers))])
