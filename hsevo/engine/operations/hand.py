"""The operations on cards: drawn, added, discarded, shuffled."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Kind, Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in
from hsevo.engine.record.state import GAME_T, NONE, NOTED, announce, random_below
from hsevo.engine.rules.evidence import DRAWN, note_looked_at, note_revealed, note_shown
from hsevo.engine.rules.pools import pick_from
from hsevo.engine.rules.query import card_matches, row_side
from hsevo.engine.rules.select import keep_random, plain_amount
from hsevo.engine.rules.unseen import deal_unseen
from hsevo.engine.rules.zones import (
    add_openly,
    add_to_hand,
    copy_in_hand,
    draw_card,
    draw_from,
    push_card_text,
    remove_from_deck,
    remove_from_hand,
    shuffle_into_deck,
    shuffle_openly,
)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def discard(g, t, side, n):
    """Discard n random cards of a hand."""
    s = g.side[side]
    for _ in range(min(n, np.int64(s.n_hand))):
        card = remove_from_hand(g, side, random_below(g, s.n_hand))
        announce(g, Event.DISCARDED, side, card, NONE, NONE, 0)
        if t.card[card].discarded > 0:
            push_card_text(g, side, card, t.card[card].discarded, NONE)


@kernel(BOOL(GAME_T, TABLES_T, I8))
def has_draw_left(g, t, i):
    """Count down the draws of frame i's row; return whether there is one to make.

    What a draw triggers is resolved before the next one: the row runs again for each.
    """
    f = g.stack[i]
    if f.left == 0:
        f.left = plain_amount(g, t, i)
    if f.left <= 0:
        f.left = 0
        return False
    f.left -= 1
    if f.left > 0:
        f.pc -= 1  # who runs the row advances it
    return True


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw(g, t, i):
    """DRAW, DRAW_FOR_ENEMY: one card, and the row again for the next."""
    f = g.stack[i]
    r = t.row[f.pc]
    if not has_draw_left(g, t, i):
        return
    who = np.int64(f.side) if r.op == Op.DRAW else 1 - np.int64(f.side)
    s, held = g.side[who], np.int64(g.side[who].n_hand)
    f.amount = t.card[draw_card(g, t, who)].cost
    if s.n_hand == held:
        return
    if card_matches(t, s.hand[held].card, r.test, r.arg):
        s.hand[held].cost -= r.cheaper
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and (s.rules & Rule.POWER_DRAWS_FREE) != 0:
            s.hand[held].cost = -f.amount
        if r.card > 0:
            s.n_hand -= 1
            add_to_hand(g, t, who, r.card)
    for _ in range(r.copies):
        copy_in_hand(g, t, who, held)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw_until(g, t, i):
    """DRAW_UNTIL: draw cards until one does not pass the row's filter, or the deck is empty."""
    f = g.stack[i]
    r = t.row[f.pc]
    card = draw_card(g, t, f.side)
    if card > 0 and card_matches(t, card, r.test, r.arg):
        f.pc -= 1  # who runs the row advances it


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_cards(g, t, i):
    """DISCARD, ADD_CARD, ADD_RANDOM: amount cards."""
    f = g.stack[i]
    r = t.row[f.pc]
    side, n = row_side(g, t, i), plain_amount(g, t, i)
    if r.op == Op.DISCARD:
        discard(g, t, side, n)
        return
    for _ in range(n):
        if r.op == Op.ADD_CARD:
            if r.card < 0:
                add_to_hand(g, t, side, f.first)
            else:
                add_openly(g, t, side, np.int64(r.card if r.card > 0 else f.card))
        else:
            card = pick_from(g, t, f.side, r.pool)
            if card > 0 and add_to_hand(g, t, side, card):
                g.side[side].hand[g.side[side].n_hand - 1].cost = -r.cheaper


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_from_own_deck(g, t, i):
    """DRAW_FROM_DECK: draw cards that pass a filter; get a card for each that is missing."""
    f = g.stack[i]
    r = t.row[f.pc]
    if not has_draw_left(g, t, i):
        return
    side = np.int64(f.side)
    deal_unseen(g, side)
    s, found, best = g.side[side], np.int64(0), NONE
    for k in range(s.n_deck):
        if card_matches(t, card_in(s.deck[k]), r.test, r.arg):
            found += 1
            if random_below(g, found) == 0:  # each with equal probability
                best = k
    if best >= 0:
        draw_from(g, t, side, best)
    elif r.card > 0:
        add_to_hand(g, t, side, r.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_copy_enemy(g, t, i):
    """ADD_FROM_ENEMY_HAND, ADD_FROM_ENEMY_DECK: plain copies of different cards there."""
    f = g.stack[i]
    side = np.int64(f.side)
    o = g.side[1 - side]
    in_hand = t.row[f.pc].op == Op.ADD_FROM_ENEMY_HAND
    deal_unseen(g, 1 - side)
    size = np.int64(o.n_hand if in_hand else o.n_deck)
    left = min(plain_amount(g, t, i), size)
    g.n_list = 0
    for k in range(size):  # selection sampling: every choice of `left` places is equally likely
        if random_below(g, size - k) < left:
            g.list[g.n_list] = k
            g.n_list += 1
            left -= 1
    keep_random(g, g.n_list)  # in any order
    for j in range(g.n_list):
        k = g.list[j]
        card = np.int64(o.hand[k].card if in_hand else card_in(o.deck[k]))
        if g.sight == NOTED and in_hand:
            note_looked_at(g, 1 - side, k)
        elif g.sight == NOTED:
            note_revealed(g, 1 - side, card)
        add_to_hand(g, t, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_shuffle(g, t, i):
    """SHUFFLE: copies of a card, or of this one, into the own or the opponent's deck."""
    f = g.stack[i]
    r = t.row[f.pc]
    for _ in range(plain_amount(g, t, i)):
        shuffle_openly(g, t, row_side(g, t, i), r.card if r.card > 0 else f.card)


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
    side, pool = np.int64(f.side), np.int64(t.row[f.pc].pool)
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


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_lose_top(g, t, i):
    """LOSE_TOP: the top cards of the own deck are gone."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    deal_unseen(g, side)
    for _ in range(min(plain_amount(g, t, i), np.int64(s.n_deck))):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 else random_below(g, s.n_deck)
        entry = remove_from_deck(g, t, side, k)
        if g.sight == NOTED:
            note_shown(g, side, card_in(entry), DRAWN)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_cards(g, t, i, op):
    """Run frame i's row, an operation of Group.CARDS."""
    f = g.stack[i]
    if op == Op.DRAW or op == Op.DRAW_FOR_ENEMY:
        do_draw(g, t, i)
    elif op == Op.DISCARD or op == Op.ADD_CARD or op == Op.ADD_RANDOM:
        do_cards(g, t, i)
    elif op == Op.DRAW_FROM_DECK:
        do_from_own_deck(g, t, i)
    elif op == Op.ADD_FROM_ENEMY_HAND or op == Op.ADD_FROM_ENEMY_DECK:
        do_copy_enemy(g, t, i)
    elif op == Op.ADD_EVENT_CARD:
        add_openly(g, t, 1 - f.second, f.first)
    elif op == Op.DRAW_UNTIL:
        do_draw_until(g, t, i)
    elif op == Op.SHUFFLE:
        do_shuffle(g, t, i)
    elif op == Op.SHUFFLE_UNLIKE:
        shuffle_unlike(g, t, i)
    elif op == Op.LOSE_TOP:
        do_lose_top(g, t, i)
