"""Triggers: the events that a card in play listens to, and the rows that they run.

The SUBJECT of an event is the card or character that it is about: the card played, the attacker.
Auras are effects of a card on others, or on itself, while it is in play.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict, Unpack

from hsevo.cards.terms import Counter, Event, Keyword, Race, Selector, Whose, Zone
from hsevo.cards.vocabulary.conditions import MY_TURN, SELF_DAMAGED
from hsevo.cards.vocabulary.model import (
    ALWAYS,
    Aura,
    Condition,
    Filter,
    Rows,
    Trigger,
    Who,
    rows_of,
)
from hsevo.cards.vocabulary.selectors import A_SPELL, OVERKILLED, SELF


class Limits(TypedDict, total=False):
    """Further conditions: `only` filters the subject; `last`: after all else that reacts.

    `behind`: after the secret of this id, whichever was played first. `also`: a second condition.
    """

    only: Filter
    when: Condition
    last: bool
    behind: str
    also: Condition


def whenever(event: Event, whose: Whose, *rows: Rows, **limits: Unpack[Limits]) -> Trigger:
    """Run rows whenever an event happens; the words below name the events."""
    return Trigger(event, whose, rows_of(rows), **limits)


def hidden(trigger: Trigger) -> Trigger:
    """Return the same trigger, listening as a secret."""
    return replace(trigger, zone=Zone.SECRET)


def in_deck(trigger: Trigger) -> Trigger:
    """Return the same trigger, listening from the own deck."""
    return replace(trigger, zone=Zone.DECK)


def in_hand(trigger: Trigger) -> Trigger:
    """Return the same trigger, listening from the own hand."""
    return replace(trigger, zone=Zone.HAND)


def start_of_turn(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """At the start of a turn."""
    return whenever(Event.TURN_START, whose, *rows, **limits)


def end_of_turn(*rows: Rows, whose: Whose = Whose.MINE) -> Trigger:
    """At the end of a turn."""
    return whenever(Event.TURN_END, whose, *rows)


def on_play(*rows: Rows, whose: Whose = Whose.MY_OTHERS, **limits: Unpack[Limits]) -> Trigger:
    """Whenever you play a card (not this one)."""
    return whenever(Event.PLAYED, whose, *rows, **limits)


def on_cast(*rows: Rows, whose: Whose = Whose.MY_OTHERS, only: Filter = A_SPELL) -> Trigger:
    """Whenever you cast a spell."""
    return whenever(Event.PLAYED, whose, *rows, only=only)


def on_aim(*rows: Rows, whose: Whose = Whose.MY_OTHERS, **limits: Unpack[Limits]) -> Trigger:
    """Whenever a spell is about to affect its target, the subject."""
    return whenever(Event.TARGETED, whose, *rows, **limits)


def after_play(*rows: Rows, whose: Whose = Whose.MY_OTHERS, **limits: Unpack[Limits]) -> Trigger:
    """After you play a card (not this one)."""
    return whenever(Event.AFTER_PLAYED, whose, *rows, **limits)


def after_cast(*rows: Rows, whose: Whose = Whose.MY_OTHERS, only: Filter = A_SPELL) -> Trigger:
    """After you cast a spell."""
    return whenever(Event.AFTER_PLAYED, whose, *rows, only=only)


def on_summon(*rows: Rows, whose: Whose = Whose.MY_OTHERS, **limits: Unpack[Limits]) -> Trigger:
    """Whenever you summon a minion (not this one)."""
    return whenever(Event.SUMMONED, whose, *rows, **limits)


def after_summon(*rows: Rows, whose: Whose = Whose.MY_OTHERS, **limits: Unpack[Limits]) -> Trigger:
    """After you summon a minion (not this one)."""
    return whenever(Event.AFTER_SUMMONED, whose, *rows, **limits)


def on_attack(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """Whenever one of your characters attacks, before it strikes."""
    return whenever(Event.ATTACKS, whose, *rows, **limits)


def after_attack(*rows: Rows, whose: Whose = Whose.OWN, **limits: Unpack[Limits]) -> Trigger:
    """After this minion has attacked."""
    return whenever(Event.AFTER_ATTACK, whose, *rows, **limits)


def on_attack_on_hero(*rows: Rows, **limits: Unpack[Limits]) -> Trigger:
    """Whenever an enemy attacks your hero."""
    return whenever(Event.ATTACKS, Whose.AT_ME, *rows, **limits)


def on_attack_on_minion(*rows: Rows, **limits: Unpack[Limits]) -> Trigger:
    """Whenever an enemy attacks one of your minions."""
    return whenever(Event.ATTACKS, Whose.AT_MINIONS, *rows, **limits)


def on_damage(*rows: Rows, whose: Whose = Whose.OWN, **limits: Unpack[Limits]) -> Trigger:
    """Whenever this minion takes damage."""
    return whenever(Event.DAMAGED, whose, *rows, **limits)


def overkill(*rows: Rows, whose: Whose = Whose.BY_OWN) -> Trigger:
    """Whenever this minion, in its owner's turn, deals a minion more damage than it has health."""
    return whenever(Event.DAMAGED, whose, *rows, only=OVERKILLED, when=MY_TURN)


def on_spell_damage(*rows: Rows) -> Trigger:
    """Whenever a spell of yours damages a character."""
    return whenever(Event.DAMAGED, Whose.BY_MY_SPELL, *rows)


