"""The log-odds of winning that a net gives to positions, one after the other.

What the learned policy (learned/afterstate.py) and its search (turn_search) have in common. An
agent of kind AFTERSTATE has in a.budget:

NETWORK  which of the nets; play/match.py sets it from a.w, the digest of the net
INVERSE  0: the best action; else one drawn by the softmax with temperature
         INVERSE_ONE / INVERSE / ln 2
DEPTH    0: no search of the turn; else as in turn_search/search.py, with NODES and SAMPLES, and
         with HANDS and KEPT as in turn_search/reply.py
ITERATIONS  of a tree search, if DEPTH is 0: mcts/network_tree.py. It is the place of HANDS
"""

import numpy as np

from hsevo.agents.network.features import describe_decks, describe_rest
from hsevo.agents.network.network import (
    CERTAIN,
    NETS_T,
    forget,
    log_odds,
    take_decks,
    take_minions,
)
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import SCRATCH_T
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.state import DRAW, GAME_T, RUNNING

NETWORK, INVERSE = 0, 6  # of a.budget
INVERSE_ONE = 4096


@kernel(VOID(SCRATCH_T, GAME_T, AGENT_T, NETS_T, I8))
def forget_positions(s, g, a, nets, me):
    """Begin a decision of player `me` in game g: the last position has nothing but decks."""
    s.seen = 0
    forget(s.features[0], s.layers[0])
    describe_decks(g, s.features[0], me)
    take_decks(nets[a.budget[NETWORK]], s.features[0], s.layers[0])


@kernel(I8(GAME_T, I8))
def value_of_result(h, me):
    """Return what a finished game counts for a player."""
    if h.result == DRAW:
        return 0
    return CERTAIN if h.result == me + 1 else -CERTAIN


@kernel(I8(SCRATCH_T, GAME_T, TABLES_T, AGENT_T, NETS_T, I8, I8, BOOL))
def network_value(s, h, t, a, nets, me, known, ended):
    """Return agent a's log-odds that player `me` wins from position h, in units of 1 / LOGIT.

    known, ended: as in features.describe.
    """
    if h.result != RUNNING:
        return value_of_result(h, me)
    last, net = np.int64(s.seen), nets[a.budget[NETWORK]]
    e, f = s.features[last], s.features[1 - last]
    ours = take_minions(net, a, s, h, t, me, me, ended)
    theirs = take_minions(net, a, s, h, t, 1 - me, me, ended)
    f.n = 0
    describe_rest(h, t, f, me, known, ended, ours, theirs)
    s.seen = 1 - last
    return log_odds(net, e, f, s.layers[0])
