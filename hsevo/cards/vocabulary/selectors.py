"""Selectors, amounts and pools: which characters or cards an effect takes, and how many.
"""

from __future__ import annotations

from dataclasses import replace

from hsevo.cards.terms import Amount, Class, Family, Is, Keyword, Kind, Race, Selector, Set, Side
from hsevo.cards.vocabulary.model import ANYTHING as ANYTHING
from hsevo.cards.vocabulary.model import Filter, Pool, Target, Value, Who

SELF, TARGET, SUBJECT = Who(Selector.SELF), Who(Selector.TARGET), Who(Selector.SUBJECT)
LAST = Who(Selector.LAST)
MY_HERO, ENEMY_HERO = Who(Selector.MY_HERO), Who(Selector.ENEMY_HERO)
HEROES = Who(Selector.HEROES)
MY_MINIONS, ENEMY_MINIONS = Who(Selector.MY_MINIONS), Who(Selector.ENEMY_MINIONS)
ALL_MINIONS = Who(Selector.ALL_MINIONS)
MY_OTHER_MINIONS = Who(Selector.MY_OTHER_MINIONS)
ALL_OTHER_MINIONS = Who(Selector.ALL_OTHER_MINIONS)
MY_CHARACTERS, ENEMIES = Who(Selector.MY_CHARACTERS), Who(Selector.ENEMIES)
CHARACTERS, OTHER_CHARACTERS = Who(Selector.CHARACTERS), Who(Selector.OTHER_CHARACTERS)
ADJACENT, NEXT_TO_TARGET = Who(Selector.ADJACENT), Who(Selector.NEXT_TO_TARGET)
AROUND_TARGET = Who(Selector.AROUND_TARGET)
OTHER_ENEMIES = Who(Selector.TARGET_ENEMIES)
OTHER_DEFENDERS = Who(Selector.OTHER_DEFENDERS)
CHARACTERS_BUT_EVENT = Who(Selector.CHARACTERS_BUT_EVENT)
DEFENDERS = Who(Selector.DEFENDERS)
MY_WEAPON = Who(Selector.MY_WEAPON)
NEXT_TO_SUBJECT = Who(Selector.NEXT_TO_SUBJECT)
OUTER_ENEMY_MINIONS = Who(Selector.OUTER_ENEMIES)
DEFENDER = Who(Selector.DEFENDER)

CHARACTER = Target(Side.MINE | Side.THEIRS | Side.MINION | Side.HERO)
ANY_MINION = Target(Side.MINE | Side.THEIRS | Side.MINION)
ANY_HERO = Target(Side.MINE | Side.THEIRS | Side.HERO)
FRIENDLY_MINION = Target(Side.MINE | Side.MINION)
FRIENDLY_CHARACTER = Target(Side.MINE | Side.MINION | Side.HERO)
ENEMY_MINION = Target(Side.THEIRS | Side.MINION)
ENEMY_CHARACTER = Target(Side.THEIRS | Side.MINION | Side.HERO)
MINION_OR_ENEMY_HERO = CHARACTER.where(Filter(Is.NOT_OWN_HERO))

DAMAGED, UNDAMAGED = Filter(Is.DAMAGED), Filter(Is.UNDAMAGED)
A_MINION, A_SPELL = Filter(Is.KIND, int(Kind.MINION)), Filter(Is.KIND, int(Kind.SPELL))
A_HERO, A_SECRET = Filter(Is.KIND, int(Kind.HERO)), Filter(Is.SECRET)
A_WEAPON = Filter(Is.KIND, int(Kind.WEAPON))
IN_PLAY, MINION_IN_PLAY = Filter(Is.IN_PLAY), Filter(Is.IN_PLAY, int(Kind.MINION))
HERO_IN_PLAY = Filter(Is.IN_PLAY, int(Kind.HERO))
UNDESTROYED_MINION = Filter(Is.UNDESTROYED, int(Kind.MINION))
LIVING, LIVING_MINION = Filter(Is.LIVING), Filter(Is.LIVING, int(Kind.MINION))
DYING, OVERKILLED = Filter(Is.DYING), Filter(Is.OVERKILLED)
WITH_OVERLOAD, WITH_BATTLECRY = Filter(Is.OVERLOAD), Filter(Is.BATTLECRY)
WITH_ANY_BATTLECRY = Filter(Is.BATTLECRY, 1)  # also weapons
LEGENDARY_ONE, WITH_COMBO = Filter(Is.LEGENDARY), Filter(Is.COMBO)
NOT_STARTED_IN_DECK = Filter(Is.MADE)  # for cards in hand
A_CHOICE = Filter(Is.CHOICE)  # a spell with Choose One
ATTACK_UP_TO_MANA = Filter(Is.ATTACK_UP_TO_MANA)  # for targets
OF_OTHER_CLASS = Filter(Is.OTHER_CLASS)  # than the player's; for cards in hand


