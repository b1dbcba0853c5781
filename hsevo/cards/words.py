"""The vocabulary of the card files: what a card can be and what its text can say.

A card is one constructor call (`minion`, `spell`, `weapon`, `power`); its text is made of rows.
A row is one effect: an operation (`Op`), on whom (`Who`), by how much (`Value`). Rows run in
order. Everything here is frozen data; `tables.py` turns it into integer tables, and the kernel
(`hsevo.engine`) gives the integers their meaning (`terms.py`). How a card is added: `README.md`
beside this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from hsevo.cards.terms import *

GROUP_CLASSES: dict[Group, tuple[Class, ...]] = {
    Group.GRIMY_GOONS: (Class.HUNTER, Class.PALADIN, Class.WARRIOR),
    Group.JADE_LOTUS: (Class.DRUID, Class.ROGUE, Class.SHAMAN),
    Group.KABAL: (Class.MAGE, Class.PRIEST, Class.WARLOCK),
}


@dataclass(frozen=True)
class Filter:
    """A test on a card or character: which one, and its argument."""

    test: Is = Is.ANYTHING
    arg: int | str = 0


@dataclass(frozen=True)
class Who:
    """Whom an operation is about: a selector, a filter, and how many at random (0 = all)."""

    selector: Selector
    filter: Filter = Filter()
    pick: int = 0  # below 0: all but so many

    def random(self, n: int = 1) -> Who:
        """Return `n` of them, drawn without repetition."""
        return replace(self, pick=n)

    def all_but(self, n: int = 1) -> Who:
        """Return all of them but `n`, drawn at random."""
        return replace(self, pick=-n)

    def where(self, test: Filter) -> Who:
        """Return those of them that pass `test`."""
        return replace(self, filter=test)


@dataclass(frozen=True)
class Value:
    """An amount: where it comes from, with its parameters."""

    amount: Amount
    n: int = 0
    m: int | str = 0


Number: TypeAlias = int | Value


@dataclass(frozen=True)
class Row:
    """One effect: an operation, whom it is about, by how much, and up to three parameters."""

    op: Op
    who: Who = Who(Selector.NOBODY)
    value: Value = Value(Amount.LITERAL, 0)
    a: int | str | Pool = 0
    b: int | str | Pool = 0
    m: int | str | Pool = 0


@dataclass(frozen=True)
class Pool:
    """A random pool by rule: collectible cards of the format that pass every given test."""

    kind: Kind | None = None
    cls: Class | None = None  # with the tri-class cards that the class may use
    cost: int | None = None
    race: Race | None = None
    rarity: Rarity | None = None
    keyword: Keyword | None = None
    own_class: bool = False  # Discover: the owner's class, weighing 4, and neutrals
    cards: tuple[str, ...] = ()  # an explicit list, for families of tokens
    secret: bool | None = None
    max_cost: int | None = None


@dataclass(frozen=True)
class Trigger:
    """Rows that run when an event happens; `only` filters its subject, `unless` guards it."""

    event: Event
    whose: Whose
    rows: tuple[Row, ...]
    only: Filter = Filter()
    zone: Zone = Zone.BOARD
    when: If = If.ALWAYS
    arg: int = 0


@dataclass(frozen=True)
class Aura:
    """What a card in play gives to others (or itself) for as long as its condition holds."""

    who: Who
    attack: int = 0
    health: int = 0
    keywords: int = 0
    when: If = If.ALWAYS
    arg: int = 0
    cost: int = 0  # change of the cost of own hand cards that pass who.filter
    least: int = 0  # above 0: the change is of the printed cost, and to no less than this
    follow: bool = False  # attack is always equal to health
    theirs: bool = False  # the cost change is for both players' cards
    each: Race = Race.NONE  # times the other minions of this race in play


@dataclass(frozen=True)
class Target:
    """What the player may aim a card at. A Battlecry without any legal target just has none."""

    bits: int
    filter: Filter = Filter()
    when: If = If.ALWAYS  # a target is asked for only if this holds (Combo)
    arg: int = 0

    def where(self, test: Filter) -> Target:
        """Return the same target, limited to characters that pass `test`."""
        return replace(self, filter=test)

    def only_if(self, when: If, arg: int = 0) -> Target:
        """Return the same target, asked for only if a condition holds."""
        return replace(self, when=when, arg=arg)


Rows: TypeAlias = Row | tuple[Row, ...] | list[Row]
Tag: TypeAlias = Class | Group | Race | Rarity | Keyword | Rule


@dataclass(frozen=True)
class Card:
    """One card. `id` and `name` are the game's own; all numbers as in the ruleset's build."""

    id: str
    name: str
    kind: Kind
    cost: int
    attack: int = 0
    health: int = 0  # a weapon's durability
    cls: Class = Class.NEUTRAL
    group: Group | None = None
    race: Race = Race.NONE
    rarity: Rarity = Rarity.NONE
    keywords: int = 0
    rules: int = 0
    overload: int = 0
    spell_damage: int = 0
    collectible: bool = True
    secret: bool = False
    target: Target | None = None
    play: tuple[Row, ...] = ()  # a spell's effect, a minion's or weapon's Battlecry
    combo: tuple[Row, ...] = ()  # instead of `play` if another card was played this turn
    deathrattle: tuple[Row, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    auras: tuple[Aura, ...] = ()
    cost_rule: CostRule = CostRule.NONE
    need: Need = Need.NOTHING
    options: tuple[str, ...] = ()  # Choose One: the cards to choose from
    positional: bool = False  # its place on the board matters


def _rows(rows: Rows | tuple[Rows, ...] | None) -> tuple[Row, ...]:
    if rows is None:
        return ()
    if isinstance(rows, Row):
        return (rows,)
    flat: list[Row] = []
    for row in rows:
        flat.extend(_rows(row))
    return tuple(flat)


def _tuple(items: object) -> tuple:  # type: ignore[type-arg]
    if items is None:
        return ()
    return tuple(items) if isinstance(items, list | tuple) else (items,)


def _card(kind: Kind, id: str, name: str, cost: int, tags: tuple[Tag, ...], **text: object) -> Card:
    values: dict[str, object] = {"keywords": 0, "rules": 0}
    for tag in tags:
        if isinstance(tag, Keyword):
            values["keywords"] = int(values["keywords"]) | int(tag)  # type: ignore[call-overload]
        elif isinstance(tag, Rule):
            values["rules"] = int(values["rules"]) | int(tag)  # type: ignore[call-overload]
        else:
            names = {Class: "cls", Group: "group", Race: "race", Rarity: "rarity"}
            values[names[type(tag)]] = tag
    for key in ("play", "combo", "deathrattle"):
        text[key] = _rows(text.get(key))  # type: ignore[arg-type]
    text["triggers"] = _tuple(text.get("on"))
    text["auras"] = _tuple(text.get("aura"))
    text.pop("on", None)
    text.pop("aura", None)
    if text["deathrattle"]:
        values["keywords"] = int(values["keywords"]) | Keyword.DEATHRATTLE  # type: ignore
    answers = {(t.event, t.whose) for t in text["triggers"]}  # type: ignore[attr-defined]
    if (Event.POWER_USED, Whose.MINE) in answers:
        values["keywords"] = int(values["keywords"]) | Keyword.INSPIRE  # type: ignore
    return Card(id=id, name=name, kind=kind, cost=cost, **values, **text)  # type: ignore[arg-type]


def minion(
    id: str, name: str, cost: int, attack: int, health: int, *tags: Tag, **text: object
) -> Card:
    """Return a minion; `battlecry`, `combo`, `deathrattle`, `aura`, `on`, ... are its text."""
    text["play"] = text.pop("battlecry", None)
    return _card(Kind.MINION, id, name, cost, tags, attack=attack, health=health, **text)


def spell(id: str, name: str, cost: int, *tags: Tag, **text: object) -> Card:
    """Return a spell; `target` and `play` are its text."""
    return _card(Kind.SPELL, id, name, cost, tags, **text)


def secret(id: str, name: str, cost: int, *tags: Tag, **text: object) -> Card:
    """Return a secret; `on` is its trigger, which fires once, in the opponent's turn."""
    text["play"] = Row(Op.HIDE_SECRET)
    trigger = text["on"]
    assert isinstance(trigger, Trigger)
    text["on"] = replace(trigger, zone=Zone.SECRET)
    return _card(Kind.SPELL, id, name, cost, tags, secret=True, **text)


