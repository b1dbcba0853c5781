"""Absolute progress: the best of a generation against agents that nobody evolved here.

Fitness is relative to the field that it was won in, so that it can't tell progress from standing
still. So a config may name agents, and every so many generations the best individual plays each of
them as `hsevo match` would: in pairs, with the same deals in every generation. It is told in
references.csv, and nothing of it enters the evolution. A line's games can be played again:

    hsevo match eva:RUN#individual-7 OPPONENT --seed SEED --games GAMES --decks DECKS

with the run's seed, decks, ruleset, information and max_turns, and the games of the config.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.config import Config
from hsevo.errors import RunError
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import Run
from hsevo.runs.tables import REFERENCES, Generation
from hsevo.strength import rating
from hsevo.strength.arena import Lineup, Plan, contest, pairs_table
from hsevo.strength.roster import read_agents

Array: TypeAlias = npt.NDArray[Any]
CHAMPION = "champion"


def read_references(plan: Config) -> dict[str, Array]:
    """Return the reference opponents of a config, AGENT (1,) by spec. Raises AgentError."""
    if plan.references is None:
        return {}
    names, agents = read_agents(plan.references.against)
    return {name: agents[i:i + 1] for i, name in enumerate(names)}


def digests(opponents: Mapping[str, Array]) -> dict[str, str]:
    """Return a fingerprint of each agent, to tell if a name means another one by now."""
    return {name: hashlib.sha256(agent.tobytes()).hexdigest()[:16]
            for name, agent in opponents.items()}


@dataclass(frozen=True)
class References:
    """The opponents of a run, and how it measures its best against them."""

    run: Run
    opponents: Mapping[str, Array]

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Return a run's reference opponents, if it has some.

        Raises AgentError; RunError if an opponent is not what it was when the run began.
        """
        if run.config.references is None:
            return None
        opponents = read_references(run.config)
        for name, digest in digests(opponents).items():
            if run.about.get("references", {}).get(name) != digest:
                raise RunError(f"{run.path} measures itself against '{name}', who is not what it"
                               " was when the run began; bring that file back, or begin a new run")
        return cls(run, opponents)

    def measure(self, generation: Generation, executor: Executor,
                on_games: OnGames = lambda games: None) -> pd.DataFrame:
        """Play the best of a generation against every opponent; the lines of references.csv."""
        best = generation.field[generation.field["id"] == generation.survivors[0]]
        lines = []
        for name, opponent in self.opponents.items():
            players = np.concatenate([self.run.genome.build(best["weights"]), opponent])
            record = contest(executor, _lineup(self.run, name, players), on_games=on_games)
            lines.append(pairs_table(record).iloc[:1])
        table = pd.concat(lines, ignore_index=True)
        table["execution"], table["generation"] = generation.execution, generation.number
        table["individual"] = generation.survivors[0]
        return table[REFERENCES]


def due(plan: Config, number: int) -> bool:
    """Tell whether a generation's best is measured: every so many, and the last."""
    last = plan.evolution.generations - 1
    return plan.references is not None and (number % plan.references.every == 0 or number == last)


def games(plan: Config, number: int) -> int:
    """Return how many games a generation's measurement takes."""
    if plan.references is None or not due(plan, number):
        return 0
    pairs = 2 * len(plan.decks) ** 2
    return len(plan.references.against) * -(-plan.references.games // pairs) * pairs


def problems(run: Run, execution: int, number: int, best: int, table: pd.DataFrame) -> list[str]:
    """Say what is wrong with a generation's lines of references.csv: each must add up."""
    plan, file = run.config, run.tables[2]
    names = list(plan.references.against) if plan.references and due(plan, number) else []
    here = table[(table["execution"] == execution) & (table["generation"] == number)]
    if list(here["opponent"]) != names or (here["individual"] != best).any():
        return [f"{file}: not the best of the generation against every opponent once"]
    found = []
    each = games(plan, number) // max(len(names), 1)
    for row in here.to_dict("records"):
        pairs = np.array([row[f"pairs_{score:g}"] for score in (0, 0.5, 1, 1.5, 2)], np.int64)
        measured = {"rate": rating.rate(pairs), "elo": rating.elo(pairs)}
        told = [row[name + end] for name in measured for end in ("", "_low", "_high")]
        right = [x for one in measured.values() for x in (one.value, one.low, one.high)]
        points = pairs @ np.arange(5)  # in halves of a game
        if not (2 * pairs.sum() == row["games"] == row["wins"] + row["draws"] + row["losses"]
                and 2 * row["wins"] + row["draws"] == points and row["games"] <= each
                and np.allclose(told, right, rtol=1e-9, atol=1e-9, equal_nan=True)):
            found.append(f"{file}: the games against {row['opponent']} do not add up")
    return found


def _lineup(run: Run, opponent: str, players: Array) -> Lineup:
    """Return the match of a champion and an opponent, AGENT (2,), as hsevo match has it."""
    config = run.config
    assert config.references is not None
    plan = Plan(agents=[CHAMPION, opponent], against=[], decks=list(config.decks),
                games=config.references.games, seed=config.seed, ruleset=config.ruleset,
                information=config.information, max_turns=config.max_turns)
    return Lineup(plan, (CHAMPION, opponent), players, run.decks)
