"""The folder of a search for decks: the only file that knows its file names and columns.

See store/folder.py for what all folders of experiments have.

    config.yaml      the resolved plan             about.json       versions, field, pool, agents
    decks.csv        every deck that was made      matches.csv      what every deck scored
    generations.csv  one line a generation         log.txt          what happened when
    checkpoint.json  how far it is: the commit     done             exists when it is finished

At the end: archive.csv, the decks that stayed; rates.csv, how every deck did in the search;
confirmed.csv, games after the search; best.txt and decks/, deck files with deck codes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from hsevo import __version__, config, sources
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.tables import cards
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import Book, results_of
from hsevo.deckbuilding.course import DECKS_PLAYED, DeckCourse, DeckGeneration
from hsevo.deckbuilding.features import AXES, LISTED, WATCHED
from hsevo.deckbuilding.field import OWN, Field
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.play.behaviour import SEEN
from hsevo.store.kinds import DECKS
from hsevo.store.machine import made_by
from hsevo.store.sums import short_digest
from hsevo.store.tables import TableFolder
from hsevo.types import Array

P = TypeVar("P", bound=config.Section)
FORMAT = 1
METHOD_SOURCES = (*(f"deckbuilding/{name}.py" for name in (
    "book", "confirm", "course", "features", "games", "operators", "strategies", "surrogate")),
    "play/behaviour.py", "play/tournament.py", "strength/archive.py", "strength/weighted.py",
    "seeds.py")
CONFIRMED = ("confirmed_games", "confirmed_rate", "confirmed_rate_low", "confirmed_rate_high")
TABLES = ("decks.csv", "matches.csv", "generations.csv")
DECK_COLUMNS = ("deck", "parent", "second_parent", "born", "cards",
                *(name.replace("-", "_") for name in LISTED))
MEETING = ("pilot", "opponent", "agent", "games", "wins", "draws", "losses", "turns", "margin")
COLUMNS = {
    "decks.csv": DECK_COLUMNS, "matches.csv": ("generation", "deck", *MEETING),
    "generations.csv": ("generation", "new", "games", "decks", "best", "fitness", "mean_fitness",
                        "rate", "rate_low", "rate_high", "cells", "coverage", "qd_score"),
    "confirmed.csv": ("stage", "deck", *MEETING),
    "rates.csv": ("deck", "games", "rate", "rate_low", "rate_high"),
    "archive.csv": ("deck", "class", "cell_1", "cell_2", "games", "rate", "rate_low", "rate_high",
                    *CONFIRMED, *(name.replace("-", "_") for name in AXES if name not in WATCHED),
                    "code", "cards"),
}
MORE = {"matches.csv": SEEN, "archive.csv": WATCHED}  # columns, where games are watched
WORDS = ("cards", "pilot", "opponent", "agent", "stage", "class", "code")
NAMED = ("confirmed.csv",)  # tables whose column `deck` has names, and not numbers
GAPS = ("cell_1", "cell_2", *CONFIRMED)


def method() -> str:
    """Return a fingerprint of how decks are searched, which comments do not change."""
    ours = sources.remembered("deckbuilding", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{np.__version__} {ours}")


class PoolRun(TableFolder[P]):
    """A folder of an experiment that makes decks of a pool."""

    NAMED: ClassVar[tuple[str, ...]]  # tables whose column `deck` has names, and not numbers

    @functools.cached_property
    def pool(self) -> DeckPool:
        """The pool as it was when the run began. Raises RunError."""
        with self.reading("pool"):
            return pool_of(self.about["pool"], self.plan.ruleset)  # type: ignore[attr-defined]

    def words(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table that are text."""
        return (*super().words(name), *(["deck"] if name in self.NAMED else []))

    def _met(self, rows: pd.DataFrame, column: str, m: int) -> tuple[Array, Array]:
        """Return who played, (n,), and RESULT (n, m), of lines of matches.csv. Raises RunError."""
        who = rows[column].to_numpy(np.int64)
        if len(rows) % m or (who.reshape(-1, m) != who[::m, None]).any():
            raise RunError(f"{self.path / 'matches.csv'} is damaged: a generation lacks matches")
        return who[::m], results_of(rows).reshape(-1, m)


