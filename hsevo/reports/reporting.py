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
    """What a report is on besides runs, and games that it plays; see `report`."""

    agents: str | Path | None
    kind: str
    tournament: str | Path | None
    examined: str | Path | Iterable[str | Path]
    arenas: str | Path | Iterable[str | Path]
    groups: int | None
    games: int
    seed: int


def report(*runs: RunLike | Mapping[str, RunLike], out: str | Path | None = None,
           against: Iterable[str] = (), progress: Progress = False,
           **fields: Unpack[ReportFields]) -> PageReport:
    """Write a report: one page, with figures (SVG, PNG) and tables (CSV) beside it.

    runs: runs or their folders; {"label": run} labels them. Runs of `evolve` that differ only in
    their seed are executions of one experiment, others are compared; runs of `learn` stand beside
    each other, with the mean win rate of those that differ only in their seed and its 95 % interval
    (Student's t over seeds). Folders of `study` and of studies with participants are reported, too.
    out: default reports/NAME, of several runs reports/NAME-and-NAME; an older report in it is
    replaced. against: the specs of agents that the best of each execution plays in new games. Then
    the report has box plots of their rates, and tests of the differences between experiments:
    Wilcoxon's rank-sum test, A12 and Welch's t-test, with executions as units.

    fields: agents, a file of weights instead of runs, of kind="eva"; tournament, the folder of
    `arena` with their games; examined, arenas, folders written by `examine` and by `arena` or
    `benchmark`; groups, the number of groups of solutions, 2 to 7; games=360 and seed=1 of
    `against`, at least so many with each agent; workers and backend.

    Raises ConfigError, RunError, AgentError, WorkersError, GameError.

    >>> run = hsevo.evolve("smoke", seed=2, out="runs/reported")
    >>> hsevo.report(run, out="reports/example")
    PageReport('reports/example/report.html': ... figures, ... tables)
    """
    given, team = parted("report", ReportFields, fields)
    kind, groups = given.get("kind", "eva"), given.get("groups")
    if groups is not None:
        groups = config.whole("groups", groups, 2, parting.MOST_GROUPS)
    paths, labels = _labelled(runs)
    sources = Sources(paths, labels, _path(given.get("agents")), kind,
                      _path(given.get("tournament")),
                      *(_paths(name, given.get(name, ())) for name in ("arenas", "examined")))
    sources.check()
    genome_of(kind)  # is there such a kind?
    opponents, workers = _listed(against), workers_of(**team)
    if opponents and not paths:
        raise ConfigError("against lets the bests of runs play; give run folders of hsevo evolve")

    def rematch(runs: Mapping[str, Any]) -> pd.DataFrame:
        lineup = bests.lineup(runs, opponents, config.whole("games", given.get("games", 360)),
                              given.get("seed", 1))
        with playing(lineup.games, workers, progress) as (executor, meter):
            return bests.rates(runs, lineup, executor, meter.advance)

    besides = Besides(groups, rematch=rematch if opponents else None)
    return write(sources, _path(out), besides, _say(progress))


def _listed(given: str | Iterable[str]) -> list[str]:
    """Return one spec or several. Raises ConfigError."""
    found = [given] if isinstance(given, str) else [*given]
    if not all(isinstance(one, str) for one in found):
        raise ConfigError(f"against is {config.short(given)}, but must be specs of agents")
    return found


def _labelled(runs: Sequence[Any]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    paths: list[Path] = []
    labels: list[str] = []
    for one in runs:
        for label, run in (one.items() if isinstance(one, Mapping) else [("", one)]):
            if not isinstance(run, Experiment | str | Path) or not isinstance(label, str):
                raise ConfigError(f"a report is of runs and run folders, not {config.short(one)}")
            if problem := name_problem(label):
                raise ConfigError(f"the label {quoted(label)} {problem}")
            paths.append(run.path if isinstance(run, Experiment) else Path(run))
            labels.append(label)
    return tuple(paths), tuple(labels)


def _paths(what: str, given: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    """Return one folder or several. Raises ConfigError."""
    listed = [given] if isinstance(given, str | Path) else given
    found = config.in_order(what, listed) if isinstance(listed, Iterable) else [None]
    if not all(isinstance(one, str | Path) for one in found):
        raise ConfigError(f"{what} is {config.short(given)}, but must be a folder or a list of"
                          " folders")
    return tuple(Path(one) for one in found if one is not None)


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _say(progress: Progress) -> Callable[[str], None]:
    def say(name: str) -> None:
        if progress is True:
            print_line(f"drawing {name} ...")
    return say
