"""The cards that a network builds decks of, and how many of them random-CB draws.

    pool = card_pool("cig2018")
    deck = pool.deck(Class.MAGE, picks)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from hsevo.cards import tables
from hsevo.cards.catalogue import classes, collectible
from hsevo.cards.decks import Deck
from hsevo.cards.sets import heroes
from hsevo.cards.terms import Class, Rarity
from hsevo.learning import vocabulary
from hsevo.types import Array

# Random-CB: how many cards of a deck are drawn uniformly, and with what chance (section IV-D).
RANDOM_CARDS, RANDOM_CHANCES = (0, 1, 2, 4), (0.5, 0.25, 0.125, 0.125)


@dataclass(frozen=True, eq=False)
class CardPool:
    """The cards that decks of a ruleset can have.

    ids (k,). numbers: in the vocabulary, (k,). most: copies that a deck of a class may have,
    (10, k). heroes: the vocabulary's number of each class's hero, (10,).
    """

    ids: tuple[str, ...]
    numbers: Array
    most: Array
    heroes: Array

    def deck(self, hero: int, picks: Array) -> Deck:
        """Return the deck of a class with these cards, (30,)."""
        return Deck.of("built", Class(hero).name, tuple(self.ids[k] for k in picks))


@functools.cache
def card_pool(ruleset: str) -> CardPool:
    """Return the Standard cards of a ruleset. Raises CardError if there is no such ruleset."""
    rules, where, known = tables.find_ruleset(ruleset), tables.sets(), tables.cards(ruleset)
    ids = tuple(id for id in collectible() if id in known and where[id] in rules.sets)
    number = dict(zip(tables.ids(ruleset), vocabulary.rows(ruleset).tolist(), strict=False))
    most = np.zeros((len(Class), len(ids)), np.int64)
    for k, id in enumerate(ids):
        owners = classes(known[id])
        copies = 1 if known[id].rarity is Rarity.LEGENDARY else 2
        most[list(Class) if Class.NEUTRAL in owners else list(owners), k] = copies
    own = [number[heroes.BY_CLASS[owner][0]] if owner in heroes.BY_CLASS else 0 for owner in Class]
    return CardPool(ids, np.array([number[id] for id in ids]), most, np.array(own))


def random_cards(draws: Array) -> Array:
    """Return how many cards of decks are drawn uniformly, from draws (n,) in [0, 1)."""
    bounds = np.cumsum(RANDOM_CHANCES)
    counts: Array = np.array(RANDOM_CARDS)[np.searchsorted(bounds, draws, side="right")]
    return counts