def of_race(race: Race) -> Filter:
    """Pass cards and characters of a race."""
    return Filter(Is.RACE, int(race))


def not_of_race(race: Race) -> Filter:
    """Pass all but those of a race."""
    return Filter(Is.NOT_RACE, int(race))


def in_pool(pool: Pool) -> Filter:
    """Pass the cards of a pool."""
    return Filter(Is.IN_POOL, pool)


def copy_of(card: str) -> Filter:
    """Pass copies of one card."""
    return Filter(Is.CARD, card)


def not_card(card: str) -> Filter:
    """Pass all but copies of one card."""
    return Filter(Is.NOT_CARD, card)


def spell_but(card: str) -> Filter:
    """Pass spells, but not copies of one."""
    return Filter(Is.SPELL_BUT, card)


def minion_with_attack(n: int) -> Filter:
    """Pass minions with n attack."""
    return Filter(Is.ATTACK, n)


def having(*keywords: Keyword) -> Filter:
    """Pass characters with a keyword, or one of several."""
    return Filter(Is.KEYWORD, sum(keywords))


def lacking(keyword: Keyword) -> Filter:
    """Pass characters without a keyword."""
    return Filter(Is.NOT_KEYWORD, int(keyword))


def cost_at_most(n: int) -> Filter:
    """Pass cards of a printed cost of n or less."""
    return Filter(Is.COST_AT_MOST, n)


def cost_at_least(n: int) -> Filter:
    """Pass cards of a printed cost of n or more."""
    return Filter(Is.COST_AT_LEAST, n)


def printed_attack_at_least(n: int) -> Filter:
    """Pass minion cards with at least n attack, in hand with their changes."""
    return Filter(Is.CARD_ATTACK_AT_LEAST, n)


def card_of_cost(n: int) -> Filter:
    """Pass cards of a printed cost."""
    return Filter(Is.COST, n)


def spell_of_cost_at_least(n: int) -> Filter:
    """Pass spells of a printed cost of n or more."""
    return Filter(Is.SPELL_COST_AT_LEAST, n)


def minion_now_at_most(n: int) -> Filter:
    """Pass minions that cost n or less now; for cards in hand."""
    return Filter(Is.MINION_NOW_AT_MOST, n)


def fresh_with(keyword: Keyword) -> Filter:
    """Pass minions with a keyword that came under their owner's control this turn."""
    return Filter(Is.FRESH_WITH, int(keyword))


def minion_costing(n: int) -> Filter:
    """Pass minions in a deck that cost n there."""
    return Filter(Is.MINION_COST_NOW, n)


def namesake_of(card: str) -> Filter:
    """Pass what has the same name as a card."""
    return Filter(Is.NAMESAKE, card)


def minion_of_cost(n: int) -> Filter:
    """Pass minions of a printed cost."""
    return Filter(Is.MINION_COST, n)


def minion_with(keyword: Keyword) -> Filter:
    """Pass minions with a keyword."""
    return Filter(Is.MINION_WITH, int(keyword))


def health_is(n: int) -> Filter:
    """Pass characters with exactly n health."""
    return Filter(Is.HEALTH, n)


def health_at_least(n: int) -> Filter:
    """Pass characters with at least n health."""
    return Filter(Is.HEALTH_AT_LEAST, n)


def attack_at_least(n: int) -> Filter:
    """Pass minions with at least n attack."""
    return Filter(Is.ATTACK_AT_LEAST, n)


def attack_at_most(n: int) -> Filter:
    """Pass minions with at most n attack."""
    return Filter(Is.ATTACK_AT_MOST, n)


