"""The plot of a study: its curve with intervals, and the published values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.pictures import Draw, Picture, line_style, single

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

OURS, THEIRS = "#0b5394", "#c25100"
BESIDE = 0.6  # the width that the lines of a study share at a name


def curve(table: pd.DataFrame, title: str, axis: str, best: float | None,
          side: str = "player 0", finish: Callable[[Draw], Picture] = single) -> Picture:
    """Draw a table of `studies.curve`, with a curve for each of its lines.

    best: the best value according to the source, drawn as a dotted line. side: whose wins these
    are, in words. finish: draws it in the style of where it stands.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _draw(axes, table, best)
        axes.set_xlabel(axis)
        axes.set_ylabel(f"games won by {side} (%)")
        if "line" in table:
            each = table["games"].iloc[0]
            axes.set_title(f"{each:,} games per point, 95 %"
                           " intervals", loc="right", fontsize="small")
            axes.set_title(title, loc="left")
        else:
            axes.set_title(title)
        axes.grid(alpha=0.3)
        figure.legend(loc="outside lower center", ncols=2)

    return finish(draw)


def _draw(axes: Axes, table: pd.DataFrame, best: float | None) -> None:
    games = table["games"].iloc[0]
    names = None if _are_numbers(table["x"]) else list(dict.fromkeys(table["x"]))
    places = _places(axes, table, names)
    if "line" in table:
        parts = [*table.groupby("line", sort=False)]
        for k, (name, part) in enumerate(parts):
            look = line_style(k)
            aside = 0 if names is None else BESIDE * (k - (len(parts) - 1) / 2) / len(parts)
            there = places + aside
            _draw_line(axes, there[part.index], part, look, str(name), names is not None)
            _draw_published(axes, there, part, look["color"], f"{name}, published")
    else:
        band: list[Any] = [100 * table[end] for end in ("low", "high")]
        axes.fill_between(places, *band, color=OURS, alpha=0.2, linewidth=0, label="95 % interval")
        axes.plot(places, 100 * table["rate"], "o-", color=OURS,
                  label=f"hsevo, {games:,} games per point")
        bare = table["published_low"].isna().all()  # the number of its games is not published
        _draw_published(axes, places, table, THEIRS,
                        f"published, {'from its text' if bare else 'with 95 % intervals'}")
    if best is not None:
        axes.axvline(best, color=THEIRS, linestyle=":",
                     label=f"published: best at about {best:g}")


def _are_numbers(values: pd.Series[str]) -> bool:
    return bool(pd.to_numeric(values, errors="coerce").notna().all())


def _places(axes: Axes, table: pd.DataFrame,
            names: list[str] | None) -> npt.NDArray[np.float64]:
    """Return the positions of points on the axis, (n,): their values, or indices of names."""
    if names is None:
        return table["x"].to_numpy(np.float64)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.5, len(names) - 0.5)
    return np.array([names.index(x) for x in table["x"]], np.float64)


def _draw_line(axes: Axes, places: Any, part: pd.DataFrame, look: dict[str, Any], name: str,
               named: bool) -> None:
    """Draw a curve with its intervals; points that have names are not joined."""
    ends: Any = [100 * (part["rate"] - part["low"]), 100 * (part["high"] - part["rate"])]
    axes.errorbar(places, 100 * part["rate"], yerr=ends, capsize=3, label=name,
                  **look | ({"linestyle": "none"} if named else {}))


def _draw_published(axes: Axes, places: Any, part: pd.DataFrame, colour: str, name: str) -> None:
    known = part[part["published"].notna()]
    if len(known):
        rate = 100 * known["published"]
        ends: Any = None if known["published_low"].isna().all() else [
            rate - 100 * known["published_low"], 100 * known["published_high"] - rate]
        axes.errorbar(places[known.index], rate, yerr=ends, fmt="D", color=colour, capsize=3,
                      markerfacecolor="none", label=name)
