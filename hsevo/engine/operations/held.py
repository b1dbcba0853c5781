"""Operations that change cards in hands and decks, and counters of a player."""

from __future__ import annotations

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Gains, Is, Keyword, Kind, Rule, Selector
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.decks import shuffle_hand
from hsevo.engine.operations.hand import discard_at
from hsevo.engine.record.codec import (
    BONUS,
    CHEAPER,
    MAX_BONUS,
    Moment,
    bonus_of,
    card_in,
    minion_ref,
)
from hsevo.engine.record.state import GAME_T, MOST, NONE, NOTED, random_below
from hsevo.engine.rules.board import buff, take_power
from hsevo.engine.rules.costs import cost_of
from hsevo.engine.rules.evidence import (
    deal_unseen,
    note_hidden,
    note_remade,
)
from hsevo.engine.rules.query import card_matches, held_matches, row_side
from hsevo.engine.rules.select import keep_random, pick_from, plain_amount
from hsevo.engine.rules.zones import (
    add_openly,
    copy_in_hand,
    draw_copy,
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


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8))
def is_chosen_in_hand(g, t, i, side, k, arg):
    """Return whether the k-th card of a hand passes the filter of frame i's row."""
    f, h = g.stack[i], g.side[side].hand[k]
    r = t.row[f.pc]
    if r.who == Selector.MARKED:
        return h.joined == f.card
    if r.test == Is.MINION_NOW_AT_MOST:
        return t.card[h.card].kind == Kind.MINION and cost_of(g, t, side, k) <= arg
    return held_matches(g, t, side, k, r.test, arg)


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
    for k in range(s.n_hand if r.who != Selector.MY_DECK else 0):
        if is_chosen_in_hand(g, t, i, side, k, arg):
            g.list[g.n_list] = k
            g.n_list += 1
    if r.who == Selector.CHEAPEST:
        keep_cheapest(g, t, side)
    if r.who == Selector.LEFTMOST:
        g.n_list = min(np.int64(g.n_list), np.int64(1))
    if r.pick > 0:
        keep_random(g, r.pick)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def keep_cheapest(g, t, side):
    """Keep one of the places in hand on the list, at random among those that cost least."""
    n, place = np.int64(0), np.int64(NONE)
    for j in range(g.n_list):
        k = np.int64(g.list[j])
        less = np.int64(0) if n == 0 else cost_of(g, t, side, k) - cost_of(g, t, side, place)
        if n == 0 or less < 0:
            n, place = np.int64(1), k
        elif less == 0:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    g.n_list = min(n, np.int64(1))
    g.list[0] = max(place, 0)


