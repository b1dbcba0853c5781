"""Studies: measure the win rate of an agent as something changes, and compare with a publication.

    configs/studies/NAME.yaml --load_study() of study_plans.py--> Study
        --StudyResult.play() over workers--> games --curve()--> curve.csv
        --curves.py--> plot.svg, plot.png

All points play a block of games, then all the next: where a study is stopped, they have as many.
A study is a contest (contest.py). Its folder has study.yaml from the beginning; each block is
appended to games.csv, and what the games of each point cost is kept in times.csv: a study that was
stopped, or is to have more games, continues with them.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import carried
from hsevo.cards.decks import digested
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.experiments.playing import ARGUMENTS, Progress, workers_of
from hsevo.files import refuse_full, write_whole
from hsevo.objects import Fields
from hsevo.play import closed, match
from hsevo.play.tournament import refuse_faults, wilson, write_table
from hsevo.play.workers import Executor, Job, OnGames
from hsevo.store.journal import Journal
from hsevo.strength import curves, study_plans
from hsevo.strength.comparing import play_out
from hsevo.strength.contest import Contest
from hsevo.strength.durations import durations, histogram
from hsevo.strength.intervals import rate_ends
from hsevo.strength.study_plans import Study, check_study, load_study, number
from hsevo.types import Array

COUNTS = ("won", "drawn", "turns", "decisions")  # of a game, in games.csv
SHOWN = ("title", "axis", "published", "durations")  # of a plan, which change no game
NAMES = ("line", "x")  # of a point
COSTS = ("games", "decisions", "seconds")  # of the timed games of a point, in times.csv


class StudyResult(Contest):
    """Hold the games of a study so far.

    Parameters
    ----------
    study : Study
        Points, agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.

    Attributes
    ----------
    results : ndarray of match.RESULT, shape (points, games)
        Games from the side of the agent.
    played : ndarray of int, shape (points,)
        Number of games of each point.
    costs : ndarray of shape (points, 3)
        Games, decisions and seconds of the timed games of each point.
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": lambda self: self.plan.model_dump(), "x": "plan.axis",
        "players": "plan.players", "curve": "table"}
    ABOUT = study_plans.ABOUT
    NOUN = "a study"
    GROWS = True  # more games of each point
    played: Array
    results: Array
    costs: Array

    def __init__(self, study: Study, path: Path | None = None) -> None:
        super().__init__(study, path)

    @property
    def plan(self) -> Study:
        """The study that is played. `plan.about` explains x, the rates and the players."""
        played: Study = self.lineup
        return played

    @property
    def names(self) -> tuple[str, ...]:
        """Players of each line, in words."""
        return tuple(self.plan.players.values())

    @property
    def total(self) -> int:
        """Number of games to play."""
        return self.results.size

    @property
    def done(self) -> int:
        """Number of games played."""
        return int(self.played.sum())

    @property
    def left(self) -> Array:
        """Remaining games, match.PAIRING."""
        with self._as_data():
            rows = [self.plan.games_at(self.plan.points[at], games)[0]
                    for at, games in self.blocks()]
        return np.concatenate(rows) if rows else np.zeros(0, match.PAIRING)

    @property
    def games(self) -> pd.DataFrame:
        """Every game that was played, point by point, as games.csv has it."""
        return pd.concat([games_table(self.plan, at, self.plan.seeds(np.arange(played)),
                                      self.results[at, :played])
                          for at, played in enumerate(self.played.tolist())], ignore_index=True)

    @property
    def table(self) -> pd.DataFrame:
        """The points as curve.csv has them: rates with their 95 % intervals."""
        return curve(self)

    @property
    def times(self) -> pd.DataFrame:
        """What the games of each point cost, as times.csv has it: CPU time, of both players.

        Columns line (of a study of lines), x; COSTS of the games that were timed, seconds in
        total; per_game in seconds and per_decision in milliseconds, NaN without such games.
        """
        games, decisions, seconds = self.costs.T
        with np.errstate(invalid="ignore", divide="ignore"):
            each = {"per_game": seconds / games, "per_decision": 1000 * seconds / decisions}
        counts = {"games": games.astype(int), "decisions": decisions.astype(int)}
        return named(self.plan, counts | {"seconds": seconds} | each)

    def blocks(self) -> Iterator[tuple[int, Array]]:
        """Yield the remaining blocks of games: the number of a point, and numbers of its games.

        Yields
        ------
        tuple of int and ndarray
            Point and games.
        """
        study, before = self.plan, self.played.copy()
        for first in range(0, study.games, study.BLOCK):
            end = min(first + study.BLOCK, study.games)
            for at in np.flatnonzero(before < end).tolist():
                yield at, np.arange(max(first, before[at]), end)

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the games that are left. Raises GameError, with the seed, if one was refused."""
        dealt: deque[tuple[int, Array, Array]] = deque()

        def jobs() -> Iterator[Job]:
            for at, games in self.blocks():
                agents = self.plan.entrants[self.plan.points[at]]
                rows, setting = self.plan.games_at(self.plan.points[at], games)
                dealt.append((at, games, rows))
                yield rows, agents, setting, *carried(agents)

        for results, seconds in executor(play_timed, jobs()):
            at, games, rows = dealt.popleft()
            self._add(at, games, rows, results, seconds)
            on_games(len(games))

    def _add(self, at: int, games: Array, rows: Array, results: Array, seconds: float) -> None:
        """Add the results of a block of a point, also to the folder. Raises GameError, RunError."""
        point = self.plan.points[at]
        refuse_faults(results, rows["seed"], lambda i: f" at x = {number(point.x)}")
        self.results[at, games] = seen = seen_by_agent(rows, results)
        self.costs[at] += len(games), seen["decisions"].sum(), seconds
        if self._journal is not None and self.path is not None:
            lines = games_table(self.plan, at, rows["seed"], seen)
            self._journal.append(lines.to_csv(index=False, header=not self.done).encode())
            write_table(self.path / "times.csv", self.times)
        self.played[at] += len(games)

    def _clear(self) -> None:
        points = len(self.plan.points)
        self.played = np.zeros(points, np.int64)
        self.results = np.zeros((points, self.plan.games), match.RESULT)
        self.costs = np.zeros((points, len(COSTS)))

    def _parse(self, journal: Journal) -> None:
        """Take over the games of a folder, and their costs. Raises RunError."""
        table = journal.table(COUNTS, [name for name in NAMES if name in named(self.plan, {})])
        at, games = self._places(table, journal.path)
        ends = table[["won", "drawn"]].to_numpy()
        if not np.isin(ends, (0, 1)).all() or (ends.sum(axis=1) > 1).any():
            raise RunError(f"{journal.path} is damaged: a game has more than one result")
        if (table[["turns", "decisions"]] < 0).any(axis=None):
            raise RunError(f"{journal.path} is damaged: a game has a count below 0")
        self.results["wins_a"][at, games] = table["won"]
        self.results["wins_b"][at, games] = 1 - ends.sum(axis=1)
        self.results["draws"][at, games] = table["drawn"]
        for name in ("turns", "decisions"):
            self.results[name][at, games] = table[name]
        self.played = np.bincount(at, minlength=len(self.played))
        self._take_times(journal.path.parent / "times.csv")

    def _places(self, table: pd.DataFrame, path: Path) -> tuple[Array, Array]:
        """Return the numbers of the points and games, (n,) each, of lines. Raises RunError."""
        study, lines = self.plan, [name for name in NAMES if name in table]
        points = pd.MultiIndex.from_frame(named(study, {}).astype(str))
        at = points.get_indexer(pd.MultiIndex.from_frame(table[lines]))
        games = table.groupby(lines).cumcount().to_numpy()
        if (at < 0).any() or not np.array_equal(table["seed"], study.seeds(games)):
            raise RunError(f"{path} is damaged: its games do not belong to this study")
        if (games >= study.games).any():
            raise RunError(f"{path} has {games.max() + 1:,} games per point already; set games to"
                           f" at least this number, not {study.games:,}")
        return at, games

    def _take_times(self, path: Path) -> None:
        """Take over the costs of the games. Raises RunError."""
        if not path.exists():
            return  # stopped before it was written
        try:
            costs = pd.read_csv(path, usecols=[*COSTS])[[*COSTS]].to_numpy(np.float64)
        except (ValueError, OverflowError) as error:
            raise RunError(f"{path} is damaged: {str(error).splitlines()[0]}") from None
        if costs.shape != self.costs.shape or not (np.isfinite(costs) & (costs >= 0)).all():
            raise RunError(f"{path} is damaged: it needs one row of costs for each point")
        self.costs = costs

    # -- the folder

    @property
    def _cast(self) -> None:
        """Return None: each point has its own players, decks and rules, named in study.yaml."""

    @classmethod
    def read_plan(cls, path: Path) -> tuple[dict[str, Any], Study]:
        """Read the description of a study and its plan from a folder.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        tuple of dict and Study
            The description and the plan.

        Raises
        ------
        RunError
            If the folder has no study, or is damaged.
        ConfigError
            If the plan is damaged.
        """
        about = cls.ABOUT.read(path)
        plan = about.get("study")
        where = str(path / cls.ABOUT.name)
        return about, check_study(plan if isinstance(plan, dict) else {}, where)

    @classmethod
    def _lineup_of(cls, path: Path, plan: Study, digest: Any) -> Study:
        """Return the study itself, which names all that plays."""
        return plan

    def _refuse_other(self, path: Path) -> None:
        """Raise RunError for another study; more games per point are the same study."""
        if not (path / self.ABOUT.name).is_file():
            refuse_full(path)
            return
        self._refuse_changed(self.ABOUT.read(path))

    def _course(self) -> dict[str, Any]:
        """Return fingerprints of all inputs that determine the games."""
        return {"engine": fingerprint(), "ruleset": self.plan.ruleset,
                "games_of": digest(self.plan)}

    def _about(self) -> dict[str, Any]:
        return self._course() | {"study": self.plan.model_dump()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of the folder: curve, times and, if the study has them, turns.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        turns = {"turns": durations(self.plan, self.results, self.played)} if (
            self.plan.durations) else {}
        return {"curve": self.table, "times": self.times} | turns

    def _write_tables(self, folder: Path) -> None:
        """Write the tables and their pictures; rewrite study.yaml, which may ask for more games."""
        super()._write_tables(folder)
        study = self.plan
        drawn = {"plot": curves.curve(self.table, study.title, study.axis, study.published.best,
                                      study.SIDE)}
        if study.durations:
            lengths = durations(study, self.results, self.played)
            drawn["turns"] = histogram(lengths, study.title, study.axis)
        for name, picture in drawn.items():
            write_whole(folder / f"{name}.svg", picture.svg)
            write_whole(folder / f"{name}.png", picture.png)
        self.ABOUT.write(folder, self._about())

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        return f"StudyResult({self.plan.title!r}: {self.done:,} of {self.total:,} games{where})"

    def _repr_html_(self) -> str:
        about = "".join(f"<p>{escape(line)}</p>" for line in self.plan.about)
        return about + str(self.table.to_html(index=False))


def seen_by_agent(rows: Array, results: Array) -> Array:
    """Return results, match.RESULT (n,), from the side of the agent (0), also where it was b."""
    seen = results.copy()
    for name in ("wins", "margin"):
        for own, opposite in (("a", "b"), ("b", "a")):
            seen[f"{name}_{own}"] = np.where(
                rows["a"] == 0, results[f"{name}_{own}"], results[f"{name}_{opposite}"])
    return seen


def play_timed(rows: Array, agents: Array, setting: match.Setting,
               *more: Any) -> tuple[Array, float]:
    """Play rows as match.play_block does; return also the CPU seconds that it took."""
    match.load_for(agents, ruleset=setting.ruleset)  # which takes a second, once
    begun = time.thread_time()
    results = match.play_block(rows, agents, setting, *more)
    return results, time.thread_time() - begun


def named(study: Study, columns: dict[str, Any]) -> pd.DataFrame:
    """Return a table with a row per point: line (of a study of lines), x, and columns."""
    points = study.points
    lines = {"line": [point.line for point in points]} if points[0].line else {}
    return pd.DataFrame(lines | {"x": [number(point.x) for point in points]} | columns)


def games_table(study: Study, at: int, seeds: Array, results: Array) -> pd.DataFrame:
    """Return lines of games.csv, one per game of a point, in order."""
    point = study.points[at]
    lines = {"line": point.line} if point.line else {}
    return pd.DataFrame(lines | {
        "x": number(point.x), "seed": seeds, "won": results["wins_a"], "drawn": results["draws"],
        "turns": results["turns"], "decisions": results["decisions"]})


def curve(record: StudyResult) -> pd.DataFrame:
    """Return the points of a study, one row each.

    Columns line (of a study of lines), x; games, wins, draws; rate (wins / games) with its 95 %
    interval low, high (intervals.rate_ends); turns, the mean player turns of a game; published,
    published_low, published_high: the rate in the source with the Wilson interval of its games, NaN
    where the source gives none. A point that was not played yet has no games, and NaN as its rate.
    """
    study, results = record.plan, record.results
    wins, draws = results["wins_a"].sum(axis=1), results["draws"].sum(axis=1)
    games = record.played
    low, high = rate_ends(results["wins_a"], games, study.PAIR)
    rates = np.array([study.published.rate(point) for point in study.points])
    behind = np.where(np.isnan(rates), 0, study.published.games or 0)
    ends = wilson(np.rint(np.nan_to_num(rates) * behind), behind)
    with np.errstate(invalid="ignore"):
        means = {"rate": wins / games, "low": low, "high": high,
                 "turns": results["turns"].sum(axis=1) / games}
    return named(study, {
        "games": games, "wins": wins, "draws": draws, **means,
        "published": rates, "published_low": ends[0], "published_high": ends[1]})


def digest(study: Study) -> str:
    """Return a fingerprint of what decides a study's games: its points, agents, decks and rules.

    How many games a point are played is not part of it: more of them are the same study.
    """
    agents = b"".join(agents.tobytes() for agents in study.entrants.values())
    settings = [study.games_at(point, np.arange(1))[1] for point in study.points]
    known = sorted({setting.information for setting in settings})
    lists = [closed.digest(information) for information in known]
    plan = study.model_dump(exclude={*SHOWN, "games"})
    rules = ", ".join(repr(replace(setting, decks=())).replace(
        "decks=()", f"decks={digested(setting.decks)}") for setting in settings)
    content = agents + f"({plan!r}, [{rules}], {lists!r})".encode()
    return hashlib.sha256(content).hexdigest()


def default_path(source: str | Path, study: Study) -> Path:
    """Return the default folder of a study: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / (f"{Path(source).stem}-seed-{study.seed}"
                           f"-{datetime.now():%Y%m%d-%H%M%S}")


