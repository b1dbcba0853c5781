"""The operations on cards in hands and decks: drawn, added, discarded, shuffled, changed.
They also change counters of a player.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event, Gains, Is, Keyword, Kind, Rule, Selector
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    BONUS,
    CHEAPER,
    MAX_BONUS,
    Recall,
    bonus_of,
    card_in,
    minion_ref,
)
from hsevo.engine.record.state import GAME_T, NONE, NOTED, announce, random_below
from hsevo.engine.rules.board import buff, take_power
from hsevo.engine.rules.evidence import (
    DRAWN,
    deal_unseen,
    note_looked_at,
    note_remade,
    note_revealed,
    note_shown,
    take_inside,
)
from hsevo.engine.rules.query import card_matches, held_matches, row_side
from hsevo.engine.rules.select import keep_random, pick_from, plain_amount
from hsevo.engine.rules.zones import (
    add_openly,
    add_to_hand,
    copy_in_hand,
    draw_card,
    draw_from,
    find_deck_listeners,
    find_hand_listeners,
    note_card,
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
        k = random_below(g, s.n_hand)
        attack, health = np.int64(s.hand[k].attack), np.int64(s.hand[k].health)
        card = remove_from_hand(g, side, k)
        announce(g, Event.DISCARDED, side, card, NONE, NONE, 0)
        if t.card[card].discarded > 0:
            push_card_text(g, side, card, t.card[card].discarded, NONE)
            g.stack[g.depth - 1].first = attack
            g.stack[g.depth - 1].second = health
        if t.quests == 1 and t.card[card].kind == Kind.MINION:
            note_card(g, side, card, Recall.DISCARDED)


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
        if r.price > 0:
            s.hand[held].cost = r.price - 1 - f.amount
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
                if add_to_hand(g, t, side, f.first) and r.price > 0:
                    s = g.side[side]
                    s.hand[s.n_hand - 1].cost = r.price - 1 - t.card[f.first].cost
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
    s, count, best = g.side[side], np.int64(0), NONE
    for k in range(s.n_deck):
        if card_matches(t, card_in(s.deck[k]), r.test, r.arg):
            count += 1
            if random_below(g, count) == 0:  # each with equal probability
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


@kernel(VOID(GAME_T, TABLES_T, I8))
def destroy_in_deck(g, t, i):
    """DESTROY_IN_DECK: the cards leave the deck unseen."""
    f = g.stack[i]
    side, r = np.int64(f.side), t.row[f.pc]
    deal_unseen(g, side)
    for k in range(g.side[side].n_deck - 1, -1, -1):
        if card_matches(t, card_in(g.side[side].deck[k]), r.test, r.arg):
            entry = remove_from_deck(g, t, side, k)
            if g.sight == NOTED:
                take_inside(g, side, card_in(entry))


@kernel(VOID(GAME_T, TABLES_T, I8))
def return_discarded(g, t, i):
    """RETURN_DISCARDED: with the attack and health that it had been given, and more."""
    f = g.stack[i]
    s, n = g.side[f.side], plain_amount(g, t, i)
    if add_openly(g, t, f.side, f.card):
        s.hand[s.n_hand - 1].attack = f.first + n
        s.hand[s.n_hand - 1].health = f.second + n


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
    elif op == Op.DESTROY_IN_DECK:
        destroy_in_deck(g, t, i)
    elif op == Op.RETURN_DISCARDED:
        return_discarded(g, t, i)


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
    for k in range(s.n_hand if r.who != Selector.MY_DECK else 0):
        if held_matches(g, t, side, k, r.test, arg):
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
    elif r.op == Op.MAKE_FREE:
        h.cost = -t.card[h.card].cost
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
            elif r.op == Op.MAKE_FREE:
                s.free |= 1 << k
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
    if r.who == Selector.MY_HAND_AND_DECK or r.who == Selector.MY_DECK:
        change_deck(g, t, i, side)
        if op == Op.TRANSFORM_CARDS:
            find_deck_listeners(g, t, side)
