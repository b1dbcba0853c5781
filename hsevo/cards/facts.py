"""What cards say, as numbers: a sparse vector of facts for each, in the words of the engine.

    Card  --said()-->  {"kind.MINION": 1.0, "cost": 0.5, "play.DAMAGE": 1.0, ...}
    facts(ruleset)     the same of all cards, as arrays; columns are those of `names()`

A fact is a name and a number: what is printed (kind, cost, attack, health, class, race, keywords,
rules), and of each text its event, operations, selectors, filters, conditions and amounts. A card
that a text brings is told by its numbers and keywords, an attached text by its own facts. Neither
the card's name nor its set nor its rarity is a fact: cards that do the same have equal facts.
"""

from __future__ import annotations

import functools
from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.pools import classes
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import cards, find_ruleset, ids
from hsevo.cards.terms import (
    UP_TO_GADGETZAN,
    Amount,
    Class,
    CostRule,
    Counter,
    Event,
    Family,
    Gains,
    If,
    Is,
    Keyword,
    Kind,
    Need,
    Race,
    Rule,
    Selector,
    Side,
    Zone,
)
from hsevo.cards.vocabulary.model import (
    ANYTHING,
    Aura,
    Card,
    Condition,
    Filter,
    Pool,
    Row,
    Trigger,
    Value,
    Who,
)
from hsevo.types import Array

Fact: TypeAlias = tuple[str, float]

FACTS = 4096  # numbers of facts are below this
ONE = 256  # 1.0, in `CardFacts`
EIGHTH, QUARTER, HALF = 1 / 8, 1 / 4, 1 / 2
STEPS = 11  # a number from 0 to 10 and more, as one of so many places
_TEXTS = ("play", "combo", "deathrattle", "drawn", "discarded", "at_start")
_FLAGS = ("secret", "shifts", "grows", "positional", "dormant", "doubles_power", "lends_echo",
          "keeps", "magnetic", "mimics", "twin", "takes_for_neighbors")
# The types of the arguments of filters, conditions and amounts; the others are numbers.
_MEANT: dict[IntEnum, type[IntEnum]] = {
    Is.RACE: Race, Is.NOT_RACE: Race, Is.KIND: Kind, Is.IN_PLAY: Kind, Is.KEYWORD: Keyword,
    Is.NOT_KEYWORD: Keyword, Is.MINION_WITH: Keyword, Is.FRESH_WITH: Keyword,
    Is.WEAPON_OF_OTHERS: Class, If.OTHER_RACE: Race, If.HOLD_RACE: Race, If.TARGET_RACE: Race,
    If.HOLD_TWO: Race, If.RACE_AT_LEAST: Race, If.DEFENDER_KIND: Kind, If.HOLD_KIND: Kind,
    If.NONE_IN_DECK: Kind, If.COUNTED: Counter, If.RULE: Rule, Amount.MY_RACE: Race,
    Amount.HAND_KIND: Kind, Amount.WITH_KEYWORD: Keyword, Amount.ENEMIES_WITH_KEYWORD: Keyword,
    Amount.COUNTER: Counter, Amount.COUNTER_OTHERS: Counter,
}  # fmt: skip
# Arguments of an operation other than characters and an amount.
_TAKEN: dict[str, type[IntEnum]] = {
    "keywords": Keyword, "rule": Rule, "gains": Gains, "counter": Counter, "cls": Class,
    "event": Event}
_POOLS = ("pool", "second_pool", "third_pool")
_HANDING_ON = (Op.ATTACH, Op.DETACH, Op.LATER, Op.SET_POWER)  # the text of a card
_GIVEN = "given"


