"""CMA-MAE from pyribs: a map of EVA agents over the length of their games and one weight.

    pip install -e '.[research]'        in the clone of hsevo
    python examples/pyribs_map.py

In a config: `strategy: py:examples/pyribs_map.py#Ribs`, `features: [turns]`, and fixed opponents,
so that the fitness of different generations can be compared.
"""

import sys

import hsevo
from hsevo.optional import need

WEIGHT = "MA"  # the second axis: the weight of a minion's attack
CELLS, RANGES = (10, 10), [(10, 34), (0, 1)]  # turns, and the weight


def archive_of(size, **options):
    """Return an empty archive of `size` weights."""
    from ribs.archives import GridArchive

    return GridArchive(solution_dim=size, dims=CELLS, ranges=RANGES, **options)


class Ribs:
    """Ask the scheduler of pyribs, whose emitters share an archive."""

    def __init__(self, problem, sigma=0.1, emitters=2):
        from ribs.emitters import EvolutionStrategyEmitter
        from ribs.schedulers import Scheduler

        self.weight = problem.names.index(WEIGHT)
        archive = archive_of(len(problem.names), learning_rate=0.1, threshold_min=0.0)
        self.scheduler = Scheduler(archive, [EvolutionStrategyEmitter(
            archive, x0=problem.start, sigma0=sigma, ranker="imp", selection_rule="mu",
            restart_rule="basic", batch_size=problem.lam // emitters,
            lower_bounds=problem.low, upper_bounds=problem.high, seed=problem.seed + number)
            for number in range(emitters)])

    def ask(self):
        return self.scheduler.ask()

    def tell(self, weights, fitness, features):
        self.scheduler.tell(fitness, [*zip(features[:, 0], weights[:, self.weight], strict=True)])

    def log(self):
        stats = self.scheduler.archive.stats
        return {"elites": stats.num_elites, "qd_score": stats.qd_score}


def map_of(run):
    """Return the archive of a run, from its table of individuals."""
    people, names = run.population, list(run.best.genome.names)
    archive = archive_of(len(names))
    archive.add(people[names], people["fitness"], people[["feature_turns", WEIGHT]])
    return archive


def evolve(out=None, **changes):
    """Return a run whose fitness is the win rate against a fixed opponent."""
    return hsevo.evolve("smoke", {
        "evolution.strategy": f"py:{__file__}#Ribs", "evolution.features": ["turns"],
        "evolution.lambda": 20, "evolution.mu": 4, "evolution.generations": 10,
        "rating.opponents": {"agents": ["greedy:metastone"], "games": 20},
        "rating.shares": {"coevolution": 0}, **changes}, out=out)


if __name__ == "__main__":
    try:
        need("this example", "ribs", install="'hsevo[research]'")
        stats = map_of(evolve()).stats
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{stats.num_elites} elites in {100 * stats.coverage:.0f} % of the cells; the best won"
          f" {stats.obj_max:.1f} % of its games in the search")
