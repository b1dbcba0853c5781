"""Strength against CPU time a decision: a table of agents, who is best within a time, a picture.

    ratings and their covariance (rating.py)  --+
    decision times (play/decision_times.py)   --+--> table(), budgets() --> draw()

An agent is on the Pareto frontier if no other is at least as strong and at least as fast, and
better in one of them. Times are those of one machine; `ratio`, to EVA of 2018 in the same run,
differs less between machines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined
from hsevo.agents.shared.agent import AGENT
from hsevo.config import check_seconds
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError
from hsevo.experiments.playing import Progress, compiling, print_line, warm_up, workers_of
from hsevo.files import claimed, marked, write_whole, writing
from hsevo.objects import Fields
from hsevo.pictures import COLOURS, Picture, single
from hsevo.play.decision_times import Times, positions, times
from hsevo.play.python_players import refuse_values
from hsevo.play.specs import short_names
from hsevo.play.tournament import write_table
from hsevo.store.kinds import About
from hsevo.store.machine import machine
from hsevo.strength import rating
from hsevo.strength.agents import Agent, AgentLike, as_agents
from hsevo.strength.comparing import benchmark_of, play_out
from hsevo.strength.panel import NEWEST, Panel, joint
from hsevo.strength.roster import read_agent
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

BASE = "eva:2018"
BUDGETS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)  # ms a decision
GAP = 200  # Elo between neighbours in the lower half: who is below it gets axes of its own
ROW = 0.036  # of the height of all axes, between two names
NAMES = 1.03  # of the width of the axes: where names begin


def table(names: Sequence[str], values: Array, spread: Array,
          times: Sequence[Times]) -> pd.DataFrame:
    """Return a row per agent, the fastest first.

    values (n,), spread (n, n): ratings and their covariance. Columns agent; rating, low, high (Elo,
    95 % interval); ms, ms_low, ms_high (mean CPU milliseconds a decision, 95 % interval);
    median_ms, p95_ms (quantiles of single decisions, empty for agents too fast for a clock);
    decisions (that were timed singly); ratio (of ms to that of BASE); on_frontier.
    """
    low, high = rating.intervals(values, spread)
    ms = np.array([[1e3 * one.mean, 1e3 * one.low, 1e3 * one.high, 1e3 * one.median, 1e3 * one.p95]
                   for one in times])
    found = pd.DataFrame({
        "agent": names, "rating": values, "low": low, "high": high,
        **dict(zip(("ms", "ms_low", "ms_high", "median_ms", "p95_ms"), ms.T, strict=True)),
        "decisions": [one.decisions for one in times],
        "ratio": ms[:, 0] / ms[names.index(BASE), 0], "on_frontier": on_frontier(values, ms[:, 0])})
    return found.sort_values("ms", kind="stable", ignore_index=True)


def on_frontier(ratings: Array, times: Array) -> Array:
    """Return who is on the Pareto frontier, bool (n,): strong, 'ratings', and fast, 'times'."""
    strong, fast = ratings[:, None], times[:, None]
    as_good = (ratings >= strong) & (times <= fast)
    better = (ratings > strong) | (times < fast)
    return np.asarray(~(as_good & better).any(axis=1))


def budgets(names: Sequence[str], values: Array, spread: Array,
            times: Sequence[Times]) -> pd.DataFrame:
    """Return who is best within each of BUDGETS, and by how much; budgets without agents are left.

    Columns within_ms; agent, rating, low, high, ms of the best whose mean time is in it; agents (so
    many are); second (the next best; empty if there is none), lead, lead_low, lead_high (of the
    best over it, in Elo).
    """
    low, high = rating.intervals(values, spread)
    rows = []
    for most in BUDGETS:
        within = [i for i, one in enumerate(times) if 1e3 * one.mean <= most]
        order = sorted(within, key=lambda i: -float(values[i]))
        if not order:
            continue
        best, second = order[0], order[1] if len(order) > 1 else None
        ahead = (rating.Estimate(np.nan, np.nan, np.nan) if second is None else
                 rating.lead(values, spread, best, second))
        rows.append({"within_ms": most, "agent": names[best], "rating": values[best],
                     "low": low[best], "high": high[best], "ms": 1e3 * times[best].mean,
                     "agents": len(order), "second": "" if second is None else names[second],
                     "lead": ahead.value, "lead_low": ahead.low, "lead_high": ahead.high})
    return pd.DataFrame(rows)


def draw(found: pd.DataFrame, title: str) -> Picture:
    """Draw a `table`: rating against time, the frontier as a line, names beside the axes."""
    shown = found.assign(name=[*short_names(found["agent"]).values()])
    weak = _weakest(shown["rating"].to_numpy())

    def paint(figure: Figure) -> None:
        parts = [part for part in (shown[~weak], shown[weak]) if len(part)]
        heights = [max(8.0, len(parts[0])), *(max(2.0, len(part)) for part in parts[1:])]
        rows = figure.subplots(len(parts), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axes, part, height in zip(rows[:, 0], parts, heights, strict=True):
            _points(axes, part, min(ROW * sum(heights) / height, 1 / len(part)))
            _line(axes, shown)
            axes.locator_params(axis="y", nbins=min(max(int(height), 4) - 2, 10))
        rows[0, 0].set_title(title, loc="left")
        rows[-1, 0].set_xscale("log")
        rows[-1, 0].xaxis.set_major_formatter("{x:g}")
        rows[-1, 0].set_xlabel("mean CPU milliseconds a decision")
        rows[0, 0].set_ylabel("rating (Elo)")

    return single(paint)


def _weakest(ratings: Array) -> Array:
    """Return who is far below the others, bool (n,): below the highest GAP in the lower half."""
    order = np.sort(ratings)
    gaps = np.flatnonzero(np.diff(order[:len(order) // 2 + 1]) >= GAP)
    return np.asarray(ratings <= order[gaps[-1]] if len(gaps) else np.zeros(len(ratings), bool))


def _points(axes: Axes, part: pd.DataFrame, row: float) -> None:
    """Draw agents with their intervals, and a name for each; row: between names, of the height."""
    for on, colour, inside in ((True, COLOURS[1], COLOURS[1]), (False, COLOURS[0], "white")):
        some = part[part["on_frontier"] == on]
        ends: Any = [some["rating"] - some["low"], some["high"] - some["rating"]]
        axes.errorbar(some["ms"], some["rating"], yerr=ends, linestyle="none", marker="o",
                      markersize=5, elinewidth=1, color=colour, markerfacecolor=inside)
    pad = max(0.04 * float(np.ptp(part["rating"])), 20.0)
    bottom, top = float(part["low"].min()) - pad, float(part["high"].max()) + pad
    axes.set_ylim(bottom, top)
    axes.grid(alpha=0.3)
    order = part.sort_values("rating", kind="stable")
    wanted = (order["rating"].to_numpy() - bottom) / (top - bottom)
    for line, y in zip(order.to_dict("records"), apart(wanted, row), strict=True):
        axes.annotate(
            line["name"], (line["ms"], line["rating"]), (NAMES, float(y)), "data", "axes fraction",
            {"arrowstyle": "-", "color": "#b0b0b0", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3,
             "relpos": (0, 0.5)},
            fontsize=8, verticalalignment="center", zorder=1, annotation_clip=False,
            fontweight="bold" if line["on_frontier"] else "normal")


def _line(axes: Axes, shown: pd.DataFrame) -> None:
    """Draw the frontier: the rating that can be had within a time."""
    best = shown[shown["on_frontier"]].sort_values("ms")
    ends = [*best["ms"].tolist(), shown["ms"].max()]
    axes.plot(ends, [*best["rating"].tolist(), best["rating"].iloc[-1]], drawstyle="steps-post",
              color=COLOURS[1], linewidth=1.2, alpha=0.7)


def apart(wanted: Array, gap: float) -> Array:
    """Return places from 0 to 1 near those wanted (n,), which ascend, at least `gap` apart.

    Their squared distances to the wanted ones are the least possible; if n are too many for the
    gap, the gap is smaller.
    """
    from scipy.optimize import isotonic_regression

    steps = np.arange(len(wanted)) * min(gap, 1 / max(len(wanted) - 1, 1))
    found = isotonic_regression(wanted - steps).x
    return np.asarray(np.clip(found, 0, 1 - steps[-1]) + steps)


ABOUT = About("frontier.yaml", "hsevo benchmark --frontier")


@dataclass(frozen=True)
class Frontier:
    """Strength against CPU time a decision; `path` is its folder, if it has one.

    panel: the name of the panel whose scale the ratings have. names, times: of the agents of the
    panel and those that were given; values, spread: their ratings in Elo, with the covariance.

    >>> len(hsevo.frontier(panel="panel-2026", seconds=0.001).table)
    15
    """

    FIELDS: ClassVar[Fields] = {
        "panel": "panel", "path": "path", "seconds": "seconds", "agents": "table",
        "budgets": "budgets"}

    panel: str
    names: tuple[str, ...]
    values: Any  # (n,)
    spread: Any  # (n, n)
    times: tuple[Times, ...]
    seconds: float
    path: Path | None = None

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row per agent, the fastest first: columns of strength.frontier.table."""
        return table(self.names, self.values, self.spread, self.times)

    @cached_property
    def budgets(self) -> pd.DataFrame:
        """Who is best within a time, and by how much: columns of strength.frontier.budgets."""
        return budgets(self.names, self.values, self.spread, self.times)

    @property
    def picture(self) -> Picture:
        """The picture, as `svg` and `png`: bytes of files."""
        return draw(self.table, f"Strength against time ({self.panel})")

    def save(self, path: str | Path) -> Path:
        """Write frontier.csv, budgets.csv, frontier.svg, frontier.png, frontier.yaml to a folder.

        Raises RunError.
        """
        folder, drawn = Path(path), self.picture
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_table(folder / "frontier.csv", self.table)
        write_table(folder / "budgets.csv", self.budgets)
        write_whole(folder / "frontier.svg", drawn.svg)
        write_whole(folder / "frontier.png", drawn.png)
        ABOUT.write(folder, {"engine": fingerprint(), "panel": self.panel,
                             "seconds": self.seconds, "machine": machine()})
        return folder

    def __repr__(self) -> str:
        best = self.table[self.table["on_frontier"]]["agent"]
        names = short_names(self.names)
        return f"on the frontier, the fastest first: {', '.join(names[one] for one in best)}"

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.3g}".format))