def weapon(
    id: str, name: str, cost: int, attack: int, durability: int, *tags: Tag, **text: object
) -> Card:
    """Return a weapon."""
    text["play"] = text.pop("battlecry", None)
    return _card(Kind.WEAPON, id, name, cost, tags, attack=attack, health=durability, **text)


def hero(id: str, name: str, health: int, *tags: Tag) -> Card:
    """Return a hero (never collectible)."""
    return _card(Kind.HERO, id, name, 0, tags, health=health, collectible=False)


def power(id: str, name: str, cost: int, *tags: Tag, **text: object) -> Card:
    """Return a hero power (never collectible)."""
    return _card(Kind.POWER, id, name, cost, tags, collectible=False, **text)


def enchantment(id: str, name: str, **text: object) -> Card:
    """Return a text that `attach` gives to a minion; SELF is then that minion."""
    return token(_card(Kind.NONE, id, name, 0, (), **text))


def token(card: Card) -> Card:
    """Return the same card as one that only other cards make: no deck and no pool holds it."""
    return replace(card, collectible=False)


# -- short names for the card files -------------------------------------------------------------

NEUTRAL, DRUID, HUNTER, MAGE, PALADIN = Class(0), Class(1), Class(2), Class(3), Class(4)
PRIEST, ROGUE, SHAMAN, WARLOCK, WARRIOR = Class(5), Class(6), Class(7), Class(8), Class(9)
GRIMY_GOONS, JADE_LOTUS, KABAL = Group(1), Group(2), Group(3)
BEAST, DEMON, DRAGON, MECH = Race.BEAST, Race.DEMON, Race.DRAGON, Race.MECH
MURLOC, PIRATE, TOTEM = Race.MURLOC, Race.PIRATE, Race.TOTEM
COMMON, RARE, EPIC, LEGENDARY = Rarity(1), Rarity(2), Rarity(3), Rarity(4)
TAUNT, CHARGE, DIVINE_SHIELD = Keyword.TAUNT, Keyword.CHARGE, Keyword.DIVINE_SHIELD
WINDFURY, STEALTH, POISONOUS = Keyword.WINDFURY, Keyword.STEALTH, Keyword.POISONOUS
LIFESTEAL, FREEZES, ELUSIVE = Keyword.LIFESTEAL, Keyword.FREEZES, Keyword.ELUSIVE
CANT_ATTACK, IMMUNE = Keyword.CANT_ATTACK, Keyword.IMMUNE
BATTLECRIES_TWICE, HEALING_HURTS = Rule.BATTLECRIES_TWICE, Rule.HEALING_HURTS
DOUBLE_SPELLS = Rule.DOUBLE_SPELLS
STEALTH_TURN, NO_HEROES_THIS_TURN = Keyword.STEALTH_TURN, Keyword.NO_HEROES_THIS_TURN

