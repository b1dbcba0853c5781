"""Find the best agent of a run: play its last population again, with more games.

The best of one generation is uncertain: with 3,420 games a win rate has a standard error of almost
one percentage point. The individuals of a late generation differ by about as much, so the first is
often first by chance. Therefore all survivors meet again, with new seeds.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genome import Genome
from hsevo.config import MATCH_BYTES, refuse_memory, whole
from hsevo.errors import RunError
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import Run
from hsevo.runs.individuals import individuals
from hsevo.seeds import Stream

Array: TypeAlias = npt.NDArray[Any]

GAMES = 200  # per deck pair: 16,200 games for each of ten agents, a standard error of 0.4 points
SEPARABLE = 1.96  # standard errors between two rates that differ at the 5 % level


@dataclass(frozen=True)
class Best:
    """The best agent, its results, and how clearly it leads."""

    name: str
    weights: Array  # (k,), of `genome`
    genome: Genome
    table: pd.DataFrame  # tournament.agents_table of the whole population
    z: float  # standard errors between its win rate and the runner-up's; inf without one

    @property
    def separable(self) -> bool:
        """Whether the lead over the runner-up is significant at the 5 % level."""
        return self.z >= SEPARABLE


def find_best(run: Run, executor: Executor, games: int = GAMES,
              on_games: OnGames = lambda games: None) -> Best:
    """Play a round robin of the last populations of all executions, `games` per deck pair.

    Raises RunError if the run has no generation yet, ConfigError, GameError, WorkersError.
    """
    pool_size(run, games)
    names, rows = last_population(run)
    weights = np.ascontiguousarray(rows["weights"])
    key = (run.config.seed, 0, Stream.CHAMPIONS)
    pairings = tournament.round_robin(range(len(names)), len(run.decks), games, key)
    results = tournament.play(executor, pairings, run.genome.build(weights), run.setting, on_games)
    scores = tournament.tally(pairings, results, len(names))
    with np.errstate(invalid="ignore"):  # a population of one has no games, so no rate
        table = tournament.agents_table(names, scores)
    name = str(table["agent"][0])
    best = run.genome.complete(weights)[names.index(name)]
    return Best(name, best, run.genome.whole or run.genome, table, _distance(table))


def pool_size(run: Run, games: int) -> int:
    """Return how many games `find_best` will play. Raises ConfigError, RunError."""
    whole("games", games)
    n = len(last_population(run)[0])
    matches = n * (n - 1) // 2 * len(run.decks) ** 2
    refuse_memory(matches, "matches of the last population", MATCH_BYTES, "to rate a part of it,"
                  " use hsevo match or hsevo arena")
    return matches * games


def last_population(run: Run) -> tuple[list[str], Array]:
    """Return names (see `name_of`) and INDIVIDUAL rows (n,) of the last survivors, best first.

    They are the survivors of all executions, execution by execution.
    """
    last = dict(run.committed())  # execution -> its last generation
    if not last:
        raise RunError(f"{run.path} has no generation yet; go on with: hsevo evolve --resume"
                       f" {run.path}")
    population = run.population()
    names, survivors = [], []
    for execution, number in last.items():
        field = individuals(population, execution, number)
        stay = field[field["survived"]]
        survivors.append(stay[np.argsort(-stay["fitness"], kind="stable")])
        names += [name_of(run, execution, int(row["id"])) for row in survivors[-1]]
    return names, np.concatenate(survivors)


def all_individuals(run: Run) -> tuple[list[str], Array]:
    """Return the names of all individuals of a run, and their weights (n, k)."""
    people = run.population().drop_duplicates(["execution", "individual"])
    names = [name_of(run, int(execution), int(individual)) for execution, individual in
             zip(people["execution"], people["individual"], strict=True)]
    return names, people[list(run.genome.names)].to_numpy(np.float64)


def name_of(run: Run, execution: int, individual: int) -> str:
    """Return the name of an individual: individual-7; with executions, execution-2-individual-7."""
    prefix = f"execution-{execution}-" if run.config.executions > 1 else ""
    return f"{prefix}individual-{individual}"


def spec_of(run: Run, name: str) -> str:
    """Return the spec of an individual by its name: eva:runs/mine#individual-7."""
    return f"{run.kind}:{run.path}#{name}"


def _distance(table: pd.DataFrame) -> float:
    """Return the distance of the first two win rates in standard errors; both have as many games.

    This is the usual test of two proportions with the pooled rate. It is slightly too confident
    because of the few games that the two played against each other.
    """
    if len(table) < 2:
        return float("inf")
    n = int(table[["wins", "draws", "losses"]].to_numpy()[0].sum())
    first, second = float(table["rate"][0]), float(table["rate"][1])
    pooled = (first + second) / 2
    error = sqrt(2 * pooled * (1 - pooled) / n)
    return (first - second) / error if error else 0.0
