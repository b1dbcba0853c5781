"""What decks a policy builds, by period: how sure it is, which cards it takes, its typical decks.

    Drafts of a run --EXHIBITS--> Shown; compiled code builds decks with the run's checkpoints

At each of some checkpoints decks are drawn as in a match, without random-CB, with the same random
numbers: what differs between two periods is what was learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
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
from hsevo.reports import charts
from hsevo.reports.exhibit import Drawn, exhibit
from hsevo.runs.checkpoints import path_of

DECKS = 200  # of each class, with each checkpoint
SEED = 1  # of these decks
SHOWN = 12  # cards of a class on the page


@exhibit("picks", "Heroes picked")
def picks(run: LearningRun) -> Drawn:
    """Show how likely each class was picked after each period."""
    columns = [name for name in run.tables["learning.csv"].names if name.startswith(PICKS)]
    table = run.table("learning.csv").melt("period", columns, "class", "chance")
    table["class"] = table["class"].str.removeprefix(PICKS).str.title()
    return Drawn((
        "The chance of each class to be picked, after each period (PH; Figure 1 of Xiao and others,"
        " 2023)."), table, charts.picks(table))


Drafted: TypeAlias = dict[tuple[str, Class], Builds]  # by checkpoint and class


@dataclass(frozen=True)
class Drafts:
    """The decks that a run's policy builds. shown: the names of checkpoints."""

    run: LearningRun
    shown: Sequence[str]

    @cached_property
    def drawn(self) -> Drafted:
        """Some decks of each class and checkpoint. Raises RunError."""
        return {(name, one): building.drawn(
            checkpoints.read(path_of(self.run.path, name)).actor(), one, DECKS, SEED)
            for name in self.shown for one in self.classes}

    @property
    def classes(self) -> list[Class]:
        """The classes of the run's decks."""
        return sorted({Class[deck.hero] for deck in self.run.decks})


@exhibit("builds", "Entropy of its choices of cards")
def builds(drafts: Drafts) -> Drawn:
    """Show how sure the policy is of its choices."""
    sure = sureness(drafts.drawn)
    return Drawn((
        f"Of {DECKS} decks of each class, drawn as in a match, but without random-CB, and"
        " seeing nothing of an opponent: the mean entropy of a choice in bits (0: it always"
        " builds the same deck; a uniform choice among 500 cards has 9.0), and how many of the"
        " decks differ. They are the first that hsevo decks built writes."),
        sure, charts.builds(sure), on_page=sure)


@exhibit("cards", "Cards that it takes")
def cards(drafts: Drafts) -> Drawn:
    """Show how often each card is taken."""
    table = taken(drafts.drawn)
    return Drawn((
        f"Share of {DECKS} decks that have the card, in %, after each of these periods; the"
        f" {SHOWN} most frequent cards of each class at the end. All cards, with copies a deck,"
        " are in the file."), table, on_page=_wide(table, drafts.shown))


@exhibit("decks", "Its typical decks")
def decks(drafts: Drafts) -> Drawn:
    """Show the typical deck of each class after the last period."""
    typical = pd.DataFrame([{
        "class": building.title(one), **described(drafts.drawn[drafts.shown[-1], one].decks)}
        for one in drafts.classes])
    return Drawn((
        f"After the last period, of {DECKS} decks of each class the one that has most cards in"
        " common with all others; how many cards cost 0, 1 ... 7 and more mana; and the human"
        " deck with most cards in common. The file has the list of its cards."),
        typical, on_page=typical.drop(columns="cards"))


EXHIBITS = (builds, cards, decks)


def sureness(drawn: Drafted) -> pd.DataFrame:
    """Return the columns period, class, entropy (bits a choice), different (decks)."""
    return pd.DataFrame([
        {"period": int(charts.period_of(name)), "class": building.title(one),
         "entropy": float(builds.bits.mean()),
         "different": len({tuple(sorted(deck.cards)) for deck in builds.decks})}
        for (name, one), builds in drawn.items()])


def taken(drawn: Drafted) -> pd.DataFrame:
    """Return the columns period, class, card, decks (the share that has it), copies (a deck)."""
    parts = [building.cards_of(builds.decks).rename(columns={"share": "decks"})
             for builds in drawn.values()]
    for (name, _), part in zip(drawn, parts, strict=True):
        part.insert(0, "period", int(charts.period_of(name)))
    return pd.concat(parts, ignore_index=True)


def _wide(taken: pd.DataFrame, shown: Sequence[str]) -> pd.DataFrame:
    """Return the share in % of the last period's most frequent cards, a column a period."""
    last = taken[taken["period"] == int(charts.period_of(shown[-1]))]
    rows = last.sort_values(["class", "decks", "copies"], ascending=[True, False, False])
    rows = rows.groupby("class").head(SHOWN)[["class", "card"]]
    for name in shown:
        period = int(charts.period_of(name))
        own = taken[taken["period"] == period].set_index(["class", "card"])["decks"]
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
