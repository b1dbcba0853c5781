"""Fast-Evolutionary MCTS: the weights of the roll-outs evolve during the search (2.3.3).

Lucas, Samothrakis and Perez (2014): each iteration draws a parameter vector, uses it, and its
result is the vector's fitness. Here a (1+1) evolution strategy does that. Half of an iteration's
roll-outs are played by the best weights so far, half by a mutant; each pair begins in the same
world, with the same random stream. If the mutant wins more of them, it takes their place. All of
them count for the node.

Our choices: only the searcher's own moves of roll-outs are made by these weights (its opponent's
are made by those it was given, else a vector could win by playing badly for the other); the tree's
H stays. A mutant multiplies each weight with exp(spread N(0, 1)), so signs stay and what is 0 stays
0. The spread grows by 1.5 after a success and shrinks by 1.5^(-1/4) otherwise (the one-fifth rule,
as in Kern et al., 2004), from 0.3 on. A new tree begins with the weights given.
"""

import math

import numpy as np

from hsevo.agents.shared.agent import AGENT_T
from hsevo.engine.jit import F8, U8, VOID, kernel
from hsevo.engine.record.state import mix

SPREAD, LEAST, MOST = 0.3, 0.01, 1.0
GROWS, SHRINKS = 1.5, 1.5 ** -0.25


@kernel(F8(U8))
def uniform_of(bits):
    """Return a number above 0 and below 1 by random bits."""
    return (np.float64(bits >> np.uint64(11)) + 0.5) * 2.0 ** -53


@kernel(F8(U8))
def normal_of(seed):
    """Return a normally distributed number by a seed (Box and Muller, 1958)."""
    radius = math.sqrt(-2.0 * math.log(uniform_of(mix(seed))))
    return radius * math.cos(2.0 * math.pi * uniform_of(mix(mix(seed))))


@kernel(VOID(AGENT_T, AGENT_T))
def copy_heuristic(h, source):
    """Make h the heuristic `source`."""
    h.kind = source.kind
    h.sight = source.sight
    h.budget[0] = source.budget[0]
    for i in range(len(h.w)):
        h.w[i] = source.w[i]


@kernel(VOID(AGENT_T, AGENT_T, F8, U8))
def mutate(trial, parent, spread, seed):
    """Make `trial` a mutant of a heuristic."""
    copy_heuristic(trial, parent)
    for i in range(len(trial.w)):
        if parent.w[i] != 0.0:
            trial.w[i] = parent.w[i] * math.exp(spread * normal_of(seed + np.uint64(2 * i)))


@kernel(F8(F8, F8))
def next_spread(spread, gained):
    """Return the spread after a mutant that won so many roll-outs more."""
    return min(max(spread * (GROWS if gained > 0.0 else SHRINKS), LEAST), MOST)
