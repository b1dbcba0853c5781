"""Quiet actions: what an attack or a bolt that nothing answers does, without making it.

A bolt is a spell or hero power whose whole text is damage to its target. A quiet action changes the
health of its one or two characters, perhaps a weapon, and what its player has to spend: nothing
else that look-aheads see. Its outcome is a few numbers:

    LOUD      more may happen: make the action on a copy of the game (moves.make_move)
    LEAVES    the character, a minion, leaves play
    n         it loses n health (a hero: armour first)

An action is loud if one of these may act, each behind the test that the rules themselves use:

    listeners to what happens                            state.announce: `watch`
    rules that change damage, or whom it hits            health.is_damage_changed, is_unbreakable
    Lifesteal, damage to neighbours                      the keywords OTHERS
    a dying hero                                         health.prevent_fatal_damage, deaths
    Deathrattles                                         deaths.has_own_deathrattle
    auras that are counted anew: after damage, a death,  board.is_moody, is_missed,
    a broken weapon, a hero's attack, a card played      is_weapon_missed, `counts_...`
    rules for spells and hero powers                     POWERFUL, Rule.RANDOM_TARGETS
"""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Event, Is, Keyword, Kind, Rule, Selector
from hsevo.engine.auras import spell_damage_of
from hsevo.engine.board import is_blunted, is_missed, is_moody, is_weapon_missed
from hsevo.engine.codec import is_hero, side_of
from hsevo.engine.deaths import has_own_deathrattle
from hsevo.engine.health import (
    has_shield,
    is_damage_changed,
    is_immune,
    is_unbreakable,
    poisons,
)
from hsevo.engine.jit import BOOL, I8, TABLES_T, kernel
from hsevo.engine.query import attack_of
from hsevo.engine.state import GAME_T

LOUD, LEAVES = -1, -2
ATTACK_EVENTS = 1 << Event.ATTACKS | 1 << Event.AFTER_ATTACK
POWER_EVENTS = 1 << Event.POWER_USED
SPELL_EVENTS = (1 << Event.PLAYED | 1 << Event.TARGETED | 1 << Event.AFTER_PLAYED
                | 1 << Event.OVERLOADED)
OTHERS = int(Keyword.LIFESTEAL | Keyword.CLEAVE)  # of a fighter: it changes a third character
POWERFUL = int(Rule.DOUBLE_SPELLS | Rule.POWER_HITS_HARDER)


@kernel(BOOL(GAME_T))
def can_be_quiet(g):
    """Return whether actions of the player to move can be quiet at all."""
    changed = is_damage_changed(g, 0) or is_damage_changed(g, 1)
    unbreakable = is_unbreakable(g, 0) or is_unbreakable(g, 1)
    return g.stale == 0 and g.dying == 0 and not changed and not unbreakable


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def leaves_quietly(g, t, ref):
    """Return whether nothing happens when a minion dies, except that it leaves."""
    heard = ((g.watch >> Event.DIED) & 1) != 0
    return not heard and not has_own_deathrattle(g, t, ref) and not is_missed(g, t, ref)


@kernel(I8(GAME_T, TABLES_T, I8, I8, BOOL), inline=True)
def hit(g, t, ref, n, poisonous):
    """Return what n damage does to a character: LOUD, LEAVES or the health that it loses."""
    c = g.char[ref]
    if n <= 0 or is_immune(g, ref) or has_shield(g, ref):
        return 0
    if ((g.watch >> Event.DAMAGED) & 1) != 0:
        return LOUD
    if is_hero(ref):
        return n if n < c.health + g.side[side_of(ref)].armor else LOUD
    if is_moody(g, t, ref):
        return LOUD
    if n < c.health and not poisonous:
        return n
    return LEAVES if leaves_quietly(g, t, ref) else LOUD


# -- attacks --------------------------------------------------------------------------------------


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def is_quiet_attack(g, t, attacker, defender):
    """Return whether an attack does nothing but hit its two characters, and wear a weapon."""
    keywords = g.char[attacker].keywords | g.char[defender].keywords
    if (g.watch & ATTACK_EVENTS) != 0 or (keywords & OTHERS) != 0:
        return False
    return not is_hero(attacker) or is_weapon_quiet(g, t, side_of(attacker))


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_weapon_quiet(g, t, side):
    """Return whether a hero's attack changes only the durability of its weapon, if it has one."""
    s = g.side[side]
    if g.counts_attacks != 0 or is_blunted(g, t, side):
        return False
    return not breaks_weapon(g, side) or (
        t.card[s.weapon].deathrattle == 0 and not is_weapon_missed(g, t, side))


@kernel(BOOL(GAME_T, I8), inline=True)
def breaks_weapon(g, side):
    """Return whether a player's weapon breaks when it is used once more."""
    return g.side[side].weapon > 0 and g.side[side].durability == 1


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def hit_defender(g, t, attacker, defender):
    """Return what an attack does to the defender, as `hit`. Rule 6, as turn.do_strike."""
    return hit(g, t, defender, attack_of(g, attacker), poisons(g, attacker, defender))


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def hit_attacker(g, t, attacker, defender):
    """Return what an attack does to the attacker, as `hit`; heroes do not strike back."""
    if is_hero(defender):
        return 0
    return hit(g, t, attacker, attack_of(g, defender), poisons(g, defender, attacker))


# -- bolts ----------------------------------------------------------------------------------------


@kernel(BOOL(TABLES_T, I8), inline=True)
def is_bolt(t, card):
    """Return whether the whole text of a card is one amount of damage to its target."""
    k = t.card[card]
    if k.play == 0 or k.target == 0 or k.option[0] != 0 or k.combo != 0:
        return False
    r = t.row[k.play]
    simple = r.amount == Amount.LITERAL and r.test == Is.ANYTHING and r.pick == 0 and r.b == 0
    aimed = r.op == Op.DAMAGE and r.who == Selector.TARGET
    return aimed and simple and t.row[k.play + 1].op == Op.END


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def bolt_of(g, t, card):
    """Return the damage of a spell or hero power of the player to move, LOUD if it is no bolt."""
    side = np.int64(g.me)
    rules, k = np.int64(g.side[side].rules), t.card[card]
    power, spell = k.kind == Kind.POWER, k.kind == Kind.SPELL
    heard = g.watch & (POWER_EVENTS if power else SPELL_EVENTS)
    random = ((rules | g.side[1 - side].rules) & Rule.RANDOM_TARGETS) != 0
    if heard != 0 or random or (rules & POWERFUL) != 0 or not (power or spell):
        return LOUD
    if not is_bolt(t, card) or (spell and g.counts_hands != 0):
        return LOUD
    r = t.row[k.play]
    return r.n + (spell_damage_of(g, t, side) * r.m if spell else 0)
