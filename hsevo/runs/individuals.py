"""Individuals of any genome: their records in memory and their rows in population.csv."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hsevo.config import Config
from hsevo.types import Array

FEATURE = "feature_"  # with the name of a feature of a map, its column in population.csv
SIGMA = "sigma_"  # with the name of a weight, the column of its sigma in population.csv


def fitness_text(plan: Config, fitness: float, unit: bool = True) -> str:
    """Return a fitness as text: "1,963 wins", or "56.2 %" where it is a win rate (shares)."""
    if plan.rating.shares:
        return f"{fitness:.1f}" + " %" * unit
    return f"{fitness:,.0f}" + " wins" * unit


def individual_type(size: int) -> np.dtype[np.void]:
    """Return INDIVIDUAL, the dtype of an individual with `size` weights.

    A field has the parents first, in the order of the previous generation, then the offspring.
    parent is -1 in generation 0. wins are the fitness, except with racing (fitness.py). features
    are 0 without a map. Weights are in the agent's units, sigmas in units of the genome's scale.
    """
    return np.dtype([
        ("id", "i8"), ("parent", "i8"), ("born", "i8"), ("fitness", "f8"),
        ("wins", "i8"), ("draws", "i8"), ("losses", "i8"), ("survived", "?"),
        ("features", "f8", (2,)),
        ("weights", "f8", (size,)), ("sigmas", "f8", (size,))])


def weight_names(population: pd.DataFrame) -> list[str]:
    """Return the names of a population's weights: the columns that have a sigma."""
    return [name for name in population.columns if f"{SIGMA}{name}" in population.columns]


def individuals(population: pd.DataFrame, execution: int, number: int,
                ids: Sequence[int] | None = None) -> Array:
    """Return a generation's INDIVIDUAL rows from population.csv: all, or those of `ids` in order.

    Raises KeyError if an id is missing.
    """
    here = (population["execution"] == execution) & (population["generation"] == number)
    rows = population[here].set_index("individual", drop=False)
    rows = rows.loc[list(ids)] if ids is not None else rows
    names = weight_names(population)
    found = np.zeros(len(rows), individual_type(len(names)))
    for name in ("parent", "born", "fitness", "wins", "draws", "losses", "survived"):
        found[name] = rows[name]
    found["id"] = rows["individual"]
    if features := [name for name in rows.columns if name.startswith(FEATURE)]:
        found["features"] = rows[features]
    found["weights"] = rows[names]
    found["sigmas"] = rows[[f"{SIGMA}{name}" for name in names]]
    return found


def weights_of(population: pd.DataFrame, execution: int, ids: Sequence[int]) -> Array:
    """Return the weights (n, k) of individuals of an execution. Raises KeyError if unknown."""
    rows = population[population["execution"] == execution].drop_duplicates("individual")
    weights = rows.set_index("individual").loc[list(ids), weight_names(rows)]
    return weights.to_numpy(np.float64, copy=True)
