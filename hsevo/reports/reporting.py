"""`hsevo.report`: a page on runs, agents, arenas and what was examined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import pandas as pd

from hsevo import config
from hsevo.agents.registry import genome_of
from hsevo.errors import ConfigError, name_problem, quoted
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.playing import (
    Progress,
    parted,
    playing,
    print_line,
    workers_of,
)
from hsevo.generated import WorkersFields
from hsevo.reports import groups as parting
from hsevo.reports.exhibit import Besides
from hsevo.reports.report import PageReport, Sources, write
from hsevo.strength import bests

RunLike: TypeAlias = Experiment[Any, Any] | str | Path


class ReportFields(WorkersFields, total=False):
    """Set the content of a report besides runs, and its games; see `report`."""

    agents: str | Path | None
    """File of weights instead of runs."""
    kind: str
    """Agent family of these weights; default: eva."""
    tournament: str | Path | None
    """Folder of hsevo.arena with games of these agents."""
    examined: str | Path | Iterable[str | Path]
    """Folders of hsevo.examine."""
    arenas: str | Path | Iterable[str | Path]
    """Folders of hsevo.arena or hsevo.benchmark."""
    groups: int | None
    """Number of groups of solutions, 2 to 7."""
    games: int
    """Minimum number of games with each agent of `against`; default: 360."""
    seed: int
    """Seed of these games; default: 1."""


def report(*runs: RunLike | Mapping[str, RunLike], out: str | Path | None = None,
           against: Iterable[str] = (), progress: Progress = False,
           **fields: Unpack[ReportFields]) -> PageReport:
    """Write a report: one page, with figures (SVG, PNG) and tables (CSV).

    Parameters
    ----------
    *runs : run or path or mapping
        Runs or their folders. {"label": run} labels them. Runs of `hsevo.evolve` that differ only
        in their seed are executions of one experiment, and other runs are compared. Runs of
        `hsevo.learn` are shown side by side, with the mean win rate of runs that differ only in
        their seed and its 95 % interval (Student's t over seeds). Folders of `hsevo.study`, of
        `hsevo.sweep` and of studies with participants are also accepted.
    out : str or Path, optional
        Folder, in which an older report is replaced. Default: reports/NAME, for several runs
        reports/NAME-and-NAME.
    against : iterable of str, optional
        Specs of agents that the best individual of each execution plays in new games. The report
        then has box plots of their rates, and tests of the differences between experiments:
        Wilcoxon's rank-sum test, A12 and Welch's t-test, with executions as units.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : ReportFields
        `agents` (a file of weights instead of runs), `kind` (default "eva", agent family of the
        weights), `tournament` (folder of `hsevo.arena` with their games), `examined` (folders of
        `hsevo.examine`), `arenas` (folders of `hsevo.arena` or `hsevo.benchmark`), `groups` (number
        of groups of solutions, 2 to 7), `games` (default 360, minimum number of games with each
        agent of `against`), `seed` (default 1, of these games), `workers` and `backend`.

    Returns
    -------
    PageReport
        The report.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> run = hsevo.evolve("smoke", seed=2, out="runs/reported")
    >>> hsevo.report(run, out="reports/example")
    PageReport('reports/example/report.html': ... figures, ... tables)
    """
    options, worker_options = parted("report", ReportFields, fields)
    kind, groups = options.get("kind", "eva"), options.get("groups")
    if groups is not None:
        groups = config.whole("groups", groups, 2, parting.MOST_GROUPS)
    paths, labels = _labelled(runs)
    sources = Sources(paths, labels, _path(options.get("agents")), kind,
                      _path(options.get("tournament")),
                      *(_paths(name, options.get(name, ())) for name in ("arenas", "examined")))
    sources.check()
    genome_of(kind)  # is there such a kind?
    opponents, workers = _listed(against), workers_of(**worker_options)
    if opponents and not paths:
        raise ConfigError("against needs run folders of hsevo evolve, whose best individuals play")

    played: list[pd.DataFrame] = []  # shown in a section and at the top

    def rematch(runs: Mapping[str, Any]) -> pd.DataFrame:
        if played:
            return played[0]
        lineup = bests.lineup(runs, opponents, config.whole("games", options.get("games", 360)),
                              options.get("seed", 1))
        with playing(lineup.games, workers, progress) as (executor, meter):
            played.append(bests.rates(runs, lineup, executor, meter.advance))
        return played[0]

    besides = Besides(groups, rematch=rematch if opponents else None)
    return write(sources, _path(out), besides, _say(progress))


def _listed(specs: str | Iterable[str]) -> list[str]:
    """Return one spec or several. Raises ConfigError."""
    listed = [specs] if isinstance(specs, str) else [*specs]
    if not all(isinstance(spec, str) for spec in listed):
        raise ConfigError(f"against is {config.short(specs)}, but must be agent specs")
    return listed


def _labelled(runs: Sequence[Any]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    paths: list[Path] = []
    labels: list[str] = []
    for source in runs:
        for label, run in (source.items() if isinstance(source, Mapping) else [("", source)]):
            if not isinstance(run, Experiment | str | Path) or not isinstance(label, str):
                raise ConfigError(
                    f"a report needs runs or run folders, not {config.short(source)}")
            if problem := name_problem(label):
                raise ConfigError(f"the label {quoted(label)} {problem}")
            paths.append(run.path if isinstance(run, Experiment) else Path(run))
            labels.append(label)
    return tuple(paths), tuple(labels)


def _paths(what: str, folders: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    """Return one folder or several. Raises ConfigError."""
    listed = [folders] if isinstance(folders, str | Path) else folders
    paths = config.in_order(what, listed) if isinstance(listed, Iterable) else [None]
    if not all(isinstance(path, str | Path) for path in paths):
        raise ConfigError(f"{what} is {config.short(folders)}, but must be a folder or a list of"
                          " folders")
    return tuple(Path(path) for path in paths if path is not None)


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def _say(progress: Progress) -> Callable[[str], None]:
    def say(name: str) -> None:
        if progress is True:
            print_line(f"drawing {name} ...")
    return say
