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
GAP = 200  # Elo between neighbours in the lower half: agents below it get axes of their own
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
    ms = np.array([[1e3 * timing.mean, 1e3 * timing.low, 1e3 * timing.high, 1e3 * timing.median,
                    1e3 * timing.p95]
                   for timing in times])
    rows = pd.DataFrame({
        "agent": names, "rating": values, "low": low, "high": high,
        **dict(zip(("ms", "ms_low", "ms_high", "median_ms", "p95_ms"), ms.T, strict=True)),
        "decisions": [timing.decisions for timing in times],
        "ratio": ms[:, 0] / ms[names.index(BASE), 0], "on_frontier": on_frontier(values, ms[:, 0])})
    return rows.sort_values("ms", kind="stable", ignore_index=True)


def on_frontier(ratings: Array, times: Array) -> Array:
    """Return the agents on the Pareto frontier of ratings and times, bool (n,)."""
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
        within = [i for i, timing in enumerate(times) if 1e3 * timing.mean <= most]
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


def draw(agents_table: pd.DataFrame, title: str) -> Picture:
    """Draw a `table`: rating against time, the frontier as a line, names next to the axes."""
    shown = agents_table.assign(name=[*short_names(agents_table["agent"]).values()])
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
        rows[-1, 0].set_xlabel("mean CPU milliseconds per decision")
        rows[0, 0].set_ylabel("rating (Elo)")

    return single(paint)


def _weakest(ratings: Array) -> Array:
    """Return the agents far below the others, bool (n,): below the top GAP of the lower half."""
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
    """Draw the frontier: the highest rating within each time."""
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
    fitted = isotonic_regression(wanted - steps).x
    return np.asarray(np.clip(fitted, 0, 1 - steps[-1]) + steps)


ABOUT = About("frontier.yaml", "hsevo benchmark --frontier")


@dataclass(frozen=True)
class Frontier:
    """Compare strength with CPU time per decision.

    Attributes
    ----------
    panel : str
        Name of the panel, which defines the rating scale.
    names : tuple of str
        Agents of the panel, then the given agents.
    values : ndarray of shape (n,)
        Ratings in Elo.
    spread : ndarray of shape (n, n)
        Covariance of the ratings.
    times : tuple of Times
        Decision times of the agents.
    seconds : float
        CPU seconds of the measurement of each agent.
    path : Path or None
        Folder of the files, if there is one.

    Examples
    --------
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
        """One row for each agent, the fastest first.

        Columns agent, rating, low, high (Elo, 95 % interval), ms, ms_low, ms_high (mean CPU
        milliseconds per decision, 95 % interval), median_ms, p95_ms (quantiles of single decisions,
        empty for agents too fast to time), decisions (timed singly), ratio (of ms to eva:2018),
        on_frontier.
        """
        return table(self.names, self.values, self.spread, self.times)

    @cached_property
    def budgets(self) -> pd.DataFrame:
        """The best agent within each time budget, and its lead.

        Columns within_ms, agent, rating, low, high, ms (of the best agent whose mean time is within
        the budget), agents (number within the budget), second (the next best, or empty), lead,
        lead_low, lead_high (over the next best, in Elo).
        """
        return budgets(self.names, self.values, self.spread, self.times)

    @property
    def picture(self) -> Picture:
        """The picture, as `svg` and `png`: bytes of files."""
        return draw(self.table, f"Strength against time ({self.panel})")

    def save(self, path: str | Path) -> Path:
        """Write frontier.csv, budgets.csv, frontier.yaml and the picture (.svg, .png) to a folder.

        Parameters
        ----------
        path : str or Path
            New or existing folder.

        Returns
        -------
        Path
            Path of the folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
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
        return f"agents on the frontier, fastest first: {', '.join(names[agent] for agent in best)}"

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.3g}".format))


