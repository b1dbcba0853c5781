"""What logs of a learning run (TensorBoard, MLflow) hold: a copy of its tables, a step a period.

    learning/COLUMN                  the line of learning.csv, its seconds of CPU time
    references/OPPONENT/COLUMN       win rate with its interval, where it was measured

The loggers themselves, and why they change no result, are in evolution/loggers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pandas as pd

from hsevo.errors import RunError, resuming
from hsevo.evolution.loggers import Entry, Source, copied, tag
from hsevo.learning.folder import LearningRun, period_name
from hsevo.runs import checkpoints

NUMBERS = ("games", "positions", "loss", "loss_after", "pool", "added")
PARTS = ("policy", "upgo", "value", "entropy")  # of an end-to-end policy, instead of loss_after
MEASURED = ("rate", "rate_low", "rate_high")


@contextmanager
def opened(run: LearningRun, names: str | Sequence[str],
           say: Callable[[str], object]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Log all committed periods, and yield a function that logs a further one, by its line.

    The line is what `train` gives to its `watch`. Raises RunError if the folder is damaged.
    """
    with copied(_source(run), entries(run), names, say) as write:
        yield lambda line: write(lambda: _entry(run, line, line["references"].values()))


def entries(run: LearningRun) -> Iterator[Entry]:
    """Yield the entries of all committed periods, in order. Raises RunError."""
    measured, times = run.table("references.csv"), run.table("times.csv")
    lines = run.table("learning.csv")
    seconds = dict(zip(times["period"], times["cpu_seconds"], strict=True)) if len(times) else {}
    for line in lines.to_dict("records"):
        here = (measured[measured["period"] == line["period"]] if len(measured)
                else pd.DataFrame())
        named = {str(name): value for name, value in line.items()}
        yield _entry(run, named | {"seconds": seconds.get(line["period"], 0.0)},
                     here.to_dict("records"))


def _source(run: LearningRun) -> Source:
    return Source(run.path, run.plan, run.plan.name, run.plan.periods - 1, "learning/games",
                  resuming("learn", run.path), "learning")


def _entry(run: LearningRun, line: Mapping[str, Any], measured: Any) -> Entry:
    values = {f"learning/{name}": float(line[name]) for name in (*NUMBERS, *PARTS) if name in line}
    values["learning/cpu_seconds"] = float(line["seconds"])
    values |= {f"references/{tag(row['opponent'])}/{name}": float(row[name])
               for row in measured for name in MEASURED}
    number = int(line["period"])
    path = checkpoints.path_of(run.path, period_name(number))
    try:
        when = path.stat().st_mtime
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    return Entry(1, number, when, values, {})
