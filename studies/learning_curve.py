"""The learning curve in the docs: games won against EVA after each period of osfp-small.

    python -m studies.learning_curve               draws it anew from the stored counts
    python -m studies.learning_curve RUN RUN       takes the counts from these run folders
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import pandas as pd

from hsevo.learning.folder import LearningRun
from hsevo.pictures import COLOURS, Picture, single
from hsevo.play.tournament import wilson
from studies import DATA, ROOT

if TYPE_CHECKING:
    from hsevo.pictures import Figure

COUNTS = DATA / "learning_curve.csv"
DRAWN = ROOT / "docs" / "pages" / "images" / "learning-curve.svg"
COLUMNS = ["seed", "period", "games", "wins"]
OPPONENT = "eva:2018"
INCHES = (4.6, 3.4)  # text of 10 points is 10.8 pixels high on a page that a phone shows


def counts(paths: list[Path]) -> pd.DataFrame:
    """Return COLUMNS of some runs: their measurements against OPPONENT."""
    runs = [LearningRun(path) for path in paths]
    table = pd.concat([run.table("references.csv").assign(seed=run.plan.seed) for run in runs])
    return table[table["opponent"] == OPPONENT][COLUMNS]


def stages(table: pd.DataFrame, periods: int = 5) -> pd.DataFrame:
    """Return the share of games won in every so many periods: seed, from (a period), share."""
    begin = (table["period"] // periods * periods).rename("from")
    sums = table.groupby(["seed", begin])[["wins", "games"]].sum()
    return (sums["wins"] / sums["games"]).rename("share").reset_index()


def picture(table: pd.DataFrame) -> Picture:
    """Draw a line for each seed, with Wilson's 95 % intervals as bands."""
    def draw(figure: Figure) -> None:
        figure.set_size_inches(INCHES)
        axes = figure.subplots()
        for colour, (seed, own) in zip(COLOURS, table.groupby("seed"), strict=False):
            low, high = wilson(own["wins"], own["games"])
            axes.fill_between(own["period"], 100 * low, 100 * high, color=colour, alpha=0.2,
                              linewidth=0)
            axes.plot(own["period"], 100 * own["wins"] / own["games"], color=colour,
                      label=f"seed {seed}")
        axes.set(xlabel="period", ylabel=f"games won against {OPPONENT} (%)",
                 xlim=(0, table["period"].max()))
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right")

    return single(draw)


@click.command()
@click.argument("runs", type=click.Path(path_type=Path), nargs=-1)
def main(runs: tuple[Path, ...]) -> None:
    """Take the counts of RUNS, if there are any; draw."""
    if runs:
        counts([*runs]).to_csv(COUNTS, index=False)
    DRAWN.write_bytes(picture(pd.read_csv(COUNTS)).svg)


if __name__ == "__main__":
    main()
