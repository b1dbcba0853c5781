"""Deck databases: which decks of a class there are, for who must guess an opponent's.

    database = DeckDatabase.load()              the human decks that are shipped
    database.of_class("mage").up_to("kara")     those of a class, of a patch and before
    database.split("known")                     and a part that tests of guessing never see
    DeckDatabase.load("rise2019")               also those with cards that only this ruleset has

Near-equal decks form groups: decks of a class that have at least NEAR cards in common, and all that
hang together in this way. In each class, groups in the order of the SHA-256 of their names are held
out as long as that holds out at most a fifth of the class's decks. So no deck that is held out has
NEAR cards in common with one that is known. Shipped decks with cards that cig2018 lacks are divided
by the same rule among themselves, except those of a group that has a side in cig2018.

A user's own database is a folder of deck files, or a CSV with a row for each deck. A CSV has the
columns `class` and `cards`, in which "|" stands between cards: "Fireball*2|Wisp", or as in deck
files, "2x Fireball|Wisp". WORDS and `weight` may be there as well.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hsevo.cards import human_decks
from hsevo.cards.decks import (
    LARGEST,
    LONGEST,
    SIZE,
    Deck,
    class_of,
    from_names,
    from_text,
    refuse_foreign,
)
from hsevo.cards.human_decks import PATCHES
from hsevo.cards.tables import base_of, find_ruleset, ids, index, sets
from hsevo.cards.terms import Class, Set
from hsevo.config.named import exists
from hsevo.errors import DeckError, did_you_mean, name_problem, quoted
from hsevo.files import read_text
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd

Facts: TypeAlias = dict[str, str]

NEEDED = ("class", "cards")
WORDS = ("deck", "archetype", "date", "patch", "kind", "source")
LARGEST_WEIGHT = 1e9
MOST = 10_000  # decks, twice those that are shipped: all of one class are compared in 10 s
_STARRED = re.compile(r" ?\* ?(\d+)$")


def read(path: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    """Return decks, the facts about each, and their weights. Raises DeckError, one line."""
    if exists(path) and path.is_dir():
        return _folder(path)
    if not exists(path):
        raise DeckError(f"no deck database {quoted(path)}: give a folder of deck files or a CSV"
                        " file")
    return _csv(path)


def _folder(folder: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise DeckError(f"{folder} has no deck files (NAME.txt)")
    if len(files) > MOST:
        raise DeckError(f"{folder} has more than {MOST:,} deck files")
    decks = [_first_mistake(_deck_file, file) for file in files]
    return decks, [{} for _ in decks], [1.0 for _ in decks]


def _deck_file(file: Path) -> Deck:
    return from_text(read_text(file, LONGEST, DeckError, "utf-8-sig"), file.stem, str(file))


def _csv(path: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    rows = [*_rows(path)]
    if not rows:
        raise DeckError(f"{path} has no decks, because it has no row below its header")
    decks = [_first_mistake(_deck, row, where) for where, row in rows]
    names = [deck.name for deck in decks]
    if len({*names}) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise DeckError(f"{path}: two decks have the name {quoted(twice)}")
    facts = [_facts(row, where) for where, row in rows]
    return decks, facts, [_weight(row, where) for where, row in rows]


def _first_mistake(read: Callable[..., Deck], *what: object) -> Deck:
    """Return read(*what); for a deck with many mistakes, raise only the first."""
    try:
        return read(*what)
    except DeckError as error:
        first, *rest = str(error).splitlines()
        more = f" (and {len(rest)} more)" if rest else ""
        raise DeckError(first + more) from None


def _rows(path: Path) -> Iterator[tuple[str, Facts]]:
    """Yield the rows of a CSV by column, each with where it is. Raises DeckError."""
    reader = csv.DictReader(io.StringIO(read_text(path, error=DeckError, encoding="utf-8-sig")),
                            strict=True)
    try:
        _check_columns(path, [*(reader.fieldnames or [])])
        for i, row in enumerate(reader, start=2):
            if i > MOST:
                raise DeckError(f"{path} has more than {MOST:,} rows, the limit of a deck database")
            if None in row or None in row.values():
                raise DeckError(f"{path}, row {i}: its number of cells differs from the number of"
                                " columns")
            yield f"{path}, row {i}", row
    except csv.Error as error:
        raise DeckError(f"{path} is not a CSV file: {error}") from None


def _check_columns(path: Path, columns: list[str]) -> None:
    for name in NEEDED:
        if name not in columns:
            raise DeckError(f"{path} has no column {name}{did_you_mean(name, columns)}; a deck"
                            f" database is a CSV with the columns {' and '.join(NEEDED)}")
    if len({*columns}) < len(columns):
        raise DeckError(f"{path} has two columns with the same name")


def _deck(row: Facts, where: str) -> Deck:
    cards = [_STARRED.sub(r" x\1", card.strip()) for card in row["cards"].split("|")]
    if len(cards) > LARGEST:
        raise DeckError(f"{where}: more than {LARGEST} cards")
    if "" in cards:
        raise DeckError(f"{where}: a card is missing in {quoted(row['cards'])}")
    name = row.get("deck") or "row-" + where.rpartition(" ")[2]
    return from_names(cards, row["class"], name, SIZE, where)


def _facts(row: Facts, where: str) -> Facts:
    """Return the used facts of a row. Raises DeckError for text that no table should show."""
    facts = {name: row[name] for name in WORDS[1:] if name in row}
    for name, text in facts.items():
        if text and (problem := name_problem(text)):
            raise DeckError(f"{where}: its {name}, {quoted(text)}, {problem}")
    patch = facts.get("patch")
    if patch and patch not in PATCHES:
        hint = did_you_mean(patch, PATCHES) or f"; patches are {', '.join(PATCHES)}"
        raise DeckError(f"{where}: unknown patch {quoted(patch)}{hint}")
    return facts


def _weight(row: Facts, where: str) -> float:
    text = row.get("weight") or "1"
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight <= LARGEST_WEIGHT:
        raise DeckError(f"{where}: its weight is {quoted(text)}, but must be a number above 0, at"
                        f" most {LARGEST_WEIGHT:g}")
    return weight


NEAR = 25  # cards in common, of 30, that make two decks of a class near-equal
BLOCK = 500  # decks that are compared with all at once: 10 MB for 5,000
RULESET = "cig2018"
NEWEST = "rise2019"  # the ruleset that has all shipped decks
HELD_OUT = 0.2  # share of a class's decks, at most
SIDES = ("known", "held-out")


@dataclass(frozen=True, eq=False)
class DeckDatabase:
    """Hold n decks of 30 cards as arrays for kernels, with facts about each deck.

    Attributes
    ----------
    decks : ndarray of uint16, shape (n, 30)
        Table indices of the cards in `ruleset`, ascending in each row.
    classes : ndarray of int16, shape (n,)
        Classes of the decks, as `Class`.
    weights : ndarray of float64, shape (n,)
        Unnormalised prior probabilities, positive. For the human decks, the number of records with
        exactly this deck.
    facts : pandas.DataFrame
        One row for each deck, with columns deck (its name), class, archetype, date, patch, group,
        split and others.
    ruleset : str
        The ruleset whose cards the decks have.

    Examples
    --------
    >>> from hsevo.cards import DeckDatabase
    >>> DeckDatabase.load().of_class("mage").decks.shape
    (416, 30)
    """

    decks: Array
    classes: Array
    weights: Array
    facts: pd.DataFrame
    ruleset: str = RULESET

    @classmethod
    def load(cls, ruleset: str = RULESET) -> DeckDatabase:
        """Return the shipped human decks that consist of cards of a ruleset.

        Parameters
        ----------
        ruleset : str, default "cig2018"
            "cig2018": 4,547 decks of January 2014 to April 2017. "rise2019": all 5,011, up to June
            2019.

        Returns
        -------
        DeckDatabase
            The database.

        Raises
        ------
        CardError
            If there is no such ruleset.
        """
        return _shipped(base_of(find_ruleset(ruleset).name))

    @classmethod
    def read(cls, path: str | Path, ruleset: str = RULESET) -> DeckDatabase:
        """Read a database of your own decks.

        Parameters
        ----------
        path : str or Path
            A folder of deck files, or a CSV file with the columns class and cards. Optional
            columns: deck, archetype, date, patch, kind, source, weight.
        ruleset : str, default "cig2018"
            The ruleset whose cards the decks may have.

        Returns
        -------
        DeckDatabase
            The database.

        Raises
        ------
        DeckError
            If there is no deck, or a deck is invalid.
        """
        decks, facts, weights = read(Path(path))
        try:
            return cls.of(decks, weights, facts, ruleset)
        except DeckError as error:
            raise DeckError(f"{path}: {error}") from None

    @classmethod
    def of(cls, decks: Sequence[Deck], weights: Sequence[float] | None = None,
           facts: Sequence[Mapping[str, str]] | None = None,
           ruleset: str = RULESET) -> DeckDatabase:
        """Return a database of decks.

        Parameters
        ----------
        decks : sequence of Deck
            The decks.
        weights : sequence of float, optional
            Unnormalised prior probabilities. Default: 1 for each deck.
        facts : sequence of mapping, optional
            Further facts about each deck.
        ruleset : str, default "cig2018"
            The ruleset whose cards the decks may have.

        Returns
        -------
        DeckDatabase
            The database.

        Raises
        ------
        DeckError
            If there is no deck, or a deck does not have 30 cards of the ruleset.
        """
        import pandas as pd  # takes a third of a second

        if not decks:
            raise DeckError("a deck database needs at least one deck")
        if misfit := next((deck for deck in decks if len(deck.ids) != SIZE), None):
            raise DeckError(f"the deck {quoted(misfit.name)} has {len(misfit.ids)} cards, but a"
                            f" deck database needs decks of {SIZE} cards")
        refuse_foreign(decks, ruleset)
        ruleset = base_of(find_ruleset(ruleset).name)
        rows = _indices([deck.ids for deck in decks], ruleset)
        classes = np.array([Class[deck.hero_class] for deck in decks], np.int16)
        table = pd.DataFrame([{"deck": deck.name, "class": deck.hero, **more}
                              for deck, more in zip(decks, facts or len(decks) * [{}],
                                                    strict=True)])
        table["patch"] = [patch or newest for patch, newest in zip(
            table.get("patch", pd.Series("", table.index)).fillna(""),
            (newest_patch(row, ruleset) for row in rows), strict=True)]
        table["group"] = groups(rows, classes, table["deck"].tolist())
        deck_weights = np.ones(len(decks)) if weights is None else np.array(weights, np.float64)
        table["split"] = _sides(held_out(classes, table["group"].tolist()))
        return _fixed(rows, classes, deck_weights, table, ruleset)

    def of_class(self, cls: str | Class) -> DeckDatabase:
        """Return the decks of a class.

        Parameters
        ----------
        cls : str or Class
            The class.

        Returns
        -------
        DeckDatabase
            Decks of the class.

        Raises
        ------
        DeckError
            If there is no such deck.
        """
        wanted = cls if isinstance(cls, Class) else class_of(cls)
        return self._those(self.classes == wanted, f"no deck of the class {wanted.name.title()};"
                           f" it has decks of {', '.join(self.facts['class'].unique())}")

    def up_to(self, patch: str) -> DeckDatabase:
        """Return the decks of a patch and of earlier patches.

        Parameters
        ----------
        patch : str
            The patch.

        Returns
        -------
        DeckDatabase
            Decks up to the patch.

        Raises
        ------
        DeckError
            If there is no such deck.
        """
        allowed = human_decks.up_to(patch)
        return self._those(self.facts["patch"].isin(allowed).to_numpy(),
                           f"no deck of the patch {patch} or before")

    def split(self, side: str) -> DeckDatabase:
        """Return the known or the held-out decks.

        Parameters
        ----------
        side : {"known", "held-out"}
            Side of the split.

        Returns
        -------
        DeckDatabase
            Decks of this side.

        Raises
        ------
        DeckError
            If there is no such side, or no such deck.
        """
        if side not in SIDES:
            raise DeckError("human decks are known or held-out, not"
                            f" {quoted(side)}{did_you_mean(side, SIDES)}")
        return self._those((self.facts["split"] == side).to_numpy(), f"no deck that is {side}")

    def where(self, rows: Array) -> DeckDatabase:
        """Return the decks of some rows.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,), or of int
            Mask, or numbers of rows.

        Returns
        -------
        DeckDatabase
            The decks.
        """
        return DeckDatabase(self.decks[rows], self.classes[rows], self.weights[rows],
                            self.facts.iloc[np.arange(len(self))[rows]].reset_index(drop=True),
                            self.ruleset)

    def _those(self, mask: Array, lacking: str) -> DeckDatabase:
        if not mask.any():
            raise DeckError(f"the deck database has {lacking}")
        return self.where(mask)

    def deck(self, row: int) -> Deck:
        """Return one deck.

        Parameters
        ----------
        row : int
            Number of the row.

        Returns
        -------
        Deck
            The deck.
        """
        return Deck.of(str(self.facts["deck"].iloc[row]), Class(self.classes[row]).name,
                    tuple(ids(self.ruleset)[card] for card in self.decks[row]))

    @functools.cached_property
    def digest(self) -> str:
        """Digest of the arrays: 16 hexadecimal digits that identify all inputs of a guess."""
        hasher = hashlib.sha256()
        for array in (self.decks, self.classes, self.weights):
            hasher.update(np.ascontiguousarray(array).tobytes())
        return hasher.hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.decks)

    def __repr__(self) -> str:
        classes = self.facts["class"].unique()
        of = classes[0] if len(classes) == 1 else f"{len(classes)} classes"
        return f"DeckDatabase({len(self):,} decks of {of})"


@functools.cache
def _shipped(ruleset: str) -> DeckDatabase:
    """Return the shipped decks of a ruleset that is no overlay."""
    table = human_decks.table()
    cards = table["cards"].combine_chunks().flatten().to_numpy().reshape(-1, SIZE)
    decks, first = (_numbered(cards, name) for name in (ruleset, RULESET))
    facts = table.drop_columns(["cards"]).to_pandas()
    facts["deck"] = human_decks.PREFIX + facts["deck"]
    classes = np.array([Class[name] for name in facts["class"]], np.int16)
    facts = facts.astype({"votes": "Int64", "games": "Int64"})
    facts["class"] = facts["class"].str.title()
    there, seen = decks.all(axis=1), facts["seen"].to_numpy(float)
    held = _held_in_parts(classes, facts["group"].to_numpy(object), first.all(axis=1))
    facts["split"] = _sides(held)
    return _fixed(decks[there], classes[there], seen[there],
                  facts[there].reset_index(drop=True), ruleset)


def _numbered(cards: Array, ruleset: str) -> Array:
    """Return dbf ids (n, 30) as table indices, ascending; 0 for a card that a ruleset lacks."""
    number = np.zeros(max(human_decks.ids_by_dbf()) + 1, np.uint16)
    for dbf, id in human_decks.ids_by_dbf().items():
        number[dbf] = index(ruleset).get(id, 0)
    return np.sort(number[cards], axis=1)


def _held_in_parts(classes: Array, groups: Array, first: Any) -> Array:
    """Return which decks are held out, bool (n,): of `first` (n,), and of groups of others alone.

    A group of both has the side of its decks in `first`.
    """
    held, later = np.zeros(len(groups), bool), ~np.isin(groups, groups[first])
    for part in (first, later):
        held[part] = held_out(classes[part], groups[part].tolist())
    return held | np.isin(groups, groups[first & held])


def _sides(held: Array) -> list[str]:
    return [SIDES[side] for side in held.astype(int)]


def _fixed(decks: Array, classes: Array, weights: Array, facts: pd.DataFrame,
           ruleset: str) -> DeckDatabase:
    """Return a database whose arrays can't be written to."""
    for array in (decks, classes, weights):
        array.setflags(write=False)
    return DeckDatabase(decks, classes, weights, facts, ruleset)


