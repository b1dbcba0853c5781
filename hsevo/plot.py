"""Pictures of a study: our curve with its 95 % band, and what was published beside it.

The one room that knows matplotlib, which takes half a second to import: on the first picture.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES, DPI = (8.0, 5.0), 150
OURS, THEIRS = "#0b5394", "#c25100"
# The same bytes from the same numbers: no time of day, and no random names inside an SVG. A title
# is no formula: dollar signs are dollar signs.
SAME: dict[Any, Any] = {"svg.hashsalt": "hsevo", "text.parse_math": False}


def curve(table: pd.DataFrame, title: str, axis: str, best: float | None,
          ending: Literal["svg", "png"]) -> bytes:
    """Draw a table of `studies.curve`; return the file, SVG or PNG (1,200 by 750 pixels).

    best: where the source says that the best is; a dotted line.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(SAME):
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        _draw(axes, table, best)
        axes.set_title(title)
        axes.set_xlabel(axis)
        axes.set_ylabel("games won by player 0 (%)")
        axes.grid(alpha=0.3)
        figure.legend(loc="outside lower center", ncols=2)
        file = io.BytesIO()
        figure.savefig(file, format=ending, dpi=DPI,
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