class CardFacts(NamedTuple):
    """The facts of all cards of a ruleset: `begin[c]` to `begin[c + 1]` are those of card c."""

    begin: Array  # int64 (cards + 1,); a card's number is its table index
    fact: Array  # int64 (n,): places in names(), ascending for each card
    value: Array  # int64 (n,), in units of 1 / ONE

    def matrix(self) -> Array:
        """Return the facts, float64 (cards, FACTS), in units of 1 / ONE."""
        whole = np.zeros((len(self.begin) - 1, FACTS))
        whole[np.repeat(np.arange(len(whole)), np.diff(self.begin)), self.fact] = self.value
        return whole


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all facts, in the order of their numbers.

    Those that a card of some shipped ruleset has, in alphabetical order, and then those that only
    cards after Gadgetzan have. Cards that come later may move them, so files that keep numbers keep
    the names as well.

    >>> from hsevo.cards import facts
    >>> "play.DAMAGE" in facts.names()
    True
    """
    older, newer = set[str](), set[str]()
    for ruleset in SHIPPED:
        recent = find_ruleset(ruleset).legal > UP_TO_GADGETZAN
        for card in cards(ruleset).values():
            (newer if recent else older).update(said(card, ruleset))
    known = (*sorted(older), *sorted(newer - older))
    assert len(known) <= FACTS, f"{len(known)} facts"
    return known


@functools.cache
def facts(ruleset: str) -> CardFacts:
    """Return the facts of all cards of a ruleset by table index. Raises CardError.

    Facts that no card of a shipped ruleset has are left out.
    """
    number = {name: i for i, name in enumerate(names())}
    begin, fact, value = [0, 0], [], []
    for card in cards(ruleset).values():
        own = sorted((number[name], round(ONE * x)) for name, x in said(card, ruleset).items()
                     if name in number)
        fact += [i for i, _ in own]
        value += [x for _, x in own]
        begin.append(len(fact))
    assert len(begin) == len(ids(ruleset)) + 1
    return CardFacts(*(np.array(column, np.int64) for column in (begin, fact, value)))


def said(card: Card, ruleset: str = "cig2018") -> Mapping[str, float]:
    """Return the facts of a card by name; ruleset: of the cards that it brings.

    >>> from hsevo.cards import facts, tables
    >>> found = facts.said(tables.cards()["CS2_029"])  # Fireball
    >>> found["cost"], found["DAMAGE.amount"]
    (0.5, 0.75)
    """
    totals: Tally[str] = Tally()
    pool = cards(ruleset)
    for name, x in (*_printed(card), *_texts(card, pool, "")):
        totals[name] += x  # type: ignore[assignment]
    return {name: float(x) for name, x in totals.items() if x}


# -- what is printed ------------------------------------------------------------------------------


def _printed(card: Card) -> Iterator[Fact]:
    yield f"kind.{card.kind.name}", 1
    yield from _number("cost", card.cost, EIGHTH)
    if card.kind is Kind.MINION:
        yield from _number("attack", card.attack, EIGHTH)
        yield from _number("health", card.health, EIGHTH)
    elif card.kind is Kind.WEAPON:
        yield "weapon.attack", card.attack * QUARTER
        yield "weapon.durability", card.health * QUARTER
    elif card.power:  # a hero that is played
        yield "armor", card.armor * EIGHTH
    for cls in classes(card):
        yield f"class.{cls.name}", 1
    yield from _bits("keyword", Keyword, card.keywords)
    yield from _bits("rule", Rule, card.rules)
    for name in ("overload", "spell_damage", "power_damage"):
        yield name, getattr(card, name) * HALF
    for name in _FLAGS:
        yield name, int(bool(getattr(card, name)))
    for some in (card.race, card.cost_rule, card.need):
        if some not in (Race.NONE, CostRule.NONE, Need.NOTHING):
            yield f"{type(some).__name__.lower()}.{some.name}", 1
    yield from _target(card)


def _number(name: str, n: int, unit: float) -> Iterator[Fact]:
    """Yield a number, and which one it is."""
    yield name, n * unit
    yield f"{name}.{min(max(n, 0), STEPS - 1)}", 1


def _bits(name: str, kind: type[IntEnum], bits: int) -> Iterator[Fact]:
    for bit in kind:
        if bits & bit:
            yield f"{name}.{bit.name}", 1


def _target(card: Card) -> Iterator[Fact]:
    if card.target:
        yield "target", 1
        yield from _bits("target", Side, card.target.bits)
        yield from _filter("target.only", card.target.filter)
        yield from _condition("target.if", card.target.when)


# -- texts ----------------------------------------------------------------------------------------


def _texts(card: Card, pool: Mapping[str, Card], prefix: str) -> Iterator[Fact]:
    """Yield the facts of all texts of a card; prefix: of the names of their sections."""
    if card.becomes and not prefix:
        yield from _pool("becomes", card.becomes, pool)
    for name in _TEXTS:
        for row in getattr(card, name):
            yield from _row(f"{prefix}{name}", row, pool)
    for trigger in card.triggers:
        yield from _trigger(f"{prefix}on", trigger, pool)
    for aura in card.auras:
        yield from _aura(f"{prefix}aura", aura)
    if card.reward and not prefix:
        yield "goal", card.goal * EIGHTH
        yield from _brought("reward", pool[card.reward])
        yield from _texts(pool[card.reward], pool, "reward.")
    for option in dict.fromkeys(card.options):
        if option and not prefix:
            yield from _brought("option", pool[option])
            yield from _texts(pool[option], pool, "option.")
    if card.power:
        yield from _brought("power", pool[card.power])
        yield from _texts(pool[card.power], pool, "power.")


def _trigger(name: str, trigger: Trigger, pool: Mapping[str, Card]) -> Iterator[Fact]:
    event = f"{name}.{trigger.event.name}"
    yield event, 1
    yield f"{event}.{trigger.whose.name}", 1
    if trigger.zone is not Zone.BOARD:
        yield f"{name}.zone.{trigger.zone.name}", 1
    yield from _filter(f"{event}.only", trigger.only)
    yield from _condition(f"{name}.if", trigger.when)
    yield from _condition(f"{name}.if", trigger.also)
    for row in trigger.rows:
        yield f"{event}:{_learned(row)[0]}", 1
        yield from _row(name, row, pool)


def _aura(name: str, aura: Aura) -> Iterator[Fact]:
    yield f"{name}.{aura.who.selector.name}", 1
    yield from _filter(f"{name}.only", aura.who.filter)
    yield from _bits(name, Keyword, aura.keywords)
    yield from _condition(f"{name}.if", aura.when)
    for part in ("attack", "health", "cost", "least"):
        yield f"{name}.{part}", getattr(aura, part) * QUARTER
    if aura.price >= 0:
        yield f"{name}.price", 1
        yield f"{name}.price.amount", aura.price * QUARTER
    yield f"{name}.follow", int(aura.follow)
    yield f"{name}.theirs", int(aura.theirs)
    yield f"{name}.only_theirs", int(aura.only_theirs)
    if aura.per is not None:
        yield f"{name}.per.{aura.per.name}", 1
    if aura.each is not Race.NONE:
        yield f"{name}.each.{aura.each.name}", 1


def _learned(row: Row) -> tuple[str, Row]:
    """Return the name and arguments that an operation had when rl:text-2026 learned its facts.

    Some operations took more arguments afterwards. A card of before keeps its facts, and so its
    weights in the network: the new arguments of these operations are said only if they differ from
    what the operation always did.
    """
    if row.op is Op.COPY_CARDS and row.who.selector is Selector.DRAWN_CARD:
        return "COPY_DRAWN", row
    if row.op is Op.OFFER_DECK and row.theirs:
        return "OFFER_ENEMY_DECK", replace(row, theirs=False)
    if row.op is Op.CAST_COPY and row.who.selector is Selector.SELF:
        return row.op.name, replace(row, who=Who(Selector.NOBODY))
    if row.op is Op.SUMMON_COPY_FROM_DECK and row.value == Value(Amount.LITERAL, 1):
        return row.op.name, replace(row, value=Value(Amount.LITERAL, 0))
    return row.op.name, row


def _row(section: str, row: Row, pool: Mapping[str, Card]) -> Iterator[Fact]:
    op, row = _learned(row)
    yield op, 1
    yield f"{section}.{op}", 1
    yield from _who(op, row.who)
    yield from _amount(op, row.value)
    yield from _condition(f"{'unless' if row.negated else 'if'}", row.when)
    for name in row.op.takes:
        yield from _taken(op, name, getattr(row, name), pool)
    if row.op in _HANDING_ON and isinstance(row.card, str) and not section.startswith(_GIVEN):
        yield from _texts(pool[row.card], pool, f"{_GIVEN}.")


def _who(name: str, who: Who) -> Iterator[Fact]:
    if who.selector is not Selector.NOBODY:
        yield f"{name}.{who.selector.name}", 1
    if who.pick:
        yield f"{name}.pick", 1
        yield f"{name}.pick.n", who.pick * QUARTER
    yield from _filter(f"{name}.only", who.filter)


def _amount(name: str, value: Value) -> Iterator[Fact]:
    if value.amount is Amount.LITERAL:
        yield f"{name}.amount", value.n * EIGHTH
    elif value.amount is Amount.BETWEEN:
        yield f"{name}.amount", (value.n + int(value.m)) * HALF * EIGHTH
        yield f"{name}.between", (int(value.m) - value.n) * EIGHTH
    else:
        yield from _argument(f"{name}.amount", value.amount, value.m, value.n)


def _filter(name: str, test: Filter) -> Iterator[Fact]:
    if test != ANYTHING:
        yield from _argument(name, test.test, test.arg)


def _condition(name: str, when: Condition) -> Iterator[Fact]:
    if when.test is not If.ALWAYS:
        yield from _argument(name, when.test, when.arg, when.n)
        yield from _who(name, when.who)


def _argument(name: str, test: IntEnum, arg: int | str | Pool, n: int = 0) -> Iterator[Fact]:
    """Yield a test or an amount with its argument: a word if it stands for one, else a number."""
    whole = f"{name}.{test.name}"
    yield whole, 1
    yield f"{whole}.n", n * EIGHTH
    if isinstance(arg, str):
        yield f"{whole}.card", 1
    elif isinstance(arg, Pool):
        yield f"{whole}.pool", 1
    elif test in _MEANT:
        yield from _words(whole, _MEANT[test], arg)
    else:
        yield f"{whole}.arg", arg * EIGHTH


def _words(name: str, kind: type[IntEnum], value: int) -> Iterator[Fact]:
    if kind in (Keyword, Rule):
        yield from _bits(name, kind, value)
    else:
        yield f"{name}.{kind(value).name}", 1


def _taken(op: str, name: str, value: Any, pool: Mapping[str, Card]) -> Iterator[Fact]:
    """Yield the arguments of an operation other than characters and an amount."""
    if name == "when":
        return
    if name in _POOLS:
        if value is not None:
            yield from _pool(f"{op}.pool", value, pool)
    elif isinstance(value, str):
        yield from _brought(op, pool[value])
    elif name in _TAKEN:
        yield from _words(op, _TAKEN[name], value)
    else:
        yield f"{op}.{name}", int(value) * QUARTER


def _pool(name: str, group: Pool, pool: Mapping[str, Card]) -> Iterator[Fact]:
    yield name, 1
    for word in (group.kind, group.cls, group.race):
        if word is not None:
            yield f"{name}.{type(word).__name__.lower()}.{word.name}", 1
    if group.cost is not None:
        yield from _number(f"{name}.cost", group.cost, EIGHTH)
    if group.origin is not None:
        yield f"{name}.of_a_set", 1
    if group.family is not Family.NONE:
        yield f"{name}.family.{group.family.name}", 1
    yield f"{name}.past", int(group.past)
    yield from _filter(f"{name}.only", group.test)
    for id in group.cards:
        for fact, x in _brought(f"{name}.listed", pool[id]):
            yield fact, x / len(group.cards)


def _brought(name: str, card: Card) -> Iterator[Fact]:
    """Yield the numbers and keywords of a card that a text brings."""
    whole = f"{name}.card"
    yield f"{whole}.{card.kind.name}", 1
    yield f"{whole}.cost", card.cost * EIGHTH
    if card.kind in (Kind.MINION, Kind.WEAPON):
        yield f"{whole}.attack", card.attack * EIGHTH
        yield f"{whole}.health", card.health * EIGHTH
    if card.race is not Race.NONE:
        yield f"{whole}.{card.race.name}", 1
    yield from _bits(whole, Keyword, card.keywords)
