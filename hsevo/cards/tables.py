"""Compile cards to integer tables for the kernels.

`tables(ruleset)` returns one record (dtype `TABLES`) that kernels take as an argument: card stats,
triggers, auras, programs, pools. Index 0 of every table is empty, so 0 means "none".
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from hsevo.cards import potions, sequences
from hsevo.cards.ops import Op
from hsevo.cards.pools import classes, in_pool, of_class
from hsevo.cards.quiet import brings, draws, gains, quiet, raised
from hsevo.cards.reach import reach, reaches_others
from hsevo.cards.rulesets import RULESETS, STUDY_RULESETS, Ruleset
from hsevo.cards.sets import (
    basic,
    brm,
    classic,
    gvg,
    hall_of_fame,
    heroes,
    kara,
    loe,
    msg,
    naxx,
    tgt,
    wotog,
)
from hsevo.cards.sets.potions import COSTS, PARTS
from hsevo.cards.terms import Class, CostRule, Event, Family, If, Kind, Need, Rule, Set, Zone
from hsevo.cards.vocabulary import MINIONS, minions_of_cost
from hsevo.cards.vocabulary.model import (
    Card,
    Condition,
    Filter,
    Pool,
    Row,
    Trigger,
)
from hsevo.cards.wording.nouns import pool_noun
from hsevo.errors import CardError, did_you_mean, quoted

MAX_CARDS, MAX_ROWS, MAX_TRIGGERS, MAX_AURAS = 2048, 8192, 1024, 512
MAX_POOLS, MAX_POOLED = 512, 32768
LINE = 64  # bytes of a cache line, at which a table begins

# The most used fields come first, within one cache line of 64 bytes.
CARD = np.dtype(
    [
        ("kind", "i2"),
        ("cost", "i2"),
        ("attack", "i2"),
        ("health", "i2"),  # a weapon's durability
        ("keywords", "i4"),
        ("watch", "i4"),  # bit e: listens to event e from the board
        ("rules", "i4"),
        ("spell_damage", "i2"),
        ("passive", "i2"),  # 1: in play it changes rules, auras or Spell Damage
        ("reach", "i2"),  # terms.Reach bits: what its auras depend on
        ("discounts", "i2"),  # 1: it changes the cost of cards in hand
        ("counts_hands", "i2"),  # 1: its auras depend on cards in hand
        ("counts_attacks", "i2"),  # 1: its auras depend on whether the hero has attacked
        ("n_auras", "i2"),
        ("aura", "u2"),
        ("race", "i2"),
        ("play", "u2"),  # program row, 0: none
        ("combo", "u2"),
        ("deathrattle", "u2"),
        ("trigger", "u2"),
        ("n_triggers", "i2"),
        ("overload", "i2"),
        ("target", "i2"),  # terms.Side bits, 0: not aimed
        ("cost_rule", "i2"),
        ("need", "i2"),
        ("secret", "i2"),
        ("positional", "i2"),
        ("rarity", "i2"),
        ("deck_watch", "i4"),
        ("cls", "i2"),
        ("target_test", "i2"),
        ("target_arg", "i4"),
        ("target_when", "i2"),
        ("target_when_arg", "i2"),
        ("option", "u2", (3,)),  # the third: both of them, if that is a card
        ("classes", "i2"),  # bit c: a card of class c; 0: neutral
        ("at_start", "u2"),  # program: when the game begins, if it is in the deck or hand
        ("shifts", "i2"),  # 1: in hand it becomes a random minion, again and again
        ("power_damage", "i2"),
        ("better", "u2"),  # a hero power: what it can be upgraded to
        ("hand_watch", "i4"),  # bit e: listens to event e from the hand
        ("drawn", "u2"),  # programs: when it is drawn, when it is discarded
        ("discarded", "u2"),
        ("grows", "i2"),  # 1: enters play with what its owner has collected for C'Thun
        ("collectible", "i2"),
        ("quiet", "i2"),  # terms.Quiet: what look-aheads see of its text
        ("brings", "u2"),  # row of its text that summons a minion, if it is quiet
        ("draws", "i2"),  # cards that its text draws, if it is quiet
        ("raised", "i4"),  # bit e: playing it raises event e, if it is quiet
        ("shared", "i2"),  # 1: it has auras on others than itself
        ("lends", "i2"),  # 1: it has rules or Spell Damage, which may be conditions of auras
        ("removal", "i2"),  # 1: a spell that destroys, transforms or steals a minion
    ],
    align=True,
)
ROW = np.dtype(
    [
        ("op", "i2"),
        ("who", "i2"),
        ("test", "i2"),
        ("pick", "i2"),
        ("arg", "i4"),
        ("amount", "i2"),
        ("n", "i2"),
        ("nm", "i2"),
        ("m", "i2"),
        ("a", "i4"),
        ("b", "i4"),
    ],
    align=True,
)
TRIGGER = np.dtype(
    [
        ("event", "i2"),
        ("whose", "i2"),
        ("zone", "i2"),
        ("test", "i2"),
        ("arg", "i4"),
        ("when", "i2"),
        ("when_arg", "i2"),
        ("program", "u2"),
        ("last", "i2"),
        ("behind", "u2"),  # of a secret: a card that comes first, also if it was played later
        ("gains", "i2"),  # attack that its minion gains, if it does nothing else
    ],
    align=True,
)
AURA = np.dtype(
    [
        ("who", "i2"),
        ("test", "i2"),
        ("arg", "i4"),
        ("keywords", "i4"),
        ("attack", "i2"),
        ("health", "i2"),
        ("when", "i2"),
        ("when_arg", "i2"),
        ("cost", "i2"),
        ("theirs", "i2"),
        ("each", "i2"),
        ("least", "i2"),
        ("price", "i2"),  # above 0: the cost itself, plus 1
        ("follow", "i2"),
    ],
    align=True,
)
TABLES = np.dtype(
    [
        ("card", CARD, (MAX_CARDS,)),
        ("row", ROW, (MAX_ROWS,)),
        ("trigger", TRIGGER, (MAX_TRIGGERS,)),
        ("aura", AURA, (MAX_AURAS,)),
        ("pool", "i4", (MAX_POOLS, 3)),  # first, count in `pooled`; Family: + class is the pool
        ("pooled", "u2", (MAX_POOLED,)),
        ("sequence", "u2", (8,)),  # program rows of sequences.SEQUENCES
        ("hero", "i2", (10,)),  # by class
        ("power", "i2", (10,)),  # 0: none
        ("class_pool", "i2", (10,)),  # pool of all cards of a class
        ("minion_pool", "i2"),  # pool of all minions
        ("potion", "i2", (3, 10, 10)),  # Kazakus: cost, first part < second part -> card
        ("part", "i2", (3, 10)),  # the choice cards of its parts
        ("n_parts", "i2", (3,)),
        ("potion_cost", "i2", (3,)),  # the choice cards of its costs
        ("of_cost", "u2", (27,)),  # the pool of minions of each cost
        ("coin", "i2"),
        ("both_dead", "i2"),  # the result when both heroes die at once
        ("mulligan", "i2"),
        ("cast_first", "i2"),  # 1: cards then in play react to a cast even if it is countered
        ("first_begins", "i2"),  # 1: player 0 begins every game
        ("own_cost_first", "i2"),  # 1: a card's own text changes its cost before all else does
        ("n_cards", "i2"),
    ],
    align=True,
)


_REMOVES = (Op.DESTROY, Op.TRANSFORM, Op.STEAL)
_ABOUT_HANDS = (If.HOLD_RACE, If.HAND_EMPTY, If.ENEMY_CARDS_AT_LEAST)


def _doubled(deathrattle: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows of a Deathrattle, which may run twice (Rule.DEATHRATTLES_TWICE)."""
    return (Row(Op.DEATHRATTLE), *deathrattle) if deathrattle else ()


