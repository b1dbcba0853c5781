"""What logs of a run (TensorBoard) hold: a copy of its tables, a step a generation.

    statistics/COLUMN                the line of statistics.csv
    best/WEIGHT                      the weights of the best individual
    references/OPPONENT/COLUMN       its rate and Elo with intervals, where it was measured
    weights/WEIGHT, sigmas/WEIGHT    of the survivors, as histograms
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hsevo.experiments.loggers import LogEntry, tag
from hsevo.runs.folder import Run
from hsevo.runs.individuals import SIGMA, weight_names
from hsevo.runs.parts import MATCHES, part_name
from hsevo.runs.tables import Generation, population_table, statistics_table


def entries(run: Run) -> Iterator[LogEntry]:
    """Yield the entries of all committed generations of a run, in order. Raises RunError."""
    statistics, population, measured = (
        dict(list(table.groupby(["execution", "generation"])))
        for table in (run.statistics(), run.population(), run.references()))
    for key in run.committed():
        yield _entry(run, statistics[key], population[key], measured.get(key))


def entry(run: Run, new: Generation) -> LogEntry:
    """Return the entry of a generation that has just been committed."""
    people = population_table(new, run.genome.names, run.features)
    return _entry(run, statistics_table(new), people, new.references)


def _entry(run: Run, statistics: pd.DataFrame, population: pd.DataFrame,
           measured: pd.DataFrame | None) -> LogEntry:
    """Make the entry of a generation from its lines of the run's tables."""
    line, names = statistics.iloc[0], weight_names(population)
    stay = population[population["survived"] == 1]
    best = stay[stay["individual"] == line["best_individual"]].iloc[0]
    people, figures, references = (run.tables[name] for name in run.names)
    values = figures.logged("statistics", line) | people.logged("best", best)
    for row in [] if measured is None else measured.to_dict("records"):
        values |= references.logged(f"references/{tag(row['opponent'])}", row)
    spreads = {f"{kind}/{name}": stay[column + name].to_numpy(np.float64)
               for kind, column in (("weights", ""), ("sigmas", SIGMA)) for name in names}
    key = int(line["execution"]), int(line["generation"])
    return LogEntry(*key, run.written(f"{MATCHES}/{part_name(*key)}"), values, spreads)
