"""The operations that deal damage and restore health."""

import numpy as np

from hsevo.cards.terms import Is, Keyword, Kind, Rule, Selector
from hsevo.engine.auras import spell_damage_of
from hsevo.engine.codec import minion_ref
from hsevo.engine.health import deal_damage, restore_health
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.query import ref_if_in_play
from hsevo.engine.select import plain_amount, row_amount, select_characters, sort_list
from hsevo.engine.state import GAME_T, is_in_play, spell_of


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def select_affected(g, t, i):
    """Fill the list with the characters that frame i's row affects, in order of play.

    Rulebook: an effect on several characters affects them in the order in which they entered play.
    """
    f = g.stack[i]
    r = t.row[f.pc]
    if r.who == Selector.TARGET and r.test == Is.ANYTHING and r.pick == 0:  # most rows
        g.list[0] = f.target
        g.n_list = is_in_play(g, f.target, f.target_uid)
        return
    select_characters(g, t, i, r.who, r.test, r.arg, r.pick)
    if g.n_list > 1 and r.pick == 0:
        sort_list(g)


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def with_doubling(g, t, i, n):
    """Double n if frame i is a spell or hero power whose owner has that rule."""
    f = g.stack[i]
    kind = t.card[f.card].kind
    twice = (g.side[f.side].rules & Rule.DOUBLE_SPELLS) != 0
    return 2 * n if twice and (kind == Kind.SPELL or kind == Kind.POWER) else n


@kernel(I8(GAME_T, TABLES_T, I8))
def power_damage(g, t, side):
    """Return what a player's minions add to the damage of its hero power."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if (c.keywords & Keyword.SILENCED) == 0:
            n += t.card[c.card].power_damage
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def with_spell_damage(g, t, i, n):
    """Add Spell Damage, or what adds to hero powers, to n; then double it by the owner's rule."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        n += spell_damage_of(g, t, f.side) * t.row[f.pc].m
    elif (g.side[f.side].rules & Rule.POWER_HITS_HARDER) != 0:
        if t.card[f.card].kind == Kind.POWER:
            n += power_damage(g, t, f.side)
    return with_doubling(g, t, i, n)


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def source_of(g, t, i):
    """Return the source of frame i's damage: a ref, NONE, or `spell_of` its owner."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        return spell_of(np.int64(f.side))
    return ref_if_in_play(g, f.ref, f.uid)


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def do_damage(g, t, i):
    """DAMAGE."""
    select_affected(g, t, i)
    f = g.stack[i]
    by_target, dealt = t.row[f.pc].b == 1, np.int64(0)
    source = ref_if_in_play(g, f.target, f.target_uid) if by_target else source_of(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        n = with_spell_damage(g, t, i, row_amount(g, t, i, ref))
        if deal_damage(g, t, ref, n, source) > 0:
            dealt += n
    if t.row[f.pc].b == 2:
        f.amount = dealt


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def repeat_row(g, t, i, n):
    """Count frame i's row down from n; return 1 while it must run again, 0 when it is done."""
    f = g.stack[i]
    if f.left == 0:
        f.left = n + 1
    f.left -= 1
    if f.left <= 0:
        f.left = 0
        f.pc += 1
        return 0
    return 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_missiles(g, t, i):
    """MISSILES: one point at a time, resolving what each triggers."""
    f = g.stack[i]
    r = t.row[f.pc]
    n = plain_amount(g, t, i) if f.left == 0 else np.int64(0)
    if f.left == 0 and t.card[f.card].kind == Kind.SPELL:
        more = spell_damage_of(g, t, f.side) if r.b == 0 else np.int64(0)
        n = with_doubling(g, t, i, n + more)
    if repeat_row(g, t, i, n) == 0:
        return
    select_characters(g, t, i, r.who, r.test, r.arg, 1)
    if g.n_list > 0:
        deal_damage(g, t, g.list[0], 1, source_of(g, t, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_heal(g, t, i):
    """HEAL."""
    select_affected(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        restore_health(g, t, g.stack[i].side, ref, with_doubling(g, t, i, row_amount(g, t, i, ref)))
