"""Decks drawn at random, for who plays another deck in each game.

    draws = DeckDraws(DeckShares(human=0.6, changed={"share": 0.2}, drawn=0.2))
    draws.decks((7,), 1000)                   1,000 decks of the known human lists, and the rest
    draws.decks((7,), 1000, "held-out")       the same, from the lists that are held out

A deck depends on the key, its number and the shares alone, so whoever draws it, it is the same.
A class is drawn first, each as often as the others, then a list of it. A *changed* list is a human
one in which some cards were taken out and others drawn from all that its class may play; a *drawn*
one is drawn so as a whole. Of what a class may play, each copy of a class card is drawn CLASS_CARD
times as often as one of a neutral card, so that drawn lists have about as many of either.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import SIZE, Deck, class_of
from hsevo.cards.pools import classes
from hsevo.cards.tables import cards, ids, index
from hsevo.cards.terms import Class, Rarity
from hsevo.config.learning import DeckShares
from hsevo.seeds import derive

Array: TypeAlias = npt.NDArray[np.int64]
Uniform: TypeAlias = npt.NDArray[np.float64]

CLASS_CARD = 4
NINE = tuple(cls for cls in Class if cls is not Class.NEUTRAL)
HUMAN, CHANGED, DRAWN, FILES = range(4)
_KIND, _CLASS, _LIST, _OUT, _IN = range(5)  # what random numbers of a deck are for


class Copies(NamedTuple):
    """All that a deck of a class may hold: copies (q,) of cards, each once."""

    card: Array  # table indices
    number: Array  # 0: the first copy; 1: the second
    own: npt.NDArray[np.bool_]  # of a class card


class DeckDraws:
    """Decks by shares, see above. Raises DeckError for a class that is none."""

    def __init__(self, shares: DeckShares, ruleset: str = "cig2018",
                 files: Sequence[Deck] = ()) -> None:
        """files: the decks of `shares.files`, read."""
        self.shares, self.ruleset, self.files = shares, ruleset, tuple(files)
        self.classes = [class_of(name) for name in shares.classes] or [*NINE]
        self._until = np.cumsum(shares.parts) / sum(shares.parts)

    def decks(self, key: Sequence[int], n: int, side: str = "known") -> tuple[Deck, ...]:
        """Return n decks. side: whose human lists, "known" or "held-out"."""
        number = np.arange(n)
        kind = np.searchsorted(self._until, uniform(key, number, _KIND), "right")
        cls = np.array(self.classes)[_below(len(self.classes), key, number, _CLASS)]
        found: list[Deck | None] = [None] * n
        for i in np.flatnonzero(kind == FILES):
            found[i] = self.files[_below(len(self.files), key, number[i:i + 1], _LIST)[0]]
        for one in self.classes:
            self._add(found, number[(kind != FILES) & (cls == one)], kind, one, key, side)
        return tuple(deck for deck in found if deck)

    def _add(self, found: list[Deck | None], number: Array, kind: npt.NDArray[np.int64], cls: Class,
             key: Sequence[int], side: str) -> None:
        """Add the decks of a class with these numbers (m,) to those found."""
        lists, called = known_lists(cls, side)
        row = _below(len(lists), key, number, _LIST)
        decks, names = lists[row].astype(np.int64), called[row]
        for what, take in ((CHANGED, self.shares.changed.cards), (DRAWN, SIZE)):
            here = kind[number] == what
            decks[here] = changed(decks[here], take, copies(cls, self.ruleset), key, number[here])
        numbered = np.array(ids(self.ruleset), object)
        for i, deck, name in zip(number, numbered[decks].tolist(), names, strict=True):
            word = {HUMAN: name, CHANGED: f"{name} changed"}.get(kind[i], f"drawn {i}")
            found[i] = Deck(word, cls.name, tuple(deck))


def changed(decks: Array, k: int, allowed: Copies, key: Sequence[int], number: Array) -> Array:
    """Return decks (m, 30) in which k cards were taken out and k others of `allowed` put in.

    What is taken out may come in again. number: of each deck (m,), for its random numbers.
    """
    out = np.argsort(uniform(key, number[:, None], _OUT, np.arange(SIZE)), axis=1, kind="stable")
    kept = np.take_along_axis(decks, out[:, k:], axis=1)
    counts = np.zeros((len(decks), max(allowed.card.max(), decks.max(initial=0)) + 1), np.int64)
    np.add.at(counts, (np.arange(len(decks))[:, None], kept), 1)
    order = uniform(key, number[:, None], _IN, np.arange(len(allowed.card)))
    # The smallest of four uniform numbers, with the square roots that are the same everywhere.
    order[:, allowed.own] = 1.0 - np.sqrt(np.sqrt(order[:, allowed.own]))
    order[allowed.number < counts[:, allowed.card]] = 2.0  # such a copy is in the deck already
    new = allowed.card[np.argsort(order, axis=1, kind="stable")[:, :k]]
    return np.sort(np.concatenate([kept, new], axis=1), axis=1)


def uniform(key: Sequence[int], *columns: npt.ArrayLike) -> Uniform:
    """Return numbers from 0 to 1, less than 1, for a key and columns, as `seeds.derive` takes."""
    drawn: Uniform = (derive(key, *map(np.asarray, columns)) >> np.uint64(11)) / 2.0**53
    return drawn


def _below(n: int, key: Sequence[int], number: Array, what: int) -> Array:
    return (uniform(key, number, what) * n).astype(np.int64)


@functools.cache
def known_lists(cls: Class, side: str) -> tuple[Array, npt.NDArray[np.object_]]:
    """Return the human lists of a class on a side: table indices (m, 30), and their names (m,).

    Raises DeckError if there is none.
    """
    lists = DeckDatabase.load().of_class(cls).split(side)
    return lists.decks, lists.facts["deck"].to_numpy(object)


@functools.cache
def copies(cls: Class, ruleset: str = "cig2018") -> Copies:
    """Return what a deck of a class may hold: all collectible cards, legendary ones once."""
    numbers = index(ruleset)
    rows = [(numbers[card.id], copy, card.cls is not Class.NEUTRAL or bool(card.group))
            for card in cards(ruleset).values()
            if card.collectible and {cls, Class.NEUTRAL} & {*classes(card)}
            for copy in range(1 if card.rarity is Rarity.LEGENDARY else 2)]
    card, number, own = np.array(rows, np.int64).T
    return Copies(card, number, own.astype(bool))
