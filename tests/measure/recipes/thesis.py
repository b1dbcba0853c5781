"""The experiments of Santos' thesis: studies of lines, as tables of rates and of times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tests.measure.figures import Figures, read
from tests.measure.recipes import recipe
from tests.measure.works import Lab, Work


def table_of(folder: Path, value: str) -> str:
    """Return a study as Markdown: a row a line, or a row a value if these are more.

    value: "rate", with its interval, or "time", CPU milliseconds a decision of both players.
    """
    curve = pd.read_csv(folder / "curve.csv", dtype={"x": str}, keep_default_na=False)
    times = pd.read_csv(folder / "times.csv")["per_decision"]
    curve["cell"] = [f"{time:.2g} ms" if value == "time" else
                     f"{100 * row.rate:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f})"
                     for row, time in zip(curve.itertuples(), times, strict=True)]
    row, column = ("line", "x") if curve["line"].nunique() >= curve["x"].nunique() else (
        "x", "line")
    wide = curve.pivot(index=row, columns=column, values="cell")
    wide = wide.loc[curve[row].unique(), curve[column].unique()]
    lines = [f"| | {' | '.join(wide.columns)} |", f"|---|{len(wide.columns) * '---|'}"]
    lines += [f"| {name} | {' | '.join(cells)} |"
              for name, cells in zip(wide.index, wide.to_numpy().tolist(), strict=True)]
    return "\n".join(lines) + "\n"


def games(folder: Path) -> str:
    """Return how many games each point has: one number, for all have as many."""
    (count,) = pd.read_csv(folder / "curve.csv")["games"].unique()
    return f"{count:,}"


def figures(command: str) -> Figures:
    """Return the rates, the times and the games a point of a study."""
    it = Work(f"{command} --out {{out}}")

    def at(lab: Lab) -> Path:
        return lab.folder(it)

    return {"rates": read(lambda lab: table_of(at(lab), "rate"), it),
            "times": read(lambda lab: table_of(at(lab), "time"), it),
            "games": read(lambda lab: games(at(lab)), it)}


@recipe
def thesis_reuse(command: str) -> Figures:
    return figures(command)
