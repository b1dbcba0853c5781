"""The plot of a study: its curve with intervals, and the published values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from hsevo.pictures import Picture, single

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

OURS, THEIRS = "#0b5394", "#c25100"


def curve(table: pd.DataFrame, title: str, axis: str, best: float | None) -> Picture:
    """Draw a table of `studies.curve`.

    best: the best value according to the source, drawn as a dotted line.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _draw(axes, table, best)
        axes.set_title(title)
        axes.set_xlabel(axis)
        axes.set_ylabel("games won by player 0 (%)")
        axes.grid(alpha=0.3)
        figure.legend(loc="outside lower center", ncols=2)

    return single(draw)


def _draw(axes: Axes, table: pd.DataFrame, best: float | None) -> None:
    x, games = table["x"].astype(float), table["games"].iloc[0]
    band: list[Any] = [100 * table[end] for end in ("low", "high")]
    axes.fill_between(x, *band, color=OURS, alpha=0.2, linewidth=0, label="95 % interval")
    axes.plot(x, 100 * table["rate"], "o-", color=OURS, label=f"hsevo, {games:,} games per point")
    known = table[table["published"].notna()]
    if len(known):
        rate = 100 * known["published"]
        bare = known["published_low"].isna().all()  # the number of its games is not published
        ends: Any = None if bare else [rate - 100 * known["published_low"],
                                       100 * known["published_high"] - rate]
        axes.errorbar(known["x"].astype(float), rate, yerr=ends, fmt="D", color=THEIRS, capsize=3,
                      label=f"published, {'from its text' if bare else 'with 95 % intervals'}")
    if best is not None:
        axes.axvline(best, color=THEIRS, linestyle=":",
                     label=f"published: best at about {best:g}")
