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

from hsevo.cards import potions, sequences, stored
from hsevo.cards.forecast import brings, draws, forecast, gains, raised
from hsevo.cards.late import needs_late
from hsevo.cards.ops import Op
from hsevo.cards.pools import classes, in_pool, of_class
from hsevo.cards.reach import reach, reaches_others
from hsevo.cards.rulesets import RULESETS, SHIPPED, STANDARD, STUDY_RULESETS, Ruleset
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
from hsevo.cards.terms import (
    COUNTED_AT,
    ON_NUMBERS,
    Class,
    CostRule,
    Counter,
    Event,
    Family,
    If,
    Keyword,
    Kind,
    Need,
    Noted,
    Rule,
    Set,
    Shift,
    Zone,
)
from hsevo.cards.vocabulary import (
    MAGE,
    MINIONS,
    WEAPONS,
    counted,
    counted_at_least,
    minions_of_cost,
    spells_of,
)
from hsevo.cards.vocabulary.model import (
    Card,
    Condition,
    Filter,
    Pool,
    Row,
    Trigger,
)
from hsevo.cards.wording.phrases import pool_title
from hsevo.config.overlays import RULES, is_overlay, parts, ruleset_of
from hsevo.errors import CardError, did_you_mean, quoted
from hsevo.types import Array

# Overlays may be many, in a search for changes; what is made of one takes a megabyte.
_remember = functools.lru_cache(maxsize=64)
_FACTS = {Kind.MINION: ("cost", "attack", "health"), Kind.WEAPON: ("cost", "attack", "durability"),
          Kind.SPELL: ("cost",), Kind.POWER: ("cost",)}
_NOTED = (Op.CAST_NOTED, Op.RETURN_BROKEN, Op.CAST_OF_TURN)
# what cards of a kind that shift at random become
SHIFTING = {Kind.MINION: MINIONS, Kind.WEAPON: WEAPONS, Kind.SPELL: spells_of(MAGE)}
_REMOVES = (Op.DESTROY, Op.TRANSFORM, Op.STEAL)
_RECALLS = (Op.REPEAT_BATTLECRIES, Op.REPLAY)
_OF_SPELLS = (Op.RECAST, Op.RETURN_PLAYED_SPELLS)
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
    "shifts": Shift.NOTHING,
    "becomes": None,
    "keeps": False,
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
    for where, cards in _own_groups():
        origin.update({card.id: where for card in cards})
    return origin


def _own_groups() -> list[tuple[Set | None, tuple[Card, ...]]]:
    """Return the cards that some shipped rulesets have and cig2018 has not, by set."""
    return [group for name in SHIPPED for group in find_ruleset(name).own_cards]


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


@_remember
def cards(ruleset: str = "cig2018") -> dict[str, Card]:
    """Return the cards of a ruleset by id, with its changes, in table order.

    Raises CardError if there is no such ruleset.
    """
    rules = find_ruleset(ruleset)
    pool: dict[str, Card] = {}
    for group, where in [*_groups(), *((cards, where) for where, cards in rules.own_cards)]:
        for card in group:
            if card.id in pool:
                raise ValueError(f"card {card.id} is defined twice in the card files")
            textless = where in rules.textless_sets
            pool[card.id] = replace(card, **_TEXTLESS) if textless else card
    for id, change in rules.changes.items():
        pool[id] = replace(pool[id], **change)
    return pool


def find_ruleset(name: str) -> Ruleset:
    """Return a ruleset by its name. Raises CardError if there is none."""
    if name in STUDY_RULESETS:
        return STUDY_RULESETS[name]
    if name not in RULESETS and (overlay := ruleset_of(name)) and is_overlay(overlay):
        return _overlaid(overlay)
    if name not in RULESETS:
        hint = did_you_mean(name, RULESETS) or f"; choose from {', '.join(RULESETS)}"
        raise CardError(f"unknown ruleset {quoted(name)}{hint}")
    return RULESETS[name]


@_remember
def _overlaid(line: str) -> Ruleset:
    """Return a ruleset with the changed cards of an overlay. Raises CardError."""
    base, overlay = parts(line)
    rules, known = find_ruleset(base), cards(base)
    changes = {id: dict(change) for id, change in rules.changes.items()}
    said = ", ".join(f"{name} {fact} {value}" for name, facts in overlay.items()
                     for fact, value in facts.items())
    fatigue = overlay.pop(RULES, {}).get("fatigue", rules.fatigue)
    for name, facts in overlay.items():
        card = known[card_of(name, base)]
        for fact, value in facts.items():
            changes.setdefault(card.id, {})[_field(card, fact)] = value
    return replace(rules, name=line, says=f"{rules.says}; changed: {said}", changes=changes,
                   fatigue=bool(fatigue))


