"""An agent as the kernel takes it: what kind of player it is, its budget and its numbers."""

import numpy as np
import numpy.typing as npt

from hsevo.engine.jit import record, records

EVA, RANDOM = 0, 1  # kinds; choose.py knows what each does

AGENT = np.dtype(
    [
        ("kind", "i4"),
        ("sight", "i4"),  # what its look-aheads may know: state.FAIR or LEAKY
        ("budget", "i4", (4,)),  # of searches: what each means stands with the kind
        ("w", "f8", (32,)),  # weights; EVA: the 21 of weights.NAMES
    ],
    align=True,
)
AGENT_T, AGENTS_T = record(AGENT), records(AGENT)

# Of the games that an agent is given: the one played, a zeroed one, room for look-aheads.
TRUE, BLANK, AHEAD = 0, 1, 2
ROOMS = 1


def eva(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.void]:
    """Return EVA agents, AGENT (n,), with weights (n, 21) in the paper's order."""
    agents = np.zeros(len(weights), AGENT)
    agents["w"][:, : weights.shape[1]] = weights
    return agents


def random_player() -> npt.NDArray[np.void]:
    """Return the agent that makes uniformly random moves, AGENT (1,)."""
    return np.array([(RANDOM, 0, (0,) * 4, (0,) * 32)], AGENT)
