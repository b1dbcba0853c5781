"""Read a deck database of a user's own: a folder of deck files, or a CSV with a row for each deck.

A CSV has the columns `class` and `cards`, in which "|" stands between cards: "Fireball*2|Wisp", or
as in deck files, "2x Fireball|Wisp". WORDS and `weight` may be there as well.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from hsevo.cards.decks import LARGEST, LONGEST, SIZE, Deck, from_names, from_text
from hsevo.cards.human_decks import PATCHES
from hsevo.config.named import exists
from hsevo.errors import DeckError, did_you_mean, name_problem, quoted
from hsevo.files import read_text

Facts: TypeAlias = dict[str, str]

NEEDED = ("class", "cards")
WORDS = ("deck", "archetype", "date", "patch", "kind", "source")
LARGEST_WEIGHT = 1e9
MOST = 10_000  # decks, twice those that are shipped: all of one class are compared in 10 s
_STARRED = re.compile(r" ?\* ?(\d+)$")


def read(path: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    """Return decks, what else is known of each, and their weights. Raises DeckError, one line."""
    if exists(path) and path.is_dir():
        return _folder(path)
    if not exists(path):
        raise DeckError(f"no deck database {quoted(path)}: neither a folder of deck files nor a"
                        " CSV file")
    return _csv(path)


def _folder(folder: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise DeckError(f"{folder} has no deck files (NAME.txt)")
    if len(files) > MOST:
        raise DeckError(f"{folder} has more than {MOST:,} deck files")
    found = [_first_mistake(_deck_file, file) for file in files]
    return found, [{} for _ in found], [1.0 for _ in found]


def _deck_file(file: Path) -> Deck:
    return from_text(read_text(file, LONGEST, DeckError, "utf-8-sig"), file.stem, str(file))


def _csv(path: Path) -> tuple[list[Deck], list[Facts], list[float]]:
    rows = [*_rows(path)]
    if not rows:
        raise DeckError(f"{path} has no decks: no row below its header")
    found = [_first_mistake(_deck, row, where) for where, row in rows]
    names = [deck.name for deck in found]
    if len({*names}) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise DeckError(f"{path}: two decks have the name {quoted(twice)}")
    facts = [_facts(row, where) for where, row in rows]
    return found, facts, [_weight(row, where) for where, row in rows]


def _first_mistake(read: Callable[..., Deck], *what: object) -> Deck:
    """Return read(*what); of a deck with many mistakes, raise the first alone."""
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
                raise DeckError(f"{path} has more than {MOST:,} rows, which is more than is read")
            if None in row or None in row.values():
                raise DeckError(f"{path}, row {i}: not as many cells as there are columns")
            yield f"{path}, row {i}", row
    except csv.Error as error:
        raise DeckError(f"{path} is not a CSV file: {error}") from None


def _check_columns(path: Path, columns: list[str]) -> None:
    for name in NEEDED:
        if name not in columns:
            raise DeckError(f"{path} has no column {name}{did_you_mean(name, columns)}; a deck"
                            f" database is a CSV with the columns {' and '.join(NEEDED)}")
    if len({*columns}) < len(columns):
        raise DeckError(f"{path} has two columns of one name")


def _deck(row: Facts, where: str) -> Deck:
    cards = [_STARRED.sub(r" x\1", card.strip()) for card in row["cards"].split("|")]
    if len(cards) > LARGEST:
        raise DeckError(f"{where}: more than {LARGEST} cards")
    if "" in cards:
        raise DeckError(f"{where}: a card is missing in {quoted(row['cards'])}")
    name = row.get("deck") or "row-" + where.rpartition(" ")[2]
    return from_names(cards, row["class"], name, SIZE, where)


def _facts(row: Facts, where: str) -> Facts:
    """Return the facts of a row that are used. Raises DeckError for what no table should show."""
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
