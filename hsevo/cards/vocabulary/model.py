"""What cards are made of: frozen data, which `tables.py` turns into integer tables.

A card's text is made of rows. A row is one effect: an operation (`Op`), its characters (`Who`), by
how much (`Value`). Rows run in order; the kernel (`hsevo.engine`) gives each integer its meaning.
Names of classes, races, rarities, keywords, rules and owners of events stand here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

from hsevo.cards.ops import Op
from hsevo.cards.terms import (
    Amount,
    Class,
    CostRule,
    Counter,
    Event,
    Family,
    Gains,
    Group,
    If,
    Is,
    Keyword,
    Kind,
    Need,
    Race,
    Rarity,
    Rule,
    Selector,
    Set,
    Shift,
    Whose,
    Zone,
)


@dataclass(frozen=True)
class Filter:
    """A test on a card or character: which one, and its argument."""

    test: Is = Is.ANYTHING
    arg: int | str | Pool = 0


ANYTHING = Filter()


@dataclass(frozen=True)
class Who:
    """The characters of an operation: a selector, a filter, and how many at random (0: all)."""

    selector: Selector
    filter: Filter = Filter()
    pick: int = 0  # below 0: all but -pick

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
class Pool:
    """A random pool: the collectible cards of the ruleset's sets that pass all given tests."""

    kind: Kind | None = None
    cls: Class | None = None  # with the tri-class cards that the class may use
    cost: int | None = None
    race: Race | None = None
    test: Filter = Filter()
    family: Family = Family.NONE  # whose class it depends on
    cards: tuple[str, ...] = ()  # an explicit list, for families of tokens
    name: str = ""  # of such a list
    origin: Set | None = None  # the set, whether or not the ruleset's pools have it
    past: bool = False  # only cards that have left the Standard format of the ruleset's year


@dataclass(frozen=True)
class Condition:
    """A test on the game: which one, its argument, and its characters (THERE_IS).

    n: the number of tests in terms.ON_NUMBERS, 0 or more.
    """

    test: If = If.ALWAYS
    arg: int | str = 0
    who: Who = Who(Selector.NOBODY)
    n: int = 0


ALWAYS = Condition()


@dataclass(frozen=True)
class Row:
    """One effect: an operation, its characters, its amount, and what else the operation takes.

    Fields from `card` on are those that the operation's declaration names (`Op.takes`). Raises
    ValueError if another is given.
    """

    op: Op
    who: Who = Who(Selector.NOBODY)
    value: Value = Value(Amount.LITERAL, 0)
    card: int | str = 0  # an id, 0 or -1: see the operation
    pool: Pool | None = None
    second_pool: Pool | None = None
    third_pool: Pool | None = None
    keywords: int = 0
    rule: int = 0
    health: int = 0  # a weapon's durability
    gains: Gains = Gains.ATTACK
    spell_damage: int = 0  # how often it is added
    cheaper: int = 0
    price: int = 0  # above 0: it costs one less than this, whatever is printed
    needed: int = 0  # the count at which a card becomes another
    copies: int = 0
    counter: int = 0
    cls: int = 0
    event: int = 0
    rows: int = 0
    when: Condition = ALWAYS
    theirs: bool = False  # it concerns the opponent
    mine: bool = False
    both: bool = False
    this_turn: bool = False
    small: int = 0  # above 0, as an n/n
    left: bool = False  # to the left of this minion
    by_target: bool = False
    counted: bool = False
    empty: bool = False
    new: bool = False
    again: bool = False  # only if what it is about has changed
    negated: bool = False
    bigger: int = 0  # by how much attack and health
    cheapest: bool = False
    discards: bool = False
    marks: bool = False  # cards drawn are marked by `card`
    priced: bool = False  # it costs 1
    doubled: bool = False  # its health is
    race: int = 0
    upgraded: bool = False  # with the Magnetic minions that had joined it

    def __post_init__(self) -> None:
        """Refuse what the operation does not take."""
        for name, default in _DEFAULTS.items():
            if getattr(self, name) != default and name not in self.op.takes:
                raise ValueError(f"{self.op!r} does not take {name}")

    def pools(self) -> list[Pool]:
        """Return the pools of the operation, none of them empty."""
        return [pool for pool in (self.pool, self.second_pool, self.third_pool) if pool]


# arguments of operations, in the order of the tables, with the defaults
_DEFAULTS = {field.name: field.default for field in fields(Row)
             if field.name not in ("op", "who", "value")}


@dataclass(frozen=True)
class Trigger:
    """Rows that run when an event happens; `only` filters its subject."""

    event: Event
    whose: Whose
    rows: tuple[Row, ...]
    only: Filter = Filter()
    zone: Zone = Zone.BOARD
    when: Condition = ALWAYS
    last: bool = False  # after all that else reacts, whatever the order of play; for secrets
    behind: str = ""  # of secrets: the one with this id comes first, also if it was played later
    also: Condition = ALWAYS  # a second one that must hold