def fact_of(name: str, fact: str, ruleset: str) -> int:
    """Return a fact of a card, such as its cost, as overlays change it. Raises CardError."""
    card = cards(ruleset)[card_of(name, ruleset)]
    return int(getattr(card, _field(card, fact)))


def card_of(name: str, base: str) -> str:
    """Return the id of a card that an overlay names, by name or id. Raises CardError."""
    if name in cards(base):
        return name
    named = {known.casefold(): id for known, id in by_name(base).items()}
    if name.casefold() not in named:
        raise CardError(f"an overlay of {base} changes {quoted(name)}, which is not a"
                        f" card{did_you_mean(name, by_name(base))}")
    return named[name.casefold()]


def title(id: str, ruleset: str) -> str:
    """Return how an overlay names a card: by its name, or its id if another card is called so."""
    name = cards(ruleset)[id].name
    return name if by_name(ruleset).get(name) == id else id


def facts_of(id: str, ruleset: str) -> tuple[str, ...]:
    """Return the facts of a card that an overlay may change, such as its cost."""
    return _FACTS.get(cards(ruleset)[id].kind, ())


def _field(card: Card, fact: str) -> str:
    """Return the field of a card that has a fact. Raises CardError if it has no such fact."""
    has = _FACTS.get(card.kind, ())
    if fact not in has:
        others = f"; it has {', '.join(has)}" if has else ""
        raise CardError(f"{card.name} has no {fact} that an overlay could change{others}")
    return "health" if fact == "durability" else fact


def base_of(name: str) -> str:
    """Return the ruleset that an overlay changes, of another one itself."""
    return name.partition("+")[0]


@functools.cache
def every_card() -> dict[str, Card]:
    """Return all cards by id: those of cig2018, and those that only other rulesets have."""
    own = (card for _, group in _own_groups() for card in group)
    return cards() | {card.id: card for card in own}


@functools.cache
def home_of(id: str) -> str | None:
    """Return the first ruleset that has a card; None for a card of all rulesets."""
    if id in index():
        return None
    return next((name for name in SHIPPED if id in index(name)), None)


def only_in(id: str) -> str:
    """Return which rulesets have a card: "only ruleset hearthsim has"."""
    names = [name for name in SHIPPED if id in index(name)]
    if len(names) == 1:
        return f"only ruleset {names[0]} has"
    return f"only rulesets {', '.join(names[:-1])} and {names[-1]} have"


def is_legal(id: str, ruleset: str) -> bool:
    """Return whether decks of a ruleset may have a card: whether its set is there.

    True of what is no card: who looks it up refuses it.

    >>> from hsevo.cards import tables
    >>> tables.is_legal("KAR_076", "blackrock2015")  # Firelands Portal
    False
    """
    return (where := sets().get(id)) is None or where in find_ruleset(ruleset).legal


@_remember
def index(ruleset: str = "cig2018") -> dict[str, int]:
    """Return the table index of each card id."""
    return {id: i for i, id in enumerate(cards(ruleset), start=1)}


@_remember
def ids(ruleset: str = "cig2018") -> tuple[str, ...]:
    """Return the card id of each table index ('' at 0)."""
    return ("", *cards(ruleset))


@_remember
def by_name(ruleset: str = "cig2018") -> dict[str, str]:
    """Return the ids of the collectible cards by name."""
    return {card.name: card.id for card in cards(ruleset).values() if card.collectible}


def pool_ids(ruleset: str, pool: Pool) -> list[str]:
    """Return the ids of the cards of a pool under a ruleset's format."""
    if pool.cards:
        return list(pool.cards)
    if pool.origin:
        return [id for id, card in cards(ruleset).items()
                if sets()[id] is pool.origin and in_pool(card, pool)]
    ids = [card.id for card in _in_format(ruleset) if in_pool(card, pool)]
    if not pool.past:
        return ids
    allowed, retired = STANDARD.get(find_ruleset(ruleset).year, (frozenset(Set), frozenset()))
    return [id for id in ids if sets()[id] not in allowed or id in retired]


@_remember
def _in_format(ruleset: str) -> list[Card]:
    """Return the collectible cards of the sets of a ruleset's format: pools have no others."""
    formats, where = find_ruleset(ruleset).sets, sets()
    return [card for id, card in cards(ruleset).items()
            if card.collectible and where[id] in formats]


