"""Worlds to play on in: games in which all that the player to move can't see is dealt anew.

That is the opponent's secrets, hand and deck, and every random number from now on; deck lists count
as known. Where decks have an order from the start (leaky information), look-aheads know it, so only
the random numbers are new. What is dealt is as likely as in agents/shared/belief.py.
"""

import numpy as np

from hsevo.agents.shared.belief import deal_hidden, order_cards
from hsevo.engine.jit import TABLES_T, U8, VOID, array, entry_point, kernel
from hsevo.engine.record.state import GAME_T, GAMES_T, STATES_T, load, mix, store


@kernel(VOID(GAME_T, TABLES_T, U8))
def deal_world(g, t, seed):
    """Deal all that the player to move can't see anew, from a random stream of its own."""
    me = np.int64(g.me)
    g.rng = mix(seed)
    if g.ordered == 0:
        order_cards(g, t, 1 - me, 0)
        order_cards(g, t, me, np.int64(g.side[me].n_secrets) + g.side[me].n_hand)
        deal_hidden(g, t, 1 - me)
    g.lookahead_rng = mix(g.rng)


@entry_point(VOID(STATES_T, TABLES_T, GAMES_T, array(U8, 1)), "worlds")
def deal_worlds(states, t, games, seeds):
    """Deal a world in each state; games: (1,), to work in. seeds: (n,)."""
    g = games[0]
    for i in range(len(states)):
        load(g, states[i])
        deal_world(g, t, seeds[i])
        store(states[i], g)