SELF, TARGET, SUBJECT = Who(Selector.SELF), Who(Selector.TARGET), Who(Selector.SUBJECT)
OTHER, LAST = Who(Selector.OTHER), Who(Selector.LAST)
MY_HERO, ENEMY_HERO = Who(Selector.MY_HERO), Who(Selector.ENEMY_HERO)
HEROES = Who(Selector.HEROES)
MY_MINIONS, ENEMY_MINIONS = Who(Selector.MY_MINIONS), Who(Selector.ENEMY_MINIONS)
ALL_MINIONS = Who(Selector.ALL_MINIONS)
MY_OTHER_MINIONS = Who(Selector.MY_OTHER_MINIONS)
ALL_OTHER_MINIONS = Who(Selector.ALL_OTHER_MINIONS)
MY_CHARACTERS, ENEMIES = Who(Selector.MY_CHARACTERS), Who(Selector.ENEMIES)
CHARACTERS, OTHER_CHARACTERS = Who(Selector.CHARACTERS), Who(Selector.OTHER_CHARACTERS)
ADJACENT, NEXT_TO_TARGET = Who(Selector.ADJACENT), Who(Selector.NEXT_TO_TARGET)
CHARACTERS_BUT_EVENT = Who(Selector.CHARACTERS_BUT_EVENT)
MY_WEAPON = Who(Selector.MY_WEAPON)
OTHER_ENEMIES = Who(Selector.TARGET_ENEMIES)
AROUND_TARGET = Who(Selector.AROUND_TARGET)

