"""Fixed and reference opponents of a run, as about.json keeps them: agents with all their weights.

A run continues with the opponents that it began with, from any folder and whatever their files say
now, and its games against them can be replayed when those files are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.agents.registry import check_agents
from hsevo.agents.shared.agent import AGENT
from hsevo.play.participants import agent_data, agent_of
from hsevo.types import Array


@dataclass(frozen=True)
class StoredOpponents:
    """Fixed opponents: their specs (k,), what they are, and by how much each counts."""

    names: tuple[str, ...]
    agents: Array  # AGENT (k,), or (k, d, d) with the d decks of the run
    weights: Array  # (k,), with sum 1

    @classmethod
    def of(cls, data: Sequence[Mapping[str, Any]], d: int, names: Sequence[str] = ()) -> Self:
        """Return the opponents of these names from `data`; d: decks.

        Raises AgentError, LookupError, TypeError or ValueError if it is damaged.
        """
        _check_names([entry["name"] for entry in data], names)
        if not data:
            return cls((), np.zeros(0, AGENT), np.zeros(0))
        agents = joined([agent_of(entry) for entry in data], d)
        check_agents(agents.ravel())
        weights = np.array([float(entry["weight"]) for entry in data])
        if not ((weights >= 0).all() and abs(weights.sum() - 1) < 1e-9):
            raise ValueError(f"the weights {weights.tolist()} of its opponents are not shares")
        return cls(tuple(str(entry["name"]) for entry in data), agents, weights)

    def data(self) -> list[dict[str, Any]]:
        """Return them as data that json.dumps takes."""
        return [{"name": name, "weight": weight} | agent_data(agent) for name, weight, agent in
                zip(self.names, self.weights.tolist(), self.agents, strict=True)]


def reference_data(agents: Mapping[str, Array]) -> dict[str, Any]:
    """Return reference opponents, AGENT (1,) or (1, d, d) by spec, as data for json.dumps."""
    return {name: agent_data(agent[0]) for name, agent in agents.items()}


def references_of(data: Mapping[str, Any], d: int, names: Sequence[str]) -> dict[str, Array]:
    """Return the agents of these names; d: decks that they play.

    Raises AgentError, LookupError, TypeError or ValueError if it is damaged.
    """
    _check_names([*data], names)
    agents = {name: agent_of(stored) for name, stored in data.items()}
    for agent in agents.values():
        check_agents(agent.ravel())
        if agent.shape not in ((1,), (1, d, d)):
            raise ValueError(f"an agent of {agent.shape[1:]} decks, where {d} are played")
    return agents


def _check_names(stored: Sequence[str], names: Sequence[str]) -> None:
    if [*stored] != [*names]:
        raise ValueError("they differ from config.yaml")
