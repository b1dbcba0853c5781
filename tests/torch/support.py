"""A run folder of the end-to-end policy that takes a second or two, for several test files."""

from typing import Any

import numpy as np

import hsevo
from hsevo import config
from hsevo.config.learning import NetworkSettings, Plan
from hsevo.strength.panel import Panel

TINY = {"network.embedding": 5, "network.width": 6, "network.lstm": 5, "network.rate": 0.01,
        "network.updates": 4, "network.reuse": 2}  # games are used twice, as in Table III
FEW = TINY | {"decks": ["mage", "warrior"], "periods": 2, "rounds": 1, "games": 17,
              "references": {"against": ["random"], "games": 8}, "payoff_games": 1}
TAUGHT = {"start": "rl:2026", "start_periods": 2}


def plan_of(games: int = 8, **changes: Any) -> Plan:
    """Return an end-to-end plan with rounds of so many games, one a period; see `but`."""
    decks = changes.get("decks", ["mage"])
    tree = {"policy": "end-to-end", "decks": decks, "games": games // len(decks)**2, "rounds": 1,
            "network": {"updates": 2, "embedding": 5, "width": 8, "lstm": 7}}
    return but(config.check(Plan, tree, "the test"), **changes)


def but(plan: Plan, **changes: Any) -> Plan:
    """Return a plan with other keys: its own, and those of section network."""
    return config.change(plan, {
        key if key in Plan.model_fields or key not in NetworkSettings.model_fields
        else f"network.{key}": value for key, value in changes.items()})


def learn(path, progress=False, **more):
    """Learn with a plan of rounds of 68 games, in two jobs."""
    return hsevo.learn("end-to-end-small", out=path, changes=FEW | more.pop("changes", {}),
                       progress=progress, **more)


def few(names):
    """Return a panel of a few agents that have met each other."""
    whole = Panel.read("panel-2026")
    plan = whole.plan.model_copy(update={"agents": names})
    counts = np.zeros((len(names), len(names), 5), np.int64)
    counts[~np.eye(len(names), dtype=bool)] = 1
    return Panel(whole.name, plan, counts)
