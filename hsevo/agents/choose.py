"""The move of any agent: the switch over the kinds."""

import numpy as np

from hsevo.agents.agent import AGENT_T, AHEAD, RANDOM, TRUE
from hsevo.agents.eva import choose_eva
from hsevo.engine.jit import I8, TABLES_T, kernel
from hsevo.engine.moves import list_moves
from hsevo.engine.state import GAME_T, GAMES_T, dream


@kernel(I8(GAME_T, TABLES_T))
def choose_randomly(g, t):
    """Return a uniformly random legal move."""
    n = list_moves(g, t)
    return g.moves[np.int64(((dream(g) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))]


@kernel(I8(GAMES_T, TABLES_T, AGENT_T))
def choose_move(games, t, a):
    """Return the move of agent a for the player to move in games[TRUE]."""
    if a.kind == RANDOM:
        return choose_randomly(games[TRUE], t)
    return choose_eva(games[TRUE], games[AHEAD], t, a)
