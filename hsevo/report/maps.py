"""Pictures of groups and deck pairs: the tree, and heat maps of rates and of p-values."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.plot import COLOURS, INK, Picture, colour_map, picture
from hsevo.report.groups import ALPHA, Groups

if TYPE_CHECKING:
    from hsevo.plot import Axes, Figure

BLACK = "#000000"  # on a cell, whose colour is light on every page
LEAST = 1e-4  # the p-value from which on a cell has its full colour
# From orange through white to blue, light enough for black text on every cell.
ENDS = ("#f0a04b", "#ffffff", "#6fb3de")


def tree(groups: Groups) -> Picture:
    """Draw Ward's tree, its groups in colours, and below it the silhouettes of the cuts."""
    def draw(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, height_ratios=(3, 1.6))
        _dendrogram(above, groups)
        scores, cut = groups.silhouettes, int(groups.members["group"].max())
        below.plot(scores["groups"], scores["silhouette"], "o-", color=COLOURS[0], markersize=3)
        below.axvline(cut, color=INK, linestyle=":", label=f"cut into {cut} groups")
        below.set_xlabel("groups")
        below.set_ylabel("mean silhouette")
        locator: Any = below.xaxis.get_major_locator()
        locator.set_params(integer=True)
        below.grid()
        below.legend()

    return picture(draw, 5.6)


def deck_matrix(table: pd.DataFrame) -> Picture:
    """Draw `groups.deck_matrix`: the share of games that the row's deck won."""
    decks = list(table["deck"].unique())

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        rates = 100 * _matrix(table, "rate", decks)
        far = max(abs(rates - 50).max(), 1)
        mesh = axes.pcolormesh(rates, cmap=colour_map(ENDS), vmin=50 - far, vmax=50 + far,
                               edgecolors="white", linewidth=2)
        for i, j in np.ndindex(rates.shape):
            axes.text(j + 0.5, i + 0.5, f"{rates[i, j]:.1f}", ha="center", va="center",
                      color=BLACK, fontsize=_text_size(len(decks)))
        _name_decks(axes, decks)
        axes.set_ylabel("deck")
        axes.set_xlabel("opponent's deck")
        figure.colorbar(mesh, ax=axes, label="games won (%)")

    return picture(draw, 3.4 if len(decks) < 5 else 4.6)


def behaviour(table: pd.DataFrame, n_groups: int, decks: list[str], columns: str) -> Picture:
    """Draw p-values of `groups.against_all` or `head_to_head`, a panel a pair of groups.

    columns: what the columns are. Blue: the first group is the better; orange: the second; the
    darker, the smaller p. Cells with p < ALPHA are framed.
    """
    couples = list(combinations(range(1, n_groups + 1), 2))
    few = len(decks) < 5
    across = min(3 if few else 2, len(couples))
    rows = -(-len(couples) // across)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(rows, across, squeeze=False).ravel()
        full = -np.log10(LEAST)
        for axes, (first, second) in zip(panels, couples, strict=False):
            here = table[(table["first"] == first) & (table["second"] == second)]
            p, better = (_matrix(here, name, decks) for name in ("p", "superiority"))
            shade = np.sign(better - 0.5) * -np.log10(np.maximum(p, LEAST))
            mesh = axes.pcolormesh(shade, cmap=colour_map(ENDS), vmin=-full, vmax=full,
                                   edgecolors="white", linewidth=1)
            _frame(axes, p < ALPHA)
            _name_decks(axes, decks)
            axes.set_title(f"#{first} and #{second}")
            axes.set_aspect("equal")
        for axes in panels[len(couples):]:
            axes.set_axis_off()
        bar = figure.colorbar(mesh, ax=list(panels), location="top", shrink=0.8, aspect=40,
                              label="second group better  ←  p of the test  →  first group better")
        bar.set_ticks([-4, -2, 0, 2, 4], labels=["≤ .0001", ".01", "1", ".01", "≤ .0001"])
        figure.supylabel("first group's deck", fontsize="medium")
        figure.supxlabel(columns, fontsize="medium")

    return picture(draw, 1.4 + (2.0 if few else 3.0) * rows)


def _dendrogram(axes: Axes, groups: Groups) -> None:
    from scipy.cluster.hierarchy import dendrogram

    cut = int(groups.members["group"].max())
    of_leaf = groups.members.sort_values("leaf")["group"].to_numpy()
    shape = dendrogram(groups.tree, no_plot=True)
    height = _cut_height(groups, cut)
    for x, y in zip(shape["icoord"], shape["dcoord"], strict=True):
        leaf = min(int(x[0] // 10), len(of_leaf) - 1)
        colour = COLOURS[(of_leaf[leaf] - 1) % len(COLOURS)] if y[1] <= height else INK
        axes.plot(x, y, color=colour, linewidth=1.1)
    axes.axhline(height, color=INK, linestyle=":", linewidth=0.9)
    for group in range(1, cut + 1):
        leaves = np.flatnonzero(of_leaf == group)
        axes.text(10 * leaves.mean() + 5, -0.03, f"#{group}\nn = {len(leaves)}", ha="center",
                  va="top", transform=axes.get_xaxis_transform(), fontsize=9)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_ylabel("distance (Ward)")
    axes.set_ylim(bottom=0)


def _cut_height(groups: Groups, cut: int) -> float:
    """Return a height between the merges that the cut leaves and those that it undoes."""
    heights = groups.tree[:, 2]
    return float(heights[-cut] + heights[1 - cut]) / 2 if cut <= len(heights) else 0.0


def _matrix(table: pd.DataFrame, value: str, decks: list[str]) -> Any:
    """Return (decks, opponent decks), NaN where there is no row."""
    wide = table.pivot(index="deck", columns="opponent_deck", values=value)
    return wide.reindex(index=decks, columns=decks).to_numpy(np.float64)


def _frame(axes: Axes, cells: Any) -> None:
    for i, j in zip(*np.nonzero(cells), strict=True):
        x, y = [j + 0.08, j + 0.92], [i + 0.08, i + 0.92]
        axes.plot([x[0], x[1], x[1], x[0], x[0]], [y[0], y[0], y[1], y[1], y[0]], color=BLACK,
                  linewidth=2.2)


def _name_decks(axes: Axes, decks: list[str]) -> None:
    size = _text_size(len(decks))
    axes.set_xticks(np.arange(len(decks)) + 0.5, decks, rotation=90 if len(decks) > 4 else 30,
                    fontsize=size, ha="center" if len(decks) > 4 else "right",
                    rotation_mode="anchor" if len(decks) <= 4 else "default")
    axes.set_yticks(np.arange(len(decks)) + 0.5, decks, fontsize=size)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    for spine in axes.spines.values():
        spine.set_visible(False)


def _text_size(n: int) -> float:
    return 9.0 if n < 5 else 7.0