@dataclass(frozen=True)
class Aura:
    """What a card in play gives to others (or itself) while its condition holds."""

    who: Who
    attack: int = 0
    health: int = 0
    keywords: int = 0
    when: Condition = ALWAYS
    cost: int = 0  # change of the cost of own hand cards that pass who.filter
    least: int = 0  # above 0: the printed cost changes, to no less than this
    price: int = -1  # 0 or more: the cards cost this
    spell_damage: int = 0  # of this minion
    follow: bool = False  # attack is always equal to health
    theirs: bool = False  # the cost change is for both players' cards
    only_theirs: bool = False  # it is for the opponent's cards alone
    each: Race = Race.NONE  # times the other minions of this race in play
    per: Counter | None = None  # times this counter


@dataclass(frozen=True)
class Target:
    """The legal targets of a card. A Battlecry without legal targets is played without one."""

    bits: int
    filter: Filter = Filter()
    when: Condition = ALWAYS  # a target is needed only if this holds (Combo)

    def where(self, test: Filter) -> Target:
        """Return the same target, limited to characters that pass `test`."""
        return replace(self, filter=test)

    def only_if(self, when: Condition) -> Target:
        """Return the same target, needed only if a condition holds."""
        return replace(self, when=when)


Rows: TypeAlias = Row | Sequence["Rows"]
Tag: TypeAlias = Class | Group | Race | Rarity | Keyword | Rule


@dataclass(frozen=True)
class Card:
    """One card. `id` and `name` are those of the game; numbers are those of the ruleset's build."""

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
    power_damage: int = 0  # what it adds to the damage of the player's hero power
    collectible: bool = True
    secret: bool = False
    target: Target | None = None
    play: tuple[Row, ...] = ()  # a spell's effect, a minion's or weapon's Battlecry
    combo: tuple[Row, ...] = ()  # instead of `play` if another card was played this turn
    deathrattle: tuple[Row, ...] = ()
    drawn: tuple[Row, ...] = ()  # when it is drawn
    discarded: tuple[Row, ...] = ()
    at_start: tuple[Row, ...] = ()  # when the game begins, if it is in the deck or hand
    triggers: tuple[Trigger, ...] = ()
    auras: tuple[Aura, ...] = ()
    cost_rule: CostRule = CostRule.NONE
    cost_arg: str = ""  # of CostRule.OWN_COPIES, DEAD_NAMESAKES: a card
    need: Need = Need.NOTHING
    options: tuple[str, ...] = ()  # Choose One: two cards to choose from, and a minion for both
    shifts: Shift = Shift.NOTHING  # what it becomes each turn in hand
    becomes: Pool | None = None  # when it enters the hand it becomes a random card of it
    keeps: bool = False  # a weapon that keeps its enchantments when it is destroyed
    doubles_power: bool = False  # the player's hero power damages and heals twice as much
    doubles_healing: bool = False  # all that the player restores is doubled
    doubles_combos: bool = False  # with BATTLECRIES_TWICE: only for minions, but also for Combos
    takes_for_neighbors: bool = False  # it takes the damage of the minions next to it
    widens_power: bool = False  # the player's hero power also hits the minions next to its target
    doubles_weapons: bool = False  # with DEATHRATTLES_TWICE: those of weapons, too
    restores: bool = False  # a text attached that gives a minion back the attack it lost
    lends_echo: bool = False  # minions that its player plays have Echo
    grows: bool = False  # enters play with what its owner has collected for C'Thun
    positional: bool = False  # its place on the board matters
    magnetic: bool = False  # played to the left of a friendly Mech it joins it
    mimics: bool = False  # in hand it is a copy of the minion that its player played last
    better: str = ""  # a hero power: what it can be upgraded to
    goal: int = 0  # a quest: the progress that completes it
    reward: str = ""  # a quest: the card that its owner gets
    dormant: bool = False  # it lies on the board, but is no minion: nothing affects or counts it
    armor: int = 0  # of a hero that is played
    power: str = ""  # of a hero that is played: its hero power
    twin: str = ""  # the card that playing it adds to the hand (Twinspell)
    lasts: bool = False  # a text that a hero is given: it stays for the game, not for a turn
    hidden: bool = False  # a text that a minion is given: only its player knows which


def rows_of(rows: Rows | None) -> tuple[Row, ...]:
    """Return nested rows as one flat tuple; () for None."""
    if rows is None:
        return ()
    if isinstance(rows, Row):
        return (rows,)
    return tuple(row for inner in rows for row in rows_of(inner))


def value_of(n: Number) -> Value:
    """Return a number as an amount; an amount unchanged."""
    return n if isinstance(n, Value) else Value(Amount.LITERAL, n)
