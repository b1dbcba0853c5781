"""The default policy: games played to their end, by the best of some random moves (4.3.2).

Each move is the best, by a heuristic, of a random k % of the legal ones, where END TURN scores as
the current state; k = 0 is uniformly random, k = EVA_MOVES is EVA's greedy move. An open choice is
made at random (EVA: the last). k % of n moves are rounded to the nearest number (the thesis'
example: 75 % of 50 are 38), at least 1. Opponents minimise the searcher's score.

To calculate what an action changes in a score (engine/forecast), instead of making it, was
tried: it gave the same games, and was no faster (0.141 and 0.142 s of CPU a game without, 0.142 and
0.150 with, in two alternating pairs of 54 games, 20 iterations of 5 roll-outs). To simulate
such an action costs hardly more than finding out that it can be forecast.
"""

import math

import numpy as np

from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.mcts.heuristics import begin_scores, score_of_move
from hsevo.agents.mcts.plan import EVA_MOVES, PLAN_T
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.engine.game.moves import list_moves, make_move
from hsevo.engine.jit import F8, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import GAME_T, RUNNING, WIN_0, WIN_1, Phase, mix, random_below


@kernel(VOID(GAME_T, TABLES_T, DECISION_T, I8))
def make_counted_move(g, t, d, move):
    """Make a move in a world and count it."""
    make_move(g, t, move)
    d.simulated += 1


@kernel(I8(I8, I8))
def share_of(share, n):
    """Return `share` per cent of n actions: rounded, at least one."""
    return max((share * n + 50) // 100, 1)


@kernel(I8(GAME_T, I8, I8), inline=True)
def draw_move(x, i, n):
    """Draw the next of n listed moves without replacement, after i of them."""
    j = i + random_below(x, n - i)
    move = np.int64(x.moves[j])
    x.moves[j] = x.moves[i]
    return move


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, I8))
def best_of_drawn(x, y, t, h, d, me, n, k):
    """Return the best of k of the n listed moves, drawn at random; y is scratch."""
    begin_scores(x, t, h, d)
    best, highest = np.int64(END), -math.inf
    for i in range(k):
        move = draw_move(x, i, n)
        value = score_of_move(x, y, t, h, d, me, move, mix(x.rng + np.uint64(i)))
        d.simulated += move != END
        if value > highest:
            best, highest = move, value
    return best


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8))
def best_of_sample(x, y, t, h, d, me, share):
    """Return the best move, by the heuristic, of a random `share` per cent; y is scratch."""
    n = list_moves(x, t)
    k = share_of(share, n) if x.pending == Phase.PLAY else np.int64(1)
    return draw_move(x, 0, n) if k == 1 else best_of_drawn(x, y, t, h, d, me, n, k)


@kernel(F8(GAME_T, GAME_T, TABLES_T, PLAN_T, AGENT_T, DECISION_T, I8))
def roll_out(x, y, t, p, h, d, me):
    """Play world x to its end, player me by heuristic h, the other by the plan's.

    Return player 0's score: 1, 0, or 0.5 for a draw, a game at its turn limit and a fault.
    """
    while x.result == RUNNING and x.fault == 0:
        share, by = (p.own, h) if x.me == me else (p.opponent, p.rollout)
        if share == EVA_MOVES:
            make_counted_move(x, t, d, choose_eva(x, y, t, by, d))
        else:
            make_counted_move(x, t, d, best_of_sample(x, y, t, by, d, me, share))
    if x.result == WIN_0:
        return 1.0
    return 0.0 if x.result == WIN_1 else 0.5
