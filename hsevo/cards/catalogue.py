"""All cards of the game up to Mean Streets of Gadgetzan, implemented or not.

`dbf.csv` holds the data of build 23180: 1,054 collectible cards and the heroes with their
portraits. Races are those of the rulesets: Elementals were added later and have none here.
"""

import csv
import functools
from pathlib import Path
from typing import NamedTuple

from hsevo.cards.terms import GROUP_CLASSES, Class, Group, Kind, Race, Rarity, Set
from hsevo.cards.vocabulary.model import Card


class CatalogueEntry(NamedTuple):
    """A card or hero; heroes have neither set nor rarity, and `health` is a weapon's durability."""

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
    """Return the 1,054 collectible cards and 19 heroes, sorted by dbf id."""
    with (Path(__file__).parent / "dbf.csv").open(encoding="utf-8", newline="") as file:
        return tuple(map(_entry, csv.DictReader(file)))


@functools.cache
def collectible() -> dict[str, CatalogueEntry]:
    """Return the 1,054 collectible cards by id."""
    return {entry.id: entry for entry in catalogue() if entry.kind is not Kind.HERO}


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