def study(source: str | Path, *, games: int | None = None, seed: int | None = None,
          out: str | Path | None = None, workers: int | None = None,
          backend: str | None = None, progress: Progress = False) -> StudyResult:
    """Play a study, such as a published experiment: a win rate as a function of a variable.

    Parameters
    ----------
    source : str or Path
        Name of a study, such as "divine-shield" or "taunts", or the path of its file.
    games : int, optional
        Games per point. Default: as in the study.
    seed : int, optional
        Seed of all games. Default: as in the study.
    out : str or Path, optional
        New folder for curve.csv, plots, study.yaml and every game. Repeat the call to continue a
        stopped study, or to add games to a finished study.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    StudyResult
        `table` has one row for each point.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
    ConfigError
        If the study is unknown or invalid.

    Examples
    --------
    >>> hsevo.study("divine-shield-control", games=100).table.columns[:5].tolist()
    ['x', 'games', 'wins', 'draws', 'rate']
    """
    plan = load_study(source)
    changed = {name: value for name, value in (("games", games), ("seed", seed))
               if value is not None}
    if changed:
        plan = check_study(plan.model_dump() | changed, ARGUMENTS)
    contest = StudyResult(plan, None if out is None else Path(out))
    return play_out(contest, workers_of(workers, backend), progress,
                    load=lambda: match.warm_up(plan.ruleset))
