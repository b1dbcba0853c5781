"""The cards that decks may be built of, and decks as numbers of copies of them.

    DeckPool.of("mage", sets=["classic"], collection="mine.csv", ban=["2x Fireball"])
    pool.counts(deck) --> int64 (q,)     pool.deck(counts, name) --> Deck

Who searches for decks changes counts alone: within `least` and `most`, with sum 30, every one of
them is a legal deck.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hsevo.cards import browse, tables
from hsevo.cards.decks import SIZE, Deck, card_id, class_of, copies
from hsevo.cards.pools import classes
from hsevo.cards.terms import Class, Rarity, Set
from hsevo.cards.vocabulary.model import Card
from hsevo.errors import DeckError, names_or_count, quoted
from hsevo.files import read_text
from hsevo.types import Array

LARGEST_COLLECTION = 2**20  # bytes of its file


@dataclass(frozen=True, eq=False)
class DeckPool:
    """The q cards that decks of a class may hold, cheapest first, and how often each.

    least: copies that every deck has; most: at most so many. Both (q,).
    """

    hero: str  # as in Deck: "MAGE"
    cards: tuple[Card, ...]
    least: Array
    most: Array

    @classmethod
    def of(cls, hero: str, ruleset: str = "cig2018", *, sets: Sequence[str] = (),
           collection: str | Path | None = None, keep: Iterable[str] = (),
           ban: Iterable[str] = ()) -> DeckPool:
        """Return the pool of a class. Raises DeckError, CardError, one line.

        sets: their names; (): all. collection: a file of what one has: lines "2x Fireball" as in a
        deck file, or a CSV with the columns card and copies. keep: cards that every deck has,
        "2x Fireball". ban: cards that no deck has.
        """
        own = class_of(hero)
        where = _sets(sets)
        cards = [card for card in tables.cards(ruleset).values() if card.collectible
                 and {own, Class.NEUTRAL} & {*classes(card)}
                 and tables.is_legal(card.id, ruleset)
                 and (not where or tables.sets()[card.id] in where)]
        cards.sort(key=lambda card: (card.cost, card.name))
        most = {card.id: 1 if card.rarity is Rarity.LEGENDARY else 2 for card in cards}
        if collection is not None:
            owned = read_collection(Path(collection))
            most = {id: min(n, owned[id]) for id, n in most.items()}
        kept, banned = _counted(keep, "keep"), _counted(ban, "ban")
        _refuse(own, most, kept, banned)
        most = {id: n for id, n in most.items() if n and id not in banned}
        pool = cls(own.name, tuple(card for card in cards if card.id in most),
                   np.array([kept[id] for id in most], np.int64),
                   np.array([*most.values()], np.int64))
        if (legal := int(pool.most.sum())) < SIZE:
            raise DeckError(f"a deck has {SIZE} cards, and a {own.name.lower()} may take"
                            f" {legal} here; allow more sets, cards or copies")
        return pool

    @property
    def costs(self) -> Array:
        """The mana cost of each card, (q,)."""
        return np.array([card.cost for card in self.cards], np.int64)

    def deck(self, counts: Array, name: str) -> Deck:
        """Return a deck by how often it has each card, (q,)."""
        ids = np.repeat(np.arange(len(self.cards)), counts)
        return Deck(name, self.hero, tuple(self.cards[i].id for i in ids))

    def counts(self, deck: Deck) -> Array:
        """Return how often a deck has each card, (q,). Raises DeckError if it may not be built."""
        if deck.hero != self.hero:
            raise DeckError(f"'{deck.name}' is a {deck.hero.lower()} deck, and these are decks of a"
                            f" {self.hero.lower()}")
        had = Counter(deck.cards)
        number = {card.id: i for i, card in enumerate(self.cards)}
        found = np.zeros(len(self.cards), np.int64)
        for id, n in had.items():
            if n > (self.most[number[id]] if id in number else 0):
                raise DeckError(f"deck '{deck.name}' has {n}x {tables.every_card()[id].name}, which"
                                " is more than the pool allows")
            found[number[id]] = n
        if len(deck.cards) != SIZE or (lacking := np.flatnonzero(found < self.least)).size:
            what = (f"{len(deck.cards)} cards" if len(deck.cards) != SIZE else
                    f"too few copies of {self.cards[lacking[0]].name}")
            raise DeckError(f"deck '{deck.name}' has {what}, and can't be built of this pool")
        return found


def read_collection(path: Path) -> Counter[str]:
    """Return the copies that one has of each card, by id. Raises DeckError, one line.

    The file has a card a line, "2x Fireball", or is a CSV with the columns card and copies.
    """
    text = read_text(path, LARGEST_COLLECTION, DeckError, "utf-8-sig")
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if lines and [cell.strip() for cell in lines[0].split(",")][:2] == ["card", "copies"]:
        rows = csv.DictReader(io.StringIO("\n".join(filter(None, lines))))
        lines = [f"{row['copies']}x {row['card']}" for row in rows if row["copies"] != "0"]
    owned = _counted(filter(None, lines), str(path))
    if not owned:
        raise DeckError(f"{path} has no card; a collection has lines such as '2x Fireball'")
    return owned


def _counted(lines: Iterable[str], where: str) -> Counter[str]:
    """Return the copies in lines such as "2x Fireball", by card id. Raises DeckError."""
    found: Counter[str] = Counter()
    for line in lines:
        try:
            name, n = copies(" ".join(line.split()))
            found[card_id(name)] += n
        except DeckError as error:
            raise DeckError(f"{where}: {error}") from None
    return found


def _sets(names: Sequence[str]) -> set[Set]:
    return {found for name in names if (found := browse.one_of(Set, name, "set")) is not None}


def _refuse(own: Class, most: Mapping[str, int], kept: Counter[str], banned: Counter[str]) -> None:
    """Raise DeckError for a card that is kept and may not be, or too often; or banned for nothing.
    """
    known = tables.every_card()
    for id, n in kept.items():
        if id in banned:
            raise DeckError(f"{known[id].name} is both kept and banned")
        if n > most.get(id, 0):
            raise DeckError(f"keep has {n}x {known[id].name}, and a {own.name.lower()} may take"
                            f" {most.get(id, 0)} here")
    if kept.total() > SIZE:
        raise DeckError(f"keep has {kept.total()} cards, and a deck has {SIZE}")
    if other := [known[id].name for id in banned if id not in most]:
        raise DeckError(f"ban has {names_or_count(map(quoted, other), 'cards')}, which no deck"
                        f" of a {own.name.lower()} has here anyway")
