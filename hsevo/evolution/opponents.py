"""Read the fixed opponents of a config, and by how much each counts in the fitness."""

from collections.abc import Sequence

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.config import Config
from hsevo.errors import AgentError, did_you_mean
from hsevo.runs.opponents import FixedOpponents
from hsevo.strength.arena import mixed
from hsevo.strength.benchmark import NAME, Panel
from hsevo.strength.roster import read_agents
from hsevo.types import Array

LEAST = 1e-6  # share of a mixture below which it is taken for 0


def read_opponents(plan: Config, decks: Sequence[Deck]) -> FixedOpponents:
    """Return the fixed opponents of a config, whose decks are `decks`. Raises AgentError."""
    fixed = plan.rating.opponents
    if fixed is None:
        return FixedOpponents.of([], len(decks))
    names, agents = read_agents(fixed.agents, decks)
    weights = np.full(len(names), 1 / len(names))
    return FixedOpponents(names, agents, _nash(names) if fixed.mixture == "nash" else weights)


def _nash(names: tuple[str, ...]) -> Array:
    """Return the Nash mixture (k,) of agents of the panel, by the panel's own games."""
    panel = Panel.read()
    for name in names:
        if name not in panel.plan.agents:
            raise AgentError(f"opponents.mixture nash takes agents of {NAME}, and '{name}' is not"
                             f" in it{did_you_mean(name, panel.plan.agents)}; these are"
                             f" {', '.join(panel.plan.agents)}")
    rows = [panel.plan.agents.index(name) for name in names]
    mixture = mixed(panel.counts[np.ix_(rows, rows)])
    assert mixture is not None  # all agents of the panel met
    without = [name for name, share in zip(names, mixture, strict=True) if share < LEAST]
    if without:
        raise AgentError(f"opponents.mixture nash gives no share to {', '.join(without)}, whose"
                         " games would not count; leave them out")
    return mixture
