"""Scores of a state: how good a position is for a player.

    score_state(game, tables, agent, player)  ->  a number, the higher the better for the player

`agent.budget[SCORE]` selects the score, `agent.w` holds its weights, if it has any:

METASTONE  the greedy player of the simulator MetaStone. Own minus enemy: hero's health and armour,
           3 per card in hand, 2 per minion, and for each minion: attack + health, 2 for Taunt,
           0.5 attack for Windfury, 1.5 (attack + health) for Divine Shield, its Spell Damage, 1
           for Stealth, 1 if it is enraged, 1.5 (attack + health) if spells can't target it; for a
           frozen minion only its health.
SANTOS     heuristic 1 of A. Santos, "Monte Carlo tree search experiments in Hearthstone" (2017),
           section 4.5.1 with the weights of appendix B. Own minus enemy: minions, tough minions
           (health over 4), cards in hand, attack and health of minions and hero ("trade
           advantage"), mana cost of minions. Our choice, where it is silent: a hero's armour does
           not count, and its attack is the current one (a weapon counts in its owner's turn).
TYCHE      a substitute for the score of Tyche (K. Bornemann, third of CIG2018), of which we found
           described only that it is own minus enemy of six terms, times weights of the class.
           The terms (see `tyche_side`) and the weights TYCHE_WEIGHTS are ours, the same for every
           class, selected from 32 vectors by 1,800 games of each against eva:2018.
LINEAR     the score of the dynamic look-ahead of 2019 and 2020: w[0] own and w[1] enemy hero's
           health, w[2] own and w[3] enemy minions, w[4], w[5] total health and attack of the own
           minions, w[6], w[7] of the enemy's. Its descriptions do not say whether health includes
           armour: w[8] is the share of it that counts, 0 or 1.

A game that the player has won scores WIN, a lost one -WIN, a draw 0.

The threat is how much a hero has left after the damage that the other side's board can deal next
turn: own health and armour, minus what the enemy can deal: its minions' attack (twice with
Windfury), its weapon's, and 1 for the hero power of Mage, Druid or Rogue, 2 for a Hunter's. This is
the threat of MetaStone's game state value (turn_search/gsv.py). Our choices where its descriptions
are silent: a minion that can't attack is no threat, all others are (also frozen ones), and own
Taunts do not reduce the threat.
"""

from __future__ import annotations

import math

import numpy as np

from hsevo.agents.shared.agent import AGENT_T, ONE_STEP
from hsevo.cards.terms import Class, If, Keyword
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, kernel, uniform
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import DRAW, GAME_T, RUNNING
from hsevo.engine.rules.clock import max_attacks
from hsevo.engine.rules.query import attack_of, has_keyword, minion_attack

SCORE = 0  # index of the score in an agent's budget
METASTONE, SANTOS, TYCHE, LINEAR = range(4)
WIN = 1e300  # stands for +infinity

_STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)
_TRAITS = _STEALTHS | int(Keyword.FROZEN | Keyword.TAUNT | Keyword.WINDFURY | Keyword.DIVINE_SHIELD
                          | Keyword.ELUSIVE)
HERO, CARDS, MINIONS, ATTACK, HEALTH, TAUNT = range(6)  # of METASTONE_WEIGHTS
WINDFURY, SHIELD, SPELL_DAMAGE, STEALTH, ENRAGED, ELUSIVE = range(6, 12)
METASTONE_WEIGHTS = (1.0, 3.0, 2.0, 1.0, 1.0, 2.0, 0.5, 1.5, 1.0, 1.0, 1.0, 1.5)
MA, TMA, HA, TRA, BM = range(5)  # of SANTOS_WEIGHTS
SANTOS_WEIGHTS = (1.0457, 0.2058, 9.6557, 0.9407, 5.2249)  # appendix B
METASTONE_T, SANTOS_T = uniform(F8, 12), uniform(F8, 5)
TOUGH = 4  # health over which a minion is tough
TYCHE_WEIGHTS = (4.0, 1.0, 0.5, 1.0, 0.5, 1.0)


@kernel(BOOL(GAME_T, TABLES_T, I8))
def is_enraged(g, t, ref):
    """Return whether a minion is damaged and has an Enrage effect."""
    c = g.char[ref]
    k = t.card[c.card]
    if c.health < c.max_health and (c.keywords & Keyword.SILENCED) == 0:
        for aura in range(k.aura, k.aura + k.n_auras):
            if t.aura[aura].when == If.DAMAGED:
                return True
    return False


@kernel(METASTONE_T(AGENT_T))
def metastone_weights(a):
    """Return the agent's own weights, or MetaStone's for agents whose `w` has another meaning."""
    w = a.w
    if a.kind == ONE_STEP:
        return w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11]
    return METASTONE_WEIGHTS


