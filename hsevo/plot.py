"""The one room that knows matplotlib: the style of all pictures, and the curve of a study.

matplotlib takes half a second to import: on the first picture. A picture is drawn once and written
twice, as SVG on nothing, with INK for all that is not data, and as PNG on white.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure

INCHES, DPI = (8.0, 5.0), 150
OURS, THEIRS = "#0b5394", "#c25100"
# The same bytes from the same numbers: no time of day, and no random names inside an SVG. A title
# is no formula: dollar signs are dollar signs.
SAME: dict[Any, Any] = {"svg.hashsalt": "hsevo", "text.parse_math": False}

# What is neither data nor background: a page may put the colour of its own text there.
INK = "#1a1b1c"
# Okabe and Ito's colours, which colour-blind people can tell apart ("Color universal design",
# 2008), but for yellow, which is lost on white, and black, which is lost on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#8c8c8c")
WIDTH = 5.4  # inches, of pictures in a report: at 360 pixels, of a phone, its text has 10.6
STYLE: dict[Any, Any] = SAME | {
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "text.parse_math": False,  # a name is no formula
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlecolor": INK,
    "xtick.color": INK, "ytick.color": INK, "legend.facecolor": "none", "legend.frameon": False,
    "font.size": 11.5, "axes.titlesize": 11.5, "axes.spines.top": False,
    "axes.spines.right": False, "grid.color": INK, "grid.alpha": 0.15, "axes.axisbelow": True}


@dataclass(frozen=True)
class Picture:
    """A drawn figure as two files."""

    svg: bytes
    png: bytes


def picture(draw: Callable[[Figure], object], height: float) -> Picture:
    """Draw a figure of a report, WIDTH inches wide and `height` high, in the style of all."""
    from matplotlib.figure import Figure

    with _style(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure)
        return Picture(_file(figure, "svg", "none"), _file(figure, "png", "white"))


def colour_map(colours: Sequence[str]) -> Any:
    """Return a colour map that runs through the colours; transparent where there is no number."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("hsevo", list(colours)).with_extremes(bad="none")


def curve(table: pd.DataFrame, title: str, axis: str, best: float | None,
          ending: Literal["svg", "png"]) -> bytes:
    """Draw a table of `studies.curve`; return the file, SVG or PNG (1,200 by 750 pixels).

    best: where the source says that the best is; a dotted line.
    """
    from matplotlib.figure import Figure

    with _style(SAME):
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        _draw(axes, table, best)
        axes.set_title(title)
        axes.set_xlabel(axis)
        axes.set_ylabel("games won by player 0 (%)")
        axes.grid(alpha=0.3)
        figure.legend(loc="outside lower center", ncols=2)
        return _file(figure, ending, "white")


def _style(style: dict[Any, Any]) -> AbstractContextManager[None]:
    import matplotlib as mpl

    return mpl.rc_context(style)


def _file(figure: Figure, ending: Literal["svg", "png"], background: str) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=ending, dpi=DPI, facecolor=background,
                   metadata={"Date": None} if ending == "svg" else {"Software": None})
    return file.getvalue()


def _draw(axes: Axes, table: pd.DataFrame, best: float | None) -> None:
    x, games = table["x"].astype(float), table["games"].iloc[0]
    band: list[Any] = [100 * table[end] for end in ("low", "high")]
    axes.fill_between(x, *band, color=OURS, alpha=0.2, linewidth=0, label="95 % interval")
    axes.plot(x, 100 * table["rate"], "o-", color=OURS, label=f"hsevo, {games:,} games a point")
    known = table[table["published"].notna()]
    if len(known):
        rate = 100 * known["published"]
        bare = known["published_low"].isna().all()  # its games are not known
        ends: Any = None if bare else [rate - 100 * known["published_low"],
                                       100 * known["published_high"] - rate]
        axes.errorbar(known["x"].astype(float), rate, yerr=ends, fmt="D", color=THEIRS, capsize=3,
                      label=f"published, {'from its text' if bare else 'with 95 % intervals'}")
    if best is not None:
        axes.axvline(best, color=THEIRS, linestyle=":",
                     label=f"published: best at about {best:g}")
