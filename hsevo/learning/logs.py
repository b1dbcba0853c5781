"""What logs of a learning run (TensorBoard) hold: a copy of its tables, a step a period.

    learning/COLUMN                  the line of learning.csv, its seconds of CPU time
    references/OPPONENT/COLUMN       win rate with its interval, where it was measured
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from hsevo.experiments.loggers import LogEntry, tag
from hsevo.learning.folder import LearningRun


def entries(run: LearningRun) -> Iterator[LogEntry]:
    """Yield the entries of all committed periods, in order. Raises RunError."""
    times = run.table("times.csv")
    seconds = dict(zip(times["period"], times["cpu_seconds"], strict=True)) if len(times) else {}
    measured = run.measured()
    for line in run.table("learning.csv").to_dict("records"):
        number = int(line["period"])
        yield entry(run, line, seconds.get(number, 0.0), measured.get(number))


def entry(run: LearningRun, line: Mapping[Any, Any], seconds: float,
          measured: pd.DataFrame | None) -> LogEntry:
    """Return the entry of a period: its line of learning.csv, and its lines of references.csv."""
    values = run.tables["learning.csv"].logged("learning", line)
    values["learning/cpu_seconds"] = float(seconds)
    for row in [] if measured is None else measured.to_dict("records"):
        values |= run.tables["references.csv"].logged(f"references/{tag(row['opponent'])}", row)
    number = int(line["period"])
    return LogEntry(1, number, run.written(run.net(number)), values, {})
