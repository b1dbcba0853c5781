"""How much of the differences in fitness is luck: from the matches of every generation.

A match of g games, of which an individual won w, has the binomial variance
V = g p (1 - p), with the unbiased estimate w (g - w) / (g - 1). Matches are independent (each has
seeds of its own), so that the luck in an individual's win rate, over G games in all, has the
variance sum(V) / G^2. What one wins the other loses, so that the luck of i and j is correlated,
with the covariance -V_ij / (G_i G_j), V_ij the sum over their matches. The variance s^2 between the
n win rates (divisor n - 1) is on average that of strength plus

    noise = mean_i( sum(V_i) / G_i^2 ) + sum_{i != j}( V_ij / (G_i G_j) ) / (n (n - 1))

The plain binomial, mean_i( r_i (1 - r_i) / (G_i - 1) ), takes all games of an individual as equally
hard; they are not, and it is larger. Draws are rare, and count as no win. With common random
numbers everyone shares the luck of the deals, which this does not know: then it is too large.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.errors import RunError
from hsevo.reports.tables import Evolutions, generations, two_sides

Array: TypeAlias = npt.NDArray[Any]
COLUMNS = ["series", "run", "execution", "generation", "who", "individuals", "observed", "noise",
           "binomial"]


def noise(data: Evolutions) -> pd.DataFrame:
    """Return variances of win rates (0 to 1, squared) by generation.

    A row for everyone of the generation ("field"), and one for the parents alone, whose fitness
    is drawn anew: survivors are chosen by the very luck in question, parents by older luck. Columns
    COLUMNS; observed: s^2 between individuals; noise: what luck alone gives, NaN if a match has
    one game; binomial: the plain estimate. Raises RunError if matches are not there, or are not
    those of the population.
    """
    rows = []
    people = dict(list(data.population.groupby(["run", "execution", "generation"])))
    for label, run, execution, number in generations(data):
        here = people[label, execution, number]
        sides = two_sides(run.matches(execution, number))
        check(here, sides, f"{run.path} is damaged: execution {execution}, generation {number}")
        parents = here[here["born"] < number]
        for who, group in (("field", here), ("parents", parents)):
            if len(group) > 1:
                rows.append((data.series[label], label, execution, number, who, len(group),
                             *variances(sides, group["individual"].to_numpy())))
    return pd.DataFrame(rows, columns=COLUMNS)


def check(people: pd.DataFrame, sides: pd.DataFrame, where: str) -> None:
    """Raise RunError, with `where` before it, unless matches give the wins, draws and losses.

    people: columns individual, wins, draws, losses. sides: PAIRS.
    """
    columns = ["wins", "draws", "losses"]
    played = sides.groupby("agent")[columns].sum().reindex(people["individual"], fill_value=0)
    stored = people.set_index("individual")[columns]
    wrong = (played != stored).any(axis=1)
    if wrong.any():
        raise RunError(f"{where}: the matches do not give the wins, draws and losses of individual"
                       f" {wrong.idxmax()}; hsevo verify tells more")


def variances(sides: pd.DataFrame, ids: Array) -> tuple[float, float, float]:
    """Return observed, noise and binomial variance of the win rates of `ids` (n >= 2).

    sides: columns agent, opponent, games, wins, a row a match and side.
    """
    own = sides[sides["agent"].isin(ids)]
    order = np.sort(ids)
    agent = np.searchsorted(order, own["agent"])
    wins, games = own["wins"].to_numpy(np.float64), own["games"].to_numpy(np.float64)
    total = np.bincount(agent, games)
    rates = np.bincount(agent, wins) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        luck = np.where(games > 1, wins * (games - wins) / (games - 1), np.nan)
    alone = np.bincount(agent, luck) / total**2
    inside = own["opponent"].isin(ids).to_numpy()
    rival = np.searchsorted(order, own["opponent"][inside])
    shared = (luck[inside] / total[agent[inside]] / total[rival]).sum()
    n = len(ids)
    return (float(rates.var(ddof=1)), float(alone.mean() + shared / (n * (n - 1))),
            float((rates * (1 - rates) / (total - 1)).mean()))


def share(table: pd.DataFrame) -> pd.DataFrame:
    """Average over executions: series, who, generation, observed, noise, binomial (variances).

    Where matches have one game, noise is the plain binomial variance.
    """
    table = table.assign(noise=table["noise"].fillna(table["binomial"]))
    return table.groupby(["series", "who", "generation"], as_index=False, sort=False)[
        ["observed", "noise", "binomial"]].mean()
