"""What the matches of a ladder say: rung against rung, step by step, and against other agents.

    pairs.csv (a row a match) --matrix(), steps(), others()--> tables --draw()--> picture
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.config.ladder import Ladder
from hsevo.pictures import Picture, single, wins_of
from hsevo.strength.intervals import of_matches
from hsevo.strength.rating import Estimate

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

PAIRS = ("rung_a", "seed_a", "rung_b", "seed_b", "games", "wins_a", "draws", "wins_b", "rate",
         "low", "high", "seed", "agents")
FEW = 8  # rungs whose cells have room for intervals


class Meeting(NamedTuple):
    """Two players that meet: their rungs and seeds; seed_b is None if rung_b is an agent."""

    rung_a: str
    seed_a: int
    rung_b: str
    seed_b: int | None

    @classmethod
    def of(cls, row: Mapping[Any, Any]) -> Meeting:
        """Return the meeting of a row of pairs.csv."""
        return cls(row["rung_a"], int(row["seed_a"]), row["rung_b"],
                   None if pd.isna(row["seed_b"]) else int(row["seed_b"]))

    def __str__(self) -> str:
        seed = "" if self.seed_b is None else f", seed {self.seed_b}"
        return f"{self.rung_a}, seed {self.seed_a}, against {self.rung_b}{seed}"

    def seed(self, match_seed: int) -> int:
        """Return the seed of their match, 32 bits: each match has deals of its own.

        It depends on who meets alone, so that other rungs and more seeds change no match.
        """
        text = "\0".join(map(str, (match_seed, *tuple(self))))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")


def meetings(ladder: Ladder) -> Iterator[Meeting]:
    """Yield all that meet, in order: the players of each rung, first, those of each earlier one;
    then each player the agents.
    """
    for earlier, later in combinations(ladder.rungs, 2):
        for seeds in product(ladder.seeds, repeat=2):
            yield Meeting(later, seeds[0], earlier, seeds[1])
    for rung, seed, agent in product(ladder.rungs, ladder.seeds, ladder.against):
        yield Meeting(rung, seed, agent, None)


def known(pairs: pd.DataFrame) -> dict[Meeting, Estimate]:
    """Return the rates of the matches in a table like pairs.csv, from the view of a."""
    return {Meeting.of(row): Estimate(row["rate"], row["low"], row["high"])
            for row in pairs.to_dict("records")}


def matrix(ladder: Ladder, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each rung against each other, a row for each ordered pair.

    pairs: columns PAIRS. Columns row, column; rate: the share of games, 0 to 1 with draws as half
    wins, that players of the row won, with the ends low and high of its 95 % interval over seeds
    (intervals.of_matches; with one seed, of the games of the one match); published: the rate in the
    source. NaN where matches are missing, or the source gives none.
    """
    met = known(pairs)
    lines = [(row, column, *_values(_between(ladder, met, row, column)),
              ladder.published_rate(row, column)) for row, column in permutations(ladder.rungs, 2)]
    return pd.DataFrame(lines, columns=["row", "column", "rate", "low", "high", "published"])


def steps(ladder: Ladder, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each rung against the one before it: is what it changes of use?

    Columns rung, before, changes (as --set takes them), rate, low, high, published as of `matrix`;
    decided: "better" or "worse" if the interval is above or below 1/2, else "open"; "" without all
    matches, and with one seed, whose luck nobody knows.
    """
    own = pd.DataFrame([(rung, before, ladder.changes(rung)) for before, rung in
                        pairwise(ladder.rungs)], columns=["rung", "before", "changes"])
    rates = matrix(ladder, pairs).rename(columns={"row": "rung", "column": "before"})
    table = own.merge(rates, "left", ["rung", "before"], validate="1:1")
    return table.assign(decided=np.select(
        [table["low"] > 0.5, table["high"] < 0.5, table["rate"].notna()],
        ["better", "worse", "open"], "") if len(ladder.seeds) > 1 else "")


def others(ladder: Ladder, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each rung against each agent of `against`.

    Columns rung, against, rate, low, high: the mean over seeds with its 95 % interval (Student's t
    over seeds; with one seed, of the games of the match). NaN where matches are missing.
    """
    met = known(pairs)
    lines = []
    for rung, agent in product(ladder.rungs, ladder.against):
        estimates = [met.get(Meeting(rung, seed, agent, None)) for seed in ladder.seeds]
        lines.append((rung, agent, *_values(of_matches([[estimate] for estimate in estimates]))))
    return pd.DataFrame(lines, columns=["rung", "against", "rate", "low", "high"])


def _between(ladder: Ladder, met: dict[Meeting, Estimate], row: str, column: str) -> Estimate:
    rungs = [*ladder.rungs]
    if rungs.index(row) < rungs.index(column):  # the later one is a
        mirrored = _between(ladder, met, column, row)
        return Estimate(1 - mirrored.value, 1 - mirrored.high, 1 - mirrored.low)
    return of_matches([[met.get(Meeting(row, seed_a, column, seed_b)) for seed_b in ladder.seeds]
                  for seed_a in ladder.seeds])


def _values(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def draw(table: pd.DataFrame, name: str = "") -> Picture:
    """Draw a table of `matrix` as a heat map, next to the published table, if there is one.

    name: the title.
    """
    rungs = [*dict.fromkeys(table["row"])]
    there = [which for which in ("rate", "published") if table[which].notna().any()] or ["rate"]

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, len(there), squeeze=False)[0]
        scale = wins_of(100 * table[there])
        for axes, which in zip(panels, there, strict=True):
            mesh = _map(axes, table, which, rungs, scale)
            axes.set_title("here" if which == "rate" else "published", fontsize="medium")
        bar: Any = figure.colorbar(mesh, ax=[*panels], location="bottom", shrink=0.6, aspect=40)
        bar.solids.set_edgecolor("face")  # no gaps between shades
        bar.set_label("win rate of the row against the column (%)")
        figure.suptitle(name)

    return single(paint)


def _map(axes: Axes, table: pd.DataFrame, which: str, rungs: list[str],
         scale: dict[str, Any]) -> Any:
    n = len(rungs)
    wide = table.pivot(index="row", columns="column", values=which)
    rates = 100 * wide.reindex(index=rungs, columns=rungs).to_numpy(np.float64)
    mesh = axes.pcolormesh(rates, **scale, edgecolors="white", linewidth=1)
    for row in table[table[which].notna()].to_dict("records") if n <= 2 * FEW else ():
        x, y = rungs.index(row["column"]) + 0.5, rungs.index(row["row"]) + 0.5
        ends = which == "rate" and n <= FEW
        axes.text(x, y - 0.12 * ends, f"{100 * row[which]:.0f}", ha="center", va="center",
                  fontsize=9 if n <= FEW else 6)
        if ends:
            axes.text(x, y + 0.25, f"{100 * row['low']:.0f} to {100 * row['high']:.0f}",
                      ha="center", va="center", fontsize=5.5)
    for ticks in (axes.set_xticks, axes.set_yticks):
        ticks(np.arange(n) + 0.5, rungs, fontsize=9 if n <= FEW else 6)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.set_aspect("equal")
    for spine in axes.spines.values():
        spine.set_visible(False)
    return mesh
