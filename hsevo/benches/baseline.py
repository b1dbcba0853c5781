"""The stored baseline of `hsevo bench`, so that a version that plays slower does not go unnoticed.

`baseline.json` is a report of `hsevo bench --json`. Compared are the ratios to the reference kernel
(bench.RATIOS): games a second differ by tens of percent between machines and hours, these by less.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LIMIT = 0.05  # five rounds of a busy machine differ by less; a lost optimisation costs more
FILE = Path(__file__).with_name("baseline.json")


def stored() -> Any:
    """Return the stored report."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def compared(figures: Any, baseline: Any) -> dict[str, Any]:
    """Return how figures differ from those of the same names in a baseline.

    {"version", "engine", "cpu": of the baseline, "changes": {name: fraction}}; 0.1 is 10 % faster.
    """
    before = baseline["figures"]
    return {"version": baseline["hsevo"]["version"], "engine": baseline["hsevo"]["engine"],
            "cpu": baseline["machine"]["cpu"],
            "changes": {name: figures[name]["value"] / before[name]["value"] - 1
                        for name in figures if name in before}}


def warning(report: Any) -> str:
    """Return a line about the changes of a report that are beyond LIMIT, "" if none is."""
    baseline, cpu = report["baseline"], report["machine"]["cpu"]
    beyond = [f"{name} {abs(change):.1%} {'higher' if change > 0 else 'lower'}"
              for name, change in baseline["changes"].items() if abs(change) > LIMIT]
    if not beyond:
        return ""
    other = "" if cpu == baseline["cpu"] else f", measured on another processor: {baseline['cpu']}"
    return (f"{', '.join(beyond)} than the baseline of version {baseline['version']}"
            f" (engine {baseline['engine']}{other})")
