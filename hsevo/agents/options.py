"""The options of agents that search: names, defaults and ranges, for registry.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from hsevo.agents.learned import nets
from hsevo.agents.mcts import plan
from hsevo.agents.mcts.named import Heuristic, Scorer
from hsevo.agents.shared import secrets as guesses
from hsevo.agents.shared.scratch import ENDS, LEVELS
from hsevo.errors import AgentError

# Default, lowest, highest; integers, or any numbers if the default is a float.
Range: TypeAlias = tuple[int, int, int] | tuple[float, float, float]
Names: TypeAlias = tuple[str, ...]  # the choices, the default first; agents get the index
Option: TypeAlias = Range | Names | Scorer
Options: TypeAlias = Mapping[str, Option]

MOST_NODES = (1, 1_000_000_000)
SECRETS: Options = {"secrets": guesses.NAMES}
NODES: Options = {"nodes": (100_000, *MOST_NODES), **SECRETS}
TURN: Options = {"depth": (3, 1, LEVELS), "nodes": (300, *MOST_NODES), "samples": (0, 0, 1_000),
                 **SECRETS}
REPLY: Options = {"depth": (8, 1, LEVELS), "nodes": (1_000, *MOST_NODES), "samples": (0, 0, 1_000),
                  "hands": (4, 1, 1_000), "ends": (12, 1, ENDS), **SECRETS}
# Of learned players: few worlds choose by luck, so more of these than of ends.
NET_REPLY: Options = {**REPLY, "hands": (8, 1, 1_000), "ends": (6, 1, ENDS)}
NET_TREE: Options = {"iterations": (300, 1, nets.MOST_ITERATIONS), "c": (1.0, 0.0, nets.MOST_C)}
SEARCHES: Mapping[str, Options] = {  # of learned players
    "none": {}, "turn": TURN, "reply": NET_REPLY, "tree": NET_TREE}
NET_SEARCHES: Names = tuple(SEARCHES)
NET_DECKS: Names = ("own", "given")  # of policies that build decks: which decks they play
NET_OPTIONS: Options = {"temperature": (0.0, 0.0, nets.MAX_TEMPERATURE),
                        "search": NET_SEARCHES, "decks": NET_DECKS, **NET_REPLY, **NET_TREE, **TURN}
SHARE = (0, 100)  # k in %
TREE: Options = {
    "iterations": (60, 1, 4000),
    "rollouts": (20, 1, 1000),
    "final": ("max", "robust", "max-robust", "secure", "secure-written"),  # plan.FINALS
    "reuse": ("yes", "no"),
    "answer": ("move", "line"),
    "first": (0, 0, plan.FIELDS["first"][2]),
    "evolving": ("no", "yes"),
    "seconds": (0.0, 0.0, 3600.0),
    "heuristic": Scorer("metastone", Heuristic()),
    "tree": Scorer("same", None),
}


def searches(settings: Mapping[str, Any]) -> bool:
    """Return whether a learned player with these settings, of nets.agent, searches."""
    return "depth" in settings or "iterations" in settings


def refuse_policy(spec: str, learner: str) -> None:
    """Raise AgentError for a search by a network that is a policy: its outputs are no log-odds.

    learner: how it learned, a learner.method; "": not known.
    """
    if learner not in ("", "td"):
        raise AgentError(f"'{spec}' can't search: it learned with learner.method {learner}, so its"
                         " network is a policy and knows no chances to win; write"
                         f" {spec.rpartition('?')[0] or spec}, or take one of learner.method td")
