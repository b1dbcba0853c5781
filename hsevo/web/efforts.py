"""How much an agent may think for a hint: compiled code can't be stopped, and holds a thread.

    check("rl:2026?search=tree&iterations=1000000")     raises AgentError
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from hsevo.agents.registry import KINDS, NET, NET_SEARCHES, SEARCHES, kind_name, read_options
from hsevo.errors import AgentError
from hsevo.strength.agents import Agent
from hsevo.strength.roster import split_deck
from hsevo.texts import say

MOST = 2_000_000  # actions that a hint may simulate: of the slowest agent, about a minute
PLAYED_ON = 50  # actions of an iteration of a tree search: that, and what is played on after it
SECONDS = 30.0  # of an agent that stops by the clock
FACTORS = ("nodes", "samples", "hands", "ends", "iterations", "rollouts")


def check(agent: Agent) -> None:
    """Raise AgentError if an agent may think too long for a hint."""
    if agent.spec is None:
        return
    most = actions(agent.spec)
    if most > MOST:
        raise AgentError(say("refused.slow_hint", agent=agent.name, n=f"{most:,}",
                             most=f"{MOST:,}"))


def actions(spec: str) -> int:
    """Return how many actions an agent may simulate for a decision, at most and about.

    0: of an agent that does not search, stops by the clock in SECONDS, or is none of hsevo's kinds
    (a Python player has a limit of its own).
    """
    agent, _, query = split_deck(spec)[0].partition("?")
    kind = kind_name(agent)
    if kind not in KINDS:
        return 0
    settings, options = read_options(query, KINDS[kind], kind), KINDS[kind].options
    if kind == NET:
        options = SEARCHES[NET_SEARCHES[settings.get("search", 0)]]
    if 0 < settings.get("seconds", 0) <= SECONDS:
        return 0
    product = _product(settings, options)
    return product * PLAYED_ON if "iterations" in options else product


def _product(settings: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    """Return the product of what is searched: an option's value, or its default."""
    factors = [name for name in FACTORS if name in options]
    return bool(factors) * prod(max(1, int(settings.get(name, options[name][0])))
                                for name in factors)