EVENT_COST = Value(Amount.EVENT_COST)
MANA_SPENT, EVENT_AMOUNT = Value(Amount.MANA_SPENT), Value(Amount.EVENT)
WEAPON_ATTACK, HERO_ATTACK = Value(Amount.WEAPON_ATTACK), Value(Amount.HERO_ATTACK)
TARGET_ATTACK, TARGET_HEALTH = Value(Amount.AIMED_ATTACK), Value(Amount.TARGET_HEALTH)
ADJACENT_ATTACK, ADJACENT_HEALTH = Value(Amount.ADJACENT_ATTACK), Value(Amount.ADJACENT_HEALTH)
OWN_ATTACK, MY_ARMOR = Value(Amount.OWN_ATTACK), Value(Amount.ARMOR)
ENEMY_DURABILITY = Value(Amount.ENEMY_DURABILITY)
CARDS_IN_HAND, CARDS_BEHIND = Value(Amount.HAND), Value(Amount.HAND_DIFFERENCE)
ITS_ATTACK, DAMAGE_DEALT = Value(Amount.ITS_ATTACK), Value(Amount.DAMAGE_DEALT)
PLAYED_EARLIER = Value(Amount.PLAYED_EARLIER)
EXCESS, ARMOR_SPENT = Value(Amount.EXCESS), Value(Amount.ARMOR_SPENT)
ENEMY_WEAPON_ATTACK = Value(Amount.ENEMY_WEAPON_ATTACK)
CRYSTALS_LOST, CRYSTALS_WITH_ROOM = Value(Amount.CRYSTALS_LOST), Value(Amount.CRYSTALS_WITH_ROOM)

REVEALED_ATTACK = Value(Amount.REVEALED_ATTACK)
ENEMY_SECRETS, CHOSEN_COST = Value(Amount.ENEMY_SECRETS), Value(Amount.CHOSEN_COST)
HALF_MY_DECK, HALF_ENEMY_DECK = Value(Amount.HALF_DECK), Value(Amount.HALF_DECK, 0, 1)
CARDS_IN_DECK, MINIONS_OVERKILLED = Value(Amount.DECK), Value(Amount.OVERKILLED)
SPELLS_IN_HAND = Value(Amount.HAND_KIND, 1, int(Kind.SPELL))
MY_DURABILITY, DIED_THIS_TURN = Value(Amount.DURABILITY), Value(Amount.DIED_THIS_TURN)
DISCARDED_ATTACK = Value(Amount.DISCARDED_ATTACK)
DISCARDED_HEALTH = Value(Amount.DISCARDED_HEALTH)
AIMED_HEALTH = Value(Amount.AIMED_HEALTH)

GROWN, NOTED_MINIONS = Value(Amount.GROWN, 1), Value(Amount.NOTED_MINIONS)
HAND_SHUFFLED = Value(Amount.HAND_SHUFFLED)

COUNTED = {
    MY_MINIONS: Amount.MINIONS,
    MY_OTHER_MINIONS: Amount.MY_OTHER_MINIONS,
    ENEMY_MINIONS: Amount.ENEMY_MINIONS,
    ALL_OTHER_MINIONS: Amount.OTHER_MINIONS,
    MY_CHARACTERS.where(DAMAGED): Amount.DAMAGED_FRIENDS,
    ALL_MINIONS.where(DAMAGED): Amount.DAMAGED_MINIONS,
}


def hero_health(more: int = 0) -> Value:
    """Return the own hero's health, and `more`."""
    return Value(Amount.HERO_HEALTH, more)


def own_cost(more: int = 0) -> Value:
    """Return the printed cost of this minion, and `more`."""
    return Value(Amount.OWN_COST, more)


def event_amount(more: int) -> Value:
    """Return the amount of the event, and `more`."""
    return Value(Amount.EVENT_MORE, more)


def times(n: int, value: Value) -> Value:
    """Return n times MANA_SPENT, GROWN, or a `count` of enemy, own other or own minions of a race.

    Raises ValueError for others.
    """
    if value.amount not in (Amount.MANA_SPENT, Amount.ENEMY_MINIONS, Amount.MY_RACE,
                            Amount.MY_OTHER_MINIONS, Amount.GROWN):
        raise ValueError(f"no multiples of {value.amount.name}")
    return replace(value, n=n)


def armor_up_to(n: int) -> Value:
    """Return the own armour, n at most."""
    return Value(Amount.ARMOR, n)


def between(low: int, high: int) -> Value:
    """Return an amount drawn uniformly from low..high, separately for each character."""
    return Value(Amount.BETWEEN, low, high)


def up_to(n: int) -> Value:
    """Return how many cards the own hand has less than n."""
    return Value(Amount.UP_TO, n)


def up_to_for_enemy(n: int) -> Value:
    """Return how many cards the opponent's hand has less than n."""
    return Value(Amount.ENEMY_UP_TO, n)