def on_fatal_damage(*rows: Rows) -> Trigger:
    """When your hero is about to take fatal damage, which is prevented."""
    return whenever(Event.FATAL_DAMAGE, Whose.MINE, *rows)


def on_heal(*rows: Rows, whose: Whose = Whose.ANY, **limits: Unpack[Limits]) -> Trigger:
    """Whenever a character is healed."""
    return whenever(Event.HEALED, whose, *rows, **limits)


def on_death(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """Whenever one of your minions dies."""
    return whenever(Event.DIED, whose, *rows, **limits)


def on_draw(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """Whenever you draw a card; one that a full hand burns is not drawn."""
    return whenever(Event.DRAWN, whose, *rows, **limits)


def on_overload(*rows: Rows) -> Trigger:
    """Whenever you overload mana crystals."""
    return whenever(Event.OVERLOADED, Whose.MINE, *rows)


def on_armor(*rows: Rows) -> Trigger:
    """Whenever you gain armour."""
    return whenever(Event.ARMOR_GAINED, Whose.MINE, *rows)


def after_attack_on_hero(*rows: Rows, **limits: Unpack[Limits]) -> Trigger:
    """After an enemy has attacked your hero."""
    return whenever(Event.AFTER_ATTACK, Whose.AT_ME, *rows, **limits)


def after_power(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """After you use your hero power: a secret's word, a minion's is `inspire`."""
    return whenever(Event.POWER_USED, whose, *rows, **limits)


def on_power_kill(*rows: Rows) -> Trigger:
    """Whenever your hero power destroys a minion by its damage."""
    return whenever(Event.POWER_KILLED, Whose.MINE, *rows)


def on_equip(*rows: Rows) -> Trigger:
    """Whenever you equip a weapon."""
    return whenever(Event.EQUIPPED, Whose.MINE, *rows)


def inspire(*rows: Rows, **limits: Unpack[Limits]) -> Trigger:
    """After you use your hero power."""
    return whenever(Event.POWER_USED, Whose.MINE, *rows, **limits)


def on_discard(*rows: Rows) -> Trigger:
    """Whenever you discard a card."""
    return whenever(Event.DISCARDED, Whose.MINE, *rows)


def on_shield_lost(*rows: Rows, whose: Whose = Whose.MINE, **limits: Unpack[Limits]) -> Trigger:
    """After one of your minions has lost its Divine Shield."""
    return whenever(Event.SHIELD_LOST, whose, *rows, **limits)


def on_frozen(*rows: Rows, whose: Whose = Whose.ANY, **limits: Unpack[Limits]) -> Trigger:
    """Whenever a character that is not frozen is frozen."""
    return whenever(Event.FROZEN, whose, *rows, **limits)


def on_weapon_destroyed(*rows: Rows) -> Trigger:
    """Whenever your weapon is destroyed."""
    return whenever(Event.WEAPON_DESTROYED, Whose.MINE, *rows)


def on_shuffle(*rows: Rows) -> Trigger:
    """Whenever you shuffle a card into a deck."""
    return whenever(Event.SHUFFLED, Whose.MINE, *rows)


def on_secret_revealed(*rows: Rows) -> Trigger:
    """Whenever one of your secrets is revealed."""
    return whenever(Event.SECRET_REVEALED, Whose.MINE, *rows)


def gives(
    who: Who,
    attack: int = 0,
    health: int = 0,
    when: Condition = ALWAYS,
    each: Race = Race.NONE,
    per: Counter | None = None,
) -> Aura:
    """Give +attack/+health; with `each`, times the other minions of a race in play.

    With `per`, the attack is times a counter.
    """
    return Aura(who, attack, health, when=when, each=each, per=per)


def gives_keywords(who: Who, *keywords: Keyword, when: Condition = ALWAYS) -> Aura:
    """Give keywords."""
    return Aura(who, keywords=sum(keywords), when=when)


def enrage(attack: int, *keywords: Keyword, spell_damage: int = 0) -> Aura:
    """Have more attack, a keyword or Spell Damage while damaged."""
    return Aura(SELF, attack, keywords=sum(keywords), when=SELF_DAMAGED, spell_damage=spell_damage)


def costs(
    more: int, test: Filter, both: bool = False, when: Condition = ALWAYS, least: int = 0
) -> Aura:
    """Have the owner's (or both players') hand cards that pass `test` cost more, or less.

    With `least`, the printed cost changes, to no less than `least`, before all other changes.
    """
    return Aura(Who(Selector.NOBODY, test), cost=more, theirs=both, when=when, least=least)


def costs_for_enemy(more: int, test: Filter) -> Aura:
    """Have the opponent's hand cards that pass `test` cost more."""
    return Aura(Who(Selector.NOBODY, test), cost=more, only_theirs=True)


def price(n: int, test: Filter, both: bool = False, when: Condition = ALWAYS) -> Aura:
    """Have the owner's (or both players') hand cards that pass `test` cost n, before other changes.
    """
    return Aura(Who(Selector.NOBODY, test), price=n, theirs=both, when=when)


def attack_follows_health() -> Aura:
    """Keep attack equal to health, whatever else changes it."""
    return Aura(SELF, follow=True)


def attack_follows_armor() -> Aura:
    """Keep the own weapon's attack equal to the own armour, whatever else changes it."""
    return Aura(Who(Selector.MY_WEAPON), follow=True)
