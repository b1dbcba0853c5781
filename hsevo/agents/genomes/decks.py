"""Agents that play each deck, or each pair of decks, with weights of its own.

    AGENT (n,)        n agents, each the same with all decks
    AGENT (n, d, d)   [i, own, other]: agent i with deck `own` against deck `other`

Whoever plays pairings takes both; `seated` turns the second into the first, with a row for every
deck that an agent has.
"""

from collections.abc import Sequence

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.types import Array


def seated(agents: Array, pairings: Array) -> tuple[Array, Array]:
    """Return agents as AGENT (m,), and the pairings with a and b as rows of these."""
    if agents.ndim == 1:
        return agents, pairings
    rows, d = pairings.copy(), agents.shape[1]
    for seat, opponent in (("a", "b"), ("b", "a")):
        own, theirs = (pairings[f"deck_{side}"].astype("i4") for side in (seat, opponent))
        rows[seat] = (pairings[seat] * d + own) * d + theirs
    return agents.ravel(), rows


def on_decks(agents: Array, deck_a: int, deck_b: int) -> Array:
    """Return two agents as they play these decks against each other, AGENT (2,)."""
    if agents.ndim == 1:
        return agents
    return agents[[0, 1], [deck_a, deck_b], [deck_b, deck_a]]


def joined(parts: Sequence[Array], d: int) -> Array:
    """Return agents of both shapes as one array: AGENT (n,) if all are plain, else (n, d, d).

    Raises ValueError for agents of other numbers of decks.
    """
    if all(part.ndim == 1 for part in parts):
        return np.concatenate(parts)
    return np.concatenate([spread(part, d) for part in parts])


def spread(agents: Array, d: int) -> Array:
    """Return agents as AGENT (n, d, d). Raises ValueError for agents of other numbers of decks."""
    if agents.ndim == 1:
        agents = agents[:, None, None]
    elif agents.shape[1:] != (d, d):
        raise ValueError(f"agents for {agents.shape[1:]} decks, and there are {d}")
    return np.array(np.broadcast_to(agents, (len(agents), d, d)), AGENT)
