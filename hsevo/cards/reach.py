"""The inputs of auras: the engine recomputes auras only when one of these changes."""

from hsevo.cards.terms import If, Reach, Selector
from hsevo.cards.vocabulary.model import Aura

_MINIONS = Reach.MINE | Reach.THEIRS
_ALL = _MINIONS | Reach.WEAPONS | Reach.ITSELF
_WHOM = {
    Selector.NOBODY: 0,  # it changes costs, which are worked out when they are needed
    Selector.SELF: 0,
    Selector.MY_WEAPON: Reach.WEAPONS,
    Selector.MY_HERO: Reach.MINE,  # a new hero comes as a new character of that side
    Selector.ADJACENT: Reach.MINE,
    Selector.MY_MINIONS: Reach.MINE,
    Selector.MY_OTHER_MINIONS: Reach.MINE,
    Selector.ALL_MINIONS: _MINIONS,
    Selector.ALL_OTHER_MINIONS: _MINIONS,
}
_WHEN = {
    If.ALWAYS: 0,
    If.ENEMY_TURN: 0,
    If.MY_TURN: 0,  # hands, turns and attacks of heroes have marks of their own
    If.HERO_IDLE: 0,
    If.SPELL_DAMAGE: 0,  # auras are counted again with it
    If.DAMAGED: Reach.ITSELF,
    If.HAVE_WEAPON: Reach.WEAPONS,
    If.ENEMY_TURN: 0,
    If.ARMOR_BELOW: Reach.ARMOR,
    If.NO_SPELL_DAMAGE: 0,
    If.ALONE: Reach.MINE,
    If.FIRST_CARD: 0,  # it is asked as a cost is worked out
    If.OWN_ATTACK_AT_LEAST: Reach.ITSELF | Reach.ATTACK,
}


def reach(aura: Aura) -> int:
    """Return what an aura depends on, terms.Reach bits; of a condition not listed, on all."""
    bits = _WHOM.get(aura.who.selector, _ALL) | _WHEN.get(aura.when.test, _ALL)
    armed = aura.who.selector is Selector.MY_WEAPON
    followed = (Reach.ARMOR if armed else Reach.ITSELF) if aura.follow else 0
    return bits | (_MINIONS if aura.each else 0) | followed


def reaches_others(aura: Aura) -> bool:
    """Return whether an aura changes other characters or weapons than the card that has it."""
    return aura.who.selector not in (Selector.NOBODY, Selector.SELF)
