"""Individuals: their rows in memory and in population.csv, whatever genome they have."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.config import Config

Array: TypeAlias = npt.NDArray[Any]

SIGMA = "sigma_"  # and the name of a weight: its column of population.csv


def fitness_text(plan: Config, fitness: float, unit: bool = True) -> str:
    """Return a fitness as text: "1,963 wins", or "56.2 %" where it is a win rate (shares)."""
    if plan.rating.shares:
        return f"{fitness:.1f}" + " %" * unit
    return f"{fitness:,.0f}" + " wins" * unit


def individual_type(size: int) -> np.dtype[np.void]:
    """Return INDIVIDUAL, the type of one of a generation's field, of a genome of that size.

    A field is its parents first, in the order of the generation before, then the offspring. parent
    is -1 in generation 0; wins are the fitness, but for racing (fitness.py). Weights are in the
    agent's own units, sigmas in that of the genome's scale.
    """
    return np.dtype([
        ("id", "i8"), ("parent", "i8"), ("born", "i8"), ("fitness", "f8"),
        ("wins", "i8"), ("draws", "i8"), ("losses", "i8"), ("survived", "?"),
        ("weights", "f8", (size,)), ("sigmas", "f8", (size,))])


def weight_names(population: pd.DataFrame) -> list[str]:
    """Return the columns of a population's weights: those that have a sigma."""
    return [name for name in population.columns if f"{SIGMA}{name}" in population.columns]


def individuals(population: pd.DataFrame, execution: int, number: int,
                ids: Sequence[int] | None = None) -> Array:
    """Return a generation's INDIVIDUAL rows from population.csv; those of `ids`, in their order.

    Raises KeyError if one of the ids is not there.
    """
    here = (population["execution"] == execution) & (population["generation"] == number)
    rows = population[here].set_index("individual", drop=False)
    rows = rows.loc[list(ids)] if ids is not None else rows
    names = weight_names(population)
    found = np.zeros(len(rows), individual_type(len(names)))
    for name in ("parent", "born", "fitness", "wins", "draws", "losses", "survived"):
        found[name] = rows[name]
    found["id"] = rows["individual"]
    found["weights"] = rows[names]
    found["sigmas"] = rows[[f"{SIGMA}{name}" for name in names]]
    return found


def weights_of(population: pd.DataFrame, execution: int, ids: Sequence[int]) -> Array:
    """Return the weights (n, k) of anybody of an execution. Raises KeyError for a stranger."""
    people = population[population["execution"] == execution].drop_duplicates("individual")
    weights = people.set_index("individual").loc[list(ids), weight_names(people)]
    return weights.to_numpy(np.float64, copy=True)
