"""Features of decks: the axes of a map, by their names in a config.

Some are known from the list alone. Those of games (play/behaviour.py) are of a deck's first
generation of games, so that it stays in its cell however often it plays again.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hsevo.cards import tables
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import SIZE
from hsevo.cards.terms import Class, Kind, Rarity, Set
from hsevo.cards.vocabulary.model import Card
from hsevo.play import behaviour
from hsevo.play.behaviour import Axis
from hsevo.types import Array

DUST = {Rarity.COMMON: 40, Rarity.RARE: 100, Rarity.EPIC: 400, Rarity.LEGENDARY: 1600}
PLAYED = tuple(behaviour.AXES)
WATCHED = tuple(name for name in PLAYED if name not in behaviour.COUNTED)

LISTED = {
    "mana": Axis("sum of mana costs", (30, 165)),  # as Fontaine et al. (2019) have it
    "mana-variance": Axis("variance of mana costs", (1, 9)),
    "minions": Axis("share of minions", (0, 1)),
    "class-cards": Axis("share of class cards", (0, 1)),
    "dust": Axis("dust to craft it", (0, 16_000)),
}
AXES = LISTED | behaviour.AXES


def static(pool: DeckPool, counts: npt.NDArray[np.int64]) -> dict[str, Array]:
    """Return the features of decks (n, q) that their lists have, each (n,)."""
    costs = pool.costs.astype(np.float64)
    mean = counts @ costs / SIZE
    return {"mana": counts @ costs, "mana-variance": counts @ costs**2 / SIZE - mean**2,
            "minions": counts @ _of(pool, lambda card: card.kind is Kind.MINION) / SIZE,
            "class-cards": counts @ _of(pool, lambda card: card.cls is not Class.NEUTRAL
                                        or card.group is not None) / SIZE,
            "dust": counts @ _of(pool, dust)}


def dust(card: Card) -> int:
    """Return what it costs to craft a card, in dust; those of the Basic set are free."""
    return 0 if tables.sets()[card.id] is Set.BASIC else DUST.get(card.rarity, 0)


def _of(pool: DeckPool, value: Callable[[Card], float]) -> Array:
    return np.array([value(card) for card in pool.cards], np.float64)