_TEXTLESS: dict[str, Any] = {
    "play": (),
    "combo": (),
    "deathrattle": (),
    "drawn": (),
    "discarded": (),
    "at_start": (),
    "shifts": False,
    "triggers": (),
    "auras": (),
    "options": (),
    "rules": 0,
    "target": None,
    "cost_rule": CostRule.NONE,
    "need": Need.NOTHING,
}


@functools.cache
def sets() -> dict[str, Set | None]:
    """Return the set of each card; None for heroes, powers and the like."""
    origin: dict[str, Set | None] = {}
    for cards, where in _groups():
        origin.update({card.id: where for card in cards})
    for rules in STUDY_RULESETS.values():
        origin.update({card.id: None for card in rules.own_cards})
    return origin


def _groups() -> list[tuple[tuple[Card, ...], Set | None]]:
    return [
        (heroes.CARDS, None),
        (basic.CARDS, Set.BASIC),
        (classic.CARDS, Set.CLASSIC),
        (hall_of_fame.CARDS, Set.HALL_OF_FAME),
        (naxx.CARDS, Set.NAXXRAMAS),
        (gvg.CARDS, Set.GOBLINS_VS_GNOMES),
        (brm.CARDS, Set.BLACKROCK),
        (tgt.CARDS, Set.GRAND_TOURNAMENT),
        (loe.CARDS, Set.EXPLORERS),
        (wotog.CARDS, Set.OLD_GODS),
        (kara.CARDS, Set.KARAZHAN),
        (msg.CARDS, Set.GADGETZAN),
        (potions.CARDS, None),
    ]