@kernel(F8(GAME_T, TABLES_T, METASTONE_T, I8), inline=True)
def metastone_minion(g, t, w, ref):
    """Return the score of a minion by MetaStone's greedy player."""
    c = g.char[ref]
    k = t.card[c.card]
    attack, health = np.float64(minion_attack(g, ref)), np.float64(c.health)
    if has_keyword(g, ref, _TRAITS):  # most minions have none of them
        if has_keyword(g, ref, Keyword.FROZEN):
            return w[HEALTH] * health
        value = w[ATTACK] * attack + w[HEALTH] * health
        if has_keyword(g, ref, Keyword.TAUNT):
            value += w[TAUNT]
        if has_keyword(g, ref, Keyword.WINDFURY):
            value += w[WINDFURY] * attack
        if has_keyword(g, ref, Keyword.DIVINE_SHIELD):
            value += w[SHIELD] * (attack + health)
        if has_keyword(g, ref, _STEALTHS):
            value += w[STEALTH]
        if has_keyword(g, ref, Keyword.ELUSIVE):
            value += w[ELUSIVE] * (attack + health)
    else:
        value = w[ATTACK] * attack + w[HEALTH] * health
    if k.spell_damage != 0 and (c.keywords & Keyword.SILENCED) == 0:
        value += w[SPELL_DAMAGE] * k.spell_damage
    if k.n_auras > 0 and is_enraged(g, t, ref):
        value += w[ENRAGED]
    return value


@kernel(F8(GAME_T, TABLES_T, METASTONE_T, I8), inline=True)
def metastone_side(g, t, w, side):
    """Return one side of MetaStone's score."""
    s = g.side[side]
    hero = np.float64(g.char[hero_of(side)].health) + s.armor
    value = w[HERO] * hero + w[CARDS] * s.n_hand + w[MINIONS] * s.minions
    for i in range(s.minions):
        value += metastone_minion(g, t, w, minion_ref(side, s.row[i]))
    return value


@kernel(SANTOS_T(AGENT_T))
def santos_weights(a):
    """Return the agent's own weights, or Santos' for agents whose `w` has another meaning."""
    if a.kind == ONE_STEP:
        return a.w[MA], a.w[TMA], a.w[HA], a.w[TRA], a.w[BM]
    return SANTOS_WEIGHTS


@kernel(F8(GAME_T, TABLES_T, SANTOS_T, I8))
def santos_side(g, t, w, side):
    """Return one side of Santos' heuristic 1, equations 4.3-4.8."""
    s, hero = g.side[side], hero_of(side)
    tough, cost, trade = np.int64(0), np.int64(0), g.char[hero].health + attack_of(g, hero)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        tough += c.health > TOUGH
        trade += minion_attack(g, ref) + c.health
        cost += t.card[c.card].cost
    return w[MA] * s.minions + w[TMA] * tough + w[HA] * s.n_hand + w[TRA] * trade + w[BM] * cost


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8), inline=True)
def tyche_side(g, t, a, side):
    """Return one side of the substitute for Tyche's score: six terms by the weights w[0..5].

    Health counts by its square root, since the last points matter most: w[0] * 2 sqrt(health +
    armour); w[1] * (sqrt(cards in the deck) - fatigue); w[2] * (3 for each of the first three cards
    in hand, 2 for each other); w[3] * (MetaStone's score of the minions); w[4] * (2 + own crystals)
    if the enemy has no minion; w[5] * (2 per secret, plus attack times durability of the weapon).
    """
    s, hand = g.side[side], np.float64(g.side[side].n_hand)
    health = max(np.int64(g.char[hero_of(side)].health) + s.armor, 0)
    value = a.w[0] * 2.0 * math.sqrt(health) + a.w[1] * (math.sqrt(s.n_deck) - s.fatigue)
    value += a.w[2] * (2.0 * hand + min(hand, 3.0))
    for i in range(s.minions):
        value += a.w[3] * metastone_minion(g, t, METASTONE_WEIGHTS, minion_ref(side, s.row[i]))
    if g.side[1 - side].minions == 0:
        value += a.w[4] * (2 + s.crystals)
    return value + a.w[5] * (2 * s.n_secrets + s.weapon_attack * s.durability)


@kernel(F8(GAME_T, AGENT_T, I8, I8), inline=True)
def linear_side(g, a, side, theirs):
    """Return one side of the linear score; `theirs` is 1 for the enemy's, else 0."""
    s, attack, health = g.side[side], np.int64(0), np.int64(0)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        attack += minion_attack(g, ref)
        health += g.char[ref].health
    hero = g.char[hero_of(side)].health + a.w[8] * s.armor
    value = a.w[theirs] * hero + a.w[2 + theirs] * s.minions
    return value + a.w[4 + 2 * theirs] * health + a.w[5 + 2 * theirs] * attack


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8))
def score_state(g, t, a, me):
    """Return the agent's score of game g for player `me`."""
    if g.result != RUNNING:
        if g.result == DRAW:
            return 0.0
        return WIN if g.result == me + 1 else -WIN
    which, them = a.budget[SCORE], 1 - me
    if which == METASTONE:
        weights = metastone_weights(a)
        return metastone_side(g, t, weights, me) - metastone_side(g, t, weights, them)
    if which == SANTOS:
        santos = santos_weights(a)
        return santos_side(g, t, santos, me) - santos_side(g, t, santos, them)
    if which == TYCHE:
        return tyche_side(g, t, a, me) - tyche_side(g, t, a, them)
    return linear_side(g, a, me, 0) + linear_side(g, a, them, 1)


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