class DeckRun(PoolRun[Plan]):
    """The folder of a search for decks, to read; `resume` locks it to write."""

    KIND, FORMATS, PLAN = DECKS, {FORMAT: {}}, Plan
    SPEC = "AGENT@RUN/best.txt"
    COLUMNS, GROWING, WORDS, GAPS, NAMED = COLUMNS, TABLES, WORDS, GAPS, NAMED

    @property
    def planned(self) -> int:
        """How many generations there are to be."""
        return self.plan.search.generations

    @classmethod
    def create(cls, path: Path, plan: Plan, pool: DeckPool, field: Field) -> Self:
        """Make the folder, whole or not at all. Raises RunError."""
        text = config.dump(plan)
        about = about_of(DECKS, FORMAT, text, method()) | {
            "field": field.data(), "pool": pool_data(pool)}
        files = {"config.yaml": text.encode()}
        return cls(path, plan, cls._make(path, about, files, str(path), ["decks"]))

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine and the method."""
        return {"engine": fingerprint(), "method": method()}

    @functools.cached_property
    def field(self) -> Field:
        """The field as it was when the run began. Raises RunError."""
        with self.reading("field"):
            return Field.of(self.about["field"], self.plan.ruleset)

    @property
    def parts(self) -> tuple[DeckPool, Field]:
        """Its pool and its field."""
        return self.pool, self.field

    # --- Tables

    def columns(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table."""
        return columns_of(self.plan, name)

    def stored(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return the decks that played in each generation, (n,), and their RESULT (n, m).

        Raises RunError if they do not add up.
        """
        table, m = self.table("matches.csv"), len(self.plan.pilots) * len(self.field.decks)
        return [{DECKS_PLAYED: self._met(table[table["generation"] == number], "deck", m)}
                for number in range(self.generations)]

    def meetings(self, decks: Sequence[Any], results: Array,
                 pilots: Sequence[str]) -> pd.DataFrame:
        """Return results (n, m) of decks (n,) as a table with the columns deck and MEETING."""
        field = self.field
        rows = [(pilot, deck.name, pilot if agent == OWN else agent) for pilot in pilots
                for deck, agent in zip(field.decks, field.played_by, strict=True)]
        pilot, opponent, agent = (np.tile(np.array(one, object), len(decks))
                                  for one in zip(*rows, strict=True))
        flat = results.ravel()
        return pd.DataFrame({
            "deck": np.repeat(np.array(decks, object), len(rows)), "pilot": pilot,
            "opponent": opponent, "agent": agent, "games": flat["games"], "wins": flat["wins"],
            "draws": flat["draws"], "losses": flat["games"] - flat["wins"] - flat["draws"],
            "turns": flat["turns"], "margin": flat["margin"],
            **{name: flat[name] for name in SEEN}})

    def played(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of matches.csv of a generation."""
        made, _ = step
        decks, results = made.met[DECKS_PLAYED]
        matches = self.meetings(decks.tolist(), results, self.plan.pilots)
        matches.insert(0, "generation", made.number)
        return {"matches.csv": matches}

    def following(self, step: tuple[DeckGeneration, DeckCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of the other tables."""
        made, course = step
        return {"decks.csv": decks_table(course.book, made.new),
                "generations.csv": pd.DataFrame([made.line])}


def columns_of(plan: Plan, name: str) -> tuple[str, ...]:
    """Return the columns of a table of a run of this plan."""
    return COLUMNS[name] + (MORE.get(name, ()) if plan.watches else ())


def about_of(kind: str, number: int, text: str, method: str) -> dict[str, Any]:
    """Return what about.json says of any such folder; text: of its config.yaml."""
    return {"kind": kind, "format": number, "version": __version__, "engine": fingerprint(),
            "method": method, "config": short_digest(text),
            "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
            **made_by()}


def pool_data(pool: DeckPool) -> dict[str, Any]:
    """Return a pool as data that json.dumps takes."""
    return {"hero": pool.hero, "cards": [card.id for card in pool.cards],
            "least": pool.least.tolist(), "most": pool.most.tolist()}


def pool_of(data: Mapping[str, Any], ruleset: str) -> DeckPool:
    """Return the pool of `pool_data`. Raises LookupError, TypeError or ValueError if damaged."""
    known = cards(ruleset)
    least, most = (np.array(data[name], np.int64) for name in ("least", "most"))
    found = tuple(known[id] for id in data["cards"])
    if not len(found) == len(least) == len(most) or (least > most).any():
        raise ValueError("its cards do not add up")
    return DeckPool(str(data["hero"]), found, least, most)


def decks_table(book: Book, numbers: Array) -> pd.DataFrame:
    """Return decks as rows of decks.csv."""
    parents = book.parents[numbers]
    known = {name.replace("-", "_"): book.features[name][numbers].round(6) for name in LISTED}
    return pd.DataFrame({
        "deck": numbers, "parent": parents[:, 0], "second_parent": parents[:, 1],
        "born": book.born[numbers], "cards": [cards_text(book, i) for i in numbers]} | known)


def cards_text(book: Book, number: int) -> str:
    """Return the cards of a deck as deck databases have them: "Fireball*2|Wisp"."""
    return "|".join(f"{card.name}*{n}" if n > 1 else card.name for card, n in zip(
        book.pool.cards, book.counts[number].tolist(), strict=True) if n)
