"""The vocabulary of the card files: what a card can be and what its text can say.

A card is one constructor call (`minion`, `spell`, `weapon`, `power`); its text is made of rows.
A row is one effect: an operation (`Op`), on whom (`Who`), by how much (`Value`). Rows run in
order. Everything here is frozen data; `tables.py` turns it into integer tables, and the kernel
(`hsevo.engine`) gives the integers their meaning. How a card is added: `README.md` beside this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TypeAlias


class Kind(IntEnum):
    """Card types."""

    NONE = 0
    MINION = 1
    SPELL = 2
    WEAPON = 3
    POWER = 4
    HERO = 5


class Class(IntEnum):
    """Hero classes, and NEUTRAL."""

    NEUTRAL = 0
    DRUID = 1
    HUNTER = 2
    MAGE = 3
    PALADIN = 4
    PRIEST = 5
    ROGUE = 6
    SHAMAN = 7
    WARLOCK = 8
    WARRIOR = 9


class Group(IntEnum):
    """Tri-class families of Mean Streets of Gadgetzan."""

    GRIMY_GOONS = 1  # Hunter, Paladin, Warrior
    JADE_LOTUS = 2  # Druid, Rogue, Shaman
    KABAL = 3  # Mage, Priest, Warlock


GROUP_CLASSES: dict[Group, tuple[Class, ...]] = {
    Group.GRIMY_GOONS: (Class.HUNTER, Class.PALADIN, Class.WARRIOR),
    Group.JADE_LOTUS: (Class.DRUID, Class.ROGUE, Class.SHAMAN),
    Group.KABAL: (Class.MAGE, Class.PRIEST, Class.WARLOCK),
}


class Race(IntEnum):
    """Minion types that some text cares about."""

    NONE = 0
    BEAST = 1
    DEMON = 2
    DRAGON = 3
    MECH = 4
    MURLOC = 5
    PIRATE = 6
    TOTEM = 7


class Rarity(IntEnum):
    """Rarity as the EVA agent counts it: 1 common or free to 4 legendary, 0 for the rest."""

    NONE = 0
    COMMON = 1
    RARE = 2
    EPIC = 3
    LEGENDARY = 4


class Set(IntEnum):
    """Card sets up to Mean Streets of Gadgetzan."""

    BASIC = 1
    CLASSIC = 2
    HALL_OF_FAME = 3
    NAXXRAMAS = 4
    GOBLINS_VS_GNOMES = 5
    BLACKROCK = 6
    GRAND_TOURNAMENT = 7
    EXPLORERS = 8
    OLD_GODS = 9
    KARAZHAN = 10
    GADGETZAN = 11


class Keyword(IntEnum):
    """Bits of a character's flags. Silence clears all of them but the state bits below FROZEN."""

    TAUNT = 1 << 0
    CHARGE = 1 << 1
    DIVINE_SHIELD = 1 << 2
    WINDFURY = 1 << 3
    STEALTH = 1 << 4
    POISONOUS = 1 << 5
    LIFESTEAL = 1 << 6
    FREEZES = 1 << 7  # freezes what it damages (Water Elemental)
    IMMUNE = 1 << 8
    CANT_ATTACK = 1 << 9
    ELUSIVE = 1 << 10  # can't be targeted by spells or hero powers
    DEATHRATTLE = 1 << 11
    INSPIRE = 1 << 12
    BATTLECRY = 1 << 13
    NO_HEROES_THIS_TURN = 1 << 14  # can't attack heroes this turn
    CANT_ATTACK_HEROES = 1 << 15
    FROZEN = 1 << 16
    IMMUNE_THIS_TURN = 1 << 17
    FRESH = 1 << 18  # came under its owner's control this turn
    SILENCED = 1 << 19
    DOOMED = 1 << 20  # destroyed, leaves in the next death step
    STEALTH_TURN = 1 << 21  # Stealth until its owner's next turn
    IMMUNE_ATTACKING = 1 << 22  # Immune until its attack is over


class Rule(IntEnum):
    """Rules that a minion in play changes for its owner."""

    BATTLECRIES_TWICE = 1 << 0
    HEALING_HURTS = 1 << 1  # own healing deals damage instead (Auchenai Soulpriest)
    DOUBLE_SPELLS = 1 << 2  # own spells and hero power damage and heal twice as much
    BLUNTS = 1 << 3  # a weapon that loses attack, not durability, when it attacks a minion
    # for a turn, by RULE_THIS_TURN
    SPELLS_FREE = 1 << 4
    NEXT_SECRET_FREE = 1 << 5
    NEXT_SPELL_CHEAPER = 1 << 6  # by 3
    UNBREAKABLE = 1 << 7  # own minions keep at least 1 health


