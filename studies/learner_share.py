"""How much faster a run learns with two workers than with one.

    python -m studies.learner_share any-deck

Rounds of a config, after some that are not counted, with one and with two workers by turns. CPU
time is that of all threads of this process; games are played by threads, too. Wall time means
something on an idle machine alone, so the load is printed beside it.
"""

import json
import os
import tempfile
import time
from pathlib import Path

import click
import numpy as np

import hsevo
from hsevo.config import Workers, change, load
from hsevo.config.learning import Plan
from hsevo.learning.folder import LearningRun
from hsevo.learning.train import Training
from hsevo.play.workers import open_workers

WARM = 2  # rounds that are not counted


def rounds(path: Path, workers: int, n: int) -> tuple[float, float]:
    """Return wall seconds and CPU seconds of n rounds."""
    with (open_workers(Workers(count=workers)) as executor,
          Training(LearningRun(path), executor, workers, lambda games: None, anew=True) as one):
        for k in range(WARM):
            one.round(0, k)
        wall, cpu = time.perf_counter(), time.process_time()
        for k in range(WARM, WARM + n):
            one.round(0, k)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall, cpu


@click.command()
@click.argument("config")
@click.option("--rounds", "n", type=int, default=8, help="Of a measurement.")
@click.option("--repeats", type=int, default=3, help="Measurements with each number of workers.")
def main(config: str, n: int, repeats: int) -> None:
    """Print the medians as JSON, after a line of each measurement on the error stream."""
    with tempfile.TemporaryDirectory() as folder:
        plan = change(load(config, model=Plan), {
            "periods": 1, "rounds": 1, "references.against": [], "payoff_games": 0})
        path = hsevo.Learned.create(plan, Path(folder) / "run").path
        found: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
        for _ in range(repeats):
            for workers, some in found.items():
                some.append(rounds(path, workers, n))
                click.echo(f"{workers} workers: wall {some[-1][0]:.2f} s, CPU {some[-1][1]:.2f} s",
                           err=True)
        one, two = (np.median(some, axis=0) for some in found.values())
        click.echo(json.dumps({
            "two_workers": one[0] / two[0], "cpu_of_two": two[1] / one[1],
            "cores": os.cpu_count(), "load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main()
