"""Changes of cards in hands and decks, of their cost, attack and health; counters of a player."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Gains, Is, Keyword, Selector
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import BONUS, CHEAPER, MAX_BONUS, bonus_of, card_in, minion_ref
from hsevo.engine.record.state import GAME_T, NONE, random_below
from hsevo.engine.rules.board import buff, take_power
from hsevo.engine.rules.evidence import note_remade
from hsevo.engine.rules.pools import pick_from
from hsevo.engine.rules.query import card_matches, row_side
from hsevo.engine.rules.select import keep_random, plain_amount
from hsevo.engine.rules.unseen import deal_unseen
from hsevo.engine.rules.zones import (
    copy_in_hand,
    draw_from,
    find_deck_listeners,
    find_hand_listeners,
    remove_from_hand,
)


@kernel(I8(GAME_T, I8, I8, I8))
def place_in_hand(g, side, card, place):
    """Return where a card is in a hand: at `place` or, if cards have moved, the last copy."""
    s = g.side[side]
    if place >= 0 and place < s.n_hand and s.hand[place].card == card:
        return place
    for k in range(s.n_hand - 1, -1, -1):
        if s.hand[k].card == card:
            return k
    return NONE


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def select_held(g, t, i, side):
    """Fill the list with the places in hand that frame i's row affects."""
    f = g.stack[i]
    r, s = t.row[f.pc], g.side[side]
    deal_unseen(g, side)
    g.n_list = 0
    if r.who == Selector.THIS_CARD or r.who == Selector.DRAWN_CARD:
        own = r.who == Selector.THIS_CARD
        k = place_in_hand(g, side, f.card if own else f.first, f.place if own else f.amount)
        if k >= 0:
            g.list[0] = k
            g.n_list = 1
        return
    arg = np.int64(s.cls) if r.test == Is.OTHER_CLASS else np.int64(r.arg)
    for k in range(s.n_hand):
        if card_matches(t, s.hand[k].card, r.test, arg):
            g.list[g.n_list] = k
            g.n_list += 1
    if r.pick > 0:
        keep_random(g, r.pick)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def become_random(g, t, side, k, pool):
    """Turn the k-th card of a hand into a random one of a pool, without changes."""
    h = g.side[side].hand[k]
    h.card = pick_from(g, t, side, pool)
    h.cost = 0
    h.attack = 0
    h.health = 0


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def change_held(g, t, i, side, k):
    """Apply frame i's op to the k-th card of a hand."""
    r, h = t.row[g.stack[i].pc], g.side[side].hand[k]
    n = plain_amount(g, t, i)
    if r.op == Op.BUFF_CARDS:
        h.attack += n
        h.health += r.health
    elif r.op == Op.CHANGE_COST:
        h.cost += n
    elif r.op == Op.TRANSFORM_CARDS:
        become_random(g, t, side, k, r.pool)
        find_hand_listeners(g, t, side)
    elif r.op == Op.REMOVE_CARDS:
        remove_from_hand(g, side, k)
    elif r.op == Op.COPY_DRAWN:
        copy_in_hand(g, t, side, k)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_deck(g, t, i, side):
    """Apply frame i's op to every card of a deck that its row affects; codec has the limits."""
    r, s = t.row[g.stack[i].pc], g.side[side]
    n = plain_amount(g, t, i)
    for k in range(s.n_deck):
        entry = np.int64(s.deck[k])
        if card_matches(t, card_in(entry), r.test, r.arg):
            if r.op == Op.BUFF_CARDS:
                s.deck[k] = entry + (min(n, MAX_BONUS - bonus_of(entry)) << BONUS)
            elif r.op == Op.CHANGE_COST:
                s.deck[k] = entry | (1 << CHEAPER)
            elif r.op == Op.TRANSFORM_CARDS:
                s.deck[k] = pick_from(g, t, side, r.pool)
                s.unseen |= 1 << k
    if r.op == Op.TRANSFORM_CARDS:
        find_deck_listeners(g, t, side)
        note_remade(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def draw_revealed(g, t, side):
    """Draw the card that a Joust has revealed."""
    s = g.side[side]
    for k in range(s.n_deck - 1, -1, -1):
        if card_in(s.deck[k]) == g.chosen:
            draw_from(g, t, side, k)
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def renounce(g, t, i):
    """RENOUNCE: hero power and cards of a class become those of a random other one, 1 cheaper.

    hearthstone.fandom.com, Renounce Darkness: the new class can be that of the hero.
    """
    f = g.stack[i]
    s, old = g.side[f.side], np.int64(t.row[f.pc].cls)
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
    note_remade(g, f.side)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8))
def grow_cthun(g, t, side, attack, health, keywords):
    """Give a player's C'Thun attack, health and keywords, wherever it is."""
    s = g.side[side]
    s.counter[Counter.CTHUN_ATTACK] += attack
    s.counter[Counter.CTHUN_HEALTH] += health
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if t.card[g.char[ref].card].grows == 1:
            buff(g, t, ref, attack, health)
            g.char[ref].keywords |= keywords


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_count(g, t, i):
    """COUNT, SET_COUNT, GROW."""
    f = g.stack[i]
    r, n = t.row[f.pc], plain_amount(g, t, i)
    if r.op == Op.GROW:
        attack = n if r.gains != Gains.HEALTH else np.int64(0)
        health = np.int64(r.health) if r.gains == Gains.ATTACK else n
        grow_cthun(g, t, f.side, attack, health, 0)
        return
    counter = g.side[row_side(g, t, i)].counter
    counter[r.counter] = n if r.op == Op.SET_COUNT else counter[r.counter] + n
    if r.counter == Counter.CTHUN_TAUNT:
        grow_cthun(g, t, f.side, 0, 0, Keyword.TAUNT)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_held(g, t, i, op):
    """Run frame i's row, an operation of Group.HELD."""
    f = g.stack[i]
    r = t.row[f.pc]
    side = np.int64(f.side)
    if op == Op.COUNT or op == Op.SET_COUNT or op == Op.GROW:
        do_count(g, t, i)
        return
    if op == Op.DRAW_REVEALED:
        draw_revealed(g, t, side)
        return
    if op == Op.RENOUNCE:
        renounce(g, t, i)
        return
    select_held(g, t, i, side)
    for j in range(g.n_list):
        change_held(g, t, i, side, g.list[j])
    if r.who == Selector.MY_HAND_AND_DECK:
        change_deck(g, t, i, side)
        if op == Op.TRANSFORM_CARDS:
            find_deck_listeners(g, t, side)
