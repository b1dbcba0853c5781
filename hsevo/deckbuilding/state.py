"""The state of a search for decks, as its folder tells it, its lines, and what a log has of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.folder import DeckRun
from hsevo.experiments import watching
from hsevo.experiments.loggers import Entry

LOGGED = ("games", "decks", "fitness", "mean_fitness", "rate", "rate_low", "rate_high", "cells",
          "coverage", "qd_score")


@dataclass(frozen=True)
class State(watching.State[Plan]):
    """A search at one moment; before the first generation, its tables are empty."""

    generations: pd.DataFrame
    archive: pd.DataFrame  # of a finished search

    @property
    def where(self) -> str:
        """The last committed generation, in words; that there is none."""
        if not len(self.generations):
            return "no generation yet"
        return place(self.plan, self.generations.iloc[-1].to_dict())

    def lines(self, before: State | None = None) -> list[str]:
        """Return a line per generation since an earlier state; without one, the last alone."""
        since = len(before.generations) if before else max(len(self.generations) - 1, 0)
        return [f"{place(self.plan, row)}: {', '.join(generation_line(self.plan, row))}"
                for row in self.generations.iloc[since:].to_dict("records")] or (
                    [] if before else [self.where])


def place(plan: Plan, line: Mapping[Any, Any]) -> str:
    """Return which generation a line of generations.csv is of, in words."""
    return f"generation {int(line['generation'])} of {plan.search.generations - 1}"


def generation_line(plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
    """Return a generation in words: of its line of generations.csv."""
    rate, low, high = (100 * line[name] for name in ("rate", "rate_low", "rate_high"))
    best = f"deck-{int(line['best'])} best: {rate:.1f} % ({low:.1f} to {high:.1f})"
    own = {"rate": [f"mean {100 * line['mean_fitness']:.1f} %"],
           "worst": [f"worst match-up {100 * line['fitness']:.1f} %"],
           "health": [f"health {line['fitness']:+.2f}"]}[plan.fitness]
    cells = [f"{int(line['cells'])} cells"] if plan.search.strategy == "map-elites" else []
    return best, *own, *cells


def entry(run: DeckRun, line: Mapping[Any, Any]) -> Entry:
    """Return what a log has of a line of generations.csv."""
    values = {f"search/{name}": float(line[name]) for name in LOGGED}
    return Entry(1, int(line["generation"]), run.written("checkpoint.json"), values, {})
