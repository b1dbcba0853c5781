"""The operations on a player: hero, weapon, mana, hero power, rules of a turn."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event, Keyword, Kind, Reach, Rule
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import BONUS, bonus_of, card_in, hero_of, minion_ref
from hsevo.engine.record.state import GAME_T, LATER, MAX_MANA, NONE, TEXTS, announce, random_below
from hsevo.engine.rules.board import (
    BY_WEAPON,
    buff_weapon,
    create_character,
    destroy_weapon,
    equip_weapon,
    forget_slain,
    forget_weapon,
    gain_crystals,
    is_weapon_missed,
    lose_durability,
    remove_from_play,
    take_power,
    take_size,
)
from hsevo.engine.rules.health import deal_damage
from hsevo.engine.rules.kept import forget_sizes
from hsevo.engine.rules.query import is_dying, ref_if_in_play, row_side
from hsevo.engine.rules.select import pick_from, plain_amount
from hsevo.engine.rules.zones import add_openly


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_buff_weapon(g, t, i):
    """BUFF_WEAPON."""
    f = g.stack[i]
    buff_weapon(g, t, f.side, plain_amount(g, t, i), np.int64(t.row[f.pc].health))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_buff_played_weapon(g, t, i):
    """BUFF_PLAYED_WEAPON: the phase that plays it equips it with these numbers."""
    for j in range(i):
        if g.stack[j].pc > 0 and t.row[g.stack[j].pc].op == Op.EQUIP_PLAYED:
            g.stack[j].first += plain_amount(g, t, i)
            g.stack[j].second += t.row[g.stack[i].pc].health


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_equip_random(g, t, i):
    """EQUIP_RANDOM: a weapon of a pool."""
    side = row_side(g, t, i)
    card = pick_from(g, t, side, t.row[g.stack[i].pc].pool)
    if card > 0:
        equip_weapon(g, t, side, card)


@kernel(VOID(GAME_T, I8, I8))
def add_overload(g, side, n):
    """Add overload for the next turn."""
    g.side[side].overload += n
    g.stale |= g.auras > 0
    g.side[side].counter[Counter.OVERLOADED] += n * g.late
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
    by_weapon = g.char[hero].keywords & BY_WEAPON
    for x in range(TEXTS):
        g.list[x] = g.char[hero].extra[x]
    create_character(g, t, hero, card)
    n = np.int64(0)
    for x in range(TEXTS):  # those for the game
        if t.card[card_in(g.list[x])].lasts == 1:
            g.char[hero].extra[n] = g.list[x]
            n += 1
    g.stale = 1
    g.char[hero].attacks = attacks
    g.char[hero].keywords |= by_weapon
    g.char[hero].keywords &= ~Keyword.FRESH
    g.side[side].armor = 0
    if t.card[card].cls > 0:
        g.side[side].cls = t.card[card].cls
    if own >= 0 and own != hero and t.row[f.pc].new == 0:
        g.char[hero].uid = f.uid
        remove_from_play(g, t, own)
        for j in range(g.depth):
            if g.stack[j].uid == f.uid:
                g.stack[j].ref = hero


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_power(g, t, side, op):
    """COPY_POWER, UPGRADE_POWER."""
    if op == Op.COPY_POWER:
        take_power(g, t, side, g.side[1 - side].power)
    elif t.card[g.side[side].power].better > 0:
        take_power(g, t, side, t.card[g.side[side].power].better)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def random_power(g, t, side, pool):
    """Return a random hero power of a pool, other than a player's own."""
    n, power = np.int64(0), np.int64(0)
    for k in range(t.pool[pool, 1]):
        card = np.int64(t.pooled[t.pool[pool, 0] + k])
        if card != g.side[side].power:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                power = card
    return power


@kernel(VOID(GAME_T, I8, I8))
def empty_after_loss(g, side, before):
    """Take mana for crystals that a player has lost. Wiki, Mana: empty ones first."""
    s = g.side[side]
    empty = max(before - s.locked - s.mana, 0)
    s.mana = max(s.mana - max(before - s.crystals - empty, 0), 0)
    s.locked = min(s.locked, s.crystals)  # a locked one, if all of them are


@kernel(VOID(GAME_T, I8, I8), cold=True)
def set_crystals(g, side, n):
    """SET_CRYSTALS: those gained are full."""
    s = g.side[side]
    before = np.int64(s.crystals)
    gain_crystals(g, side, n - before)
    if n < before:
        empty_after_loss(g, side, before)
    else:
        s.mana += n - before


