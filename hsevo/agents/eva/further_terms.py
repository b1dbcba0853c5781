"""What EVA's score leaves out: eleven further terms, in the form of equations 2-3.

Each term is a quantity of one side, and counts as EVA's do: what the enemy loses from a state to
its successor counts for the action, what the own side loses against it. So with a positive weight
the quantity is worth having. All weights of EVA of 2018 are 0 here.

HAND      cards in hand
DECK      cards left to draw, minus the damage of the last fatigue draw
CRYSTALS  mana crystals
WEAPON    attack times durability of the weapon: the damage that it can still deal
OVERLOAD  crystals that are locked, or will be next turn
SPELL     Spell Damage
CLEAR     1 if the other side has no minion
SAFE      1 if the hero survives all that the other side's board can deal next turn, see
          shared/threat.py
POWER     1 if the hero power was used this turn
FROZEN    frozen minions and heroes
LOW       health and armour up to LOW_HEALTH: with it, the last points can count more than the first
"""

import numpy as np

from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.threat import IS_RED, threat_to
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import F8, I8, kernel
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import GAME_T
from hsevo.engine.rules.query import has_keyword

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
