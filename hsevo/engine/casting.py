"""Spells that texts cast, and other operations of one or two cards that stand on all others."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Keyword, Kind, Rule, Sequence
from hsevo.engine.aim import aim_at_random, requirements_met
from hsevo.engine.board import summon
from hsevo.engine.codec import BOTH_OPTIONS, CHEAPER, card_in, side_of
from hsevo.engine.effects import add_overload
from hsevo.engine.graves import summon_all_dead
from hsevo.engine.hand import pick_from, take_power
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.query import card_matches, position_beside, ref_if_in_play
from hsevo.engine.rare import COSTS
from hsevo.engine.select import plain_amount
from hsevo.engine.state import GAME_T, NONE, is_in_play, push, random_below
from hsevo.engine.strikes import repeat_row
from hsevo.engine.unseen import deal_unseen
from hsevo.engine.zones import (
    find_deck_listeners,
    find_hand_listeners,
    shuffle_into_deck,
    summon_from_hand,
)


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_all_from_hand(g, t, i):
    """SUMMON_ALL_FROM_HAND: from left to right, while there is room."""
    f = g.stack[i]
    r, s, k = t.row[f.pc], g.side[f.side], 0
    deal_unseen(g, f.side)
    while k < s.n_hand:
        card = np.int64(s.hand[k].card)
        minion = t.card[card].kind == Kind.MINION
        if not minion or not card_matches(g, t, card, f.side, r.test, r.arg):
            k += 1
        elif summon_from_hand(g, t, f.side, k, position_beside(g, i)) >= 0:
            f.place += f.place >= 0  # where the minion died
        else:
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_by_cost(g, t, i):
    """SUMMON_BY_COST: nothing if no minion costs that much."""
    cost = plain_amount(g, t, i)
    if cost < COSTS:
        card = pick_from(g, t, g.stack[i].side, t.of_cost[cost])
        if card > 0:
            summon(g, t, g.stack[i].side, card, position_beside(g, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def renounce(g, t, i):
    """RENOUNCE: hero power and cards of class a become those of a random other class, 1 cheaper.

    hearthstone.fandom.com, Renounce Darkness: the new class can be that of the hero.
    """
    f = g.stack[i]
    s, old = g.side[f.side], np.int64(t.row[f.pc].a)
    new = 1 + random_below(g, 8)
    new += new >= old
    take_power(g, f.side, t.power[new])
    pool = np.int64(t.class_pool[new])
    for k in range(s.n_hand):
        h = s.hand[k]
        if t.card[h.card].cls == old:
            h.card = pick_from(g, t, f.side, pool)
            h.cost = -1
            h.attack = 0
            h.health = 0
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].cls == old:
            s.deck[k] = pick_from(g, t, f.side, pool) | (1 << CHEAPER)
            s.unseen |= 1 << k
    find_hand_listeners(g, t, f.side)
    find_deck_listeners(g, t, f.side)


@kernel(BOOL(GAME_T, I8, I8))
def holds(g, side, card):
    """Return whether a player has a card in hand or deck."""
    s = g.side[side]
    for k in range(s.n_hand):
        if s.hand[k].card == card:
            return True
    for k in range(s.n_deck):
        if card_in(s.deck[k]) == card:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8))
def shuffle_unlike(g, t, i):
    """SHUFFLE_UNLIKE."""
    f = g.stack[i]
    side, pool = np.int64(f.side), np.int64(t.row[f.pc].a)
    first, size = np.int64(t.pool[pool, 0]), np.int64(t.pool[pool, 1])
    for _ in range(plain_amount(g, t, i)):
        fit, chosen = np.int64(0), np.int64(0)
        for k in range(first, first + size):
            card = np.int64(t.pooled[k])
            classes = np.int64(t.card[card].classes)
            suits = classes == 0 or ((classes >> g.side[side].cls) & 1) == 1
            if suits and not holds(g, side, card):
                fit += 1
                if random_below(g, fit) == 0:  # each with equal probability
                    chosen = card
        if chosen > 0:
            place = shuffle_into_deck(g, t, side, chosen)
            if place >= 0:
                g.side[side].unseen |= 1 << place


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def cast(g, t, side, card):
    """Put a spell on the stack, with a random option and target; without a target it fizzles."""
    k, option = t.card[card], np.int64(0)
    if k.option[0] > 0:
        both = (g.side[side].rules & Rule.CHOOSE_BOTH) != 0
        option = BOTH_OPTIONS if both else random_below(g, 2)
    one = np.int64(k.option[option] if k.option[0] > 0 and option != BOTH_OPTIONS else card)
    if not requirements_met(g, t, one):
        return
    g.option = option
    i = push(g)
    f = g.stack[i]
    f.pc = t.sequence[Sequence.CAST]
    f.side = side
    f.card = card
    aim_at_random(g, t, i)
    if f.target < 0 and t.card[one].target != 0:
        g.depth -= 1
    elif k.overload > 0:
        add_overload(g, t, side, k.overload)


@kernel(VOID(GAME_T, TABLES_T, I8))
def cast_copy(g, t, i):
    """CAST_COPY: the event's spell is cast once more, with the same options, at this minion."""
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    if own >= 0:
        copy = g.stack[push(g)]
        copy.pc = t.sequence[Sequence.CAST]
        copy.side = f.side
        copy.card = f.first
        copy.target = own
        copy.target_uid = f.uid


@kernel(I8(GAME_T, I8))
def ref_of(g, uid):
    """Return the ref of the character in play with a uid, on either side, or NONE."""
    for ref in range(16):
        if is_in_play(g, ref, uid):
            return ref
    return NONE


@kernel(VOID(GAME_T, TABLES_T, I8))
def cast_random(g, t, i):
    """CAST_RANDOM: one spell, resolved, after the other.

    Patch 6.1.3: it ends when the caster has left play, is silenced or transformed. If the caster
    has changed sides, the other player casts the rest (hs-bugs 886 and 924: as intended).
    """
    f = g.stack[i]
    own = ref_of(g, f.uid)
    if own < 0 or (g.char[own].keywords & Keyword.SILENCED) != 0:
        f.left = 0
        f.pc += 1
        return
    f.ref = own
    f.side = side_of(own)
    if repeat_row(g, t, i, plain_amount(g, t, i) if f.left == 0 else np.int64(0)) == 1:
        mover = g.me
        g.me = f.side  # its requirements and targets are those of who casts it
        cast(g, t, f.side, pick_from(g, t, f.side, t.row[f.pc].a))
        g.me = mover


@kernel(BOOL(GAME_T, TABLES_T))
def is_casting(g, t):
    """Return whether a text is casting spells: their choices are made at random."""
    for i in range(g.depth):
        if t.row[g.stack[i].pc].op == Op.CAST_RANDOM:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8))
def run_casting(g, t, i):
    """Run the row of frame i and advance to the next. `ops.Op` explains the ops."""
    f = g.stack[i]
    op = np.int64(t.row[f.pc].op)
    if op == Op.CAST_RANDOM:
        cast_random(g, t, i)  # advances itself after the last spell
        return
    if op == Op.SUMMON_ALL_FROM_HAND:
        summon_all_from_hand(g, t, i)
    elif op == Op.SUMMON_ALL_DEAD:
        summon_all_dead(g, t, i)
    elif op == Op.CAST_COPY:
        cast_copy(g, t, i)
    elif op == Op.SUMMON_BY_COST:
        summon_by_cost(g, t, i)
    elif op == Op.RENOUNCE:
        renounce(g, t, i)
    elif op == Op.SHUFFLE_UNLIKE:
        shuffle_unlike(g, t, i)
    f.pc += 1
