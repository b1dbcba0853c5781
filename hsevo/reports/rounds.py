"""The reports on folders of hsevo tournament and of hsevo study: their tables, with intervals.

    folders --TOURNAMENT, STUDY--> Section, Answer --> page.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import numpy as np
import pandas as pd

from hsevo.errors import RunError, names_or_count
from hsevo.files import read_table
from hsevo.pictures import picture
from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson
from hsevo.reports import dots, groups, maps
from hsevo.reports.exhibit import (
    Answer,
    Kind,
    Part,
    Shown,
    each_titled,
    exhibit,
    meanings,
    percent,
)
from hsevo.strength import curves
from hsevo.strength.study_plans import ABOUT, STUDIES

WON = "A rate is the share of games won, a draw is not; intervals are of 95 % (Wilson's)."
HEIGHT = 4.2  # inches of a curve
MOST_CELLS, MOST_WRITTEN = 24, 8  # agents a side in a picture of all pairs; in a table on the page
POINTS = ("games", "wins", "draws", "rate", "low", "high", "turns", "published", "published_low",
          "published_high")
COSTS = ("games", "decisions", "seconds", "per_game", "per_decision")
LENGTHS = ("turns", "games", "share", "low", "high")


def _rated(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with games and wins, and rate, low and high."""
    low, high = wilson(table["wins"], table["games"])
    return table.assign(rate=table["wins"] / table["games"], low=low, high=high)


# -- tournaments ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tournament:
    """A tournament by its tables, with rates; pairs: of agents, None of older versions."""

    path: Path
    standings: pd.DataFrame
    pairs: pd.DataFrame | None
    decks: pd.DataFrame
    by_deck: pd.DataFrame

    @classmethod
    def open(cls, path: Path) -> Tournament:
        """Read a folder of hsevo tournament. Raises RunError."""
        record, pairs = groups.read_tournament(path)
        if record.empty:
            raise RunError(f"{path} has no games yet")
        sums = ["games", "wins", "draws", "losses"]
        standings = _rated(record.groupby("agent", as_index=False, sort=False)[sums].sum())
        standings = standings.sort_values("rate", ascending=False, kind="stable",
                                          ignore_index=True)
        met = None if pairs is None else _rated(pairs.groupby(
            ["agent", "opponent"], as_index=False, sort=False)[sums].sum())
        decks = groups.deck_matrix(record)
        # Two equal decks win half of their games, draws aside: each game counts for both.
        decks.loc[decks["deck"] == decks["opponent_deck"], ["low", "high"]] = np.nan
        return cls(path, standings, met, decks, _rated(record))

    @property
    def names(self) -> dict[str, str]:
        """The short names of the agents."""
        return short_names(self.standings["agent"])


@exhibit("standings", "Standings")
def _standings(cup: Tournament) -> Shown:
    each, names = cup.standings, cup.names
    page = pd.DataFrame({
        "place": range(1, len(each) + 1), "agent": each["agent"].map(names),
        "won, % (95 %)": [percent(row) for row in each.to_dict("records")],
        **{name: each[name] for name in ("games", "wins", "draws", "losses")}})
    drawn = each.head(dots.MOST_RATES).assign(name=each["agent"].map(names))
    left = f" The first {dots.MOST_RATES} are drawn." if len(each) > dots.MOST_RATES else ""
    return Shown(f"All games of each agent. {WON} The first of many is in part the luckiest.{left}",
                 each, dots.rates(drawn, "games won (%)"), page, meanings(names))


@exhibit("pairs", "Each agent against each")
def _pairs(cup: Tournament) -> Shown | None:
    if cup.pairs is None or len(cup.standings) < 3:
        return None
    drawn = [*cup.standings["agent"]][:MOST_CELLS]
    here = cup.pairs[cup.pairs["agent"].isin(drawn) & cup.pairs["opponent"].isin(drawn)]
    cells = {(row["agent"], row["opponent"]): percent(row) for row in here.to_dict("records")}
    labels = [f"{cup.names[name]}  {place}" for place, name in enumerate(drawn, start=1)]
    crossed = pd.DataFrame({"won, % (95 %)": labels} | {f"against {place}": [
        cells.get((name, other), "") for name in drawn]
        for place, other in enumerate(drawn, start=1)})
    return Shown((
        f"Games of the row's agent against the column's, over all decks. {WON} Rows and columns are"
        " in the order of place."), cup.pairs, maps.pairs(_mapped(here), drawn, labels, ()),
        crossed if len(drawn) <= MOST_WRITTEN else None)


@exhibit("decks", "Each deck against each")
def _decks(cup: Tournament) -> Shown:
    whole = [*dict.fromkeys(cup.decks["deck"])]
    cells = {(row["deck"], row["opponent_deck"]): percent(row)
             for row in cup.decks.to_dict("records") if row["deck"] != row["opponent_deck"]}
    crossed = pd.DataFrame({"won, % (95 %)": whole} | {f"against {other}": [
        cells.get((deck, other), "") for deck in whole] for other in whole})
    return Shown((
        f"Games of the row's deck against the column's, whoever played it. {WON} A deck against"
        " itself wins half of what is not drawn, so no more is said of that."), cup.decks,
        maps.deck_maps([("all agents", _mapped(cup.decks))], whole) if len(whole) > 1 else None,
        crossed if len(whole) <= MOST_WRITTEN else None)


