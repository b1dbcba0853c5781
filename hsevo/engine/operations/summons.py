"""The operations that put minions into play."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Kind
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.changes import COSTS, copy_onto, set_attack, set_health
from hsevo.engine.operations.choices import offer_from
from hsevo.engine.operations.recruits import (
    do_copy_from_deck,
    do_copy_from_hand,
    do_draw_into_play,
    do_leave_deck,
    do_pull,
    do_summon_from_deck,
    do_summon_from_hand,
    do_summon_to_attack,
    do_swap,
    do_swap_with_deck,
    summon_all_from_hand,
)
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import (
    BONUS,
    Moment,
    card_in,
    is_hero,
    minion_ref,
    side_of,
)
from hsevo.engine.record.state import (
    GAME_T,
    LATER,
    NONE,
    NOTED,
    is_in_play,
    random_below,
)
from hsevo.engine.rules.auras import spell_damage_of, update_tags
from hsevo.engine.rules.board import forget_slain, put_dormant, summon
from hsevo.engine.rules.conditions import attack_in_deck
from hsevo.engine.rules.deaths import (
    do_summon_dead,
    summon_all_dead,
    summon_dead_of_turn,
)
from hsevo.engine.rules.evidence import DRAWN, deal_unseen, note_shown
from hsevo.engine.rules.query import (
    board_position,
    position_beside,
    ref_if_in_play,
    room,
    row_side,
)
from hsevo.engine.rules.select import (
    pick_from,
    plain_amount,
)
from hsevo.engine.rules.zones import (
    remove_from_deck,
    summon_from_deck,
)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def next_golem(g, t, side, pool):
    """Return a player's next Jade Golem."""
    size = min(np.int64(g.side[side].jade) + 1, np.int64(t.pool[pool, 1]))
    return np.int64(t.pooled[t.pool[pool, 0] + size - 1])


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def pick_new(g, t, pool):
    """Return a random card of a pool that is not among the choices, and add it to them."""
    before = np.int64(g.n_choices)
    offer_from(g, t, pool, 1, 0, 0)
    return np.int64(g.choice[before]) if g.n_choices > before else np.int64(0)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon(g, t, i):
    """SUMMON, SUMMON_RANDOM, SUMMON_JADE; several are placed on both sides of the summoner.

    Those of a Deathrattle come one after the other where the minion died.
    """
    f = g.stack[i]
    r = t.row[f.pc]
    enemy, side = r.theirs == 1, row_side(g, t, i)
    s = g.side[side]
    g.last = NONE
    n = np.int64(1) if r.op == Op.SUMMON_JADE else plain_amount(g, t, i)
    both_sides = 1 if ref_if_in_play(g, f.ref, f.uid) >= 0 else 0
    if r.new == 1:
        g.n_choices = 0
    for k in range(n):
        card = np.int64(r.card if r.card > 0 else f.card if r.card == 0 else f.first)
        if r.op == Op.SUMMON_RANDOM:
            card = pick_from(g, t, side, r.pool) if r.new == 0 else pick_new(g, t, r.pool)
        elif r.op == Op.SUMMON_JADE:
            card = next_golem(g, t, side, r.pool)
            s.jade += 1
        if card > 0:
            # hearthstone.wiki.gg, Summon: several at once are placed symmetrically, right first
            left = k % 2 * both_sides
            ref = summon(g, t, side, card, NONE if enemy else position_beside(g, i) - left)
            if f.place >= 0:  # where it died
                f.place += ref >= 0
            if r.small > 0 and ref >= 0:
                set_attack(g, t, ref, r.small)
                set_health(g, t, ref, r.small)


