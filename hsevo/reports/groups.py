"""How solutions play by deck pair, and the groups that they fall into (the paper's section 5.4).

    weights --Ward's tree, cut by silhouette--> groups --rank-sum tests by deck pair--> p-values
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.errors import ConfigError
from hsevo.files import read_table
from hsevo.pictures import COLOURS, INK, Picture, picture, tip
from hsevo.play.tournament import wilson
from hsevo.reports.tables import PAIRS, two_sides
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

MOST_GROUPS = 7  # as many as there are colours that can be distinguished
MOST_SOLUTIONS = 5000
MOST_CUTS = 60  # that are tried: enough to see how the silhouette continues
ALPHA = 0.05
TESTS = ["first", "second", "deck", "opponent_deck", "n_first", "n_second", "median_first",
         "median_second", "superiority", "p"]
RECORD = ["agent", "deck", "opponent_deck", "games", "wins", "draws", "losses"]


@dataclass(frozen=True)
class Groups:
    """Ward's tree of n solutions and its cut."""

    tree: Array  # scipy's linkage (n - 1, 4)
    members: pd.DataFrame  # agent, group (from 1, in the order of the tree's leaves), leaf (from 0)
    silhouettes: pd.DataFrame  # groups, silhouette: the mean over solutions, at each cut tried


