"""What holds in a position where it is not said: as if the cards that are there had been played.

`placing` fills in these values, and `describing` leaves them out.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, index, tables
from hsevo.cards.terms import Counter, Keyword
from hsevo.cards.vocabulary.model import Card, Row


class FreshMinion(NamedTuple):
    """A minion as it enters play, without auras."""

    attack: int
    health: int
    keywords: int


def new_minion(card: Any, counter: Any, silenced: bool) -> FreshMinion:
    """Return a minion that a player summons; card: its row of the tables, counter: the player's."""
    attack, health, keywords = (int(card[name]) for name in ("attack", "health", "keywords"))
    if silenced or not card["grows"]:
        return FreshMinion(attack, health, keywords)
    taunt = Keyword.TAUNT if counter[Counter.CTHUN_TAUNT] else 0
    return FreshMinion(attack + int(counter[Counter.CTHUN_ATTACK]),
                       health + int(counter[Counter.CTHUN_HEALTH]), keywords | taunt)


def jade(ruleset: str, seen: list[int]) -> int:
    """Return how many Jade Golems have been summoned, by the largest one in play or dead."""
    return max((_golems(ruleset).get(card, 0) for card in seen), default=0)


def power(ruleset: str, hero: int, cls: int) -> int:
    """Return the hero power of a hero of a class: its own, if it came into play with one."""
    return _powers(ruleset).get(hero, int(tables(ruleset)["power"][cls]))


@functools.lru_cache(maxsize=8)
def _golems(ruleset: str) -> dict[int, int]:
    """Return the sizes of the Jade Golems by table index."""
    number = index(ruleset)
    rows = (row for card in cards(ruleset).values() for row in _rows(card))
    ids = next((row.pool.cards for row in rows if row.op is Op.SUMMON_JADE and row.pool), ())
    return {number[id]: size for size, id in enumerate(ids, start=1)}


@functools.lru_cache(maxsize=8)
def _powers(ruleset: str) -> dict[int, int]:
    """Return the powers of the heroes that a text puts into play, by table index."""
    number, found = index(ruleset), {}
    for card in cards(ruleset).values():
        named = {row.op: row.card for row in _rows(card)
                 if row.op in (Op.BECOME_HERO, Op.SET_POWER) and isinstance(row.card, str)}
        if len(named) == 2:
            found[number[str(named[Op.BECOME_HERO])]] = number[str(named[Op.SET_POWER])]
    return found


def _rows(card: Card) -> tuple[Row, ...]:
    return card.play + card.deathrattle