class Event(IntEnum):
    """What a trigger can listen to. The subject is the thing that the event happens to."""

    TURN_START = 0
    TURN_END = 1
    PLAYED = 2  # a card is played: "whenever you play" / "whenever you cast"; subject = card
    AFTER_PLAYED = 3
    SUMMONED = 4  # a minion enters play: "whenever you summon"
    AFTER_SUMMONED = 5
    DAMAGED = 6  # subject took damage
    HEALED = 7
    DIED = 8
    ATTACKS = 9  # before an attack; subject = attacker, other = defender
    AFTER_ATTACK = 10
    OVERLOADED = 11  # amount = crystals
    POWER_USED = 12  # Inspire
    FATAL_DAMAGE = 13  # subject = a hero about to take fatal damage: prevented
    SECRET_REVEALED = 14
    TARGETED = 15  # a spell is about to affect its target; subject = target
    DISCARDED = 16
    DRAWN = 17
    ARMOR_GAINED = 18


class Whose(IntEnum):
    """Which events of a kind a trigger answers, seen from its owner."""

    MINE = 0
    THEIRS = 1
    ANY = 2
    OWN = 3  # the subject is this very card
    MY_OTHERS = 4  # mine, but not this very card
    AT_ME = 5  # the other side of the event is my hero (attacks)
    ANY_OTHER = 6
    AT_MINIONS = 7  # their attack on one of my minions
    BY_OWN = 8  # the other side of the event is this very card (damage dealt by it)


class Zone(IntEnum):
    """Where a trigger listens."""

    BOARD = 0  # minions and weapons in play
    SECRET = 1
    DECK = 2
    HAND = 3


class Is(IntEnum):
    """Filters on a card or character."""

    ANYTHING = 0
    RACE = 1
    KIND = 2
    KEYWORD = 3
    DAMAGED = 4
    UNDAMAGED = 5
    ATTACK_AT_LEAST = 6
    ATTACK_AT_MOST = 7
    COST = 8
    SECRET = 9
    CARD = 11
    NOT_RACE = 12
    BATTLECRY = 13
    OVERLOAD = 16
    LEGENDARY = 18
    NOT_KEYWORD = 19
    NOT_CARD = 20


@dataclass(frozen=True)
class Filter:
    """A test on a card or character: which one, and its argument."""

    test: Is = Is.ANYTHING
    arg: int | str = 0


class Selector(IntEnum):
    """Whom an operation is about, seen from the owner of the text."""

    NOBODY = 0
    SELF = 1
    TARGET = 2
    SUBJECT = 3  # of the event that fired the trigger
    OTHER = 4  # the other side of that event: defender, source of damage
    MY_HERO = 5
    ENEMY_HERO = 6
    HEROES = 7
    MY_MINIONS = 8
    ENEMY_MINIONS = 9
    ALL_MINIONS = 10
    MY_OTHER_MINIONS = 11
    ALL_OTHER_MINIONS = 12
    MY_CHARACTERS = 13
    ENEMIES = 14
    CHARACTERS = 15
    OTHER_CHARACTERS = 16  # all but this very one
    ADJACENT = 17  # neighbours of this minion
    NEXT_TO_TARGET = 18
    CHARACTERS_BUT_EVENT = 19  # all but attacker and defender (Misdirection)
    LAST = 20  # the minion that the previous rows put into play
    OTHERS_THAN_TARGET = 21
    TARGET_ENEMIES = 22  # enemies other than the target
    MY_WEAPON = 23  # auras only: the owner's weapon
    AROUND_TARGET = 24  # the target and its neighbours


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