CHARACTER = Target(Side.MINE | Side.THEIRS | Side.MINION | Side.HERO)
ANY_MINION = Target(Side.MINE | Side.THEIRS | Side.MINION)
FRIENDLY_MINION = Target(Side.MINE | Side.MINION)
ENEMY_MINION = Target(Side.THEIRS | Side.MINION)
FRIENDLY_CHARACTER = Target(Side.MINE | Side.MINION | Side.HERO)
ENEMY_CHARACTER = Target(Side.THEIRS | Side.MINION | Side.HERO)
ANY_HERO = Target(Side.MINE | Side.THEIRS | Side.HERO)

# amounts
ONE, MANA_SPENT = Value(Amount.LITERAL, 1), Value(Amount.MANA_SPENT)
WEAPON_ATTACK = Value(Amount.WEAPON_ATTACK)
EVENT_AMOUNT = Value(Amount.EVENT)


def between(low: int, high: int) -> Value:
    """Return an amount drawn uniformly from low..high, anew for each character."""
    return Value(Amount.BETWEEN, low, high)


def _value(n: Number) -> Value:
    return n if isinstance(n, Value) else Value(Amount.LITERAL, n)


# -- filters ------------------------------------------------------------------------------------

DAMAGED, UNDAMAGED = Filter(Is.DAMAGED), Filter(Is.UNDAMAGED)
A_MINION, A_SPELL = Filter(Is.KIND, int(Kind.MINION)), Filter(Is.KIND, int(Kind.SPELL))
A_SECRET = Filter(Is.SECRET)
A_HERO = Filter(Is.KIND, int(Kind.HERO))
IN_PLAY, MINION_IN_PLAY = Filter(Is.IN_PLAY), Filter(Is.IN_PLAY, int(Kind.MINION))


def of_race(race: Race) -> Filter:
    """Pass cards and characters of a race."""
    return Filter(Is.RACE, int(race))


def not_card(card: str) -> Filter:
    """Pass all but copies of one card."""
    return Filter(Is.NOT_CARD, card)


def having(keyword: Keyword) -> Filter:
    """Pass characters with a keyword."""
    return Filter(Is.KEYWORD, int(keyword))


def attack_at_least(n: int) -> Filter:
    """Pass minions with at least n attack."""
    return Filter(Is.ATTACK_AT_LEAST, n)


def attack_at_most(n: int) -> Filter:
    """Pass minions with at most n attack."""
    return Filter(Is.ATTACK_AT_MOST, n)


# -- effects: one word, one row -----------------------------------------------------------------


def damage(n: Number, who: Who = TARGET, spell_damage: int = 1) -> Row:
    """Deal n damage; in a spell, Spell Damage counts `spell_damage` times."""
    return Row(Op.DAMAGE, who, _value(n), m=spell_damage)


