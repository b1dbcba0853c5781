"""The search for decks as an experiment: a step is a generation."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, TypeAlias

from hsevo.deckbuilding.book import Book
from hsevo.deckbuilding.confirm import confirm, deck_of, files, games_to_confirm
from hsevo.deckbuilding.course import Generation, most_games
from hsevo.deckbuilding.folder import DeckRun
from hsevo.deckbuilding.games import Arena
from hsevo.deckbuilding.state import State, entry, generation_line, place
from hsevo.deckbuilding.verify import Report, games_to_verify, told, verify
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import Entry
from hsevo.experiments.progress import Meter, Note
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.types import Array

Step: TypeAlias = tuple[Generation, Book]


class DeckSearch(Experiment[DeckRun, Step]):
    """Decks that evolve against a field."""

    FOLDER, STATE, STEPS = DeckRun, State, "search.generations"
    LOGS = "deck-search"

    def steps(self) -> Generator[Step, None, None]:
        """Make all generations after the last committed one; then the best play again."""
        run, plan = self.run, self.run.plan
        course, arena = told(run), Arena(plan, run.field, plan.pilots)

        def play(number: int, decks: Array) -> Array:
            return arena.play(self.executor, [deck_of(course, i) for i in decks.tolist()],
                              plan.games, (plan.seed, Stream.DECK_SEARCH, number), self.on_games,
                              watch=plan.watches and bool(course.book.unplayed(decks).any()))

        for number in range(run.generations, plan.search.generations):
            yield course.step(number, play), course.book
        self.made = files(course, confirm(run, course, self.executor, self.on_games))

    def finish(self) -> None:
        """Write what was found, and mark the run as finished."""
        self.run.finish(self.made)

    def show(self, step: Step, meter: Meter) -> str:
        """Show a generation; fewer elites may have been challenged than could have been."""
        line = step[0].line
        note = Note(place(self.run.plan, line), generation_line(self.run.plan, line))
        return meter.step(note, self.games_played(self.run) + self.games_left(self.run))

    @classmethod
    def games(cls, run: DeckRun) -> dict[tuple[int, int], int]:
        """Return the games of each generation; at the end those that confirm."""
        table = run.table("generations.csv")
        found = {(1, number): int(games) for number, games in zip(
            table["generation"], table["games"], strict=True)} if len(table) else {}
        confirmed = run.table("confirmed.csv")
        return found | ({(1, run.generations): int(confirmed["games"].sum())}
                        if len(confirmed) else {})

    @classmethod
    def games_left(cls, run: DeckRun) -> int:
        """Return how many games are left, at most."""
        if run.done:
            return 0
        opponents, plan = len(run.field.decks), run.plan
        left = range(run.generations, plan.search.generations)
        return (most_games(plan, opponents * len(plan.pilots), left)
                + games_to_confirm(plan, opponents))

    @classmethod
    def details(cls, run: DeckRun) -> dict[str, Any]:
        """Return its table of generations, for its state."""
        return {"generations": run.table("generations.csv"), "archive": run.table("archive.csv")}

    @classmethod
    def refuse_damage(cls, run: DeckRun) -> None:
        """Tell all that was stored. Raises RunError if it can't be gone on with."""
        if not run.done:
            told(run)

    @classmethod
    def steps_done(cls, run: DeckRun) -> int:
        """Return how many generations are committed."""
        return run.generations

    @classmethod
    def forget(cls, run: DeckRun) -> None:
        """Take away what was made at the end."""
        run.forget()

    @classmethod
    def games_to_verify(cls, run: DeckRun) -> int:
        """Return how many games `verify` plays again."""
        return games_to_verify(run)

    @classmethod
    def verify(cls, run: DeckRun, executor: Executor, threads: int, on_games: OnGames) -> Report:
        """Repeat the search from its results; play its first generation and its last games again.
        """
        return verify(run, executor, on_games)

    @staticmethod
    def entries(run: DeckRun) -> Iterator[Entry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        return (entry(run, line) for line in run.table("generations.csv").to_dict("records"))

    def entry(self, step: Step) -> Entry:
        """Return what a log has of a generation."""
        return entry(self.run, step[0].line)
