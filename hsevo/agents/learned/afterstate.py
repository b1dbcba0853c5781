"""A learned policy over the results of the legal actions. Kind AFTERSTATE.

Each legal action is simulated once on a copy of the game, END TURN to the end of the turn, and a
small network gives the log-odds that the player wins from there; the policy is the softmax of these
over the legal actions, with a temperature. So it looks one action ahead, as EVA does, and does not
plan a turn. What it sees of a position is in network/features.py; a card that the action draws is
unknown to it.

The network is in network/network.py; all of it is integer arithmetic, so the policy is the same on
every machine.

Of equal cards in hand only the last is simulated. Mulligans and open choices are actions like
others; the end of a mulligan is not simulated, since it draws. A won game counts as CERTAIN, a
lost one as -CERTAIN, a draw as 0. Ties go to the later action.

With a.budget[DEPTH] it searches its turn instead (turn_search/search.py): an action's log-odds are
those of the best position that it can lead to. With a.budget[KEPT], too, the opponent's reply in
sampled worlds decides (turn_search/reply.py), with a.budget[ITERATIONS] instead a tree
search of such worlds (mcts/network_tree.py); a mulligan is decided one action ahead. a.budget is
explained in network/value.py.
"""

import math

import numpy as np

from hsevo.agents.mcts.network_tree import ITERATIONS, choose_by_network_tree
from hsevo.agents.mcts.tree import TREES_T
from hsevo.agents.network.network import CERTAIN, LOGIT, NETS_T
from hsevo.agents.network.value import (
    INVERSE,
    INVERSE_ONE,
    NEVER,
    ask_policy,
    best_of,
    chance_of,
    doubt,
    look_one_action_ahead,
    power_of_two,
)
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import AHEAD, LEVELS, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later
from hsevo.agents.turn_search.reply import KEPT
from hsevo.agents.turn_search.search import DEPTH, choose_by_search, leaves_to_reply
from hsevo.engine.jit import I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.state import Phase, mix


@kernel(I8(SCRATCH_T, I8, I8, U8))
def drawn_by_softmax(s, n, inverse, seed):
    """Return the index of one of n moves, drawn by the softmax of s.log_odds."""
    most, total = s.log_odds[0], np.uint64(0)
    for k in range(n):
        most = max(most, s.log_odds[k])
    for k in range(n):
        total += power_of_two(((most - s.log_odds[k]) * inverse) >> 14)
    left = np.uint64(0) + (mix(seed) >> np.uint64(16)) % total
    for k in range(n):
        share = power_of_two(((most - s.log_odds[k]) * inverse) >> 14)
        if left < share:
            return k
        left -= share
    return n - 1


@kernel(VOID(SCRATCH_T, I8, I8))
def show_probabilities(s, n, inverse):
    """Store as the decision's scores how likely each move is to be drawn, -WIN if it is left out.

    With inverse 0 nothing is drawn, and they are how likely each move is to win.
    """
    d, total, best = s.decision[0], 0.0, best_of(s, n)
    for k in range(n):
        if s.log_odds[k] == NEVER:
            d.score[k] = -WIN
        elif inverse > 0:
            unit = LOGIT / (inverse * math.log(2.0) / INVERSE_ONE)
            d.score[k] = math.exp((s.log_odds[k] - s.log_odds[best]) / unit)
            total += d.score[k]
        else:
            d.score[k] = 1.0 / (1.0 + math.exp(-s.log_odds[k] / LOGIT))
    for k in range(n):
        if inverse > 0 and s.log_odds[k] != NEVER:
            d.score[k] /= total


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def look_turn_ahead(s, t, a, nets):
    """Set s.log_odds to the log-odds of the best position that each legal move leads to."""
    g, d = s.games[TRUE], s.decision[0]
    ask_policy(s, t, a, nets)
    choose_by_search(s, t, a, nets)
    for k in range(g.n_moves):
        if has_equal_later(g, np.int64(g.moves[k])):
            s.log_odds[k] = NEVER
        else:  # a win in fewer actions stays the better one
            most = CERTAIN + np.int64(LEVELS * d.score[k] / WIN)
            s.log_odds[k] = np.int64(min(max(d.score[k], -CERTAIN), most))


@kernel(VOID(SCRATCH_T, I8))
def weigh_by_policy(s, n):
    """Lower s.log_odds of a search's n moves by the policy, unless one wins in this turn."""
    if s.node[0].best < WIN / (LEVELS + 1):
        for k in range(n):
            if s.log_odds[k] != NEVER:
                s.log_odds[k] -= doubt(s, k)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def choose_with_reply(s, t, a, nets):
    """Return the move of a search of the turn and the opponent's reply.

    The decision's scores get the chances to win, -WIN for moves that lead to no end remembered.
    """
    d = s.decision[0]
    ask_policy(s, t, a, nets)
    move = choose_by_search(s, t, a, nets)
    if not leaves_to_reply(s):
        for k in range(s.games[TRUE].n_moves):
            if d.score[k] > -WIN:
                d.score[k] = chance_of(np.int64(min(max(d.score[k], -CERTAIN), CERTAIN)))
    return move


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREES_T, NETS_T))
def choose_afterstate(s, t, a, trees, nets):
    """Return the move of the learned policy.

    s.log_odds gets the log-odds of each move, unless the policy plays on in sampled worlds.
    """
    g, inverse = s.games[TRUE], np.int64(a.budget[INVERSE])
    plays = g.pending < Phase.MULLIGAN
    if plays and a.budget[DEPTH] > 0 and a.budget[KEPT] > 0:
        return choose_with_reply(s, t, a, nets)
    if plays and a.budget[DEPTH] == 0 and a.budget[ITERATIONS] > 0:
        return choose_by_network_tree(s, t, a, trees[0], nets)
    seed = mix(g.lookahead_rng)
    searches = plays and a.budget[DEPTH] > 0
    if searches:
        look_turn_ahead(s, t, a, nets)
    else:
        look_one_action_ahead(s, g, s.games[AHEAD], t, a, nets)
    n = np.int64(g.n_moves)
    if inverse == 0:
        show_probabilities(s, n, inverse)
    if searches:
        weigh_by_policy(s, n)
    if inverse == 0:
        return g.moves[best_of(s, n)]
    show_probabilities(s, n, inverse)
    return g.moves[drawn_by_softmax(s, n, inverse, seed)]
