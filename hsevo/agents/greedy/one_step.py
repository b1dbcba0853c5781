"""Greedy agents that look one action ahead and score the state after it.

Each legal action is simulated once on a copy of the game, and the state after it is scored (by
`budget[SCORE]`, see shared/scores.py); the first of the best actions is played. END TURN is scored
like any action: its copy plays the end of the own turn, and stops where the opponent's would begin.
It is tried last, so it loses ties.

    greedy:metastone  MetaStone's greedy player; in a mulligan it throws back cards of cost >= 4
    greedy:santos     the "myopic greedy agent" of Santos' thesis (section 4.5.1), heuristic 1; with
                      end=last it ends its turn only when nothing else is left to do
    tyche:onestep     the score of Tyche (as far as it is known), one action deep

Our choices where the sources are silent: END TURN as above; actions are tried in the order of
`moves.list_moves`; an open choice (Discover) is not simulated, its first option is taken; the other
two keep all cards in a mulligan.

budget[THROWN]: the least cost of cards to throw back in a mulligan; 0 keeps all. Look-aheads know
what EVA's do (eva/decision.py).
"""

import numpy as np

from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import WIN, score_state
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.agents.shared.trials import simulate_end_of_turn
from hsevo.engine.game.moves import list_moves, try_move
from hsevo.engine.jit import I8, TABLES_T, kernel
from hsevo.engine.record.codec import CHOOSE, END
from hsevo.engine.record.state import GAME_T, Phase, lookahead_seed, mix

THROWN, LAST = 1, 2  # of the budget; LAST, 1: END TURN is not scored, but comes last


@kernel(I8(GAME_T, TABLES_T, I8))
def mulligan_move(g, t, least):
    """Return the move that throws back the next card of cost >= `least`, or END."""
    s = g.side[g.me]
    for i in range(s.n_hand):
        if least > 0 and t.card[s.hand[i].card].cost >= least:
            return CHOOSE + i
    return END


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T))
def choose_one_step(g, h, t, a, d):
    """Return the move of a one-step greedy player; h is scratch for the look-ahead.

    d.score gets the scores of all moves.
    """
    n = list_moves(g, t)
    seed = lookahead_seed(g)
    if g.pending != Phase.PLAY:
        return g.moves[0] if g.pending == Phase.CHOICE else mulligan_move(g, t, a.budget[THROWN])
    me, best = np.int64(g.me), 0
    for i in range(1, n + 1):
        k = i % n  # END, the first of the list, comes last
        if k == 0 and n > 1 and a.budget[LAST] == 1:
            d.score[k] = -WIN
            continue
        if k == 0:
            simulate_end_of_turn(g, h, t, mix(seed), a.sight)
        else:
            try_move(g, h, t, np.int64(g.moves[k]), mix(seed + np.uint64(k)), a.sight)
        d.simulated += 1
        d.score[k] = score_state(h, t, a, me)
        if i == 1 or d.score[k] > d.score[best]:
            best = k
    return g.moves[best]