@kernel(VOID(GAME_T, I8))
def fill_crystals(g, side):
    """FILL_CRYSTALS."""
    s = g.side[side]
    s.crystals = MAX_MANA
    s.mana = MAX_MANA
    s.locked = 0


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def size_for_all(g, t, side, n):
    """SIZE_FOR_ALL: minions in play, in hand and in the deck lose what they had been given."""
    s = g.side[side]
    s.counter[Counter.MINION_SIZE] = n
    for k in range(s.minions):
        take_size(g, t, minion_ref(side, s.row[k]))
    for k in range(s.n_hand):
        if t.card[s.hand[k].card].kind == Kind.MINION:
            s.hand[k].attack = 0
            s.hand[k].health = 0
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].kind == Kind.MINION:
            s.deck[k] -= bonus_of(s.deck[k]) << BONUS
            s.leveled &= ~(1 << k)
    if t.keeps_given == 1:
        forget_sizes(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_hero(g, t, i):
    """Apply an operation to a player's hero, mana, weapon or power."""
    f = g.stack[i]
    r = t.row[f.pc]
    side, n = row_side(g, t, i), plain_amount(g, t, i)
    s, hero = g.side[side], g.char[hero_of(side)]
    if r.op == Op.ARMOR:
        s.armor += n
        g.stale |= (g.reach & Reach.ARMOR) != 0
        announce(g, Event.ARMOR_GAINED, side, f.card, hero_of(side), NONE, n)
    elif r.op == Op.HERO_ATTACK:
        hero.attack += n
        hero.turn_attack += n
    elif r.op == Op.EQUIP:
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and s.weapon > 0 and (t.card[s.weapon].rules & Rule.SHARPENED_BY_POWER) != 0:
            s.weapon_attack += 1
        else:
            equip_weapon(g, t, side, r.card)
    elif r.op == Op.DESTROY_WEAPON:
        destroy_weapon(g, t, side)
    elif r.op == Op.TEMPORARY_MANA:
        s.mana = min(np.int64(s.mana) + n, 10)
    elif r.op == Op.CRYSTALS or r.op == Op.DESTROY_CRYSTALS:
        before = np.int64(s.crystals)
        gain_crystals(g, side, n if r.op == Op.CRYSTALS else -n)
        if r.op == Op.DESTROY_CRYSTALS:
            f.amount = before - s.crystals  # for CRYSTALS_LOST
            empty_after_loss(g, side, before)
        elif r.empty == 0:
            s.mana = max(min(s.mana + s.crystals - before, 10), 0)
    elif r.op == Op.EXTRA_TURN:
        s.counter[Counter.EXTRA_TURNS] += 1
    elif r.op == Op.GIVE_WEAPON:
        if s.weapon > 0:
            hero.keywords |= r.keywords
    elif r.op == Op.SIZE_FOR_ALL:
        size_for_all(g, t, side, n)
    elif r.op == Op.SPEND_MANA:
        f.amount = s.mana
        s.mana = 0
    elif r.op == Op.SET_POWER:
        take_power(g, t, side, r.card)
    elif r.op == Op.SET_RANDOM_POWER:
        take_power(g, t, side, random_power(g, t, side, r.pool))
    elif r.op == Op.REFRESH_POWER:
        s.power_used = 0
    elif r.op == Op.REFRESH_MANA:
        s.mana = max(np.int64(s.mana), np.int64(s.crystals) - s.locked)
    elif r.op == Op.RULE_THIS_TURN:
        s.turn_rules |= r.rule
        if r.rule == Rule.SPELLS_DEARER:
            s.counter[Counter.SPELLS_DEARER] += n
    elif r.op == Op.DAMAGE_WEAPON:
        for _ in range(n):
            lose_durability(g, side)
    elif r.op == Op.BECOME_HERO:
        become_hero(g, t, i, r.card)
    elif r.op == Op.LATER:
        if s.n_later < LATER:
            s.later[s.n_later] = r.card + (np.int64(r.this_turn) << BONUS)
            s.n_later += 1
    elif r.op == Op.UNLOCK:
        s.mana += s.locked
        s.locked = 0
        s.overload = 0
        g.stale |= g.auras > 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def throw_weapon(g, t, i):
    """THROW_WEAPON: it is not destroyed, and it returns as printed."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    weapon = np.int64(s.weapon)
    if weapon == 0:
        return
    select_affected(g, t, i)
    for k in range(g.n_list):
        deal_damage(g, t, g.list[k], np.int64(s.weapon_attack), hero_of(side))
    g.stale |= is_weapon_missed(g, t, side)
    forget_weapon(g, side)
    forget_slain(g, side)
    add_openly(g, t, side, weapon)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_players(g, t, i, op):
    """Run frame i's row, an operation of Group.PLAYERS."""
    side = np.int64(g.stack[i].side)
    if op == Op.BUFF_WEAPON:
        do_buff_weapon(g, t, i)
    elif op == Op.BUFF_PLAYED_WEAPON:
        do_buff_played_weapon(g, t, i)
    elif op == Op.EQUIP_RANDOM:
        do_equip_random(g, t, i)
    elif op == Op.COPY_POWER or op == Op.UPGRADE_POWER:
        change_power(g, t, side, op)
    elif op == Op.THROW_WEAPON:
        throw_weapon(g, t, i)
    elif op == Op.SPEND_ARMOR:
        g.stack[i].amount = g.side[side].armor
        g.side[side].armor = 0
        g.stale |= (g.reach & Reach.ARMOR) != 0
    elif op == Op.SET_CRYSTALS:
        for player in range(2):
            set_crystals(g, player, plain_amount(g, t, i))
    elif op == Op.FILL_CRYSTALS:
        fill_crystals(g, side)
    else:
        do_hero(g, t, i)
