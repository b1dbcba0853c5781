"""Cards that a learner must not meet: the splits of the benchmark of unseen cards.

    splits.csv          collectible cards with their set, and which fifth of those up to 2016
    unseen(split)       the cards of a split: "fifth-1" to "fifth-5", or a set, as "gadgetzan"
    left_out(split)     these, and all cards whose texts may bring one of them

The split of a card never changes, so what one learner has not met, another has not met either. A
learner plays without the cards that are left out; then no game of it, of either side, has a card
of the split: a checkpoint says how often each card was met (agents/learned/nets.py).
deck_pool.unseen_lists has decks of unseen cards.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.potions import POTIONS
from hsevo.cards.tables import SHIFTING, cards, ids, pool_ids
from hsevo.cards.terms import Shift
from hsevo.cards.vocabulary import MINIONS
from hsevo.cards.vocabulary.model import Card, Pool, Row
from hsevo.errors import CardError, did_you_mean, quoted
from hsevo.types import Array

# Operations that bring cards which their rows do not name: minions of any cost, cards of a class.
_ANY_MINION = (Op.SUMMON_BY_COST, Op.TRANSFORM_BY_COST)
_ANY_CARD = (Op.RENOUNCE,)
_POTIONS = (Op.KAZAKUS_CRAFT,)


@functools.cache
def splits() -> Mapping[str, frozenset[str]]:
    """Return the cards of each split, by its name: ids.

    >>> from hsevo.cards import unseen
    >>> len(unseen.splits()["fifth-1"])
    211
    """
    members: dict[str, set[str]] = {}
    with (Path(__file__).parent / "splits.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            members.setdefault(row["set"], set()).add(row["id"])
            if row["fifth"]:
                members.setdefault(f"fifth-{row['fifth']}", set()).add(row["id"])
    return {name: frozenset(members[name]) for name in sorted(members)}


def unseen(split: str) -> frozenset[str]:
    """Return the cards of a split. Raises CardError if there is none of this name."""
    if split not in splits():
        raise CardError(f"unknown split of cards {quoted(split)}{did_you_mean(split, splits())}"
                        f" (there are {', '.join(splits())})")
    return splits()[split]


@functools.cache
def left_out(split: str, ruleset: str = "cig2018") -> frozenset[str]:
    """Return the cards of a split, and all whose texts may bring one of them. Raises CardError."""
    excluded, pool = set(unseen(split)), cards(ruleset)
    brings = {id: {*_brought(card, pool, ruleset)} for id, card in pool.items()}
    while more := {id for id, others in brings.items() if others & excluded} - excluded:
        excluded |= more
    return frozenset(excluded)


def _brought(card: Card, pool: Mapping[str, Card], ruleset: str) -> Iterator[str]:
    """Yield the cards that a card's texts name, or draw from a pool."""
    for part in _parts(card):
        if isinstance(part, Pool):
            yield from pool_ids(ruleset, part)
        elif isinstance(part, str):
            yield part
        elif isinstance(part, Row) and part.op in _ANY_MINION:
            yield from pool_ids(ruleset, MINIONS)
        elif isinstance(part, Row) and part.op in _ANY_CARD:
            yield from pool_ids(ruleset, Pool())
        elif isinstance(part, Row) and part.op in _POTIONS:
            yield from (potion.id for potion in POTIONS)
    if card.shifts is Shift.AT_RANDOM:
        yield from pool_ids(ruleset, SHIFTING[card.kind])


def _parts(value: Any) -> Iterator[Any]:
    """Yield all values in a card's data; its own id and name are no card's ids."""
    own = ("id", "name") if isinstance(value, Card) else ()
    if is_dataclass(value):
        yield value
        for field in fields(value):
            if field.name not in own:
                yield from _parts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value


def mask(chosen: frozenset[str], ruleset: str = "cig2018") -> Array:
    """Return which cards of a ruleset are among the chosen, bool (cards + 1,), by table index."""
    among: Array = np.array([id in chosen for id in ids(ruleset)])
    return among
