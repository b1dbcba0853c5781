"""Operations on whole decks: their cards are lost, copied or swapped."""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import Counter, Kind
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import BONUS, CHEAPER, MAX_BONUS, card_in
from hsevo.engine.record.state import GAME_T, NOTED, random_below
from hsevo.engine.rules.evidence import DRAWN, deal_unseen, note_remade, note_shown, take_inside
from hsevo.engine.rules.kept import swap_kept
from hsevo.engine.rules.query import card_matches, row_side
from hsevo.engine.rules.select import plain_amount
from hsevo.engine.rules.zones import find_deck_listeners, remove_from_deck, shuffle_into_deck

KEPT = (int(Counter.KEPT_ATTACK), int(Counter.KEPT_DURABILITY))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_lose_top(g, t, i):
    """LOSE_TOP: the top cards of a deck, or all of them, are gone."""
    side = row_side(g, t, i)
    s = g.side[side]
    deal_unseen(g, side)
    n = np.int64(s.n_deck)
    if t.row[g.stack[i].pc].both == 0:
        n = min(plain_amount(g, t, i), n)
    for _ in range(n):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 else random_below(g, s.n_deck)
        entry = remove_from_deck(g, t, side, k)
        if g.sight == NOTED:
            note_shown(g, side, card_in(entry), DRAWN)


@kernel(VOID(GAME_T, TABLES_T), cold=True)
def swap_decks(g, t):
    """SWAP_DECKS: cards, what was given to them, and whether they were seen."""
    deal_unseen(g, 0)
    deal_unseen(g, 1)
    a, b = g.side[0], g.side[1]
    for k in range(max(a.n_deck, b.n_deck)):
        entry = np.int64(a.deck[k])
        a.deck[k] = b.deck[k]
        b.deck[k] = entry
    n, unseen = np.int64(a.n_deck), np.int64(a.unseen)
    a.n_deck, a.unseen = b.n_deck, b.unseen
    b.n_deck, b.unseen = n, unseen
    free, priced = np.int64(a.free), np.int64(a.priced)
    a.free, a.priced = b.free, b.priced
    b.free, b.priced = free, priced
    leveled = np.int64(a.leveled)
    a.leveled = b.leveled
    b.leveled = leveled
    for c in KEPT:  # of weapons in the decks
        number = np.int64(a.counter[c])
        a.counter[c] = b.counter[c]
        b.counter[c] = number
    if t.keeps_given == 1:
        swap_kept(g)
    for side in range(2):
        find_deck_listeners(g, t, side)
        note_remade(g, side)


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
def shuffle_enemy_deck(g, t, side):
    """SHUFFLE_ENEMY_DECK: copies that no one sees, with what the cards were given."""
    deal_unseen(g, 1 - side)
    s, o = g.side[side], g.side[1 - side]
    for k in range(o.n_deck):
        entry = np.int64(o.deck[k])
        place = shuffle_into_deck(g, t, side, card_in(entry))
        if place >= 0:
            s.deck[place] = entry
            s.unseen |= 1 << place
            s.free |= ((np.int64(o.free) >> k) & 1) << place
            s.leveled |= ((np.int64(o.leveled) >> k) & 1) << place


@kernel(VOID(GAME_T, TABLES_T, I8))
def shuffle_hand(g, t, side):
    """SHUFFLE_HAND: copies of the cards, with what an entry of a deck can keep of their changes."""
    s = g.side[side]
    for k in range(s.n_hand):
        h = s.hand[k]
        place = shuffle_into_deck(g, t, side, h.card)
        if place >= 0:
            more = np.int64(h.attack)
            if t.card[h.card].kind == Kind.MINION:
                more = min(more, np.int64(h.health))
            s.deck[place] += max(min(more, MAX_BONUS), 0) << BONUS
            s.deck[place] += (h.cost < 0) << CHEAPER
