"""How a search's best decks do against each deck of its field, and which mixture of them is best.

The games that chose the best deck say so: every one of the chosen played them. The mixture is that
of a game in which one player brings one of these decks, and the other any deck of the field.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.deckbuilding.confirm import CHOSEN
from hsevo.deckbuilding.folder import DeckRun
from hsevo.reports import maps
from hsevo.reports.exhibit import Exhibit, interval
from hsevo.seeds import Stream, generator
from hsevo.strength.weighted import interval as ends_of

Array: TypeAlias = npt.NDArray[Any]
RESAMPLES = 200
ENDS = (2.5, 97.5)  # percentiles


def mixture(rates: Array) -> tuple[Array, float]:
    """Return the shares (n,) of decks whose lowest rate is highest, and that rate.

    rates: (n, m) of n decks against each of m, 0 to 1. The optimal mixture of a zero-sum matrix
    game, by its linear program (von Neumann 1928).
    """
    from scipy.optimize import linprog  # half a second to import

    n, m = rates.shape
    found = linprog(np.append(np.zeros(n), -1.0), np.column_stack([-rates.T, np.ones(m)]),
                    np.zeros(m), np.append(np.ones(n), 0.0)[None], [1.0],
                    [(0, 1)] * (n + 1), method="highs")
    return np.abs(found.x[:n]), float(found.x[n])  # no minus before a 0


def met(run: DeckRun) -> pd.DataFrame:
    """Return the games that chose: deck, opponent_deck, games, rate, low, high; over all pilots.

    A deck that is in the field twice, in the hands of two agents, is two opponents.
    """
    rows, k = run.table("confirmed.csv"), len(run.field.decks)
    rows = rows[rows["stage"] == CHOSEN]
    names = [deck.name for deck in run.field.decks]
    names = [name if names.count(name) == 1 else f"{name} ({agent})"
             for name, agent in zip(names, run.field.played_by, strict=True)]
    rows = rows.assign(opponent_deck=np.tile(np.array(names, object), len(rows) // k))
    sums = rows.groupby(["deck", "opponent_deck"], sort=False)[["games", "wins", "draws"]].sum()
    rate = (sums["wins"] + sums["draws"] / 2) / sums["games"]
    low, high = ends_of(rate.to_numpy(), sums["games"].to_numpy())
    table: pd.DataFrame = sums[["games"]].assign(rate=rate, low=low, high=high).reset_index()
    return table


def sure(rates: Array, games: Array, shares: Array) -> float:
    """Return what a mixture wins at least, whatever the opponent, with a probability of 95 %.

    rates, games: (n, m); shares: (n,), as if they were fixed before these games. The least of the
    lower ends against m opponents, each of 1 - 0.05 / m (Bonferroni), of normal intervals.
    """
    m = rates.shape[1]
    worth = (rates * games + 1) / (games + 2)  # never 0 or 1, whose interval would have no width
    error = np.sqrt(shares**2 @ (worth * (1 - worth) / games))
    return float(np.min(shares @ rates - NormalDist().inv_cdf(1 - 0.05 / m) * error))


def exhibit(run: DeckRun, of: str, tag: str) -> list[Exhibit]:
    """Return the matrix with its mixture; nothing of a single deck."""
    table = met(run)
    decks, theirs = maps.decks_of(table)
    if len(decks) < 2:
        return []
    rates, games = (table.pivot(index="deck", columns="opponent_deck", values=name).reindex(
        index=decks, columns=theirs).to_numpy(np.float64) for name in ("rate", "games"))
    shares, least = mixture(rates)
    random = generator((run.plan.seed, Stream.DECK_CONFIRM))
    draw = np.vectorize(random.betavariate)
    again = [mixture(draw(rates * games + 0.5, (1 - rates) * games + 0.5))[0]
             for _ in range(RESAMPLES)]
    low, high = np.percentile(again, ENDS, axis=0)
    worst = table.loc[table.groupby("deck", sort=False)["rate"].idxmin()].to_dict("records")
    shown = pd.DataFrame([{
        "deck": deck, "share (%)": f"{100 * shares[i]:.0f} ({100 * low[i]:.0f} to"
                                   f" {100 * high[i]:.0f})",
        "worst against": row["opponent_deck"],
        "won there (%)": interval((100 * row["rate"], 100 * row["low"], 100 * row["high"]))}
        for i, (deck, row) in enumerate(zip(decks, worst, strict=True))])
    return [Exhibit(f"matrix{tag}", f"Best decks against each of the field{of}", (
        "Rates in the games that chose the best deck. In these games, a player who brings the decks"
        f" with the shares below wins {100 * least:.1f} % against the opponent that is worst for"
        " that, which is the most that any mixture does. Over other games, with these shares, it is"
        f" {100 * sure(rates, games, shares):.1f} % or more against every opponent, with a"
        " probability of 95 %, if one forgets that the same games chose the shares. Ends of shares"
        f" are those of {RESAMPLES} draws of all rates (Jeffreys)."), table,
        maps.deck_matrix(table), on_page=shown)]
