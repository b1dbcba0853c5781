"""Agents that were evolved here and proven in fresh games: champions.yaml, and how each was made.

    KIND:NAME:                eva:wide-reply:2026
      says: what it is
      made: the commands, the number of games, and the engine, with which it comes out again
      weights: {HHR: 0.5, ...}
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hsevo.config import parse, read_text

FILE = Path(__file__).with_name("champions.yaml")


@dataclass(frozen=True)
class EvolvedAgent:
    """A champion: its description, how it was made, and its weights by their names."""

    says: str
    made: Mapping[str, str]
    weights: Mapping[str, float]


@functools.cache
def champions() -> Mapping[str, EvolvedAgent]:
    """Return all champions by their names in the roster."""
    tree = parse(read_text(FILE), str(FILE))
    return {name: EvolvedAgent(entry["says"],
                               {key: str(value) for key, value in entry["made"].items()},
                               entry["weights"]) for name, entry in tree.items()}


def of_kind(kind: str) -> dict[str, EvolvedAgent]:
    """Return the champions of a kind, by what follows its name."""
    return {name.removeprefix(f"{kind}:"): champion for name, champion in champions().items()
            if name.rpartition(":")[0] == kind}
