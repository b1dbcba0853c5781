"""Random cards: a uniform one of a pool."""

import numpy as np

from hsevo.cards.terms import Family
from hsevo.engine.jit import I8, TABLES_T, kernel
from hsevo.engine.record.state import GAME_T, random_below


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def pool_for(g, t, side, pool):
    """Return the pool that stands for a class family in a text of a player; others unchanged."""
    family = t.pool[pool, 2]
    if family == Family.NONE:
        return pool
    return pool + (g.side[side].cls if family == Family.OWN else g.side[1 - side].cls)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def pick_from(g, t, side, pool):
    """Return a uniform card of a pool for a player, 0 if it is empty."""
    pool = pool_for(g, t, side, pool)
    n = np.int64(t.pool[pool, 1])
    return np.int64(t.pooled[t.pool[pool, 0] + random_below(g, n)]) if n > 0 else np.int64(0)
