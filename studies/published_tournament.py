"""A tournament of the hundred published vectors, beside what its authors published of them.

    python -m studies.published_tournament FOLDER

FOLDER is what `hsevo arena --runs tests/data/published_2018.csv` wrote. Printed are the win
rates of every deck against every other with the paper's Table 4, and how the vectors' win rates
correlate with their published fitness. docs/figures.yml quotes what is printed.

A fitness counts victories against the other individuals of the same run, so it is compared within
runs only: rates and fitness less their means of the run.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from tests.support import DATA

PUBLISHED = DATA / "published_2018.csv"
GAMES = 3_420  # of a fitness: 19 opponents * 9 deck pairs * 20 games
TABLE_4 = {  # the row's victories against the column, in %, also over offspring that did not stay
    ("warrior", "warrior"): 57.72, ("warrior", "mage"): 73.15, ("warrior", "shaman"): 41.64,
    ("mage", "warrior"): 52.41, ("mage", "mage"): 65.28, ("mage", "shaman"): 58.12,
    ("shaman", "warrior"): 58.08, ("shaman", "mage"): 61.83, ("shaman", "shaman"): 48.95,
}  # fmt: skip


def deck_matrix(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return deck, opponent, rate and published, both in %, from a deck_pairs.csv."""
    sums = pairs.groupby(["deck", "opponent_deck"], sort=False)[["wins", "draws", "losses"]].sum()
    rates = 100 * sums["wins"] / sums.sum(axis=1)
    rows = [(*(name.partition("-")[0] for name in names), rate) for names, rate in rates.items()]
    table = pd.DataFrame(rows, columns=["deck", "opponent", "rate"])
    return table.assign(published=[TABLE_4[row[:2]] for row in rows])


def within_runs(agents: pd.DataFrame) -> pd.DataFrame:
    """Return rate and fitness of each agent less the means of its run; from an agents.csv."""
    published = pd.read_csv(PUBLISHED)
    names = [f"run-{run}-rank-{rank}" for run, rank in
             published[["run", "rank"]].itertuples(index=False)]
    both = agents.merge(published.assign(agent=names), on="agent")
    columns = both[["rate", "fitness"]]
    return columns - columns.groupby(both["run"]).transform("mean")


def reliability(values: pd.Series, noise: float, runs: int = 10) -> float:
    """Return the share of the variance of values less their runs' means that is no noise."""
    return max(0.0, 1 - noise / float((values**2).sum() / (len(values) - runs)))


def main(folder: Path) -> None:
    """Print the comparison."""
    print(deck_matrix(pd.read_csv(folder / "deck_pairs.csv")).round(2).to_string(index=False))
    agents = pd.read_csv(folder / "agents.csv")
    inner = within_runs(agents)
    games = int(agents[["wins", "draws", "losses"]].iloc[0].sum())
    ours = reliability(inner["rate"], 0.25 / games)
    theirs = reliability(inner["fitness"], 0.25 * GAMES)
    print(f"correlation within runs {inner['rate'].corr(inner['fitness']):.2f};"
          f" noise allows {np.sqrt(ours * theirs):.2f}"
          f" (reliability {ours:.2f} here, {theirs:.2f} published)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
