"""Golden games: what whole games come to under each ruleset, kept in data/golden_games.json.

A change of rules, cards or agent that alters any of them must do so knowingly: look at why, then
    python -m tests.rules.golden_games
writes the file anew, and the commit says what changed.
"""

import json
from typing import Any

import numpy as np

from hsevo.agents.genomes.weights import EVA_2018, NAMES
from hsevo.agents.shared.agent import RANDOM, agent, eva
from hsevo.cards.decks import read_deck
from hsevo.play import match
from tests.support import DATA
from tests.support.random_games import begin, play_out

FILE = DATA / "golden_games.json"
PRESETS = ("cig2018", "msg2017", "cig2018-as-run")  # not those that other tests register
DECKS = ("warrior", "shaman", "mage")
GAMES = 4  # a deck pair
HALVES = np.full((1, len(NAMES)), 0.5)  # the weights of the other EVA


def played(ruleset: str, information: str, other: Any) -> dict[str, int]:
    """Play EVA's weights against another agent on all deck pairs; return the totals."""
    decks = tuple(read_deck(name) for name in DECKS)
    rows = np.zeros(9, match.PAIRING)
    rows["b"], rows["games"], rows["seed"] = 1, GAMES, np.arange(9) + 2018
    rows["deck_a"], rows["deck_b"] = (deck.ravel() for deck in np.indices((3, 3)))
    agents = np.concatenate([eva(EVA_2018[None]), other])
    setting = match.Setting(ruleset, decks, information)
    totals = match.play_block(rows, agents, setting)
    return {name: int(totals[name].sum()) for name in totals.dtype.names}


def random_ends(ruleset: str) -> list[list[int]]:
    """Play 30 random games of random decks; return result, turns and both healths of each."""
    records = play_out(*begin(7, 30, ruleset)).states
    order = np.lexsort((records["rng"],))  # play_out returns them as they end
    return [[int(g["result"]), int(g["turn"]), int(g["char"][7]["health"]),
             int(g["char"][15]["health"])] for g in records[order]]


def golden() -> dict[str, Any]:
    """Return everything that the file holds."""
    return {ruleset: {
        "greedy, fair": played(ruleset, "fair", eva(HALVES)),
        "greedy, leaky": played(ruleset, "leaky", eva(HALVES)),
        "greedy against random": played(ruleset, "fair", agent(RANDOM)),
        "random games of random decks": random_ends(ruleset),
    } for ruleset in PRESETS}


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), indent=1) + "\n", encoding="utf-8")
