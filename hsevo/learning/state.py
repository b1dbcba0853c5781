"""The state of a learning run, as its folder tells it, and its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hsevo.config.learning import Plan
from hsevo.experiments import watching
from hsevo.play.specs import short_names


@dataclass(frozen=True)
class LearningState(watching.State[Plan]):
    """A learning run at one moment; before the first period, tables are empty."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return len(self.learning)

    @property
    def where(self) -> str:
        """The last committed period, in words; that there is none."""
        return (f"period {self.periods - 1} of {self.plan.periods - 1}" if self.periods
                else "no period yet")

    def lines(self, before: LearningState | None = None) -> list[str]:
        """Return a line per period since an earlier state; without one, of all periods."""
        if before is None and not self.periods:
            return [self.where]
        table, since = self.references, before.periods if before else 0
        measured = dict(list(table.groupby("period"))) if len(table) else {}
        return [period_line(self.plan, row, measured.get(row["period"]))
                for row in self.learning.iloc[since:].to_dict("records")]


def period_line(plan: Plan, row: Mapping[Any, Any], measured: pd.DataFrame | None) -> str:
    """Return a period in words: of its line of learning.csv, and its lines of references.csv."""
    said = [f"period {row['period']} of {plan.periods - 1}: {row['positions']:,} positions, loss"
            f" {row['loss']:.4f}, pool {row['pool']}"]
    lines = [] if measured is None else measured.to_dict("records")
    names = short_names([one["opponent"] for one in lines])
    said += [f"{names[one['opponent']]} {100 * one['rate']:.1f} % ({100 * one['rate_low']:.1f} to"
             f" {100 * one['rate_high']:.1f})" for one in lines]
    return ", ".join(said)
