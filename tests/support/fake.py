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

DECKS = tuple(Deck.of(name, hero, ("CS2_029",) * 30)
              for name, hero in (("warrior", "WARRIOR"), ("shaman", "SHAMAN"), ("mage", "MAGE")))
SETTING = match.Setting(decks=DECKS)


def _mixed(keys: Any) -> Any:
    """Return 64 random bits of each key: the last step of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def play_block(pairings: Any, agents: Any, setting: match.Setting, *nets: Any) -> Any:
    """Draw results; HSEVO_FAKE_SECONDS makes each block take so long, here or in a worker."""
    if seconds := float(os.environ.get("HSEVO_FAKE_SECONDS", 0)):
        time.sleep(seconds)
    results = np.zeros(len(pairings), match.RESULT)
    sums = np.nan_to_num(agents["w"].reshape(len(agents), -1).sum(axis=1))
    strengths = np.exp(np.clip(sums, -99, 99))  # scores of searches may be infinite
    mine, theirs = strengths[pairings["a"]], strengths[pairings["b"]]
    chance = np.minimum(0.98 * mine / (mine + theirs), 0.98)
    # Two games with agents swapped have one seed, and are not the same game.
    seeds = pairings["seed"] + (mine > theirs) * np.uint64(0xD1B54A32D192ED03)
    for games in np.unique(pairings["games"]):
        rows = np.flatnonzero(pairings["games"] == games)
        for few in np.array_split(rows, len(rows) * int(games) // 1_000_000 + 1):
            _play(results, few, seeds[few], int(games), chance[few])
    results["margin_a"], results["margin_b"] = 11 * results["wins_a"], 7 * results["wins_b"]
    results["decisions"] = 70 * pairings["games"]
    results["simulated"] = 450 * pairings["games"]
    return results


def _play(results: Any, rows: Any, seeds: Any, games: int, chance: Any) -> None:
    """Fill in who won the games of some rows, and in how many turns."""
    numbers = np.arange(1, games + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits = _mixed(seeds.astype(np.uint64)[:, None] + numbers)
    drawn = (bits >> np.uint64(11)) * 2.0 ** -53
    results["wins_a"][rows] = (drawn < chance[:, None]).sum(axis=1)
    results["draws"][rows] = (drawn >= 0.98).sum(axis=1)
    results["wins_b"][rows] = games - results["wins_a"][rows] - results["draws"][rows]
    results["turns"][rows] = (10 + _mixed(bits) % np.uint64(15)).sum(axis=1)


def install(put: Any) -> None:
    """Put the stand-in into hsevo.play.match; `put` is given each name and value."""
    put("play_block", play_block)
    for name in ("warm_up", "load_rest", "load_for"):
        put(name, lambda *arguments, **more: None)
