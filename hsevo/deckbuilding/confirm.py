"""New games after the search: how good is what was found, once luck is left out?

    chosen    the best decks by the search play with new seeds, and the best of them is chosen
    last      it plays again, with new seeds, and with it the decks to compare; this is reported
    map       all other elites of a map

The highest of many noisy rates is too high, and the rate by which one of ten is chosen is a little
so; that of `last` chose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.cards.decks import Deck, as_code, as_text
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import Book, Rates
from hsevo.deckbuilding.course import DeckCourse
from hsevo.deckbuilding.field import Field, FieldGames
from hsevo.deckbuilding.folder import CONFIRMED, cards_text, meetings_table
from hsevo.deckbuilding.strategies import DeckMapElites
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.store.tables import DataTable
from hsevo.types import Array

CHOSEN, LAST, MAP = "chosen", "last", "map"
STAGES = (CHOSEN, LAST, MAP)  # their places are in the keys of their seeds


class ConfirmedDecks(NamedTuple):
    """What was played after the search.

    best: the number of the deck that was chosen. rates: by deck's number, of the new games that say
    most of it, as Rates of one deck. table: lines of confirmed.csv.
    """

    best: int
    rates: dict[int, Rates]
    table: pd.DataFrame


def games_to_confirm(plan: Plan, opponents: int, stay: int | None = None) -> int:
    """Return how many games are played after the search, at most.

    opponents: decks of the field. stay: decks that stayed; None: as many as can.
    """
    search, own = plan.search, plan.confirm
    most = (search.cells[0] * search.cells[1] if search.strategy == "map-elites" else search.mu)
    stay = min(most, search.first + (search.generations - 1) * search.lam) if stay is None else stay
    pilots = len({*plan.pilots, *own.pilots})
    chosen = min(own.best, stay) * len(plan.pilots) * own.games
    last = (1 + len(own.beside)) * pilots * own.games
    others = max(stay - own.best, 0) * len(plan.pilots) * own.elites
    return opponents * (chosen + last + others * (search.strategy == "map-elites"))


def confirm(field: Field, course: DeckCourse, executor: Executor,
            on_games: OnGames = lambda games: None) -> ConfirmedDecks:
    """Play all games after the search. Raises GameError, WorkersError."""
    plan, book = course.plan, course.book
    own, stay = plan.confirm, course.strategy.stay
    pilots = [*dict.fromkeys((*plan.pilots, *own.pilots))]
    tables, rates = [], {}

    def play(stage: str, decks: list[Deck], games: int, pilots: list[str]) -> Array:
        key = (plan.seed, Stream.DECK_CONFIRM, STAGES.index(stage))
        outcomes = FieldGames(plan, field, pilots).play(executor, decks, games, key, on_games)
        table = meetings_table(field, [deck.name for deck in decks], outcomes, pilots)
        table.insert(0, "stage", stage)
        tables.append(table)
        return outcomes[:, :len(book.weights)]  # under the pilots of the search, which come first

    def play_own(stage: str, numbers: Array, games: int) -> None:
        results = play(stage, [deck_of(course, i) for i in numbers.tolist()], games,
                       [*plan.pilots])
        for i, number in enumerate(numbers.tolist()):
            rates[number] = Rates(results[i:i + 1], book.weights, book.opponents)

    play_own(CHOSEN, stay[:own.best], own.games)
    fitness = [float(rates[number].fitness(plan.fitness)[0]) for number in stay[:own.best].tolist()]
    best = int(stay[int(np.argmax(fitness))])
    results = play(LAST, [deck_of(course, best), *field.beside], own.games, pilots)
    rates[best] = Rates(results[:1], book.weights, book.opponents)
    if isinstance(course.strategy, DeckMapElites) and own.elites and len(stay) > own.best:
        play_own(MAP, stay[own.best:], own.elites)
    return ConfirmedDecks(best, rates, pd.concat(tables, ignore_index=True))


def deck_of(course: DeckCourse, number: int) -> Deck:
    """Return a deck of a search, which is called deck-NUMBER."""
    return course.pool.deck(course.book.counts[number], f"deck-{number}")


def files(tables: Mapping[str, DataTable], course: DeckCourse,
          final: ConfirmedDecks) -> dict[str, bytes]:
    """Return the files that are written at the end, by name."""
    archive, best = archive_table(course, final), final.best
    row = archive.set_index("deck").loc[best]
    rate, low, high = (100 * row[f"confirmed_{name}"] for name in ("rate", "rate_low", "rate_high"))
    said = f"confirmed {rate:.2f} % ({low:.2f} to {high:.2f}) of {row['confirmed_games']:,} games"
    chosen = course.strategy.stay[:course.plan.confirm.best].tolist()
    decks = {number: as_text(deck_of(course, number)) for number in chosen}
    texts = {"best.txt": f"# {said}\n# {row['code']}\n{decks[best]}"} | {
        f"decks/deck-{number}.txt": text for number, text in decks.items()}
    return {name: text.encode() for name, text in texts.items()} | {
        "archive.csv": tables["archive.csv"].text(archive),
        "rates.csv": tables["rates.csv"].text(
            rates_table(course.book, np.arange(len(course.book)))),
        "confirmed.csv": tables["confirmed.csv"].text(final.table)}


def rates_table(book: Book, numbers: Array) -> pd.DataFrame:
    """Return how decks did in the search: rates.csv."""
    each = book.rates(numbers)
    low, high = each.ends()
    return pd.DataFrame({"deck": numbers, "games": each.results["games"].sum(axis=1),
                         "rate": each.rate(), "rate_low": low, "rate_high": high})


def archive_table(course: DeckCourse, final: ConfirmedDecks) -> pd.DataFrame:
    """Return the decks that stayed, the chosen one first, then by the search: archive.csv."""
    book, stay = course.book, course.strategy.stay
    order = np.array([final.best, *(i for i in stay.tolist() if i != final.best)], np.int64)
    cells: Callable[[Array], list[Any]] = (
        course.strategy.archive.cells_of if isinstance(course.strategy, DeckMapElites) else
        lambda numbers: [(pd.NA, pd.NA)] * len(numbers))
    confirmed = [_confirmed(final.rates.get(i)) for i in order.tolist()]
    decks = [deck_of(course, i) for i in order.tolist()]
    return pd.DataFrame({
        **rates_table(book, order), "class": [deck.hero for deck in decks],
        **dict(zip(("cell_1", "cell_2"), zip(*cells(order), strict=True), strict=True)),
        **dict(zip(CONFIRMED, zip(*confirmed, strict=True), strict=True)),
        **{name.replace("-", "_"): values[order].round(6)
           for name, values in book.features.items()},
        "code": [as_code(deck) for deck in decks],
        "cards": [cards_text(book, i) for i in order.tolist()]})


def _confirmed(rates: Rates | None) -> tuple[int, float, float, float]:
    """Return games, rate and the ends of its interval; NaN of a deck that did not play again."""
    if rates is None:
        return 0, np.nan, np.nan, np.nan
    low, high = rates.ends()
    return int(rates.results["games"].sum()), float(rates.rate()[0]), float(low[0]), float(high[0])