def count(who: Who) -> Value:
    """Return the size of a group. Raises KeyError for a group not in COUNTED."""
    return Value(COUNTED[who])


def for_each_in_enemy_deck(card: str, n: int) -> Value:
    """Return n for each copy of a card in the opponent's deck."""
    return Value(Amount.ENEMY_DECK_COPIES, n, card)


def other_minions_of(race: Race) -> Value:
    """Return the number of other friendly minions of a race."""
    return Value(Amount.MY_RACE, m=race)


def for_each_enemy_with(keyword: Keyword, n: int) -> Value:
    """Return n for each enemy minion with a keyword."""
    return Value(Amount.ENEMIES_WITH_KEYWORD, n, keyword)


def for_each_enemy_card(n: int) -> Value:
    """Return n for each card in the opponent's hand."""
    return Value(Amount.ENEMY_HAND, n)


def for_each_minion_with(keyword: Keyword, n: int) -> Value:
    """Return n for each minion in play with a keyword."""
    return Value(Amount.WITH_KEYWORD, n, keyword)


MINIONS, SPELLS, WEAPONS = Pool(Kind.MINION), Pool(Kind.SPELL), Pool(Kind.WEAPON)
LEGENDARY_MINIONS = Pool(Kind.MINION, test=LEGENDARY_ONE)


def one_of(*cards: str, name: str = "") -> Pool:
    """Return the pool of the cards listed; with a name, texts call them by it."""
    return Pool(cards=cards, name=name)


def cards_of(cls: Class, kind: Kind | None = None) -> Pool:
    """Return the pool of a class's cards."""
    return Pool(kind, cls=cls)


def spells_of(cls: Class) -> Pool:
    """Return the pool of a class's spells."""
    return Pool(Kind.SPELL, cls=cls)


def secrets_of(cls: Class) -> Pool:
    """Return the pool of a class's secrets."""
    return Pool(Kind.SPELL, cls=cls, test=A_SECRET)


def cards_of_set(origin: Set, name: str) -> Pool:
    """Return the pool of all cards of a set; texts call one of them by the name."""
    return Pool(origin=origin, name=name)


def from_the_past(pool: Pool) -> Pool:
    """Return the cards of a pool whose sets have left the Standard format."""
    return replace(pool, past=True)


def minions_of_cost(cost: int) -> Pool:
    """Return the pool of minions of a printed cost."""
    return Pool(Kind.MINION, cost=cost)


def minions_of_race(race: Race, *, cost: int | None = None) -> Pool:
    """Return the pool of minions of a race, and of a printed cost."""
    return Pool(Kind.MINION, cost=cost, race=race)


def cards_with(test: Filter, kind: Kind | None = None) -> Pool:
    """Return the pool of all cards that pass a filter."""
    return Pool(kind, test=test)


def own_cards(
    *,
    kind: Kind | None = None,
    cost: int | None = None,
    race: Race | None = None,
    test: Filter = ANYTHING,
) -> Pool:
    """Return the pool of cards of the owner's class, which count four times, and neutral cards."""
    return Pool(kind, None, cost, race, test, Family.OWN)


def own_minions() -> Pool:
    """Return the pool of minions of the owner's class, which count four times, and neutral ones."""
    return own_cards(kind=Kind.MINION)


def weapons_of_other_classes(cls: Class) -> Pool:
    """Return the pool of weapons of all classes but one."""
    return Pool(Kind.WEAPON, test=Filter(Is.WEAPON_OF_OTHERS, int(cls)))


def own_spells() -> Pool:
    """Return the pool of spells of the owner's class."""
    return own_cards(kind=Kind.SPELL)


def spells_with(test: Filter) -> Pool:
    """Return the pool of all spells that pass a filter."""
    return cards_with(test, Kind.SPELL)


def foreign_cards(kind: Kind | None = None) -> Pool:
    """Return the pool of cards of all classes but the own."""
    return Pool(kind, family=Family.FOREIGN)


def enemy_class_cards(kind: Kind | None = None) -> Pool:
    """Return the pool of cards of the opponent's class."""
    return Pool(kind, family=Family.ENEMY)


def plain(most: int) -> Filter:
    """Pass cards of a printed cost of `most` or less without another text than keywords."""
    return Filter(Is.PLAIN, most)


def texted(most: int) -> Filter:
    """Pass cards of a printed cost of `most` or less with another text than keywords."""
    return Filter(Is.TEXTED, most)
