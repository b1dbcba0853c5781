"""Amounts that are read from the game when the effect resolves."""

from dataclasses import replace

from hsevo.cards.terms import Amount, Keyword, Race
from hsevo.cards.vocabulary.model import Value, Who
from hsevo.cards.vocabulary.selectors import (
    ALL_OTHER_MINIONS,
    DAMAGED,
    ENEMY_MINIONS,
    MY_CHARACTERS,
    MY_MINIONS,
    MY_OTHER_MINIONS,
)

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

ENEMY_SECRETS, CHOSEN_COST = Value(Amount.ENEMY_SECRETS), Value(Amount.CHOSEN_COST)

COUNTED = {
    MY_MINIONS: Amount.MINIONS,
    MY_OTHER_MINIONS: Amount.MY_OTHER_MINIONS,
    ENEMY_MINIONS: Amount.ENEMY_MINIONS,
    ALL_OTHER_MINIONS: Amount.OTHER_MINIONS,
    MY_CHARACTERS.where(DAMAGED): Amount.DAMAGED_FRIENDS,
}


def times(n: int, value: Value) -> Value:
    """Return n times MANA_SPENT or a `count` of enemy minions. Raises ValueError for others."""
    if value.amount not in (Amount.MANA_SPENT, Amount.ENEMY_MINIONS):
        raise ValueError(f"no multiples of {value.amount.name}")
    return replace(value, n=n)


def between(low: int, high: int) -> Value:
    """Return an amount drawn uniformly from low..high, anew for each character."""
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


def other_minions_of(race: Race) -> Value:
    """Return the number of other friendly minions of a race."""
    return Value(Amount.MY_RACE, m=race)


def for_each_enemy_with(keyword: Keyword, n: int) -> Value:
    """Return n for each enemy minion with a keyword."""
    return Value(Amount.ENEMIES_WITH_KEYWORD, n, keyword)


def for_each_minion_with(keyword: Keyword, n: int) -> Value:
    """Return n for each minion in play with a keyword."""
    return Value(Amount.WITH_KEYWORD, n, keyword)
