"""The report on studies with participants: how each condition went, in what order, how fast.

    folders of hsevo play --participants --REPORT--> ReportSection, Answer --> page.py

Participants are independent of each other, their own games are not: the interval of a rate takes
those of one participant together (strength.rating.ratio).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd

from hsevo.config.participants import Block, Design
from hsevo.config.reading import check, parse, read_text
from hsevo.errors import RunError, names_or_count, quoted
from hsevo.files import read_table
from hsevo.play.specs import short_names
from hsevo.replays.participants import DESIGN, TABLES
from hsevo.replays.played import DRAWN, LOST, WON
from hsevo.reports import standings
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    ReportKind,
    each_titled,
    exhibit,
    interval,
    meanings,
    percent,
)
from hsevo.reports.tables import mean_band
from hsevo.strength.rating import ratio

NUMBERS = {"place", "game", "turn", "ms", "turns", "seconds", "conceded"}  # other columns: words
CLUSTERS = ("The 95 % interval treats participants as clusters, because the games of one"
            " participant are not independent. Draws are not won.")


@dataclass(frozen=True)
class PeopleStudy:
    """A study, by the tables of its folder; see replays.participants."""

    path: Path
    design: Design
    steps: pd.DataFrame
    games: pd.DataFrame
    clicks: pd.DataFrame

    @cached_property
    def plan(self) -> dict[str, list[Block]]:
        """The blocks of each participant's games, by its code."""
        return {code: self.design.games_of(number) for number, code in enumerate(self.design.codes)}

    @cached_property
    def orders(self) -> dict[str, str]:
        """The order of each participant's conditions, in words, by its code."""
        blocks = self.design.blocks
        return {code: " > ".join(blocks[at].condition for at in self.design.order_of(number))
                for number, code in enumerate(self.design.codes)}

    @cached_property
    def agreed(self) -> set[str]:
        """Who agreed, or began without being asked to."""
        return set(self.steps["code"])

    @cached_property
    def dropped(self) -> pd.DataFrame:
        """Games that began and are not over.

        Columns code, place, condition, begun (UTC), moves, minutes: until its last click.
        """
        over = {*zip(self.games["code"], self.games["place"], strict=True)}
        rows = []
        for row in self.steps[self.steps["place"] > 0].to_dict("records"):
            if (row["code"], row["place"]) not in over:
                here = self.clicks[(self.clicks["code"] == row["code"])
                                   & (self.clicks["place"] == row["place"])]
                rows.append({
                    "code": row["code"], "place": row["place"],
                    "condition": self.plan[row["code"]][row["place"] - 1].condition,
                    "begun": row["time"], "moves": int((here["what"] == "move").sum()),
                    "minutes": here["ms"].max() / 60_000 if len(here) else 0.0})
        return pd.DataFrame(rows, columns=["code", "place", "condition", "begun", "moves",
                                           "minutes"])


def opened(path: Path) -> PeopleStudy:
    """Read the folder of a study. Raises RunError, ConfigError."""
    source = path / DESIGN
    design = check(Design, parse(read_text(source), str(source)), str(source))
    tables = (_table(path / name, columns) for name, columns in TABLES.items())
    lab = PeopleStudy(path, design, *tables)
    for name, table in zip(TABLES, (lab.steps, lab.games, lab.clicks), strict=True):
        first = 0 if table is lab.steps else 1
        for code, place in dict.fromkeys(zip(table["code"], table["place"], strict=True)):
            if not first <= place <= len(lab.plan.get(code, ())):
                raise RunError(f"{path / name} is damaged: the design has no game {place} of"
                               f" {quoted(code)}")
    return lab


def _table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    words = {*columns} - NUMBERS
    table = read_table(path, {*columns} & NUMBERS | {"code"}, words)
    return table.assign(**{name: table[name].fillna("") if name in words else
                           table[name].astype("float64" if name == "seconds" else "int64")
                           for name in columns})


def _answer(lab: PeopleStudy) -> Answer:
    design, games, n = lab.design, len(lab.games), len(lab.plan)
    through = sum(len(plan) == int((lab.games["code"] == code).sum())
                  for code, plan in lab.plan.items())
    given_up, left = int(lab.games["conceded"].sum()), len(lab.dropped)
    says = [f"{len(lab.agreed)} of {n} participants began, and {through} played all games. {games}"
            f" are over, including {given_up} that a participant gave up, and {left}"
            f" {'was' if left == 1 else 'were'} left open.",
            f"Games won in each condition. {CLUSTERS}" if games else "No game has ended yet."]
    names = short_names(block.opponent for block in design.blocks)
    rates = [(f"{names[row['opponent']]} ({row['condition']})",
              f"{percent(row, unit=' %')} of {row['games']} games")
             for row in conditions(lab).to_dict("records") if row["games"]]
    decks = [deck for block in design.blocks for deck in (block.deck, block.against)]
    return Answer(f"{n} participants", says, rates, {
        "conditions": names_or_count((block.condition for block in design.blocks), "conditions"),
        "order": design.order, "decks": names_or_count(decks), "seed": str(design.seed),
        "rules": f"ruleset {design.ruleset}, {design.information} information"}, [
        (f"hsevo analyse {quote(str(lab.path))} --all 20", "see which mistakes people made"),
        (f"hsevo replay {quote(str(lab.path))} --list", "list the games")], title="Study")


