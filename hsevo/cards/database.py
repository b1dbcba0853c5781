"""Deck databases: which decks of a class there are, for who must guess an opponent's.

    database = DeckDatabase.load()              the human decks that are shipped
    database.of_class("mage").up_to("kara")     those of a class, of a patch and before
    database.split("known")                     and a part that tests of guessing never see

Near-equal decks form groups: decks of a class that have at least NEAR cards in common, and all that
hang together in this way. In each class, groups in the order of the SHA-256 of their names are held
out as long as that holds out at most a fifth of the class's decks. So no deck that is held out has
NEAR cards in common with one that is known.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hsevo.cards import human_decks, own_decks
from hsevo.cards.decks import SIZE, Deck, class_of, refuse_foreign
from hsevo.cards.tables import ids, index, sets
from hsevo.cards.terms import Class, Set
from hsevo.errors import DeckError, did_you_mean, quoted
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd


NEAR = 25  # cards in common, of 30, that make two decks of a class near-equal
BLOCK = 500  # decks that are compared with all at once: 10 MB for 5,000
RULESET = "cig2018"  # whose table indices the decks are; cards of studies alone are in none
HELD_OUT = 0.2  # share of a class's decks, at most
SIDES = ("known", "held-out")


@dataclass(frozen=True, eq=False)
class DeckDatabase:
    """Decks of 30 cards: n lists as arrays for kernels, and what is known of each.

    decks: uint16 (n, 30), table indices of the cards, each row ascending. classes: int16 (n,), as
    `Class`. weights: float64 (n,), > 0, how probable each deck is beforehand, to scale; of the
    human decks, how many records had exactly this list. facts: a row for each deck, among them
    deck (its name), class, archetype, date, patch, group and split.

    >>> from hsevo.cards import DeckDatabase
    >>> DeckDatabase.load().of_class("mage").decks.shape
    (416, 30)
    """

    decks: Array
    classes: Array
    weights: Array
    facts: pd.DataFrame

    @classmethod
    def load(cls) -> DeckDatabase:
        """Return the human decks that are shipped: 4,547 of January 2014 to April 2017."""
        return _shipped()

    @classmethod
    def read(cls, path: str | Path) -> DeckDatabase:
        """Return a database of one's own: a folder of deck files, or a CSV with class and cards.

        Further columns of a CSV that are used: deck, archetype, date, patch, kind, source, and
        weight. Raises DeckError, one line, if there is no deck, or one that is not valid.
        """
        found, facts, weights = own_decks.read(Path(path))
        try:
            return cls.of(found, weights, facts)
        except DeckError as error:
            raise DeckError(f"{path}: {error}") from None

    @classmethod
    def of(cls, decks: Sequence[Deck], weights: Sequence[float] | None = None,
           facts: Sequence[Mapping[str, str]] | None = None) -> DeckDatabase:
        """Return a database of decks, with weights (default: 1 each) and further facts of each.

        Raises DeckError for none, for decks of other sizes, and of cards that only another ruleset
        has.
        """
        import pandas as pd  # takes a third of a second

        if not decks:
            raise DeckError("a deck database needs at least one deck")
        if other := next((deck for deck in decks if len(deck.cards) != SIZE), None):
            raise DeckError(f"the deck {quoted(other.name)} has {len(other.cards)} cards; a deck"
                            f" database has decks of {SIZE} cards")
        refuse_foreign(decks, RULESET)
        rows = _indices([deck.cards for deck in decks])
        classes = np.array([Class[deck.hero] for deck in decks], np.int16)
        table = pd.DataFrame([{"deck": deck.name, "class": deck.hero.title(), **more}
                              for deck, more in zip(decks, facts or len(decks) * [{}],
                                                    strict=True)])
        table["patch"] = [given or newest for given, newest in zip(
            table.get("patch", pd.Series("", table.index)).fillna(""), map(newest_patch, rows),
            strict=True)]
        table["group"] = groups(rows, classes, table["deck"].tolist())
        given = np.ones(len(decks)) if weights is None else np.array(weights, np.float64)
        return _with_split(rows, classes, given, table)

    def of_class(self, cls: str | Class) -> DeckDatabase:
        """Return the decks of a class. Raises DeckError if there is none."""
        wanted = cls if isinstance(cls, Class) else class_of(cls)
        return self._those(self.classes == wanted, f"no deck of the class {wanted.name.title()};"
                           f" it has decks of {', '.join(self.facts['class'].unique())}")

    def up_to(self, patch: str) -> DeckDatabase:
        """Return the decks of a patch and of those before it. Raises DeckError if there is none."""
        allowed = human_decks.up_to(patch)
        return self._those(self.facts["patch"].isin(allowed).to_numpy(),
                           f"no deck of the patch {patch} or before")

    def split(self, side: str) -> DeckDatabase:
        """Return the decks that are "known" or "held-out". Raises DeckError."""
        if side not in SIDES:
            raise DeckError(f"decks are known or held-out, not {quoted(side)}"
                            f"{did_you_mean(side, SIDES)}")
        return self._those((self.facts["split"] == side).to_numpy(), f"no deck that is {side}")

    def where(self, rows: Array) -> DeckDatabase:
        """Return the decks of some rows: a mask, bool (n,), or numbers of rows."""
        return DeckDatabase(self.decks[rows], self.classes[rows], self.weights[rows],
                            self.facts.iloc[np.arange(len(self))[rows]].reset_index(drop=True))

    def _those(self, mask: Array, lacking: str) -> DeckDatabase:
        if not mask.any():
            raise DeckError(f"the deck database has {lacking}")
        return self.where(mask)

    def deck(self, row: int) -> Deck:
        """Return a deck as what plays."""
        return Deck(str(self.facts["deck"].iloc[row]), Class(self.classes[row]).name,
                    tuple(ids()[card] for card in self.decks[row]))

    @functools.cached_property
    def digest(self) -> str:
        """16 hex digits of the arrays, which change with whatever a guess depends on."""
        found = hashlib.sha256()
        for array in (self.decks, self.classes, self.weights):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.decks)

    def __repr__(self) -> str:
        classes = self.facts["class"].unique()
        of = classes[0] if len(classes) == 1 else f"{len(classes)} classes"
        return f"DeckDatabase({len(self):,} decks of {of})"


@functools.cache
def _shipped() -> DeckDatabase:
    table = human_decks.table()
    number = np.zeros(max(human_decks.ids_by_dbf()) + 1, np.uint16)
    for dbf, id in human_decks.ids_by_dbf().items():
        number[dbf] = index()[id]
    cards = table["cards"].combine_chunks().flatten().to_numpy().reshape(-1, SIZE)
    facts = table.drop_columns(["cards"]).to_pandas()
    facts["deck"] = human_decks.PREFIX + facts["deck"]
    classes = np.array([Class[name] for name in facts["class"]], np.int16)
    facts = facts.astype({"votes": "Int64", "games": "Int64"})
    facts["class"] = facts["class"].str.title()
    decks, seen = np.sort(number[cards], axis=1), facts["seen"].to_numpy(float)
    return _with_split(decks, classes, seen, facts)


def _with_split(decks: Array, classes: Array, weights: Array,
                facts: pd.DataFrame) -> DeckDatabase:
    """Return a database whose arrays can't be written to, with the column split."""
    held = held_out(classes, facts["group"].tolist())
    facts["split"] = [SIDES[side] for side in held.astype(int)]
    for array in (decks, classes, weights):
        array.setflags(write=False)
    return DeckDatabase(decks, classes, weights, facts)


