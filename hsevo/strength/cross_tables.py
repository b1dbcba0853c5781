"""Cross-tables of games: agent by agent, or deck by deck, with 95 % intervals.

Rates and intervals are of pairs of games (rating.py); but deck by deck, where both agents of a pair
play both decks, its two games belong to two cells, and single games count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hsevo.errors import ConfigError, did_you_mean, quoted
from hsevo.strength import rating
from hsevo.strength.lineup import (
    PairedGames,
    deck_pairs_table,
    estimate_columns,
    pairs_table,
    sound,
)

if TYPE_CHECKING:
    import pandas as pd

BY = ("agents", "decks")
VALUES = ("rate", "rate_low", "rate_high", "games")
TEXT = "text"


def cells(record: PairedGames, by: str = "agents") -> pd.DataFrame:
    """Return a line per cell: row, column, games, rate, rate_low, rate_high of row against column.

    by: "agents" or "decks"; a deck against itself, always 50 %, has no cell. Raises ConfigError.
    """
    if by not in BY:
        raise ConfigError(f"by is {quoted(by)}, but must be {' or '.join(BY)}"
                          f"{did_you_mean(by, BY)}")
    if by == "agents":
        pairs = pairs_table(record).rename(columns={"agent": "row", "opponent": "column"})
        return pairs[["row", "column", *VALUES]]
    if _keep_decks(record):
        return _by_pairs(record)
    games = deck_pairs_table(record).rename(columns={"deck": "row", "opponent_deck": "column"})
    games = games[games["row"] != games["column"]]
    sums = games.groupby(["row", "column"], as_index=False)[
        ["games", "losses", "draws", "wins"]].sum()
    rates = [rating.rate(np.array(line)) for line in
             sums[["losses", "draws", "wins"]].itertuples(index=False, name=None)]
    return sums.assign(**estimate_columns("rate", rates))[["row", "column", *VALUES]]


def _keep_decks(record: PairedGames) -> bool:
    """Return whether the agents of each pair keep their decks (roster.py)."""
    first, second = record.rows[::2], record.rows[1::2]
    return bool((first["deck_a"] == second["deck_b"]).all()
                and (first["deck_b"] == second["deck_a"]).all())


def _by_pairs(record: PairedGames) -> pd.DataFrame:
    """Return the cells of decks by the points of pairs of games."""
    import pandas as pd

    decks = [deck.name for deck in record.lineup.decks]
    rows, results = record.rows, record.results
    counts = np.zeros((len(decks), len(decks), 5), np.int64)
    twice_a, twice_b = (2 * results[f"wins_{side}"] + results["draws"] for side in "ab")
    whole = sound(results)[::2]
    points = (twice_a[::2] + twice_b[1::2])[whole]
    decks_a, decks_b = rows["deck_a"][::2][whole], rows["deck_b"][::2][whole]
    np.add.at(counts, (decks_a, decks_b, points), 1)
    np.add.at(counts, (decks_b, decks_a, 4 - points), 1)
    met = [(i, j) for i, j in np.argwhere(counts.any(axis=2)).tolist() if i != j]
    rates = [rating.rate(counts[i, j]) for i, j in met]
    return pd.DataFrame({"row": [decks[i] for i, _ in met], "column": [decks[j] for _, j in met],
                         **estimate_columns("rate", rates),
                         "games": [2 * int(counts[i, j].sum()) for i, j in met]})


def crosstab(record: PairedGames, by: str = "agents", values: str = "rate") -> pd.DataFrame:
    """Return one of VALUES of each row against each column; NaN where they did not meet.

    TEXT instead: "43 (36-50)", the rate in whole per cent with its interval; "" where they did not
    meet. Rows and columns stand in the order of the line-up. Raises ConfigError.
    """
    if values not in (known := (*VALUES, TEXT)):
        raise ConfigError(f"values is {quoted(values)}, but must be one of {', '.join(known)}"
                          f"{did_you_mean(values, known)}")
    lineup = record.lineup
    names = list(lineup.names) if by == "agents" else [deck.name for deck in lineup.decks]
    long = cells(record, by)
    long[TEXT] = [f"{100 * rate:.0f} ({100 * low:.0f}-{100 * high:.0f})" for rate, low, high in
                  long[["rate", "rate_low", "rate_high"]].to_numpy()]
    table = long.pivot(index="row", columns="column", values=values)
    if values == TEXT:
        table = table.fillna("")
    order = [name for name in names if name in table.index]
    whole: pd.DataFrame = table.reindex(index=order, columns=[
        name for name in names if name in table.columns])
    return whole.rename_axis(index=by.removesuffix("s"), columns="against")
