"""A run folder of the end-to-end policy that takes a second or two, for several test files."""

import numpy as np

import hsevo
from hsevo.strength.benchmark import Panel

TINY = {"network.embedding": 5, "network.width": 6, "network.lstm": 5, "network.rate": 0.01,
        "network.updates": 4, "network.reuse": 2}  # games are used twice, as in Table III
FEW = TINY | {"decks": ["mage", "warrior"], "periods": 2, "rounds": 1, "games": 17,
              "references": {"against": ["random"], "games": 8}, "payoff_games": 1}
TAUGHT = {"start": "rl:2026", "start_periods": 2}


def learn(path, progress=False, **more):
    """Learn with a plan of rounds of 68 games, in two jobs."""
    return hsevo.learn("end-to-end-small", out=path, changes=FEW | more.pop("changes", {}),
                       progress=progress, **more)


def few(names):
    """Return a panel of a few agents that have met each other."""
    whole = Panel.read()
    plan = whole.plan.model_copy(update={"agents": names})
    counts = np.zeros((len(names), len(names), 5), np.int64)
    counts[~np.eye(len(names), dtype=bool)] = 1
    return Panel(whole.name, plan, counts)
