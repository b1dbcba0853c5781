"""Coevolution of decks and weights as an experiment: a step is a generation."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

import pandas as pd

from hsevo.coevolution.confirm import confirm, files, games_to_confirm
from hsevo.coevolution.course import Course, Generation, games_of, measured
from hsevo.coevolution.folder import CoevolutionRun
from hsevo.coevolution.state import (
    State,
    details,
    entries,
    entry,
    generation_line,
    place,
    reference_line,
)
from hsevo.coevolution.verify import games_to_verify, measuring, playing, told, verify
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.verify import Report
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import Entry
from hsevo.experiments.progress import Meter, Note
from hsevo.play.workers import Executor, OnGames

Step: TypeAlias = tuple[Generation, Course]


class Coevolving(Experiment[CoevolutionRun, Step]):
    """Decks and weights that evolve against a hall of fame."""

    FOLDER, STATE, STEPS = CoevolutionRun, State, "generations"
    LOGS = "coevolution"
    entries = staticmethod(entries)

    def steps(self) -> Generator[Step, None, None]:
        """Make all generations after the last committed one; then the champions play again."""
        run, course = self.run, told(self.run)
        play = playing(run, self.executor, self.on_games)
        measure = measuring(run, self.executor, self.on_games)
        for number in range(run.generations, run.plan.generations):
            yield course.step(number, play, measure), course
        self.made = files(run, course, confirm(course, run.reference, self.executor,
                                               self.on_games))

    def finish(self) -> None:
        """Write what was found, and mark the run as finished."""
        self.run.finish(self.made)

    def show(self, step: Step, meter: Meter) -> str:
        """Show a generation, with its champion's games against the reference decks, if any."""
        made = step[0]
        words, rates = generation_line(made.line), self._rates(made)
        words = (reference_line(rates), *words) if len(rates) else words
        return meter.step(Note(place(self.run.plan, made.line), words),
                          self.games_played(self.run) + self.games_left(self.run))

    @classmethod
    def legend(cls, run: CoevolutionRun) -> str:
        """Return what the figures of a generation are."""
        return ("against the hall: rates of the best of a generation, too high, and the hall"
                " changes; the reference decks choose nothing")

    @classmethod
    def games(cls, run: CoevolutionRun) -> dict[tuple[int, int], int]:
        """Return the games of each generation; at the end those that confirm."""
        table, confirmed = run.table("generations.csv"), run.table("confirmed.csv")
        found = {(1, number): int(games) for number, games in zip(
            table["generation"], table["games"], strict=True)} if len(table) else {}
        return found | ({(1, run.generations): int(confirmed["games"].sum())}
                        if len(confirmed) else {})

    @classmethod
    def games_left(cls, run: CoevolutionRun) -> int:
        """Return how many games are left, at most."""
        return 0 if run.done else most_games(run.plan, len(run.first),
                                             len(run.reference.field.decks), run.generations)

    @classmethod
    def details(cls, run: CoevolutionRun) -> dict[str, Any]:
        """Return its tables, for its state."""
        return details(run)

    @classmethod
    def refuse_damage(cls, run: CoevolutionRun) -> None:
        """Tell all that was stored. Raises RunError if it can't be gone on with."""
        if not run.done:
            told(run)

    @classmethod
    def steps_done(cls, run: CoevolutionRun) -> int:
        """Return how many generations are committed."""
        return run.generations

    @classmethod
    def forget(cls, run: CoevolutionRun) -> None:
        """Take away what was made at the end."""
        run.forget()

    @classmethod
    def games_to_verify(cls, run: CoevolutionRun) -> int:
        """Return how many games `verify` plays again."""
        return games_to_verify(run)

    @classmethod
    def verify(cls, run: CoevolutionRun, executor: Executor, threads: int,
               on_games: OnGames) -> Report:
        """Repeat it from its results; play its first generation and its last games again."""
        return verify(run, executor, on_games)

    def entry(self, step: Step) -> Entry:
        """Return what a log has of a generation."""
        return entry(self.run, step[0].line, self._rates(step[0]))

    def _rates(self, made: Generation) -> pd.DataFrame:
        """Return the champion's games against the reference decks, as `reference_table` does."""
        if not made.references.size:
            return pd.DataFrame()
        rates = self.run.reference.rates(made.references)
        low, high = rates.ends()
        return pd.DataFrame({
            "pilot": made.champion.pilot, "deck": made.champion.deck.name, "rate": rates.rate(),
            "low": low, "high": high})


def most_games(plan: Plan, first: int, decks: int, since: int = 0) -> int:
    """Return how many games there are from a generation on, at most.

    first: pairs of the hall at the beginning. decks: of the reference.
    """
    numbers = range(since, plan.generations)
    references = sum(measured(plan, number) for number in numbers)
    return (sum(games_of(plan, number) for number in numbers)
            + references * decks * plan.reference.games + games_to_confirm(plan, first, decks))
