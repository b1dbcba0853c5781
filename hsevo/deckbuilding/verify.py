"""Check a folder of hsevo decks evolve: repeat the search from what was stored.

    told(run) -> Course      all committed generations, asked and told again
    verify(run, executor) -> Report

    files            what was written, by their SHA-256
    decks.csv        every deck, asked for again by the strategy, comes out the same
    generations.csv  every line follows from the matches
    generation 0     its games played again; so are the last games of a finished run, from which
                     archive.csv and the deck files follow

Games are played again by the engine of the run alone; by another, they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.deckbuilding.confirm import confirm, deck_of, files, games_to_confirm
from hsevo.deckbuilding.course import Course
from hsevo.deckbuilding.folder import DeckRun, decks_table
from hsevo.deckbuilding.games import Arena
from hsevo.deckbuilding.strategies import MapElites
from hsevo.errors import RunError
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.store import sums
from hsevo.store.checked import Checked
from hsevo.store.tables import TableFolder
from hsevo.types import Array

MAP = ("generation", "cell_1", "cell_2", "deck", "rate", "rate_low", "rate_high")


@dataclass(kw_only=True)
class Report(Checked):
    """What was checked, and the problems found."""

    generations: int = 0
    decks: int = 0
    other: str = ""  # why no game was played again, in words

    @property
    def outcome(self) -> str:
        """What adds up, and what was played again."""
        played = self.other or f"{self.games:,} games, played again, are equal"
        return f"{self.generations:,} generations with {self.decks:,} decks add up; {played}"


def told(run: DeckRun, watch: Callable[[int, Course], object] = lambda number, course: None
         ) -> Course:
    """Return the search after all committed generations. Raises RunError if it is damaged.

    watch: called after each generation.
    """
    course, stored = Course(run.plan, run.pool, run.field), run.stored()

    def play(number: int, decks: Array) -> Array:
        known, results = stored[number]
        at = {int(deck): i for i, deck in enumerate(known)}
        if missing := [i for i in decks.tolist() if i not in at]:
            raise RunError(f"{run.path} can't be gone on with: repeated, generation {number} plays"
                           f" deck-{missing[0]}, and matches.csv has it not: it is damaged, or this"
                           " machine, or its numpy, gives other results")
        return results[[at[i] for i in decks.tolist()]]

    lines = []
    for number in range(run.generations):
        lines.append(course.step(number, play).line)
        watch(number, course)
    refuse_differences(run, {"decks.csv": decks_table(course.book, np.arange(len(course.book))),
                             "generations.csv": pd.DataFrame(lines)} if lines else {})
    return course


def map_table(number: int, course: Course) -> pd.DataFrame:
    """Return the map of a search after a generation: a line per elite, columns MAP."""
    assert isinstance(course.strategy, MapElites)
    cells = sorted(course.strategy.archive.cells.items())
    rates = course.book.rates(np.array([deck for _, deck in cells], np.int64))
    low, high = rates.ends()
    values = (number, *zip(*(cell for cell, _ in cells), strict=True), [deck for _, deck in cells],
              rates.rate(), low, high)
    return pd.DataFrame(dict(zip(MAP, values, strict=True)))


def refuse_differences(run: TableFolder[Any], made: Mapping[str, pd.DataFrame]) -> None:
    """Raise RunError if a table is not what its steps give, told again."""
    if problem := next(run.differences(made), ""):
        raise RunError(f"{run.path}: {problem}: it is damaged, or this machine, or its numpy, gives"
                       " other results")


def games_to_verify(run: DeckRun) -> int:
    """Return how many games `verify` plays; 0 if they could come out otherwise here."""
    if not run.generations or other_marks(run):
        return 0
    plan, opponents = run.plan, len(run.field.decks)
    first = plan.search.first * opponents * len(plan.pilots) * plan.games
    return first + (games_to_confirm(plan, opponents) if run.done else 0)


def verify(run: DeckRun, executor: Executor, on_games: OnGames = lambda games: None) -> Report:
    """Check all that a run has committed; problems are listed in the report, not raised.

    Raises RunError only if the folder can't be read at all.
    """
    return check(run, told, lambda course, count: _played_again(run, course, executor, count),
                 on_games)


def check(run: TableFolder[Any], told: Callable[[Any], Any],
          played_again: Callable[[Any, OnGames], Iterator[str]], on_games: OnGames) -> Report:
    """Check the files of a run; then what it tells again, a course with a book, and its games.

    played_again: plays games of that course, and yields what differs.
    """
    report = Report(done=run.done, sums=True, generations=run.generations, other=other_marks(run))
    report.problems += run.changed()
    if report.problems or not run.generations:
        return report
    try:
        course = told(run)
    except RunError as error:
        report.problems.append(str(error))
        return report
    report.decks = len(course.book)
    if not report.other:
        def count(games: int) -> None:
            report.games += games
            on_games(games)

        report.problems += played_again(course, count)
    return report


def other_marks(run: TableFolder[Any]) -> str:
    """Return why no game can be played again here, in words; "" if they can."""
    for what, now in run.marks().items():
        if run.about.get(what) != now:
            return (f"it was begun with another {what}, of hsevo {run.about.get('version')}: no"
                    " game was played again")
    return ""


def _played_again(run: DeckRun, course: Course, executor: Executor,
                  count: OnGames) -> Iterator[str]:
    """Play the first generation and the last games again, and yield what differs."""
    plan, (decks, results) = run.plan, run.stored()[0]
    again = Arena(plan, run.field, plan.pilots).play(
        executor, [deck_of(course, i) for i in decks.tolist()], plan.games,
        (plan.seed, Stream.DECK_SEARCH, 0), count, watch=plan.watches)
    for i in np.flatnonzero((again != results).any(axis=1)).tolist():
        yield f"matches.csv: the games of deck-{decks[i]} in generation 0, played again, differ"
    if run.done:
        for name, data in files(course, confirm(run, course, executor, count)).items():
            if run.digests.get(name) != sums.of(data):
                yield f"{name}: made again, it is another"
