"""Configs of hsevo coevolve: read, and their files found.

    configs/coevolve/NAME.yaml + --set key=value --load_plan()--> Plan
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.config.coevolution import Plan
from hsevo.config.named import agent_beside
from hsevo.deckbuilding.plan import OTHERS, with_paths
from hsevo.errors import ConfigError
from hsevo.play.specs import split_deck

OWN = "hall"  # a key that only such a config has


def load_plan(source: str | Path, settings: Iterable[str] = ()) -> Plan:
    """Read the config that `source` names, with "key=value" settings. Raises ConfigError.

    source: a path, or a name in configs/coevolve, here or shipped. Files of decks, agents and the
    collection are looked for in its folder first.
    """
    path = config.find(str(source), "configs/coevolve")
    tree = config.parse(config.read_text(path), str(path))
    others = {"search": "a search for decks; run it with: hsevo decks evolve --config"} | OTHERS
    if other := next((says for key, says in others.items() if key in tree and key != OWN), ""):
        raise ConfigError(f"{path} is {other} {source}")
    tree = {"name": re.sub(r"[^\w.+-]", "-", path.stem)} | with_paths(tree, path)
    hall = tree.get("hall")
    if isinstance(hall, dict) and isinstance(hall.get("first"), list):
        tree["hall"] = hall | {"first": [_pair(path, one) for one in hall["first"]]}
    return config.check_with(Plan, tree, str(path), settings)


def _pair(path: Path, one: Any) -> Any:
    """Return AGENT@DECK with the paths of what is beside the config."""
    agent, deck = split_deck(one) if isinstance(one, str) else (one, "")
    return f"{agent_beside(path, agent)}@{config.beside(path, deck)}" if deck else one


def genome_of(plan: Plan) -> Genome:
    """Return the genome of the pilots, as of hsevo evolve. Raises AgentError."""
    return evolved_genome(config.Config(agent=plan.agent, decks=("mage",)), ["mage"])
