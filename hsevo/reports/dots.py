"""Pictures of ratings and of rates: dots with their intervals, in the order of their table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.pictures import COLOURS, INK, Picture, picture, tip
from hsevo.play.specs import short_names

if TYPE_CHECKING:
    from hsevo.pictures import Figure

OTHERS = COLOURS[6]  # grey: agents that the report is not about
MOST_RATES = 40  # rows of a picture
LABEL = 30  # characters of a name beside a picture


def ratings(table: pd.DataFrame, colours: dict[str, tuple[str, str]], label: str) -> Picture:
    """Draw ratings as dots with their 95 % intervals, in the order of place.

    table: columns place, name, rating, low, high (Elo), best first. colours: colour and legend of
    each agent that the report is about, by name; the others are grey. Ratings below the widest
    gap, if it is over twice as wide as the range above it, are written at the edge as numbers:
    with them, the axis would squeeze all others.
    """
    near = near_ones(table["rating"].to_numpy())
    labels = short_names(table["name"], LABEL).values()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for y, row in enumerate(table.to_dict("records")):
            colour = colours.get(row["name"], (OTHERS if colours else COLOURS[0], ""))[0]
            if y < near:
                axes.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=2.4)
                axes.plot(row["rating"], y, "o", color=colour, markersize=6)
            else:
                axes.text(0.01, y, f"← {row['rating']:+,.0f} ({row['low']:+,.0f} to"
                          f" {row['high']:+,.0f})", color=INK, fontsize=9, va="center",
                          transform=axes.get_yaxis_transform())
            tip(axes, None, (y - 0.5, y + 0.5), f"{row['name']}: {row['rating']:+,.0f}"
                f" ({row['low']:+,.0f} to {row['high']:+,.0f})")
        axes.set_yticks(range(len(table)), [f"{label}  {place}" for label, place in
                                            zip(labels, table["place"], strict=True)],
                        fontsize=9.5)
        for tick, name in zip(axes.get_yticklabels(), table["name"], strict=True):
            tick.set_fontweight("bold" if name in colours else "normal")
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:+,.0f}" if x else "0")
        axes.set_xlabel(label)
        axes.grid(axis="x")
        legend = {said: colour for colour, said in colours.values() if said}
        if len(legend) > 1:
            figure.legend(handles=[axes.plot([], [], "o-", color=colour, label=said)[0]
                                   for said, colour in legend.items()],
                          loc="outside lower center")

    return picture(draw, 1.0 + 0.27 * len(table))


def rates(table: pd.DataFrame, label: str) -> Picture:
    """Draw rates as dots with their 95 % intervals, one below the other, and a line at 50 %.

    table: columns name, rate, low, high (0 to 1), the first row on top.
    """
    labels = short_names(table["name"], LABEL).values()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for y, row in enumerate(table.to_dict("records")):
            value, low, high = (100 * row[name] for name in ("rate", "low", "high"))
            axes.plot([low, high], [y, y], color=COLOURS[0], linewidth=2.4)
            axes.plot(value, y, "o", color=COLOURS[0], markersize=6)
            tip(axes, None, (y - 0.5, y + 0.5), f"{row['name']}: {value:.1f} %"
                f" ({low:.1f} to {high:.1f})")
        axes.axvline(50, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(table)), [*labels], fontsize=9.5)
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(label)
        axes.grid(axis="x")

    return picture(draw, 1.0 + 0.27 * len(table))


def near_ones(values: Any) -> int:
    """Return how many of the falling values (n,) come before a gap, as in `ratings`."""
    gaps = -np.diff(values)
    i = int(gaps.argmax()) + 1 if len(gaps) else 0
    return i if i > 1 and gaps[i - 1] > 2 * (values[0] - values[i - 1]) else len(values)
