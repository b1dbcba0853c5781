"""The state of CMA-ES by generation, as its users judge it: step size, axis ratio, conditions met.

A run stores no state of its strategy, which is told the stored fitness again.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.evolution.strategies import Cma
from hsevo.runs.folder import RunFolder
from hsevo.seeds import generator

COLUMNS = ("execution", "generation", "sigma", "axis_ratio", "condition", "stop")


def cma_states(run: RunFolder) -> pd.DataFrame:
    """Return a row for each committed generation of a run of cma-es.

    sigma: the step size after it. condition: of the covariance matrix, the largest eigenvalue by
    the smallest; axis_ratio: its square root. stop: the stopping conditions of cma that are met, ""
    for none; a run goes on all the same. If this machine repeats a generation with other weights,
    the rows of its execution end before it.
    """
    rows = []
    for execution in sorted({execution for execution, _ in run.committed()}):
        random = generator((run.config.seed, execution))
        strategy = Cma(run.config.evolution, run.genome, random)
        for number, field in enumerate(run.fields(execution)):
            if not np.array_equal(strategy.ask(number)["weights"], field["weights"]):
                break
            strategy.tell(field)
            condition = float(strategy.es.sm.condition_number)
            rows.append((execution, number, float(strategy.es.sigma), condition ** 0.5, condition,
                         ", ".join(sorted(strategy.es.stop()))))
    return pd.DataFrame(rows, columns=[*COLUMNS])
