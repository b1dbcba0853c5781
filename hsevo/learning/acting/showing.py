"""What policies are shown of the opponent's deck, which no fair player sees.

    lists_shown(players, who, decks, peeks, ruleset)      int16 (n, 2, DECK), for an observation

`known` shows the list. `peek` is the cheat of section IV-H of Xiao and others (2023): the first n
cards that the opponent chose, n drawn for each game; of a deck that nobody built, the first of its
list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hsevo.cards.decks import LARGEST, Deck
from hsevo.engine.record.state import DECK
from hsevo.learning.acting.drafts import Decks
from hsevo.learning.acting.shapes import HIDDEN, KNOWN
from hsevo.learning.slots import deck_lists
from hsevo.types import Array


def lists_shown(players: Sequence[Any], who: Array, decks: Decks, peeks: Array,
                ruleset: str) -> Array | None:
    """Return what each seat is shown of the other's deck, int16 (n, 2, DECK); None for nothing.

    who (n, 2): which player has which seat. peeks (n, 2): how many cards a seat sees if it peeks.
    """
    shown = np.array([getattr(player, "shown", HIDDEN) for player in players])[who]
    if (shown == HIDDEN).all():
        return None
    counts = np.where(shown == HIDDEN, 0, np.where(shown == KNOWN, LARGEST, peeks))
    seen = tuple(first_cards(pair[1 - seat], int(counts[k, seat]))
                 for k, pair in enumerate(decks) for seat in range(2))
    return deck_lists(seen, ruleset).reshape(len(decks), 2, DECK)


def first_cards(deck: Deck, n: int) -> Deck:
    """Return the first n cards of a deck, as a deck that may be empty."""
    return Deck.of(deck.name, deck.hero_class, deck.ids[:n])
