"""The reports on folders of hsevo study: their tables, with intervals.

    folders --load--> Folders --sections, answers--> Section, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from hsevo.errors import RunError
from hsevo.files import read_table
from hsevo.pictures import picture
from hsevo.reports.answer import Answer
from hsevo.reports.deck_searches import labelled
from hsevo.reports.exhibit import Exhibit, Section, percent
from hsevo.strength import curves
from hsevo.strength.study_plans import ABOUT, STUDIES

HEIGHT = 4.2  # inches of a curve
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
