"""What decks a policy builds, by period: how sure it is, which cards it takes, its typical decks.

    section(run)            of a report; compiled code builds decks with the run's checkpoints

At each of some checkpoints decks are drawn as in a match, without random-CB, with the same random
numbers: what differs between two periods is what was learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.analysis import building
from hsevo.analysis.building import LATE, Builds
from hsevo.cards import tables
from hsevo.cards.decks import SIZE, Deck, as_code
from hsevo.cards.terms import Class
from hsevo.errors import DeckError
from hsevo.learning.acting import checkpoints
from hsevo.learning.folder import PICKS, LearningRun
from hsevo.reports import courses
from hsevo.reports.exhibit import Exhibit, Section
from hsevo.runs.checkpoints import path_of

DECKS = 200  # of each class, with each checkpoint
SEED = 1  # of these decks
SHOWN = 12  # cards of a class on the page


def picks(run: LearningRun, label: str, many: bool) -> Exhibit:
    """Return how likely each class was picked after each period; see `section`."""
    columns = [name for name in run.columns if name.startswith(PICKS)]
    table = run.table("learning.csv").melt("period", columns, "class", "chance")
    table["class"] = table["class"].str.removeprefix(PICKS).str.title()
    return Exhibit("picks" + f"-{label}" * many, "Heroes picked" + f" of {label}" * many, (
        "The chance of each class to be picked, after each period (PH; Figure 1 of Xiao and others,"
        " 2023)."), table, courses.picks(table))


def section(run: LearningRun, label: str, shown: Sequence[str], many: bool) -> Section:
    """Return the section of a run whose policy builds its decks.

    shown: the names of checkpoints. many: whether the report has other runs. Raises RunError.
    """
    classes = sorted({Class[deck.hero] for deck in run.decks})
    drawn = {(name, one): building.drawn(checkpoints.read(path_of(run.path, name)).actor(), one,
                                         DECKS, SEED) for name in shown for one in classes}
    sure, cards = sureness(drawn), taken(drawn)
    typical = pd.DataFrame([{"class": building.title(one), **described(drawn[shown[-1], one].decks)}
                            for one in classes])
    end = f"-{label}" if many else ""
    of = f" of {label}" * many
    return Section(f"Decks that it builds{of}", [
        Exhibit(f"builds{end}", f"Entropy of its choices of cards{of}", (
            f"Of {DECKS} decks of each class, drawn as in a match, but without random-CB, and"
            " seeing nothing of an opponent: the mean entropy of a choice in bits (0: it always"
            " builds the same deck; a uniform choice among 500 cards has 9.0), and how many of the"
            " decks differ. They are the first that hsevo decks built writes."),
            sure, courses.builds(sure), on_page=sure),
        Exhibit(f"cards{end}", f"Cards that it takes{of}", (
            f"Share of {DECKS} decks that have the card, in %, after each of these periods; the"
            f" {SHOWN} most frequent cards of each class at the end. All cards, with copies a deck,"
            " are in the file."), cards, on_page=_wide(cards, shown)),
        Exhibit(f"decks{end}", f"Its typical decks{of}", (
            f"After the last period, of {DECKS} decks of each class the one that has most cards in"
            " common with all others; how many cards cost 0, 1 ... 7 and more mana; and the human"
            " deck with most cards in common. The file has the list of its cards."),
            typical, on_page=typical.drop(columns="cards"))])


Drawn: TypeAlias = dict[tuple[str, Class], Builds]  # by checkpoint and class


def sureness(drawn: Drawn) -> pd.DataFrame:
    """Return the columns period, class, entropy (bits a choice), different (decks)."""
    return pd.DataFrame([
        {"period": int(courses.period_of(name)), "class": building.title(one),
         "entropy": float(builds.bits.mean()),
         "different": len({tuple(sorted(deck.cards)) for deck in builds.decks})}
        for (name, one), builds in drawn.items()])


def taken(drawn: Drawn) -> pd.DataFrame:
    """Return the columns period, class, card, decks (the share that has it), copies (a deck)."""
    parts = [building.cards_of(builds.decks).rename(columns={"share": "decks"})
             for builds in drawn.values()]
    for (name, _), part in zip(drawn, parts, strict=True):
        part.insert(0, "period", int(courses.period_of(name)))
    return pd.concat(parts, ignore_index=True)


def _wide(cards: pd.DataFrame, shown: Sequence[str]) -> pd.DataFrame:
    """Return the share in % of the last period's most frequent cards, a column a period."""
    last = cards[cards["period"] == int(courses.period_of(shown[-1]))]
    rows = last.sort_values(["class", "decks", "copies"], ascending=[True, False, False])
    rows = rows.groupby("class").head(SHOWN)[["class", "card"]]
    for name in shown:
        period = int(courses.period_of(name))
        own = cards[cards["period"] == period].set_index(["class", "card"])["decks"]
        rows[f"period {period}"] = [f"{100 * own.get((one, card), 0.0):.0f}" for one, card in zip(
            rows["class"], rows["card"], strict=True)]
    return rows.reset_index(drop=True)


def described(decks: Sequence[Deck]) -> dict[str, Any]:
    """Return what is typical of decks of a class: code, curve, nearest (human deck), cards."""
    typical = _typical(decks)
    costs = Counter(min(tables.every_card()[id].cost, LATE) for id in typical.cards)
    listed = Counter(sorted(typical.cards, key=lambda id: (tables.every_card()[id].cost, id)))
    return {"code": as_code(typical),
            "curve": " ".join(str(costs[cost]) for cost in range(LATE + 1)),
            "nearest human deck": nearest(typical),
            "cards": ", ".join(f"{times} {_name(id)}" for id, times in listed.items())}


def _typical(decks: Sequence[Deck]) -> Deck:
    """Return the deck that has most cards in common with all; of several, the first."""
    names = sorted({id for deck in decks for id in deck.cards})
    counts = np.array([[deck.cards.count(id) for id in names] for deck in decks])
    shared = sum((counts >= copy) @ (counts >= copy).astype(int).sum(0) for copy in (1, 2))
    return decks[int(np.argmax(shared))]


def nearest(deck: Deck) -> str:
    """Return the human deck of the class with most cards in common, in words; "" if none has any.
    """
    try:
        (shared,), lists = building.nearest([deck])
    except (DeckError, KeyError):  # cards that no human deck has
        return ""
    row = lists.iloc[0]
    return f"{row['archetype']} ({row['deck']}), {shared} of {SIZE} cards" if shared else ""


def _name(id: str) -> str:
    return tables.every_card()[id].name
