"""How soon an opponent's deck list is known: the study in docs/pages/results/hidden-lists.md.

    python -m studies.deck_guessing [GAMES]        plays, guesses, writes the tables, draws

In each of GAMES (150) games of seed SEED, eva:2018 plays two lists that are held out against each
other. After each own turn of a player, its list is guessed from the cards that its opponent saw it
play, reveal, discard or burn, by each method, from three databases:

    far     known lists alone: none has 25 cards in common with the true one
    near    all lists but the true one itself
    itself  all lists

A card counts as shown if it may be of the list: one that a text made counts for a copy that was not
shown. Intervals are those of a mean, with lists of one group as one cluster.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

import hsevo
from hsevo.cards import DeckDatabase
from hsevo.cards.tables import ids, index
from hsevo.pictures import COLOURS, Picture, single
from hsevo.play.events import What
from hsevo.play.guessing import METHODS, Guess, guess_from
from studies import DATA, ROOT

if TYPE_CHECKING:
    from hsevo.pictures import Figure

Array: TypeAlias = npt.NDArray[Any]

SEED, AGENT = 2026, "eva:2018"
TURNS = range(0, 13, 2)  # own turns; 0: before the first
SEEN = (What.PLAYED, What.REVEALED, What.DISCARDED, What.BURNED)
DATABASES = ("far", "near", "itself")
BINS = np.linspace(0, 1, 11)
BY_TURN, CALIBRATION = DATA / "deck_guessing.csv", DATA / "deck_guessing_calibration.csv"
DRAWN = ROOT / "docs" / "pages" / "images" / "deck-guessing.svg"
NAMES = {"likelihood": "likelihood", "match": "best match", "bigrams": "bigrams",
         "uniform": "no knowledge"}
INCHES = (4.6, 6.4)  # text of 10 points is 10.8 pixels high on a page that a phone shows


def shown_by_turn(game: Any, player: int, deck: Array) -> Iterator[list[int]]:
    """Yield the cards of a player's list that its opponent has seen before and after each turn."""
    left, shown = Counter(deck.tolist()), []
    yield []
    for event in game.events_for(1 - player):
        if event.player != player:
            continue
        card = index().get(event.card, 0)
        if event.what in SEEN and left[card] > 0:
            left[card] -= 1
            shown.append(card)
        if event.what is What.TURN_ENDED:
            yield list(shown)


def games(n: int) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield rows of the shipped database that are held out, each with what was shown by turn."""
    database = DeckDatabase.load()
    held = np.flatnonzero(database.facts["split"] == "held-out")
    rows = np.random.default_rng(SEED).permutation(held)[:2 * n].reshape(-1, 2)
    for seed, pair in enumerate(rows):
        game = hsevo.Game(*(database.facts["deck"].iloc[row] for row in pair),
                          players=[AGENT, AGENT], seed=seed)
        game.run()
        for player, row in enumerate(pair):
            yield int(row), [*shown_by_turn(game, player, database.decks[row])]


def known_for(row: int) -> dict[str, DeckDatabase]:
    """Return what is known in each case of DATABASES when a list is guessed."""
    whole = DeckDatabase.load()
    mine = np.flatnonzero(whole.classes == whole.classes[row])
    sides = whole.facts["split"].to_numpy(dtype=object)[mine]
    return {"far": whole.where(mine[sides == "known"]), "near": whole.where(mine[mine != row]),
            "itself": whole.where(mine)}


def measured(deck: Array, shown: list[int], guess: Guess,
             random: np.random.Generator) -> tuple[dict[str, float], Array]:
    """Return the numbers of one guess, and an array: each card's chance, and whether it came.

    right: share of the list's other cards among the as many most probable. Ties are broken at
    random.
    """
    chances = guess.cards
    left = Counter(deck.tolist()) - Counter(shown)
    copies = [left[card] for card in range(len(ids()))]
    came = np.stack([np.array(copies) > 0, np.array(copies) > 1], axis=1)
    hidden = len(deck) - len(shown)
    best = np.lexsort((random.random(chances.size), -chances.ravel()))[:hidden]
    numbers = {"shown": len(shown), "right": came.ravel()[best].mean() if hidden else 1.0}
    told = chances[:, 0] > 0
    return numbers, np.stack([chances[told, 0], came[told, 0]], axis=1)


def guesses(n: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a row for each guess, and how often cards came by the chance that they were given."""
    random, rows, told = np.random.default_rng(SEED), [], []
    groups = DeckDatabase.load().facts["group"]
    for row, by_turn in games(n):
        deck = DeckDatabase.load().decks[row]
        for where, database in known_for(row).items():
            for method in METHODS:
                for turn in (turn for turn in TURNS if turn < len(by_turn)):
                    guess = guess_from(database, by_turn[turn], method)
                    numbers, cards = measured(deck, by_turn[turn], guess, random)
                    key = {"database": where, "method": method, "group": groups.iloc[row]}
                    rows.append({**key, "turn": turn, **numbers})
                    told += [{**key, "bin": at, "cards": len(part), "chance": part[:, 0].sum(),
                              "came": part[:, 1].sum()} for at, part in enumerate(_in_bins(cards))]
    return pd.DataFrame(rows), calibrated(pd.DataFrame(told))


