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
those of the best position that it can lead to. a.budget is explained in network/value.py.
"""

import math

import numpy as np

from hsevo.agents.network.features import known_cards
from hsevo.agents.network.network import CERTAIN, LOGIT, NETS_T
from hsevo.agents.network.value import INVERSE, INVERSE_ONE, forget_positions, network_value
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import AHEAD, LEVELS, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later, simulate_end_of_turn
from hsevo.agents.turn_search.search import DEPTH, choose_by_search
from hsevo.engine.game.moves import list_moves
from hsevo.engine.game.trial import try_move_or_choice
from hsevo.engine.jit import I8, TABLES_T, U8, VOID, copy_prefix, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import GAME_T, PREFIX, Phase, lookahead_seed, mix

NEVER = -(1 << 40)  # odds of an action that is left out


@kernel(I8(GAME_T, GAME_T, TABLES_T, I8, U8, I8))
def look_at(g, h, t, move, seed, sight):
    """Simulate a move of game g on its copy h; return how many cards in hand are known then."""
    if move != END:
        try_move_or_choice(g, h, t, move, seed, sight)
    elif g.pending == Phase.PLAY:
        simulate_end_of_turn(g, h, t, seed, sight)
    else:
        copy_prefix(h, g, PREFIX)
    return known_cards(g, h, np.int64(g.me), move, np.int64(g.side[g.me].n_hand))


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


@kernel(I8(SCRATCH_T, I8))
def best_of(s, n):
    """Return the index of the move with the highest odds, the last of several."""
    best = 0
    for k in range(n):
        if s.log_odds[k] >= s.log_odds[best]:
            best = k
    return best


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
def look_one_action_ahead(s, t, a, nets):
    """Set s.log_odds to the log-odds after each legal move."""
    g, h, d = s.games[TRUE], s.games[AHEAD], s.decision[0]
    n, me, salt = list_moves(g, t), np.int64(g.me), lookahead_seed(g)
    forget_positions(s, g, a, nets, me)
    for k in range(n):
        move = np.int64(g.moves[k])
        s.log_odds[k] = NEVER
        if g.pending == Phase.PLAY and has_equal_later(g, move):
            continue
        known = look_at(g, h, t, move, mix(salt + np.uint64(k)), a.sight)
        d.simulated += 1
        s.log_odds[k] = network_value(s, h, t, a, nets, me, known, move == END)


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def look_turn_ahead(s, t, a, nets):
    """Set s.log_odds to the log-odds of the best position that each legal move leads to."""
    g, d = s.games[TRUE], s.decision[0]
    choose_by_search(s, t, a, nets)
    for k in range(g.n_moves):
        if has_equal_later(g, np.int64(g.moves[k])):
            s.log_odds[k] = NEVER
        else:  # a win in fewer actions stays the better one
            most = CERTAIN + np.int64(LEVELS * d.score[k] / WIN)
            s.log_odds[k] = np.int64(min(max(d.score[k], -CERTAIN), most))


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def choose_afterstate(s, t, a, nets):
    """Return the move of the learned policy. s.log_odds gets the log-odds of each move."""
    g, inverse = s.games[TRUE], np.int64(a.budget[INVERSE])
    seed = mix(g.lookahead_rng)
    if a.budget[DEPTH] > 0 and g.pending < Phase.MULLIGAN:
        look_turn_ahead(s, t, a, nets)
    else:
        look_one_action_ahead(s, t, a, nets)
    n = np.int64(g.n_moves)
    show_probabilities(s, n, inverse)
    return g.moves[drawn_by_softmax(s, n, inverse, seed) if inverse > 0 else best_of(s, n)]
