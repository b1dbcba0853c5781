"""New games of a map's elites, once it is done: how good are they, once luck is left out?

    map     all elites meet the fixed opponents again, with new seeds; the best is chosen
    last    it plays as many games once more, with new seeds

The elite of a cell is the best of many by few games, so its rate there is too high. That of `map`
is not, except for the one that it chose; the games of `last` are not used for
selection. All of it is in archive.csv.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.config import Config, change
from hsevo.evolution.fitness import games_of_an_opponent, pairings
from hsevo.evolution.strategies import Mapped, strategy
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import ARCHIVE, RunFolder
from hsevo.seeds import Stream, generator
from hsevo.strength.rating import effective_games, interval, mean_rate
from hsevo.types import Array

Rates: TypeAlias = dict[str, npt.NDArray[np.float64]]  # (n,) each: games, rate, rate_low, rate_high
MAP, LAST = int(Stream.CHAMPIONS), int(Stream.DECK_CONFIRM)  # in the place of a generation's number


def games_to_confirm(plan: Config, elites: int | None = None) -> int:
    """Return how many games the elites of an execution play, at most. None: as many as can be."""
    es, fixed = plan.evolution, plan.rating.opponents
    if not es.maps or fixed is None:
        return 0
    most = min(es.cells[0] * es.cells[1], es.lam * es.generations)
    return ((most if elites is None else elites) + 1) * len(fixed.agents) * games_of_an_opponent(
        _of_more_games(plan))


def files(run: RunFolder, executor: Executor,
          on_games: OnGames = lambda games: None) -> dict[str, bytes]:
    """Play all games after the evolution of a map; return the last files, by name."""
    if not run.config.evolution.maps:
        return {}
    parts = [_archive(run, execution, executor, on_games)
             for execution in range(1, run.config.executions + 1)]
    return {ARCHIVE: run.tables[ARCHIVE].text(pd.concat(parts, ignore_index=True))}


def _archive(run: RunFolder, execution: int, executor: Executor, on_games: OnGames) -> pd.DataFrame:
    """Return the elites of an execution, the chosen one first: lines of archive.csv."""
    plan = run.config
    told = strategy(plan.evolution, run.genome, generator((plan.seed, execution)),
                    run.fields(execution))
    assert isinstance(told, Mapped)
    cells = np.array(sorted(told.archive.cells))
    people = told.people[told.archive.elites]
    confirmed = _play(run, execution, people, MAP, executor, on_games)
    order = np.argsort(-confirmed["rate"], kind="stable")
    last = _play(run, execution, people[order[:1]], LAST, executor, on_games)
    nothing = np.full(len(people) - 1, np.nan)
    columns = {"execution": np.full(len(people), execution), "individual": people["id"][order],
               "born": people["born"][order], "cell_1": cells[order, 0], "cell_2": cells[order, 1],
               **dict(zip(run.features, people["features"][order].T, strict=True)),
               **{name: values[order] for name, values in _in_search(run, people).items()},
               **{f"confirmed_{name}": values[order] for name, values in confirmed.items()},
               **{f"last_{name}": np.concatenate([values, nothing])
                  for name, values in last.items()},
               **dict(zip(run.genome.names, people["weights"][order].T, strict=True))}
    return pd.DataFrame(columns)


def _in_search(run: RunFolder, people: Array) -> Rates:
    """Return the rates that individuals had when they were rated."""
    each = games_of_an_opponent(run.config)
    games = np.full((len(people), len(run.opponents.weights)), each)
    return _rates(run, people["fitness"] / 100, games)


def _play(run: RunFolder, execution: int, people: Array, stage: int, executor: Executor,
          on_games: OnGames) -> Rates:
    """Play individuals (n,) against the fixed opponents (m,); return their rates."""
    plan, fixed, n = _of_more_games(run.config), run.opponents, len(people)
    m = len(fixed.weights)
    meetings = np.stack([np.repeat(np.arange(n), m), n + np.tile(np.arange(m), n)], axis=1)
    ids = np.concatenate([people["id"], -1 - np.arange(m)])
    rows = pairings(plan, (plan.seed, execution, stage), 0, meetings, ids)
    agents = joined([run.genome.build(people["weights"]), fixed.agents], len(run.decks))
    results = tournament.play(executor, rows, agents, run.setting, on_games)
    first = rows["a"] < n
    who = np.where(first, rows["a"], rows["b"]), np.where(first, rows["b"], rows["a"]) - n
    wins, games = np.zeros((n, m), np.int64), np.zeros((n, m), np.int64)
    np.add.at(wins, who, np.where(first, results["wins_a"], results["wins_b"]))
    np.add.at(games, who, rows["games"])
    weights = np.broadcast_to(fixed.weights, games.shape)
    return _rates(run, mean_rate(wins, games, weights), games)


def _rates(run: RunFolder, rate: Array, games: Array) -> Rates:
    """Return rates (n,), of games (n, m) against the fixed opponents, with their intervals."""
    weights = np.broadcast_to(run.opponents.weights, games.shape)
    low, high = interval(rate, effective_games(games, weights))
    return {"games": games.sum(axis=1), "rate": rate, "rate_low": low, "rate_high": high}


def _of_more_games(plan: Config) -> Config:
    """Return the plan by which elites play again."""
    return change(plan, {"rating.opponents.games": plan.confirm.games})