@kernel(VOID(GAME_T, I8, I8, I8))
def become(g, side, k, card):
    """Turn the k-th card of a hand into another one, without changes."""
    h = g.side[side].hand[k]
    h.card = card
    h.cost = 0
    h.attack = 0
    h.health = 0
    h.joined = 0
    if g.sight == NOTED and (np.int64(g.side[side].reflecting) >> k) & 1 == 1:
        g.evidence[side].hand[k] = card  # all see what it becomes


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def become_random(g, t, side, k, pool):
    """Turn the k-th card of a hand into a random one of a pool, without changes."""
    become(g, side, k, pick_from(g, t, side, pool))


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8), cold=True)
def count_for_card(g, t, i, side, k, n):
    """UPGRADE: a spell in hand counts in its `attack`; at the amount needed it is another card.

    What it counts beyond that is lost.
    """
    r, h = t.row[g.stack[i].pc], g.side[side].hand[k]
    h.attack += n
    if h.attack >= r.needed:
        h.attack = 0
        h.card = r.card
        find_hand_listeners(g, t, side)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def change_held(g, t, i, side, k):
    """Apply frame i's op to the k-th card of a hand."""
    r, h = t.row[g.stack[i].pc], g.side[side].hand[k]
    n = plain_amount(g, t, i)
    if r.op == Op.BUFF_CARDS or r.op == Op.GROW_HELD:
        h.attack += n
        h.health += r.health
    elif r.op == Op.CHANGE_COST:
        h.cost += n
    elif r.op == Op.TRANSFORM_CARDS:
        become_random(g, t, side, k, r.pool)
        find_hand_listeners(g, t, side)
    elif r.op == Op.MAKE_FREE:
        h.cost = -t.card[h.card].cost
    elif r.op == Op.REMOVE_CARDS:
        remove_from_hand(g, side, k)
        g.stack[i].place = NONE  # it was a place in hand
    elif r.op == Op.COPY_CARDS:
        copy_in_hand(g, t, side, k)
    elif r.op == Op.UPGRADE:
        count_for_card(g, t, i, side, k, n)
    elif r.op == Op.ATTACH_CARDS:
        h.attack += n
        h.health += r.health
        g.side[side].gifted |= 1 << k
        g.side[side].gift = r.card
    elif r.op == Op.DOUBLE_CARDS:
        h.attack += min(t.card[h.card].attack + h.attack, MOST - h.attack)
        h.health += min(t.card[h.card].health + h.health, MOST - h.health)
    elif r.op == Op.SWAP_FORM:
        h.card = r.card
        attack = np.int64(h.attack)
        h.attack = h.health
        h.health = attack
        find_hand_listeners(g, t, side)


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
            elif r.op == Op.MAKE_FREE:
                s.free |= 1 << k
            elif r.op == Op.LEVEL_CARDS:
                sized = s.counter[Counter.MINION_SIZE] > 0  # all its minions are n/n
                s.leveled |= np.int64(not sized) << k
            elif r.op == Op.TRANSFORM_CARDS:
                s.deck[k] = pick_from(g, t, side, r.pool)
                s.unseen |= 1 << k
                s.leveled &= ~(1 << k)
    if r.op == Op.TRANSFORM_CARDS:
        find_deck_listeners(g, t, side)
        note_remade(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def return_played_spells(g, t, side):
    """RETURN_PLAYED_SPELLS: those of the player's last turn, in the order in which it played them.
    """
    s = g.side[side]
    for k in range(s.n_later):
        if np.int64(s.later[k]) >> BONUS == Moment.SPELL_LAST:
            add_openly(g, t, side, card_in(s.later[k]))


@kernel(VOID(GAME_T, TABLES_T, I8))
def renounce(g, t, i):
    """RENOUNCE: hero power and cards of a class become those of a random other one, 1 cheaper.

    hearthstone.fandom.com, Renounce Darkness: the new class can be that of the hero.
    """
    f = g.stack[i]
    s, old = g.side[f.side], np.int64(t.row[f.pc].cls)
    new = 1 + random_below(g, 8)
    new += new >= old
    take_power(g, t, f.side, t.power[new])
    pool = np.int64(t.class_pool[new])
    for k in range(s.n_hand):
        h = s.hand[k]
        if t.card[h.card].cls == old:
            h.card = pick_from(g, t, f.side, pool)
            h.cost = -1
            h.attack = 0
            h.health = 0
            h.joined = 0
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].cls == old:
            s.deck[k] = pick_from(g, t, f.side, pool) | (1 << CHEAPER)
            s.unseen |= 1 << k
            s.leveled &= ~(1 << k)
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
    of_spells = r.counter >= Counter.NEXT_SPELL_TWICE and r.counter <= Counter.SPELLS_DRAIN
    next_one = r.counter == Counter.NEXT_ELEMENTAL_CHEAPER or r.counter == Counter.NEXT_POWER_DAMAGE
    if of_spells or next_one:
        g.side[row_side(g, t, i)].turn_rules |= Rule.POWER_HITS_HARDER
    if r.counter == Counter.CTHUN_TAUNT:
        grow_cthun(g, t, f.side, 0, 0, Keyword.TAUNT)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def discard_noted(g, t, i, side, k):
    """DISCARD_CARDS: the k-th card of a hand, whose attack and health frame i adds up."""
    f, h = g.stack[i], g.side[side].hand[k]
    f.first += t.card[h.card].attack + h.attack
    f.second += t.card[h.card].health + h.health
    discard_at(g, t, side, k)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def do_reflections(g, t, i, side):
    """ADD_REFLECTION, REFLECT, LOSE_REFLECTIONS."""
    f, s = g.stack[i], g.side[side]
    if t.row[f.pc].op == Op.ADD_REFLECTION:
        if add_openly(g, t, side, t.row[f.pc].card):
            s.reflecting |= 1 << (np.int64(s.n_hand) - 1)
        return
    for k in range(s.n_hand - 1, -1, -1):
        if (np.int64(s.reflecting) >> k) & 1 == 1:
            if t.row[f.pc].op == Op.LOSE_REFLECTIONS:
                remove_from_hand(g, side, k)
            else:
                become(g, side, k, np.int64(f.first))
    find_hand_listeners(g, t, side)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def add_options(g, t, i):
    """ADD_OPTIONS: our choice: each costs what is printed on the card whose option it is."""
    f = g.stack[i]
    s, k = g.side[f.side], t.card[f.first]
    for o in range(2):
        if k.option[o] > 0 and add_openly(g, t, f.side, np.int64(k.option[o])):
            s.hand[s.n_hand - 1].cost = k.cost - t.card[k.option[o]].cost


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def shuffle_hand_away(g, t, i, side):
    """SHUFFLE_HAND_AWAY: cards that no one sees, with what a deck can keep of their changes."""
    s = g.side[side]
    g.stack[i].amount = s.n_hand
    shuffle_hand(g, t, side)
    for k in range(np.int64(s.n_hand) - 1, -1, -1):
        if g.sight == NOTED:
            note_hidden(g, side, k)
        remove_from_hand(g, side, k)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_held(g, t, i, op):
    """Run frame i's row, an operation of Group.HELD."""
    f = g.stack[i]
    r = t.row[f.pc]
    side = np.int64(f.side)
    if op == Op.COUNT or op == Op.SET_COUNT or op == Op.GROW:
        do_count(g, t, i)
        return
    if op == Op.ADD_OPTIONS:
        add_options(g, t, i)
        return
    if op == Op.SHUFFLE_HAND_AWAY:
        shuffle_hand_away(g, t, i, side)
        return
    if op == Op.DRAW_REVEALED or op == Op.DRAW_CHOSEN:
        draw_copy(g, t, side, np.int64(g.chosen))
        return
    if op == Op.RETURN_PLAYED_SPELLS:
        return_played_spells(g, t, side)
        return
    if op == Op.RENOUNCE:
        renounce(g, t, i)
        return
    if op == Op.ADD_REFLECTION or op == Op.REFLECT or op == Op.LOSE_REFLECTIONS:
        do_reflections(g, t, i, side)
        return
    if r.who == Selector.ENEMY_HAND:
        side = 1 - side
    if r.who != Selector.MY_DECK:
        select_held(g, t, i, side)
        for j in range(g.n_list):
            if op == Op.DISCARD_CARDS:
                discard_noted(g, t, i, side, np.int64(g.list[j]) - j)
            else:
                change_held(g, t, i, side, g.list[j])
    if r.who == Selector.MY_HAND_AND_DECK or r.who == Selector.MY_DECK:
        change_deck(g, t, i, side)
        if op == Op.TRANSFORM_CARDS:
            find_deck_listeners(g, t, side)