class Amount(IntEnum):
    """Where an amount comes from; `n` and `m` are its parameters."""

    LITERAL = 0  # n
    BETWEEN = 1  # uniform in n..m
    MANA_SPENT = 2  # what "spend all your mana" took
    WEAPON_ATTACK = 3
    HERO_ATTACK = 4
    ARMOR = 5
    HAND = 6  # own cards in hand
    ENEMY_HAND = 7
    EVENT = 8  # the amount of the event
    OWN_ATTACK = 9
    TARGET_ATTACK = 10
    TARGET_HEALTH = 11
    MINIONS = 12  # own minions
    ENEMY_MINIONS = 13
    OTHER_MINIONS = 14  # all other minions in play
    DAMAGED_FRIENDS = 15  # own damaged characters
    MY_RACE = 16  # own other minions of race m
    OWN_HEALTH = 17
    HERO_DAMAGE = 18
    ALL_RACE = 20  # other minions of race m of both players
    PLAYED_EARLIER = 21  # cards that the owner played this turn before this one
    WEAPON_DURABILITY = 22
    AIMED_ATTACK = 23  # of the text's target, whoever the row is about
    MY_OTHER_MINIONS = 24
    WITH_KEYWORD = 25  # n for each minion in play with keyword m
    ENEMY_DURABILITY = 26
    ADJACENT_ATTACK = 27  # of both neighbours together
    ADJACENT_HEALTH = 28
    HAND_DIFFERENCE = 29  # how many more cards the opponent holds


@dataclass(frozen=True)
class Value:
    """An amount: where it comes from, with its parameters."""

    amount: Amount
    n: int = 0
    m: int | str = 0


Number: TypeAlias = int | Value


class If(IntEnum):
    """Conditions on a whole row or text, seen from its owner."""

    ALWAYS = 0
    HAVE_WEAPON = 1
    NO_DUPLICATES = 2  # the own deck has none
    COMBO = 3  # another card was played this turn
    OTHER_RACE = 4  # own another minion of race arg
    ENEMY_MINIONS_AT_LEAST = 5
    HOLD_RACE = 6  # a card of race arg in hand
    DAMAGED = 7  # this minion is damaged
    SPELL_DAMAGE = 8  # the owner has some
    MY_TURN = 9
    BOARD_SPACE = 10
    HEALTH_AT_MOST = 11  # own hero's
    OTHER_MINION = 12  # own another minion
    TARGET_FROZEN = 13
    TARGET_ALIVE = 14
    TARGET_RACE = 15
    HAND_EMPTY = 16
    CHANCE = 17  # arg per cent
    ENEMY_HAS_WEAPON = 18
    OWN_SECRET = 19
    TARGET_DEAD = 20
    TARGET_MINE = 21
    SUBJECT_ALIVE = 22
    FULL_MANA = 23
    ENEMY_CARDS_AT_LEAST = 25
    POWER_IS = 26  # card arg
    FIRST_MINION = 28  # no minion was played this turn
    PLAYED_BEFORE = 27  # a card was played this turn: Combo, before this one is played


