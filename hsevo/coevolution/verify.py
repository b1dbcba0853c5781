"""Check a folder of hsevo coevolve: repeat the coevolution from what was stored.

    told(run) -> Course      all committed generations, asked and told again
    verify(run, executor) -> Report

    files            what was written, by their SHA-256
    decks.csv, weights.csv, generations.csv    every line, made again, comes out the same
    generation 0     its games played again; so are the last games of a finished run, from which
                     confirmed.csv and the champion's files follow

Games are played again by the engine of the run alone; by another, they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from hsevo.coevolution import games
from hsevo.coevolution.confirm import confirm, files, games_to_confirm
from hsevo.coevolution.course import (
    DECKS,
    Course,
    Generation,
    Meetings,
    Play,
    games_of,
    measured,
)
from hsevo.coevolution.folder import CoevolutionRun, weights_table
from hsevo.coevolution.pairs import DECK_GAMES, REFERENCE_GAMES, WEIGHT_GAMES, Pair
from hsevo.deckbuilding.book import RESULT
from hsevo.deckbuilding.folder import decks_table
from hsevo.deckbuilding.verify import Report, check, other_marks, refuse_differences
from hsevo.errors import RunError
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.store import sums
from hsevo.types import Array

NONE: Array = np.zeros((1, 0), RESULT)  # games, of a champion that is not measured


def playing(run: CoevolutionRun, executor: Executor, on_games: OnGames) -> Play:
    """Return what plays the meetings of a population."""
    plan = run.plan

    def play(meetings: Meetings) -> Array:
        use = DECK_GAMES if meetings.population == DECKS else WEIGHT_GAMES
        return games.play(executor, plan, meetings.own, meetings.theirs, plan.games,
                          (plan.seed, Stream.COEVOLUTION, meetings.number, use), on_games)

    return play


def measuring(run: CoevolutionRun, executor: Executor,
              on_games: OnGames) -> Callable[[int, Pair], Array]:
    """Return what plays a champion against the reference decks, in those generations that do."""
    plan = run.plan

    def measure(number: int, champion: Pair) -> Array:
        if not measured(plan, number):
            return NONE
        return run.reference.play(
            executor, [champion], plan.reference.games,
            (plan.seed, Stream.COEVOLUTION, number, REFERENCE_GAMES), on_games)

    return measure


def told(run: CoevolutionRun) -> Course:
    """Return the coevolution after all committed generations. Raises RunError if it is damaged."""
    course, stored, references = run.course(), run.stored(), run.measured()

    def play(meetings: Meetings) -> Array:
        known, results = stored[meetings.number][meetings.population]
        if not np.array_equal(known, meetings.candidates):
            raise RunError(f"{run.path} can't be gone on with: repeated, generation"
                           f" {meetings.number} has other {meetings.population} than matches.csv:"
                           " it is damaged, or this machine, or its numpy, gives other results")
        return results

    made = [course.step(number, play, lambda number, _: references.get(number, NONE))
            for number in range(run.generations)]
    refuse_differences(run, _tables(course, made) if made else {})
    return course


def _tables(course: Course, made: list[Generation]) -> dict[str, pd.DataFrame]:
    return {"decks.csv": decks_table(course.book, np.arange(len(course.book))),
            "weights.csv": weights_table(course.genome, np.concatenate(
                [one.weights for one in made])),
            "generations.csv": pd.DataFrame([one.line for one in made])}


def games_to_verify(run: CoevolutionRun) -> int:
    """Return how many games `verify` plays, at most; 0 if they could come out otherwise here."""
    if not run.generations or other_marks(run):
        return 0
    last = games_to_confirm(run.plan, len(run.first), len(run.reference.field.decks))
    return games_of(run.plan, 0) + last * run.done


def verify(run: CoevolutionRun, executor: Executor,
           on_games: OnGames = lambda games: None) -> Report:
    """Check all that a run has committed; problems are listed in the report, not raised.

    Raises RunError only if the folder can't be read at all.
    """
    return check(run, told, lambda course, count: _played_again(run, course, executor, count),
                 on_games)


def _played_again(run: CoevolutionRun, course: Course, executor: Executor,
                  count: OnGames) -> Iterator[str]:
    """Play the first generation and the last games again, and yield what differs."""
    again = run.course().step(0, playing(run, executor, count), lambda number, _: NONE)
    for meetings, results in zip(again.meetings, again.results, strict=True):
        who, stored = run.stored()[0][meetings.population]
        for i in np.flatnonzero((results != stored).any(axis=1)).tolist():
            yield (f"matches.csv: the games of {meetings.population} {who[i]} in generation 0,"
                   " played again, differ")
    if run.done:
        found = confirm(course, run.reference, executor, count)
        for name, data in files(run, course, found).items():
            if run.digests.get(name) != sums.of(data):
                yield f"{name}: made again, it is another"
