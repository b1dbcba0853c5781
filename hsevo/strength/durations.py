"""How long the games of a study were: a table and a picture of their turns, for some values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from hsevo.pictures import Picture, line_style, single
from hsevo.strength.intervals import rate_ends
from hsevo.strength.study_plans import Study, number
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Figure


def durations(study: Study, results: Array, played: Array) -> pd.DataFrame:
    """Return how many games of a study ended at each turn, for the values in its `durations`.

    results: match.RESULT (points, games). played: how many games of each point there are.
    Columns line, x; turns, the player turns of a game; games that had so many; share of the games
    at that value, 0 to 1, with its 95 % interval low, high (intervals.rate_ends). A number of turns
    that no game had has no row.
    """
    wanted, parts = study.durations or (), []
    for at, point in enumerate(study.points):
        if point.x in wanted:
            n = played[at]
            turns, games = np.unique(results["turns"][at, :n], return_counts=True)
            low, high = rate_ends(results["turns"][at, :n] == turns[:, None],
                                  np.full(len(turns), n), study.PAIR)
            line = {"line": point.line} if point.line else {}
            parts.append(pd.DataFrame(line | {
                "x": number(point.x), "turns": turns, "games": games, "share": games / n,
                "low": low, "high": high}))
    return pd.concat(parts, ignore_index=True)


def histogram(table: pd.DataFrame, title: str, axis: str) -> Picture:
    """Draw a table of `durations`: the share of games that ended at each turn, a line a value."""
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        curves = table.groupby([name for name in ("line", "x") if name in table], sort=False)
        for k, (names, part) in enumerate(curves):
            look = line_style(k)
            axes.fill_between(part["turns"], 100 * part["low"], 100 * part["high"],
                              color=look["color"], alpha=0.2, linewidth=0)
            axes.plot(part["turns"], 100 * part["share"], markersize=3, **look,
                      label=f"{' '.join(map(str, names))}: {part['games'].sum():,} games")
        axes.set_title(title)
        axes.set_xlabel("player turns per game")
        axes.set_ylabel("games that ended at this turn (%)")
        axes.grid(alpha=0.3)
        figure.legend(loc="outside lower center", ncols=2, title=f"{axis}; with 95 % intervals")

    return single(draw)
