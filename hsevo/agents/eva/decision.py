"""EVA: the greedy agent whose 21 weights are evolved.

Each legal action except END TURN is simulated once on a copy of the game, one action deep, and its
change of state is scored by equations 1-8 of García-Sánchez et al. (2020); the best one is played.
END TURN scores 0. Ties go to the later action in the order of `moves.list_moves` (as in the
authors' program: an action that scores 0 is preferred to ending the turn, a minion goes to the
right). An open choice (Discover) is not simulated: all its options score 0, so the last is taken.

Of equal cards in hand only the last is simulated: playing the others is the same action. The score
of an action that can be forecast (engine/forecast) is calculated without a simulation, from the
same terms in the same order, so that it is the same number. Both count as simulated.

Information: `FAIR` look-aheads sample what the player can't know (draws, random effects, the
opponent's hand, see `evidence.deal_unseen`) and do not trigger the opponent's secrets; `LEAKY` ones
use the true deck order, hand and secrets, with random effects sampled for every action.
"""

import numpy as np

from hsevo.agents.eva.closed_form import score_in_closed_form
from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.shared.agent import AGENT_T, has_further_terms
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.agents.shared.trials import has_equal_later
from hsevo.engine.forecast.outcomes import (
    can_forecast,
    watch_in,
)
from hsevo.engine.game.moves import list_moves, try_move
from hsevo.engine.jit import I8, TABLES_T, kernel
from hsevo.engine.record.codec import (
    END,
)
from hsevo.engine.record.state import (
    GAME_T,
    Phase,
    lookahead_seed,
    mix,
)


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T))
def choose_eva(g, h, t, a, d):
    """Return the move of EVA with the weights a.w; h is scratch for the look-ahead.

    d.score gets the scores of all moves; -WIN for cards not simulated (`has_equal_later`).
    """
    n = list_moves(g, t)
    seed = lookahead_seed(g)
    if g.pending != Phase.PLAY:
        return g.moves[n - 1] if g.pending == Phase.CHOICE else END
    value_minions(g, t, a, d)
    watch, sight = np.int64(g.watch), np.int64(g.sight)
    g.watch, g.sight = watch_in(g, t, a.sight), a.sight
    in_closed_form = not has_further_terms(a) and can_forecast(g)
    best, best_score = END, 0.0
    d.score[0] = 0.0
    for k in range(1, n):
        move = np.int64(g.moves[k])
        d.score[k] = -WIN
        if not has_equal_later(g, move):
            stream = mix(seed + np.uint64(k))
            d.score[k] = (score_in_closed_form(g, t, a, d, move, stream) if in_closed_form
                          else np.nan)
            if np.isnan(d.score[k]):
                try_move(g, h, t, move, stream, a.sight)
                d.score[k] = score(g, h, t, a, d)
            d.simulated += 1
            if d.score[k] >= best_score:
                best, best_score = move, d.score[k]
    g.watch, g.sight = watch, sight
    return best
