"""Constructors of cards, one per kind, with the parts of the text as keyword arguments.

The parts of a text: `target`, `play` (`battlecry` of minions and weapons), `combo`, `deathrattle`,
`drawn`, `discarded`, `on`, `aura`, `options`, `cost_rule`, `need`, `overload`, `spell_damage`,
`positional`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hsevo.cards.ops import Op
from hsevo.cards.terms import Class, Event, Group, Keyword, Kind, Need, Race, Rarity, Rule, Whose
from hsevo.cards.vocabulary.hands import THIS_CARD, draw
from hsevo.cards.vocabulary.model import Aura, Card, Row, Rows, Tag, Trigger, rows_of
from hsevo.cards.vocabulary.triggers import hidden

_PARTS = ("play", "combo", "deathrattle", "drawn", "discarded", "at_start")  # parts of a text
FIELDS: dict[type, str] = {Class: "cls", Group: "group", Race: "race", Rarity: "rarity"}
T = TypeVar("T", Trigger, Aura)


def minion(
    id: str, name: str, cost: int, attack: int, health: int, *tags: Tag, **text: Any
) -> Card:
    """Return a minion."""
    text["play"] = text.pop("battlecry", None)
    if text.get("magnetic"):
        text["positional"] = True
    return _card(Kind.MINION, id, name, cost, tags, attack=attack, health=health, **text)


def spell(id: str, name: str, cost: int, *tags: Tag, **text: Any) -> Card:
    """Return a spell."""
    return _card(Kind.SPELL, id, name, cost, tags, **text)


def secret(id: str, name: str, cost: int, *tags: Tag, on: Trigger) -> Card:
    """Return a secret, whose trigger fires once, in the opponent's turn."""
    hide = Row(Op.HIDE_SECRET)
    return _card(Kind.SPELL, id, name, cost, tags, secret=True, play=hide, on=hidden(on))


def quest(
    id: str, name: str, cls: Class, *, goal: int, reward: str, on: Trigger
) -> Card:
    """Return a quest: a spell that costs 1 and stays open until `on` has made its progress."""
    return _card(Kind.SPELL, id, name, 1, (cls, Rarity.LEGENDARY), need=Need.NO_QUEST, goal=goal,
                 reward=reward, play=Row(Op.OPEN_QUEST), on=on)


def weapon(
    id: str, name: str, cost: int, attack: int, durability: int, *tags: Tag, **text: Any
) -> Card:
    """Return a weapon."""
    text["play"] = text.pop("battlecry", None)
    return _card(Kind.WEAPON, id, name, cost, tags, attack=attack, health=durability, **text)


def hero(id: str, name: str, health: int, *tags: Tag) -> Card:
    """Return a hero (never collectible)."""
    return token(_card(Kind.HERO, id, name, 0, tags, health=health))


def hero_card(
    id: str, name: str, cost: int, armor: int, power: str, *tags: Tag, **text: Any
) -> Card:
    """Return a hero that is played: it replaces the own hero, whose health stays."""
    text["play"] = text.pop("battlecry", None)
    return _card(Kind.HERO, id, name, cost, tags, health=30, armor=armor, power=power, **text)


def power(id: str, name: str, cost: int, *tags: Tag, **text: Any) -> Card:
    """Return a hero power (never collectible). Its trigger listens while it is the hero power."""
    return token(_card(Kind.POWER, id, name, cost, tags, lasts=True, **text))


def enchantment(id: str, name: str, **text: Any) -> Card:
    """Return a text that `attach` gives to a minion; SELF is then that minion."""
    return token(_card(Kind.NONE, id, name, 0, (), **text))


def when_drawn(*rows: Rows) -> dict[str, Rows]:
    """Return the text of a spell that is cast when it is drawn, and leaves the hand."""
    return {"play": rows, "drawn": [Row(Op.REMOVE_CARDS, THIS_CARD), *rows]}


def casts_when_drawn(*rows: Rows, after: Rows = ()) -> dict[str, Rows]:
    """Return the text of a spell that is cast when it is drawn; then another card is drawn.

    after: rows that run after that draw.
    """
    drawn = [Row(Op.REMOVE_CARDS, THIS_CARD), *rows, draw(), after]
    return {"play": [*rows, after], "drawn": drawn}


def token(card: Card) -> Card:
    """Return the same card as a token: it can't be in a deck or a random pool."""
    return replace(card, collectible=False)


def _card(kind: Kind, id: str, name: str, cost: int, tags: tuple[Tag, ...],
          **text: Any) -> Card:
    """Return a card of a kind, of the parts of its text and its other fields."""
    rows: dict[str, Any] = {part: rows_of(text.pop(part, None)) for part in _PARTS}
    triggers, auras = _several(text.pop("on", ())), _several(text.pop("aura", ()))
    text |= {FIELDS[type(tag)]: tag for tag in tags if type(tag) in FIELDS}
    keywords = {tag for tag in tags if isinstance(tag, Keyword)}
    if rows["deathrattle"]:
        keywords.add(Keyword.DEATHRATTLE)
    if any(t.event is Event.POWER_USED and t.whose is Whose.MINE for t in triggers):
        keywords.add(Keyword.INSPIRE)
    rules = sum({tag for tag in tags if isinstance(tag, Rule)})
    return Card(id, name, kind, cost, keywords=sum(keywords), rules=rules, triggers=triggers,
                auras=auras, **rows, **text)


def _several(items: T | Sequence[T]) -> tuple[T, ...]:
    return (items,) if isinstance(items, Trigger | Aura) else tuple(items)
