"""Equations 1-8 of EVA and its further terms: what a change from a state to the next is worth.

Source: García-Sánchez et al. (2020), whose order the weights are in.

Eleven further terms, in the form of equations 2-3, count what EVA's score leaves out. Each is a
quantity of one side, and counts as EVA's terms do: what the enemy loses from a state to its
successor counts for the action, what the own side loses against it. So with a positive weight the
quantity is worth having. All their weights are 0 in EVA of 2018.

    HAND      cards in hand
    DECK      cards left to draw, minus the damage of the last fatigue draw
    CRYSTALS  mana crystals
    WEAPON    attack times durability of the weapon: the damage that it can still deal
    OVERLOAD  crystals that are locked, or will be next turn
    SPELL     Spell Damage
    CLEAR     1 if the other side has no minion
    SAFE      1 if the hero survives all that the other side's board can deal next turn, see
              shared/scores.py
    POWER     1 if the hero power was used this turn
    FROZEN    frozen minions and heroes
    LOW       health and armour up to LOW_HEALTH: with it, the last points can count more than the
              first
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.shared.agent import AGENT_T, has_further_terms
from hsevo.agents.shared.scores import IS_RED, WIN, threat_to
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import F8, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import (
    DRAW,
    GAME_T,
    RUNNING,
)
from hsevo.engine.rules.query import attack_of, has_keyword, minion_attack

# Of a.w, after EVA's 21.
HAND, DECK, CRYSTALS, WEAPON, OVERLOAD, SPELL, CLEAR, SAFE, POWER, FROZEN, LOW = range(21, 32)
LOW_HEALTH = 15  # half of a hero's


@kernel(I8(GAME_T, I8))
def frozen_of(g, side):
    """Return the number of a side's frozen characters."""
    s = g.side[side]
    frozen = np.int64(has_keyword(g, hero_of(side), Keyword.FROZEN))
    for i in range(s.minions):
        frozen += has_keyword(g, minion_ref(side, s.row[i]), Keyword.FROZEN)
    return frozen


@kernel(F8(GAME_T, AGENT_T, I8))
def further_side(g, a, side):
    """Return the sum of the terms of one side."""
    s = g.side[side]
    health = np.int64(g.char[hero_of(side)].health) + s.armor
    value = a.w[HAND] * s.n_hand + a.w[DECK] * (s.n_deck - s.fatigue) + a.w[CRYSTALS] * s.crystals
    if s.weapon > 0:
        value += a.w[WEAPON] * s.weapon_attack * s.durability
    value += a.w[OVERLOAD] * (s.overload + s.locked) + a.w[SPELL] * s.spell_damage
    value += a.w[CLEAR] * (g.side[1 - side].minions == 0)
    value += a.w[SAFE] * (threat_to(g, side) >= IS_RED)
    value += a.w[POWER] * (s.power_used > 0) + a.w[FROZEN] * frozen_of(g, side)
    return value + a.w[LOW] * min(health, LOW_HEALTH)


@kernel(F8(GAME_T, AGENT_T, I8, F8, F8))
def further_change(h, a, me, mine, theirs):
    """Return what the terms add to eq. 1 for a player: to game h from sums `mine` and `theirs`."""
    enemy = theirs - further_side(h, a, 1 - me)
    return enemy - (mine - further_side(h, a, me))


# weights.NAMES, by position
HHR, HAR, BMHR, BMAR, BMA, BMK, BSR, BMR = 0, 1, 2, 3, 4, 5, 6, 7
MH, MA, MHC, MHD, MHDS, MHI, MHLS = 8, 9, 10, 11, 12, 13, 14
MHS, MHT, MHW, MHP, MR, MM = 15, 16, 17, 18, 19, 20
_TRAITS = 0x1FFF | int(Keyword.STEALTH_TURN)  # a fast test for any keyword with a weight
_STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)


