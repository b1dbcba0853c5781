"""The operations on heroes, weapons and secrets, and the switch over all operations."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Counter, Event, If, Keyword, Kind, Rule
from hsevo.engine.board import (
    add_secret,
    create_character,
    destroy_weapon,
    equip_weapon,
    gain_crystals,
    lose_durability,
    remove_from_play,
    remove_secret,
)
from hsevo.engine.changes import do_change
from hsevo.engine.codec import BONUS, hero_of
from hsevo.engine.graves import do_summon_dead
from hsevo.engine.hand import (
    do_cards,
    do_copy_enemy,
    do_discover,
    do_draw,
    do_draw_until,
    do_from_own_deck,
    do_kazakus,
    do_offer_enemy_deck,
    do_offer_top,
    do_take_chosen,
    take_power,
)
from hsevo.engine.held import do_held
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.query import condition_holds, is_dying, ref_if_in_play
from hsevo.engine.select import amount_of, plain_amount, select_characters
from hsevo.engine.state import GAME_T, LATER, NONE, announce, random_below
from hsevo.engine.strikes import do_damage, do_heal, do_missiles, select_affected
from hsevo.engine.summons import (
    do_basic_totem,
    do_from_deck,
    do_leave_deck,
    do_pull,
    do_summon,
    do_summon_copy,
    do_summon_from_hand,
    do_summon_remembered,
    do_swap,
    do_swap_with_deck,
)
from hsevo.engine.zones import add_to_hand, shuffle_into_deck


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_retarget_spell(g, t, i):
    """RETARGET_SPELL: the spell that has just announced its target (Op.TARGETED)."""
    select_affected(g, t, i)
    if g.n_list > 0:
        for j in range(i):
            f = g.stack[j]
            if f.pc > 0 and t.row[f.pc - 1].op == Op.TARGETED:
                f.target = g.list[0]
                f.target_uid = g.char[g.list[0]].uid


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_buff_weapon(g, t, i):
    """BUFF_WEAPON."""
    f = g.stack[i]
    s = g.side[f.side]
    if s.weapon > 0:
        s.weapon_attack += plain_amount(g, t, i)
        s.durability += t.row[f.pc].a


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def add_overload(g, t, side, n):
    """Add overload for the next turn."""
    g.side[side].overload += n
    announce(g, Event.OVERLOADED, side, 0, NONE, NONE, n)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def become_hero(g, t, i, card):
    """BECOME_HERO: replace the owner's hero, unless it is dying; attacks made still count.

    All effects that refer to frame i's minion now refer to the new hero (until patch 9.2,
    Repentance and Snipe, which react to a played minion, hit the hero). Armour is lost.
    """
    f = g.stack[i]
    side, own = np.int64(f.side), ref_if_in_play(g, f.ref, f.uid)
    hero = hero_of(side)
    if is_dying(g, hero):
        return
    attacks = np.int64(g.char[hero].attacks)
    create_character(g, t, hero, card)
    g.stale = 1
    g.char[hero].attacks = attacks
    g.char[hero].keywords &= ~Keyword.FRESH
    g.side[side].armor = 0
    if t.card[card].cls > 0:
        g.side[side].cls = t.card[card].cls
    if own >= 0 and own != hero and t.row[f.pc].b == 0:
        g.char[hero].uid = f.uid
        remove_from_play(g, t, own)
        for j in range(g.depth):
            if g.stack[j].uid == f.uid:
                g.stack[j].ref = hero


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_hero(g, t, i):
    """Apply an op to the owner's hero, mana, weapon or power."""
    f = g.stack[i]
    r = t.row[f.pc]
    side, n = np.int64(f.side), plain_amount(g, t, i)
    s, hero = g.side[side], g.char[hero_of(side)]
    if r.op == Op.ARMOR:
        s.armor += n
        announce(g, Event.ARMOR_GAINED, side, f.card, hero_of(side), NONE, n)
    elif r.op == Op.HERO_ATTACK:
        hero.attack += n
        hero.turn_attack += n
    elif r.op == Op.EQUIP:
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and s.weapon > 0 and (t.card[s.weapon].rules & Rule.SHARPENED_BY_POWER) != 0:
            s.weapon_attack += 1
        else:
            equip_weapon(g, t, side, r.a)
    elif r.op == Op.DESTROY_WEAPON:
        destroy_weapon(g, t, 1 - side if r.b == 1 else side)
    elif r.op == Op.TEMPORARY_MANA:
        s.mana = min(np.int64(s.mana) + n, 10)
    elif r.op == Op.CRYSTALS or r.op == Op.DESTROY_CRYSTALS:
        if r.b == 1:
            side = 1 - side
            s = g.side[side]
        before = np.int64(s.crystals)
        gain_crystals(g, side, n if r.op == Op.CRYSTALS else -n)
        if r.op == Op.DESTROY_CRYSTALS:  # wiki, Mana: empty ones first
            empty = max(before - s.locked - s.mana, 0)
            s.mana = max(s.mana - max(before - s.crystals - empty, 0), 0)
            s.locked = min(s.locked, s.crystals)  # a locked one, if all of them are
        elif r.a == 0:
            s.mana = max(min(s.mana + s.crystals - before, 10), 0)
    elif r.op == Op.SPEND_MANA:
        f.amount = s.mana
        s.mana = 0
    elif r.op == Op.SET_POWER:
        take_power(g, side, r.a)
    elif r.op == Op.REFRESH_POWER:
        s.power_used = 0
    elif r.op == Op.REFRESH_MANA:
        s.mana = max(np.int64(s.mana), np.int64(s.crystals) - s.locked)
    elif r.op == Op.RULE_THIS_TURN:
        whose = g.side[1 - side if r.b == 1 else side]
        whose.turn_rules |= r.a
        if r.a == Rule.SPELLS_DEARER:
            whose.counter[Counter.SPELLS_DEARER] += n
    elif r.op == Op.DAMAGE_WEAPON:
        for _ in range(n):
            lose_durability(g, t, 1 - side if r.b == 1 else side)
    elif r.op == Op.BECOME_HERO:
        become_hero(g, t, i, r.a)
    elif r.op == Op.LATER:
        if s.n_later < LATER:
            s.later[s.n_later] = r.a + (r.b << BONUS)
            s.n_later += 1
    elif r.op == Op.UNLOCK:
        s.mana += s.locked
        s.locked = 0
        s.overload = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_shuffle(g, t, i):
    """SHUFFLE: copies of a card, or of this one, into the own or the opponent's deck."""
    f = g.stack[i]
    r = t.row[f.pc]
    for _ in range(plain_amount(g, t, i)):
        side = 1 - np.int64(f.side) if r.b == 1 else np.int64(f.side)
        shuffle_into_deck(g, t, side, r.a if r.a > 0 else f.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_skip(g, t, i):
    """SKIP: jump over the next b rows unless a condition holds (m=1: if it holds)."""
    f = g.stack[i]
    r = t.row[f.pc]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    subject = ref_if_in_play(g, f.subject, f.subject_uid)
    if r.n == If.THERE_IS:
        select_characters(g, t, i, r.who, r.test, r.arg, 0)
        holds = g.n_list > 0
    elif r.n == If.OWN_ATTACK_AT_LEAST:
        holds = amount_of(g, t, i, Amount.OWN_ATTACK, 0, 0, NONE, own) >= r.nm
    elif r.n == If.PAID:
        holds = f.amount == r.nm
    else:
        holds = condition_holds(g, t, r.n, r.nm, f.side, own, target, subject)
    if holds == (r.m == 1):
        f.pc += r.b


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secrets(g, t, i):
    """DESTROY_SECRETS, TAKE_SECRET: the opponent's."""
    f = g.stack[i]
    other = 1 - np.int64(f.side)
    s = g.side[other]
    if t.row[f.pc].op == Op.DESTROY_SECRETS:
        s.n_secrets = 0
    elif s.n_secrets > 0:
        k = random_below(g, s.n_secrets)
        card = np.int64(s.secret[k].card)
        remove_secret(g, t, other, k)
        add_secret(g, t, f.side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def run_row(g, t, i):
    """Run the row of frame i and advance to the next. `ops.Op` explains the ops."""
    f = g.stack[i]
    op = np.int64(t.row[f.pc].op)
    if op == Op.MISSILES:
        do_missiles(g, t, i)  # advances itself after the last missile
        return
    if op == Op.DAMAGE:
        do_damage(g, t, i)
    elif op == Op.SKIP:
        do_skip(g, t, i)
    elif op == Op.HEAL:
        do_heal(g, t, i)
    elif op >= Op.BUFF and op <= Op.REMEMBER:
        do_change(g, t, i)
    elif op == Op.SHUFFLE_COPY or op == Op.ADD_COPY or op == Op.RETARGET:
        do_change(g, t, i)
    elif op == Op.SUMMON or op == Op.SUMMON_RANDOM or op == Op.SUMMON_JADE:
        do_summon(g, t, i)
    elif op == Op.SUMMON_BASIC_TOTEM:
        do_basic_totem(g, t, i)
    elif op == Op.SUMMON_COPY:
        do_summon_copy(g, t, i)
    elif op == Op.SUMMON_REMEMBERED:
        do_summon_remembered(g, t, i)
    elif op == Op.SUMMON_DEAD:
        do_summon_dead(g, t, i)
    elif op == Op.SUMMON_FROM_DECK:
        do_from_deck(g, t, i)
    elif op == Op.PULL:
        do_pull(g, t, i)
    elif op == Op.SWAP_WITH_HAND:
        do_swap(g, t, i)
    elif op == Op.ADD_EVENT_CARD:
        add_to_hand(g, t, 1 - f.second, f.first)
    elif op == Op.RETARGET_SPELL:
        do_retarget_spell(g, t, i)
    elif op == Op.LEAVE_DECK:
        do_leave_deck(g, t, i)
    elif op >= Op.BUFF_CARDS and op <= Op.GROW:
        do_held(g, t, i)
    elif op == Op.DRAW or op == Op.DRAW_FOR_ENEMY:
        do_draw(g, t, i)
    elif op >= Op.DISCARD and op <= Op.ADD_RANDOM:
        do_cards(g, t, i)
    elif op == Op.ADD_FROM_DECK:
        do_from_own_deck(g, t, i)
    elif op == Op.ADD_FROM_ENEMY_HAND or op == Op.ADD_FROM_ENEMY_DECK:
        do_copy_enemy(g, t, i)
    elif op == Op.OFFER_TOP:
        do_offer_top(g, t, i)
    elif op == Op.OFFER_ENEMY_DECK:
        do_offer_enemy_deck(g, t, i)
    elif op == Op.DRAW_UNTIL:
        do_draw_until(g, t, i)
    elif op == Op.SHUFFLE:
        do_shuffle(g, t, i)
    elif op == Op.DISCOVER or op == Op.OFFER_POWERS:
        do_discover(g, t, i)
    elif op == Op.ADD_CHOSEN or op == Op.TAKE_CHOSEN_POWER:
        do_take_chosen(g, t, i)
    elif op == Op.BUFF_WEAPON:
        do_buff_weapon(g, t, i)
    elif op >= Op.ARMOR and op <= Op.REFRESH_MANA:
        do_hero(g, t, i)
    elif op == Op.SUMMON_FROM_HAND:
        do_summon_from_hand(g, t, i)
    elif op == Op.SWAP_WITH_DECK:
        do_swap_with_deck(g, t, i)
    elif op == Op.COUNTER:
        g.countered = 1
    elif op == Op.DESTROY_SECRETS or op == Op.TAKE_SECRET:
        do_secrets(g, t, i)
    elif op == Op.HIDE_SECRET:
        add_secret(g, t, f.side, f.card)
    elif op >= Op.KAZAKUS_COST and op <= Op.KAZAKUS_CRAFT:
        do_kazakus(g, t, i)
    f.pc += 1
