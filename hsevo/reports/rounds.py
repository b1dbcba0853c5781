"""The reports on folders of hsevo tournament and of hsevo study: their tables, with intervals.

    folders --load--> Folders --sections, answers--> Section, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd

from hsevo.errors import RunError, names_or_count
from hsevo.files import read_table
from hsevo.pictures import picture
from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson
from hsevo.reports import dots, groups, maps
from hsevo.reports.answer import Answer
from hsevo.reports.deck_searches import labelled
from hsevo.reports.exhibit import Exhibit, Section, meanings, percent
from hsevo.strength import curves
from hsevo.strength.study_plans import ABOUT, STUDIES

WON = "A rate is the share of games won, a draw is not; intervals are of 95 % (Wilson's)."
HEIGHT = 4.2  # inches of a curve
MOST_CELLS, MOST_WRITTEN = 24, 8  # agents a side in a picture of all pairs; in a table on the page
POINTS = ("games", "wins", "draws", "rate", "low", "high", "turns", "published", "published_low",
          "published_high")
COSTS = ("games", "decisions", "seconds", "per_game", "per_decision")
LENGTHS = ("turns", "games", "share", "low", "high")


@dataclass(frozen=True)
class Folders:
    """Folders by their labels, each with its tables by their names."""

    folders: dict[str, tuple[Path, dict[str, Any]]]
    runs: dict[str, Any] = field(default_factory=dict)  # they are none
    series: dict[str, str] = field(default_factory=dict)

    def sections(self, draw: Callable[[dict[str, Any]], list[Exhibit]],
                 say: Callable[[str], object]) -> list[Section]:
        """Return a section for each folder. say: called with its name before it is drawn."""
        found = []
        for number, (label, (_, tables)) in enumerate(self.folders.items(), start=1):
            say(label)
            ending = f"-{number}" if len(self.folders) > 1 else ""
            found.append(Section(label, [
                Exhibit(f"{one.name}{ending}", one.title, one.caption, one.table, one.picture,
                        one.on_page, one.terms) for one in draw(tables)]))
        return found


def _load(paths: Sequence[Path], names: Sequence[str],
          read: Callable[[Path], dict[str, Any]]) -> Folders:
    return Folders({label: (path, read(path))
                    for label, path in zip(labelled(paths, names), paths, strict=True)})


def _rated(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with games and wins, and rate, low and high."""
    low, high = wilson(table["wins"], table["games"])
    return table.assign(rate=table["wins"] / table["games"], low=low, high=high)


# -- tournaments ----------------------------------------------------------------------------------


def load_tournaments(paths: Sequence[Path], names: Sequence[str] = ()) -> Folders:
    """Read folders of hsevo tournament. Raises RunError, ConfigError."""
    return _load(paths, names, _tournament)


def _tournament(path: Path) -> dict[str, Any]:
    record, pairs = groups.read_tournament(path)
    if record.empty:
        raise RunError(f"{path} has no games yet")
    sums = ["games", "wins", "draws", "losses"]
    each = _rated(record.groupby("agent", as_index=False, sort=False)[sums].sum())
    each = each.sort_values("rate", ascending=False, kind="stable", ignore_index=True)
    met = None if pairs is None else _rated(pairs.groupby(
        ["agent", "opponent"], as_index=False, sort=False)[sums].sum())
    decks = groups.deck_matrix(record)
    # Two equal decks win half of their games, draws aside: each game counts for both.
    decks.loc[decks["deck"] == decks["opponent_deck"], ["low", "high"]] = np.nan
    return {"standings": each, "pairs": met, "decks": decks,
            "by-deck": _rated(record)}


def tournament_exhibits(tables: dict[str, Any]) -> list[Exhibit]:
    """Return the exhibits of a tournament: standings, pairs of agents, pairs of decks."""
    each, met, decks = (tables[name] for name in ("standings", "pairs", "decks"))
    names, order = short_names(each["agent"]), [*each["agent"]]
    page = pd.DataFrame({
        "place": range(1, len(each) + 1), "agent": each["agent"].map(names),
        "won, % (95 %)": [percent(row) for row in each.to_dict("records")],
        **{name: each[name] for name in ("games", "wins", "draws", "losses")}})
    drawn = each.head(dots.MOST_RATES).assign(name=each["agent"].map(names))
    left = f" The first {dots.MOST_RATES} are drawn." if len(each) > dots.MOST_RATES else ""
    found = [Exhibit("standings", "Standings", (
        f"All games of each agent. {WON} The first of many is in part the luckiest.{left}"), each,
        dots.rates(drawn, "games won (%)"), page, meanings(names))]
    if met is not None and len(order) > 2:
        found.append(_pairs(met, order[:MOST_CELLS], names))
    whole = [*dict.fromkeys(decks["deck"])]
    cells = {(row["deck"], row["opponent_deck"]): percent(row)
             for row in decks.to_dict("records") if row["deck"] != row["opponent_deck"]}
    crossed = pd.DataFrame({"won, % (95 %)": whole} | {f"against {other}": [
        cells.get((deck, other), "") for deck in whole] for other in whole})
    found.append(Exhibit("decks", "Each deck against each", (
        f"Games of the row's deck against the column's, whoever played it. {WON} A deck against"
        " itself wins half of what is not drawn, so no more is said of that."), decks,
        maps.deck_maps([("all agents", _mapped(decks))], whole) if len(whole) > 1 else None,
        crossed if len(whole) <= MOST_WRITTEN else None))
    return [*found, Exhibit("by-deck", "Each agent with each deck", (
        f"Games of each agent with each of its decks against each deck. {WON}"),
        tables["by-deck"], on_page=_by_deck(tables["by-deck"], names))]


