"""Configs of hsevo decks evolve: read, and their files found.

    configs/decks/NAME.yaml + --set key=value --load_plan()--> Plan
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.config.deckbuilding import Plan
from hsevo.config.named import agent_beside, yaml_beside
from hsevo.errors import ConfigError

OTHERS = {"evolution": "an evolution; run it with: hsevo evolve --config",
          "hall": "a coevolution; run it with: hsevo coevolve --config",
          "study": "a study; run it with: hsevo study",
          "periods": "a player that learns; run it with: hsevo learn --config"}


def load_plan(source: str | Path, settings: Iterable[str] = ()) -> Plan:
    """Read the config that `source` names, with "key=value" settings. Raises ConfigError.

    source: a path, or a name in configs/decks, here or shipped. Files of decks, agents and the
    collection are looked for in its folder first.
    """
    path = config.find(str(source), "configs/decks")
    tree = config.parse(config.read_text(path), str(path))
    if other := next((says for key, says in OTHERS.items() if key in tree), ""):
        raise ConfigError(f"{path} is {other} {source}")
    tree = {"name": re.sub(r"[^\w.+-]", "-", path.stem)} | with_paths(tree, path)
    return config.check_with(Plan, tree, str(path), settings)


def with_paths(tree: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a tree whose files in the config's folder have their paths."""
    found = dict(tree)
    for key, value in tree.items():
        if isinstance(value, dict):
            found[key] = with_paths(value, path)
        elif key in ("field", "against") and isinstance(value, list):
            found[key] = [_opponent(path, one) for one in value]
        elif key in ("start", "beside") and isinstance(value, list):
            found[key] = [config.beside(path, deck) for deck in value]
        elif key == "pilots" and isinstance(value, list):
            found[key] = [agent_beside(path, agent) for agent in value]
        elif key == "pilot":
            found[key] = agent_beside(path, value)
        elif key == "ruleset":
            found[key] = yaml_beside(path, value)
        elif key == "collection" and isinstance(value, str) and (path.parent / value).is_file():
            found[key] = str(path.parent / value)
    return found


def _opponent(path: Path, one: Any) -> Any:
    if not isinstance(one, dict):
        return config.beside(path, one)
    return one | {key: beside(path, one[key]) for key, beside in (
        ("deck", config.beside), ("agent", agent_beside)) if key in one}
