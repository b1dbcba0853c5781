"""Pools of cards for random effects."""

from hsevo.cards.terms import Class, Kind, Race
from hsevo.cards.vocabulary.model import Pool


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