def cluster(agents: list[str], weights: Array, number: int | None = None) -> Groups | None:
    """Group solutions by Ward's method on Euclidean distances; None if fewer than four differ.

    agents: n names. weights: (n, k). number: of groups, 2 to MOST_GROUPS; by default, the tree is
    cut where the mean silhouette (Rousseeuw 1987) has its first peak as groups are parted further.
    That is where the paper's four groups are; of its solutions, the highest peak of all is at 42.
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list, ward
    from sklearn.metrics import silhouette_score

    if len(weights) > MOST_SOLUTIONS:
        raise ConfigError(f"{len(weights):,} solutions are too many to group, because Ward's"
                          " method needs the distances of all pairs; give at most"
                          f" {MOST_SOLUTIONS:,}")
    different = len(np.unique(weights, axis=0))
    if different < 4:
        return None
    tree, scores = ward(weights), {}
    for k in range(2, min(MOST_CUTS, different - 1) + 1):
        group = fcluster(tree, k, "maxclust")
        if group.max() == k:  # ties in height can leave fewer
            scores[k] = float(silhouette_score(weights, group))
    cut = fcluster(tree, number or first_peak(scores), "maxclust")
    members = pd.DataFrame({"agent": agents, "group": cut, "leaf": np.argsort(leaves_list(tree))})
    silhouettes = pd.DataFrame({"groups": list(scores), "silhouette": list(scores.values())})
    return Groups(tree, members, silhouettes)


def first_peak(scores: dict[int, float]) -> int:
    """Return the first number of groups that scores higher than the next, at most MOST_GROUPS."""
    tried = [k for k in scores if k <= MOST_GROUPS]
    for k, after in pairwise(tried):
        if scores[k] > scores[after]:
            return k
    return tried[-1] if tried else 2


def read_games(folder: Path) -> pd.DataFrame:
    """Read the games between the agents of a file (PAIRS), which have their names in the file.

    folder: of `hsevo arena --runs FILE`, or a tournament of version 0.5. Raises RunError.
    """
    columns = ["a", "b", "deck_a", "deck_b", "wins_a", "wins_b", "draws"]
    matches = folder / "matches.csv"
    if matches.exists():
        return two_sides(_table(matches, [*columns, "games"]))[PAIRS]
    table = _table(folder / "games.csv", [*columns, "faults"])
    table = table[table["faults"] == 0].assign(games=1)
    for side in ("a", "b"):
        table[side] = table[side].str.rpartition("#")[2].str.partition("?")[0]
    by = ["a", "b", "deck_a", "deck_b"]
    return two_sides(table.groupby(by, as_index=False, sort=False)[
        ["games", "wins_a", "wins_b", "draws"]].sum())[PAIRS]


def record(pairs: pd.DataFrame) -> pd.DataFrame:
    """Add up PAIRS to RECORD: each agent with each deck against each deck, whoever played it."""
    by = ["agent", "deck", "opponent_deck"]
    return pairs.groupby(by, as_index=False, sort=False)[["games", "wins", "draws", "losses"]].sum()


def deck_matrix(table: pd.DataFrame) -> pd.DataFrame:
    """Add up RECORD over agents: deck, opponent_deck, games, wins, draws, rate, low, high.

    rate: wins / games; low and high: its 95 % Wilson interval.
    """
    by = ["deck", "opponent_deck"]
    total = table.groupby(by, as_index=False, sort=False)[["games", "wins", "draws"]].sum()
    low, high = wilson(total["wins"], total["games"])
    return total.assign(rate=total["wins"] / total["games"], low=low, high=high)


def against_all(table: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    """Compare every two groups with the same deck against an arbitrary opponent (Fig. 9).

    table: RECORD. A sample is the win rates of a group's solutions with `deck` against
    `opponent_deck`. Returns TESTS and p_adjusted, a row a pair of groups and of
    decks; none where one of the groups has no such games.
    """
    rates = table.assign(rate=table["wins"] / table["games"]).merge(members, on="agent")
    rows = []
    for first, second in combinations(sorted(members["group"].unique()), 2):
        for (deck, opponent_deck), here in rates.groupby(["deck", "opponent_deck"], sort=False):
            samples = [here["rate"][here["group"] == group] for group in (first, second)]
            if all(len(sample) for sample in samples):  # not so of runs with other decks
                rows.append((first, second, deck, opponent_deck, *compare(*samples)))
    return _tests(rows)


def head_to_head(pairs: pd.DataFrame, members: pd.DataFrame) -> pd.DataFrame:
    """Compare every two groups in the games between them (Fig. 10).

    pairs: PAIRS. The samples are the win rates of the first group's solutions with `deck` against
    the second's with `opponent_deck`, and the other way round. Groups that never met are left out.
    Returns TESTS and p_adjusted.
    """
    group = members.set_index("agent")["group"]
    known = pairs[pairs["agent"].isin(group.index) & pairs["opponent"].isin(group.index)]
    known = known.assign(own=known["agent"].map(group), other=known["opponent"].map(group))
    total = known.groupby(["own", "other", "deck", "opponent_deck", "agent"], sort=False)[
        ["wins", "games"]].sum()
    rates = total["wins"] / total["games"]
    samples: dict[Any, Array] = {
        key: part.to_numpy() for key, part in
        rates.groupby(["own", "other", "deck", "opponent_deck"], sort=False)}
    rows = []
    for (first, second, deck, opponent_deck), sample in samples.items():
        if first < second:  # each two groups once
            rows.append((first, second, deck, opponent_deck,
                         *compare(sample, samples[second, first, opponent_deck, deck])))
    return _tests(sorted(rows, key=lambda row: row[:2]))


def compare(first: Any, second: Any) -> tuple[int, int, float, float, float, float]:
    """Return sizes and medians of two samples, superiority, and p of Wilcoxon's rank-sum test.

    superiority: how often one of the first is above one of the second, a tie counting half; 0.5
    says neither. p: two-sided; exact for small samples without ties, else scipy's normal one, and 1
    where all are equal, for which scipy 1.18 returns nan.
    """
    from scipy.stats import mannwhitneyu

    test = mannwhitneyu(first, second)
    n, m = len(first), len(second)
    same = len({*first, *second}) == 1
    return (n, m, float(np.median(first)), float(np.median(second)),
            float(test.statistic / (n * m)), 1.0 if same else float(test.pvalue))


def _tests(rows: list[Any]) -> pd.DataFrame:
    """Return a row a test, with p_adjusted: Benjamini and Hochberg's over all of the table."""
    from scipy.stats import false_discovery_control

    table = pd.DataFrame(rows, columns=TESTS)
    return table.assign(p_adjusted=false_discovery_control(table["p"]) if len(table) else [])


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    words = ("agent", "deck", "opponent_deck", "a", "b", "deck_a", "deck_b")
    return read_table(path, columns, words,
                      hint="; for a file of agents, make the games with hsevo arena --runs")


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
