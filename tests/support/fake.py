"""A stand-in for the engine, for tests of the floors above it: instant, and breakable at will.

`play_block` has the real one's signature and promises: whole numbers that re-add, and depend on
nothing but the rows' seeds and the weights. The better vector (by its sum) wins more often.
"""

import os
import time
from typing import Any

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.play import match

DECKS = tuple(Deck(name, hero, ("CS2_029",) * 30)
              for name, hero in (("warrior", "WARRIOR"), ("shaman", "SHAMAN"), ("mage", "MAGE")))
SETTING = match.Setting(decks=DECKS)


def play_block(pairings: Any, agents: Any, setting: match.Setting, *nets: Any) -> Any:
    """Draw results; HSEVO_FAKE_SECONDS makes each block take so long, here or in a worker."""
    time.sleep(float(os.environ.get("HSEVO_FAKE_SECONDS", 0)))
    results = np.zeros(len(pairings), match.RESULT)
    for row, result in zip(pairings, results, strict=True):
        random = np.random.default_rng(int(row["seed"]))
        sums = np.nan_to_num([agents["w"][row[side]].sum() for side in ("a", "b")])
        strengths = np.exp(np.clip(sums, -99, 99))  # scores of searches may be infinite
        chance = min(0.98 * strengths[0] / strengths.sum(), 0.98)
        wins_a, draws, wins_b = random.multinomial(row["games"], [chance, 0.02, 0.98 - chance])
        result["wins_a"], result["draws"], result["wins_b"] = wins_a, draws, wins_b
        result["turns"] = random.integers(10, 25, row["games"]).sum()
        result["margin_a"], result["margin_b"] = 11 * wins_a, 7 * wins_b
        result["decisions"], result["simulated"] = 70 * row["games"], 450 * row["games"]
    return results


def install(put: Any) -> None:
    """Put the stand-in into hsevo.play.match; `put` is given each name and value."""
    put("play_block", play_block)
    put("warm_up", lambda: None)
    put("is_compiled", lambda: True)
