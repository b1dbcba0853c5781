"""Absolute progress: the best of a generation against external reference opponents.

Fitness is relative to the population, so it can't show whether the whole population improves. A
config may name reference opponents. At intervals, the best individual plays each of them as in
`hsevo match`: in pairs of games, with the same deals in every generation. The results are written
to references.csv and do not influence the evolution. To play the games of a line again:

    hsevo match eva:RUN#individual-7 OPPONENT --seed SEED --games GAMES --decks DECKS

with the seed, decks, ruleset, information and max_turns of the run, and `references.games`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck
from hsevo.config import Config
from hsevo.play import players as hosted
from hsevo.play.behaviour import unwatched
from hsevo.play.match import Setting
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import REFERENCES, Generation
from hsevo.strength import rating
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import ContestPlan, Lineup
from hsevo.strength.roster import find_players, read_agents
from hsevo.trust import data
from hsevo.types import Array

CHAMPION = "champion"


def read_references(plan: Config, decks: Sequence[Deck],
                    trust: bool = False) -> dict[str, Array]:
    """Return the reference opponents of a config, AGENT (1,) or (1, d, d) by spec.

    decks: those that individuals play. trust: run the files of Python players. Raises AgentError;
    ConfigError if one can't play these decks by these rules.
    """
    if plan.references is None:
        return {}
    with data(trust):
        names, agents = read_agents(plan.references.against, decks, compiled=False)
    hosted.check(agents, Setting(plan.ruleset, tuple(decks), plan.information, plan.max_turns))
    return {name: agents[i:i + 1] for i, name in enumerate(names)}


@dataclass(frozen=True)
class ReferenceOpponents:
    """The reference opponents of a run."""

    run: RunFolder
    opponents: Mapping[str, Array]

    def find(self, trust: bool) -> None:
        """Find Python players again, if the run is trusted. Raises AgentError."""
        for name, agent in self.opponents.items():
            find_players([name], agent, trust)

    @classmethod
    def of(cls, run: RunFolder) -> Self | None:
        """Return a run's reference opponents, if it has some. Raises RunError."""
        return cls(run, run.reference_agents) if run.config.references else None

    def measure(self, generation: Generation, executor: Executor,
                on_games: OnGames = lambda games: None) -> pd.DataFrame:
        """Play the best of a generation against every opponent; return lines of references.csv."""
        best = generation.field[generation.field["id"] == generation.survivors[0]]
        agent, d, lines = self.run.genome.build(best["weights"]), len(self.run.own_decks), []
        if agent.ndim > 1:
            agent = agent[:, :d, :d]  # without decks that only fixed opponents play
        for name, opponent in self.opponents.items():
            players = joined([agent, opponent], d)
            played = Arena(_lineup(self.run, name, players)).play(unwatched(executor), on_games)
            lines.append(played.pairs.iloc[:1])
        table = pd.concat(lines, ignore_index=True)
        table["execution"], table["generation"] = generation.execution, generation.number
        table["individual"] = generation.survivors[0]
        return table[REFERENCES.names]


def due(plan: Config, number: int) -> bool:
    """Return whether a generation's best is measured: at intervals, and in the last."""
    last = plan.evolution.generations - 1
    return plan.references is not None and (number % plan.references.every == 0 or number == last)


def games(plan: Config, number: int) -> int:
    """Return how many games a generation's measurement takes."""
    if plan.references is None or not due(plan, number):
        return 0
    pairs = 2 * len(plan.decks) ** 2
    return len(plan.references.against) * -(-plan.references.games // pairs) * pairs


def problems(run: RunFolder, execution: int, number: int, best: int,
             table: pd.DataFrame) -> list[str]:
    """Return the problems of a generation's lines of references.csv; each must add up."""
    plan, file = run.config, run.names[2]
    names = list(plan.references.against) if plan.references and due(plan, number) else []
    here = table[(table["execution"] == execution) & (table["generation"] == number)]
    if list(here["opponent"]) != names or (here["individual"] != best).any():
        return [f"{file}: not the best of the generation against every opponent once"]
    mistakes = []
    each = games(plan, number) // max(len(names), 1)
    for row in here.to_dict("records"):
        pairs = np.array([row[f"pairs_{score:g}"] for score in (0, 0.5, 1, 1.5, 2)], np.int64)
        measured = {"rate": rating.rate(pairs), "elo": rating.elo(pairs)}
        stored = [row[name + end] for name in measured for end in ("", "_low", "_high")]
        right = [x for estimate in measured.values()
                 for x in (estimate.value, estimate.low, estimate.high)]
        points = pairs @ np.arange(5)  # in halves of a game
        if not (2 * pairs.sum() == row["games"] == row["wins"] + row["draws"] + row["losses"]
                and 2 * row["wins"] + row["draws"] == points and row["games"] <= each
                and np.allclose(stored, right, rtol=1e-9, atol=1e-9, equal_nan=True)):
            mistakes.append(f"{file}: the games against {row['opponent']} do not add up")
    return mistakes


def _lineup(run: RunFolder, opponent: str, players: Array) -> Lineup:
    """Return the match of a champion and an opponent, AGENT (2,), as `hsevo match` plays it."""
    config = run.config
    assert config.references is not None
    plan = ContestPlan(agents=[CHAMPION, opponent], against=[], decks=list(config.decks),
                games=config.references.games, seed=config.seed, ruleset=config.ruleset,
                information=config.information, max_turns=config.max_turns)
    return Lineup(plan, (CHAMPION, opponent), players, run.own_decks)