def conditions(lab: PeopleStudy) -> pd.DataFrame:
    """Return a row a condition, in the order of the design.

    Columns condition, opponent, hints; those of `_rates`; conceded; turns and minutes, of a game on
    average.
    """
    rows = []
    for block in lab.design.blocks:
        here = lab.games[lab.games["condition"] == block.condition]
        rows.append({"condition": block.condition, "opponent": block.opponent,
                     "hints": block.hints or ""} | _rates(here) | {
            "conceded": int(here["conceded"].sum()), "turns": here["turns"].mean(),
            "minutes": here["seconds"].mean() / 60})
    return pd.DataFrame(rows)


def orders(lab: PeopleStudy) -> pd.DataFrame:
    """Return a row an order of conditions: order, assigned, began, finished, and `_rates`."""
    rows = []
    for order in dict.fromkeys(lab.orders.values()):
        codes = {code for code, assigned in lab.orders.items() if assigned == order}
        here = lab.games[lab.games["code"].isin(codes)]
        rows.append({"order": order, "assigned": len(codes), "began": len(codes & lab.agreed),
                     "finished": sum(int((here["code"] == code).sum()) == len(lab.plan[code])
                                     for code in codes)} | _rates(here))
    return pd.DataFrame(rows)


def places(lab: PeopleStudy) -> pd.DataFrame:
    """Return a row a place, the first, second ... game of a participant: place, and `_rates`."""
    return pd.DataFrame([{"place": place} | _rates(here)
                         for place, here in lab.games.groupby("place")])


def times(lab: PeopleStudy) -> pd.DataFrame:
    """Return how long moves took in each condition, in seconds.

    A move is timed from the one before it in the same turn: of the first of a turn nobody knows
    when its player saw the table. Columns condition; participants, moves that were timed, median
    over all of them; mean, low, high: of the participants' own medians, with Student's 95 %
    interval over participants, cut at 0, NaN of one.
    """
    moves = lab.clicks[lab.clicks["what"] == "move"]
    seconds = moves.groupby(["code", "place", "turn"])["ms"].diff() / 1000
    timed = moves.assign(seconds=seconds)[seconds.notna()]
    timed = timed.assign(condition=[lab.plan[code][place - 1].condition for code, place in zip(
        timed["code"], timed["place"], strict=True)])
    own = timed.groupby(["condition", "code"])["seconds"].median().reset_index()
    band = mean_band(own, ["condition"], "seconds").set_index("condition")
    rows = [{"condition": block.condition, "participants": int(band["executions"][name]),
             "moves": int((timed["condition"] == name).sum()),
             "median": timed["seconds"][timed["condition"] == name].median(),
             "mean": band["mean"][name], "low": band["low"].clip(lower=0)[name],
             "high": band["high"][name]}
            for block in lab.design.blocks if (name := block.condition) in band.index]
    return pd.DataFrame(rows, columns=["condition", "participants", "moves", "median", "mean",
                                       "low", "high"])


def clicks(lab: PeopleStudy) -> pd.DataFrame:
    """Return what was done in each condition: condition, what, clicks, a_game (that began)."""
    began = lab.steps[lab.steps["place"] > 0]

    def conditions_of(table: pd.DataFrame) -> list[str]:
        return [lab.plan[code][place - 1].condition
                for code, place in zip(table["code"], table["place"], strict=True)]
    games = pd.Series(conditions_of(began), dtype=object).value_counts()
    table = lab.clicks.assign(condition=conditions_of(lab.clicks)).groupby(
        ["condition", "what"], as_index=False).size().rename(columns={"size": "clicks"})
    return table.assign(a_game=table["clicks"] / table["condition"].map(games).astype(float))


def participants(lab: PeopleStudy) -> pd.DataFrame:
    """Return a row a participant: code, order, agreed, games over, of, won, drawn, lost, conceded,
    and the minutes of all of them.
    """
    rows = []
    for code, plan in lab.plan.items():
        here = lab.games[lab.games["code"] == code]
        rows.append({"code": code, "order": lab.orders[code], "agreed": code in lab.agreed,
                     "games": len(here), "of": len(plan)} | _results(here) | {
            "conceded": int(here["conceded"].sum()), "minutes": here["seconds"].sum() / 60})
    return pd.DataFrame(rows)


