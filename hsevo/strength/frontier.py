"""Strength against CPU time a decision: a table of agents, who is best within a time, a picture.

    ratings and their covariance (rating.py)  --+
    decision times (play/decision_times.py)   --+--> table(), budgets() --> draw()

An agent is on the Pareto frontier if no other is at least as strong and at least as fast, and
better in one of them. Times are those of one machine; `ratio`, to EVA of 2018 in the same run,
differs less between machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.pictures import COLOURS, Picture, single
from hsevo.play.decision_times import Times
from hsevo.play.specs import short_names
from hsevo.strength import rating
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure


BASE = "eva:2018"
BUDGETS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)  # ms a decision
GAP = 200  # Elo between neighbours in the lower half: who is below it gets axes of its own
ROW = 0.036  # of the height of all axes, between two names
NAMES = 1.03  # of the width of the axes: where names begin


def table(names: Sequence[str], values: Array, spread: Array,
          times: Sequence[Times]) -> pd.DataFrame:
    """Return a row per agent, the fastest first.

    values (n,), spread (n, n): ratings and their covariance. Columns agent; rating, low, high (Elo,
    95 % interval); ms, ms_low, ms_high (mean CPU milliseconds a decision, 95 % interval);
    median_ms, p95_ms (quantiles of single decisions, empty for agents too fast for a clock);
    decisions (that were timed singly); ratio (of ms to that of BASE); on_frontier.
    """
    low, high = rating.intervals(values, spread)
    ms = np.array([[1e3 * one.mean, 1e3 * one.low, 1e3 * one.high, 1e3 * one.median, 1e3 * one.p95]
                   for one in times])
    found = pd.DataFrame({
        "agent": names, "rating": values, "low": low, "high": high,
        **dict(zip(("ms", "ms_low", "ms_high", "median_ms", "p95_ms"), ms.T, strict=True)),
        "decisions": [one.decisions for one in times],
        "ratio": ms[:, 0] / ms[names.index(BASE), 0], "on_frontier": frontier(values, ms[:, 0])})
    return found.sort_values("ms", kind="stable", ignore_index=True)


def frontier(ratings: Array, times: Array) -> Array:
    """Return who is on the Pareto frontier, bool (n,): strong, 'ratings', and fast, 'times'."""
    strong, fast = ratings[:, None], times[:, None]
    as_good = (ratings >= strong) & (times <= fast)
    better = (ratings > strong) | (times < fast)
    return np.asarray(~(as_good & better).any(axis=1))


def budgets(names: Sequence[str], values: Array, spread: Array,
            times: Sequence[Times]) -> pd.DataFrame:
    """Return who is best within each of BUDGETS, and by how much; budgets without agents are left.

    Columns within_ms; agent, rating, low, high, ms of the best whose mean time is in it; agents (so
    many are); second (the next best; empty if there is none), lead, lead_low, lead_high (of the
    best over it, in Elo).
    """
    low, high = rating.intervals(values, spread)
    rows = []
    for most in BUDGETS:
        within = [i for i, one in enumerate(times) if 1e3 * one.mean <= most]
        order = sorted(within, key=lambda i: -float(values[i]))
        if not order:
            continue
        best, second = order[0], order[1] if len(order) > 1 else None
        ahead = (rating.Estimate(np.nan, np.nan, np.nan) if second is None else
                 rating.lead(values, spread, best, second))
        rows.append({"within_ms": most, "agent": names[best], "rating": values[best],
                     "low": low[best], "high": high[best], "ms": 1e3 * times[best].mean,
                     "agents": len(order), "second": "" if second is None else names[second],
                     "lead": ahead.value, "lead_low": ahead.low, "lead_high": ahead.high})
    return pd.DataFrame(rows)


def draw(found: pd.DataFrame, title: str) -> Picture:
    """Draw a `table`: rating against time, the frontier as a line, names beside the axes."""
    shown = found.assign(name=[*short_names(found["agent"]).values()])
    weak = _weakest(shown["rating"].to_numpy())

    def paint(figure: Figure) -> None:
        parts = [part for part in (shown[~weak], shown[weak]) if len(part)]
        heights = [max(8.0, len(parts[0])), *(max(2.0, len(part)) for part in parts[1:])]
        rows = figure.subplots(len(parts), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axes, part, height in zip(rows[:, 0], parts, heights, strict=True):
            _points(axes, part, min(ROW * sum(heights) / height, 1 / len(part)))
            _line(axes, shown)
            axes.locator_params(axis="y", nbins=min(max(int(height), 4) - 2, 10))
        rows[0, 0].set_title(title, loc="left")
        rows[-1, 0].set_xscale("log")
        rows[-1, 0].xaxis.set_major_formatter("{x:g}")
        rows[-1, 0].set_xlabel("mean CPU milliseconds a decision")
        rows[0, 0].set_ylabel("rating (Elo)")

    return single(paint)


def _weakest(ratings: Array) -> Array:
    """Return who is far below the others, bool (n,): below the highest GAP in the lower half."""
    order = np.sort(ratings)
    gaps = np.flatnonzero(np.diff(order[:len(order) // 2 + 1]) >= GAP)
    return np.asarray(ratings <= order[gaps[-1]] if len(gaps) else np.zeros(len(ratings), bool))


def _points(axes: Axes, part: pd.DataFrame, row: float) -> None:
    """Draw agents with their intervals, and a name for each; row: between names, of the height."""
    for on, colour, inside in ((True, COLOURS[1], COLOURS[1]), (False, COLOURS[0], "white")):
        some = part[part["on_frontier"] == on]
        ends: Any = [some["rating"] - some["low"], some["high"] - some["rating"]]
        axes.errorbar(some["ms"], some["rating"], yerr=ends, linestyle="none", marker="o",
                      markersize=5, elinewidth=1, color=colour, markerfacecolor=inside)
    pad = max(0.04 * float(np.ptp(part["rating"])), 20.0)
    bottom, top = float(part["low"].min()) - pad, float(part["high"].max()) + pad
    axes.set_ylim(bottom, top)
    axes.grid(alpha=0.3)
    order = part.sort_values("rating", kind="stable")
    wanted = (order["rating"].to_numpy() - bottom) / (top - bottom)
    for line, y in zip(order.to_dict("records"), apart(wanted, row), strict=True):
        axes.annotate(
            line["name"], (line["ms"], line["rating"]), (NAMES, float(y)), "data", "axes fraction",
            {"arrowstyle": "-", "color": "#b0b0b0", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3,
             "relpos": (0, 0.5)},
            fontsize=8, verticalalignment="center", zorder=1, annotation_clip=False,
            fontweight="bold" if line["on_frontier"] else "normal")


def _line(axes: Axes, shown: pd.DataFrame) -> None:
    """Draw the frontier: the rating that can be had within a time."""
    best = shown[shown["on_frontier"]].sort_values("ms")
    ends = [*best["ms"].tolist(), shown["ms"].max()]
    axes.plot(ends, [*best["rating"].tolist(), best["rating"].iloc[-1]], drawstyle="steps-post",
              color=COLOURS[1], linewidth=1.2, alpha=0.7)


def apart(wanted: Array, gap: float) -> Array:
    """Return places from 0 to 1 near those wanted (n,), which ascend, at least `gap` apart.

    Their squared distances to the wanted ones are the least possible; if n are too many for the
    gap, the gap is smaller.
    """
    from scipy.optimize import isotonic_regression

    steps = np.arange(len(wanted)) * min(gap, 1 / max(len(wanted) - 1, 1))
    found = isotonic_regression(wanted - steps).x
    return np.asarray(np.clip(found, 0, 1 - steps[-1]) + steps)
