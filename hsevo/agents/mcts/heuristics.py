"""The heuristic H of a tree search: scores of states and of moves, for either player.

A heuristic is an agent that scores: by a score of states (shared/scores.py, GSV's or HearthSim's),
or by EVA's equation 1, which scores moves. The searcher's moves maximise H of the state after them,
its opponent's minimise it (section 4.3.2); with EVA each maximises equation 1 of its own moves.
"""

from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.mcts.plan import BY_EVA, BY_GSV
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import WIN, score_state
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.agents.turn_search.gsv import evaluate_gsv
from hsevo.agents.turn_search.hearthsim import evaluate_hearthsim
from hsevo.engine.game.trial import try_move
from hsevo.engine.jit import F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import DRAW, GAME_T, RUNNING


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8))
def value_of_state(g, t, h, me):
    """Return H of game g for a player; WIN if it has won, -WIN if it has lost, 0 for a draw."""
    if h.budget[0] < BY_GSV:
        return score_state(g, t, h, me)
    if g.result != RUNNING:
        return 0.0 if g.result == DRAW else (WIN if g.result == me + 1 else -WIN)
    return evaluate_gsv(g, t, h, me) if h.budget[0] == BY_GSV else evaluate_hearthsim(g, t, h, me)


@kernel(VOID(GAME_T, TABLES_T, AGENT_T, DECISION_T))
def begin_scores(g, t, h, d):
    """Begin to score the moves of game g: EVA compares with the minions before them."""
    if h.budget[0] == BY_EVA:
        value_minions(g, t, h, d)


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, U8))
def score_of_move(g, y, t, h, d, me, move, stream):
    """Return how good a move is for the player to move in g, by H of player `me`, or by EVA.

    END TURN scores as the state. Others are made on a copy y, whose random stream is given.
    """
    if h.budget[0] == BY_EVA:
        if move == END:
            return 0.0
        try_move(g, y, t, move, stream, h.sight)
        return score(g, y, t, h, d)
    sign = 1.0 if g.me == me else -1.0
    if move == END:
        return sign * value_of_state(g, t, h, me)
    try_move(g, y, t, move, stream, h.sight)
    return sign * value_of_state(y, t, h, me)
