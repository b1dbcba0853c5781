"""Minions that enter play from hands and decks."""

import numpy as np

from hsevo.cards.terms import Is, Kind
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.changes import set_attack, set_health
from hsevo.engine.operations.held import select_held
from hsevo.engine.operations.strikes import force_attack, repeat_row, select_affected
from hsevo.engine.record.codec import (
    card_in,
    is_kept,
    joined_card,
    minion_ref,
)
from hsevo.engine.record.state import (
    GAME_T,
    NONE,
    NOTED,
    random_below,
)
from hsevo.engine.rules.board import buff, remove_from_play, summon
from hsevo.engine.rules.conditions import (
    random_minion_in_deck,
    random_minion_of_deck,
    reveal,
)
from hsevo.engine.rules.deaths import (
    make_small,
)
from hsevo.engine.rules.evidence import add_inside, deal_unseen
from hsevo.engine.rules.health import mark_destroyed
from hsevo.engine.rules.kept import give_kept
from hsevo.engine.rules.query import (
    board_position,
    held_matches,
    position_beside,
    ref_if_in_play,
    room,
    row_side,
)
from hsevo.engine.rules.select import (
    add_matching_minions,
    keep_random,
    plain_amount,
)
from hsevo.engine.rules.zones import (
    add_openly,
    draw_card,
    draw_from,
    put_into_deck,
    summon_from_deck,
    summon_from_hand,
)


