"""How much a hero has left after the damage that the other side's board can deal next turn.

Own health and armour, minus what the enemy can deal: its minions' attack (twice with Windfury), its
weapon's, and 1 for the hero power of Mage, Druid or Rogue, 2 for a Hunter's. This is the threat of
MetaStone's game state value (turn_search/gsv.py). Our choices where its descriptions are silent: a
minion that can't attack is no threat, all others are (also frozen ones), and own Taunts do not
reduce the threat.
"""

import numpy as np

from hsevo.cards.terms import Class, Keyword
from hsevo.engine.jit import I8, kernel
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import GAME_T
from hsevo.engine.rules.clock import max_attacks
from hsevo.engine.rules.query import has_keyword, minion_attack

IS_RED, IS_YELLOW = 1, 15  # threats below these


@kernel(I8(GAME_T, I8), inline=True)
def threat_to(g, me):
    """Return a player's health and armour minus the damage that the enemy can deal."""
    enemy = 1 - me
    s = g.side[enemy]
    left = np.int64(g.char[hero_of(me)].health) + g.side[me].armor
    for i in range(s.minions):
        ref = minion_ref(enemy, s.row[i])
        if not has_keyword(g, ref, Keyword.CANT_ATTACK):
            left -= minion_attack(g, ref) * max_attacks(g, ref)
    if s.weapon > 0:
        left -= s.weapon_attack
    if s.cls == Class.HUNTER:
        return left - 2
    return left - (s.cls == Class.MAGE or s.cls == Class.DRUID or s.cls == Class.ROGUE)
