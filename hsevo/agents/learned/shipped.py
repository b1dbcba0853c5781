"""Learned players that are shipped: their networks, and how each was made.

    shipped/2026.npz      the network, as a checkpoint of hsevo learn
    shipped/2026.yaml     says: what it is; sha256: of the network; made: what it comes out of
                          again; learner: how it learned, td if nothing is said
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hsevo.agents.learned import nets
from hsevo.agents.learned.files import read_net
from hsevo.config import parse, read_text
from hsevo.errors import AgentError
from hsevo.files import read_bytes

FOLDER = Path(__file__).with_name("shipped")


@dataclass(frozen=True)
class Shipped:
    """A shipped player: its description, the SHA-256 of its network, and how it was made."""

    says: str
    sha256: str
    made: Mapping[str, str]
    learner: str  # learner.method: td, ppo or mmd


@functools.cache
def shipped() -> Mapping[str, Shipped]:
    """Return all shipped players by what follows "rl:" in their names."""
    found = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        tree = parse(read_text(file), str(file))
        made = {key: str(value) for key, value in tree["made"].items()}
        found[file.stem] = Shipped(tree["says"], tree["sha256"], made,
                                   tree.get("learner", "td"))
    return found


@functools.cache
def key(name: str) -> nets.Key:
    """Return the key of the network of a shipped player. Raises AgentError as `network`."""
    return nets.kept(network(name))


@functools.cache
def network(name: str) -> Any:
    """Return the network of a shipped player. Raises AgentError if it is not what was shipped."""
    file = FOLDER / f"{name}.npz"
    if hashlib.sha256(read_bytes(file)).hexdigest() != shipped()[name].sha256:
        raise AgentError(f"{file} is damaged: it is not the network that was shipped; install hsevo"
                         " again")
    return read_net(file)