class _Out:
    """A row of a table that is being filled, as numpy's records in a tenth of their time."""

    __slots__ = ("_row",)

    def __init__(self, row: np.void) -> None:
        object.__setattr__(self, "_row", row)

    def __getattr__(self, name: str) -> Any:
        return self._row[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._row[name] = value


class _Compiler:
    """Fills one TABLES record from the cards of a ruleset."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.cards = cards(ruleset)
        self.index = index(ruleset)
        self.namesakes = {card.name: self.index[id] for id, card in reversed(self.cards.items())}
        self.echoes = any(card.lends_echo for card in self.cards.values())
        self.recalls = any(row.op in _RECALLS for card in self.cards.values() for row in card.play)
        self.asks_played = any(
            card.cost_rule is CostRule.MANA_ON_SPELLS
            or any(row.op in _OF_SPELLS for row in card.play) for card in self.cards.values())
        self.mimics = any(card.mimics for card in self.cards.values())
        self.asks_place = any(
            trigger.when == counted_at_least(Counter.RIGHTMOST, 1)
            for card in self.cards.values() for trigger in card.triggers)
        self._make_room()
        self.rows, self.triggers, self.auras = 1, 1, 1
        self.pools: dict[Pool, int] = {}
        self.n_pools = self.pooled = 0

    def _make_room(self) -> None:
        """Make an empty table."""
        self.table = (plain := stored.empty()).view(np.recarray)[0]
        self.card_rows, self.program_rows = plain[0]["card"], plain[0]["row"]
        self.trigger_rows, self.aura_rows = plain[0]["trigger"], plain[0]["aura"]

    def copy(self) -> _Compiler:
        """Return a copy with a table of its own."""
        copy = object.__new__(_Compiler)
        copy.__dict__.update(self.__dict__)
        copy._make_room()
        copy.table.base[:] = self.table.base
        copy.pools = dict(self.pools)
        return copy

    def number(self, value: object) -> int:
        """Resolve what a row takes: a card id, a pool or none, or a number."""
        if value is None:
            return 0
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
        if condition.test in (If.THERE_IS, If.DREW):
            raise ValueError(f"{condition.test!r} is for effects, not for triggers and auras")
        return self.row_condition(condition)

    def row_condition(self, condition: Condition) -> tuple[int, int]:
        arg = self.number(condition.arg)
        if condition.test in ON_NUMBERS:
            arg = COUNTED_AT * arg + condition.n
        if condition.test is If.RULE:
            arg = arg.bit_length() - 1  # which bit it is: the rule itself may be too large
        return int(condition.test), arg

    def program(self, rows: Iterable[Row]) -> int:
        """Append rows and an END; return the index of the first, 0 for no rows."""
        rows = tuple(rows)
        if not rows:
            return 0
        first = self.rows
        for row in rows:
            out = _Out(self.program_rows[self.rows])
            out.op, out.who, out.pick = row.op, row.who.selector, row.who.pick
            out.test, out.arg = self.test(row.who.filter)
            out.amount, out.n, out.nm = row.value.amount, row.value.n, self.number(row.value.m)
            out.when, out.when_arg = self.row_condition(row.when)
            for name in row.op.takes:
                if name != "when":
                    setattr(out, name, self.number(getattr(row, name)))
            self.rows += 1
        self.rows += 1  # END is 0
        return first

    def trigger(self, card: Card, trigger: Trigger) -> None:
        rows = trigger.rows
        if trigger.event in (Event.TURN_START, Event.TURN_END):
            rows = (*rows, Row(Op.DEATHS))  # rulebook: deaths after each of these triggers
        out = _Out(self.trigger_rows[self.triggers])
        out.event, out.whose, out.zone = trigger.event, trigger.whose, trigger.zone
        out.last, out.gains = trigger.last, gains(card, trigger)
        out.behind = self.index[trigger.behind] if trigger.behind else 0
        out.test, out.arg = self.test(trigger.only)
        out.when, out.when_arg = self.condition(trigger.when)
        out.also, out.also_arg = self.condition(trigger.also)
        out.program = self.program(rows)
        self.triggers += 1

    def card(self, card: Card) -> None:
        out = _Out(self.card_rows[self.index[card.id]])
        for name in ("kind", "cls", "cost", "attack", "health", "race", "rarity", "keywords"):
            setattr(out, name, getattr(card, name))
        for name in ("rules", "overload", "spell_damage", "power_damage", "secret"):
            setattr(out, name, getattr(card, name))
        out.cost_rule, out.need = card.cost_rule, card.need
        out.positional, out.collectible = card.positional, card.collectible
        if card.target:
            out.target = card.target.bits
            out.target_when, out.target_when_arg = self.condition(card.target.when)
            out.target_test, out.target_arg = self.test(card.target.filter)
        out.play, out.combo = self.program(_counting(card)), self.program(card.combo)
        out.deathrattle = self.program(_doubled(card.deathrattle))
        out.drawn, out.discarded = self.program(card.drawn), self.program(card.discarded)
        out.grows, out.shifts, out.keeps = card.grows, card.shifts, card.keeps
        out.becomes, out.cost_arg = self.number(card.becomes), self.number(card.cost_arg or 0)
        out.armor, out.lasts, out.hidden = card.armor, card.lasts, card.hidden
        out.power = self.index[card.power] if card.power else 0
        out.at_start = self.program(card.at_start)
        out.mimics = self.index[card.id] if card.mimics else 0
        out.doubles_combos, out.widens_power = card.doubles_combos, card.widens_power
        out.twin = self.index[card.twin] if card.twin else 0
        out.takes_for_neighbors = card.takes_for_neighbors
        out.doubles_healing, out.doubles_weapons = card.doubles_healing, card.doubles_weapons
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
        if card.power_damage or card.doubles_power or card.doubles_healing or card.widens_power:
            out.rules |= Rule.POWER_HITS_HARDER
        out.rules |= Rule.TAKES_FOR_HERO * card.takes_for_neighbors
        out.lends = bool(out.rules or card.spell_damage)
        out.passive = bool(card.auras or out.lends)
        out.raised, out.draws, summons = raised(card), draws(card), brings(card)
        out.brings = 0 if summons is None else out.play + summons
        out.forecast = forecast(card, self.find)
        out.shared = any(map(reaches_others, card.auras))
        out.reach = functools.reduce(operator.or_, map(reach, card.auras), 0)
        out.discounts = any(aura.cost or aura.price >= 0 for aura in card.auras)
        out.counts_hands = any(aura.when.test in _ABOUT_HANDS for aura in card.auras)
        out.counts_attacks = any(aura.when.test is If.HERO_IDLE for aura in card.auras)
        out.noted, out.lends_echo = self.noted(card), card.lends_echo
        out.doubles_power, out.restores = card.doubles_power, card.restores
        out.removal = card.kind is Kind.SPELL and any(row.op in _REMOVES for row in card.play)
        out.better = self.index[card.better] if card.better else 0
        out.goal, out.reward = card.goal, self.index[card.reward] if card.reward else 0
        out.dormant, out.namesake = card.dormant, self.namesakes[card.name]
        for i, id in enumerate(card.options):
            out.option[i] = self.index[id]

    def noted(self, card: Card) -> int:
        """Return what playing a card leaves; 0 where no text reads it."""
        bits = Noted.ECHO if card.keywords & Keyword.ECHO else 0
        if self.echoes and card.kind is Kind.MINION:
            bits |= Noted.MINION
        bits |= Noted.MAGNETIC if card.magnetic else 0
        bits |= Noted.TWIN if card.twin else 0
        bits |= Noted.GROWN if _grows_in_hand(card) else 0
        bits |= Noted.PLACE if self.asks_place else 0
        bits |= Noted.LAST if self.mimics and card.kind is Kind.MINION else 0
        if self.recalls:
            cries = card.kind is not Kind.SPELL and card.play
            bits |= (Noted.BATTLECRY if cries else 0) | (Noted.CLASS if any(classes(card)) else 0)
        bits |= Noted.SPELL if self.asks_played and card.kind is Kind.SPELL else 0
        return bits

    def add_auras(self, card: Card) -> None:
        out = _Out(self.card_rows[self.index[card.id]])
        out.aura, out.n_auras = self.auras, len(card.auras)
        for aura in card.auras:
            row = _Out(self.aura_rows[self.auras])
            row.who = aura.who.selector
            row.test, row.arg = self.test(aura.who.filter)
            row.attack, row.health, row.keywords = aura.attack, aura.health, aura.keywords
            row.when, row.when_arg = self.condition(aura.when)
            row.cost, row.theirs = aura.cost, 2 if aura.only_theirs else aura.theirs
            row.each = aura.each if aura.per is None else -1 - aura.per
            row.least, row.follow, row.price = aura.least, aura.follow, aura.price + 1
            row.spell_damage = aura.spell_damage
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
        for kind, pool in SHIFTING.items():
            table.shift_pool[kind] = self.pool(pool)
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
        table.own_cost_first, table.fatigue = rules.own_cost_first, rules.fatigue
        table.keeps_changes = rules.keeps_changes
        plays = [row for card in self.cards.values() for row in card.play]
        table.asks_hurt = any(row.when.test is If.HERO_HURT for row in plays)
        table.keeps_upgrades = any(row.upgraded for row in plays)
        table.keeps_given = any(
            row.op is Op.SHUFFLE_KEPT for card in self.cards.values() for row in card.deathrattle)
        table.asks_harm = any(row.value == counted(Counter.HERO_DAMAGE) for row in plays)
        table.asks_opening = any(row.op is Op.ADD_OPENING for row in plays)
        table.asks_spells = any(
            aura.when.test is If.NO_SPELL_CAST for card in self.cards.values()
            for aura in card.auras) or any(
            card.target.when == counted_at_least(Counter.SPELLS_NOW, 2)
            for card in self.cards.values() if card.target)
        table.asks_power = any(
            trigger.event is Event.POWER_KILLED for card in self.cards.values()
            for trigger in card.triggers)
        table.asks_casts = any(
            row.op is Op.CAST_OF_TURN for card in self.cards.values()
            for trigger in card.triggers for row in trigger.rows)
        table.asks_restored = any(
            row.when.test is If.COUNTED and row.when.arg == Counter.RESTORED for row in plays)
        table.quests = any(card.goal for card in self.cards.values())
        table.notes = any(map(_asks_for_notes, self.cards.values()))


@functools.lru_cache(maxsize=16)
def with_program(ruleset: str, rows: tuple[Row, ...]) -> tuple[Array, int]:
    """Return the tables of a ruleset, TABLES (1,), with one more program, and where it begins.

    All that is there keeps its place, so games of the ruleset can be played by them.
    """
    compiler = _compile(ruleset).copy()
    start = compiler.program(rows)
    compiler.table.late = needs_late(compiler.table)
    return cast(Array, compiler.table.base), start


def _grows_in_hand(card: Card) -> bool:
    """Return whether a card becomes stronger in hand."""
    return any(row.op is Op.GROW_HELD for trigger in card.triggers for row in trigger.rows)


def _asks_for_notes(card: Card) -> bool:
    """Return whether a text asks for what is only noted where some text asks for it."""
    rows = (*card.play, *card.deathrattle, *(row for on in card.triggers for row in on.rows))
    return card.cost_rule is CostRule.COSTLY_SPELL or any(
        row.op in _NOTED or row.value == counted(Counter.COSTLY_SPELLS) for row in rows)


def _counting(card: Card) -> tuple[Row, ...]:
    """Return the rows of a card's play; those of a hero power count the damage that they deal."""
    if card.kind is not Kind.POWER:
        return card.play
    return tuple(replace(row, counted=True) if row.op is Op.DAMAGE else row for row in card.play)


@_remember
def _compile(ruleset: str) -> _Compiler:
    compiler = _Compiler(ruleset)
    compiler.general()
    for card in compiler.cards.values():
        compiler.card(card)
    compiler.table.late = needs_late(compiler.table)
    return compiler


@_remember
def tables(ruleset: str = "cig2018") -> np.record:
    """Return the tables of a ruleset: one record of dtype TABLES. Do not write to it."""
    if ruleset not in SHIPPED:
        return cast(np.record, _compile(ruleset).table)
    return stored.table(ruleset, _made_of(ruleset), lambda: _compile(ruleset).table)


def _made_of(ruleset: str) -> str:
    """Return a text of all data of a ruleset's tables. A program can change some of the data."""
    standard = {year: (sorted(sets), sorted(cards)) for year, (sets, cards) in STANDARD.items()}
    return stored.made_of(find_ruleset(ruleset), _groups(), (
        heroes.BY_CLASS, sequences.SEQUENCES, COSTS, PARTS, standard, SHIFTING))


def table_array(ruleset: str = "cig2018") -> Array:
    """Return the tables of a ruleset as an array TABLES (1,), for entry points."""
    return cast(Array, tables(ruleset).base)


def pool_report(ruleset: str = "cig2018") -> dict[str, list[str]]:
    """Return all random pools of a ruleset's cards: description -> card ids."""
    compiled = _compile(ruleset)
    pools = {pool_title(cards(ruleset), pool): pool_ids(ruleset, pool) for pool in compiled.pools}
    return {name: ids for name, ids in pools.items() if ids}
