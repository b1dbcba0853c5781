"""The parts of EVA's decisions, one at a time, for `hsevo bench --kernel`."""

from enum import IntEnum

import numpy as np

from hsevo.agents.eva.closed_form import score_in_closed_form
from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import AHEAD, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later
from hsevo.engine.forecast.outcomes import can_forecast, watch_in
from hsevo.engine.game.moves import list_moves, try_move
from hsevo.engine.jit import I8, TABLES_T, kernel
from hsevo.engine.record.codec import is_attack, is_power
from hsevo.engine.record.state import copy_position, mix


class Part(IntEnum):
    """What is done in a position. All but the first two list the moves first."""

    NOTHING = 0
    DECIDE = 1  # all of a decision
    LIST = 2
    COPY = 3  # copy the game for each action
    ATTACKS = 4  # simulate each attack, on a copy
    POWERS = 5
    CARDS = 6
    ALL = 7  # simulate each action
    SCORES = 8  # simulate each action and score it
    FORECAST = 9  # calculate the scores that can be forecast, and find that others can't


@kernel(I8(I8), inline=True)
def part_of(move):
    """Return the part that simulates a move."""
    if is_attack(move):
        return Part.ATTACKS
    return Part.POWERS if is_power(move) else Part.CARDS


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, I8))
def do_part(s, t, a, part):
    """Do a part of a decision in the true game; return for how many actions it was done."""
    g, h, d = s.games[TRUE], s.games[AHEAD], s.decision[0]
    d.simulated = 0
    if part == Part.NOTHING:
        return 0
    if part == Part.DECIDE:
        choose_eva(g, h, t, a, d)
        return d.simulated
    n, done = list_moves(g, t), np.int64(0)
    if part == Part.LIST:
        return n - 1
    value_minions(g, t, a, d)
    g.watch, g.sight = watch_in(g, t, a.sight), a.sight
    in_closed_form = can_forecast(g)
    for k in range(1, n):
        move = np.int64(g.moves[k])
        if has_equal_later(g, move):
            continue
        if part == Part.FORECAST:
            stream = mix(np.uint64(k))
            d.score[k] = (score_in_closed_form(g, t, a, d, move, stream) if in_closed_form
                          else np.nan)
            done += not np.isnan(d.score[k])
        elif part == Part.COPY:
            copy_position(g, h)
            h.depth = k
            done += 1
        elif part == part_of(move) or part >= Part.ALL:
            try_move(g, h, t, move, mix(np.uint64(k)), a.sight)
            if part == Part.SCORES:
                d.score[k] = score(g, h, t, a, d)
            done += 1
    return done