class Op(IntEnum):
    """Operations. The first block are the phases of play, which only `phases.py` uses."""

    END = 0
    RAISE = 1  # raise event a about the frame's own card
    TEXT = 2  # run the card's play text
    DEATHS = 3  # rulebook: death phase, repeated until nothing dies, then the win check
    STOP_IF_COUNTERED = 4
    TARGETED = 5  # Spellbender's moment
    STRIKE = 6
    EQUIP_PLAYED = 7
    PASS_TURN = 8
    FATIGUE_DRAW = 9  # the turn's own draw
    HIDE_SECRET = 10  # a played secret goes to its zone
    # control
    SKIP = 20  # skip the next b rows unless the condition (who=If, n=arg) holds; m=1 negates
    # characters
    DAMAGE = 30  # m: times Spell Damage counts
    MISSILES = 31  # amount hits of 1, each at a random one of `who`
    HEAL = 32
    BUFF = 34  # attack by the amount, health by a (b=1: by the amount too, b=2: it alone)
    BUFF_TURN = 35  # attack this turn
    SET_ATTACK = 36
    SET_HEALTH = 37
    SET_REMAINING_HEALTH = 38
    SWAP_STATS = 39  # attack with health
    GIVE = 40  # keyword bits a
    GIVE_THIS_TURN = 41
    REMOVE = 42
    DESTROY = 43
    SILENCE = 44
    FREEZE = 45
    TRANSFORM = 46  # into card a
    TRANSFORM_RANDOM = 47  # into a card of pool a
    STEAL = 48
    RETURN = 49  # to its owner's hand; costs n more
    ATTACH = 50  # gives the text of card a (deathrattles, triggers)
    HEAL_FULL = 52
    DOUBLE_HEALTH = 53
    COPY_OF = 54  # this minion becomes a copy of the target (Faceless Manipulator)
    # board
    SUMMON = 60  # amount copies of card a (0: this, -1: the event's) beside it; b=1 for the enemy
    SUMMON_RANDOM = 61  # of pool a
    SUMMON_COPY = 62  # of `who`
    SUMMON_DEAD = 63  # own minions that died this game
    SUMMON_BASIC_TOTEM = 64
    SUMMON_JADE = 65
    SUMMON_FROM_DECK = 66  # a random minion of the own deck; b=1: a 1/1 copy of it; b=2: a copy of
    # one of the enemy's deck, or else card a
    PULL = 67  # a random minion of the opponent's hand enters his board
    LEAVE_DECK = 68  # this very card leaves the deck and enters play
    SWAP_WITH_HAND = 69  # this minion with a random one in the own hand
    # cards
    DRAW = 80  # costing m less
    DRAW_FOR_ENEMY = 81
    DISCARD = 82
    ADD_CARD = 83  # card a to hand (amount of them); b=1 to the opponent's
    ADD_RANDOM = 84  # of pool a; b=1 to the opponent's
    ADD_CHOSEN = 85
    DISCOVER = 86  # three of pools a, b, m (one of each, or three of a)
    SHUFFLE = 87  # card a into the own deck
    SHUFFLE_COPY = 88  # of `who`
    ADD_COPY = 89  # of `who` to hand
    ADD_FROM_ENEMY_DECK = 90
    ADD_FROM_ENEMY_HAND = 91
    ADD_FROM_DECK = 92  # draw cards of the own deck that pass filter (a, b), or else get card m
    ADD_EVENT_CARD = 97  # the card of the event to the hand of whom it does not belong to
    OFFER_TOP = 96  # the top n cards of the own deck leave it; one of them can be chosen
    # hero
    ARMOR = 100
    HERO_ATTACK = 101  # this turn
    EQUIP = 102  # card a
    BUFF_WEAPON = 103  # attack by amount, durability by a
    DESTROY_WEAPON = 104  # b=1 the enemy's
    TEMPORARY_MANA = 105
    CRYSTALS = 106  # amount; a=1 empty ones; b=1 for the enemy
    SPEND_MANA = 107
    OVERLOAD = 108
    SET_POWER = 109  # to card a
    TAKE_CHOSEN_POWER = 110
    OFFER_POWERS = 111
    DESTROY_CRYSTALS = 112
    UNLOCK = 113
    DAMAGE_WEAPON = 114  # amount off its durability; b=1 the enemy's
    RULE_THIS_TURN = 115  # rule a, until the owner's (b=1: enemy's) turn ends
    # triggers and secrets
    COUNTER = 120
    RETARGET = 121  # the running attack or spell goes to `who`
    RETARGET_SPELL = 122  # the running spell goes to `who`
    DESTROY_SECRETS = 123
    TAKE_SECRET = 124
    # one card each
    KAZAKUS_COST = 140
    KAZAKUS_PART = 141
    KAZAKUS_CRAFT = 142


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
    theirs: bool = False  # the cost change is for both players' cards
    each: Race = Race.NONE  # times the other minions of this race in play


class Side(IntEnum):
    """Bits of what a target may be."""

    MINE = 1
    THEIRS = 2
    MINION = 4
    HERO = 8


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


class CostRule(IntEnum):
    """Cards whose own text changes their cost in hand."""

    NONE = 0
    WEAPON_ATTACK = 1
    TOTEMS = 2  # own totems summoned this game
    HAND = 3  # other own cards in hand
    ALL_MINIONS = 4
    HERO_DAMAGE = 5
    ENEMY_HAND = 6


class Need(IntEnum):
    """Conditions without which a card can't be played, beside its cost and target."""

    NOTHING = 0
    BOARD_SPACE = 1
    ENEMY_MINION = 2
    WEAPON = 3
    TWO_ENEMY_MINIONS = 4
    MINION = 5
    TOTEM_LEFT = 6  # a basic totem not yet on the own board
    ENEMY_WEAPON = 7
    FRIENDLY_MINION = 8
    TWO_MINIONS = 9
    ENEMY_MINION_AND_SPACE = 10


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


def costs(more: int, test: Filter, both: bool = False, when: If = If.ALWAYS) -> Aura:
    """Have the owner's (or both players') hand cards that pass `test` cost more, or less."""
    return Aura(Who(Selector.NOBODY, test), cost=more, theirs=both, when=when)


def enrage(attack: int, *keywords: Keyword) -> Aura:
    """Have more attack or a keyword while damaged."""
    return Aura(SELF, attack, 0, sum(keywords), If.DAMAGED)


