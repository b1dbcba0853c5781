"""The opponent's reply: what the best ends of the own turn are worth after the opponent's turn.

A search of the own turn (search.py) keeps the best positions at which the turn can end, no two
alike. Each is played on in some worlds (shared/belief.py), and in each of these the opponent has
another hand: the turn ends, and the opponent plays its own as EVA would with the searcher's
weights, a.w. Equations 1-8 score the position before the searcher's next turn against the true one,
as if all of it were one action; a draw scores 0, as in search.py. The first action on the way to
the end with the best mean is played. A win that the search finds is played without asking for a
reply.

a.budget[HANDS]  worlds; their hands are the same for every end from which the opponent holds the
                 same cards
a.budget[KEPT]   most ends to keep, up to scratch.ENDS; 0: there is no reply

An end that a random outcome led to is one sampled position, also where its score before the reply
is a mean of several.

This is the reply that the paper's conclusion misses, at the price of a turn of EVA for each end
and hand.

Learned players reply by their net. In each sampled world (shared/belief.py) the turn ends, and the
opponent plays its own turn by the same net, one action ahead (network/value.py), with the hand
that it has there. Then the searcher draws, and the world is worth the chance to win after its best
next action; that of a finished game is 1, 0, or one half for a draw. An end is worth the mean of
its worlds, which a policy next to the values lowers in the comparison of ends (network/value.py).
The first action on the way to the best end is played.

The chance is asked after the searcher's next action, since that is what its net has learned: the
value of a position that an own action has led to.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.eva.equations import score
from hsevo.agents.network.network import NETS_T
from hsevo.agents.network.value import (
    best_of,
    chance_of,
    doubt,
    has_policy,
    look_one_action_ahead,
    lowered,
    value_of_result,
)
from hsevo.agents.shared.agent import AFTERSTATE, AGENT_T
from hsevo.agents.shared.belief import copy_visible_world, determinize
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import AHEAD, DECISION_T, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import simulate_end_of_turn
from hsevo.engine.game.moves import make_move
from hsevo.engine.jit import F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import DRAW, FAIR, GAME_T, GUESSED, RUNNING, load, mix, store


@kernel(VOID(SCRATCH_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T))
def look_in_world(s, x, y, t, a, nets):
    """Set s.log_odds for the player to move in world x, who sees no secret that it can't; y is
    scratch.
    """
    sight = np.int64(a.sight)
    if sight == GUESSED:
        a.sight = FAIR
    look_one_action_ahead(s, x, y, t, a, nets)
    a.sight = sight


@kernel(I8(SCRATCH_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T, I8))
def play_reply(s, x, y, t, a, nets, me):
    """Play the opponent's turn in world x by the net; return player me's log-odds after it."""
    while x.result == RUNNING and x.fault == 0:
        look_in_world(s, x, y, t, a, nets)
        best = best_of(s, np.int64(x.n_moves))
        if x.me == me:
            return s.log_odds[best]
        make_move(x, t, x.moves[best])
    return value_of_result(x, me)


@kernel(F8(SCRATCH_T, GAME_T, GAME_T, GAME_T, TABLES_T, AGENT_T, NETS_T, U8))
def chance_after_reply(s, g, x, y, t, a, nets, seed):
    """Return the chance to win after END TURN in position g, in one of its worlds; x, y: scratch.
    """
    me = np.int64(g.me)
    determinize(g, x, t, seed, 1 - me, a.sight)
    make_move(x, t, END)
    return chance_of(play_reply(s, x, y, t, a, nets, me))


HANDS, KEPT = 4, 5  # of a.budget
OPPONENT = 1  # of `decision`
# Of `games`, those of the search, which is over: an end as its player sees it, one of its worlds,
# and what the opponent's look-aheads (and the states of ends) are loaded into.
SEEN, WORLD, BEYOND = AHEAD, AHEAD + 1, AHEAD + 2


@kernel(I8(SCRATCH_T, I8, F8, F8))
def slot_for(s, most, value, key):
    """Return the slot for an end of the turn, or -1 if it is known or `most` others are better."""
    worst = 0
    for i in range(s.n_ends):
        if s.ends[i].key == key:
            return -1
        if s.ends[i].value < s.ends[worst].value:
            worst = i
    if s.n_ends < most:
        return s.n_ends
    return worst if value > s.ends[worst].value else -1


@kernel(VOID(SCRATCH_T, GAME_T, I8, I8, F8, F8))
def remember(s, h, most, first, value, key):
    """Remember position h, reached by the true game's move `first`, if it is among the best."""
    slot = slot_for(s, most, value, key)
    if slot < 0:
        return
    s.n_ends = max(s.n_ends, slot + 1)
    end = s.ends[slot]
    end.value, end.key, end.first = value, key, first
    store(s.states[slot], h)


@kernel(F8(SCRATCH_T, GAME_T, TABLES_T, AGENT_T))
def worth(s, h, t, a):
    """Return eq. 1 from the true game to position h; a draw is 0."""
    return 0.0 if h.result == DRAW else score(s.games[TRUE], h, t, a, s.decision[0])


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T))
def reply_of_opponent(x, y, t, a, d):
    """Return EVA's move for the opponent in world x, who does not see the agent's secrets."""
    sight = np.int64(a.sight)
    if sight == GUESSED:
        a.sight = FAIR
    move = choose_eva(x, y, t, a, d)
    a.sight = sight
    return move


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, U8))
def worth_after_reply(s, t, a, seed):
    """Return what position SEEN is worth at the end of the opponent's turn, in one world."""
    x, y, d, me = s.games[WORLD], s.games[BEYOND], s.decision[OPPONENT], np.int64(s.games[TRUE].me)
    determinize(s.games[SEEN], x, t, seed, 1 - me, a.sight)
    make_move(x, t, END)
    while x.result == RUNNING and x.me != me:
        d.simulated = 0
        move = reply_of_opponent(x, y, t, a, d)
        s.decision[0].simulated += d.simulated + 1
        if move == END:
            simulate_end_of_turn(x, y, t, mix(x.rng), a.sight)
            return worth(s, y, t, a)
        make_move(x, t, move)
    return worth(s, x, t, a)


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, U8))
def mean_after_reply(s, t, a, nets, salt):
    """Return what position SEEN is worth after a reply, the mean of a.budget[HANDS] worlds."""
    total = 0.0
    for k in range(a.budget[HANDS]):
        seed = mix(salt + np.uint64(k))
        if a.kind == AFTERSTATE:
            total += chance_after_reply(
                s, s.games[SEEN], s.games[WORLD], s.games[BEYOND], t, a, nets, seed)
        else:
            total += worth_after_reply(s, t, a, seed)
    return total / a.budget[HANDS]


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, U8))
def choose_by_reply(s, t, a, nets, salt):
    """Return the move of the true game that leads to the end with the best score after a reply.

    d.score gets the best of each move, -WIN for moves that lead to none of them. A policy next to
    the values weighs in the choice, but not in d.score.
    """
    g, x, d = s.games[TRUE], s.games[BEYOND], s.decision[0]
    for k in range(g.n_moves):
        d.score[k] = -WIN
    best, highest = np.int64(-1), 0.0
    for i in range(s.n_ends):
        first = s.ends[i].first
        load(x, s.states[i])
        copy_visible_world(x, s.games[SEEN], t, a.sight)
        value = mean_after_reply(s, t, a, nets, salt)
        d.score[first] = max(d.score[first], value)
        if has_policy(a):
            value = lowered(value, doubt(s, first))
        if best < 0 or value >= highest:
            best, highest = first, value
    return g.moves[best]
