"""The human decks that are shipped: 5,011 lists of January 2014 to June 2019, as facts.

`human_decks.parquet` has a row for each list: which cards, how often, of which class, and what its
source says of it. Equal lists of all sources are one row. The sources are public repositories,
named in the column `source` and in docs/pages/reference/decks.md, and a few web pages. New lists
stand below those before, which keep their rows, names and groups.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsevo.cards.catalogue import collectible
from hsevo.cards.terms import Set
from hsevo.errors import DeckError, did_you_mean, quoted

if TYPE_CHECKING:
    import pyarrow as pa

PREFIX = "human:"
SIDES = {"human:known": "known", "human:held-out": "held-out"}  # whose lists a match draws
FILE = Path(__file__).with_name("human_decks.parquet")

# The patches that brought new cards, oldest first, with the sets of each.
PATCHES: dict[str, tuple[Set, ...]] = {
    "classic": (Set.BASIC, Set.CLASSIC, Set.HALL_OF_FAME),
    "naxx": (Set.NAXXRAMAS,),
    "gvg": (Set.GOBLINS_VS_GNOMES,),
    "brm": (Set.BLACKROCK,),
    "tgt": (Set.GRAND_TOURNAMENT,),
    "loe": (Set.EXPLORERS,),
    "wotog": (Set.OLD_GODS,),
    "kara": (Set.KARAZHAN,),
    "msg": (Set.GADGETZAN,),
    "ungoro": (Set.UNGORO,),
    "kft": (Set.FROZEN_THRONE,),
    "knc": (Set.KOBOLDS,),
    "witchwood": (Set.WITCHWOOD,),
    "boomsday": (Set.BOOMSDAY,),
    "rumble": (Set.RASTAKHAN,),
    "ros": (Set.SHADOWS,),
}


def up_to(patch: str) -> list[str]:
    """Return a patch and those before it, oldest first. Raises DeckError."""
    order = [*PATCHES]
    if patch not in order:
        hint = did_you_mean(patch, order) or f"; patches are {', '.join(order)}"
        raise DeckError(f"unknown patch {quoted(patch)}{hint}")
    return order[:order.index(patch) + 1]


def sets_up_to(patch: str) -> frozenset[Set]:
    """Return the sets of a patch and those before it. Raises DeckError."""
    return frozenset(card_set for name in up_to(patch) for card_set in PATCHES[name])


@functools.cache
def table() -> pa.Table:
    """Return the shipped lists: a row for each, `cards` as 30 dbf ids, ascending."""
    import pyarrow.parquet as pq  # takes a third of a second

    return pq.read_table(FILE)


@functools.cache
def _rows() -> dict[str, int]:
    return {name: row for row, name in enumerate(table()["deck"].to_pylist())}


def find(name: str) -> dict[str, Any]:
    """Return the row of a list by its id, with or without "human:". Raises DeckError."""
    if name in SIDES:
        raise DeckError(f"{name} is not a deck, but a group of decks that only hsevo match --decks"
                        f" {name} and environments can draw from")
    id = name.removeprefix(PREFIX)
    if id not in _rows():
        hint = (did_you_mean(id, _rows(), 0.8) or did_you_mean(name, SIDES, 0.8)
                or "; `hsevo decks search` finds decks")
        raise DeckError(f"no human deck {quoted(id)}{hint}")
    row: dict[str, Any] = table().slice(_rows()[id], 1).to_pylist()[0]
    return row


@functools.cache
def ids_by_dbf() -> dict[int, str]:
    """Return the ids of the collectible cards by dbf id."""
    return {entry.dbf: id for id, entry in collectible().items()}