def _indices(decks: Sequence[Sequence[str]]) -> Array:
    return np.sort(np.array([[index()[id] for id in deck] for deck in decks], np.uint16), axis=1)


def newest_patch(deck: Array) -> str:
    """Return the patch that brought the newest card of a deck, uint16 (30,)."""
    brought: dict[Set | None, int] = {
        one: i for i, some in enumerate(human_decks.PATCHES.values()) for one in some}
    return [*human_decks.PATCHES][max(brought[sets()[ids()[card]]] for card in deck)]


def in_common(decks: Array, others: Array) -> Array:
    """Return how many cards decks (n, 30) and others (m, 30) have in common, int (n, m).

    Two copies in both count twice.
    """
    shared = sum(_has(decks, copy) @ _has(others, copy).T for copy in (1, 2))
    return np.asarray(shared).astype(int)


def _has(decks: Array, copies: int) -> Array:
    """Return whether decks have so many copies of each card, 0 or 1 as float32 (n, cards)."""
    counts = np.zeros((len(decks), len(ids())), np.float32)
    np.add.at(counts, (np.arange(len(decks))[:, None], decks), 1)
    return (counts >= copies).astype(np.float32)


def groups(decks: Array, classes: Array, names: Sequence[str]) -> list[str]:
    """Return the group of each deck, see above: the first, by alphabet, of the names of its decks.

    Decks of a class that have the same name are of one group.
    """
    found = np.array(names, object)
    for cls in np.unique(classes):
        mine = classes == cls
        found[mine] = _joined(decks[mine], found[mine])
    return list(found)


def _joined(decks: Array, names: Array) -> list[str]:
    """Return, for each deck of a class, the first name of those that hang together with it."""
    from scipy.sparse import coo_array, vstack  # take a quarter of a second
    from scipy.sparse.csgraph import connected_components

    _, number = np.unique(names.astype(str), return_inverse=True)
    blocks = []
    for at in range(0, len(decks), BLOCK):
        some = slice(at, at + BLOCK)
        near = in_common(decks[some], decks) >= NEAR
        blocks.append(coo_array(near | (number[some, None] == number[None, :])))
    _, label = connected_components(vstack(blocks), directed=False)
    first: dict[int, str] = {}
    for one, name in zip(label, names, strict=True):
        first[one] = min(name, first.get(one, name))
    return [first[one] for one in label]


def held_out(classes: Array, groups: Sequence[str]) -> Array:
    """Return which decks are held out, bool (n,), by the rule above."""
    pairs = [*zip(classes.tolist(), groups, strict=True)]
    sizes, held = Counter(pairs), set()
    room = {cls: HELD_OUT * n for cls, n in Counter(classes.tolist()).items()}
    for cls, name in sorted(sizes, key=lambda pair: _order(pair[1])):
        if sizes[cls, name] <= room[cls]:
            room[cls] -= sizes[cls, name]
            held.add((cls, name))
    return np.array([pair in held for pair in pairs])


def _order(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
