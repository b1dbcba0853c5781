"""The move of any agent: the switch over the kinds, and agents that do not look ahead."""

import numpy as np

from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.greedy.one_step import choose_one_step
from hsevo.agents.learned.afterstate import choose_afterstate
from hsevo.agents.mcts.tree import TREES_T
from hsevo.agents.mcts.uct import choose_mcts
from hsevo.agents.network.network import NETS_T
from hsevo.agents.shared.agent import (
    AFTERSTATE,
    AGENT_T,
    GSV,
    HEARTHSIM,
    LOOKAHEAD,
    MCTS,
    NO_AGGRESSION,
    ONE_STEP,
    RANDOM,
    TYCHE,
    searches_by_eva,
)
from hsevo.agents.shared.scratch import AHEAD, SCRATCH_T, TRUE
from hsevo.agents.shared.secrets import (
    begin_guesses,
    end_guesses,
    make_guess,
    must_guess,
    note_guess,
)
from hsevo.agents.turn_search.search import choose_by_search
from hsevo.agents.turn_search.tyche import choose_tyche
from hsevo.engine.forecast.outcomes import watch_in
from hsevo.engine.game.moves import list_moves
from hsevo.engine.jit import I8, TABLES_T, calling, kernel
from hsevo.engine.record.codec import END, PLAY
from hsevo.engine.record.state import GAME_T, lookahead_seed, mix


@kernel(I8(GAME_T, TABLES_T))
def choose_randomly(g, t):
    """Return a uniformly random legal move."""
    n = list_moves(g, t)
    return g.moves[np.int64(((lookahead_seed(g) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))]


@kernel(I8(GAME_T, TABLES_T))
def choose_peacefully(g, t):
    """Return a uniformly random way to play a card, or the end of the turn.

    MetaStone's NoAggression: it never attacks. We assume that it does not use the hero power, which
    is not a card, either. It decides an open choice or a mulligan uniformly.
    """
    seed, count, move = lookahead_seed(g), 0, END
    for k in range(list_moves(g, t)):
        if g.moves[k] == END or g.moves[k] >= PLAY:
            count += 1
            if mix(seed + np.uint64(k)) % np.uint64(count) == 0:  # each with equal probability
                move = np.int64(g.moves[k])
    return move


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREES_T, NETS_T), inline=True)
def choose_by_one_action(s, t, a, trees, nets):
    """Return the move of an agent that looks one action ahead, as `choose_move`."""
    g, h, d = s.games[TRUE], s.games[AHEAD], s.decision[0]
    if a.kind == ONE_STEP:
        return choose_one_step(g, h, t, a, d)
    return choose_eva(g, h, t, a, d)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREES_T, NETS_T), inline=True)
def choose_by_looking_ahead(s, t, a, trees, nets):
    """Return the move of an agent that looks ahead, as `choose_move`."""
    if a.kind == TYCHE:
        return choose_tyche(s, t, a)
    if a.kind == LOOKAHEAD or a.kind == GSV or a.kind == HEARTHSIM:
        return choose_by_search(s, t, a, nets)
    if searches_by_eva(a):
        return choose_by_search(s, t, a, nets)
    if a.kind == MCTS:
        return choose_mcts(s, t, a, trees[0])
    if a.kind == AFTERSTATE:
        return choose_afterstate(s, t, a, trees, nets)
    return choose_by_one_action(s, t, a, trees, nets)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREES_T, NETS_T))
def choose_move(s, t, a, trees, nets):
    """Return the move of agent a for the player to move in the true game; trees: one for MCTS;
    nets: those of learned policies.
    """
    g = s.games[TRUE]
    s.decision[0].simulated = 0
    if a.kind == RANDOM:
        return choose_randomly(g, t)
    if a.kind == NO_AGGRESSION:
        return choose_peacefully(g, t)
    watch, n, k = np.int64(g.watch), 0, 0
    if must_guess(g, a):
        n = begin_guesses(s, t, a)
    while True:  # once, or for each guess of the opponent's secrets
        if n > 0:
            make_guess(s, t, k)
        else:
            g.watch = watch_in(g, t, a.sight)
        move = choose_by_looking_ahead(s, t, a, trees, nets)
        if n > 0:
            note_guess(s, k, move)
        k += 1
        if k >= n:
            break
    if n > 0:
        move = end_guesses(s, a)
    g.watch = watch
    return move


# as choose_move, but not for agents that look further
choose_one_ahead = calling(choose_move, choose_by_looking_ahead=choose_by_one_action)