def missiles(n: Number, who: Who = ENEMIES) -> Row:
    """Deal n damage split at random among `who`, one point after the other."""
    return Row(Op.MISSILES, who, _value(n))


def heal(n: Number, who: Who = TARGET) -> Row:
    """Restore n health."""
    return Row(Op.HEAL, who, _value(n))


def heal_fully(who: Who) -> Row:
    """Restore all health."""
    return Row(Op.HEAL_FULL, who)


def buff(who: Who, attack: Number = 0, health: int = 0) -> Row:
    """Give +attack/+health for good."""
    return Row(Op.BUFF, who, _value(attack), a=health)


def buff_both(who: Who, n: Number) -> Row:
    """Give +n/+n for good, n counted when it resolves."""
    return Row(Op.BUFF, who, _value(n), b=1)


def buff_health(who: Who, n: Number) -> Row:
    """Give +n health for good, n counted when it resolves."""
    return Row(Op.BUFF, who, _value(n), b=2)


def buff_this_turn(who: Who, attack: Number) -> Row:
    """Give +attack until the end of the turn."""
    return Row(Op.BUFF_TURN, who, _value(attack))


def set_attack(n: Number, who: Who = TARGET) -> Row:
    """Set attack to n; earlier changes are overwritten."""
    return Row(Op.SET_ATTACK, who, _value(n))


def set_health(n: Number, who: Who = TARGET) -> Row:
    """Set health and maximum health to n."""
    return Row(Op.SET_HEALTH, who, _value(n))


def set_remaining_health(n: int, who: Who = TARGET) -> Row:
    """Set a hero's remaining health to n; the maximum is raised if it is lower."""
    return Row(Op.SET_REMAINING_HEALTH, who, _value(n))


def give(who: Who, *keywords: Keyword) -> Row:
    """Give keywords for good."""
    return Row(Op.GIVE, who, a=sum(keywords))


def give_this_turn(who: Who, keyword: Keyword) -> Row:
    """Give Immune (the only one so far) until the end of the turn."""
    return Row(Op.GIVE_THIS_TURN, who, a=int(keyword))


def remove(who: Who, *keywords: Keyword) -> Row:
    """Take keywords away."""
    return Row(Op.REMOVE, who, a=sum(keywords))


def destroy(who: Who = TARGET) -> Row:
    """Destroy minions; they leave in the next death step."""
    return Row(Op.DESTROY, who)


def silence(who: Who = TARGET) -> Row:
    """Remove text and enchantments."""
    return Row(Op.SILENCE, who)


def freeze(who: Who = TARGET) -> Row:
    """Freeze characters."""
    return Row(Op.FREEZE, who)


def transform(who: Who, card: str) -> Row:
    """Turn minions into new ones, without deathrattles."""
    return Row(Op.TRANSFORM, who, a=card)


def transform_random(who: Who, pool: Pool) -> Row:
    """Turn each of them into a random minion of a pool."""
    return Row(Op.TRANSFORM_RANDOM, who, a=pool)


def steal(who: Who) -> Row:
    """Take control of minions; on a full board they are destroyed."""
    return Row(Op.STEAL, who)


def steal_this_turn(who: Who) -> Row:
    """Take control of minions until the end of the turn; they can attack at once."""
    return Row(Op.STEAL, who, b=1)


def return_to_hand(who: Who = TARGET, dearer: int = 0) -> Row:
    """Return minions to their owner's hand, costing `dearer` more."""
    return Row(Op.RETURN, who, _value(dearer))


def attach(who: Who, card: str) -> Row:
    """Give the deathrattle or triggers of an (invisible) card."""
    return Row(Op.ATTACH, who, a=card)


