"""Studies: measure the win rate of an agent as something changes, and compare with a publication.

    configs/studies/NAME.yaml --load_study()--> Study --play() over workers--> StudyResult
        --curve()--> curve.csv, plot.svg, plot.png (curves.py), study.yaml

All points play a block of games, then all the next: where a study is stopped, they have as many.
In a folder, each block is appended to games.csv (store/journal.py), and what the games of each
point cost is kept in times.csv: a study that was stopped, or is to have more games, goes on with
them.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import carried
from hsevo.config import Workers
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.experiments.playing import (
    ARGUMENTS,
    Progress,
    keeping,
    playing,
    workers_of,
)
from hsevo.files import claimed, marked, refuse_full, write_whole
from hsevo.objects import Fields
from hsevo.play import closed, match
from hsevo.play.tournament import refuse_faults, wilson, write_table
from hsevo.play.workers import Executor, Job, OnGames
from hsevo.store.journal import Journal
from hsevo.strength import curves
from hsevo.strength.durations import durations, histogram
from hsevo.strength.intervals import rate_ends
from hsevo.strength.study_plans import ABOUT, Study, check_study, load_study, number
from hsevo.types import Array

COUNTS = ("won", "drawn", "turns", "decisions")  # of a game, in games.csv
SHOWN = ("title", "axis", "published", "durations")  # of a plan, which change no game
NAMES = ("line", "x")  # of a point
COSTS = ("games", "decisions", "seconds")  # of the timed games of a point, in times.csv


class StudyResult:
    """The results of a study so far: `table` has a row per point.

    `plan.about` says what x is, whose wins the rates count, and who plays. results: every game from
    the agent's side, match.RESULT (points, games). costs: of each point, (points, 3), as COSTS; of
    the games that were timed. path: the folder where finished blocks are kept, and those of an
    earlier call are taken from, if any. Raises RunError if it holds other games, or is damaged.
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": lambda self: self.plan.model_dump(), "x": "plan.axis",
        "players": "plan.players", "curve": "table"}

    def __init__(self, study: Study, path: Path | None = None) -> None:
        self.plan, self.path = study, path
        self.played = np.zeros(len(study.points), np.int64)  # how many games of each point
        self.results = np.zeros((len(study.points), study.games), match.RESULT)
        self.costs = np.zeros((len(study.points), len(COSTS)))
        self._journal = Journal(path / "games.csv") if path else None
        if self._journal is not None and self._journal.read():
            self._take_games(self._journal)
            self._take_times()

    @property
    def total(self) -> int:
        """How many games there are to play."""
        return self.results.size

    @property
    def done(self) -> int:
        """How many games were played."""
        return int(self.played.sum())

    def blocks(self) -> Iterator[tuple[int, Array]]:
        """Yield what is left to play: the number of a point, and some of its games, by number."""
        study, before = self.plan, self.played.copy()
        for first in range(0, study.games, study.BLOCK):
            end = min(first + study.BLOCK, study.games)
            for at in np.flatnonzero(before < end).tolist():
                yield at, np.arange(max(first, before[at]), end)

    def add(self, at: int, games: Array, rows: Array, results: Array, seconds: float) -> None:
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

    def _repr_html_(self) -> str:
        about = "".join(f"<p>{escape(line)}</p>" for line in self.plan.about)
        return about + str(self.table.to_html(index=False))

    def _take_games(self, journal: Journal) -> None:
        """Take over the games in a journal. Raises RunError."""
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

    def _places(self, table: pd.DataFrame, path: Path) -> tuple[Array, Array]:
        """Return the numbers of the points and games, (n,) each, of lines. Raises RunError."""
        study, lines = self.plan, [name for name in NAMES if name in table]
        points = pd.MultiIndex.from_frame(named(study, {}).astype(str))
        at = points.get_indexer(pd.MultiIndex.from_frame(table[lines]))
        games = table.groupby(lines).cumcount().to_numpy()
        if (at < 0).any() or not np.array_equal(table["seed"], study.seeds(games)):
            raise RunError(f"{path} is damaged: its games are not those of this study")
        if (games >= study.games).any():
            raise RunError(f"{path} has {games.max() + 1:,} games of a point already; ask for as"
                           f" many or more, not {study.games:,}")
        return at, games

    def _take_times(self) -> None:
        """Take over what the games cost. Raises RunError."""
        assert self.path is not None
        path = self.path / "times.csv"
        if not path.exists():
            return  # stopped before it was written
        try:
            costs = pd.read_csv(path, usecols=[*COSTS])[[*COSTS]].to_numpy(np.float64)
        except (ValueError, OverflowError) as error:
            raise RunError(f"{path} is damaged: {str(error).splitlines()[0]}") from None
        if costs.shape != self.costs.shape or not (np.isfinite(costs) & (costs >= 0)).all():
            raise RunError(f"{path} is damaged: it is not a row of costs for each point")
        self.costs = costs