def frontier(agents: AgentLike | Iterable[AgentLike] = (), games: int | None = None, *,
             panel: str = NEWEST, seconds: float = 2.0, out: str | Path | None = None,
             workers: int | None = None, backend: str | None = None,
             progress: Progress = False) -> Frontier:
    """Compare the strength of agents with their CPU time per decision.

    The comparison has the agents of a panel, with their published ratings, and the given agents.
    Each agent decides in the same positions and plays games against itself, on one core.

    Parameters
    ----------
    agents : agent or iterable of agents, optional
        Agents to add, for example a search with several budgets: ["eva:turn?nodes=30",
        "eva:turn?nodes=3000"].
    games : int, optional
        Minimum number of games of each added agent against each agent of the panel, which rate it.
        Default: as in `hsevo.benchmark`.
    panel : str, default "panel-2026c"
        Name of the panel, which also defines the decks.
    seconds : float, default 2.0
        Approximate CPU time of the measurement of each agent, in seconds.
    out : str or Path, optional
        New folder for tables, picture and games. Repeat the call to continue a stopped comparison.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    Frontier
        Table, best agents within time budgets, and picture.

    Raises
    ------
    AgentError
        If an agent is unknown, damaged or unable to play here.
    ConfigError
        If an argument has a wrong type or is out of range.
    RunError
        If a folder cannot be written, is in use, or has other content.

    Notes
    -----
    Times differ between machines, and other work on a machine lengthens them. The column `ratio`,
    to eva:2018 in the same call, is less sensitive to both.

    Examples
    --------
    >>> found = hsevo.frontier(panel="panel-2026", seconds=0.01)
    >>> found.table.agent[found.table.on_frontier].iloc[-1]
    'gsv?depth=3&nodes=100000'
    """
    check_seconds(seconds)
    field = Panel.read(panel)
    field.lineup("random", games)  # is `games` a number that can be?
    candidates = _others(field, as_agents(agents))
    path = Path(out) if out is not None else None
    how: dict[str, Any] = {"games": games, "workers": workers, "backend": backend,
                           "progress": progress}
    with _claimed(path, field, candidates, games, seconds):
        values, spread = _ratings(field, candidates, path, how)
        players = [*map(read_agent, field.plan.agents),
                   *(agent.on(field.decks) for agent in candidates)]
        result = Frontier(panel, (*field.plan.agents, *(agent.name for agent in candidates)),
                          values, spread, _times(field, players, seconds, progress), seconds, path)
        if path is not None:
            result.save(path)
    return result


def _others(field: Panel, candidates: Iterable[Agent]) -> list[Agent]:
    """Return the agents that are not in the panel itself. Raises AgentError."""
    known = {read_agent(name).tobytes() for name in field.plan.agents}
    for agent in candidates:
        if agent.deck:
            raise AgentError(f"{agent.name} has its own deck, but all agents play the decks of the"
                             " panel here; remove @ and the deck")
    return [agent for agent in candidates if agent.on(field.decks).tobytes() not in known]


@contextmanager
def _claimed(path: Path | None, field: Panel, candidates: list[Agent], games: int | None,
             seconds: float) -> Iterator[None]:
    """Claim the folder, if there is one; the same call may continue there."""
    if path is None:
        yield
        return
    players = [agent.on(field.decks) for agent in candidates]
    content = joined(players, len(field.decks)) if players else np.zeros(0, AGENT)
    refuse_values(content)
    what = repr(([agent.name for agent in candidates], field.name, games, seconds, fingerprint()))
    work = f"{ABOUT.kind} {hashlib.sha256(content.tobytes() + what.encode()).hexdigest()}"
    with claimed(path, work), marked(path, work):
        yield


def _ratings(field: Panel, candidates: list[Agent], path: Path | None,
             how: dict[str, Any]) -> tuple[Any, Any]:
    """Return the ratings of the panel and of the candidates, and their covariance."""
    return joint(field, [_counts(field, agent, path and path / _folder(number, agent.name), how)
                         for number, agent in enumerate(candidates, start=1)])


def _folder(number: int, name: str) -> str:
    return f"{number}-{re.sub(r'[^A-Za-z0-9.=]+', '-', name).strip('-')}"[:60]


def _counts(field: Panel, agent: Agent, path: Path | None, how: dict[str, Any]) -> Any:
    """Return the counts of an agent's pairs of games against each of the panel, (n, 5)."""
    if how["progress"] is True:
        print_line(f"{agent.name} plays the panel")
    workers = workers_of(how["workers"], how["backend"])
    benchmark = play_out(benchmark_of(path, agent, how["games"], field), workers, how["progress"])
    return benchmark.counts[0, 1:]


def _times(field: Panel, players: list[Any], seconds: float,
           progress: Progress) -> tuple[Times, ...]:
    """Measure all agents, one after the other."""
    warm_up(progress)
    if progress is True:
        print_line(f"measuring the decision times of {len(players)} agents: about"
                   f" {seconds * len(players):.0f} s")
    with compiling(progress):
        dealt = positions(field.decks)
        return tuple(times(player, dealt, seconds) for player in players)