def summon(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card, to the right of this minion."""
    return Row(Op.SUMMON, value=_value(n), a=card)


def summon_this() -> Row:
    """Summon this text's own card (a dead minion: itself) anew."""
    return Row(Op.SUMMON, value=_value(1))


def summon_for_enemy(card: str, n: Number = 1) -> Row:
    """Summon n copies of a card for the opponent."""
    return Row(Op.SUMMON, value=_value(n), a=card, b=1)


def summon_random(pool: Pool, n: Number = 1) -> Row:
    """Summon n random minions of a pool."""
    return Row(Op.SUMMON_RANDOM, value=_value(n), a=pool)


def summon_copy(who: Who) -> Row:
    """Summon exact copies."""
    return Row(Op.SUMMON_COPY, who)


def summon_dead(n: int) -> Row:
    """Summon n of the own minions that died this game."""
    return Row(Op.SUMMON_DEAD, value=_value(n))


def draw(n: Number = 1, cheaper: int = 0) -> Row:
    """Draw n cards, `cheaper` less to play. EVENT_AMOUNT is then the last one's printed cost."""
    return Row(Op.DRAW, value=_value(n), m=cheaper)


def draw_for_enemy(n: Number) -> Row:
    """Have the opponent draw n cards."""
    return Row(Op.DRAW_FOR_ENEMY, value=_value(n))


def draw_from_deck(test: Filter, n: int = 1, otherwise: str | int = 0) -> Row:
    """Draw n cards that pass `test`; for each that is not there, get card `otherwise`."""
    return Row(Op.ADD_FROM_DECK, value=_value(n), a=int(test.test), b=test.arg, m=otherwise)


def discard(n: Number) -> Row:
    """Discard n random cards."""
    return Row(Op.DISCARD, value=_value(n))


def add(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the own hand."""
    return Row(Op.ADD_CARD, value=_value(n), a=card)


def add_for_enemy(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the opponent's hand."""
    return Row(Op.ADD_CARD, value=_value(n), a=card, b=1)


def add_random(pool: Pool, n: Number = 1) -> Row:
    """Add n random cards of a pool to the own hand, repeats allowed."""
    return Row(Op.ADD_RANDOM, value=_value(n), a=pool)


def discover(pool: Pool, second: Pool | int = 0, third: Pool | int = 0) -> tuple[Row, ...]:
    """Choose one of three different cards (of one pool, or one of each) and add it to hand."""
    return (Row(Op.DISCOVER, a=pool, b=second, m=third), Row(Op.ADD_CHOSEN))


def shuffle(card: str) -> Row:
    """Shuffle a card into the own deck."""
    return Row(Op.SHUFFLE, a=card)


def shuffle_copy(who: Who) -> Row:
    """Shuffle a plain copy of a minion's card into the own deck."""
    return Row(Op.SHUFFLE_COPY, who)


def armor(n: Number) -> Row:
    """Gain armour."""
    return Row(Op.ARMOR, value=_value(n))


def hero_attack(n: Number) -> Row:
    """Give the own hero attack this turn."""
    return Row(Op.HERO_ATTACK, value=_value(n))


def equip(card: str) -> Row:
    """Equip a weapon; the old one is destroyed."""
    return Row(Op.EQUIP, a=card)


def buff_weapon(attack: Number, durability: int = 0) -> Row:
    """Give the own weapon +attack/+durability."""
    return Row(Op.BUFF_WEAPON, value=_value(attack), a=durability)


def destroy_weapon(enemy: bool = True) -> Row:
    """Destroy a weapon."""
    return Row(Op.DESTROY_WEAPON, b=int(enemy))


def damage_weapon(n: Number = 1, enemy: bool = True) -> Row:
    """Take n durability off a weapon."""
    return Row(Op.DAMAGE_WEAPON, value=_value(n), b=int(enemy))


def temporary_mana(n: int) -> Row:
    """Gain mana this turn only."""
    return Row(Op.TEMPORARY_MANA, value=_value(n))


def crystals(n: int, empty: bool = False, enemy: bool = False) -> Row:
    """Gain mana crystals, or give them to the opponent."""
    return Row(Op.CRYSTALS, value=_value(n), a=int(empty), b=int(enemy))


def destroy_crystals(n: int = 1) -> Row:
    """Lose mana crystals, empty ones."""
    return Row(Op.DESTROY_CRYSTALS, value=_value(n), a=1)


def destroy_secrets() -> Row:
    """Destroy the opponent's secrets."""
    return Row(Op.DESTROY_SECRETS)


def counter() -> Row:
    """Counter the spell that is being cast."""
    return Row(Op.COUNTER)


def next_turn(card: str) -> Row:
    """Run the text of an (invisible) card when the own next turn begins."""
    return Row(Op.NEXT_TURN, a=card)


def become_hero(card: str) -> Row:
    """Put a new hero in the place of the own one: this minion, if it is in play."""
    return Row(Op.BECOME_HERO, a=card)


def stop() -> Row:
    """End the text here."""
    return Row(Op.END)


def spend_mana() -> Row:
    """Spend all mana; `MANA_SPENT` is what it took."""
    return Row(Op.SPEND_MANA)


def retarget(who: Who) -> Row:
    """Send the running attack or spell to another character."""
    return Row(Op.RETARGET, who)


def when(condition: If, rows: Rows, arg: int | str = 0) -> tuple[Row, ...]:
    """Run rows only if a condition holds."""
    inner = _rows(rows)
    test = Row(Op.SKIP, value=Value(Amount.LITERAL, int(condition), arg), b=len(inner))
    return (test, *inner)


def unless(condition: If, rows: Rows, arg: int | str = 0) -> tuple[Row, ...]:
    """Run rows only if a condition does not hold."""
    inner = _rows(rows)
    test = Row(Op.SKIP, value=Value(Amount.LITERAL, int(condition), arg), b=len(inner), m=1)
    return (test, *inner)


def minions_of_cost(cost: int) -> Pool:
    """Return the pool of minions of a printed cost."""
    return Pool(Kind.MINION, cost=cost)


def spells_of(cls: Class) -> Pool:
    """Return the pool of a class's spells."""
    return Pool(Kind.SPELL, cls=cls)


# -- triggers and auras -------------------------------------------------------------------------


def whenever(event: Event, whose: Whose, *rows: Rows, **options: object) -> Trigger:
    """Run rows whenever an event happens; options as the fields of `Trigger`."""
    return Trigger(event, whose, _rows(rows), **options)  # type: ignore[arg-type]


def end_of_turn(*rows: Rows, whose: Whose = Whose.MINE) -> Trigger:
    """Run rows at the end of a turn."""
    return Trigger(Event.TURN_END, whose, _rows(rows))


def start_of_turn(*rows: Rows, whose: Whose = Whose.MINE) -> Trigger:
    """Run rows at the start of a turn."""
    return Trigger(Event.TURN_START, whose, _rows(rows))


def inspire(*rows: Rows) -> Trigger:
    """Run rows after the owner used the hero power."""
    return Trigger(Event.POWER_USED, Whose.MINE, _rows(rows))


def gives(who: Who, attack: int = 0, health: int = 0, *keywords: Keyword, **when: object) -> Aura:
    """Give others stats or keywords while in play; `when` and `arg` make it conditional."""
    return Aura(who, attack, health, sum(keywords), **when)  # type: ignore[arg-type]


def costs(
    more: int, test: Filter, both: bool = False, when: If = If.ALWAYS, least: int = 0
) -> Aura:
    """Have the owner's (or both players') hand cards that pass `test` cost more, or less.

    With `least` it is the printed cost that falls, to that at the lowest, before all other changes.
    """
    return Aura(Who(Selector.NOBODY, test), cost=more, theirs=both, when=when, least=least)


def attack_follows_health() -> Aura:
    """Have attack always equal to health, whatever else changes it."""
    return Aura(SELF, follow=True)


def enrage(attack: int, *keywords: Keyword) -> Aura:
    """Have more attack or a keyword while damaged."""
    return Aura(SELF, attack, 0, sum(keywords), If.DAMAGED)


