"""How a search's best decks do against each deck of its field, and which mixture of them is best.

The games that chose the best deck say so: every one of the chosen played them. The mixture is that
of a game in which one player brings one of these decks, and the other any deck of the field.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.deckbuilding.confirm import CHOSEN
from hsevo.deckbuilding.folder import DeckRun
from hsevo.metagame.games import best_mixture, sure_of
from hsevo.reports import maps
from hsevo.reports.exhibit import Drawn, Exhibit, exhibit, percent
from hsevo.seeds import Stream, generator
from hsevo.strength.weighted import interval as ends_of

RESAMPLES = 200
ENDS = (2.5, 97.5)  # percentiles


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


@exhibit("matrix", "Best decks against each of the field")
def _matrix(run: DeckRun) -> Drawn | None:
    """Return the matrix with its mixture; nothing of a single deck."""
    table = met(run)
    decks, theirs = maps.decks_of(table)
    if len(decks) < 2:
        return None
    rates, games = (table.pivot(index="deck", columns="opponent_deck", values=name).reindex(
        index=decks, columns=theirs).to_numpy(np.float64) for name in ("rate", "games"))
    shares, least = best_mixture(rates)
    random = generator((run.plan.seed, Stream.DECK_CONFIRM))
    draw = np.vectorize(random.betavariate)
    again = [best_mixture(draw(rates * games + 0.5, (1 - rates) * games + 0.5))[0]
             for _ in range(RESAMPLES)]
    low, high = np.percentile(again, ENDS, axis=0)
    worst = table.loc[table.groupby("deck", sort=False)["rate"].idxmin()].to_dict("records")
    shown = pd.DataFrame([{
        "deck": deck, "share (%)": f"{100 * shares[i]:.0f} ({100 * low[i]:.0f} to"
                                   f" {100 * high[i]:.0f})",
        "worst against": row["opponent_deck"],
        "won there (%)": percent(row)}
        for i, (deck, row) in enumerate(zip(decks, worst, strict=True))])
    return Drawn((
        "Rates in the games that chose the best deck. In these games, a player who brings the decks"
        f" by the shares below wins {100 * least:.1f} % against the worst opponent for that, the"
        " most that any mixture does. For other games that is too high, as these chose the shares."
        f" With shares chosen by others, it would be {100 * sure_of(rates, games, shares):.1f} % or"
        " more against each opponent, with a probability of 95 %. Ends of shares are of"
        f" {RESAMPLES} draws of all rates (Jeffreys): a guide to how much they depend on luck."),
        table, maps.deck_matrix(table), on_page=shown)


MATRIX: Exhibit[DeckRun] = _matrix
