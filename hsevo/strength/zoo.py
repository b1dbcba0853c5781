"""The champions that are shipped: their files, what made them, and games that prove their strength.

    agents/genomes/champions.yaml      weights     --+
    agents/learned/shipped/*.yaml      networks    --+--> champions() --content()--> the file

Beside what makes the agent, both say

    sha256   of its file: its weights as Agent.save() writes them (YAML), or its network
    proof    a match: against, decks, games, seed; result: games won, drawn and lost; and the
             sha256 of its games.csv, whose games follow from the seed
"""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hsevo.agents.genomes import champions as evolved
from hsevo.agents.genomes.weights import format_weights
from hsevo.agents.learned import nets as learned
from hsevo.agents.registry import NET, ROSTER
from hsevo.config import parse, read_text
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, RunError, did_you_mean, quoted
from hsevo.files import read_bytes
from hsevo.store import sums


@dataclass(frozen=True)
class Proof:
    """A match that was played once, and comes out the same again. sha256: of its games.csv."""

    against: str
    decks: tuple[str, ...]
    games: int
    seed: int
    result: tuple[int, int, int]  # games won, drawn and lost
    sha256: str

    def refute(self, result: tuple[int, int, int], games: pd.DataFrame) -> str:
        """Say how a match that was played again differs; "" if it does not."""
        found = sums.of(games.to_csv(index=False, lineterminator="\n").encode())
        if (result, found) == (self.result, self.sha256):
            return ""
        now, then = (" : ".join(map(str, one)) for one in (result, self.result))
        return f"{now} and games.csv {found}, not {then} and {self.sha256}"


@dataclass(frozen=True)
class ShippedChampion:
    """A champion. sha256: of its file; made: what made it: command, games, version, engine ..."""

    name: str
    says: str
    sha256: str
    made: Mapping[str, str]
    proof: Proof

    @property
    def file(self) -> str:
        """What its file is called: eva-wide-2026.yaml."""
        return f"{self.name.replace(':', '-')}.{'npz' if self.is_learned else 'yaml'}"

    @property
    def is_learned(self) -> bool:
        """Whether its file is a network."""
        return self.name.startswith(f"{NET}:")

    @property
    def command(self) -> str:
        """The command that plays its proof again."""
        one, decks = self.proof, ",".join(self.proof.decks)
        own = "" if one.decks == CIG2018 else f" --decks {decks}"
        return (f"hsevo match {self.name} {one.against} --games {one.games} --seed {one.seed}"
                f"{own}")

    def option(self, name: str) -> str:
        """Return an option of the command that made it, such as config or seed."""
        words = shlex.split(self.made["command"])
        return words[words.index(f"--{name}") + 1]

    def content(self) -> bytes:
        """Return its file. Raises RunError if it is not the one that was proven."""
        if self.is_learned:
            found = read_bytes(learned.FOLDER / f"{self.name.partition(':')[2]}.npz")
        else:
            entry = ROSTER[self.name]
            assert entry.kind.genome is not None
            text = format_weights("yaml", [self.name], entry.weights[None], entry.kind.genome)
            found = text.encode()
        if sums.of(found) != self.sha256:
            raise RunError(f"the file of {self.name} is not the one that was proven: this hsevo was"
                           " changed; install it again")
        return found


@functools.cache
def champions() -> Mapping[str, ShippedChampion]:
    """Return all champions by their names in the roster, those that were evolved first."""
    trees = parse(read_text(evolved.FILE), str(evolved.FILE))
    for name in learned.shipped():
        file = learned.FOLDER / f"{name}.yaml"
        trees[f"{NET}:{name}"] = parse(read_text(file), str(file))
    return {name: _champion(name, tree) for name, tree in trees.items()}


def champion(name: str) -> ShippedChampion:
    """Return a champion by its name. Raises AgentError."""
    found = champions().get(name)
    if found is None:
        raise AgentError(f"{quoted(name)} is no champion{did_you_mean(name, champions())}; there"
                         f" are {', '.join(champions())}")
    return found


def _champion(name: str, tree: Mapping[str, Any]) -> ShippedChampion:
    try:
        made = {key: str(value) for key, value in tree["made"].items()}
        proof = tree["proof"]
        result = proof["won"], proof["drawn"], proof["lost"]
        return ShippedChampion(name, tree["says"], tree["sha256"], made, Proof(
            proof["against"], tuple(proof.get("decks", CIG2018)), proof["games"], proof["seed"],
            result, proof["sha256"]))
    except KeyError as error:
        raise RunError(f"what hsevo knows of {name} is damaged: it lacks {error}; install it"
                       " again") from None
