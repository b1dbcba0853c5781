"""What a run of configs/santos-ga.yaml found, in fresh games.

    python -m studies.santos_ga RUN [GAMES]

Each execution's best by its last fitness, the thesis' own weights and MetaStone's agent play GAMES
(500) with the run's deck against its opponent with each of that one's decks. docs/figures.yml
quotes what is printed.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.config import Workers
from hsevo.play import match, tournament
from hsevo.play.workers import open_workers
from hsevo.runs.folder import RunFolder
from hsevo.strength.champions import last_population
from hsevo.strength.roster import read_agent

SEED = (4711, 0, 99)
ALSO = ("greedy:santos", "greedy:metastone")


def bests(run: RunFolder) -> tuple[list[str], Any]:
    """Return names and INDIVIDUAL rows of each execution's best by its last fitness."""
    names, rows = last_population(run)  # best first in each execution
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        first.setdefault(name.partition("individual")[0], i)
    return [names[i] for i in first.values()], rows[list(first.values())]


def fresh(run: RunFolder, games: int) -> pd.DataFrame:
    """Return a row for each agent: its games and rates, and its fitness in the run."""
    names, rows = bests(run)
    players = joined([run.genome.build(np.ascontiguousarray(rows["weights"])),
                      *map(read_agent, ALSO), run.opponents.agents], len(run.decks))
    n = len(names) + len(ALSO)
    pairings = tournament.meet(np.array([[i, n] for i in range(n)]), [*range(n), -1],
                               range(len(run.own_decks)), games, SEED, run.config.opponent_decks)
    with open_workers(Workers()) as executor:
        results = tournament.play(executor, pairings, players, run.setting, lambda games: None)
    table = tournament.agents_table([*names, *ALSO],
                                    tournament.tally(pairings, results, n + 1)[:n])
    fitness = dict(zip(names, rows["fitness"], strict=True))
    return table.assign(fitness=table["agent"].map(fitness))


def main(given: Sequence[str]) -> None:
    """Print all of it."""
    run = RunFolder(Path(given[0]))
    match.warm_up()
    print(fresh(run, int(given[1]) if len(given) > 1 else 500).to_string())


if __name__ == "__main__":
    main(sys.argv[1:])
