"""Worlds to play on in: games in which all that a player can't see is dealt again.

That is the opponent's secrets, hand and deck, and every random number from now on. With open deck
lists, what the opponent holds is known, and only who holds which card where is dealt. With closed
ones, the opponent's list is guessed first, as agents guess it. Where decks have an order from the
start (leaky information), look-aheads know it, so only the random numbers are new. What is dealt is
as likely as in agents/shared/belief.py.

Worlds of open lists know more than look-aheads of agents: games note which cards texts made, and
which cards came back into a hand in sight of both (rules/evidence.py). Made cards in hand are any
that the class may use, as with closed lists, and so are cards that nobody saw go into the deck.
Cards that came back stay. Our choice: a secret that came from a made card is dealt again among all
secrets; a card that nobody saw go into the deck, and that was then drawn, is dealt like others.
"""

import numpy as np

from hsevo.agents.shared.belief import (
    BELIEF_T,
    BELIEFS_T,
    LISTS_T,
    any_card,
    any_secret,
    deal_guess,
    deal_hidden,
    deal_unknown,
    find_listeners,
    order_cards,
)
from hsevo.cards.terms import Class
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, array, entry_point, kernel
from hsevo.engine.record.state import (
    GAME_T,
    GAMES_T,
    NONE,
    NOTED,
    STATES_T,
    load,
    mix,
    store,
)
from hsevo.engine.rules.evidence import DRAWN, MADE
from hsevo.engine.rules.zones import find_deck_listeners


@kernel(BOOL(GAME_T, I8, I8, I8))
def is_before(g, side, i, j):
    """Return whether the i-th card of a deck comes before the j-th: seen cards first, by number."""
    s = g.side[side]
    first, second = (s.unseen >> i) & 1, (s.unseen >> j) & 1
    return first < second or (first == second and s.deck[i] < s.deck[j])


@kernel(VOID(GAME_T, I8))
def order_deck(g, side):
    """Sort a player's own deck, so that worlds don't depend on its order: see `is_before`."""
    s = g.side[side]
    for i in range(s.n_deck):
        lowest = i
        for j in range(i + 1, np.int64(s.n_deck)):
            if is_before(g, side, j, lowest):
                lowest = j
        entry, bits = s.deck[i], ((s.unseen >> i) ^ (s.unseen >> lowest)) & 1
        s.deck[i] = s.deck[lowest]
        s.deck[lowest] = entry
        s.unseen ^= (bits << i) | (bits << lowest)
        bits = ((s.priced >> i) ^ (s.priced >> lowest)) & 1
        s.priced ^= (bits << i) | (bits << lowest)
        bits = ((s.leveled >> i) ^ (s.leveled >> lowest)) & 1
        s.leveled ^= (bits << i) | (bits << lowest)


@kernel(I8(GAME_T, I8, I8))
def origin_of(g, side, i):
    """Return the origin of the i-th card of a hand: DRAWN, MADE, or the card that both know."""
    e = g.evidence[side]
    if g.sight != NOTED:
        return DRAWN
    return MADE if e.remade == 1 and e.hand[i] == DRAWN else np.int64(e.hand[i])


@kernel(VOID(GAME_T, TABLES_T, I8))
def shift_back(g, t, side):
    """Let a card in hand that becomes another one each turn be itself."""
    s = g.side[side]
    if s.shifting == 0:
        return
    itself = np.int64(NONE)
    for card in range(1, t.n_cards + 1):
        if t.card[card].shifts == 1:
            itself = card
    for i in range(s.n_hand):
        if (s.shifting >> i) & 1 == 1 and itself != NONE:
            s.hand[i].card = itself


@kernel(I8(GAME_T, TABLES_T, BELIEFS_T, I8))
def set_aside(g, t, belief, side):
    """Put The Coin, which is never dealt, in the place of each card that is not in the deck list.

    Secrets that came from made cards become other secrets. Return how many cards are replaced.
    """
    s, count = g.side[side], np.int64(0)
    for i in range(s.n_hand):
        if origin_of(g, side, i) != DRAWN:
            s.hand[i].card = t.coin
            count += 1
    for k in range(s.n_deck):
        if (s.unseen >> k) & 1 == 1:
            s.deck[k] = t.coin
            count += 1
    if len(belief) == 0 or g.sight != NOTED:
        return count
    for i in range(s.n_secrets):
        if g.evidence[side].secret[i] == MADE:
            card = any_secret(g, belief[0], side, 0, s.cls)
            s.secret[i].card = card if card > 0 else any_secret(
                g, belief[0], side, 0, Class.NEUTRAL)
            count += 1
    return count


@kernel(VOID(GAME_T, TABLES_T, BELIEF_T, I8))
def put_back(g, t, b, side):
    """Replace what `set_aside` has put into hand and deck: by the card that is known, or any."""
    s = g.side[side]
    for i in range(s.n_hand):
        origin = origin_of(g, side, i)
        if origin != DRAWN:
            s.hand[i].card = any_card(g, b, side) if origin == MADE else origin
    deal_unknown(g, b, side)


@kernel(VOID(GAME_T, TABLES_T, BELIEFS_T, I8))
def deal_open(g, t, belief, side):
    """Deal a player's secrets, hand and deck from what is left of its list, which is known."""
    s = g.side[side]
    shift_back(g, t, side)
    replaced = set_aside(g, t, belief, side)
    order_cards(g, t, side, 0)
    deal_hidden(g, t, side)
    if len(belief) > 0 and replaced > 0:
        put_back(g, t, belief[0], side)
        find_listeners(g, t)
    s.shifting = 0
    for i in range(s.n_hand):
        s.shifting |= np.int64(t.card[s.hand[i].card].shifts) << i


@kernel(VOID(GAME_T, TABLES_T, LISTS_T, BELIEFS_T, I8, U8))
def deal_world(g, t, lists, belief, player, seed):
    """Deal all that a player can't see, from a random stream of its own.

    lists: of closed deck lists; none: they are open, and `belief`, if there is one, says which
    cards unseen ones may be that are not in a list: see `rules.deal_worlds`.
    """
    g.rng = mix(seed)
    if len(lists) > 0:
        order_deck(g, player)
        deal_guess(g, t, lists, belief[0], 1 - player)
        deal_unknown(g, belief[0], player)
        find_listeners(g, t)
    elif g.ordered == 0:
        order_deck(g, player)
        if len(belief) > 0:
            deal_unknown(g, belief[0], player)
            find_deck_listeners(g, t, player)
        deal_open(g, t, belief, 1 - player)
    g.lookahead_rng = mix(g.rng)


@entry_point(VOID(STATES_T, array(TABLES_T, 1), GAMES_T, LISTS_T, BELIEFS_T, array(I8, 1),
                  array(U8, 1)), "worlds", lambda states, t, *rest: t[0]["late"])
def deal_worlds(states, t, games, lists, belief, players, seeds):
    """Deal a world in each state, as its player (n,) sees it, by its seed (n,).

    t: TABLES (1,). games: (1,), to work in. lists and belief: those of closed deck lists, or (0,).
    """
    g = games[0]
    for i in range(len(states)):
        load(g, states[i])
        deal_world(g, t[0], lists, belief, players[i], seeds[i])
        store(states[i], g)
