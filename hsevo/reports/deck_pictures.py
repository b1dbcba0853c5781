"""Pictures of a search for decks: its course, the map, match-ups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.config.deckbuilding import SearchSettings
from hsevo.deckbuilding.features import AXES
from hsevo.pictures import COLOURS, INK, Picture, picture, tip
from hsevo.reports.maps import TICKS, draw_map, ticks

if TYPE_CHECKING:
    from hsevo.pictures import Figure

GAP = 1.03  # where the confirmed rates stand, in shares of all games


def course(tables: Mapping[str, pd.DataFrame], archives: Mapping[str, pd.DataFrame]) -> Picture:
    """Draw the rate of the best deck so far by games, and the confirmed one; a colour a run.

    tables: generations.csv by run; archives: archive.csv, empty until a run is done.
    """
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        most = max(table["games"].sum() for table in tables.values())
        for (label, table), colour in zip(tables.items(), COLOURS, strict=False):
            games = table["games"].cumsum()
            axes.plot(games, 100 * table["rate"], color=colour, label=label)
            axes.fill_between(games, 100 * table["rate_low"], 100 * table["rate_high"],
                              color=colour, alpha=0.15, linewidth=0)
            if len(archives[label]):
                row = archives[label].iloc[0]
                rate, low, high = (100 * row[f"confirmed_{name}"]
                                   for name in ("rate", "rate_low", "rate_high"))
                axes.vlines(GAP * most, low, high, color=colour)
                axes.plot([GAP * most], [rate], "o", color=colour)
                tip(axes, (most, 1.06 * most), (low, high),
                    f"{label}: confirmed {rate:.1f} % ({low:.1f} to {high:.1f})")
        axes.axhline(50, color=INK, linewidth=0.9, linestyle=":")
        axes.set_xlabel("games played")
        axes.set_ylabel("win rate of the best deck (%)")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.locator_params(axis="x", nbins=4)  # such numbers are wide
        axes.grid(axis="y")
        if len(tables) > 1:
            figure.legend(loc="outside lower center", ncols=1)

    return picture(draw, 3.4 + 0.25 * len(tables))


def deck_map(table: pd.DataFrame, search: SearchSettings, rate: str) -> Picture:
    """Draw the map of an archive.csv, a cell an elite, coloured by a column of rates.

    With sliding boundaries, shares of all decks stand at the ticks.
    """
    ends = search.ranges or tuple(AXES[name].ends for name in search.features)
    shares = [f"{share:.0%}" for share in np.linspace(0, 1, TICKS)]
    axes = [(AXES[name].title, shares if search.boundaries == "sliding" else ticks(pair))
            for name, pair in zip(search.features, ends, strict=True)]
    return draw_map(table, search.cells, axes, rate, lambda row: _words(row, rate))


def _words(row: Mapping[Any, Any], rate: str) -> str:
    low, high = (100 * row[f"{rate}_{end}"] for end in ("low", "high"))
    return (f"deck-{row['deck']}: {100 * row[rate]:.1f} % ({low:.1f} to {high:.1f}), mana"
            f" {row['mana']:.0f}, dust {row['dust']:,.0f}")


def match_ups(table: pd.DataFrame) -> Picture:
    """Draw rates against each deck of the field with intervals; a colour a pilot."""
    opponents = [*dict.fromkeys(table["opponent"])]
    pilots = [*dict.fromkeys(table["pilot"])]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for k, (pilot, colour) in enumerate(zip(pilots, COLOURS, strict=False)):
            here = table[table["pilot"] == pilot]
            at = np.array([opponents.index(name) for name in here["opponent"]], float)
            at += 0.5 * (k + 0.5) / len(pilots) - 0.25
            axes.hlines(at, 100 * here["low"], 100 * here["high"], color=colour)
            axes.plot(100 * here["rate"], at, "o", color=colour, label=pilot)
        axes.axvline(50, color=INK, linewidth=0.9, linestyle=":")
        axes.set_yticks(range(len(opponents)), labels=opponents)
        axes.invert_yaxis()
        axes.set_xlabel("win rate of the best deck (%)")
        axes.grid(axis="x")
        if len(pilots) > 1:
            figure.legend(loc="outside lower center", ncols=1)

    return picture(draw, 1.2 + 0.3 * len(opponents) + 0.25 * len(pilots))
