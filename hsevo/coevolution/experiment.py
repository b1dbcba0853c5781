"""Coevolution of decks and weights as an experiment: a step is a generation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards.deck_pool import DeckPool
from hsevo.coevolution.confirm import confirm, files, games_to_confirm, last
from hsevo.coevolution.course import (
    DECKS,
    REFERENCE,
    Meetings,
    PairCourse,
    PairGeneration,
    games_of,
    genome_of,
    measured,
)
from hsevo.coevolution.folder import CoevolutionRun
from hsevo.coevolution.pairs import (
    DECK_GAMES,
    REFERENCE_GAMES,
    WEIGHT_GAMES,
    Pair,
    ReferencePairs,
    play_pairs,
)
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import RESULT, results_of
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.strategies import random_deck
from hsevo.experiments.loggers import LogEntry
from hsevo.experiments.retold import Plays, Retold, RetoldState
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, generator
from hsevo.types import Array

NONE: Array = np.zeros((1, 0), RESULT)  # games, of a champion that is not measured
Step = tuple[PairGeneration, PairCourse]


@dataclass(frozen=True)
class CoevolutionState(RetoldState[Plan]):
    """A coevolution at one moment; before the first generation, its tables are empty.

    generations: generations.csv. reference: the champions that met the reference decks, a line
    each: generation, deck, pilot, games, rate, low, high. confirmed: the pairs of the last games,
    the champion first, once it is done.
    """

    reference: pd.DataFrame
    confirmed: pd.DataFrame


class Coevolving(Retold[CoevolutionRun]):
    """Decks and weights that evolve against a hall of fame."""

    FOLDER, STATE, STEPS = CoevolutionRun, CoevolutionState, CoevolutionRun.STEPS
    LOGS = TAG = "coevolution"

    @classmethod
    def course(cls, run: CoevolutionRun) -> PairCourse:
        """Return the coevolution at its beginning. Raises RunError."""
        return PairCourse(run.plan, run.pool, run.genome, run.first, run.reference.field.start)

    @classmethod
    def playing(cls, run: CoevolutionRun, course: PairCourse, executor: Executor,
                on_games: OnGames) -> Plays:
        """Return what plays the meetings of a population, and a champion against the reference."""
        plan, key = run.plan, (run.plan.seed, Stream.COEVOLUTION)

        def play(meetings: Meetings) -> Array:
            use = DECK_GAMES if meetings.population == DECKS else WEIGHT_GAMES
            return play_pairs(executor, plan, meetings.own, meetings.theirs, plan.games,
                              (*key, meetings.number, use), on_games)

        def measure(number: int, champion: Pair) -> Array:
            if not measured(plan, number):
                return NONE
            return run.reference.play(executor, [champion], plan.reference.games,
                                      (*key, number, REFERENCE_GAMES), on_games)

        return play, measure

    @classmethod
    def replaying(cls, run: CoevolutionRun,
                  stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up the same."""
        return (lambda meetings: stored(meetings.number, meetings.population, meetings.candidates),
                lambda number, champion: stored(number, REFERENCE, np.array([number]))
                if measured(run.plan, number) else NONE)

    @classmethod
    def last(cls, run: CoevolutionRun, course: PairCourse, executor: Executor,
             on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""
        return files(run, course, confirm(course, run.reference, executor, on_games))

    @classmethod
    def most_games(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]], numbers: range,
                   last: bool) -> int:
        """Return how many games these generations, and the last games, have at most."""
        _, field, first = parts
        decks, champions = len(field.decks), sum(measured(plan, number) for number in numbers)
        return (sum(games_of(plan, number) for number in numbers)
                + champions * decks * plan.reference.games
                + games_to_confirm(plan, len(first), decks) * last)

    @classmethod
    def sample(cls, plan: Plan, parts: tuple[DeckPool, Field, Sequence[Pair]]) -> tuple[
            list[Pair], int, Callable[[Executor, Sequence[Pair]], object]]:
        """Return random decks with one pilot, the games of each, and what plays some."""
        pool, field, _ = parts
        key, each = (plan.seed, Stream.COEVOLUTION), 2 * len(field.decks)
        random, genome, reference = generator(key), genome_of(plan), ReferencePairs(plan, field)
        agent = genome.build(genome.default[None])
        pairs = [Pair("base", pool.deck(random_deck(pool, random), f"deck-{i}"), agent)
                 for i in range(max(games_of(plan, 0) // each, 1))]
        return pairs, each, lambda executor, some: reference.play(executor, some, 2, key)

    @classmethod
    def words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""
        return (f"deck-{int(line['deck'])} {100 * line['deck_rate']:.1f} %,"
                f" individual-{int(line['individual'])} {100 * line['individual_rate']:.1f} %"
                " against the hall", f"sigma {line['sigma']:.3f}")

    @classmethod
    def legend(cls, run: CoevolutionRun) -> str:
        """Return what the figures of a generation are."""
        return ("against the hall: rates of the best of a generation, too high, and the hall"
                " changes; the reference decks choose nothing")

    def _figures(self, step: Step) -> tuple[str, ...]:
        """Return a generation in words, first its champion against the reference decks, if any."""
        rates = self._rates(step[0])
        said = [f"{row['pilot']}@{row['deck']} {100 * row['rate']:.1f} % ({100 * row['low']:.1f} to"
                f" {100 * row['high']:.1f}) against the reference decks"
                for row in rates.to_dict("records")]
        return (*said, *super()._figures(step))

    @classmethod
    def details(cls, run: CoevolutionRun) -> dict[str, Any]:
        """Return its tables, for its state."""
        confirmed = run.table("confirmed.csv")
        return super().details(run) | {
            "reference": reference_table(run),
            "confirmed": last(run, confirmed) if len(confirmed) else confirmed}

    @classmethod
    def entries(cls, run: CoevolutionRun) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        rates = reference_table(run)
        for line in run.table("generations.csv").to_dict("records"):
            yield cls._entry(run, line, _logged(rates[rates["generation"] == line["generation"]]))

    def entry(self, step: Step) -> LogEntry:
        """Return what a log has of a generation."""
        return self._entry(self.run, step[0].line, _logged(self._rates(step[0])))

    def _rates(self, made: PairGeneration) -> pd.DataFrame:
        """Return the champion's games against the reference decks, as `reference_table` does."""
        if not made.references.size:
            return pd.DataFrame()
        rates = self.run.reference.rates(made.references)
        low, high = rates.ends()
        return pd.DataFrame({
            "pilot": made.champion.pilot, "deck": made.champion.deck.name, "rate": rates.rate(),
            "low": low, "high": high})


def reference_table(run: CoevolutionRun) -> pd.DataFrame:
    """Return the champions that met the reference decks, as in a state."""
    table = run.table("references.csv")
    if not len(table):
        return pd.DataFrame(columns=["generation", "deck", "pilot", "games", "rate", "low", "high"])
    k = len(run.reference.field.decks)
    results = results_of(table).reshape(-1, k)
    rates = run.reference.rates(results)
    low, high = rates.ends()
    names = table[["generation", "deck", "pilot"]].iloc[::k].reset_index(drop=True)
    return names.assign(games=results["games"].sum(axis=1), rate=rates.rate(), low=low, high=high)


def _logged(rates: pd.DataFrame) -> dict[str, float]:
    """Return what a log has of a champion's games, by name; nothing if there are none."""
    return {f"reference/{name}": float(row[name]) for row in rates.to_dict("records")
            for name in ("rate", "low", "high")}
