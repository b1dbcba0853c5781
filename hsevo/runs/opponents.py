"""The fixed opponents of a run, as its about.json keeps them: agents with all their weights.

A run goes on with the opponents that it began with, whatever their files say now, and its games
against them can be replayed when those files are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.agent import AGENT
from hsevo.agents.decks import joined
from hsevo.agents.registry import check_agents
from hsevo.play.cast import agent_data, agent_of

Array: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True)
class Opponents:
    """Fixed opponents: their specs (k,), what they are, and by how much each counts."""

    names: tuple[str, ...]
    agents: Array  # AGENT (k,), or (k, d, d) with the d decks of the run
    weights: Array  # (k,), with sum 1

    @classmethod
    def of(cls, data: Sequence[Mapping[str, Any]], d: int) -> Self:
        """Return the opponents that `data` made data of; d: decks. Raises what damage raises."""
        if not data:
            return cls((), np.zeros(0, AGENT), np.zeros(0))
        agents = joined([agent_of(one) for one in data], d)
        check_agents(agents.ravel())
        weights = np.array([float(one["weight"]) for one in data])
        if not ((weights >= 0).all() and abs(weights.sum() - 1) < 1e-9):
            raise ValueError(f"the weights {weights.tolist()} of its opponents are no shares")
        return cls(tuple(str(one["name"]) for one in data), agents, weights)

    def data(self) -> list[dict[str, Any]]:
        """Return them as data that json.dumps takes."""
        return [{"name": name, "weight": weight} | agent_data(one) for name, weight, one in
                zip(self.names, self.weights.tolist(), self.agents, strict=True)]
