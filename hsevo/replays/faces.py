"""All cards of a ruleset as the page draws them: numbers, kind, class, rarity, hsevo's own text.

The same for every game, so it tells nothing of any.
"""

from __future__ import annotations

import functools
from typing import Any

from hsevo.cards import browse
from hsevo.cards.catalogue import classes
from hsevo.cards.decks import most_copies
from hsevo.cards.tables import cards, find_ruleset, sets
from hsevo.cards.terms import Kind
from hsevo.cards.vocabulary.model import Card
from hsevo.cards.wording.phrases import RACES
from hsevo.cards.wording.text import text
from hsevo.play.placing import KEYWORDS

BODIES = (Kind.MINION, Kind.WEAPON)


@functools.cache
def faces(ruleset: str) -> dict[str, dict[str, Any]]:
    """Return each card by its id: name, cost, kind, class, rarity, text and so on."""
    return {card.id: _face(card, ruleset) for card in cards(ruleset).values()}


def _face(card: Card, ruleset: str) -> dict[str, Any]:
    face: dict[str, Any] = {
        "name": card.name, "cost": card.cost, "kind": card.kind.name.lower(),
        "class": card.cls.name.lower(), "whose": browse.whose(card),
        "rarity": card.rarity.name.lower() if card.rarity else "",
        "text": text(cards(ruleset), card.id), "triggers": bool(card.triggers)}
    if card.kind in BODIES:
        face |= {"attack": card.attack, "health": card.health}
    if card.race:
        face["race"] = RACES[card.race]
    if words := [word for word, bit in KEYWORDS.items() if card.keywords & bit]:
        face["words"] = words
    if card.secret:
        face["secret"] = True
    return face | _in_decks(card, ruleset)


def _in_decks(card: Card, ruleset: str) -> dict[str, Any]:
    """Return what counts when decks are built; nothing if none can hold it."""
    if not (most := most_copies(card)):
        return {}
    where = sets()[card.id]
    return {"for": [cls.name.lower() for cls in classes(card)], "most": most,
            "set": browse.set_title(where), "standard": where in find_ruleset(ruleset).sets}