@exhibit("by-deck", "Each agent with each deck")
def _by_deck(cup: Tournament) -> Shown:
    table = cup.by_deck
    return Shown(f"Games of each agent with each of its decks against each deck. {WON}", table,
                 on_page=pd.DataFrame({
                     "agent": table["agent"].map(cup.names), "deck": table["deck"],
                     "against": table["opponent_deck"], "games": table["games"],
                     "won, % (95 %)": [percent(row) for row in table.to_dict("records")]}))


def _mapped(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its columns as maps name them."""
    return table.rename(columns={"low": "rate_low", "high": "rate_high"})


def _best(cup: Tournament) -> Answer:
    """Return the best agent, which is in part the luckiest."""
    each = cup.standings
    row = each.to_dict("records")[0]
    return Answer(row["agent"], [
        f"The best of {len(each)} agents by its share of games won. {WON} It was selected by this"
        " very share, which is therefore biased upwards."],
        [("the other agents", f"{percent(row, unit=' %')} of {row['games']:,} games")],
        {"agents": str(len(each)), "decks": names_or_count(cup.decks["deck"]),
         "games": f"{each['games'].sum() // 2:,}"},
        [(f"hsevo replay {quote(str(cup.path))}", "watch one of its games")],
        shown=cup.names[row["agent"]])


TOURNAMENT: Kind = Kind(
    "who won", Tournament.open,
    (Part("Tournament", (_standings, _pairs, _decks, _by_deck), each_titled, apart=True),),
    lambda data: [_best(cup) for cup in data.runs.values()])


# -- studies --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A study by its tables; None for those that its folder has not. best: that was published."""

    path: Path
    title: str
    axis: str
    side: str
    best: float | None
    curve: pd.DataFrame
    times: pd.DataFrame | None
    turns: pd.DataFrame | None

    @classmethod
    def open(cls, path: Path) -> Measured:
        """Read a folder of hsevo study. Raises RunError."""
        plan = ABOUT.read(path).get("study")
        kind = STUDIES.get(str(plan.get("study"))) if isinstance(plan, dict) else None
        if plan is None or kind is None:
            raise RunError(f"{path / ABOUT.name} is damaged: it does not say which study it is of")
        published = plan.get("published")
        best = published.get("best") if isinstance(published, dict) else None
        curve, times, turns = (
            read_table(file, columns, ("line", "x"), columns)
            if (file := path / f"{name}.csv").exists() else None
            for name, columns in (("curve", POINTS), ("times", COSTS), ("turns", LENGTHS)))
        if curve is None or curve.empty:
            raise RunError(f"{path} has no curve.csv yet; hsevo study goes on with it")
        return cls(path, str(plan.get("title")), str(plan.get("axis")), kind.SIDE,
                   best if isinstance(best, int | float) else None, curve, times, turns)

    @property
    def where(self) -> list[str]:
        """The columns that name a point."""
        return [name for name in ("line", "x") if name in self.curve]


@exhibit("curve")
def _curve(study: Measured) -> Shown:
    curve, rows = study.curve, study.curve.to_dict("records")
    page = curve[study.where].copy()
    page["games"] = curve["games"]
    page["won, % (95 %)"] = [percent(row) for row in rows]
    page["turns"] = curve["turns"]
    if curve["published"].notna().any():
        page["published, % (95 %)"] = [percent(row, "published") for row in rows]
    return Shown((
        f"Games won by {study.side}, of all games at each value of {study.axis}; a draw is"
        " not a win. 95 % intervals; turns: player turns of a game, on average."), curve,
        curves.curve(curve, "", study.axis, study.best, study.side,
                     lambda draw: picture(draw, HEIGHT)), page, title=study.title)


@exhibit("turns", "How long the games were")
def _turns(study: Measured) -> Shown | None:
    if (lengths := study.turns) is None:
        return None
    page = lengths[[*study.where, "turns", "games"]].copy()
    page["share, % (95 %)"] = [percent(row, "share") for row in lengths.to_dict("records")]
    return Shown("The share of games that ended at each player turn, with its 95 % interval.",
                 lengths, on_page=page)


@exhibit("times", "What the games cost")
def _times(study: Measured) -> Shown | None:
    if study.times is None:
        return None
    return Shown((
        "CPU time of both players, of the games that were timed: seconds in all and a game,"
        " milliseconds a decision."), study.times, on_page=study.times)


def _measured(study: Measured) -> Answer:
    """Return what a study measured, and what to do next."""
    curve, path = study.curve, study.path
    return Answer(study.title, [
        f"{len(curve)} points, {curve['games'].sum():,} games in all: the rate of"
        f" {study.side} at each value of {study.axis}."], next=[
        (f"hsevo study {quote(str(path / ABOUT.name))} --games N --out {quote(str(path))}",
         "play more games of each point")], title="Study", shown=study.title)


STUDY: Kind = Kind(
    "what was measured", Measured.open,
    (Part("Study", (_curve, _turns, _times), each_titled, apart=True),),
    lambda data: [_measured(study) for study in data.runs.values()])
