"""CMA-ES from pycma as the strategy of an evolution.

    python examples/pycma_strategy.py

In a config: `strategy: py:examples/pycma_strategy.py#PyCma`, and `options: {sigma: 0.2}`.
"""

import sys

import cma
import numpy as np

import hsevo


class PyCma:
    """Ask a cma.CMAEvolutionStrategy. cma minimises, so that it is told the negative fitness."""

    def __init__(self, problem, sigma=0.3):
        random = np.random.default_rng(problem.seed)
        self.es = cma.CMAEvolutionStrategy(problem.start, sigma, {
            "popsize": problem.lam, "bounds": [problem.low.tolist(), problem.high.tolist()],
            # All random numbers from the seed: a resumed run repeats what was asked.
            "randn": lambda *size: random.standard_normal(size), "seed": np.nan, "verbose": -9})

    def ask(self):
        return self.es.ask()

    def tell(self, weights, fitness):
        self.es.tell(list(weights), (-fitness).tolist())

    def best(self):
        return self.es.result.xfavorite  # the mean of the distribution

    def log(self):
        return {"sigma": self.es.sigma, "axis_ratio": self.es.sm.condition_number ** 0.5}


if __name__ == "__main__":
    try:
        run = hsevo.evolve("smoke", {
            "evolution.strategy": f"py:{__file__}#PyCma", "evolution.options": {"sigma": 0.2},
            "evolution.lambda": 8, "evolution.mu": 4})
        print(run.statistics[["generation", "best", "mean", "sigma", "axis_ratio"]])
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
