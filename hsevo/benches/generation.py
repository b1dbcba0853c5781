"""What a generation costs besides its games, and how much more workers can save.

    measure() --> Parts --time_with(parts, workers, job)--> seconds per generation  (report: both)

The experiment is the paper's (configs/cig2018.yaml). Between two generations one thread selects,
breeds, pairs and counts; committing runs during the next generation's games
(experiments/experiment.py), and every job costs the main thread a moment. From these parts, each
measured on this machine, follows how long a generation takes with more workers than it has.
"""

import logging
import tempfile
import time
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.benches import games
from hsevo.cards.decks import Deck, read_deck
from hsevo.config import Config, Workers, change, load
from hsevo.evolution.budget import Clock
from hsevo.evolution.custom import NOTHING
from hsevo.play import tournament
from hsevo.play.workers import Executor, open_workers
from hsevo.runs.folder import RunFolder

GENERATIONS = 20  # measured, after one to warm up
JOBS = 2_000
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
PROCESSES = 16  # of Dask


@dataclass(frozen=True)
class Parts:
    """The parts of a generation, in seconds: all but games are medians of GENERATIONS."""

    serial: float  # selection, breeding, pairing, counting: nothing else runs meanwhile
    commit: float  # during the games of the next generation
    job: float  # of the main thread, for each block of games that a thread plays
    game: float  # of one core
    dask: float | None = None  # of the main process, for each block; None: Dask is not installed


def measure() -> Parts:
    """Measure the parts but for Dask's, in about ten seconds; nothing else should run."""
    plan = change(load("cig2018"), {"evolution.generations": GENERATIONS + 1})
    serial, commit = _between(plan)
    began = time.thread_time()
    played = games.SAMPLE * len(games.sample())
    return Parts(serial, commit, _job(), (time.thread_time() - began) / played)


def report() -> dict[str, Any]:
    """Measure the parts; return them and what follows for WORKERS, ready for JSON."""
    parts = replace(measure(), dask=_dask_job())
    alone = time_with(parts, 1, parts.job)
    return {"generation": {
        "serial_ms": 1000 * parts.serial, "commit_ms": 1000 * parts.commit,
        "job_ms": 1000 * parts.job, "dask_job_ms": parts.dask and 1000 * parts.dask,
        "games_per_second_per_core": 1 / parts.game,
        "calculated": [_row(parts, workers, alone) for workers in WORKERS]}}


def _row(parts: Parts, workers: int, alone: float) -> dict[str, Any]:
    """Return the calculated times; alone: the seconds with one thread."""
    seconds = time_with(parts, workers, parts.job)
    dask = parts.dask and time_with(parts, workers, parts.dask, remote=True)
    return {"workers": workers, "seconds": seconds, "speedup": alone / seconds,
            "dask_seconds": dask, "dask_speedup": dask and alone / dask}


def time_with(parts: Parts, workers: int, job: float, remote: bool = False) -> float:
    """Return how long a generation of the paper takes with so many workers, in seconds.

    The main thread hands out one block after the other, each to the worker that is free first, and
    spends `job` seconds on each. remote: the workers are those of Dask.
    """
    rows = tournament.round_robin(range(20), 3, 20, (1,))
    ends = np.zeros(workers)
    for number, block in enumerate(tournament.split(rows, workers, remote)):
        first = int(ends.argmin())
        ends[first] = max(ends[first], number * job) + block["games"].sum() * parts.game
    return parts.serial + max(float(ends.max()), parts.commit)


def _between(plan: Config) -> tuple[float, float]:
    """Return the seconds of the serial part and of a commit, with made-up results for games."""
    decks: tuple[Deck, ...] = tuple(read_deck(name) for name in plan.decks)
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder.make(Path(folder) / "run", plan, decks)
        clock = Clock(run, NOTHING)
        clock.time()
        run.close()
    return clock.serial, clock.commit


def _job() -> float:
    """Return the seconds that the main thread spends on a job that takes no time."""
    with open_workers(Workers(backend="threads", count=2)) as executor:
        began = time.perf_counter()
        _do_nothing(executor, JOBS)
        return (time.perf_counter() - began) / JOBS


def _dask_job() -> float | None:
    """Return the CPU seconds of this process, with Dask's scheduler, for a job in another one."""
    if find_spec("distributed") is None:
        return None
    from distributed import LocalCluster  # half a second to import

    cluster = LocalCluster(n_workers=PROCESSES, threads_per_worker=1,  # type: ignore[no-untyped-call]
                           dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL)
    plan = Workers(backend="dask", scheduler=cluster.scheduler_address)
    with cluster, open_workers(plan) as executor:
        _do_nothing(executor, 10 * PROCESSES)  # until all have begun
        began = time.process_time()
        _do_nothing(executor, JOBS // 4)
        return (time.process_time() - began) / (JOBS // 4)


def _do_nothing(executor: Executor, times: int) -> None:
    for _ in executor(abs, ((1,) for _ in range(times))):
        pass
