"""Cross-tables of games: agent by agent, or deck by deck, with 95 % intervals.

Agent by agent, rates and intervals are of pairs of games (rating.py). Deck by deck, all agents
together, they are of single games, as the two games of a pair may belong to two cells.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.errors import ConfigError, did_you_mean, quoted
from hsevo.strength import rating
from hsevo.strength.arena import Record, deck_pairs_table, estimate_columns, pairs_table

BY = ("agents", "decks")
VALUES = ("rate", "rate_low", "rate_high", "games")


def cells(record: Record, by: str = "agents") -> pd.DataFrame:
    """Return a line per cell: row, column, games, rate, rate_low, rate_high of row against column.

    by: "agents" or "decks"; a deck against itself, always 50 %, has no cell. Raises ConfigError.
    """
    if by not in BY:
        raise ConfigError(f"by is {quoted(by)}, but must be {' or '.join(BY)}"
                          f"{did_you_mean(by, BY)}")
    if by == "agents":
        found = pairs_table(record).rename(columns={"agent": "row", "opponent": "column"})
        return found[["row", "column", *VALUES]]
    games = deck_pairs_table(record).rename(columns={"deck": "row", "opponent_deck": "column"})
    games = games[games["row"] != games["column"]]
    sums = games.groupby(["row", "column"], as_index=False)[
        ["games", "losses", "draws", "wins"]].sum()
    rates = [rating.rate(np.array(line)) for line in
             sums[["losses", "draws", "wins"]].itertuples(index=False, name=None)]
    return sums.assign(**estimate_columns("rate", rates))[["row", "column", *VALUES]]


def crosstab(record: Record, by: str = "agents", values: str = "rate") -> pd.DataFrame:
    """Return one of VALUES of each row against each column; NaN where they did not meet.

    Rows and columns stand in the order of the line-up. Raises ConfigError.
    """
    if values not in VALUES:
        raise ConfigError(f"values is {quoted(values)}, but must be one of {', '.join(VALUES)}"
                          f"{did_you_mean(values, VALUES)}")
    lineup = record.lineup
    names = list(lineup.names) if by == "agents" else [deck.name for deck in lineup.decks]
    table = cells(record, by).pivot(index="row", columns="column", values=values)
    order = [name for name in names if name in table.index]
    found: pd.DataFrame = table.reindex(index=order, columns=[
        name for name in names if name in table.columns])
    return found.rename_axis(index=by.removesuffix("s"), columns="against")
