"""The state of a run, as its folder tells it, and what its generations are in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Config
from hsevo.experiments import watching
from hsevo.experiments.progress import Note
from hsevo.objects import Fields
from hsevo.runs.individuals import fitness_text
from hsevo.runs.tables import Generation
from hsevo.types import Array


@dataclass(frozen=True)
class EvolutionState(watching.State[Config]):
    """A run at one moment; before the first generation, tables and `weights` are empty."""

    FIELDS: ClassVar[Fields] = {
        **watching.State.FIELDS,
        "execution": lambda self: self.at and self.at[0],
        "generation": lambda self: self.at and self.at[1],
        "best": lambda self: self.at and dict(zip(self.genome.names, self.weights[0], strict=True)),
        "statistics": "statistics", "references": "references"}

    at: tuple[int, int] | None  # execution (from 1) and generation (from 0) committed last
    statistics: pd.DataFrame  # of all executions, as in statistics.csv
    references: pd.DataFrame  # the last measurement, as in references.csv
    ages: Array  # (mu,) of the survivors, in generations
    weights: Array  # (mu, k) of the survivors, the best first
    genome: Genome  # of the k weights

    @property
    def where(self) -> str:
        """The last committed generation, in words; that there is none."""
        return moment(self.plan, *self.at) if self.at else "no generation yet"

    def lines(self, before: EvolutionState | None = None) -> list[str]:
        """Return a line per generation since an earlier state, the last with the progress.

        Without one, the last line alone.
        """
        if before is None and not self.at:
            return [self.where]
        since = (before.at or (0, 0)) if before else (0, 0)
        said = [f"{moment(self.plan, row['execution'], row['generation'])}: "
                + ", ".join(figures(self.plan, row["best"], row["mean"], row["mean_sigma"]))
                for row in self.statistics.to_dict("records")
                if (row["execution"], row["generation"]) > since]
        said[-1:] = [f"{line}, {self.progress()}" for line in said[-1:]]
        return said if before else said[-1:]


def last_measured(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of references.csv of its last generation."""
    if measured.empty:
        return measured
    keys = ["execution", "generation"]
    last: pd.DataFrame = measured[(measured[keys] == measured[keys].iloc[-1]).all(axis=1)]
    return last


def moment(plan: Config, execution: int, generation: int) -> str:
    """Return the number of a generation within its run, as text."""
    many = f"execution {execution} of {plan.executions}, " if plan.executions > 1 else ""
    return f"{many}generation {generation} of {plan.evolution.generations - 1}"


def describe(plan: Config, generation: Generation) -> Note:
    """Return a generation in words: its number, and its survivors' fitness and mean sigma."""
    stay = generation.field[generation.field["survived"]]
    brief = f"{generation.number}/{plan.evolution.generations - 1}"
    if plan.executions > 1:
        brief = f"{generation.execution}: {brief}"
    fitness = stay["fitness"]
    return Note(moment(plan, generation.execution, generation.number),
                figures(plan, fitness.max(), fitness.mean(), stay["sigmas"].mean()), brief)


def figures(plan: Config, best: float, mean: float, sigma: float) -> tuple[str, ...]:
    """Return the figures of a generation as text; a genetic algorithm has no sigmas."""
    unit = " %" * bool(plan.rating.shares)
    said = (f"best {fitness_text(plan, best, unit=False)}{unit}", f"mean {mean:,.1f}{unit}")
    return said if plan.evolution.strategy == "ga" else (*said, f"sigma {sigma:.3f}")
