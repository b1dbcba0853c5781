"""The cards that decks may be built of, decks as numbers of copies, and decks drawn at random.

    DeckPool.of("mage", sets=["classic"], collection="mine.csv", ban=["2x Fireball"])
    pool.counts(deck) --> int64 (q,)     pool.deck(counts, name) --> Deck

Who searches for decks changes counts alone: within `least` and `most`, with sum 30, every one of
them is a legal deck.

`DeckDraws` draws another deck for each game:

    draws = DeckDraws(DeckShares(human=0.6, changed={"share": 0.2}, drawn=0.2))
    draws.decks((7,), 1000)                   1,000 decks of the known human lists, and the rest
    draws.decks((7,), 1000, "held-out")       the same, from the lists that are held out

A deck depends on the key, its number and the shares alone, so whoever draws it, it is the same.
A class is drawn first, each as often as the others, then a list of it. A *changed* list is a human
one in which some cards were taken out and others drawn from all that its class may play; a *drawn*
one is drawn so as a whole. Of what a class may play, each copy of a class card is drawn four times
as often as one of a neutral card, so that drawn lists have about as many of either.
"""

from __future__ import annotations

import csv
import functools
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards import browse, tables
from hsevo.cards.database import NEWEST, DeckDatabase
from hsevo.cards.decks import SIZE, Deck, card_id, class_of, copies
from hsevo.cards.pools import classes
from hsevo.cards.tables import cards, ids, index
from hsevo.cards.terms import Class, Rarity, Set
from hsevo.cards.unseen import left_out, mask, unseen
from hsevo.cards.vocabulary.model import Card
from hsevo.config.learning import DeckShares
from hsevo.errors import DeckError, names_or_count, quoted
from hsevo.files import read_text
from hsevo.seeds import Stream, derive
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
        required, banned = _counted(keep, "keep"), _counted(ban, "ban")
        _refuse(own, most, required, banned)
        most = {id: n for id, n in most.items() if n and id not in banned}
        pool = cls(own.name, tuple(card for card in cards if card.id in most),
                   np.array([required[id] for id in most], np.int64),
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
        return Deck.of(name, self.hero, tuple(self.cards[i].id for i in ids))

    def counts(self, deck: Deck) -> Array:
        """Return how often a deck has each card, (q,). Raises DeckError if it may not be built."""
        if deck.hero_class != self.hero:
            raise DeckError(f"'{deck.name}' is a {deck.hero_class.lower()} deck, but must be a"
                            f" {self.hero.lower()} deck")
        had = Counter(deck.ids)
        number = {card.id: i for i, card in enumerate(self.cards)}
        counts = np.zeros(len(self.cards), np.int64)
        for id, n in had.items():
            if n > (self.most[number[id]] if id in number else 0):
                raise DeckError(f"deck '{deck.name}' has {n}x {tables.every_card()[id].name}, but"
                                " the pool allows fewer copies")
            counts[number[id]] = n
        if len(deck.ids) != SIZE or (lacking := np.flatnonzero(counts < self.least)).size:
            what = (f"{len(deck.ids)} cards" if len(deck.ids) != SIZE else
                    f"too few copies of {self.cards[lacking[0]].name}")
            raise DeckError(f"deck '{deck.name}' has {what}, so it can't be built from this pool")
        return counts


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
    counter: Counter[str] = Counter()
    for line in lines:
        try:
            name, n = copies(" ".join(line.split()))
            counter[card_id(name)] += n
        except DeckError as error:
            raise DeckError(f"{where}: {error}") from None
    return counter


def _sets(names: Sequence[str]) -> set[Set]:
    return {card_set for name in names if (card_set := browse.one_of(Set, name, "set")) is not None}


def _refuse(own: Class, most: Mapping[str, int], required: Counter[str],
            banned: Counter[str]) -> None:
    """Raise DeckError for a required card that is not allowed so often, or a ban without effect."""
    known = tables.every_card()
    for id, n in required.items():
        if id in banned:
            raise DeckError(f"{known[id].name} is in both keep and ban; remove it from one")
        if n > most.get(id, 0):
            raise DeckError(f"keep has {n}x {known[id].name}, but a {own.name.lower()} deck may"
                            f" have {most.get(id, 0)}")
    if required.total() > SIZE:
        raise DeckError(f"keep has {required.total()} cards, but a deck has {SIZE}")
    if needless := [known[id].name for id in banned if id not in most]:
        raise DeckError(f"ban has {names_or_count(map(quoted, needless), 'cards')}, which no deck"
                        f" of a {own.name.lower()} has here anyway")


Uniform: TypeAlias = npt.NDArray[np.float64]

HALF = SIZE // 2
NINE = tuple(cls for cls in Class if cls is not Class.NEUTRAL)
HUMAN, CHANGED, DRAWN, FILES = range(4)
_KIND, _CLASS, _LIST, _OUT, _IN = range(5)  # purposes of a deck's random numbers


class Copies(NamedTuple):
    """All that a deck of a class may hold: copies (q,) of cards, each once."""

    card: Array  # table indices
    number: Array  # 0: the first copy; 1: the second
    own: npt.NDArray[np.bool_]  # of a class card

    def without(self, out: npt.NDArray[np.bool_]) -> Copies:
        """Return these without some cards; out: which, by table index."""
        left = ~out[self.card]
        return Copies(self.card[left], self.number[left], self.own[left])


class DeckDraws:
    """Decks by shares, see above. Raises DeckError, CardError for an unknown class or split."""

    def __init__(self, shares: DeckShares, ruleset: str = "cig2018",
                 files: Sequence[Deck] = ()) -> None:
        """files: the decks of `shares.files`, read."""
        self.shares, self.ruleset, self.files = shares, ruleset, tuple(files)
        self.classes = [*dict.fromkeys(map(class_of, shares.classes))] or [*NINE]
        out = left_out(shares.without, ruleset) if shares.without else frozenset()
        _refuse_files(self.files, out, shares.without, ruleset)
        self.out = mask(out, ruleset)  # the cards that no deck may have
        self._until = np.cumsum(shares.parts) / sum(shares.parts)

    def decks(self, key: Sequence[int], n: int, side: str = "known") -> tuple[Deck, ...]:
        """Return n decks. side: whose human lists, "known" or "held-out"."""
        return self.numbered(key, np.arange(n), side)

    def numbered(self, key: Sequence[int], number: Array, side: str = "known") -> tuple[Deck, ...]:
        """Return the decks of a key with these numbers, whole ones (n,)."""
        kind = np.searchsorted(self._until, uniform(key, number, _KIND), "right")
        cls = np.array(self.classes)[_below(len(self.classes), key, number, _CLASS)]
        drawn: list[Deck | None] = [None] * len(number)
        for i in np.flatnonzero(kind == FILES):
            drawn[i] = self.files[_below(len(self.files), key, number[i:i + 1], _LIST)[0]]
        for hero_class in self.classes:
            places = np.flatnonzero((kind != FILES) & (cls == hero_class))
            decks = self._of_class(hero_class, number[places], kind[places], key, side)
            for i, deck in zip(places, decks, strict=True):
                drawn[i] = deck
        return tuple(deck for deck in drawn if deck)

    def examples(self, side: str = "known") -> tuple[Deck, ...]:
        """Return a deck of each class that may be drawn, and those of files."""
        lists = []
        if sum(self.shares.parts[:3]):
            kind, number = np.array([HUMAN, CHANGED, DRAWN]), np.arange(3)
            wanted = np.array(self.shares.parts[:3]) > 0
            lists = [self._of_class(cls, number[wanted], kind[wanted], (0,), side)[0]
                     for cls in self.classes]
        return (*lists, *(self.files if self.shares.files.share else ()))

    def _of_class(self, cls: Class, number: Array, kind: npt.NDArray[np.int64],
                  key: Sequence[int], side: str) -> list[Deck]:
        """Return the decks of a class with these numbers and kinds (m,)."""
        lists, called = known_lists(cls, side, self.ruleset)
        row = _below(len(lists), key, number, _LIST)
        decks, names = lists[row].astype(np.int64), called[row]
        out = self.out[decks].sum(axis=1)
        take = np.select([kind == CHANGED, kind == DRAWN],
                         [out + self.shares.changed.cards, SIZE], out)
        allowed = class_copies(cls, self.ruleset).without(self.out)
        for k in {*take.tolist()} - {0}:
            here = take == k
            decks[here] = changed(decks[here], min(k, SIZE), allowed, key, number[here],
                                  self.out if self.out.any() else None)
        numbered = np.array(ids(self.ruleset), object)
        return [Deck.of(f"drawn {i}" if of == DRAWN else f"{name} changed" if k else name,
                        cls.name, tuple(deck)) for i, of, deck, name, k in
                zip(number, kind, numbered[decks].tolist(), names, take, strict=True)]


def _refuse_files(files: Sequence[Deck], out: frozenset[str], split: str | None,
                  ruleset: str) -> None:
    """Raise DeckError for a deck file that has a card left out, or that is a held-out list."""
    held = {*DeckDatabase.load(NEWEST).split("held-out").facts["deck"]} if files else set()
    for deck in files:
        if wrong := [card for card in deck.ids if card in out]:
            raise DeckError(f"decks.without is {split}, but deck '{deck.name}' of decks.files has"
                            f" {cards(ruleset)[wrong[0]].name}, which this split leaves out; remove"
                            " the deck")
        if deck.name in held:
            raise DeckError(f"deck '{deck.name}' of decks.files is held out for testing; choose"
                            " another deck")


def changed(decks: Array, k: int, allowed: Copies, key: Sequence[int], number: Array,
            first: npt.NDArray[np.bool_] | None = None) -> Array:
    """Return decks (m, 30) in which k cards were taken out and k others of `allowed` put in.

    What is taken out may come in again. number: of each deck (m,), for its random numbers. first:
    which cards, by table index, are taken out before all others. Raises DeckError if too few are
    allowed for a legal deck.
    """
    order = uniform(key, number[:, None], _OUT, np.arange(SIZE))
    out = np.argsort(order if first is None else order - first[decks], axis=1, kind="stable")
    remaining = np.take_along_axis(decks, out[:, k:], axis=1)
    counts = np.zeros((len(decks), max(allowed.card.max(), decks.max(initial=0)) + 1), np.int64)
    np.add.at(counts, (np.arange(len(decks))[:, None], remaining), 1)
    order = uniform(key, number[:, None], _IN, np.arange(len(allowed.card)))
    # The smallest of four uniform numbers, with the square roots that are the same everywhere.
    order[:, allowed.own] = 1.0 - np.sqrt(np.sqrt(order[:, allowed.own]))
    order[allowed.number < counts[:, allowed.card]] = 2.0  # such a copy is in the deck already
    if (left := int((order < 2.0).sum(axis=1).min(initial=k))) < k:
        raise DeckError(f"a deck needs {k} other cards, but only {left} are allowed; change fewer"
                        " cards or choose another split")
    new = allowed.card[np.argsort(order, axis=1, kind="stable")[:, :k]]
    return np.sort(np.concatenate([remaining, new], axis=1), axis=1)


def uniform(key: Sequence[int], *columns: npt.ArrayLike) -> Uniform:
    """Return numbers from 0 to 1, less than 1, for a key and columns, as `seeds.derive` takes."""
    drawn: Uniform = (derive(key, *map(np.asarray, columns)) >> np.uint64(11)) / 2.0**53
    return drawn


def _below(n: int, key: Sequence[int], number: Array, what: int) -> Array:
    return (uniform(key, number, what) * n).astype(np.int64)


@functools.cache
def known_lists(cls: Class, side: str, ruleset: str = "cig2018"
                ) -> tuple[Array, npt.NDArray[np.object_]]:
    """Return the human lists of a class on a side: table indices (m, 30), and their names (m,).

    They are those that consist of cards of a ruleset. Raises DeckError if there is none.
    """
    lists = DeckDatabase.load(ruleset).of_class(cls).split(side)
    return lists.decks, lists.facts["deck"].to_numpy(object)


@functools.cache
def class_copies(cls: Class, ruleset: str = "cig2018") -> Copies:
    """Return what a deck of a class may hold: all collectible cards, legendary ones once."""
    numbers = index(ruleset)
    rows = [(numbers[card.id], copy, card.cls is not Class.NEUTRAL or bool(card.group))
            for card in cards(ruleset).values()
            if card.collectible and {cls, Class.NEUTRAL} & {*classes(card)}
            for copy in range(1 if card.rarity is Rarity.LEGENDARY else 2)]
    card, number, own = np.array(rows, np.int64).T
    return Copies(card, number, own.astype(bool))


def unseen_lists(split: str, n: int, ruleset: str = "cig2018", seed: int = 2026
                 ) -> tuple[Deck, ...]:
    """Return n decks of each class, at least half of whose cards are of a split.

    They are human lists that are held out, in which HALF cards, seen ones first, gave way to
    unseen ones. Raises CardError; DeckError if a class has no so many lists.
    """
    hidden, lists = mask(unseen(split), ruleset), []
    for cls in NINE:
        known, _ = known_lists(cls, "held-out", ruleset)
        if len(known) < n:
            raise DeckError(f"there are {len(known)} human lists of a {cls.name.lower()} that are"
                            f" held out, not {n:,}; use fewer")
        key = (seed, Stream.UNSEEN, int(cls))
        number = np.argsort(derive(key, np.arange(len(known))))[:n]
        decks = changed(known[number].astype(np.int64), HALF,
                        class_copies(cls, ruleset).without(~hidden), key, number, first=~hidden)
        lists += [Deck.of(f"{split} {cls.name.lower()} {i}", cls.name, tuple(
            np.array(ids(ruleset), object)[deck])) for i, deck in enumerate(decks, start=1)]
    return tuple(lists)
