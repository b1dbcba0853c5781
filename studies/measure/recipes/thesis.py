"""The experiments of Santos' thesis: studies of lines, as tables of mean rates."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import t

from hsevo.strength.rating import Estimate, ratio
from studies.measure.figures import Figures, percent, read
from studies.measure.recipes import pictured, recipe
from studies.measure.works import Work

Array: TypeAlias = npt.NDArray[Any]


def games(folder: Path) -> str:
    """Return how many games each point has: one number, for all have as many."""
    (count,) = pd.read_csv(folder / "curve.csv")["games"].unique()
    return f"{count:,}"


def pooled(folder: Path, row: str, column: str | tuple[int, ...]) -> pd.DataFrame:
    """Return means over points as texts with 95 % intervals, a cell for all points that share it.

    row, column: a pattern, whose group is what points share in their line, or "x"; or another text,
    which all share. As numbers: the highest x of each span. Game k has the same seed at all points,
    so seeds are what is independent.
    """
    games = pd.read_csv(folder / "games.csv", dtype={"x": str}, keep_default_na=False)
    games["row"], games["column"] = (
        games["x"] if part == "x" else spans(games["x"], part) if isinstance(part, tuple) else
        games["line"].str.extract(part)[0] if "(" in part else part for part in (row, column))
    seeds = games.groupby(["row", "column", "seed"], sort=False)["won"].agg(["sum", "count"])
    cells = {part: percent(asdict(mean(each["sum"].to_numpy(), each["count"].to_numpy())), 1)
             for part, each in seeds.groupby(level=[0, 1], sort=False)}
    found = pd.Series(cells).unstack()
    return found.loc[games["row"].unique(), games["column"].unique()]


def mean(points: Array, games: Array) -> Estimate:
    """Return the mean of seeds with so many points in so many games each, and its interval.

    Student's t of the seeds' rates; of seeds that are all alike, or of one, rating.ratio, which has
    a width there, too.
    """
    rates, n = points / games, len(points)
    if n == 1 or np.ptp(rates) == 0:
        return ratio(points, games)
    half = t.ppf(0.975, n - 1) * rates.std(ddof=1) / np.sqrt(n)
    value = float(rates.mean())
    return Estimate(value, max(value - half, 0.0), min(value + half, 1.0))


def gap(folder: Path, ends: tuple[int, int]) -> str:
    """Return how much more the second span of x wins, in points, with Student's 95 % interval.

    Seeds are compared with themselves.
    """
    games = pd.read_csv(folder / "games.csv")
    rates = games.groupby(["seed", games["x"] > ends[0]])["won"].mean().unstack()
    each = 100 * (rates[True] - rates[False])
    half = t.ppf(0.975, len(each) - 1) * each.sem()
    return f"{each.mean():+.1f} points ({each.mean() - half:+.1f} to {each.mean() + half:+.1f})"


def spans(x: pd.Series[str], ends: tuple[int, ...]) -> pd.Series[str]:
    """Return the span of each x, as "10 to 50"; ends: the highest x of each."""
    place = np.searchsorted(ends, x.astype(int))
    found = x.astype(int).groupby(place).agg(["min", "max"])
    return pd.Series([f"{low:,} to {high:,}" for low, high in found.loc[place].to_numpy()], x.index)


def shares(folder: Path) -> pd.DataFrame:
    """Return the means over all k of the other side: of the own actions, and of the opponent's."""
    rows = [pooled(folder, "k of the player's own actions", "x").add_suffix(" %", axis=1),
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


def means(command: str, row: str, column: str | tuple[int, ...]) -> Figures:
    """Return a study's means over points, as `pooled` has them."""
    it = study(command)
    return {"means": read(lambda lab: markdown(pooled(lab.folder(it), row, column)), it)}


def mean_shares(command: str) -> Figures:
    """Return the means of a study of shares."""
    it = study(command)
    return {"means": read(lambda lab: markdown(shares(lab.folder(it))), it)}


@recipe
def thesis_iterations(command: str) -> Figures:
    pictured("thesis-iterations", study(command), "plot.svg")
    it, ends = study(command), (50, 100)
    return means(command, "(.*)", ends) | {"gap": read(lambda lab: gap(lab.folder(it), ends), it)}


@recipe
def thesis_rollouts(command: str) -> Figures:
    pictured("thesis-rollouts", study(command), "plot.svg")
    return means(command, "(.*)", (5, 20, 35))


@recipe
def thesis_share_1(command: str) -> Figures:
    return mean_shares(command)


@recipe
def thesis_share_2(command: str) -> Figures:
    return mean_shares(command)


@recipe
def thesis_answers(command: str) -> Figures:
    return means(command, "both heuristics", "x")


@recipe
def thesis_reuse(command: str) -> Figures:
    return means(command, "both heuristics", "x")


@recipe
def thesis_results(command: str) -> Figures:
    it = study(command)
    return means(command, "^(.*), ", "x") | {
        "games": read(lambda lab: games(lab.folder(it)), it)}
