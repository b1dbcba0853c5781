"""Tidy tables from run folders: what all figures of evolution are drawn from.

Runs that differ in nothing but name, seed, workers, references and number of executions are one
series: their executions are repetitions of one experiment, as the paper's ten. Every table begins
with the columns series, run (the folder's name) and execution.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.errors import ConfigError, RunError
from hsevo.evolution import diagnostics
from hsevo.reports.exhibit import Folders
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import SIGMA
from hsevo.strength.champions import name_of

KEY = ["series", "run", "execution"]
# What may differ between runs of one series.
FREE = {"name", "seed", "executions", "out", "workers", "references"}
PAIRS = ["agent", "opponent", "deck", "opponent_deck", "games", "wins", "draws", "losses"]


@dataclass(frozen=True)
class Evolutions(Folders[RunFolder]):
    """All executions of some runs, as far as they are committed."""

    population: pd.DataFrame  # KEY and runs.POPULATION
    statistics: pd.DataFrame  # KEY and runs.STATISTICS
    references: pd.DataFrame  # KEY and runs.REFERENCES; empty if no run has one

    @classmethod
    def of(cls, runs: dict[str, RunFolder], names: Mapping[str, str]) -> Evolutions:
        """Return runs by their labels; each may be finished, running, or killed.

        names: what to call the series of each run; if "", as its folder.
        Raises ConfigError for names that don't fit the series; RunError for a repetition of a run,
        for runs that evolved other weights than the first, and for statistics that are not the
        population's.
        """
        _check_genomes(runs)
        _check_twins(runs)
        series = _series(runs, names)
        tables = []
        for which in range(3):  # population, statistics, references
            parts = [_keyed(run.table(run.names[which]), label, series[label])
                     for label, run in runs.items()]
            full = [part for part in parts if len(part)]  # one without lines has no number types
            tables.append(pd.concat(full or parts[:1], ignore_index=True))
        data = Evolutions(runs, series, *tables)
        _check(data)
        return data

    @property
    def genome(self) -> Genome:
        """The genome that all runs evolved."""
        return next(iter(self.runs.values())).genome

    def last(self) -> pd.DataFrame:
        """Return the last survivors of every execution: lines of population, and their names."""
        newest = self.population.groupby(KEY)["generation"].transform("max")
        people = self.population[(self.population["generation"] == newest)
                                 & (self.population["survived"] == 1)].copy()
        people.insert(0, "agent", [self.name(run, execution, individual) for run, execution,
                                   individual in zip(people["run"], people["execution"],
                                                     people["individual"], strict=True)])
        return people.reset_index(drop=True)

    def name(self, run: str, execution: int, individual: int) -> str:
        """Return the name of an individual among those of all runs."""
        name = name_of(self.runs[run], execution, individual)
        return name if len(self.runs) == 1 else f"{run}-{name}"


def _check_genomes(runs: dict[str, RunFolder]) -> None:
    first = next(iter(runs.values()))
    for run in runs.values():
        if run.genome.names != first.genome.names:
            raise RunError(f"{first.path} evolved {first.config.agent.kind}, and {run.path}"
                           f" {run.config.agent.kind}, which has different weights; make two"
                           " reports")


def _check_twins(runs: dict[str, RunFolder]) -> None:
    """Raise RunError for runs that hold the same executions: counted twice, intervals shrink.

    The same config, decks, engine and seed give the same evolution, whatever its folder is called.
    """
    seen: dict[str, RunFolder] = {}
    for run in runs.values():
        first = seen.setdefault(f"{_experiment(run)} seed {run.config.seed}", run)
        if first is not run:
            raise RunError(f"{run.path} repeats {first.path}: it has the same config and seed"
                           f" {run.config.seed}, so the same results; give only one of them")


def _check(data: Evolutions) -> None:
    """Raise RunError unless the best of every generation is the best of its survivors.

    That the user's own strategy recommends may be any of them.
    """
    by, stay = [*KEY, "generation"], data.population[data.population["survived"] == 1]
    best = stay.groupby(by)["fitness"].max().reset_index()
    named = data.statistics[[*by, "best", "best_individual"]]
    merged = named.merge(best, on=by, how="left").merge(
        stay[[*by, "individual", "fitness"]], how="left", suffixes=("_best", ""),
        left_on=[*by, "best_individual"], right_on=[*by, "individual"])
    free = merged["run"].map(lambda label: data.runs[label].methods.recommends)
    wrong = (((merged["best"] != merged["fitness_best"]) & ~free)
             | (merged["best"] != merged["fitness"]))
    if wrong.any():
        first = merged[wrong].iloc[0]
        raise RunError(f"{data.runs[first['run']].path} is damaged: execution"
                       f" {first['execution']}, generation {first['generation']}: its best in"
                       " statistics.csv is not the best of population.csv; run hsevo verify for"
                       " details")


def overview(data: Evolutions) -> pd.DataFrame:
    """Return a row an execution: how far it is, and the best of its last generation.

    Columns series, run, execution, config, seed, generations (committed), planned, done,
    individual, wins, games, rate, low, high (95 % Wilson interval of wins / games).
    """
    from hsevo.play.tournament import wilson

    newest = data.statistics.groupby(KEY, sort=False).tail(1)
    best = champions(data).groupby(KEY, sort=False).tail(1)
    plans = [data.runs[run].config for run in newest["run"]]
    games = best[["wins", "draws", "losses"]].sum(axis=1).to_numpy()
    low, high = wilson(best["wins"], games)
    table = newest[KEY].reset_index(drop=True)
    return table.assign(
        config=[plan.name for plan in plans], seed=[plan.seed for plan in plans],
        generations=newest["generation"].to_numpy() + 1,
        planned=[plan.evolution.generations for plan in plans],
        done=[number + 1 == plan.evolution.generations for number, plan in
              zip(newest["generation"], plans, strict=True)],
        individual=best["individual"].to_numpy(), wins=best["wins"].to_numpy(), games=games,
        rate=best["wins"].to_numpy() / games, low=low, high=high)


def survivors(data: Evolutions) -> pd.DataFrame:
    """Return the survivors of each generation: KEY, generation, individual, age, fitness."""
    stay = data.population[data.population["survived"] == 1]
    return stay[[*KEY, "generation", "individual", "age", "fitness"]].reset_index(drop=True)


def lifespans(data: Evolutions) -> pd.DataFrame:
    """Return a row for each individual that ever survived a generation.

    Columns KEY, individual, first (generation survived), last, lifespan (last - first), alive:
    whether it is in the newest population, so that its lifespan is not over.
    """
    stay = survivors(data)
    table = stay.groupby([*KEY, "individual"], as_index=False, sort=False).agg(
        first=("generation", "min"), last=("generation", "max"))
    newest = stay.groupby(KEY)["generation"].max().rename("newest").reset_index()
    ends = table.merge(newest, on=KEY)
    return table.assign(lifespan=table["last"] - table["first"],
                        alive=(ends["last"] == ends["newest"]).to_numpy())


def newcomers(data: Evolutions) -> pd.DataFrame:
    """Return, for each series and generation after the first, how many offspring survived.

    Columns series, generation, executions, mean, low, high: the 95 % interval of the mean over
    executions (Student's t), NaN with one execution.
    """
    later = data.statistics[data.statistics["generation"] > 0]
    return mean_band(later, ["series", "generation"], "new")


def mean_band(table: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Return by, executions, mean, and the ends low, high of its 95 % interval (Student's t)."""
    from scipy.stats import t

    parts = table.groupby(by, as_index=False, sort=False)[value].agg(["count", "mean", "std"])
    n = parts["count"].where(parts["count"] > 1)
    half = t.ppf(0.975, n - 1) * parts["std"] / np.sqrt(n)
    band = parts[by].assign(executions=parts["count"], mean=parts["mean"],
                            low=parts["mean"] - half, high=parts["mean"] + half)
    return pd.DataFrame(band)


def sigmas(data: Evolutions) -> pd.DataFrame:
    """Return the sigmas of each generation's survivors that have some, over all weights.

    Columns series, generation, values (how many), low, median, high: quartiles.
    """
    stay = data.population[data.population["survived"] == 1]
    columns = [f"{SIGMA}{name}" for name in data.genome.names]
    stay = stay[stay[columns[0]].notna()]
    drawn = stay[columns].to_numpy(np.float64)
    groups: dict[Any, Any] = {**stay.groupby(["series", "generation"]).indices}
    rows = []
    for key, lines in sorted(groups.items(), key=lambda group: group[1][0]):
        here = drawn[lines]
        rows.append((*key, here.size, *np.quantile(here, (0.25, 0.5, 0.75))))
    return pd.DataFrame(rows, columns=["series", "generation", "values", "low", "median", "high"])


def cma_states(data: Evolutions) -> pd.DataFrame:
    """Return the state of CMA-ES after each generation of its runs: KEY, and diagnostics.COLUMNS.
    """
    parts = [_keyed(diagnostics.cma_states(run), label, data.series[label])
             for label, run in data.runs.items() if run.config.evolution.strategy == "cma-es"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def logged(data: Evolutions) -> pd.DataFrame:
    """Return the numbers that own strategies log: KEY, generation, and a column for each."""
    names = dict.fromkeys(name for run in data.runs.values() for name in run.methods.logged)
    return data.statistics[[*KEY, "generation", *names]]


def champions(data: Evolutions) -> pd.DataFrame:
    """Return the best of every generation: KEY, generation, individual, record, weights."""
    best = data.statistics[[*KEY, "generation", "best_individual"]]
    best = best.rename(columns={"best_individual": "individual"})
    columns = [*KEY, "generation", "individual", "wins", "draws", "losses",
               *data.genome.names]
    return best.merge(data.population[columns], on=[*KEY, "generation", "individual"])


def last_matches(data: Evolutions) -> pd.DataFrame:
    """Return what the last survivors did in the last generation of their execution (PAIRS).

    Against all opponents they met there, also those that did not survive, as in the paper's
    Table 4. Raises RunError if the matches are not there or damaged.
    """
    people = set(data.last()["agent"])
    sides = []
    for label, run in data.runs.items():
        for execution, number in dict(run.committed()).items():
            both = two_sides(run.matches_of(execution, number))
            for column in ("agent", "opponent"):
                names = {i: data.name(label, execution, int(i)) for i in both[column].unique()}
                both[column] = both[column].map(names)
            sides.append(both[both["agent"].isin(people)])
    return pd.concat(sides, ignore_index=True)


def two_sides(matches: pd.DataFrame) -> pd.DataFrame:
    """List every match twice, once as each side saw it (PAIRS).

    matches: columns a, b, deck_a, deck_b, games, wins_a, wins_b, draws.
    """
    sides = [pd.DataFrame({
        "agent": matches[own], "opponent": matches[theirs], "deck": matches[f"deck_{own}"],
        "opponent_deck": matches[f"deck_{theirs}"], "games": matches["games"],
        "wins": matches[f"wins_{own}"], "draws": matches["draws"],
        "losses": matches[f"wins_{theirs}"]}) for own, theirs in (("a", "b"), ("b", "a"))]
    return pd.concat(sides, ignore_index=True)


def _series(runs: dict[str, RunFolder], chosen_names: Mapping[str, str]) -> dict[str, str]:
    """Return the series of each run: as it is called, or named after its run or the first of many.

    Raises ConfigError if one is called by two names, or two by one.
    """
    groups: dict[str, list[str]] = {}
    for label, run in runs.items():
        groups.setdefault(_experiment(run), []).append(label)
    series: dict[str, str] = {}
    for labels in groups.values():
        called = list(dict.fromkeys(filter(None, (chosen_names[label] for label in labels))))
        if len(called) > 1:
            raise ConfigError(f"'{called[0]}' and '{called[1]}' differ only in the seed, so they"
                              " are one experiment; give them one name")
        many = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
        name = called[0] if called else labels[0] + many
        if name in series.values():
            raise ConfigError(f"'{name}' is the name of two different experiments; rename one of"
                              " them")
        series |= dict.fromkeys(labels, name)
    return {label: series[label] for label in runs}


def _experiment(run: RunFolder) -> str:
    """Return what all runs of one series have in common, as text."""
    plan = run.config.model_dump(mode="json", exclude=FREE | {"decks"})  # about.json has all cards
    return json.dumps([plan, run.about.get("engine"), run.about.get("decks")])


def _keyed(table: pd.DataFrame, label: str, series: str) -> pd.DataFrame:
    table.insert(0, "run", label)
    table.insert(0, "series", series)
    return table


def generations(data: Evolutions) -> Iterator[tuple[str, RunFolder, int, int]]:
    """Yield (label, run, execution, generation) of all that is committed."""
    for label, run in data.runs.items():
        yield from ((label, run, *key) for key in run.committed())
