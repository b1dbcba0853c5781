"""What a report is made of: a kind of folder has chapters, and a chapter has exhibits.

    folders --ReportKind.load()--> data --Chapter.sections()--> ReportSection, Drawn --> page.py

An exhibit is declared by its name, its title, and the function that shows it. That function returns
the caption, the table and the picture together, because they are made of the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

import pandas as pd

from hsevo.errors import ConfigError, RunError, name_problem, quoted, resuming
from hsevo.pictures import COLOURS, Picture
from hsevo.play.specs import short_names

if TYPE_CHECKING:
    from hsevo.analysis.examine import Examination
    from hsevo.reports.arenas import StoredArena

PAPER = "García-Sánchez et al."  # whose figures are redrawn; see the package's docstring
D = TypeVar("D")  # what an exhibit is of, such as a run
Say: TypeAlias = Callable[[str], object]  # called with the title of each section before it is drawn
Words: TypeAlias = str | Callable[[Any], str]  # of the data of a chapter


@dataclass(frozen=True)
class Drawn:
    """A figure or table as it stands in a report. Its name and title are those of its exhibit,
    unless the function that shows it gives it others.
    """

    caption: str
    table: pd.DataFrame
    picture: Picture | None = None
    on_page: pd.DataFrame | None = None  # the table as it stands on the page, if it does
    terms: dict[str, str] = field(default_factory=dict)  # short names in it, and what they mean
    title: str = ""
    name: str = ""  # of its files


@dataclass(frozen=True)
class Exhibit(Generic[D]):
    """A figure or table of a kind of report. show: returns None if there is nothing to show."""

    name: str  # of its files
    title: str
    show: Callable[[D], Drawn | None]


def exhibit(name: str, title: str = "") -> Callable[[Callable[[D], Drawn | None]], Exhibit[D]]:
    """Declare the exhibit that a function shows."""
    return lambda show: Exhibit(name, title, show)


class Topic(NamedTuple):
    """What a chapter of a report is about, such as one of several runs.

    tag: ends the names of its exhibits. before, after: begin and end their titles. title: of its
    section; default: that of the chapter, with `after`.
    """

    data: Any
    tag: str = ""
    before: str = ""
    after: str = ""
    title: str = ""


@dataclass(frozen=True)
class ReportSection:
    """A section of a report.

    note: what the reader must know first. needs: what it lacks to say something, in one line; such
    a section is folded.
    """

    title: str
    exhibits: list[Drawn]
    note: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Chapter:
    """A chapter of a kind of report: the same exhibits of each topic.

    topics: of the data of the report; none: it is left out. apart: whether each topic has a
    section of its own. note: what the reader must know first. needs: what a section lacks, which
    then shows nothing else. folded: why a section says little, which is shown, but folded. They are
    of the topic if `apart`, else of the data. Two chapters with the same title, one after the
    other, are one section.
    """

    title: str
    exhibits: tuple[Exhibit[Any], ...] = ()
    topics: Callable[[Any], Iterable[Topic]] = lambda data: [Topic(data)]
    apart: bool = False
    note: Words = ""
    needs: Words = ""
    folded: Words = ""

    def sections(self, data: Any, say: Say = lambda title: None) -> list[ReportSection]:
        """Return the sections of the chapter."""
        topics = list(self.topics(data))
        if self.apart:
            return [self._section(topic.title or self.title + topic.after, [topic], topic.data, say)
                    for topic in topics]
        return [self._section(self.title, topics, data, say)] if topics else []

    def _section(self, title: str, topics: Sequence[Topic], data: Any, say: Say) -> ReportSection:
        say(title)
        if needs := _words(self.needs, data):
            return ReportSection(title, [], needs=needs)
        shown = [drawn for topic in topics for drawn in show(self.exhibits, topic)]
        return ReportSection(title, shown, _words(self.note, data), _words(self.folded, data))


def show(exhibits: Iterable[Exhibit[Any]], topic: Topic) -> list[Drawn]:
    """Show exhibits of a topic, without those that have nothing to show."""
    return [replace(shown, name=f"{shown.name or candidate.name}{topic.tag}",
                    title=f"{topic.before}{shown.title or candidate.title}{topic.after}")
            for candidate in exhibits if (shown := candidate.show(topic.data)) is not None]


def sections(chapters: Iterable[Chapter], data: Any,
             say: Say = lambda title: None) -> list[ReportSection]:
    """Return the sections of a report. Raises RunError, ConfigError."""
    merged: list[ReportSection] = []
    for chapter in chapters:
        for section in chapter.sections(data, say):
            if merged and merged[-1].title == section.title:
                merged[-1].exhibits.extend(section.exhibits)
            else:
                merged.append(section)
    return merged


def _words(said: Words, data: Any) -> str:
    return said if isinstance(said, str) else said(data)


@dataclass(frozen=True)
class Answer:
    """The top of a report. rates: (what against, rate with interval); facts: by their names.

    agent: a spec, or in words. shown: its short name, "" for that which it has alone.
    """

    agent: str
    says: list[str]
    rates: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    next: list[tuple[str, str]] = field(default_factory=list)  # commands, and what each is for
    title: str = "Best agent"
    shown: str = ""

    @property
    def name(self) -> str:
        """What the agent is called on the page."""
        return self.shown or short_names([self.agent])[self.agent]


@dataclass(frozen=True)
class Folders(Generic[D]):
    """Folders of one kind as a report reads them: `runs` by their labels.

    series: of each by its label; runs that differ in their seed alone may be one series.
    """

    runs: dict[str, D]
    series: dict[str, str]

    @classmethod
    def of(cls, runs: dict[str, D], names: Mapping[str, str]) -> Any:
        """Return folders by their labels. names: that a user gave to their series, "" for none.

        Raises ConfigError, RunError.
        """
        return cls(runs, {label: label for label in runs})

    @property
    def names(self) -> list[str]:
        """The series, in the order of the runs."""
        return list(dict.fromkeys(self.series.values()))


def each(data: Folders[Any]) -> list[Topic]:
    """Return a topic for each run, with its label if there are several."""
    many = len(data.runs) > 1
    return [Topic(run, f"-{k}" * many, after=f" of {label}" * many)
            for k, (label, run) in enumerate(data.runs.items(), start=1)]


def each_titled(data: Folders[Any]) -> list[Topic]:
    """Return a topic for each folder, whose section has its label as title."""
    return [topic._replace(after="", title=label)
            for label, topic in zip(data.runs, each(data), strict=True)]


@dataclass(frozen=True)
class Besides:
    """What a report is asked for besides its folders.

    groups: how many groups of solutions; None: chosen by silhouette. rematch: plays the best of
    each execution again, if asked for: see strength.bests.rates.
    """

    groups: int | None = None
    arenas: Sequence[StoredArena] = ()
    examined: Sequence[Examination] = ()
    rematch: Callable[[Mapping[str, Any]], pd.DataFrame] | None = None


@dataclass(frozen=True)
class ReportKind:
    """How folders of one kind are reported.

    about: what the page is about, after the names of the folders. open: reads a folder; its result
    has a `path`. chapters: they make the sections. answers: the top of the page. course: the
    exhibits that are looked at while a run goes on. data: the folders together; it has
    `runs` and `series`.

    step: what a run is made of, as "generation", "" for folders that are no runs; began: whether a
    run has one; command: that continues it. joined: joins the data with what a report is asked for
    besides. series_named: labels name series, which several runs may share.

    population: whether a run has many solutions, which can be divided into groups, and of which one
    is to be examined.
    """

    about: str
    open: Callable[[Path], Any]
    chapters: tuple[Chapter, ...]
    answers: Callable[[Any], list[Answer]]
    course: tuple[Exhibit[Any], ...] = ()
    data: type[Folders[Any]] = Folders
    step: str = ""
    began: Callable[[Any], object] = lambda run: True
    command: str = ""
    joined: Callable[[Any, Besides], Any] = lambda data, besides: data
    series_named: bool = False
    population: bool = False

    def load(self, paths: Sequence[Path], names: Sequence[str] = ()) -> Any:
        """Read folders, runs finished or not. names: their labels, "" for that of the folder.

        Raises ConfigError for one label twice, or folders that can't be in one report; RunError for
        a damaged folder, a run without a step, or more series than COLOURS.
        """
        labels = labels_of(paths)
        chosen_labels = [*names] or [""] * len(labels)
        if not self.series_named:
            labels = [name or label for name, label in zip(chosen_labels, labels, strict=True)]
            if len({*labels}) < len(labels):
                raise ConfigError("two runs have the same label; give each run its own label")
        runs = {label: self._opened(path) for label, path in zip(labels, paths, strict=True)}
        data = self.data.of(runs, dict(zip(labels, chosen_labels, strict=True)))
        if (count := len(data.names)) > len(COLOURS):
            raise RunError(f"{count} different experiments, but a report can draw at most"
                           f" {len(COLOURS)}; split the runs into several reports")
        return data

    def _opened(self, path: Path) -> Any:
        run = self.open(path)
        if not self.began(run):
            raise RunError(f"{path} has no {self.step} yet; wait for the first one, or continue"
                           f" with: {resuming(self.command, path)}")
        return run

    def sections(self, data: Any, besides: Besides = Besides(),
                 say: Say = lambda title: None) -> list[ReportSection]:
        """Return the sections of a report. Raises RunError, ConfigError."""
        return sections(self.chapters, self.joined(data, besides), say)

    def top(self, data: Any, besides: Besides = Besides()) -> list[Answer]:
        """Return the top of the page."""
        return self.answers(self.joined(data, besides))

    def curves(self, data: Any) -> list[Drawn]:
        """Return the exhibits of `course`."""
        return show(self.course, Topic(data))


def labels_of(paths: Sequence[Path]) -> list[str]:
    """Name runs by their folders, with the folder above where two have one name. Raises RunError.
    """
    whole = [path.resolve() for path in paths]
    for path, times in Counter(whole).items():
        if times > 1:
            raise RunError(f"{path} is given twice; give it once")
    for path in whole:
        if problem := name_problem(path.name):
            raise RunError(f"the name of {quoted(path)} {problem}; rename it")
    short = Counter(path.name for path in whole)
    labels = [path.name if short[path.name] == 1 else f"{path.parent.name}/{path.name}"
              for path in whole]
    return [label if labels.count(label) == 1 else str(path)
            for label, path in zip(labels, whole, strict=True)]


def meanings(names: Mapping[str, str]) -> dict[str, str]:
    """Return the specs of agents by their short names, as terms; names: of short_names."""
    return {name: spec for spec, name in names.items() if name != spec}


def interval(values: tuple[float, float, float], sign: bool = False, digits: int = 1) -> str:
    """Return a number with the ends of its interval, "50.1 (48.9 to 51.2)"; "" for NaN.

    sign: whether a plus stands before what is above 0.
    """
    if any(value != value for value in values):
        return "" if values[0] != values[0] else _number(values[0], sign, digits)
    value, low, high = (_number(number, sign, digits) for number in values)
    return f"{value} ({low} to {high})"


def percent(row: Any, name: str = "rate", unit: str = "") -> str:
    """Return a rate of a row in per cent with its interval, "57.1 (55.0 to 59.2)"; "" for NaN.

    Its ends are in NAME_low and NAME_high, else in low and high. unit: follows the rate, as " %".
    """
    ends = (f"{name}_{end}" if f"{name}_{end}" in row else end for end in ("low", "high"))
    low, high = (100 * row[end] for end in ends)
    value, space, rest = interval((100 * row[name], low, high)).partition(" ")
    return value and f"{value}{unit}{space}{rest}"


def _number(value: float, sign: bool, digits: int) -> str:
    return f"{value:{'+' if sign else ''},.{digits}f}"