@kernel(I8(GAME_T, TABLES_T, I8))
def random_minion_in_hand(g, t, side):
    """Return the place of a random minion in a hand, or NONE."""
    deal_unseen(g, side)
    s, n, place = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(s.n_hand):
        if t.card[s.hand[k].card].kind == Kind.MINION:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    return place


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap(g, t, i):
    """SWAP_WITH_HAND."""
    f = g.stack[i]
    own, k = ref_if_in_play(g, f.ref, f.uid), random_minion_in_hand(g, t, f.side)
    if own >= 0 and k >= 0:
        place, card = board_position(g, own), np.int64(g.char[own].card)
        remove_from_play(g, t, own)
        summon_from_hand(g, t, f.side, k, place)
        add_openly(g, t, f.side, card)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def summon_copy_of_held(g, t, side, k, place):
    """Summon a copy of the k-th card of a hand, with its changes; return its ref, or NONE."""
    h = g.side[side].hand[k]
    ref = summon(g, t, side, h.card, place)
    if ref >= 0:
        buff(g, t, ref, np.int64(h.attack), np.int64(h.health))
        g.char[ref].keywords |= t.card[joined_card(h.joined)].keywords
        if t.keeps_given == 1 and is_kept(h.joined):
            give_kept(g, t, ref, side, h.joined)
    return ref


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_from_hand(g, t, i):
    """SUMMON_FROM_HAND: from left to right, placed on both sides of the summoner."""
    side = np.int64(g.stack[i].side)
    select_held(g, t, i, side)
    both_sides = position_beside(g, i) >= 0
    r = t.row[g.stack[i].pc]
    for j in range(g.n_list):
        left = j % 2 * both_sides
        place, k = position_beside(g, i) - left, np.int64(g.list[j])
        for x in range(j if r.copies == 0 else 0):  # those before it have left the hand
            k -= g.list[x] < g.list[j]
        if r.copies == 1:
            ref = summon_copy_of_held(g, t, side, k, place)
        else:
            ref = summon_from_hand(g, t, side, k, place)
        if ref >= 0:
            g.char[ref].keywords |= r.keywords


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_all_from_hand(g, t, i):
    """SUMMON_ALL_FROM_HAND: from left to right, while there is room."""
    f = g.stack[i]
    r, s, k = t.row[f.pc], g.side[f.side], 0
    deal_unseen(g, f.side)
    while k < s.n_hand:
        card = np.int64(s.hand[k].card)
        minion = t.card[card].kind == Kind.MINION
        if not minion or not held_matches(g, t, f.side, k, r.test, r.arg):
            k += 1
        elif summon_from_hand(g, t, f.side, k, position_beside(g, i)) >= 0:
            f.place += f.place >= 0  # where the minion died
        else:
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_pull(g, t, i):
    """PULL: a random minion of the opponent's hand enters its board."""
    enemy = 1 - np.int64(g.stack[i].side)
    k = random_minion_in_hand(g, t, enemy)
    if k >= 0 and room(g, enemy) > 0:
        summon_from_hand(g, t, enemy, k, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_from_deck(g, t, i):
    """SUMMON_FROM_DECK: random minions of the own deck, or (theirs) of the opponent's, there."""
    r, side = t.row[g.stack[i].pc], row_side(g, t, i)
    for _ in range(plain_amount(g, t, i)):
        k = random_minion_of_deck(g, t, side, r.test, r.arg)
        if k >= 0:
            ref = summon_from_deck(g, t, side, k, position_beside(g, i) if r.theirs == 0 else NONE)
            if ref >= 0:
                g.char[ref].keywords |= r.keywords
            if g.stack[i].place >= 0 and r.theirs == 0:
                g.stack[i].place += ref >= 0


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def summon_copies_of_deck(g, t, side):
    """Summon a 1/1 copy of each minion of a deck, in random order, while there is room."""
    deal_unseen(g, side)
    s, copied = g.side[side], np.int64(0)
    while room(g, side) > 0:
        n, place = np.int64(0), np.int64(NONE)
        for k in range(s.n_deck):
            if (copied >> k) & 1 == 0 and t.card[card_in(s.deck[k])].kind == Kind.MINION:
                n += 1
                if random_below(g, n) == 0:  # each with equal probability
                    place = k
        if place < 0:
            return
        copied |= np.int64(1) << place
        reveal(g, side, place)
        ref = summon(g, t, side, card_in(s.deck[place]), NONE)
        set_attack(g, t, ref, np.int64(1))
        set_health(g, t, ref, np.int64(1))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_summon_to_attack(g, t, i):
    """SUMMON_TO_ATTACK: all are summoned, then each attacks, what this triggers is resolved, and
    then they die. The minions follow each other in order of play: the frame keeps the first.
    """
    f = g.stack[i]
    side = np.int64(f.side)
    if f.left == 0:
        f.first = g.next_uid
        for _ in range(plain_amount(g, t, i)):
            k = random_minion_of_deck(g, t, side, Is.ANYTHING, 0)
            if k >= 0 and summon_from_deck(g, t, side, k, NONE) >= 0:
                f.second += 1
    if repeat_row(g, i, np.int64(f.second)):
        own = summoned_as(g, side, np.int64(f.first) + f.second - f.left)
        g.n_list = 0
        add_matching_minions(g, t, 1 - side, NONE, NONE, Is.ANYTHING, 0, True)
        keep_random(g, 1)
        if own >= 0 and g.n_list > 0:
            force_attack(g, t, own, np.int64(g.list[0]))
        return
    for k in range(f.second):
        own = summoned_as(g, side, np.int64(f.first) + k)
        if own >= 0:
            mark_destroyed(g, own)


@kernel(I8(GAME_T, I8, I8), cold=True)
def summoned_as(g, side, uid):
    """Return the ref of a player's minion with a uid, or NONE."""
    s = g.side[side]
    for k in range(s.minions):
        if g.char[minion_ref(side, s.row[k])].uid == uid:
            return minion_ref(side, s.row[k])
    return NONE


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_copy_from_deck(g, t, i):
    """SUMMON_COPY_FROM_DECK: an n/n copy of a random minion; theirs: a plain one, or else a card.
    """
    f = g.stack[i]
    r, owner = t.row[f.pc], row_side(g, t, i)
    if r.new == 1:
        summon_copies_of_deck(g, t, owner)
        return
    k = random_minion_in_deck(g, t, owner)
    if r.theirs == 0 and (k < 0 or room(g, f.side) <= 0):
        return
    if k >= 0:
        reveal(g, owner, k)
    card = card_in(g.side[owner].deck[k]) if k >= 0 else np.int64(r.card)
    ref = summon(g, t, f.side, card, position_beside(g, i))
    for _ in range(r.copies):
        summon(g, t, f.side, card, position_beside(g, i))
    if r.theirs == 0 and r.n > 0:
        set_attack(g, t, ref, np.int64(r.n))
        set_health(g, t, ref, np.int64(r.n))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_copy_from_hand(g, t, i):
    """SUMMON_COPY_FROM_HAND: a 1/1 copy of a random minion of the own hand."""
    side = np.int64(g.stack[i].side)
    k = random_minion_in_hand(g, t, side)
    if k < 0:
        return
    ref = summon(g, t, side, g.side[side].hand[k].card, position_beside(g, i))
    if ref >= 0:
        make_small(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap_with_deck(g, t, i):
    """SWAP_WITH_DECK: minions go into the own deck, as printed; others take their places."""
    select_affected(g, t, i)
    side = np.int64(g.stack[i].side)
    for j in range(g.n_list):
        ref, k = np.int64(g.list[j]), random_minion_in_deck(g, t, side)
        if k >= 0:
            place, card = board_position(g, ref), np.int64(g.char[ref].card)
            remove_from_play(g, t, ref)
            summon_from_deck(g, t, side, k, place)
            put_into_deck(g, t, side, card, k)
            if g.sight == NOTED:
                add_inside(g, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_leave_deck(g, t, i):
    """LEAVE_DECK: this card leaves its deck and enters play, if there is room."""
    f = g.stack[i]
    s = g.side[f.side]
    if room(g, f.side) <= 0:
        return
    for k in range(s.n_deck - 1, -1, -1):  # in the order in which a deck's cards answer
        if card_in(s.deck[k]) == f.card:
            summon_from_deck(g, t, f.side, k, NONE)
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw_into_play(g, t, i):
    """DRAW_INTO_PLAY: minions drawn enter play if there is room, without their Battlecry."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    for _ in range(plain_amount(g, t, i)):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 or last < 0 else random_below(g, s.n_deck)
        if k >= 0 and room(g, side) > 0 and t.card[card_in(s.deck[k])].kind == Kind.MINION:
            summon_from_deck(g, t, side, k, position_beside(g, i))
        elif k >= 0:
            draw_from(g, t, side, k)
        else:
            draw_card(g, t, side)
