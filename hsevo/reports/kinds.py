"""How folders are reported, by the kind of their experiment: an entry each.

    of(paths) -> Kind      load: folders --> Data --sections, answers--> Section, Answer --> page.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from hsevo.analysis.examine import Examination
from hsevo.errors import ConfigError
from hsevo.reports import (
    answer,
    coevolved,
    deck_searches,
    learned,
    people,
    rounds,
    sections,
    tables,
)
from hsevo.reports.answer import Answer
from hsevo.reports.arenas import Arena
from hsevo.reports.exhibit import Exhibit, Section
from hsevo.store.folder import Folder
from hsevo.store.kinds import (
    COEVOLUTION,
    DECKS,
    KIND,
    LEARNED,
    PEOPLE,
    RUNS,
    STUDY,
    kind_of,
    known,
)


@dataclass(frozen=True)
class Asked:
    """What a report is asked for, besides its runs."""

    groups: int | None  # of solutions; None: chosen by silhouette
    fields: Sequence[Arena]
    examined: Sequence[Examination]
    say: Callable[[str], object]  # called with the name of each section before it is drawn
    # Plays the best of each execution again, if asked for: see strength.bests.rates.
    rematch: Callable[[Mapping[str, Any]], pd.DataFrame] | None = None


class Data(Protocol):
    """The runs of a report, as read."""

    @property
    def runs(self) -> Mapping[str, Folder[Any]]:
        """The folders by their labels."""

    @property
    def series(self) -> Mapping[str, str]:
        """The series of each run by its label: what differs in its seed alone is one."""


@dataclass(frozen=True)
class Kind:
    """How runs of one kind are reported.

    population: whether a run has many solutions, which can be divided into groups, and of which one
    is to be examined.
    """

    about: str  # what the page is about, after the names of the runs
    load: Callable[[Sequence[Path], Sequence[str]], Data]  # folders, and labels: "" for none
    sections: Callable[[Any, Asked], list[Section]]
    answers: Callable[[Any, Asked], list[Answer]]
    # The figures that are looked at while a run goes on.
    course: Callable[[Any], list[Exhibit]] = lambda data: []
    population: bool = False

    def refuse_rematch(self, run: Path) -> None:
        """Raise ConfigError unless runs of this kind have executions, whose bests can play."""
        if not self.population:
            raise ConfigError(f"--against lets the bests of runs of hsevo evolve play, and {run} is"
                              f" {_words(run)}")

    def refuse_groups(self, groups: int | None, run: Path) -> None:
        """Raise ConfigError for a number of groups, if there is nothing to divide."""
        if groups is not None and not self.population:
            raise ConfigError(f"groups are of evolved solutions, and {run} is {_words(run)}, which"
                              " has none")


KINDS = {
    KIND: Kind("what evolved", tables.load, lambda data, asked: sections.of_runs(
        data, asked.groups, asked.say, asked.examined,
        asked.rematch(data.runs) if asked.rematch else None), lambda data, asked: answer.of_runs(
        data, asked.fields, asked.examined), sections.course, population=True),
    LEARNED: Kind("what was learned", learned.load, lambda data, asked: learned.of_courses(
        data, asked.say), lambda data, asked: learned.answers(data), learned.course),
    DECKS: Kind("which decks were found", deck_searches.load, lambda data, asked:
                deck_searches.of_searches(data, asked.say), lambda data, asked:
                deck_searches.answers(data), deck_searches.course),
    COEVOLUTION: Kind("which decks and pilots were found", coevolved.load, lambda data, asked:
                      coevolved.of_courses(data, asked.say), lambda data, asked:
                      coevolved.answers(data), coevolved.course),
    STUDY: Kind("what was measured", rounds.load_studies, lambda data, asked: data.sections(
        rounds.study_exhibits, asked.say), lambda data, asked: rounds.study_answers(data)),
    PEOPLE: Kind("what participants did", people.load, lambda data, asked:
                 people.sections(data, asked.say), lambda data, asked: people.answers(data)),
}


def of(paths: Sequence[Path]) -> Kind:
    """Return the kind of folders; that of hsevo evolve for no such, which says so when loaded.

    Raises ConfigError for folders of two kinds.
    """
    found = {path: kind for path in paths if (kind := _kind(path)) in KINDS}
    kinds = dict.fromkeys(found.values())
    if len(kinds) > 1:
        one, other = (next(path for path in found if found[path] == kind) for kind in [*kinds][:2])
        raise ConfigError(f"{one} is {_words(one)}, and {other} is not; make two reports")
    return KINDS[next(iter(kinds), KIND)]


def _kind(path: Path) -> str:
    """Return the kind of a run, or the noun of another folder; "" if it is neither."""
    return kind_of(path) or (found.noun if (found := known(path)) else "")


def _words(path: Path) -> str:
    """Return what a folder is that has a report, in words."""
    kind = _kind(path)
    return f"a run of hsevo {RUNS[kind][0]}" if kind in RUNS else f"a {kind}"
