"""Looking one action ahead with a net: the log-odds after each legal action of a position.

Each action is simulated once on a copy of the game, END TURN to the end of the turn; a card that it
draws is unknown. The learned policy (learned/afterstate.py) decides by these, and searches have
both players of a sampled world move by them.
"""

import numpy as np

from hsevo.agents.network.features import known_cards
from hsevo.agents.network.network import NETS_T
from hsevo.agents.network.value import forget_positions, network_value
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import SCRATCH_T
from hsevo.agents.shared.trials import has_equal_later, simulate_end_of_turn
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
