"""The experiments of Santos' thesis: studies of lines, as tables of rates and of times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t

from hsevo.play.tournament import wilson
from tests.measure.figures import Figures, read
from tests.measure.recipes import AFTER, recipe
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
    return markdown(wide.loc[curve[row].unique(), curve[column].unique()])


def games(folder: Path) -> str:
    """Return how many games each point has: one number, for all have as many."""
    (count,) = pd.read_csv(folder / "curve.csv")["games"].unique()
    return f"{count:,}"


def pooled(folder: Path, row: str, column: str | tuple[int, ...]) -> pd.DataFrame:
    """Return means over points as texts with 95 % intervals, a cell for all points that share it.

    row, column: a pattern, whose group is what points share in their line, or "x"; or another text,
    which all share. As numbers: the highest x of each span. Game k has the same seed at all points,
    so a seed's mean counts as one number (Student's t; if all were won, or none, Wilson's).
    """
    games = pd.read_csv(folder / "games.csv", dtype={"x": str}, keep_default_na=False)
    games["row"], games["column"] = (
        games["x"] if part == "x" else spans(games["x"], part) if isinstance(part, tuple) else
        games["line"].str.extract(part)[0] if "(" in part else part for part in (row, column))
    seeds = games.groupby(["row", "column", "seed"], sort=False)["won"].mean()
    each = seeds.groupby(level=[0, 1], sort=False).agg(["mean", "sem", "count"])
    half = each["sem"] * t.ppf(0.975, each["count"] - 1)
    low, high = (each["mean"] - half).clip(lower=0), (each["mean"] + half).clip(upper=1)
    all_or_none = each["mean"].isin([0, 1])  # seeds that never differ say nothing of how far off
    least, most = wilson(each["mean"] * each["count"], each["count"])
    each["cell"] = [f"{100 * row[0]:.1f} % ({100 * row[1]:.1f} to {100 * row[2]:.1f})" for row in
                    zip(each["mean"], low.where(~all_or_none, least),
                        high.where(~all_or_none, most), strict=True)]
    return each["cell"].unstack().loc[games["row"].unique(), games["column"].unique()]


def spans(x: pd.Series[str], ends: tuple[int, ...]) -> pd.Series[str]:
    """Return the span of each x, as "10 to 50"; ends: the highest x of each."""
    place = np.searchsorted(ends, x.astype(int))
    found = x.astype(int).groupby(place).agg(["min", "max"])
    return pd.Series([f"{low:,} to {high:,}" for low, high in found.loc[place].to_numpy()], x.index)


def shares(folder: Path) -> pd.DataFrame:
    """Return the means over all k of the other side: of the own actions, and of the opponent's."""
    rows = [pooled(folder, "k of the own actions", "x").add_suffix(" %", axis=1),
            pooled(folder, "k of the opponent's", r"opponent (\d+ %)")]
    return pd.concat(rows)


def markdown(cells: pd.DataFrame) -> str:
    """Return a table of texts as Markdown."""
    lines = [f"| | {' | '.join(cells.columns)} |", f"|---|{len(cells.columns) * '---|'}"]
    lines += [f"| {name} | {' | '.join(row)} |"
              for name, row in zip(cells.index, cells.to_numpy().tolist(), strict=True)]
    return "\n".join(lines) + "\n"


def study(command: str) -> Work:
    """Return a study, as figures.yml names it."""
    return Work(f"{command} --out {{out}}")


def figures(command: str) -> Figures:
    """Return the rates, the times and the games a point of a study."""
    it = study(command)

    def at(lab: Lab) -> Path:
        return lab.folder(it)

    return {"rates": read(lambda lab: table_of(at(lab), "rate"), it),
            "times": read(lambda lab: table_of(at(lab), "time"), it),
            "games": read(lambda lab: games(at(lab)), it)}


def means(command: str, row: str, column: str | tuple[int, ...]) -> Figures:
    """Return the figures of a study, with means over points as `pooled` has them."""
    it = study(command)
    return figures(command) | {
        "means": read(lambda lab: markdown(pooled(lab.folder(it), row, column)), it)}


def drawn(name: str, command: str) -> None:
    """Let the picture of a study replace the one in the docs."""
    AFTER[name] = (Work(f"cp {{0}}/plot.svg docs/pages/images/{name}.svg", (study(command),)),)


@recipe
def thesis_iterations(command: str) -> Figures:
    drawn("thesis-iterations", command)
    return means(command, "(.*)", (50, 100))


@recipe
def thesis_rollouts(command: str) -> Figures:
    drawn("thesis-rollouts", command)
    return means(command, "(.*)", (5, 20, 35))


@recipe
def thesis_share_1(command: str) -> Figures:
    it = study(command)
    return figures(command) | {"means": read(lambda lab: markdown(shares(lab.folder(it))), it)}


@recipe
def thesis_share_2(command: str) -> Figures:
    it = study(command)
    return figures(command) | {"means": read(lambda lab: markdown(shares(lab.folder(it))), it)}


@recipe
def thesis_answers(command: str) -> Figures:
    return means(command, "both heuristics", "x")


@recipe
def thesis_reuse(command: str) -> Figures:
    return means(command, "both heuristics", "x")


@recipe
def thesis_results(command: str) -> Figures:
    return means(command, "^(.*), ", "x")
