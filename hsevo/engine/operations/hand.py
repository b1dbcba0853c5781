"""The operations on cards in hands and decks: drawn, added, discarded, shuffled."""

from __future__ import annotations

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event, Is, Kind, Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.decks import (
    destroy_in_deck,
    do_lose_top,
    shuffle_enemy_deck,
    shuffle_hand,
    swap_decks,
)
from hsevo.engine.record.codec import (
    BONUS,
    KEPT,
    Moment,
    card_in,
    is_kept,
)
from hsevo.engine.record.state import GAME_T, NONE, NOTED, OPENING, announce, random_below
from hsevo.engine.rules.conditions import (
    attack_in_deck,
    cost_in_deck,
    reveal,
)
from hsevo.engine.rules.costs import cost_of
from hsevo.engine.rules.deaths import random_dead
from hsevo.engine.rules.evidence import (
    DRAWN,
    add_inside,
    deal_unseen,
    note_hidden,
    note_looked_at,
    note_revealed,
    note_shown,
)
from hsevo.engine.rules.kept import bring_kept, copy_kept
from hsevo.engine.rules.query import (
    card_matches,
    row_side,
)
from hsevo.engine.rules.select import keep_random, pick_from, plain_amount
from hsevo.engine.rules.zones import (
    add_copy,
    add_openly,
    add_to_hand,
    copy_in_hand,
    draw_card,
    draw_from,
    note_card,
    place_in_deck,
    push_card_text,
    remove_from_deck,
    remove_from_hand,
    shuffle_into_deck,
    shuffle_openly,
)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def discard_at(g, t, side, k):
    """Discard the k-th card of a hand."""
    held = g.side[side].hand[k]
    attack, health = np.int64(held.attack), np.int64(held.health)
    card = remove_from_hand(g, side, k)
    g.side[side].counter[Counter.DISCARDED] += t.late
    g.stale |= g.auras > 0  # some count the cards discarded
    announce(g, Event.DISCARDED, side, card, NONE, NONE, 0)
    if t.card[card].discarded > 0:
        push_card_text(g, side, card, t.card[card].discarded, NONE)
        g.stack[g.depth - 1].first = attack
        g.stack[g.depth - 1].second = health
    if t.quests == 1:
        note_card(g, side, card, Moment.DISCARDED)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def discard(g, t, side, n):
    """Discard n random cards of a hand."""
    s = g.side[side]
    for _ in range(min(n, np.int64(s.n_hand))):
        discard_at(g, t, side, random_below(g, s.n_hand))


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
    card = draw_card(g, t, who)
    f.amount = t.card[card].cost
    if r.counted == 1:
        f.first = card
    if s.n_hand == held:
        return
    if card_matches(t, s.hand[held].card, r.test, r.arg):
        s.hand[held].cost -= r.cheaper
        if r.price > 0:
            s.hand[held].cost = r.price - 1 - t.card[s.hand[held].card].cost
        if r.marks == 1:
            s.hand[held].joined = r.card
            return
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and (s.rules & Rule.POWER_DRAWS_FREE) != 0:
            s.hand[held].cost = -f.amount
        if r.card > 0:
            s.n_hand -= 1
            add_to_hand(g, t, who, r.card)
        if r.discards == 1:
            discard_at(g, t, who, held)
            return
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
            if r.small == 1:
                add_copy(g, t, side, f.first, 1)
            elif r.card < 0:
                if add_to_hand(g, t, side, f.first) and r.price > 0:
                    s = g.side[side]
                    s.hand[s.n_hand - 1].cost = r.price - 1 - t.card[f.first].cost
            else:
                add_openly(g, t, side, np.int64(r.card if r.card > 0 else f.card))
        else:
            card = pick_from(g, t, f.side, r.pool)
            if card > 0 and add_to_hand(g, t, side, card):
                g.side[side].hand[g.side[side].n_hand - 1].cost = -r.cheaper


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8))
def matching_in_deck(g, t, side, test, arg, cheapest):
    """Return the place of a random card of a deck that passes a filter, or NONE.

    cheapest: 1: one of those that cost least.
    """
    deal_unseen(g, side)
    s, count, best, least = g.side[side], np.int64(0), NONE, np.int64(0)
    for k in range(s.n_deck):
        card = card_in(s.deck[k])
        if test == Is.MINION_COST_NOW or test == Is.SPELL_COST_NOW:
            kind = Kind.MINION if test == Is.MINION_COST_NOW else Kind.SPELL
            fits = t.card[card].kind == kind and cost_in_deck(g, t, side, k) == arg
        else:
            fits = card_matches(t, card, test, arg)
        if fits:
            cost = cost_in_deck(g, t, side, k)
            if cheapest == 1 and (count == 0 or cost < least):
                count, least = 0, cost
            if cheapest == 0 or cost == least:
                count += 1
                if random_below(g, count) == 0:  # each with equal probability
                    best = k
    return best


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_reveal(g, t, i):
    """REVEAL: a random card of the own deck that passes a filter; skip the next rows without one.
    """
    f = g.stack[i]
    r, side = t.row[f.pc], np.int64(f.side)
    k = matching_in_deck(g, t, side, r.test, r.arg, 0)
    if k < 0:
        f.pc += r.rows
        return
    reveal(g, side, k)
    f.amount = attack_in_deck(g, t, side, k)


