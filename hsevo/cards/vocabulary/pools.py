"""Pools of cards for random effects."""

from hsevo.cards.terms import Class, Family, Kind, Race
from hsevo.cards.vocabulary.model import ANYTHING, Filter, Pool
from hsevo.cards.vocabulary.selectors import LEGENDARY_ONE

MINIONS, SPELLS, WEAPONS = Pool(Kind.MINION), Pool(Kind.SPELL), Pool(Kind.WEAPON)
LEGENDARY_MINIONS = Pool(Kind.MINION, test=LEGENDARY_ONE)


def one_of(*cards: str, name: str = "") -> Pool:
    """Return the pool of the cards listed; with a name, texts call them by it."""
    return Pool(cards=cards, name=name)


def cards_of(cls: Class) -> Pool:
    """Return the pool of a class's cards."""
    return Pool(cls=cls)


def spells_of(cls: Class) -> Pool:
    """Return the pool of a class's spells."""
    return Pool(Kind.SPELL, cls=cls)


def minions_of_cost(cost: int) -> Pool:
    """Return the pool of minions of a printed cost."""
    return Pool(Kind.MINION, cost=cost)


def minions_of_race(race: Race) -> Pool:
    """Return the pool of minions of a race."""
    return Pool(Kind.MINION, race=race)


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


def own_spells() -> Pool:
    """Return the pool of spells of the owner's class."""
    return own_cards(kind=Kind.SPELL)


def spells_with(test: Filter) -> Pool:
    """Return the pool of all spells that pass a filter."""
    return cards_with(test, Kind.SPELL)


def enemy_class_cards(kind: Kind | None = None) -> Pool:
    """Return the pool of cards of the opponent's class."""
    return Pool(kind, family=Family.ENEMY)
