"""MetaStone's game state value: a threat-based score, searched three actions deep. Kind GSV.

The strongest player of the simulator MetaStone searches its own turn depth first, two more actions
after the first, and scores positions with weights that were evolved for it (`WEIGHTS`). It is
called alpha-beta, but since only its own turn is searched, nothing can be cut off. The weight of
its Taunt minions, and a constant term, depend on how soon its hero may die:

threat   own health and armour, minus what the enemy can deal next turn (shared/scores.py). Below 1
         RED, below 15 YELLOW, else GREEN.
score    the constant of the threat, own and enemy hero's health and armour, own and enemy cards in
         hand, hard removal in hand, own minus enemy minions by the other weights.

Our choices where the descriptions are silent: the enemy's Taunts get the weight of the same threat;
Windfury, Divine Shield and Stealth count once, Spell Damage per point; hard removal is a spell that
destroys, transforms or steals a minion, with weight 2 each.
"""

from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import IS_RED, IS_YELLOW, threat_to
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import F8, I8, TABLES_T, kernel
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import GAME_T
from hsevo.engine.rules.query import has_keyword, minion_attack

RED, YELLOW, OWN_HP, ENEMY_HP, OWN_CARDS, ENEMY_CARDS, MINION, ATTACK, HEALTH = range(9)
TAUNT_RED, TAUNT_YELLOW, TAUNT, WINDFURY, SHIELD, SPELL_DAMAGE, STEALTH, ELUSIVE = range(9, 17)
REMOVAL = 17
WEIGHTS = (-43.0, -17.0, 0.214, -1.115, 3.572, 0.0, 1.181, 2.419, 3.0,
           10.1, 7.1, 0.671, 15.71, 6.1, 3.841, 1.281, 0.0, 2.0)  # fmt: skip
_STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)
_TRAITS = _STEALTHS | int(Keyword.TAUNT | Keyword.WINDFURY | Keyword.DIVINE_SHIELD
                          | Keyword.ELUSIVE)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8, F8), inline=True)
def gsv_board(g, t, a, side, taunt):
    """Return the score of a player's minions, with the given weight of Taunt."""
    s, value = g.side[side], 0.0
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        value += a.w[MINION] + a.w[ATTACK] * minion_attack(g, ref) + a.w[HEALTH] * c.health
        if has_keyword(g, ref, _TRAITS):  # most minions have none of them
            if has_keyword(g, ref, Keyword.TAUNT):
                value += taunt
            if has_keyword(g, ref, Keyword.WINDFURY):
                value += a.w[WINDFURY]
            if has_keyword(g, ref, Keyword.DIVINE_SHIELD):
                value += a.w[SHIELD]
            if has_keyword(g, ref, _STEALTHS):
                value += a.w[STEALTH]
            if has_keyword(g, ref, Keyword.ELUSIVE):
                value += a.w[ELUSIVE]
        spell_damage = t.card[c.card].spell_damage
        if spell_damage != 0 and (c.keywords & Keyword.SILENCED) == 0:
            value += a.w[SPELL_DAMAGE] * spell_damage
    return value


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8), inline=True)
def evaluate_gsv(g, t, a, me):
    """Return the game state value of a position for a player."""
    s, o, threat = g.side[me], g.side[1 - me], threat_to(g, me)
    value, taunt = 0.0, a.w[TAUNT]
    if threat < IS_RED:
        value, taunt = a.w[RED], a.w[TAUNT_RED]
    elif threat < IS_YELLOW:
        value, taunt = a.w[YELLOW], a.w[TAUNT_YELLOW]
    value += a.w[OWN_HP] * (g.char[hero_of(me)].health + s.armor)
    value += a.w[ENEMY_HP] * (g.char[hero_of(1 - me)].health + o.armor)
    value += a.w[OWN_CARDS] * s.n_hand + a.w[ENEMY_CARDS] * o.n_hand
    for i in range(s.n_hand):
        if t.card[s.hand[i].card].removal == 1:
            value += a.w[REMOVAL]
    return value + gsv_board(g, t, a, me, taunt) - gsv_board(g, t, a, 1 - me, taunt)