@kernel(F8(AGENT_T, I8))
def traits_of(a, marks):
    """Return the keyword part of a minion's value."""
    value = 0.0
    if marks & Keyword.CHARGE:
        value += a.w[MHC]
    if marks & Keyword.DEATHRATTLE:
        value += a.w[MHD]
    if marks & Keyword.DIVINE_SHIELD:
        value += a.w[MHDS]
    if marks & Keyword.INSPIRE:
        value += a.w[MHI]
    if marks & Keyword.LIFESTEAL:
        value += a.w[MHLS]
    if marks & _STEALTHS:
        value += a.w[MHS]
    if marks & Keyword.TAUNT:
        value += a.w[MHT]
    if marks & Keyword.WINDFURY:
        value += a.w[MHW]
    if marks & Keyword.POISONOUS:
        value += a.w[MHP]
    return value


@kernel(F8(TABLES_T, AGENT_T, I8, I8, I8, I8), inline=True)
def worth(t, a, card, health, attack, marks):
    """Return the value of a minion for agent a: eqs. 6-8, <w9..w21> . attributes."""
    k = t.card[card]
    value = health * a.w[MH] + attack * a.w[MA] + k.rarity * a.w[MR] + k.cost * a.w[MM]
    if marks & _TRAITS:
        value += traits_of(a, marks)
    return value


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8), inline=True)
def value_of(g, t, a, ref):
    """Return the value of a minion in play."""
    c = g.char[ref]
    return worth(t, a, c.card, c.health, minion_attack(g, ref), c.keywords | c.aura_keywords)


@kernel(F8(AGENT_T, F8, I8, I8), inline=True)
def weakened(a, value, health, attack):
    """Return eqs. 4-5 for a minion of that value that lost health and attack."""
    return (health * a.w[BMHR] + attack * a.w[BMAR]) * value


@kernel(F8(AGENT_T, F8), inline=True)
def killed(a, value):
    """Return eqs. 4-5 for a minion of that value that left play."""
    return a.w[BMK] * value


@kernel(F8(AGENT_T, I8, I8, I8, F8), inline=True)
def side_sum(a, health, attack, secrets, minions):
    """Return eqs. 2-3 for one side: its hero's losses, and those of its minions."""
    return a.w[HHR] * health + a.w[HAR] * attack + a.w[BSR] * secrets + minions


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8), inline=True)
def minions_change(g, h, t, a, d, side):
    """Return eqs. 4-5 for one side: what its minions lost from game g to its successor h."""
    total = 0.0
    for ref in range(minion_ref(side, 0), hero_of(side)):
        b, c = g.char[ref], h.char[ref]
        if b.head == c.head:
            continue
        if b.uid == c.uid and b.card > 0:
            attack = minion_attack(g, ref) - minion_attack(h, ref)
            total += weakened(a, d.value[ref], b.health - c.health, attack)
            continue
        if b.card > 0:
            total += killed(a, d.value[ref])
        if c.card > 0:  # ignore old values in an empty slot
            total -= a.w[BMA] * value_of(h, t, a, ref)
    return total


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8), inline=True)
def side_change(g, h, t, a, d, side):
    """Return eqs. 2-3 for one side: what it lost from game g to its successor h."""
    hero = hero_of(side)
    s, z = g.side[side], h.side[side]
    health = (g.char[hero].health + s.armor) - (h.char[hero].health + z.armor)
    attack = attack_of(g, hero) - attack_of(h, hero)
    secrets = s.n_secrets - z.n_secrets
    return side_sum(a, health, attack, secrets, minions_change(g, h, t, a, d, side))


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T), inline=True)
def score(g, h, t, a, d):
    """Return eq. 1 for the player to move in g: the score of the action that led to h."""
    me = np.int64(g.me)
    if h.result != RUNNING:
        return WIN if h.result == me + 1 or h.result == DRAW else -WIN
    spent = g.side[me].mana - h.side[me].mana
    change = side_change(g, h, t, a, d, 1 - me) - side_change(g, h, t, a, d, me)
    if has_further_terms(a):
        change += further_change(h, a, me, d.further[me], d.further[1 - me])
    return change - a.w[BMR] * spent


@kernel(VOID(GAME_T, TABLES_T, AGENT_T, DECISION_T), inline=True)
def value_minions(g, t, a, d):
    """Store the values of all minions before the action, and of the further terms of each side."""
    for side in range(2):
        if has_further_terms(a):
            d.further[side] = further_side(g, a, side)
        for i in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[i])
            d.value[ref] = value_of(g, t, a, ref)