def _results(games: pd.DataFrame) -> dict[str, int]:
    return {result: int((games["result"] == result).sum()) for result in (WON, DRAWN, LOST)}


def _rates(games: pd.DataFrame) -> dict[str, Any]:
    """Return participants, games, won, drawn, lost, rate (won, 0 to 1), low and high."""
    each = (games["result"] == WON).groupby(games["code"]).agg(["sum", "count"])
    rate = ratio(each["sum"].to_numpy(float), each["count"].to_numpy(float))
    return {"participants": len(each), "games": len(games), **_results(games),
            "rate": rate.value, "low": rate.low, "high": rate.high}


@exhibit("conditions", "Win rates by condition")
def _conditions(lab: PeopleStudy) -> Drawn:
    table = conditions(lab)
    names = short_names(table["opponent"])
    page = table[["condition"]].assign(opponent=table["opponent"].map(names), hints=table["hints"])
    page = _shown(table, page).assign(**{"given up": table["conceded"], "turns": table["turns"],
                                         "minutes": table["minutes"]})
    drawn = table[table["games"] > 0].assign(name=table["condition"])
    return Drawn(f"Finished games. {CLUSTERS} turns, minutes: mean per game.", table,
                 standings.rates(drawn, "games won by participants (%)") if len(drawn) else None,
                 page,
                 meanings(short_names(block.opponent for block in lab.design.blocks)))


@exhibit("orders", "Orders of the conditions")
def _orders(lab: PeopleStudy) -> Drawn | None:
    if len({*lab.orders.values()}) < 2:
        return None
    return _rated(f"Games of all conditions, by the order of the conditions. {CLUSTERS}",
                  orders(lab))


@exhibit("places", "Results by place of the game")
def _places(lab: PeopleStudy) -> Drawn | None:
    if lab.games.empty:
        return None
    return _rated((
        "Games by their place in a participant's sequence, which shows whether participants"
        f" improved or tired. {CLUSTERS}"), places(lab))


@exhibit("times", "Seconds a move")
def _times(lab: PeopleStudy) -> Drawn | None:
    table = times(lab)
    if table.empty:
        return None
    page = table[["condition", "participants", "moves", "median"]].assign(**{
        "mean of medians (95 %)": [interval((row["mean"], row["low"], row["high"]))
                                   for row in table.to_dict("records")]})
    return Drawn((
        "Time since the previous move of the same turn, so the first move of a turn is not timed."
        " median: of all moves. mean of medians: each participant's own median, averaged, with"
        " Student's 95 % interval over participants."), table, on_page=page)


@exhibit("clicks", "What was done")
def _clicks(lab: PeopleStudy) -> Drawn | None:
    if lab.clicks.empty:
        return None
    table = clicks(lab)
    return Drawn((
        "Clicks of each kind, in total and per started game: attempts at illegal moves (illegal),"
        " card texts that were opened (look), hints, and conceding (concede)."), table,
        on_page=table)


@exhibit("dropped", "Games that were left open")
def _dropped(lab: PeopleStudy) -> Drawn | None:
    if lab.dropped.empty:
        return None
    return Drawn((
        "Games that began and did not end; all other tables exclude them. minutes: until the last"
        " click."), lab.dropped, on_page=lab.dropped)


@exhibit("participants", "Participants")
def _participants(lab: PeopleStudy) -> Drawn:
    table = participants(lab)
    return Drawn((
        "Each participant by code: finished games out of the games of the design, their results,"
        " and their total minutes."), table, on_page=table)


def _rated(caption: str, table: pd.DataFrame) -> Drawn:
    """Show a table with rates; what comes before its column `participants` stands first."""
    first = table[[*table.columns[:table.columns.get_loc("participants")]]]
    return Drawn(caption, table, on_page=_shown(table, first))


def _shown(table: pd.DataFrame, page: pd.DataFrame) -> pd.DataFrame:
    """Return columns of a page, and what `_rates` found, in words."""
    return page.assign(**{name: table[name] for name in (
        "participants", "games", WON, DRAWN, LOST)}, **{
        "won (95 %)": [percent(row, unit=" %") for row in table.to_dict("records")]})


REPORT: ReportKind = ReportKind(
    "the actions of participants", opened, (Chapter("Study", (
        _conditions, _orders, _places, _times, _clicks, _dropped, _participants), each_titled,
        apart=True),),
    lambda data: [_answer(lab) for lab in data.runs.values()])
