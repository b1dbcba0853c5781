"""Worlds: sampled states of the whole game that agree with what a player sees.

A search that plays on for the opponent needs a hand for it. In a world nothing is hidden, so
secrets trigger. `FAIR`: the opponent's deck is known (as in unseen.deal_unseen), and its hand,
deck and secrets are a uniform deal of the cards that it still holds; The Coin and the number of
cards stay where they are. The cards are sorted before: two positions that look the same to the
player get the same worlds. `LEAKY`: all worlds are the true game, with its deck orders, and another
random stream.
"""

import numpy as np

from hsevo.cards.terms import Kind
from hsevo.engine.jit import I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import BONUS, card_in
from hsevo.engine.record.state import GAME_T, LEAKY, copy_game, mix, random_below
from hsevo.engine.rules.auras import add_secret_listeners
from hsevo.engine.rules.board import order_secrets
from hsevo.engine.rules.zones import find_deck_listeners, find_hand_listeners


@kernel(I8(GAME_T, I8, I8))
def card_at(g, side, k):
    """Return the k-th card that a player holds: secrets, then hand, then deck."""
    s = g.side[side]
    hand = k - s.n_secrets
    if hand < 0:
        return s.secret[k].card
    if hand < s.n_hand:
        return s.hand[hand].card
    return card_in(s.deck[hand - s.n_hand])


@kernel(VOID(GAME_T, I8, I8, I8))
def put_at(g, side, k, card):
    """Set the k-th card that a player holds; changes to a card stay with its place.

    In the game both players see which cards in a hand are changed, but not which cards these are.
    """
    s = g.side[side]
    hand = k - s.n_secrets
    if hand < 0:
        s.secret[k].card = card
    elif hand < s.n_hand:
        s.hand[hand].card = card
    else:
        entry = np.int64(s.deck[hand - s.n_hand])
        s.deck[hand - s.n_hand] = entry - card_in(entry) + card


@kernel(VOID(GAME_T, I8, I8, I8))
def swap(g, side, i, j):
    """Swap the i-th and j-th card that a player holds."""
    card = card_at(g, side, i)
    put_at(g, side, i, card_at(g, side, j))
    put_at(g, side, j, card)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def order_cards(g, t, side, first):
    """Sort the cards that a player holds, from index `first` on, except The Coin."""
    s = g.side[side]
    n = s.n_secrets + s.n_hand + s.n_deck
    for i in range(first, n):
        lowest = i
        for j in range(i + 1, n):
            if card_at(g, side, j) != t.coin and card_at(g, side, j) < card_at(g, side, lowest):
                lowest = j
        if card_at(g, side, i) != t.coin:
            swap(g, side, i, lowest)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def deal_secret(g, t, side, i):
    """Draw a player's i-th secret uniformly from those it holds, unlike the ones before."""
    s = g.side[side]
    found, chosen = np.int64(0), i
    for j in range(i, s.n_secrets + s.n_hand + s.n_deck):
        card = card_at(g, side, j)
        fits = t.card[card].secret == 1
        for k in range(i):
            fits = fits and s.secret[k].card != card
        if fits:
            found += 1
            if random_below(g, found) == 0:
                chosen = j
    swap(g, side, i, chosen)
    g.watch |= t.card[s.secret[i].card].watch


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def can_change(g, t, side, k):
    """Return whether (1 or 0) the k-th card of a deck is a minion or weapon without changes."""
    entry = np.int64(g.side[side].deck[k])
    kind = t.card[card_in(entry)].kind
    return entry == card_in(entry) and (kind == Kind.MINION or kind == Kind.WEAPON)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_one(g, t, side, change):
    """Give a change to a random card of a deck that has none."""
    s, fit = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        fit += can_change(g, t, side, k)
    left = random_below(g, max(fit, 1))
    for k in range(s.n_deck):
        if can_change(g, t, side, k) == 1:
            if left == 0:
                s.deck[k] += change << BONUS
                return
            left -= 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def deal_changes(g, t, side):
    """Give the changes of cards in a deck anew, each to a random minion or weapon there."""
    s, any_change = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        any_change |= np.int64(s.deck[k]) >> BONUS
    if any_change == 0:
        return
    times = g.moves  # how often each change is there: scratch, as nobody has listed moves
    for change in range(1 << 16 - BONUS):
        times[change] = 0
    for k in range(s.n_deck):
        times[np.int64(s.deck[k]) >> BONUS] += 1
        s.deck[k] = card_in(s.deck[k])
    for change in range(1, 1 << 16 - BONUS):
        for _ in range(times[change]):
            change_one(g, t, side, change)


@kernel(VOID(GAME_T, TABLES_T, I8))
def deal_hidden(g, t, side):
    """Deal a player's secrets and hand anew, uniformly from all cards that it holds."""
    s = g.side[side]
    secrets, n = np.int64(s.n_secrets), np.int64(s.n_secrets + s.n_hand + s.n_deck)
    for i in range(secrets):
        deal_secret(g, t, side, i)
    order_secrets(g, t, side)
    for i in range(secrets, secrets + s.n_hand):
        if card_at(g, side, i) != t.coin:
            j = i + random_below(g, n - i)
            while card_at(g, side, j) == t.coin:
                j = i + random_below(g, n - i)
            swap(g, side, i, j)
    deal_changes(g, t, side)
    find_deck_listeners(g, t, side)
    find_hand_listeners(g, t, side)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8))
def copy_visible_world(g, h, t, sight):
    """Copy game g to h, and remove what the player to move can't know."""
    copy_game(g, h)
    h.sight = LEAKY  # nothing is hidden in a world
    add_secret_listeners(h, t, 0)  # a fair look-ahead did not
    add_secret_listeners(h, t, 1)
    if sight != LEAKY:
        me = np.int64(g.me)
        h.ordered = 0
        order_cards(h, t, 1 - me, 0)
        order_cards(h, t, me, np.int64(g.side[me].n_secrets) + g.side[me].n_hand)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, U8, I8, I8))
def determinize(g, h, t, seed, side, sight):
    """Copy world g to h with its own random stream, and deal the hidden cards of `side` anew."""
    copy_game(g, h)
    h.rng = seed
    h.lookahead_rng = mix(seed)
    if sight != LEAKY:
        deal_hidden(h, t, side)
