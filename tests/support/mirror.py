"""Games with the players' seats exchanged: the same game, if the rules favour no seat."""

from typing import Any

import numpy as np

from hsevo.cards.terms import Reach
from hsevo.engine.record.codec import OWNER, RATTLE_ONLY, SEATS
from hsevo.engine.record.state import DRAW, RUNNING, WIN_0, WIN_1, Phase

REFS = ("attacker", "defender", "last")
SEAT = ("me", "first", "chooser")
RESULTS = np.arange(4)
RESULTS[[RUNNING, WIN_0, WIN_1, DRAW]] = RUNNING, WIN_1, WIN_0, DRAW


def mirrored(games: Any) -> Any:
    """Return games, records of dtype STATE, with player 0 as player 1.

    No frames may wait in them.
    """
    out = games.copy()
    for name in SEAT:
        out[name] = 1 - games[name]
    for name in REFS:
        out[name] = np.where(games[name] >= 0, games[name] ^ SEATS, games[name])
    out["result"] = RESULTS[games["result"]]
    mulligan = games["pending"] >= Phase.MULLIGAN
    out["pending"] = np.where(mulligan, 2 * Phase.MULLIGAN + 1 - games["pending"], games["pending"])
    out["moved"] = games["moved"] >> SEATS | games["moved"] << SEATS
    minions = games["reach"] & (Reach.MINE | Reach.THEIRS)
    swapped = (minions & Reach.MINE) << 1 | (minions & Reach.THEIRS) >> 1
    out["reach"] = games["reach"] - minions + swapped
    for name in ("undrawn", "side", "evidence"):
        out[name] = games[name][:, ::-1]
    out["char"] = np.roll(games["char"], SEATS, axis=1)
    extra, memory = out["char"]["extra"], out["char"]["memory"]
    out["char"]["extra"] ^= np.where((extra > 0) & (extra & RATTLE_ONLY == 0), 1 << OWNER,
                                     0).astype(extra.dtype)
    out["char"]["memory"] ^= (memory > 0).astype(memory.dtype)
    return out