def _pairs(met: pd.DataFrame, drawn: Sequence[str], names: dict[str, str]) -> Exhibit:
    here = met[met["agent"].isin(drawn) & met["opponent"].isin(drawn)]
    cells = {(row["agent"], row["opponent"]): percent(row) for row in here.to_dict("records")}
    labels = [f"{names[name]}  {place}" for place, name in enumerate(drawn, start=1)]
    crossed = pd.DataFrame({"won, % (95 %)": labels} | {f"against {place}": [
        cells.get((name, other), "") for name in drawn]
        for place, other in enumerate(drawn, start=1)})
    return Exhibit("pairs", "Each agent against each", (
        f"Games of the row's agent against the column's, over all decks. {WON} Rows and columns are"
        " in the order of place."), met, maps.pairs(_mapped(here), [*drawn], labels, ()),
        crossed if len(drawn) <= MOST_WRITTEN else None)


def _mapped(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its columns as maps name them."""
    return table.rename(columns={"low": "rate_low", "high": "rate_high"})


def _by_deck(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({
        "agent": table["agent"].map(names), "deck": table["deck"],
        "against": table["opponent_deck"], "games": table["games"],
        "won, % (95 %)": [percent(row) for row in table.to_dict("records")]})


def tournament_answers(data: Folders) -> list[Answer]:
    """Return an answer a tournament: its best agent, which is in part the luckiest."""
    return [_best(path, tables) for path, tables in data.folders.values()]


def _best(path: Path, tables: dict[str, Any]) -> Answer:
    each = tables["standings"]
    row, names = each.to_dict("records")[0], short_names(each["agent"])
    return Answer(row["agent"], [
        f"The best of {len(each)} agents by its share of games won. {WON} It was selected by this"
        " very share, which is therefore biased upwards."],
        [("the other agents", f"{percent(row, unit=' %')} of {row['games']:,} games")],
        {"agents": str(len(each)), "decks": names_or_count(tables["decks"]["deck"]),
         "games": f"{each['games'].sum() // 2:,}"},
        [(f"hsevo replay {quote(str(path))}", "watch one of its games")],
        shown=names[row["agent"]])


# -- studies --------------------------------------------------------------------------------------


def load_studies(paths: Sequence[Path], names: Sequence[str] = ()) -> Folders:
    """Read folders of hsevo study. Raises RunError, ConfigError."""
    return _load(paths, names, _study)


def _study(path: Path) -> dict[str, Any]:
    plan = ABOUT.read(path).get("study")
    kind = STUDIES.get(str(plan.get("study"))) if isinstance(plan, dict) else None
    if plan is None or kind is None:
        raise RunError(f"{path / ABOUT.name} is damaged: it does not say which study it is of")
    published = plan.get("published")
    best = published.get("best") if isinstance(published, dict) else None
    found: dict[str, Any] = {
        "title": str(plan.get("title")), "axis": str(plan.get("axis")), "side": kind.SIDE,
        "best": best if isinstance(best, int | float) else None}
    for name, columns in (("curve", POINTS), ("times", COSTS), ("turns", LENGTHS)):
        file = path / f"{name}.csv"
        found[name] = read_table(file, columns, ("line", "x"), columns) if file.exists() else None
    if found["curve"] is None or found["curve"].empty:
        raise RunError(f"{path} has no curve.csv yet; hsevo study goes on with it")
    return found


def study_exhibits(tables: dict[str, Any]) -> list[Exhibit]:
    """Return the exhibits of a study: its curve, what it cost, how long its games were."""
    curve, where = tables["curve"], [name for name in ("line", "x") if name in tables["curve"]]
    rows = curve.to_dict("records")
    page = curve[where].assign(**{
        "games": curve["games"], "won, % (95 %)": [percent(row) for row in rows],
        "turns": curve["turns"]})
    if curve["published"].notna().any():
        page["published, % (95 %)"] = [percent(row, "published") for row in rows]
    found = [Exhibit("curve", tables["title"], (
        f"Games won by {tables['side']}, of all games at each value of {tables['axis']}; a draw is"
        " not a win. 95 % intervals; turns: player turns of a game, on average."), curve,
        curves.curve(curve, "", tables["axis"], tables["best"], tables["side"],
                     lambda draw: picture(draw, HEIGHT)), page)]
    if (lengths := tables["turns"]) is not None:
        some = lengths[where].assign(**{
            "turns": lengths["turns"], "games": lengths["games"],
            "share, % (95 %)": [percent(row, "share")
                                for row in lengths.to_dict("records")]})
        found.append(Exhibit("turns", "How long the games were", (
            "The share of games that ended at each player turn, with its 95 % interval."), lengths,
            on_page=some))
    if (times := tables["times"]) is not None:
        found.append(Exhibit("times", "What the games cost", (
            "CPU time of both players, of the games that were timed: seconds in all and a game,"
            " milliseconds a decision."), times, on_page=times))
    return found


def study_answers(data: Folders) -> list[Answer]:
    """Return an answer a study: what it measured, and what to do next."""
    found = []
    for path, tables in data.folders.values():
        curve = tables["curve"]
        found.append(Answer(tables["title"], [
            f"{len(curve)} points, {curve['games'].sum():,} games in all: the rate of"
            f" {tables['side']} at each value of {tables['axis']}."], next=[
            (f"hsevo study {quote(str(path / ABOUT.name))} --games N --out {quote(str(path))}",
             "play more games of each point")], title="Study", shown=tables["title"]))
    return found