def frontier(agents: AgentLike | Iterable[AgentLike] = (), games: int | None = None, *,
             panel: str = NEWEST, seconds: float = 2.0, out: str | Path | None = None,
             workers: int | None = None, backend: str | None = None,
             progress: Progress = False) -> Frontier:
    """Compare strength with CPU time a decision: who is the best of all that are as fast?

    Compared are the agents of a panel, whose ratings are frozen, and those given, each rated first
    by `games` against every agent of the panel (default: as `benchmark`). A search can be given
    with several budgets: ["eva:turn?nodes=30", "eva:turn?nodes=3000"]. Then each is asked in the
    same positions, and plays games against itself, for about so many CPU `seconds` on one core.
    Decks are those of the panel. out: a new folder for tables, picture and games; a call that was
    stopped continues with the same call. Times differ between machines, and other work on the
    machine lengthens them; the column `ratio`, to eva:2018 in the same call, depends less on both.

    Raises AgentError, ConfigError, RunError.

    >>> found = hsevo.frontier(panel="panel-2026", seconds=0.01)
    >>> found.table.agent[found.table.on_frontier].iloc[-1]
    'gsv?depth=3&nodes=100000'
    """
    check_seconds(seconds)
    field = Panel.read(panel)
    field.lineup("random", games)  # is `games` a number that can be?
    given = _others(field, as_agents(agents))
    path = Path(out) if out is not None else None
    how: dict[str, Any] = {"games": games, "workers": workers, "backend": backend,
                           "progress": progress}
    with _kept(path, field, given, games, seconds):
        values, spread = _ratings(field, given, path, how)
        players = [*map(read_agent, field.plan.agents), *(one.on(field.decks) for one in given)]
        found = Frontier(panel, (*field.plan.agents, *(one.name for one in given)), values, spread,
                         _times(field, players, seconds, progress), seconds, path)
        if path is not None:
            found.save(path)
    return found


