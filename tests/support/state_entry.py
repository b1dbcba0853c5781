"""The entry point through which the truth tests drive the compiled engine.

A file of its own: what is compiled here is compiled again whenever this file changes.
"""

from typing import Any

import numpy as np

from hsevo.agents.eva.closed_form import score_in_closed_form
from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.shared.agent import AGENT_T, AGENTS_T
from hsevo.agents.shared.belief import copy_visible_world, deal_changes
from hsevo.agents.shared.scratch import DECISION, DECISION_T
from hsevo.cards.terms import Kind
from hsevo.engine.forecast.outcomes import can_forecast, watch_in
from hsevo.engine.game.moves import (
    begin_move,
    can_attack,
    list_few_moves,
    list_moves,
    list_places,
    make_move,
    try_move,
)
from hsevo.engine.jit import (
    F8,
    I8,
    TABLES_T,
    VOID,
    entry_point,
    kernel,
    records,
    types,
)
from hsevo.engine.operations.turn import resolve_stack
from hsevo.engine.record.codec import hand_of, is_attack, is_power
from hsevo.engine.record.state import (
    FAIR,
    GAME_T,
    GAMES_T,
    LEAKY,
    RUNNING,
    Phase,
    copy_position,
    mix,
)
from hsevo.engine.rules.auras import refresh
from hsevo.engine.rules.costs import cost_of
from hsevo.engine.rules.query import attack_of

SETTLE, LIST, SHOW, MOVE, SCORE, DECIDE, DEAL, COMPARE, FEW, FAIR_WORLD, STEPS, PLACES = range(12)
# what COMPARE counts in `moves`, and after that each Forecast of spells and hero powers;
# GAINS: attacks by which minions gain attack
ACTIONS, WRONG, PASSED, ATTACKS, GAINS, MINIONS, WEAPONS, TEXTS = range(8)
COSTS, STRENGTHS, READY = 0, 20, 36  # where SHOW leaves them in `moves`
I8S = types.Array(I8, 1, "C")


@kernel(VOID(GAME_T, TABLES_T))
def show(g, t):
    """Leave in the move buffer what needs rules to be seen: costs, attack, who can attack."""
    for side in range(2):
        for i in range(g.side[side].n_hand):
            g.moves[COSTS + 10 * side + i] = cost_of(g, t, side, i)
    for ref in range(16):
        g.moves[STRENGTHS + ref] = attack_of(g, ref)
        g.moves[READY + ref] = can_attack(g, ref)


@kernel(I8(GAME_T, TABLES_T, I8))
def counted_as(g, t, move):
    """Return where COMPARE counts a move that is forecast."""
    s = g.side[g.me]
    if is_attack(move):
        return ATTACKS
    k = t.card[s.power if is_power(move) else s.hand[hand_of(move)].card]
    if k.kind == Kind.MINION:
        return MINIONS
    return WEAPONS if k.kind == Kind.WEAPON else TEXTS + k.forecast


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def simulated_score(g, h, t, a, d, k):
    """Return the score of the k-th legal move by a simulation."""
    try_move(g, h, t, g.moves[k], mix(np.uint64(k)), a.sight)
    return score(g, h, t, a, d)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8S))
def compare(g, h, t, a, d, found):
    """Count actions, those that are forecast, and scores that differ from a simulation's.

    So do scores of simulations without the secrets that a look-ahead passes over.
    """
    value_minions(g, t, a, d)
    watch, sight, may_forecast = np.int64(g.watch), np.int64(g.sight), can_forecast(g)
    for k in range(1, list_moves(g, t)):
        found[ACTIONS] += 1
        full = simulated_score(g, h, t, a, d, k)
        g.watch, g.sight = watch_in(g, t, a.sight), a.sight
        stream, short = mix(np.uint64(k)), np.nan
        if may_forecast:
            short = score_in_closed_form(g, t, a, d, g.moves[k], stream)
        if not np.isnan(short):
            found[counted_as(g, t, g.moves[k])] += 1
            found[GAINS] += is_attack(g.moves[k]) and g.n_list > 0
        elif g.watch != watch:
            found[PASSED] += 1
            short = simulated_score(g, h, t, a, d, k)
        g.watch, g.sight = watch, sight
        if not np.isnan(short):
            found[WRONG] += short != full or np.signbit(short) != np.signbit(full)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8S))
def compare_lists(g, h, t, found):
    """Count lists of moves with a limit, and those that are not the first moves of the whole list.

    h: scratch.
    """
    copy_position(g, h)
    n = list_moves(g, t)
    for most in range(n + 2):
        few = list_few_moves(h, t, most)
        found[ACTIONS] += 1
        found[PASSED] += few < n
        found[WRONG] += few != h.n_moves or (few != n if n <= most else few <= most)
        for k in range(few):
            found[WRONG] += g.moves[k] != h.moves[k]


@entry_point(F8(GAMES_T, TABLES_T, AGENTS_T, records(DECISION), I8S, I8),
             needs_late=lambda games, t, *rest: t.late)
def enter(games, t, agents, decision, moves, job):  # type: ignore[no-untyped-def]
    """Do a job on every game; SCORE and DECIDE on the first, with the second as scratch;
    FAIR_WORLD makes the second a fair world of the first.

    COMPARE and FEW have the first as scratch; COMPARE has agents that take turns.
    """
    d = decision[0]
    if job == SCORE:
        value_minions(games[0], t, agents[0], d)
        try_move(games[0], games[1], t, moves[0], np.uint64(moves[1]), LEAKY)
        return score(games[0], games[1], t, agents[0], d)
    if job == DECIDE:
        return np.float64(choose_eva(games[0], games[1], t, agents[0], d))
    if job == FAIR_WORLD:
        copy_visible_world(games[0], games[1], t, FAIR)
        return 0.0
    for i in range(len(games)):
        if job == SETTLE:
            games[i].late = t.late
            refresh(games[i], t)
        elif job == LIST:
            list_moves(games[i], t)
        elif job == PLACES:  # as LIST, with every place for a minion
            list_places(games[i], t)
        elif job == SHOW:
            show(games[i], t)
        elif job == DEAL:
            deal_changes(games[i], t, moves[i])
        elif job == COMPARE:
            if i > 0 and games[i].result == RUNNING and games[i].pending == Phase.PLAY:
                compare(games[i], games[0], t, agents[i % len(agents)], d, moves)
        elif job == STEPS:  # as MOVE, with nothing but the stack
            begin_move(games[i], t, moves[i])
            resolve_stack(games[i], t)
        elif job == FEW:
            if i > 0:
                compare_lists(games[i], games[0], t, moves)
        else:
            make_move(games[i], t, moves[i])
    return 0.0


def drive(games: Any, tables: Any, agents: Any, moves: Any, job: int) -> float:
    """Do a job on working records, GAME (n,)."""
    decision = np.zeros(1, DECISION).view(np.recarray)
    return float(enter(games, tables, agents, decision, moves, job))
