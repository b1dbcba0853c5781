"""A report of runs, agents, arenas and examined agents: its sections, and its files.

    Sources --drawn()--> ReportSection, Answer --write()--> page.py --> PageReport
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import ClassVar

import pandas as pd

from hsevo.analysis import examine as examination
from hsevo.analysis.examine import Examination
from hsevo.errors import ConfigError, RunError, name_problem, quoted
from hsevo.files import check_path, claimed, marked
from hsevo.objects import Fields
from hsevo.reports import answer, arenas, examined, kinds, page, standings
from hsevo.reports import sections as evolved
from hsevo.reports.exhibit import Answer, Besides, ReportSection, Say

LONGEST = 200  # bytes of a folder's name, of which file systems take 255
FILLS = "hsevo report"  # what fills a folder


@dataclass(frozen=True)
class PageReport:
    """Hold the paths of a report that was written.

    Attributes
    ----------
    page : Path
        File to open.
    files : tuple of str
        Figures and tables, relative to the page.
    """

    FIELDS: ClassVar[Fields] = {"page": "page", "files": "files"}

    page: Path
    files: tuple[str, ...]  # figures and tables, relative to the page

    @property
    def figures(self) -> int:
        """Number of figures, each as SVG and PNG."""
        return sum(name.endswith(".svg") for name in self.files)

    @property
    def tables(self) -> int:
        """Number of tables, as CSV."""
        return sum(name.endswith(".csv") for name in self.files)

    def table(self, name: str) -> pd.DataFrame:
        """Read one of its tables.

        Parameters
        ----------
        name : str
            Name of the table, such as "bests-compared".

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        RunError
            If the file is missing or damaged.
        """
        file = f"tables/{name}.csv"
        if file not in self.files:
            raise RunError(f"{self.page} has no table {quoted(name)}")
        return pd.read_csv(self.page.parent / file)

    def __repr__(self) -> str:
        return f"PageReport('{self.page}': {self.figures} figures, {self.tables} tables)"

    def _repr_html_(self) -> str:
        return f"<a href='{escape(str(self.page))}'>{escape(repr(self))}</a>"


@dataclass(frozen=True)
class Sources:
    """The sources of a report."""

    runs: tuple[Path, ...]
    labels: tuple[str, ...]  # of the runs, "" for none
    agents: Path | None = None
    kind: str = "eva"  # of the agents
    tournament: Path | None = None
    arenas: tuple[Path, ...] = ()
    examined: tuple[Path, ...] = ()

    def check(self) -> None:
        """Raise ConfigError unless these go together."""
        if (self.runs and self.agents) or not (
                self.runs or self.agents or self.arenas or self.examined):
            raise ConfigError("give one or more run folders, a file of agents, or the folder of an"
                              " arena or of an examined agent")
        for path in (*self.runs, *self.arenas, *self.examined):
            check_path(path)
        if problem := name_problem(self.name):
            raise ConfigError(f"the name of {quoted(self.name)} {problem}; rename it")
        if self.tournament and not self.agents:
            raise ConfigError("a tournament needs a file of agents, because a run has its own"
                              " games")
        for what, paths in (("arena", self.arenas), ("examined", self.examined)):
            folders = [folder.resolve() for folder in paths]
            for folder in folders:
                if folders.count(folder) > 1:
                    raise ConfigError(f"{what} {folder} is given twice; give it once")

    @property
    def name(self) -> str:
        """What the report is called."""
        if self.agents:
            return self.agents.stem
        return (*self.runs, *self.arenas, *self.examined)[0].resolve().name

    @property
    def folder(self) -> str:
        """Its folder in reports/; one of several runs is not the report of the first alone."""
        names = "-and-".join([self.name, *(run.resolve().name for run in self.runs[1:])])
        if len(self.runs) < 2 or len(os.fsencode(names)) <= LONGEST:
            return names
        return f"{self.name}-and-{len(self.runs) - 1}-more"

    @property
    def title(self) -> str:
        """The heading of the page."""
        n = len(self.runs) - 1
        others = f" and {n} other run{'s' * (n > 1)}" if n > 0 else ""
        about = (kinds.of(self.runs).about if self.runs or self.agents else
                 "ratings" if self.arenas else "agent profile")
        return f"{self.name}{others}: {about}"

    def examinations(self) -> list[Examination]:
        """Read those that are given, and those inside the runs. Raises RunError."""
        there = [run / examination.FOLDER for run in self.runs
                 if (run / examination.FOLDER).exists()]
        folders = {path.resolve(): path for path in [*there, *self.examined]}  # each once
        return [Examination.read(path) for path in folders.values()]


@dataclass(frozen=True)
class Subject:
    """What a report is about: runs, or a file of agents.

    sources, series: the paths of runs, and the series of each, by their labels. profiled: whether
    the report asks for an examined agent.
    """

    sections: list[ReportSection] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    sources: Mapping[str, Path] = field(default_factory=dict)
    series: Mapping[str, str] = field(default_factory=dict)
    profiled: bool = False


def drawn(sources: Sources, besides: Besides,
          say: Say = lambda title: None) -> tuple[list[ReportSection], list[Answer]]:
    """Return the sections and the top of a report.

    besides: what else it is asked for; it gets the arenas and examined agents of the sources.
    Raises ConfigError, RunError, AgentError.
    """
    besides = replace(besides, examined=sources.examinations(),
                      arenas=[arenas.read(arena) for arena in sources.arenas])
    profiles = examined.by_name(besides.examined)  # first, because they may not go together
    if sources.agents:
        subject = _of_agents(sources.agents, sources, besides, say)
    elif sources.runs:
        subject = _of_runs(sources, besides, say)
    else:
        subject = Subject()
    shown = [*subject.sections, *standings.ARENAS.sections(standings.topics(
        besides.arenas, subject.sources, subject.series), say)]
    if profiles or subject.profiled:
        shown += examined.PROFILE.sections(profiles, say)
    answers = subject.answers or [answer.of_arena(arena) for arena in besides.arenas]
    return told_apart(shown), answers or [answer.of_examined(besides.examined)]


def told_apart(sections: Sequence[ReportSection]) -> list[ReportSection]:
    """Return sections whose exhibits have different names, as each names its files.

    Of exhibits with one name, such as the decks of a run and of an arena, the later are numbered.
    """
    times: Counter[str] = Counter()
    distinct = []
    for section in sections:
        named = []
        for exhibit in section.exhibits:
            times[exhibit.name] += 1
            number = times[exhibit.name]
            named.append(exhibit if number == 1 else
                         replace(exhibit, name=f"{exhibit.name}-{number}"))
        distinct.append(replace(section, exhibits=named))
    return distinct


def _of_agents(agents: Path, sources: Sources, besides: Besides, say: Say) -> Subject:
    """Return what a report says of a file of agents."""
    shown, first = evolved.of_agents(agents, sources.kind, sources.tournament, besides.groups, say)
    return Subject(shown, [first], {agents.stem: agents})


def _of_runs(sources: Sources, besides: Besides, say: Say) -> Subject:
    """Return what a report says of folders of one kind."""
    kind, first = kinds.of(sources.runs), sources.runs[0]
    if besides.groups is not None and not kind.population:
        raise ConfigError(f"groups need evolved solutions, but {first} is {kinds.words(first)},"
                          " which has none")
    if besides.rematch and not kind.population:
        raise ConfigError("--against needs runs of hsevo evolve, whose best individuals play;"
                          f" {first} is {kinds.words(first)}")
    data = kind.load(sources.runs, sources.labels)
    paths = {label: run.path for label, run in data.runs.items()} if kind.step else {}
    return Subject(kind.sections(data, besides, say), kind.top(data, besides), paths, data.series,
                   kind.population)


def report_of(path: Path) -> tuple[str, list[ReportSection], list[Answer]]:
    """Return the report of one folder of any kind that has one: title, sections, answers.

    Nothing is written. Raises ConfigError, RunError, AgentError.
    """
    arena, profile = (path / "arena.yaml").is_file(), (path / "examined.yaml").is_file()
    runs = () if arena or profile else (path,)
    sources = Sources(runs, ("",) * len(runs), arenas=(path,) * arena,
                      examined=(path,) * (profile and not arena))
    sources.check()
    return sources.title, *drawn(sources, Besides())


def write(sources: Sources, out: Path | None, besides: Besides,
          say: Say = lambda title: None) -> PageReport:
    """Write a report into a folder; default: reports/NAME.

    Raises ConfigError, RunError, AgentError.
    """
    path = out or Path("reports") / sources.folder
    page.check_folder(path)
    shown, answers = drawn(sources, besides, say)
    with claimed(path, FILLS, page.check_folder), marked(path, FILLS):
        files = page.write(path, sources.title, shown, answers)
    return PageReport(path / page.PAGE, tuple(files))
