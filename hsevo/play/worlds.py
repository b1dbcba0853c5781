"""Worlds to play on in: games in which all that a player can't see is dealt again.

That is the opponent's secrets, hand and deck, and every random number from now on. With open deck
lists, what the opponent holds is known, and only who holds which card where is dealt. With closed
ones, the opponent's list is guessed first, as agents guess it. Where decks have an order from the
start (leaky information), look-aheads know it, so only the random numbers are new. What is dealt is
as likely as in agents/shared/belief.py.
"""

import numpy as np

from hsevo.agents.shared.belief import (
    BELIEFS_T,
    LISTS_T,
    deal_guess,
    deal_hidden,
    deal_unknown,
    find_listeners,
    order_cards,
)
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, array, entry_point, kernel
from hsevo.engine.record.state import GAME_T, GAMES_T, STATES_T, load, mix, store
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


@kernel(VOID(GAME_T, TABLES_T, LISTS_T, BELIEFS_T, I8, U8))
def deal_world(g, t, lists, belief, player, seed):
    """Deal all that a player can't see, from a random stream of its own.

    lists: of closed deck lists; none: they are open, and `belief`, if there is one, says which
    cards the unseen ones in the player's own deck may be.
    """
    g.rng = mix(seed)
    if len(lists) > 0:
        order_deck(g, player)
        deal_guess(g, t, lists, belief[0], 1 - player)
        deal_unknown(g, belief[0], player)
        find_listeners(g, t)
    elif g.ordered == 0:
        order_cards(g, t, 1 - player, 0)
        order_deck(g, player)
        if len(belief) > 0:
            deal_unknown(g, belief[0], player)
            find_deck_listeners(g, t, player)
        deal_hidden(g, t, 1 - player)
    g.lookahead_rng = mix(g.rng)


@entry_point(VOID(STATES_T, array(TABLES_T, 1), GAMES_T, LISTS_T, BELIEFS_T, array(I8, 1),
                  array(U8, 1)), "worlds")
def deal_worlds(states, t, games, lists, belief, players, seeds):
    """Deal a world in each state, as its player (n,) sees it, by its seed (n,).

    t: TABLES (1,). games: (1,), to work in. lists and belief: those of closed deck lists, or (0,).
    """
    g = games[0]
    for i in range(len(states)):
        load(g, states[i])
        deal_world(g, t[0], lists, belief, players[i], seeds[i])
        store(states[i], g)