def _others(field: Panel, given: Iterable[Agent]) -> list[Agent]:
    """Return those agents that are not in the panel itself. Raises AgentError."""
    known = {read_agent(name).tobytes() for name in field.plan.agents}
    for one in given:
        if one.deck:
            raise AgentError(f"{one.name} has a deck of its own, but agents are compared with the"
                             " decks of the panel; leave out the part from the @ on")
    return [one for one in given if one.on(field.decks).tobytes() not in known]


@contextmanager
def _kept(path: Path | None, field: Panel, given: list[Agent], games: int | None,
          seconds: float) -> Iterator[None]:
    """Claim the folder, if there is one; the same call may go on there."""
    if path is None:
        yield
        return
    players = [one.on(field.decks) for one in given]
    content = joined(players, len(field.decks)) if players else np.zeros(0, AGENT)
    refuse_values(content)
    what = repr(([one.name for one in given], field.name, games, seconds, fingerprint()))
    work = f"{ABOUT.kind} {hashlib.sha256(content.tobytes() + what.encode()).hexdigest()}"
    with claimed(path, work), marked(path, work):
        yield


def _ratings(field: Panel, given: list[Agent], path: Path | None,
             how: dict[str, Any]) -> tuple[Any, Any]:
    """Return the ratings of the panel and of those given, and their covariance."""
    return joint(field, [_counts(field, one, path and path / _folder(number, one.name), how)
                         for number, one in enumerate(given, start=1)])


def _folder(number: int, name: str) -> str:
    return f"{number}-{re.sub(r'[^A-Za-z0-9.=]+', '-', name).strip('-')}"[:60]


def _counts(field: Panel, one: Agent, path: Path | None, how: dict[str, Any]) -> Any:
    """Return the counts of an agent's pairs of games against each of the panel, (n, 5)."""
    if how["progress"] is True:
        print_line(f"{one.name} plays the panel")
    team = workers_of(how["workers"], how["backend"])
    found = play_out(benchmark_of(path, one, how["games"], field), team, how["progress"])
    return found.counts[0, 1:]


def _times(field: Panel, players: list[Any], seconds: float,
           progress: Progress) -> tuple[Times, ...]:
    """Measure all agents, one after the other."""
    warm_up(progress)
    if progress is True:
        print_line(f"measuring how long {len(players)} agents take for a decision: about"
                   f" {seconds * len(players):.0f} s")
    with compiling(progress):
        dealt = positions(field.decks)
        return tuple(times(player, dealt, seconds) for player in players)
