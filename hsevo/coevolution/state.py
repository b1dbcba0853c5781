"""The state of a coevolution, as its folder tells it, its lines, and what a log has of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hsevo.coevolution.confirm import last
from hsevo.coevolution.folder import CoevolutionRun, results_of
from hsevo.config.coevolution import Plan
from hsevo.experiments import watching
from hsevo.experiments.loggers import Entry

LOGGED = ("games", "decks", "deck_rate", "individual_rate", "sigma", "hall")


@dataclass(frozen=True)
class State(watching.State[Plan]):
    """A coevolution at one moment; before the first generation, its tables are empty.

    generations: generations.csv. reference: the champions that met the reference decks, a line
    each: generation, deck, pilot, games, rate, low, high. confirmed: the pairs of the last games,
    the champion first, once it is done.
    """

    generations: pd.DataFrame
    reference: pd.DataFrame
    confirmed: pd.DataFrame

    @property
    def where(self) -> str:
        """The last committed generation, in words; that there is none."""
        if not len(self.generations):
            return "no generation yet"
        return place(self.plan, self.generations.iloc[-1].to_dict())

    def lines(self, before: State | None = None) -> list[str]:
        """Return a line per generation since an earlier state; without one, the last alone."""
        since = len(before.generations) if before else max(len(self.generations) - 1, 0)
        return [f"{place(self.plan, row)}: {', '.join(generation_line(row))}"
                for row in self.generations.iloc[since:].to_dict("records")] or (
                    [] if before else [self.where])


def place(plan: Plan, line: Mapping[Any, Any]) -> str:
    """Return which generation a line of generations.csv is of, in words."""
    return f"generation {int(line['generation'])} of {plan.generations - 1}"


def generation_line(line: Mapping[Any, Any]) -> tuple[str, ...]:
    """Return a generation in words: of its line of generations.csv."""
    return (f"deck-{int(line['deck'])} {100 * line['deck_rate']:.1f} %,"
            f" individual-{int(line['individual'])} {100 * line['individual_rate']:.1f} %"
            " against the hall", f"sigma {line['sigma']:.3f}")


def reference_line(rates: pd.DataFrame) -> str:
    """Return the last line of `reference_table` in words."""
    row = rates.iloc[-1]
    return (f"{row['pilot']}@{row['deck']} {100 * row['rate']:.1f} % ({100 * row['low']:.1f} to"
            f" {100 * row['high']:.1f}) against the reference decks")


def reference_table(run: CoevolutionRun) -> pd.DataFrame:
    """Return the champions that met the reference decks, as in a state."""
    table = run.table("references.csv")
    if not len(table):
        return pd.DataFrame(columns=["generation", "deck", "pilot", "games", "rate", "low", "high"])
    k = len(run.reference.field.decks)
    results = results_of(table).reshape(-1, k)
    rates = run.reference.rates(results)
    low, high = rates.ends()
    names = table[["generation", "deck", "pilot"]].iloc[::k].reset_index(drop=True)
    return names.assign(games=results["games"].sum(axis=1), rate=rates.rate(), low=low, high=high)


def details(run: CoevolutionRun) -> dict[str, Any]:
    """Return what a state has besides."""
    confirmed = run.table("confirmed.csv")
    return {"generations": run.table("generations.csv"), "reference": reference_table(run),
            "confirmed": last(run, confirmed) if len(confirmed) else confirmed}


def entries(run: CoevolutionRun) -> Iterator[Entry]:
    """Yield what a log has of all committed generations, in order. Raises RunError."""
    rates = reference_table(run)
    for line in run.table("generations.csv").to_dict("records"):
        yield entry(run, line, rates[rates["generation"] == line["generation"]])


def entry(run: CoevolutionRun, line: Mapping[Any, Any], rates: pd.DataFrame) -> Entry:
    """Return what a log has of a line of generations.csv; rates: of it, as `reference_table`."""
    values = {f"coevolution/{name}": float(line[name]) for name in LOGGED}
    for row in rates.to_dict("records"):
        values |= {f"reference/{name}": float(row[name]) for name in ("rate", "low", "high")}
    return Entry(1, int(line["generation"]), run.written("checkpoint.json"), values, {})