def calibrated(told: pd.DataFrame) -> pd.DataFrame:
    """Return how often cards came by database, method and bin, with 95 % intervals.

    told: cards, the sum of their chances and how many came, by these and by group, the cluster.
    """
    sums = told.groupby(["database", "method", "bin", "group"], sort=True)[
        ["cards", "chance", "came"]].sum().query("cards > 0")
    rows = []
    for key, part in sums.groupby(["database", "method", "bin"]):
        cards, came = part["cards"].sum(), part["came"].sum()
        error = 1.96 * float(np.sqrt(((part["came"] - came / cards * part["cards"])**2).sum()))
        rows.append((*key, cards, part["chance"].sum() / cards, came / cards,
                     (came - error) / cards, (came + error) / cards))
    return pd.DataFrame(rows, columns=["database", "method", "bin", "cards", "chance", "came",
                                       "came_low", "came_high"])


def _in_bins(cards: Array) -> list[Array]:
    at = np.minimum(np.digitize(cards[:, 0], BINS) - 1, len(BINS) - 2)
    return [cards[at == one] for one in range(len(BINS) - 1)]


def interval(values: Array, clusters: Array) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval, with clusters that are alike."""
    mean = float(np.mean(values))
    sums = pd.Series(values - mean).groupby(pd.Series(clusters)).sum()
    error = 1.96 * float(np.sqrt((sums**2).sum())) / len(values)
    return mean, mean - error, mean + error


def by_turn(table: pd.DataFrame) -> pd.DataFrame:
    """Return the means by database, method and turn, with intervals."""
    rows = []
    for key, part in table.groupby(["database", "method", "turn"], sort=True):
        row = dict(zip(("database", "method", "turn"), key, strict=True))
        row |= {"lists": len(part), "shown": part["shown"].mean()}
        ends = interval(part["right"].to_numpy(), part["group"].to_numpy())
        rows.append(row | dict(zip(("right", "right_low", "right_high"), ends, strict=True)))
    return pd.DataFrame(rows).round(5)


def picture(turns: pd.DataFrame, calibration: pd.DataFrame) -> Picture:
    """Draw the share of cards guessed right by turn, and the calibration of the likelihood."""
    def draw(figure: Figure) -> None:
        figure.set_size_inches(INCHES)
        above, below = figure.subplots(2)
        for colour, (method, name) in zip(COLOURS, NAMES.items(), strict=False):
            for where, style in (("far", "-"), ("itself", "--")):
                own = turns[(turns["method"] == method) & (turns["database"] == where)]
                if where == "far":
                    above.fill_between(own["turn"], 100 * own["right_low"],
                                       100 * own["right_high"], color=colour, alpha=0.2,
                                       linewidth=0)
                if method != "uniform" or where == "far":
                    above.plot(own["turn"], 100 * own["right"], style, color=colour,
                               label=name if where == "far" else None)
        above.set(xlabel="own turns of the player", ylabel="other cards guessed right (%)",
                  xlim=(0, max(TURNS)), ylim=(0, 100))
        above.legend(loc="upper left", fontsize=8)
        below.plot([0, 100], [0, 100], color="grey", linewidth=0.8)
        for colour, where in zip(COLOURS, DATABASES, strict=False):
            own = calibration[(calibration["method"] == "likelihood")
                              & (calibration["database"] == where)]
            below.fill_between(100 * own["chance"], 100 * own["came_low"],
                               100 * own["came_high"], color=colour, alpha=0.2, linewidth=0)
            below.plot(100 * own["chance"], 100 * own["came"], "o-", markersize=3, color=colour,
                       label=where)
        below.set(xlabel="chance given to a card by likelihood (%)",
                  ylabel="how often it was there (%)", xlim=(0, 100), ylim=(0, 100))
        below.legend(loc="upper left", fontsize=8)
        for axes in (above, below):
            axes.grid(alpha=0.3)

    return single(draw)


def percent(row: pd.Series, name: str) -> str:
    """Return a mean and its interval, in per cent."""
    low, high = (100 * row[f"{name}_{end}"] for end in ("low", "high"))
    return f"{100 * row[name]:.1f} % ({max(low, 0):.1f} to {min(high, 100):.1f})"


def text(turns: pd.DataFrame, calibration: pd.DataFrame) -> str:
    """Return both tables as Markdown, with what the docs quote."""
    lines = ["| known | method | after turn 2 | turn 4 | turn 6 | turn 8 |",
             "|---|---|---|---|---|---|"]
    at = turns.set_index(["database", "method", "turn"])
    for where in DATABASES:
        for method, name in NAMES.items():
            if method != "uniform" or where == "far":
                cells = [percent(at.loc[(where, method, turn)], "right") for turn in (2, 4, 6, 8)]
                lines.append(f"| {where} | {name} | {' | '.join(cells)} |")
    lines += ["", "| known | method | predicted 20 to 30 % | predicted 50 to 60 % | predicted 90 %"
              " or more |",
              "|---|---|---|---|---|"]
    bins = calibration.set_index(["database", "method", "bin"])
    for where in DATABASES:
        for method in ("likelihood", "match", "bigrams"):
            cells = [percent(bins.loc[(where, method, one)], "came") for one in (2, 5, 9)]
            lines.append(f"| {where} | {NAMES[method]} | {' | '.join(cells)} |")
    lists, shown = at.loc[("far", "likelihood", 0), "lists"], at.loc[("far", "likelihood")]["shown"]
    return "\n".join([*lines, "", f"lists: {int(lists):,}; cards shown after turn 2, 4, 6, 8:"
                      f" {', '.join(f'{shown[turn]:.1f}' for turn in (2, 4, 6, 8))}"])


def main() -> None:
    """Measure, write the tables, draw, print."""
    table, calibration = guesses(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
    turns, calibration = by_turn(table), calibration.round(5)
    turns.to_csv(BY_TURN, index=False)
    calibration.to_csv(CALIBRATION, index=False)
    DRAWN.write_bytes(picture(turns, calibration).svg)
    print(text(turns, calibration))


if __name__ == "__main__":
    main()
