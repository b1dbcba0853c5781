"""The record of an agent for the kernels: its kind, its budget and its weights.

Functions name what several kinds have in common: no meaning hangs on the order of kinds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hsevo.engine.jit import BOOL, kernel, record, records

# Kinds. The file of each says what it does, its source, and what its budget and w mean.
EVA, RANDOM, NO_AGGRESSION, ONE_STEP, TYCHE, LOOKAHEAD, GSV, HEARTHSIM, MCTS = range(9)
EVA_TURN, EVA_WIDE, EVA_WIDE_TURN, AFTERSTATE = range(9, 13)
ONE_AHEAD = frozenset({RANDOM, NO_AGGRESSION, ONE_STEP, EVA, EVA_WIDE})  # that look no further
WITH_TREE = frozenset({MCTS})  # kinds whose choices need a mcts/tree.TREE as scratch

AGENT = np.dtype(
    [
        ("kind", "i4"),
        ("sight", "i4"),  # state.Sight: what its look-aheads may know
        ("budget", "i4", (8,)),  # integers: a variant, a depth, numbers of samples ...
        ("w", "f8", (32,)),  # weights; EVA: the 21 of weights.NAMES, then the further terms
    ],
    align=True,
)
AGENT_T, AGENTS_T = record(AGENT), records(AGENT)


def agent(kind: int, budget: tuple[int, ...] = (), w: npt.ArrayLike = ()) -> npt.NDArray[np.void]:
    """Return one agent, AGENT (1,); budget and w are padded with 0."""
    padded = np.zeros(1, AGENT)
    padded["kind"] = kind
    padded["budget"][0, : len(budget)] = budget
    padded["w"][0, : np.size(w)] = w
    return padded


def eva(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.void]:
    """Return EVA agents, AGENT (n,), with weights (n, 21) in the paper's order."""
    agents = np.zeros(len(weights), AGENT)
    agents["w"][:, : weights.shape[1]] = weights
    return agents


@kernel(BOOL(AGENT_T), inline=True)
def has_further_terms(a):
    """Return whether EVA's score has the further terms (eva/equations.py), too."""
    return a.kind == EVA_WIDE or a.kind == EVA_WIDE_TURN


@kernel(BOOL(AGENT_T), inline=True)
def searches_by_eva(a):
    """Return whether an agent searches its turn by EVA's score, and so may weigh a reply."""
    return a.kind == EVA_TURN or a.kind == EVA_WIDE_TURN
