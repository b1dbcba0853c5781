"""Pictures of groups of solutions: Ward's tree, and the silhouettes of its cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hsevo.pictures import COLOURS, INK, Picture, picture, tip
from hsevo.reports.groups import Groups

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure


def tree(groups: Groups) -> Picture:
    """Draw Ward's tree, its groups in colours."""
    return picture(lambda figure: draw_tree(figure.subplots(), groups), 3.7)


def silhouettes(groups: Groups) -> Picture:
    """Draw the mean silhouette of each cut of the tree, and which was made."""
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        scores, cut = groups.silhouettes, int(groups.members["group"].max())
        axes.plot(scores["groups"], scores["silhouette"], "o-", color=COLOURS[0], markersize=3)
        for number, score in zip(scores["groups"], scores["silhouette"], strict=True):
            tip(axes, (number - 0.5, number + 0.5), None, f"{number} groups: {score:.3f}")
        axes.axvline(cut, color=INK, linestyle=":", label=f"cut into {cut} groups")
        axes.set_xlabel("number of groups")
        axes.set_ylabel("mean silhouette")
        locator: Any = axes.xaxis.get_major_locator()
        locator.set_params(integer=True)
        axes.grid()
        figure.legend(loc="outside lower center")

    return picture(draw, 2.8)


def draw_tree(axes: Axes, groups: Groups) -> None:
    """Draw Ward's tree into axes, its groups in colours, with their numbers and sizes."""
    from scipy.cluster.hierarchy import dendrogram

    cut = int(groups.members["group"].max())
    of_leaf = groups.members.sort_values("leaf")["group"].to_numpy()
    shape = dendrogram(groups.tree, no_plot=True)
    height = _cut_height(groups, cut)
    for x, y in zip(shape["icoord"], shape["dcoord"], strict=True):
        leaf = min(int(x[0] // 10), len(of_leaf) - 1)
        colour = COLOURS[of_leaf[leaf] - 1] if y[1] <= height else INK
        axes.plot(x, y, color=colour, linewidth=1.1)
    axes.axhline(height, color=INK, linestyle=":", linewidth=0.9)
    for group in range(1, cut + 1):
        leaves = np.flatnonzero(of_leaf == group)
        axes.text(10 * leaves.mean() + 5, -0.03, f"#{group}\n{len(leaves)}", ha="center",
                  va="top", transform=axes.get_xaxis_transform(), fontsize=9)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.set_ylabel("distance (Ward)")
    axes.set_ylim(bottom=0)


def _cut_height(groups: Groups, cut: int) -> float:
    """Return a height between the merges that the cut leaves and those that it undoes."""
    heights = groups.tree[:, 2]
    return float(heights[-cut] + heights[1 - cut]) / 2 if cut <= len(heights) else 0.0
