"""The report on folders of hsevo study: their tables, with intervals.

    folders --REPORT--> ReportSection, Answer --> page.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import pandas as pd

from hsevo.errors import RunError
from hsevo.files import read_table
from hsevo.pictures import picture
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    ReportKind,
    each_titled,
    exhibit,
    percent,
)
from hsevo.strength import curves
from hsevo.strength.study_plans import ABOUT, STUDIES

HEIGHT = 4.2  # inches of a curve
POINTS = ("games", "wins", "draws", "rate", "low", "high", "turns", "published", "published_low",
          "published_high")
COSTS = ("games", "decisions", "seconds", "per_game", "per_decision")
LENGTHS = ("turns", "games", "share", "low", "high")


@dataclass(frozen=True)
class MeasuredStudy:
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
    def open(cls, path: Path) -> MeasuredStudy:
        """Read a folder of hsevo study. Raises RunError."""
        plan = ABOUT.read(path).get("study")
        kind = STUDIES.get(str(plan.get("study"))) if isinstance(plan, dict) else None
        if plan is None or kind is None:
            raise RunError(f"{path / ABOUT.name} is damaged: it does not name its study")
        published = plan.get("published")
        best = published.get("best") if isinstance(published, dict) else None
        curve, times, turns = (
            read_table(file, columns, ("line", "x"), columns)
            if (file := path / f"{name}.csv").exists() else None
            for name, columns in (("curve", POINTS), ("times", COSTS), ("turns", LENGTHS)))
        if curve is None or curve.empty:
            raise RunError(f"{path} has no curve.csv yet; continue with hsevo study")
        return cls(path, str(plan.get("title")), str(plan.get("axis")), kind.SIDE,
                   best if isinstance(best, int | float) else None, curve, times, turns)

    @property
    def where(self) -> list[str]:
        """The columns that name a point."""
        return [name for name in ("line", "x") if name in self.curve]


@exhibit("curve")
def _curve(study: MeasuredStudy) -> Drawn:
    curve, rows = study.curve, study.curve.to_dict("records")
    page = curve[study.where].copy()
    page["games"] = curve["games"]
    page["won, % (95 %)"] = [percent(row) for row in rows]
    page["turns"] = curve["turns"]
    if curve["published"].notna().any():
        page["published, % (95 %)"] = [percent(row, "published") for row in rows]
    return Drawn((
        f"Share of games won by {study.side} at each value of {study.axis}, with 95 % intervals; a"
        " draw is not a win. turns: mean player turns per game."), curve,
        curves.curve(curve, "", study.axis, study.best, study.side,
                     lambda draw: picture(draw, HEIGHT)), page, title=study.title)


@exhibit("turns", "Length of the games")
def _turns(study: MeasuredStudy) -> Drawn | None:
    if (lengths := study.turns) is None:
        return None
    page = lengths[[*study.where, "turns", "games"]].copy()
    page["share, % (95 %)"] = [percent(row, "share") for row in lengths.to_dict("records")]
    return Drawn("The share of games that ended at each player turn, with its 95 % interval.",
                 lengths, on_page=page)


@exhibit("times", "CPU time of the games")
def _times(study: MeasuredStudy) -> Drawn | None:
    if study.times is None:
        return None
    return Drawn((
        "CPU time of both players in the games that were timed: seconds in total and per game,"
        " milliseconds per decision."), study.times, on_page=study.times)


def _measured(study: MeasuredStudy) -> Answer:
    """Return what a study measured, and what to do next."""
    curve, path = study.curve, study.path
    return Answer(study.title, [
        f"{len(curve)} points, {curve['games'].sum():,} games in total: the win rate of"
        f" {study.side} at each value of {study.axis}."], next=[
        (f"hsevo study {quote(str(path / ABOUT.name))} --games N --out {quote(str(path))}",
         "play more games per point")], title="Study", shown=study.title)


REPORT: ReportKind = ReportKind(
    "the measurements", MeasuredStudy.open,
    (Chapter("Study", (_curve, _turns, _times), each_titled, apart=True),),
    lambda data: [_measured(study) for study in data.runs.values()])
