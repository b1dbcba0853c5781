"""Auras: effects of a card on others, or on itself, while it is in play."""

from hsevo.cards.terms import Keyword, Race, Selector
from hsevo.cards.vocabulary.conditions import SELF_DAMAGED
from hsevo.cards.vocabulary.model import ALWAYS, Aura, Condition, Filter, Who
from hsevo.cards.vocabulary.selectors import SELF


def gives(
    who: Who,
    attack: int = 0,
    health: int = 0,
    when: Condition = ALWAYS,
    each: Race = Race.NONE,
) -> Aura:
    """Give +attack/+health; with `each`, times the other minions of a race in play."""
    return Aura(who, attack, health, when=when, each=each)


def gives_keywords(who: Who, *keywords: Keyword, when: Condition = ALWAYS) -> Aura:
    """Give keywords."""
    return Aura(who, keywords=sum(keywords), when=when)


def enrage(attack: int, *keywords: Keyword) -> Aura:
    """Have more attack or a keyword while damaged."""
    return Aura(SELF, attack, keywords=sum(keywords), when=SELF_DAMAGED)


def costs(
    more: int, test: Filter, both: bool = False, when: Condition = ALWAYS, least: int = 0
) -> Aura:
    """Have the owner's (or both players') hand cards that pass `test` cost more, or less.

    With `least`, the printed cost changes, to no less than `least`, before all other changes.
    """
    return Aura(Who(Selector.NOBODY, test), cost=more, theirs=both, when=when, least=least)


def price(n: int, test: Filter) -> Aura:
    """Have the owner's hand cards that pass `test` cost n, before all other changes."""
    return Aura(Who(Selector.NOBODY, test), price=n)


def attack_follows_health() -> Aura:
    """Keep attack equal to health, whatever else changes it."""
    return Aura(SELF, follow=True)
