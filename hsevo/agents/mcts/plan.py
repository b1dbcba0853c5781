"""How a tree search is told what to do: its options as numbers of an agent's record.

An AGENT has eight integers and 32 numbers. `named.mcts` packs the options of a search into them,
and `read_plan` unpacks them for the kernels, once a decision:

    budget   the score of the roll-outs, iterations, roll-outs, k of the own and the opponent's
             moves, RULES, the depth of the tree, milliseconds a turn
    w        [:30] the weights of the heuristics, C, BIAS

RULES holds what needs few bits, each in `FIELDS` with its first bit and how many. The heuristic of
the tree is that of the roll-outs, or another whose weights stand behind them in w.
"""

from __future__ import annotations

import math

import numpy as np

from hsevo.agents.shared.agent import AGENT, AGENT_T, EVA, GSV, HEARTHSIM, ONE_STEP
from hsevo.agents.shared.scores import (
    LINEAR,
    METASTONE_WEIGHTS,
    SANTOS_WEIGHTS,
    TYCHE_WEIGHTS,
)
from hsevo.agents.turn_search.gsv import WEIGHTS as GSV_WEIGHTS
from hsevo.engine.jit import I8, VOID, kernel, record

ITERATIONS, ROLLOUTS, OWN, OPPONENT, RULES, DEPTH, MILLISECONDS = range(1, 8)  # of AGENT.budget
ROOM, C, BIAS = 30, 30, 31  # of AGENT.w
EVA_MOVES = -1  # instead of k: EVA moves for this player
ALVARO_C = math.sqrt(2.0)  # C = 2
FINALS = MAX_CHILD, ROBUST, MAX_ROBUST, SECURE, SECURE_WRITTEN = range(5)
REUSED, ANEW = range(2)
FORMS = GAIN, CHILD, WRITTEN = range(3)  # what H of eq. 4.1 is
MOVE, LINE = range(2)  # what a search answers: a move, or the rest of the turn
# Heuristics: the scores of shared/scores.py, and these; EVA's scores moves, not states.
BY_GSV, BY_HEARTHSIM, BY_EVA = range(LINEAR + 1, LINEAR + 4)
KIND_OF = (ONE_STEP, ONE_STEP, ONE_STEP, ONE_STEP, GSV, HEARTHSIM, EVA)
N_WEIGHTS = (len(METASTONE_WEIGHTS), len(SANTOS_WEIGHTS), len(TYCHE_WEIGHTS), 9, len(GSV_WEIGHTS),
             5, 21)
# The parts of RULES: first bit, number of bits, and the highest value.
FIELDS = {
    "final": (0, 3, SECURE_WRITTEN), "reuse": (3, 1, ANEW), "form": (4, 2, WRITTEN),
    "evolving": (6, 1, 1), "answer": (7, 1, LINE), "tree_score": (8, 3, BY_EVA),
    "tree_at": (11, 5, ROOM), "first": (16, 5, 31),
}

PLAN = np.dtype(
    [
        ("iterations", "i8"),
        ("rollouts", "i8"),  # of an iteration
        ("own", "i8"),  # k in %, or EVA_MOVES
        ("opponent", "i8"),
        ("final", "i8"),  # one of FINALS
        ("reuse", "i8"),
        ("form", "i8"),
        ("evolving", "i8"),  # 1: the weights of the roll-outs evolve
        ("answer", "i8"),
        ("first", "i8"),  # moves of a node before it is unpruned; 0: all
        ("depth", "i8"),  # of the tree; 0: no limit
        ("seconds", "f8"),  # of a turn; 0: no limit
        ("c", "f8"),
        ("bias", "f8"),
        ("rollout", AGENT),  # the heuristic of the roll-outs, as an agent that scores by it
        ("tree", AGENT),  # that of the tree
    ],
    align=True,
)
PLAN_T = record(PLAN)


@kernel(I8(AGENT_T, I8, I8), inline=True)
def field(a, first, bits):
    """Return a part of RULES."""
    return (np.int64(a.budget[RULES]) >> first) & ((1 << bits) - 1)


@kernel(VOID(AGENT_T, AGENT_T, I8, I8))
def read_heuristic(h, a, score, at):
    """Make h an agent that scores as the search a is told to, by weights from w[at] on."""
    h.kind = KIND_OF[score]
    h.sight = a.sight
    h.budget[0] = score
    for i in range(len(h.w)):
        h.w[i] = a.w[at + i] if i < N_WEIGHTS[score] else 0.0


@kernel(VOID(PLAN_T, AGENT_T))
def read_plan(p, a):
    """Unpack the options of a search."""
    p.iterations = a.budget[ITERATIONS]
    p.rollouts = a.budget[ROLLOUTS]
    p.own = a.budget[OWN]
    p.opponent = a.budget[OPPONENT]
    p.depth = a.budget[DEPTH]
    p.seconds = a.budget[MILLISECONDS] / 1000.0
    p.final = field(a, 0, 3)
    p.reuse = field(a, 3, 1)
    p.form = field(a, 4, 2)
    p.evolving = field(a, 6, 1)
    p.answer = field(a, 7, 1)
    p.first = field(a, 16, 5)
    p.c = a.w[C]
    p.bias = a.w[BIAS]
    read_heuristic(p.rollout, a, np.int64(a.budget[0]), 0)
    read_heuristic(p.tree, a, field(a, 8, 3), field(a, 11, 5))
