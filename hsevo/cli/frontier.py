"""hsevo benchmark --frontier: who is the best of all agents that are as fast."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hsevo
from hsevo import play
from hsevo.cli.shared import losing, print_json
from hsevo.cli.tables import gap_cells, say, show_table

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = ("rating", "rating 95 %", "ms", "ms 95 %", "ratio", "median ms", "95 % below")
LOST = "the games are lost (with --out DIR, the same command continues)"


def show_frontier(agents: list[str], as_json: bool, out: Path | None, how: dict[str, Any]) -> None:
    """Measure the frontier, and print it."""
    with losing(f"the same command continues in {out}" if out else LOST):
        result = hsevo.frontier(agents, out=out, progress=True, **how)
    if as_json:
        print_json(result)
        return
    names = play.short_names(result.names)
    say(f"strength against CPU time per decision, {result.panel}, on one core of this machine; *:"
        " on the frontier\n\n")
    _agents(result.table, names)
    say("\nthe best within a time\n\n")
    _budgets(result.budgets, names)
    if out:
        say(f"\npicture and tables: {out}")


def _agents(table: pd.DataFrame, names: dict[str, str]) -> None:
    rows = [["*" if row["on_frontier"] else "", names[row["agent"]], f"{row['rating']:+.0f}",
             f"{row['low']:+.0f} to {row['high']:+.0f}", number(row["ms"]),
             f"{number(row['ms_low'])} to {number(row['ms_high'])}", f"{row['ratio']:,.1f}",
             number(row["median_ms"]), number(row["p95_ms"])]
            for row in table.to_dict("records")]
    show_table(["", "agent", *NUMBERS], rows, NUMBERS,
               [["median ms", "95 % below"], "ms 95 %", "rating 95 %"])


def _budgets(table: pd.DataFrame, names: dict[str, str]) -> None:
    heads = ["ms", "best", "rating", "of", "lead", "lead 95 %", "over"]
    rows = [[f"{row['within_ms']:g}", names[row["agent"]], f"{row['rating']:+.0f}",
             str(row["agents"]), *gap_cells(row), names.get(row["second"], "")]
            for row in table.to_dict("records")]
    show_table(heads, rows, ["ms", "rating", "of", "lead", "lead 95 %"], ["of", "rating"])


def number(value: float) -> str:
    """Return a time with three digits that count, without an exponent; "" for no number."""
    if isnan(value):
        return ""
    digits = next((k for k in range(6) if value >= 10 ** (2 - k)), 6)
    return f"{value:,.{digits}f}"