@functools.cache
def cards(ruleset: str = "cig2018") -> dict[str, Card]:
    """Return the cards of a ruleset by id, with its changes, in table order.

    Raises CardError if there is no such ruleset.
    """
    rules = find_ruleset(ruleset)
    pool: dict[str, Card] = {}
    for group, where in _groups():
        for card in group:
            if card.id in pool:
                raise ValueError(f"card {card.id} is defined twice in the card files")
            textless = where in rules.textless_sets
            pool[card.id] = replace(card, **_TEXTLESS) if textless else card
    pool |= {card.id: card for card in rules.own_cards}
    for id, change in rules.changes.items():
        pool[id] = replace(pool[id], **change)
    return pool


def find_ruleset(name: str) -> Ruleset:
    """Return a ruleset by its name. Raises CardError if there is none."""
    if name in STUDY_RULESETS:
        return STUDY_RULESETS[name]
    if name not in RULESETS:
        hint = did_you_mean(name, RULESETS) or f"; known are {', '.join(RULESETS)}"
        raise CardError(f"unknown ruleset {quoted(name)}{hint}")
    return RULESETS[name]


@functools.cache
def index(ruleset: str = "cig2018") -> dict[str, int]:
    """Return the table index of each card id."""
    return {id: i for i, id in enumerate(cards(ruleset), start=1)}


@functools.cache
def ids(ruleset: str = "cig2018") -> tuple[str, ...]:
    """Return the card id of each table index ('' at 0)."""
    return ("", *cards(ruleset))


@functools.cache
def by_name(ruleset: str = "cig2018") -> dict[str, str]:
    """Return the ids of the collectible cards by name."""
    return {card.name: card.id for card in cards(ruleset).values() if card.collectible}


def pool_ids(ruleset: str, pool: Pool) -> list[str]:
    """Return the ids of the cards of a pool under a ruleset's format."""
    if pool.cards:
        return list(pool.cards)
    formats = find_ruleset(ruleset).sets
    where = sets()
    return [
        id for id, card in cards(ruleset).items() if where[id] in formats and in_pool(card, pool)
    ]


