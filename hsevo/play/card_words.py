"""Cards by the words that people write: names or ids."""

from __future__ import annotations

import functools

import numpy as np

from hsevo.cards.decks import plain
from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, ids, index, tables
from hsevo.cards.terms import Kind
from hsevo.errors import CardError, did_you_mean, quoted

HOLDABLE = (Kind.MINION, Kind.SPELL, Kind.WEAPON, Kind.HERO)


class Cards:
    """The cards of a ruleset by their names, numbers and ids, and the words for keywords."""

    def __init__(self, ruleset: str) -> None:
        self.known, self.numbers, self.tables = cards(ruleset), index(ruleset), tables(ruleset)
        self.table, self._ids = np.asarray(self.tables["card"]), ids(ruleset)
        self._named: dict[str, list[str]] = {}
        for id, card in sorted(self.known.items(), key=lambda entry: not entry[1].collectible):
            self._named.setdefault(plain(card.name), []).append(id)

    def id(self, word: str, where: str, *kinds: Kind) -> str:
        """Return the id of a card by its id or name, of some kinds. Raises CardError.

        Of several cards of one name, that which decks can hold is meant, or the first.
        """
        candidates = [word] if word in self.known else self._named.get(plain(word), [])
        fit = [id for id in candidates if not kinds or self.known[id].kind in kinds]
        if kinds == HOLDABLE:  # of heroes, those that are played
            fit = [id for id in fit if self.known[id].kind is not Kind.HERO or self.known[id].power]
        if fit:
            return fit[0]
        if candidates:
            wanted = " or ".join(kind.name.lower() for kind in kinds)
            raise CardError(f"{where}: {self.known[candidates[0]].name} is no {wanted}")
        names = [card.name for card in self.known.values()]
        raise CardError(f"{where}: no card {quoted(word)}{did_you_mean(word, names)}")

    def number(self, word: str, where: str, *kinds: Kind) -> int:
        """Return the table index of a card, as `id`."""
        return self.numbers[self.id(word, where, *kinds)]

    def does(self, number: int, op: Op) -> bool:
        """Return whether a card's text, when it is played, has an operation."""
        return any(row.op is op for row in self.known[self._ids[number]].play)

    def word(self, number: int) -> str:
        """Return what names a card: its name, or its id where another card has that name."""
        id = self._ids[number]
        card = self.known[id]
        alone = {self.id(card.name, ""), self.id(card.name, "", card.kind)} == {id}
        return card.name if alone else id


@functools.lru_cache(maxsize=8)
def cards_of(ruleset: str) -> Cards:
    """Return the cards of a ruleset."""
    return Cards(ruleset)
