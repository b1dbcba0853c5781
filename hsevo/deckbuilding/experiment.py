"""The search for decks as an experiment: a step is a generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import DeckList
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.confirm import confirm, deck_of, files, games_to_confirm
from hsevo.deckbuilding.course import DECKS_PLAYED, DeckCourse, most_games
from hsevo.deckbuilding.field import Field, FieldGames
from hsevo.deckbuilding.folder import DeckRun
from hsevo.deckbuilding.strategies import DeckMapElites, random_deck
from hsevo.experiments.retold import Plays, Retold, RetoldState
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, generator
from hsevo.types import Array

MAP = ("generation", "cell_1", "cell_2", "deck", "rate", "rate_low", "rate_high")


@dataclass(frozen=True)
class DeckState(RetoldState[Plan]):
    """A search at one moment; before the first generation, its tables are empty."""

    archive: pd.DataFrame  # of a finished search


class DeckSearch(Retold[DeckRun]):
    """Decks that evolve against a field."""

    FOLDER, STATE, STEPS = DeckRun, DeckState, DeckRun.STEPS
    LOGS, TAG = "deck-search", "search"

    @classmethod
    def course(cls, run: DeckRun) -> DeckCourse:
        """Return the search at its beginning. Raises RunError."""
        return DeckCourse(run.plan, run.pool, run.field)

    @classmethod
    def playing(cls, run: DeckRun, course: DeckCourse, executor: Executor,
                on_games: OnGames) -> Plays:
        """Return what plays decks of a generation against the field."""
        plan, games = run.plan, FieldGames(run.plan, run.field, run.plan.pilots)

        def play(number: int, decks: Array) -> Array:
            return games.play(executor, [deck_of(course, i) for i in decks.tolist()],
                              plan.games, (plan.seed, Stream.DECK_SEARCH, number), on_games,
                              watch=plan.watches and bool(course.book.unplayed(decks).any()))

        return (play,)

    @classmethod
    def replaying(cls, run: DeckRun, stored: Callable[[int, str, Array], Array]) -> Plays:
        """Return what looks up the results of decks of a generation."""
        return (lambda number, decks: stored(number, DECKS_PLAYED, decks),)

    @classmethod
    def last(cls, run: DeckRun, course: DeckCourse, executor: Executor,
             on_games: OnGames) -> dict[str, bytes]:
        """Play the last games; return the files that are written at the end, by name."""
        return files(run, course, confirm(run, course, executor, on_games))

    @classmethod
    def most_games(cls, plan: Plan, parts: tuple[DeckPool, Field], numbers: range,
                   last: bool) -> int:
        """Return how many games these generations, and the last games, have at most."""
        opponents = len(parts[1].decks)
        return (most_games(plan, opponents * len(plan.pilots), numbers)
                + games_to_confirm(plan, opponents) * last)

    @classmethod
    def sample(cls, plan: Plan, parts: tuple[DeckPool, Field]) -> tuple[
            list[DeckList], int, Callable[[Executor, Sequence[DeckList]], object]]:
        """Return random decks, the games of each, and what plays some."""
        pool, field = parts
        key = (plan.seed, Stream.DECK_SEARCH, 0)
        random, games = generator(key), FieldGames(plan, field, plan.pilots)
        decks = [pool.deck(random_deck(pool, random), f"deck-{i}")
                 for i in range(plan.search.first)]
        return decks, len(games.deck) * plan.games, lambda executor, some: games.play(
            executor, some, plan.games, key, watch=plan.watches)

    @classmethod
    def words(cls, plan: Plan, line: Mapping[Any, Any]) -> tuple[str, ...]:
        """Return a generation in words: of its line of generations.csv."""
        rate, low, high = (100 * line[name] for name in ("rate", "rate_low", "rate_high"))
        best = f"deck-{int(line['best'])} best: {rate:.1f} % ({low:.1f} to {high:.1f})"
        own = {"rate": [f"mean {100 * line['mean_fitness']:.1f} %"],
               "worst": [f"worst match-up {100 * line['fitness']:.1f} %"],
               "health": [f"health {line['fitness']:+.2f}"]}[plan.fitness]
        cells = [f"{int(line['cells'])} cells"] if plan.search.strategy == "map-elites" else []
        return best, *own, *cells

    @classmethod
    def details(cls, run: DeckRun) -> dict[str, Any]:
        """Return its tables, for its state."""
        return super().details(run) | {"archive": run.table("archive.csv")}


def map_table(number: int, course: DeckCourse) -> pd.DataFrame:
    """Return the map of a search after a generation: a line per elite, columns MAP."""
    assert isinstance(course.strategy, DeckMapElites)
    cells = sorted(course.strategy.archive.cells.items())
    rates = course.book.rates(np.array([deck for _, deck in cells], np.int64))
    low, high = rates.ends()
    values = (number, *zip(*(cell for cell, _ in cells), strict=True), [deck for _, deck in cells],
              rates.rate(), low, high)
    return pd.DataFrame(dict(zip(MAP, values, strict=True)))
