"""Which games come next in the slots of an environment: what play/environment.py draws, in Python.

    seeds = next_games(slots, which, own, others)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.play import environment
from hsevo.seeds import mix

Array = npt.NDArray[Any]
_32 = np.uint64(32)


def next_games(slots: Array, which: Array, own: Array, others: Array) -> Array:
    """Draw seat and decks of the next games in some slots against an opponent.

    slots: GAME_SLOT (n,), which are changed. which (k,): places in it. own, others: numbers of the
    decks of who acts, and of its opponent. Returns the seeds of the games, uint64 (k,), as those of
    a `hsevo.Game`: play.environment.deal_next begins the same ones.
    """
    seeds: Array = slots["seed"][which] + slots["game"][which].astype(np.uint64)
    mixed = mix(seeds)
    seats = scaled(mix(mixed ^ environment._SEAT), 2)
    slots["game"][which] += 1
    slots["seat"][which] = seats
    slots["deck"][which, seats] = own[scaled(mix(mixed ^ environment._OWN), len(own))]
    slots["deck"][which, 1 - seats] = others[scaled(mix(mixed ^ environment._OTHER), len(others))]
    return seeds


def scaled(bits: Array, n: Any) -> Array:
    """Return play.environment.scaled: numbers below n, int64 (k,), from 64 random bits each."""
    return ((bits >> _32) * np.asarray(n, np.uint64) >> _32).astype(np.int64)
