"""All cards of the game up to Rise of Shadows, implemented or not.

`dbf.csv` holds the 1,054 collectible cards of build 23180, 949 that came by build 30103 (April
2019), and the heroes with their portraits. Each card has the numbers of its build. Cards of build
23180 have the races of the older rulesets, which have no Elementals.
"""

import csv
import functools
from pathlib import Path
from typing import NamedTuple

from hsevo.cards.terms import GROUP_CLASSES, Class, Group, Kind, Race, Rarity, Set
from hsevo.cards.vocabulary.model import Card


class CatalogueEntry(NamedTuple):
    """A card, or a class's own hero, which has neither set nor rarity.

    `health` is a weapon's durability, or the armour of a hero card.
    """

    dbf: int
    id: str
    name: str
    set: Set | None
    cls: Class
    group: Group | None
    kind: Kind
    race: Race
    rarity: Rarity
    cost: int
    attack: int
    health: int


@functools.cache
def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return the 2,003 collectible cards and 19 heroes, sorted by dbf id."""
    with (Path(__file__).parent / "dbf.csv").open(encoding="utf-8", newline="") as file:
        return tuple(map(_entry, csv.DictReader(file)))


@functools.cache
def collectible() -> dict[str, CatalogueEntry]:
    """Return the 2,003 collectible cards by id."""
    return {entry.id: entry for entry in catalogue() if entry.set is not None}


def classes(card: Card | CatalogueEntry) -> tuple[Class, ...]:
    """Return the classes that a card belongs to; (NEUTRAL,) for a neutral card."""
    return GROUP_CLASSES[card.group] if card.group else (card.cls,)


def _entry(row: dict[str, str]) -> CatalogueEntry:
    group = row["class"] in Group.__members__
    return CatalogueEntry(
        int(row["dbf_id"]),
        row["id"],
        row["name"],
        Set[row["set"]] if row["set"] else None,
        Class.NEUTRAL if group else Class[row["class"] or "NEUTRAL"],
        Group[row["class"]] if group else None,
        Kind[row["type"]],
        Race[row["race"] or "NONE"],
        Rarity[row["rarity"] or "NONE"],
        *(int(row[key] or 0) for key in ("cost", "attack", "health")),
    )