def seen_by_agent(rows: Array, results: Array) -> Array:
    """Return results, match.RESULT (n,), with what the agent (0) did as a's, where it was b."""
    seen = results.copy()
    for name in ("wins", "margin"):
        for own, other in (("a", "b"), ("b", "a")):
            seen[f"{name}_{own}"] = np.where(
                rows["a"] == 0, results[f"{name}_{own}"], results[f"{name}_{other}"])
    return seen


def play_timed(rows: Array, agents: Array, setting: match.Setting,
               *more: Any) -> tuple[Array, float]:
    """Play rows as match.play_block does; return also the CPU seconds that it took."""
    match.load_for(agents)  # which takes a second, once
    begun = time.thread_time()
    results = match.play_block(rows, agents, setting, *more)
    return results, time.thread_time() - begun


def play(executor: Executor, study: Study, on_games: OnGames = lambda games: None,
         record: StudyResult | None = None) -> StudyResult:
    """Play what is left of a study, and return its record, or the one given.

    Raises GameError, with the seed, if the engine refused a game; RunError.
    """
    record = record or StudyResult(study)
    dealt: deque[tuple[int, Array, Array]] = deque()

    def jobs() -> Iterator[Job]:
        for at, games in record.blocks():
            agents = study.entrants[study.points[at]]
            rows, setting = study.games_at(study.points[at], games)
            dealt.append((at, games, rows))
            yield rows, agents, setting, *carried(agents)

    for results, seconds in executor(play_timed, jobs()):
        at, games, rows = dealt.popleft()
        record.add(at, games, rows, results, seconds)
        on_games(len(games))
    return record


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
    content = agents + repr((plan, settings, lists, fingerprint())).encode()
    return hashlib.sha256(content).hexdigest()


def check_folder(study: Study, folder: Path) -> None:
    """Raise RunError for a finished folder, unless it has this study with fewer games a point."""
    if not (folder / ABOUT.name).exists():
        refuse_full(folder)
        return
    about = ABOUT.read(folder)
    if about.get("games_of") != digest(study):
        refuse_full(folder)
        return
    settings = about.get("study")
    done = settings.get("games") if isinstance(settings, dict) else None
    if not isinstance(done, int):
        raise RunError(f"{folder / ABOUT.name} is damaged: it does not say how many games a point"
                       " it has")
    if study.games <= done:
        raise RunError(f"{folder} has {done:,} games a point of this study already; for more of"
                       f" them: --games N above {done:,}")


def default_path(source: str | Path, study: Study) -> Path:
    """Return the default folder of a study: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / (f"{Path(source).stem}-seed-{study.seed}"
                           f"-{datetime.now():%Y%m%d-%H%M%S}")


def write(path: Path, record: StudyResult) -> None:
    """Write study.yaml, curve.csv, plot.svg and plot.png, each atomically. Raises RunError.

    With `durations`, also turns.csv, turns.svg and turns.png.
    """
    study, table = record.plan, curve(record)
    write_table(path / "curve.csv", table)
    drawn = curves.curve(table, study.title, study.axis, study.published.best, study.SIDE)
    write_whole(path / "plot.svg", drawn.svg)
    write_whole(path / "plot.png", drawn.png)
    if study.durations:
        write_table(path / "turns.csv", lengths := durations(study, record.results, record.played))
        drawn = histogram(lengths, study.title, study.axis)
        write_whole(path / "turns.svg", drawn.svg)
        write_whole(path / "turns.png", drawn.png)
    ABOUT.write(path, {"engine": fingerprint(), "ruleset": study.ruleset,
                       "games_of": digest(study), "study": study.model_dump()})


def study(source: str | Path, *, games: int | None = None, seed: int | None = None,
          out: str | Path | None = None, workers: int | None = None,
          backend: str | None = None, progress: Progress = False) -> StudyResult:
    """Play a study, such as a published one: how often an agent wins as something changes.

    source: the name of a study, such as "divine-shield" or "taunts", or its path. games: per point;
    default: as in the study. out: a new folder for curve.csv, plots, study.yaml and every game; a
    study that was stopped continues with the same call, a finished one with more games.

    Raises ConfigError, AgentError, DeckError, GameError, RunError.

    >>> hsevo.study("divine-shield-control", games=100).table.columns[:5].tolist()
    ['x', 'games', 'wins', 'draws', 'rate']
    """
    plan = load_study(source)
    changed = {name: value for name, value in (("games", games), ("seed", seed))
               if value is not None}
    if changed:
        plan = check_study(plan.model_dump() | changed, ARGUMENTS)
    team = workers_of(workers, backend)
    if out is None:
        return _played(StudyResult(plan), team, progress)
    path, work = Path(out), f"{ABOUT.kind} {digest(plan)}"
    with (claimed(path, work, partial(check_folder, plan)), marked(path, work)):
        result = _played(StudyResult(plan, path), team, progress)
        with keeping(lambda: result):
            write(path, result)
    return result


def _played(result: StudyResult, team: Workers, progress: Progress) -> StudyResult:
    """Play what is left of a study."""
    with (keeping(lambda: result if result.done else None),
          playing(result.total, team, progress, before=result.done) as (executor, meter)):
        play(executor, result.plan, meter.advance, result)
    return result