def _indices(decks: Sequence[Sequence[str]], ruleset: str) -> Array:
    known = index(ruleset)
    return np.sort(np.array([[known[id] for id in deck] for deck in decks], np.uint16), axis=1)


def newest_patch(deck: Array, ruleset: str = RULESET) -> str:
    """Return the patch that brought the newest card of a deck, uint16 (30,)."""
    brought: dict[Set | None, int] = {
        card_set: i for i, some in enumerate(human_decks.PATCHES.values()) for card_set in some}
    return [*human_decks.PATCHES][max(brought[sets()[ids(ruleset)[card]]] for card in deck)]


def in_common(decks: Array, others: Array) -> Array:
    """Return how many cards decks (n, 30) and others (m, 30) have in common, int (n, m).

    Two copies in both count twice.
    """
    width = 1 + max(int(some.max(initial=0)) for some in (decks, others))
    shared = sum(_has(decks, copy, width) @ _has(others, copy, width).T for copy in (1, 2))
    return np.asarray(shared).astype(int)


def _has(decks: Array, copies: int, width: int) -> Array:
    """Return whether decks have 1 or more copies of each card, 0 or 1 as float32 (n, width)."""
    counts = np.zeros((len(decks), width), np.float32)
    np.add.at(counts, (np.arange(len(decks))[:, None], decks), 1)
    return (counts >= copies).astype(np.float32)


def groups(decks: Array, classes: Array, names: Sequence[str]) -> list[str]:
    """Return the group of each deck, see above: the first, by alphabet, of the names of its decks.

    Decks of a class that have the same name are of one group.
    """
    labels = np.array(names, object)
    for cls in np.unique(classes):
        mine = classes == cls
        labels[mine] = _joined(decks[mine], labels[mine])
    return list(labels)


def _joined(decks: Array, names: Array) -> list[str]:
    """Return, for each deck of a class, the first name of the decks connected with it."""
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
    for component, name in zip(label, names, strict=True):
        first[component] = min(name, first.get(component, name))
    return [first[component] for component in label]


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