@kernel(VOID(GAME_T, I8, I8), cold=True)
def show_card(g, side, card):
    """Show a card in a player's hand or deck to the opponent."""
    s = g.side[side]
    for k in range(s.n_hand):
        if s.hand[k].card == card:
            note_looked_at(g, side, k)
            return
    note_revealed(g, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def copy_enemy_hand(g, t, side):
    """COPY_ENEMY_HAND: the own cards are gone; copies have what was given to the opponent's."""
    s, o = g.side[side], g.side[1 - side]
    deal_unseen(g, 1 - side)
    for k in range(s.n_hand - 1, -1, -1):
        if g.sight == NOTED:
            note_hidden(g, side, k)
        remove_from_hand(g, side, k)
    for k in range(o.n_hand):
        if g.sight == NOTED:
            note_looked_at(g, 1 - side, k)
        add_openly(g, t, side, np.int64(o.hand[k].card))
        h, theirs = s.hand[s.n_hand - 1], o.hand[k]
        h.cost, h.attack, h.health = theirs.cost, theirs.attack, theirs.health
        h.joined = theirs.joined
        if t.keeps_given == 1 and is_kept(h.joined):
            h.joined = copy_kept(g, 1 - side, side, h.joined)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def draw_different(g, t, i):
    """Draw cards of the own deck that pass frame i's filter, no two of them copies of one card."""
    r, side = t.row[g.stack[i].pc], np.int64(g.stack[i].side)
    s = g.side[side]
    deal_unseen(g, side)
    g.n_list = 0
    for _ in range(r.n):
        n, place = np.int64(0), np.int64(NONE)
        for k in range(s.n_deck):
            card, fresh = card_in(s.deck[k]), True
            for j in range(g.n_list):
                fresh = fresh and g.list[j] != card
            if fresh and card_matches(t, card, r.test, r.arg):
                n += 1
                if random_below(g, n) == 0:  # each with equal probability
                    place = k
        if place < 0:
            return
        g.list[g.n_list] = card_in(s.deck[place])
        g.n_list += 1
        draw_from(g, t, side, place)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def draw_of_kind(g, t, side, kind):
    """Draw a random card of a kind; return its place in hand, NONE if it did not get there."""
    place = matching_in_deck(g, t, side, Is.KIND, kind, 0)
    held = np.int64(g.side[side].n_hand)
    if place >= 0:
        draw_from(g, t, side, place)
    return held if g.side[side].n_hand > held else np.int64(NONE)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def draw_swapped(g, t, side):
    """DRAW_SWAPPED: what the cards would cost without the rules of others."""
    first = draw_of_kind(g, t, side, Kind.MINION)
    second = draw_of_kind(g, t, side, Kind.SPELL)
    if first < 0 or second < 0:
        return
    h, spell = g.side[side].hand[first], g.side[side].hand[second]
    more = t.card[spell.card].cost + spell.cost - t.card[h.card].cost - h.cost
    h.cost += more
    spell.cost -= more


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def shuffle_random(g, t, i):
    """SHUFFLE_RANDOM: cards of a pool, which no one sees, into the own deck."""
    f = g.stack[i]
    s, side = g.side[f.side], np.int64(f.side)
    r = t.row[f.pc]
    for _ in range(plain_amount(g, t, i)):
        card = pick_from(g, t, side, r.pool)
        place = shuffle_into_deck(g, t, side, card) if card > 0 else np.int64(NONE)
        if place >= 0:
            s.unseen |= 1 << place
            s.priced |= np.int64(r.priced) << place


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def shuffle_again(g, t, i):
    """SHUFFLE_AGAIN: a copy of the event's card into the deck that it is about; nothing reacts."""
    f = g.stack[i]
    place = place_in_deck(g, t, f.amount, f.first)
    if place >= 0 and g.sight == NOTED:
        add_inside(g, f.amount, np.int64(f.first))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def draw_spell_costing(g, t, i):
    """DRAW_SPELL_COSTING: a random spell of the own deck that costs the amount there."""
    side = np.int64(g.stack[i].side)
    place = matching_in_deck(g, t, side, Is.SPELL_COST_NOW, plain_amount(g, t, i), 0)
    if place >= 0:
        draw_from(g, t, side, place)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def add_discarded(g, t, i):
    """ADD_DISCARDED: random cards, each discard once, of those that are remembered."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    g.n_list = 0
    for k in range(s.n_later):
        if np.int64(s.later[k]) >> BONUS == Moment.DISCARDED:
            g.list[g.n_list] = k
            g.n_list += 1
    keep_random(g, plain_amount(g, t, i))
    for k in range(g.n_list):
        add_openly(g, t, side, card_in(s.later[g.list[k]]))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def add_opening(g, t, i):
    """ADD_OPENING: in the order of the hand, The Coin last, which the second player had, too."""
    f = g.stack[i]
    side = np.int64(f.side)
    for k in range(OPENING):
        card = np.int64(g.side[side].opening[k])
        if card > 0 and card != f.card:
            add_to_hand(g, t, side, card)
    if side != g.first:
        add_openly(g, t, side, t.coin)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def price_deck(g, t, i):
    """PRICE_DECK."""
    f = g.stack[i]
    s, r = g.side[f.side], t.row[f.pc]
    for k in range(s.n_deck):
        s.priced |= np.int64(card_matches(t, card_in(s.deck[k]), r.test, r.arg)) << k


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8), cold=True)
def resize(g, t, side, k, small, more):
    """Give the k-th card of a hand +n/+n, or make it an n/n that costs n."""
    h, card = g.side[side].hand[k], t.card[g.side[side].hand[k].card]
    if small > 0:
        h.cost, h.attack, h.health = small - card.cost, small - card.attack, small - card.health
    h.attack += more
    h.health += more


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_from_own_deck(g, t, i):
    """DRAW_FROM_DECK: draw cards that pass a filter; get a card for each that is missing."""
    f = g.stack[i]
    r = t.row[f.pc]
    if r.new == 1:
        draw_different(g, t, i)
        return
    if not has_draw_left(g, t, i):
        return
    side = np.int64(f.side)
    best = matching_in_deck(g, t, side, r.test, r.arg, r.cheapest)
    held = np.int64(g.side[side].n_hand)
    if best >= 0:
        held = np.int64(g.side[side].n_hand)
        draw_from(g, t, side, best)
        if (r.small | r.bigger | r.doubled) != 0 and g.side[side].n_hand > held:
            resize(g, t, side, held, np.int64(r.small), np.int64(r.bigger))
            h = g.side[side].hand[held]
            h.health += r.doubled * (t.card[h.card].health + h.health)
    elif r.card > 0:
        add_to_hand(g, t, side, r.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_copy_enemy(g, t, i):
    """ADD_FROM_ENEMY_HAND, ADD_FROM_ENEMY_DECK: plain copies of different cards there."""
    f = g.stack[i]
    side = row_side(g, t, i)
    o = g.side[1 - side]
    in_hand = t.row[f.pc].op == Op.ADD_FROM_ENEMY_HAND
    deal_unseen(g, 1 - side)
    size = np.int64(o.n_hand if in_hand else o.n_deck)
    test, arg, n = np.int64(t.row[f.pc].test), np.int64(t.row[f.pc].arg), np.int64(0)
    for k in range(size):
        n += card_matches(t, o.hand[k].card if in_hand else card_in(o.deck[k]), test, arg)
    left = min(plain_amount(g, t, i), n)
    g.n_list = 0
    for k in range(size):  # selection sampling: every choice of `left` places is equally likely
        if card_matches(t, o.hand[k].card if in_hand else card_in(o.deck[k]), test, arg):
            if random_below(g, n) < left:
                g.list[g.n_list] = k
                g.n_list += 1
                left -= 1
            n -= 1
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
        side = row_side(g, t, i)
        card = np.int64(r.card if r.card > 0 else f.card if r.card == 0 else f.first)
        place = shuffle_openly(g, t, side, card)
        if place >= 0 and r.priced == 1:
            g.side[side].priced |= 1 << place


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


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def return_broken(g, t, side):
    """RETURN_BROKEN: a random weapon of a player that was destroyed."""
    s = g.side[side]
    if s.n_broken > 0:
        add_openly(g, t, side, s.broken[random_below(g, s.n_broken)])


@kernel(VOID(GAME_T, TABLES_T, I8))
def return_discarded(g, t, i):
    """RETURN_DISCARDED: with the attack and health that it had been given, and more."""
    f = g.stack[i]
    s, n = g.side[f.side], plain_amount(g, t, i)
    if add_openly(g, t, f.side, f.card):
        s.hand[s.n_hand - 1].attack = f.first + n
        s.hand[s.n_hand - 1].health = f.second + n


@kernel(VOID(GAME_T, TABLES_T, I8))
def add_dead(g, t, i):
    """ADD_DEAD: a random minion that died this game, as printed."""
    card = random_dead(g, t, i)
    if card > 0:
        add_openly(g, t, g.stack[i].side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def take_from_enemy_deck(g, t, i):
    """TAKE_FROM_ENEMY_DECK: a random card that passes the filter, with its changes, to hand."""
    f = g.stack[i]
    r, side = t.row[f.pc], np.int64(f.side)
    deal_unseen(g, 1 - side)
    o, n, place = g.side[1 - side], np.int64(0), np.int64(NONE)
    for k in range(o.n_deck):
        if card_matches(t, card_in(o.deck[k]), r.test, r.arg):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    if place >= 0:
        entry = remove_from_deck(g, t, 1 - side, place)
        if g.sight == NOTED:
            note_shown(g, 1 - side, card_in(entry), DRAWN)
        if t.keeps_given == 1 and entry >> KEPT != 0:
            entry = bring_kept(g, side, entry)
        add_to_hand(g, t, side, entry)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def destroy_cards(g, t, i, side):
    """DESTROY_CARDS: the cards of a player's hand and deck that frame i's row names."""
    r, s, cost = t.row[g.stack[i].pc], g.side[side], plain_amount(g, t, i)
    deal_unseen(g, side)
    for k in range(s.n_hand - 1, -1, -1):
        if card_matches(t, s.hand[k].card, r.test, r.arg) and cost_of(g, t, side, k) == cost:
            remove_from_hand(g, side, k)
    for k in range(s.n_deck - 1, -1, -1):
        card = card_in(s.deck[k])
        if card_matches(t, card, r.test, r.arg) and cost_in_deck(g, t, side, k) == cost:
            remove_from_deck(g, t, side, k)
            if g.sight == NOTED:
                note_shown(g, side, card, DRAWN)


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
    elif op == Op.DRAW_SWAPPED:
        draw_swapped(g, t, np.int64(f.side))
    elif op == Op.SHUFFLE_RANDOM:
        shuffle_random(g, t, i)
    elif op == Op.SHUFFLE_AGAIN:
        shuffle_again(g, t, i)
    elif op == Op.DRAW_SPELL_COSTING:
        draw_spell_costing(g, t, i)
    elif op == Op.ADD_DISCARDED:
        add_discarded(g, t, i)
    elif op == Op.ADD_OPENING:
        add_opening(g, t, i)
    elif op == Op.PRICE_DECK:
        price_deck(g, t, i)
    elif op == Op.ADD_DEAD:
        add_dead(g, t, i)
    elif op == Op.SHUFFLE_ENEMY_DECK:
        shuffle_enemy_deck(g, t, np.int64(f.side))
    elif op == Op.SHUFFLE_HAND:
        shuffle_hand(g, t, np.int64(f.side))
    elif op == Op.TAKE_FROM_ENEMY_DECK:
        take_from_enemy_deck(g, t, i)
    elif op == Op.DESTROY_CARDS:
        destroy_cards(g, t, i, np.int64(f.side))
        destroy_cards(g, t, i, 1 - np.int64(f.side))
    elif op == Op.SWAP_DECKS:
        swap_decks(g, t)
    elif op == Op.RETURN_BROKEN:
        return_broken(g, t, f.side)
    elif op == Op.REVEAL:
        do_reveal(g, t, i)
    elif op == Op.SHOW_THIS:
        if g.sight == NOTED:
            show_card(g, f.side, f.card)
    elif op == Op.COPY_ENEMY_HAND:
        copy_enemy_hand(g, t, f.side)