@kernel(I8(GAME_T, I8, I8))
def has_minion(g, side, card):
    """Return whether a player has a minion of a card in play (1) or not (0)."""
    s = g.side[side]
    for k in range(s.minions):
        if g.char[minion_ref(side, s.row[k])].card == card:
            return 1
    return 0


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def count_missing(g, t, side, pool):
    """Return how many cards of a pool a player has no minion of."""
    first, n = np.int64(t.pool[pool, 0]), np.int64(0)
    for k in range(t.pool[pool, 1]):
        n += 1 - has_minion(g, side, t.pooled[first + k])
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def missing_card(g, t, side, pool, k):
    """Return the k-th card, from 0, of a pool that a player has no minion of."""
    place = np.int64(t.pool[pool, 0])
    while True:
        if has_minion(g, side, t.pooled[place]) == 0:
            if k == 0:
                return np.int64(t.pooled[place])
            k -= 1
        place += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_missing(g, t, i):
    """SUMMON_MISSING: one of a pool that is not on the own board."""
    f = g.stack[i]
    side, pool = np.int64(f.side), np.int64(t.row[f.pc].pool)
    n = count_missing(g, t, side, pool)
    if n > 0 and room(g, side) > 0:
        summon(g, t, side, missing_card(g, t, side, pool, random_below(g, n)), NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_copy(g, t, i):
    """SUMMON_COPY: exact copies, including enchantments and damage."""
    select_affected(g, t, i)
    r, side = t.row[g.stack[i].pc], np.int64(g.stack[i].side)
    for k in range(g.n_list):
        source = np.int64(g.list[k])
        if is_hero(source):  # a minion that became the hero: hs-bugs 698, Mirror Entity
            summon(g, t, side, g.stack[i].first, NONE)
            continue
        ref = summon(g, t, side, g.char[source].card, position_beside(g, i) - r.left)
        if ref >= 0:
            copy_onto(g, ref, source)
            if r.small > 0:
                set_attack(g, t, ref, r.small)
                set_health(g, t, ref, r.small)
            if r.health > 0:
                g.char[ref].health = min(r.health, g.char[ref].health)
            if r.card > 0:
                g.char[ref].card = r.card


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def summon_another(g, t, i):
    """SUMMON_ANOTHER: the events of the copy say, in their amount, that it is one.

    The rest of the text that summoned the minion is about the minion alone: hs-bugs 1147.
    """
    f = g.stack[i]
    source = ref_if_in_play(g, f.subject, f.subject_uid)
    if source < 0 or is_hero(source):
        return
    last, before, side = np.int64(g.last), np.int64(g.depth), side_of(source)
    card, place = np.int64(g.char[source].card), board_position(g, source) + 1
    ref = summon(g, t, side, card, place)
    if ref >= 0:
        copy_onto(g, ref, source)
    for j in range(before, g.depth):
        g.stack[j].amount = 1
    g.last = last


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_remembered(g, t, i):
    """SUMMON_REMEMBERED: where the frame's minion died or next to it, or on the other board."""
    f = g.stack[i]
    mine = t.row[f.pc].mine == 1
    side = np.int64(f.side) if mine else np.int64(f.second) & 1
    n = plain_amount(g, t, i) if mine else np.int64(1)
    for _ in range(n if f.second > 0 else 0):
        place = position_beside(g, i) if side == f.side else NONE
        ref = summon(g, t, side, np.int64(f.second) >> 1, place)
        if f.place >= 0 and mine:  # the next one comes to its right
            f.place += ref >= 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_by_cost(g, t, i):
    """SUMMON_BY_COST: nothing if no minion costs that much."""
    cost = plain_amount(g, t, i)
    spell_damage = np.int64(t.row[g.stack[i].pc].spell_damage)
    if spell_damage > 0:
        cost += spell_damage_of(g, t, g.stack[i].side) * spell_damage
    for _ in range(1 + t.row[g.stack[i].pc].copies if cost < COSTS else 0):
        card = pick_from(g, t, g.stack[i].side, t.of_cost[cost])
        if card > 0:
            summon(g, t, g.stack[i].side, card, position_beside(g, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_note(g, t, i):
    """NOTE_TARGET, NOTE_MINIONS: the target's card and owner; how many minions each player has."""
    f = g.stack[i]
    if t.row[f.pc].op == Op.NOTE_MINIONS:
        f.first = g.side[f.side].minions
        f.second = g.side[1 - f.side].minions
    else:
        target = ref_if_in_play(g, f.target, f.target_uid)
        if target >= 0:
            f.first = g.char[target].card
            f.second = side_of(target)
            f.place = board_position(g, target)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_noted(g, t, i):
    """SUMMON_NOTED: the card for its owner; card a for each minion that a player had."""
    f = g.stack[i]
    if t.row[f.pc].op == Op.SUMMON_NOTED:
        if f.first > 0:
            summon(g, t, f.second, f.first, NONE)
        return
    for _ in range(f.first):
        summon(g, t, f.side, t.row[f.pc].card, NONE)
    for _ in range(f.second):
        summon(g, t, 1 - np.int64(f.side), t.row[f.pc].card, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def summon_noted_cost(g, t, i):
    """SUMMON_NOTED_COST: minions of the printed cost of the card noted, where that one was."""
    f = g.stack[i]
    cost = np.int64(t.card[f.first].cost)
    for _ in range(plain_amount(g, t, i) if f.first > 0 and cost < COSTS else 0):
        card = pick_from(g, t, f.second, t.of_cost[cost])
        if card > 0:
            f.place += summon(g, t, np.int64(f.second), card, np.int64(f.place)) >= 0


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def wake_by(g, t, i):
    """WAKE_BY: a dormant card counts in `memory`; at the amount needed it is a minion."""
    f = g.stack[i]
    r, own = t.row[f.pc], ref_if_in_play(g, f.ref, f.uid)
    if own < 0:
        return
    c = g.char[own]
    c.memory += plain_amount(g, t, i)
    if c.memory >= r.needed:
        c.card = 0
        c.uid = 0
        g.side[f.side].dormant -= 1
        summon(g, t, f.side, r.card, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def wake_after(g, t, i):
    """WAKE_AFTER: a dormant card counts in `attacks`, which a new turn of its owner ends."""
    f = g.stack[i]
    r, own = t.row[f.pc], ref_if_in_play(g, f.ref, f.uid)
    if own < 0:
        return
    c = g.char[own]
    c.attacks += 1
    if c.attacks >= plain_amount(g, t, i):
        c.card = 0
        c.uid = 0
        g.side[f.side].dormant -= 1
        summon(g, t, f.side, r.card, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_discarded(g, t, i):
    """SUMMON_DISCARDED: each discarded minion that is remembered is as likely."""
    side = np.int64(g.stack[i].side)
    s, n, card = g.side[side], np.int64(0), np.int64(0)
    for k in range(s.n_later):
        minion = t.card[card_in(s.later[k])].kind == Kind.MINION
        if np.int64(s.later[k]) >> BONUS == Moment.DISCARDED and minion:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                card = card_in(s.later[k])
    if card > 0:
        summon(g, t, side, card, position_beside(g, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_weaker(g, t, i):
    """SUMMON_WEAKER_FROM_DECK: a random minion of the own deck with less attack."""
    side, most = np.int64(g.stack[i].side), plain_amount(g, t, i)
    deal_unseen(g, side)
    s, n, place = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(s.n_deck):
        kind = t.card[card_in(s.deck[k])].kind
        if kind == Kind.MINION and attack_in_deck(g, t, side, k) < most:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    if place >= 0:
        summon_from_deck(g, t, side, place, position_beside(g, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_from_top(g, t, i):
    """SUMMON_FROM_TOP: the top cards leave the deck; minions enter play while there is room."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    deal_unseen(g, side)
    for _ in range(min(plain_amount(g, t, i), np.int64(s.n_deck))):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 else random_below(g, s.n_deck)
        minion = t.card[card_in(s.deck[k])].kind == Kind.MINION
        if not minion or summon_from_deck(g, t, side, k, NONE) < 0:
            entry = remove_from_deck(g, t, side, k)
            if g.sight == NOTED:
                note_shown(g, side, card_in(entry), DRAWN)


@kernel(VOID(GAME_T, I8))
def note_slain(g, i):
    """NOTE_SLAIN: among the texts that the player has put off, for which there is a place."""
    s = g.side[g.stack[i].side]
    if s.n_later < LATER and is_in_play(g, g.defender, g.defender_uid):
        s.later[s.n_later] = np.int64(g.char[g.defender].card) + (Moment.SLAIN << BONUS)
        s.n_later += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_slain(g, t, i):
    """SUMMON_SLAIN: in the order in which they were slain."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    for k in range(s.n_later):
        if np.int64(s.later[k]) >> BONUS == Moment.SLAIN:
            summon(g, t, side, card_in(s.later[k]), NONE)
    forget_slain(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_board(g, t, i, op):
    """Run frame i's row, an operation of Group.BOARD."""
    if op == Op.SUMMON or op == Op.SUMMON_RANDOM or op == Op.SUMMON_JADE:
        do_summon(g, t, i)
    elif op == Op.SUMMON_MISSING:
        do_summon_missing(g, t, i)
    elif op == Op.SUMMON_COPY:
        do_summon_copy(g, t, i)
    elif op == Op.SUMMON_REMEMBERED:
        do_summon_remembered(g, t, i)
    elif op == Op.SUMMON_DEAD:
        do_summon_dead(g, t, i)
    elif op == Op.SUMMON_DEAD_OF_TURN:
        summon_dead_of_turn(g, t, i)
    elif op == Op.SUMMON_ALL_DEAD:
        summon_all_dead(g, t, i)
    elif op == Op.SUMMON_ALL_FROM_HAND:
        summon_all_from_hand(g, t, i)
    elif op == Op.SUMMON_BY_COST:
        summon_by_cost(g, t, i)
    elif op == Op.SUMMON_FROM_DECK:
        do_summon_from_deck(g, t, i)
    elif op == Op.SUMMON_COPY_FROM_DECK:
        do_copy_from_deck(g, t, i)
    elif op == Op.SUMMON_FROM_HAND:
        do_summon_from_hand(g, t, i)
    elif op == Op.PULL:
        do_pull(g, t, i)
    elif op == Op.LEAVE_DECK:
        do_leave_deck(g, t, i)
    elif op == Op.SWAP_WITH_HAND:
        do_swap(g, t, i)
    elif op == Op.SWAP_WITH_DECK:
        do_swap_with_deck(g, t, i)
    elif op == Op.DRAW_INTO_PLAY:
        do_draw_into_play(g, t, i)
    elif op == Op.NOTE_TARGET or op == Op.NOTE_MINIONS:
        do_note(g, t, i)
    elif op == Op.SUMMON_WEAKER_FROM_DECK:
        summon_weaker(g, t, i)
    elif op == Op.SUMMON_FROM_TOP:
        summon_from_top(g, t, i)
    elif op == Op.SUMMON_TO_ATTACK:
        do_summon_to_attack(g, t, i)
    elif op == Op.NOTE_SLAIN:
        note_slain(g, i)
    elif op == Op.SUMMON_SLAIN:
        summon_slain(g, t, i)
    elif op == Op.SUMMON_NOTED or op == Op.SUMMON_FOR_NOTED:
        do_summon_noted(g, t, i)
    elif op == Op.SUMMON_COPY_FROM_HAND:
        do_copy_from_hand(g, t, i)
    elif op == Op.LIE_DORMANT:
        put_dormant(g, t, g.stack[i].side, t.row[g.stack[i].pc].card)
    elif op == Op.WAKE_BY:
        wake_by(g, t, i)
    elif op == Op.SUMMON_NOTED_COST:
        summon_noted_cost(g, t, i)
    elif op == Op.WAKE_AFTER:
        wake_after(g, t, i)
    elif op == Op.SUMMON_ANOTHER:
        summon_another(g, t, i)
    elif op == Op.SUMMON_DISCARDED:
        summon_discarded(g, t, i)
    if g.stale == 1:
        update_tags(g, t)
