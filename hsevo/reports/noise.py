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

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from hsevo.errors import RunError
from hsevo.reports.tables import Evolutions, generations
from hsevo.types import Array

COLUMNS = ["series", "run", "execution", "generation", "who", "individuals", "observed", "noise",
           "binomial"]
COUNTS = ["wins", "draws", "losses"]
# Of a match and side: the columns of matches, as a and as b.
SIDES = {"agent": ("a", "b"), "opponent": ("b", "a"), "games": ("games", "games"),
         "wins": ("wins_a", "wins_b"), "draws": ("draws", "draws"), "losses": ("wins_b", "wins_a")}
MATCHES = ["a", "b", "games", "wins_a", "wins_b", "draws"]


def noise(data: Evolutions) -> pd.DataFrame:
    """Return variances of win rates (0 to 1, squared) by generation.

    A row for everyone of the generation ("field"), and one for the parents alone, whose fitness
    is measured again: the luck of these games has selected survivors, but not parents. Columns
    COLUMNS; observed: s^2 between individuals; noise: what luck alone gives, NaN if a match has
    one game; binomial: the plain estimate, NaN if an individual has one game. Raises RunError if
    matches are not there, or are not those of the population.
    """
    rows, people = [], data.population
    lines: dict[Any, Any] = {**people.groupby(["run", "execution", "generation"]).indices}
    # As arrays: a table of its own for each of a thousand generations takes a second.
    ids, born, counts = (people[name].to_numpy() for name in ("individual", "born", COUNTS))
    for label, run, execution, number in generations(data):
        here = lines[label, execution, number]
        sides = _sides(run.match_columns(execution, number, MATCHES))
        check(ids[here], counts[here], sides,
              f"{run.path} is damaged: execution {execution}, generation {number}")
        for who, group in (("field", here), ("parents", here[born[here] < number])):
            if len(group) > 1:
                rows.append((data.series[label], label, execution, number, who, len(group),
                             *variances(sides, ids[group])))
    return pd.DataFrame(rows, columns=COLUMNS)


def _sides(matches: Mapping[str, Array]) -> dict[str, Array]:
    """List every match twice, once as each side saw it, as `two_sides` does; arrays by name."""
    return {name: np.concatenate([matches[first], matches[second]])
            for name, (first, second) in SIDES.items()}


def check(ids: Array, counts: Array, sides: Mapping[str, Array], where: str) -> None:
    """Raise RunError, with `where` before it, unless matches give the wins, draws and losses.

    ids (n,) and counts (n, 3): of individuals. sides: COUNTS of a match and side, and agent.
    """
    order = np.argsort(ids)
    row = np.minimum(np.searchsorted(ids, sides["agent"], sorter=order), len(ids) - 1)
    own = ids[order[row]] == sides["agent"]  # and not of the hall of fame
    played = np.stack([np.bincount(order[row[own]], sides[name][own], len(ids))
                       for name in COUNTS], axis=1)
    wrong = np.flatnonzero((played != counts).any(axis=1))
    if len(wrong):
        raise RunError(f"{where}: the matches do not give the wins, draws and losses of individual"
                       f" {ids[wrong[0]]}; run hsevo verify for details")


def variances(sides: Mapping[str, Any], ids: Array) -> tuple[float, float, float]:
    """Return observed, noise and binomial variance of the win rates of `ids` (n >= 2).

    sides: columns agent, opponent, games, wins, a row a match and side.
    """
    own, order = np.isin(sides["agent"], ids), np.sort(ids)
    who, opponent, wins, games = (np.asarray(sides[name])[own] for name in (
        "agent", "opponent", "wins", "games"))
    agent = np.searchsorted(order, who)
    total = np.bincount(agent, games)
    rates = np.bincount(agent, wins) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        luck = np.where(games > 1, wins * (games - wins) / (games - 1), np.nan)
        plain = np.where(total > 1, rates * (1 - rates) / (total - 1), np.nan)
    alone = np.bincount(agent, luck) / total**2
    inside = np.isin(opponent, ids)
    rival = np.searchsorted(order, opponent[inside])
    shared = (luck[inside] / total[agent[inside]] / total[rival]).sum()
    n = len(ids)
    return (float(rates.var(ddof=1)), float(alone.mean() + shared / (n * (n - 1))),
            float(plain.mean()))


def share(table: pd.DataFrame) -> pd.DataFrame:
    """Average over executions: series, who, generation, observed, noise, binomial (variances).

    Where matches have one game, noise is the plain binomial variance.
    """
    table = table.assign(noise=table["noise"].fillna(table["binomial"]))
    return table.groupby(["series", "who", "generation"], as_index=False, sort=False)[
        ["observed", "noise", "binomial"]].mean()
