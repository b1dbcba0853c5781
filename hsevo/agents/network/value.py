"""The log-odds of winning that a net gives to positions, one by one or one action ahead.

What the learned policy (learned/afterstate.py) and its search (turn_search) have in common. An
agent of kind AFTERSTATE has in a.budget:

NETWORK  which of the nets; play/match.py sets it from a.w, the digest of the net
INVERSE  0: the best action; else one drawn by the softmax with temperature
         INVERSE_ONE / INVERSE / ln 2
DEPTH    0: no search of the turn; else as in turn_search/search.py, with NODES and SAMPLES, and
         with HANDS and KEPT as in turn_search/reply.py
ITERATIONS  of a tree search, if DEPTH is 0: mcts/network_tree.py. It is the place of HANDS

and in a.w, from POLICY on, the digest and the number of the net of a policy; zeros: none. A player
with nets of a policy and of values searches by the values. A search of the turn adds SHARE of the
policy's log-odds, less those of its best action, to those that it finds for a legal action; the
actions that the policy looks at count as NODES. A tree search explores the root by the policy. The
best action then maximises the value and, with some weight, the log-probability in the policy
(J.-B. Grill et al., Monte-Carlo Tree Search as Regularized Policy Optimization, 2020).

To look one action ahead, each action is simulated once on a copy of the game, END TURN to the end
of the turn; a card that it draws is unknown. The learned policy (learned/afterstate.py) decides by
these, and searches have both players of a sampled world move by them.

`chance_of` turns log-odds into chances in integers: the same bits everywhere, unlike math.exp.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.network.features import describe_decks, describe_rest, known_cards
from hsevo.agents.network.network import (
    CERTAIN,
    NETS_T,
    forget,
    log_odds,
    take_decks,
    take_minions,
)
from hsevo.agents.shared.agent import AFTERSTATE, AGENT_T
from hsevo.agents.shared.scratch import AHEAD, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later, simulate_end_of_turn
from hsevo.engine.game.moves import list_moves, try_move_or_choice
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import (
    DRAW,
    GAME_T,
    RUNNING,
    Phase,
    copy_position,
    lookahead_seed,
    mix,
)

NETWORK, INVERSE = 0, 6  # of a.budget
POLICY = 3  # of a.w
SHARE = 307  # of the policy's log-odds in a search's, in units of 2**-10: 0.3
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


NEVER = -(1 << 40)  # odds of an action that is left out


@kernel(I8(GAME_T, GAME_T, TABLES_T, I8, U8, I8))
def look_at(g, h, t, move, seed, sight):
    """Simulate a move of game g on its copy h; return how many cards in hand are known then."""
    if move != END:
        try_move_or_choice(g, h, t, move, seed, sight)
    elif g.pending == Phase.PLAY:
        simulate_end_of_turn(g, h, t, seed, sight)
    else:
        copy_position(g, h)
    return known_cards(g, h, np.int64(g.me), move, np.int64(g.side[g.me].n_hand))


@kernel(VOID(SCRATCH_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T))
def look_one_action_ahead(s, g, h, t, a, nets):
    """Set s.log_odds to the log-odds after each legal move of game g; h is scratch.

    Of equal cards in hand only the last is simulated; the others have NEVER.
    """
    n, me, salt = list_moves(g, t), np.int64(g.me), lookahead_seed(g)
    forget_positions(s, g, a, nets, me)
    for k in range(n):
        move = np.int64(g.moves[k])
        s.log_odds[k] = NEVER
        if g.pending == Phase.PLAY and has_equal_later(g, move):
            continue
        known = look_at(g, h, t, move, mix(salt + np.uint64(k)), a.sight)
        s.decision[0].simulated += 1
        s.log_odds[k] = network_value(s, h, t, a, nets, me, known, move == END)


@kernel(I8(SCRATCH_T, I8))
def best_of(s, n):
    """Return the index of the move with the highest odds, the last of several."""
    best = 0
    for k in range(n):
        if s.log_odds[k] >= s.log_odds[best]:
            best = k
    return best


@kernel(BOOL(AGENT_T), inline=True)
def has_policy(a):
    """Return whether agent a has the net of a policy next to that of values."""
    return a.kind == AFTERSTATE and (a.w[POLICY] != 0.0 or a.w[POLICY + 1] != 0.0)


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def ask_policy(s, t, a, nets):
    """Set s.policy to the log-odds that agent a's policy gives the legal moves of the true game.

    They are relative to those of the best move. They are zeros for an agent without a policy.
    """
    if not has_policy(a):
        s.policy[:] = 0
        return
    g, b = s.games[TRUE], s.adviser[0]
    b.sight, b.budget[NETWORK] = a.sight, np.int32(a.w[POLICY + 2])
    b.w[0], b.w[1] = a.w[POLICY], a.w[POLICY + 1]
    look_one_action_ahead(s, g, s.games[AHEAD], t, b, nets)
    most = s.log_odds[best_of(s, np.int64(g.n_moves))]
    for k in range(g.n_moves):
        s.policy[k] = s.log_odds[k] - most


@kernel(I8(SCRATCH_T, I8), inline=True)
def doubt(s, k):
    """Return by how much the policy lowers the log-odds of move k that a search has found."""
    return (-s.policy[k] * SHARE) >> 10


_HALVINGS = 5909  # from log-odds in units of 1 / network.LOGIT, >> 14, to what power_of_two takes


@kernel(U8(I8), inline=True)
def power_of_two(x):
    """Return 2**(-x / 65536) in units of 2**-30, for x >= 0: a cubic, exact to one part in 4,000.
    """
    whole, part = x >> 16, 65536 - (x & 65535)
    if whole > 29:
        return np.uint64(0)
    inner = (part * 5137) >> 16  # 2**y is about 1 + y (0.6951 + y (0.2265 + 0.0784 y))
    inner = (part * (14844 + inner)) >> 16
    inner = (part * (45555 + inner)) >> 16
    return np.uint64((65536 + inner) << 13) >> np.uint64(whole)


@kernel(F8(I8), inline=True)
def chance_of(log_odds):
    """Return 1 / (1 + exp(-log_odds)), of log-odds in units of 1 / network.LOGIT.

    Exact to one part in 4,000. Both chances of a position, each player's, add up to 1.
    """
    less = np.float64(power_of_two((abs(log_odds) * _HALVINGS) >> 14))
    loses = less / (2.0**30 + less)
    return 1.0 - loses if log_odds >= 0 else loses


@kernel(F8(F8, I8), inline=True)
def lowered(chance, less):
    """Return a chance whose log-odds are lower by `less`, in units of 1 / network.LOGIT, >= 0."""
    odds = chance * (np.float64(power_of_two((less * _HALVINGS) >> 14)) / 2.0**30)
    return odds / (odds + 1.0 - chance)
