"""Find the best agent of a run: play its last population again, with more games.

The best of one generation is uncertain: with 3,420 games a win rate has a standard error of almost
one percentage point. The individuals of a late generation differ by about as much, so the first is
often first by chance. Therefore all survivors play again, with new seeds, against each other and
the run's fixed opponents, as far as they do in the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import sqrt

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.agents.genomes.genome import Genome
from hsevo.config import MATCH_BYTES, refuse_memory, whole
from hsevo.errors import RunError, resuming
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import individuals
from hsevo.seeds import Stream
from hsevo.strength.rating import by_shares, effective_games, interval, mean_rate, tallies
from hsevo.types import Array

GAMES = 200  # per deck pair: 16,200 games for each of ten agents, a standard error of 0.4 points
SEPARABLE = 1.96  # standard errors between two rates that differ at the 5 % level


@dataclass(frozen=True)
class Best:
    """The best agent, its results, and how clearly it leads."""

    name: str
    weights: Array  # (k,), of `genome`
    genome: Genome
    table: pd.DataFrame  # of the whole population, best first, as tournament.agents_table
    z: float  # standard errors between its win rate and the runner-up's; inf without one
    against: str  # its opponents, in words
    favourites: tuple[str, ...]  # the best of each execution by the fitness of its last generation
    run_rate: float  # their mean rate there, 0 to 1
    run_against: str  # their opponents there

    @property
    def fresh_rate(self) -> float:
        """The mean rate of the favourites in the new games, 0 to 1."""
        return float(self.table.set_index("agent")["rate"][list(self.favourites)].mean())

    @property
    def optimism(self) -> float | None:
        """By how much the run rates its favourites too high, -1 to 1; None if opponents differ."""
        same = self.against == self.run_against
        return self.run_rate - self.fresh_rate if same else None

    @property
    def separable(self) -> bool:
        """Whether the lead over the runner-up is significant at the 5 % level."""
        return self.z >= SEPARABLE


def find_best(run: RunFolder, executor: Executor, games: int = GAMES,
              on_games: OnGames = lambda games: None) -> Best:
    """Play the last populations of all executions again, `games` per deck pair.

    Raises RunError if the run has no generation yet, ConfigError, GameError, WorkersError.
    """
    pool_size(run, games)
    names, rows = last_population(run)
    d, fixed = len(run.decks), run.opponents.agents
    players = joined([run.genome.build(np.ascontiguousarray(rows["weights"])), fixed], d)
    pairings = _pairings(run, len(names), games)
    results = tournament.play(executor, pairings, players, run.setting, on_games)
    table, z = _ranked(run, names, pairings, results)
    i = names.index(str(table["agent"][0]))
    best = run.genome.complete(rows["weights"][i:i + 1])[0]
    return Best(names[i], best, run.genome.whole or run.genome, table, z,
                *_in_the_run(run, names, rows))


def _pairings(run: RunFolder, n: int, games: int) -> Array:
    """Return the matches of n survivors, match.PAIRING; fixed opponents are rows n, n + 1 ..."""
    plan, own = run.config, range(len(run.own_decks))
    key, ids = (plan.seed, 0, Stream.CHAMPIONS), [*range(n), *_fixed_ids(run)]
    pairs = [pair for pair in combinations(range(n), 2) if plan.rating.coevolves]
    fixed = list(product(range(n), range(n, len(ids))))
    return np.concatenate([
        tournament.meet(np.array(pairs, np.int64).reshape(-1, 2), ids, own, games, key),
        tournament.meet(np.array(fixed, np.int64).reshape(-1, 2), ids, own, games, key,
                        plan.opponent_decks)])


def _fixed_ids(run: RunFolder) -> range:
    return range(-1, -1 - len(run.opponents.names), -1)


def _ranked(run: RunFolder, names: list[str], pairings: Array,
            results: Array) -> tuple[pd.DataFrame, float]:
    """Return the table of the survivors, best first, and how clearly the first leads.

    With shares, rates are weighted as the fitness is, and intervals of as many effective games.
    """
    shares, n = run.config.rating.shares, len(names)
    players = n + len(run.opponents.names)
    scores = tournament.tally(pairings, results, players)[:n]
    with np.errstate(invalid="ignore"):  # a population of one has no games, so no rate
        table = tournament.agents_table(names, scores)
    if shares is None:
        return table, _distance(table["rate"], sum(scores[0].tolist()))
    wins, games = (sums[:n] for sums in tallies(pairings, results, players))
    weights = by_shares(shares, games, run.opponents.weights)
    rate, count = mean_rate(wins, games, weights), effective_games(games, weights)
    low, high = interval(rate, count)
    ends = pd.DataFrame({"agent": names, "rate": rate, "low": low, "high": high})
    table = table.drop(columns=["rate", "low", "high"]).merge(ends, on="agent").sort_values(
        "rate", ascending=False, kind="stable", ignore_index=True)
    return table, _distance(table["rate"], count.min())


def _in_the_run(run: RunFolder, names: list[str],
                rows: Array) -> tuple[str, tuple[str, ...], float, str]:
    """Return the best's opponents, and the run's favourites, their rates and opponents."""
    rating, fixed, n = run.config.rating, ", ".join(run.opponents.names), len(names)
    now = [f"the {n - 1} others"] * (rating.coevolves and n > 1) + [fixed] * bool(fixed)
    then = ["its generation"] * rating.coevolves
    then += ["earlier champions"] * bool(rating.hall_of_fame) + [fixed] * bool(fixed)
    by = " by their shares" if rating.shares and len(then) > 1 else ""
    best = _first_of_each(names)
    games = (rows["wins"] + rows["draws"] + rows["losses"])[best]
    rates = rows["fitness"][best] / 100 if rating.in_percent else (
        rows["wins"][best] / np.maximum(games, 1))
    return ((" and ".join(now) or "nobody") + by, tuple(names[i] for i in best),
            float(rates.mean()), " and ".join(then) + by)


def _first_of_each(names: Sequence[str]) -> list[int]:
    """Return where the best of each execution is among the names of `last_population`."""
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        first.setdefault(name.rpartition("individual-")[0], i)
    return [*first.values()]


def fittest(names: Sequence[str], rows: Array) -> int:
    """Return where the best of a `last_population` is: of executions, the best with most fitness.
    """
    return max(_first_of_each(names), key=lambda i: float(rows["fitness"][i]))


def pool_size(run: RunFolder, games: int) -> int:
    """Return how many games `find_best` will play. Raises ConfigError, RunError."""
    games = whole("games", games)
    n, own = len(last_population(run)[0]), len(run.own_decks)
    matches = n * (n - 1) // 2 * own**2 * run.config.rating.coevolves
    theirs = len(run.config.opponent_decks or run.own_decks)
    matches += n * len(run.opponents.names) * own * theirs
    refuse_memory(matches, "matches of the last population", MATCH_BYTES, "to rate some of its"
                  " agents, use hsevo match or hsevo arena")
    return matches * games


def last_population(run: RunFolder) -> tuple[list[str], Array]:
    """Return names (see `name_of`) and INDIVIDUAL rows (n,) of the last survivors, best first.

    They are the survivors of all executions, execution by execution. The best is the one with the
    highest fitness, or that the user's own strategy recommends.
    """
    last = dict(run.committed())  # execution -> its last generation
    if not last:
        raise RunError(f"{run.path} has no generation yet; continue with:"
                       f" {resuming('evolve', run.path)}")
    population, figures = run.table(run.names[0]), run.table(run.names[1])
    best = figures.groupby("execution")["best_individual"].last()
    names, survivors = [], []
    for execution, number in last.items():
        field = individuals(population, execution, number)
        stay = field[field["survived"]]
        survivors.append(stay[np.lexsort((-stay["fitness"], stay["id"] != best[execution]))])
        names += [name_of(run, execution, int(row["id"])) for row in survivors[-1]]
    return names, np.concatenate(survivors)


def all_individuals(run: RunFolder) -> tuple[list[str], Array]:
    """Return the names of all individuals of a run, and their weights (n, k)."""
    people = run.table(run.names[0]).drop_duplicates(["execution", "individual"])
    names = [name_of(run, int(execution), int(individual)) for execution, individual in
             zip(people["execution"], people["individual"], strict=True)]
    return names, people[list(run.genome.names)].to_numpy(np.float64)


def name_of(run: RunFolder, execution: int, individual: int) -> str:
    """Return the name of an individual: individual-7; with executions, execution-2-individual-7."""
    prefix = f"execution-{execution}-" if run.config.executions > 1 else ""
    return f"{prefix}individual-{individual}"


def spec_of(run: RunFolder, name: str) -> str:
    """Return the spec of an individual by its name: eva:runs/mine#individual-7."""
    return f"{run.kind}:{run.path}#{name}"


def _distance(rates: pd.Series, games: float) -> float:
    """Return the distance of the first two win rates in standard errors, each of so many games.

    This is the usual test of two proportions with the pooled rate. It is slightly too confident
    because of the few games that the two played against each other.
    """
    if len(rates) < 2:
        return float("inf")
    first, second = float(rates.iloc[0]), float(rates.iloc[1])
    pooled = (first + second) / 2
    error = sqrt(2 * pooled * (1 - pooled) / games)
    return (first - second) / error if error else 0.0