class _Compiler:
    """Fills one TABLES record from the cards of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.cards = cards(ruleset)
        self.index = index(ruleset)
        room = np.zeros(TABLES.itemsize + LINE, np.uint8)
        first = -room.ctypes.data % LINE
        self.table = room[first : first + TABLES.itemsize].view(TABLES).view(np.recarray)[0]
        self.rows, self.triggers, self.auras = 1, 1, 1
        self.pools: dict[Pool, int] = {}
        self.n_pools = self.pooled = 0

    def number(self, value: object) -> int:
        """Resolve a row's parameter: a card id, a pool, or a number."""
        if isinstance(value, Pool):
            return self.pool(value)
        return self.index[value] if isinstance(value, str) else int(value)  # type: ignore

    def pool(self, pool: Pool) -> int:
        if pool not in self.pools:
            ids = pool_ids(self.ruleset, pool)
            self.pools[pool] = self.n_pools + 1
            if pool.family is Family.NONE:
                self.add_pool(ids)
            else:
                self.add_pool([], pool.family)
                members = [self.cards[id] for id in ids]
                for cls in Class:
                    if cls is not Class.NEUTRAL:
                        self.add_pool(of_class(pool, cls, members))
        return self.pools[pool]

    def find(self, value: str | Pool) -> list[Card]:
        """Return the cards of an id or a pool."""
        ids = pool_ids(self.ruleset, value) if isinstance(value, Pool) else [value]
        return [self.cards[id] for id in ids]

    def add_pool(self, ids: list[str], family: Family = Family.NONE) -> None:
        self.n_pools += 1
        self.table.pool[self.n_pools] = (self.pooled, len(ids), family)
        self.table.pooled[self.pooled : self.pooled + len(ids)] = [self.index[id] for id in ids]
        self.pooled += len(ids)

    def test(self, test: Filter) -> tuple[int, int]:
        return int(test.test), self.number(test.arg)

    def condition(self, condition: Condition) -> tuple[int, int]:
        if condition.test in (If.THERE_IS, If.OWN_ATTACK_AT_LEAST):
            raise ValueError(f"{condition.test!r} is for effects, not for triggers and auras")
        return int(condition.test), self.number(condition.arg)

    def program(self, rows: Iterable[Row]) -> int:
        """Append rows and an END; return the index of the first, 0 for no rows."""
        rows = tuple(rows)
        if not rows:
            return 0
        first = self.rows
        for row in rows:
            out = self.table.row[self.rows]
            out.op, out.who, out.pick = row.op, row.who.selector, row.who.pick
            out.test, out.arg = self.test(row.who.filter)
            out.amount, out.n, out.nm = row.value.amount, row.value.n, self.number(row.value.m)
            out.a, out.b, out.m = self.number(row.a), self.number(row.b), self.number(row.m)
            self.rows += 1
        self.rows += 1  # END is 0
        return first

    def trigger(self, card: Card, trigger: Trigger) -> None:
        rows = trigger.rows
        if trigger.event in (Event.TURN_START, Event.TURN_END):
            rows = (*rows, Row(Op.DEATHS))  # rulebook: deaths after each of these triggers
        out = self.table.trigger[self.triggers]
        out.event, out.whose, out.zone = trigger.event, trigger.whose, trigger.zone
        out.last, out.gains = trigger.last, gains(card, trigger)
        out.behind = self.index[trigger.behind] if trigger.behind else 0
        out.test, out.arg = self.test(trigger.only)
        out.when, out.when_arg = self.condition(trigger.when)
        out.program = self.program(rows)
        self.triggers += 1

    def card(self, card: Card) -> None:
        out = self.table.card[self.index[card.id]]
        for name in ("kind", "cls", "cost", "attack", "health", "race", "rarity", "keywords"):
            out[name] = getattr(card, name)
        for name in ("rules", "overload", "spell_damage", "power_damage", "secret"):
            out[name] = getattr(card, name)
        out.cost_rule, out.need = card.cost_rule, card.need
        out.positional, out.collectible = card.positional, card.collectible
        if card.target:
            out.target = card.target.bits
            out.target_when, out.target_when_arg = self.condition(card.target.when)
            out.target_test, out.target_arg = self.test(card.target.filter)
        out.play, out.combo = self.program(card.play), self.program(card.combo)
        out.deathrattle = self.program(_doubled(card.deathrattle))
        out.drawn, out.discarded = self.program(card.drawn), self.program(card.discarded)
        out.grows, out.shifts = card.grows, card.shifts
        out.at_start = self.program(card.at_start)
        out.classes = sum(1 << cls for cls in classes(card) if cls)
        out.trigger, out.n_triggers = self.triggers, len(card.triggers)
        for trigger in card.triggers:
            self.trigger(card, trigger)
            mask = 1 << trigger.event
            if trigger.zone is Zone.DECK:
                out.deck_watch |= mask
            elif trigger.zone is Zone.HAND:
                out.hand_watch |= mask
            else:
                out.watch |= mask
        self.add_auras(card)
        if card.power_damage:
            out.rules |= Rule.POWER_HITS_HARDER
        out.lends = bool(out.rules or card.spell_damage)
        out.passive = bool(card.auras or out.lends)
        out.raised, out.draws, summons = raised(card), draws(card), brings(card)
        out.brings = 0 if summons is None else out.play + summons
        out.quiet, out.shared = quiet(card, self.find), any(map(reaches_others, card.auras))
        out.reach = functools.reduce(operator.or_, map(reach, card.auras), 0)
        out.discounts = any(aura.cost or aura.price >= 0 for aura in card.auras)
        out.counts_hands = any(aura.when.test in _ABOUT_HANDS for aura in card.auras)
        out.counts_attacks = any(aura.when.test is If.HERO_IDLE for aura in card.auras)
        out.removal = card.kind is Kind.SPELL and any(row.op in _REMOVES for row in card.play)
        out.better = self.index[card.better] if card.better else 0
        for i, id in enumerate(card.options):
            out.option[i] = self.index[id]

    def add_auras(self, card: Card) -> None:
        out = self.table.card[self.index[card.id]]
        out.aura, out.n_auras = self.auras, len(card.auras)
        for aura in card.auras:
            row = self.table.aura[self.auras]
            row.who = aura.who.selector
            row.test, row.arg = self.test(aura.who.filter)
            row.attack, row.health, row.keywords = aura.attack, aura.health, aura.keywords
            row.when, row.when_arg = self.condition(aura.when)
            row.cost, row.theirs, row.each = aura.cost, aura.theirs, aura.each
            row.least, row.follow, row.price = aura.least, aura.follow, aura.price + 1
            self.auras += 1

    def general(self) -> None:
        """Fill the tables that belong to no single card."""
        table, rules = self.table, find_ruleset(self.ruleset)
        for sequence, rows in sequences.SEQUENCES.items():
            table.sequence[sequence] = self.program(rows)
        for cls, (hero, power) in heroes.BY_CLASS.items():
            table.hero[cls] = self.index[hero]
            table.power[cls] = self.index[power] if rules.powers else 0
            table.class_pool[cls] = self.pool(Pool(cls=cls))
        for cost in range(len(table.of_cost)):
            table.of_cost[cost] = self.pool(minions_of_cost(cost))
        table.minion_pool = self.pool(MINIONS)
        for i, size in enumerate(COSTS):
            table.potion_cost[i] = self.index[size.id]
            table.n_parts[i] = len(PARTS[i])
            for j, part in enumerate(PARTS[i]):
                table.part[i, j] = self.index[part.id]
                for k in range(j + 1, len(PARTS[i])):
                    potion = self.index[potions.potion_id(i, j, k)]
                    table.potion[i, j, k] = table.potion[i, k, j] = potion
        table.coin, table.n_cards = self.index["GAME_005"], len(self.cards)
        table.both_dead, table.mulligan = rules.both_dead, rules.mulligan
        table.cast_first, table.first_begins = rules.cast_first, rules.first_begins
        table.own_cost_first = rules.own_cost_first


@functools.cache
def _compile(ruleset: str) -> _Compiler:
    compiler = _Compiler(ruleset)
    compiler.general()
    for card in compiler.cards.values():
        compiler.card(card)
    return compiler


def tables(ruleset: str = "cig2018") -> np.record:
    """Return the tables of a ruleset: one record of dtype TABLES. Do not write to it."""
    return cast(np.record, _compile(ruleset).table)


def pool_report(ruleset: str = "cig2018") -> dict[str, list[str]]:
    """Return all random pools of a ruleset's cards: description -> card ids."""
    compiled = _compile(ruleset)
    found = {_describe(ruleset, pool): pool_ids(ruleset, pool) for pool in compiled.pools}
    return {name: ids for name, ids in found.items() if ids}


def _describe(ruleset: str, pool: Pool) -> str:
    if pool.cards and not pool.name:
        return "one of " + " ".join(pool.cards[:3]) + (" ..." if len(pool.cards) > 3 else "")
    return pool_noun(cards(ruleset), pool).one()
