"""The opponent's reply by a net: what an end of the own turn is worth after the opponent's turn.

As reply.py, for learned players. In each sampled world (shared/worlds.py) the turn ends, and the
opponent plays its own turn by the same net, one action ahead (network/looking.py), with the hand
that it has there. Then the searcher draws, and the world is worth the chance to win after its best
next action; that of a finished game is 1, 0, or one half for a draw. An end is worth the mean of
its worlds, the first action on the way to the best end is played.

The chance is asked after the searcher's next action, since that is what its net has learned: the
value of a position that an own action has led to.
"""

import numpy as np

from hsevo.agents.network.looking import best_of, look_one_action_ahead
from hsevo.agents.network.network import NETS_T
from hsevo.agents.network.odds import chance_of
from hsevo.agents.network.value import value_of_result
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import SCRATCH_T
from hsevo.agents.shared.worlds import determinize
from hsevo.engine.game.moves import make_move
from hsevo.engine.jit import F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import FAIR, GAME_T, GUESSED, RUNNING


@kernel(VOID(SCRATCH_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T))
def look_in_world(s, x, y, t, a, nets):
    """Set s.log_odds for the player to move in world x, who sees no secret that it can't; y is
    scratch.
    """
    sight = np.int64(a.sight)
    if sight == GUESSED:
        a.sight = FAIR
    look_one_action_ahead(s, x, y, t, a, nets)
    a.sight = sight


@kernel(I8(SCRATCH_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T, I8))
def play_reply(s, x, y, t, a, nets, me):
    """Play the opponent's turn in world x by the net; return player me's log-odds after it."""
    while x.result == RUNNING and x.fault == 0:
        look_in_world(s, x, y, t, a, nets)
        best = best_of(s, np.int64(x.n_moves))
        if x.me == me:
            return s.log_odds[best]
        make_move(x, t, x.moves[best])
    return value_of_result(x, me)


@kernel(F8(SCRATCH_T, GAME_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T, U8))
def chance_after_reply(s, g, x, y, t, a, nets, seed):
    """Return the chance to win after END TURN in position g, in one of its worlds; x, y: scratch.
    """
    me = np.int64(g.me)
    determinize(g, x, t, seed, 1 - me, a.sight)
    make_move(x, t, END)
    return chance_of(play_reply(s, x, y, t, a, nets, me))
