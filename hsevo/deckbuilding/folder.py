"""The folder of a search for decks: the only file that knows its file names and columns.

See store/folder.py for what all folders of experiments have.

    config.yaml      the resolved plan             about.json       versions, field, pool, agents
    decks.csv        every deck that was made      matches.csv      what every deck scored
    generations.csv  one line a generation         log.txt          what happened when
    checkpoint.json  how far it is: the commit     done             exists when it is finished

At the end: archive.csv, the decks that stayed; confirmed.csv, their games after the search;
best.txt and decks/, deck files with deck codes.
"""

from __future__ import annotations

import functools
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import __version__, config, sources
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.tables import cards
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import RESULT, Book
from hsevo.deckbuilding.course import Generation
from hsevo.deckbuilding.features import AXES, TURNS
from hsevo.deckbuilding.field import OWN, Field
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.files import read_bytes, read_table
from hsevo.store import sums
from hsevo.store.folder import Folder, damage, read_json
from hsevo.store.kinds import DECKS
from hsevo.store.sums import short_digest

Array: TypeAlias = npt.NDArray[Any]
FORMAT = 1
METHOD_SOURCES = (*(f"deckbuilding/{name}.py" for name in (
    "archive", "book", "confirm", "course", "features", "games", "operators", "strategies",
    "surrogate")), "play/tournament.py", "strength/weighted.py", "seeds.py")
CONFIRMED = ("confirmed_games", "confirmed_rate", "confirmed_rate_low", "confirmed_rate_high")
LISTED = tuple(name for name in AXES if name != TURNS)
TABLES = ("decks.csv", "matches.csv", "generations.csv")
DECK_COLUMNS = ("deck", "parent", "second_parent", "born", "cards",
                *(name.replace("-", "_") for name in LISTED))
MEETING = ("pilot", "opponent", "agent", "games", "wins", "draws", "losses", "turns", "margin")
COLUMNS = {
    "decks.csv": DECK_COLUMNS, "matches.csv": ("generation", "deck", *MEETING),
    "generations.csv": ("generation", "new", "games", "decks", "best", "fitness", "mean_fitness",
                        "rate", "rate_low", "rate_high", "cells", "coverage", "qd_score"),
    "confirmed.csv": ("stage", "deck", *MEETING),
    "archive.csv": ("deck", "class", "cell_1", "cell_2", "games", "rate", "rate_low", "rate_high",
                    *CONFIRMED, *(name.replace("-", "_") for name in AXES), "code", "cards"),
}
WORDS = ("cards", "pilot", "opponent", "agent", "stage", "class", "code")
NAMED = ("confirmed.csv",)  # tables whose column `deck` has names, and not numbers
GAPS = ("cell_1", "cell_2", *CONFIRMED)


def method() -> str:
    """Return a fingerprint of how decks are searched, which comments do not change."""
    ours = sources.remembered("deckbuilding", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{np.__version__} {ours}")


class DeckRun(Folder[Plan]):
    """The folder of a search for decks, to read; `resume` locks it to write."""

    KIND, FORMATS, PLAN = DECKS, {FORMAT: {}}, Plan
    COMMIT = "checkpoint.json"
    SPEC = "AGENT@RUN/best.txt"

    def __init__(self, path: Path, plan: Plan, about: Mapping[str, Any]) -> None:
        super().__init__(path, plan, about)
        self.generations = 0  # committed

    @classmethod
    def create(cls, path: Path, plan: Plan, pool: DeckPool, field: Field) -> Self:
        """Make the folder, whole or not at all. Raises RunError."""
        text = config.dump(plan)
        about = {
            "kind": DECKS, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "method": method(), "config": short_digest(text),
            "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
            "machine": platform.platform(), "python": platform.python_version(),
            "numpy": np.__version__, "field": field.data(), "pool": {
                "hero": pool.hero, "cards": [card.id for card in pool.cards],
                "least": pool.least.tolist(), "most": pool.most.tolist()}}
        files = {"config.yaml": text.encode()}
        return cls(path, plan, cls._make(path, about, files, str(path), ["decks"]))

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the files that grow."""
        return TABLES

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine and the method."""
        return {"engine": fingerprint(), "method": method()}

    @functools.cached_property
    def field(self) -> Field:
        """The field as it was when the run began. Raises RunError."""
        with self.reading("field"):
            return Field.of(self.about["field"], self.plan.ruleset)

    @functools.cached_property
    def pool(self) -> DeckPool:
        """The pool as it was when the run began. Raises RunError."""
        with self.reading("pool"):
            data, known = self.about["pool"], cards(self.plan.ruleset)
            least, most = (np.array(data[name], np.int64) for name in ("least", "most"))
            found = tuple(known[id] for id in data["cards"])
            if not len(found) == len(least) == len(most) or (least > most).any():
                raise ValueError("its cards do not add up")
            return DeckPool(str(data["hero"]), found, least, most)

    # --- What is committed

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.done:
                raise self._gone()
            self.generations, self.digests = 0, {}
            self.sizes = dict.fromkeys(TABLES, 0)
            return
        state = read_json(path)
        with damage(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes = {name: int(state["sizes"][name]) for name in TABLES}
            self.generations = int(state["generations"])
            if not 0 < self.generations <= self.plan.search.generations or (
                    min(self.sizes.values()) <= 0):
                raise ValueError("generations that the plan lacks")

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str]) -> bytes:
        return sums.sign({"generations": self.generations, "sizes": dict(sizes)}, self.COMMIT,
                         dict(digests))

    def changed(self) -> Iterator[str]:
        """Yield, a line each, which files are not what was written."""
        for name in self.digests:
            try:
                if name in TABLES:
                    self.part(name)
                elif sums.of(read_bytes(self.path / name)) != self.digests[name]:
                    yield f"{self.path / name} is damaged: {sums.DIFFERS}"
            except RunError as error:
                yield str(error)

    def _check(self) -> None:
        for problem in self.changed():
            raise RunError(problem)

    # --- Tables

    def table(self, name: str) -> pd.DataFrame:
        """Read the committed part of a table; without lines, it has no columns either.

        Raises RunError if it is damaged.
        """
        if (name in TABLES and not self.sizes[name]) or (
                name not in TABLES and name not in self.digests):
            return pd.DataFrame()
        data = self.part(name) if name in TABLES else read_bytes(self.path / name)
        if name not in TABLES and sums.of(data) != self.digests[name]:
            raise RunError(f"{self.path / name} is damaged: {sums.DIFFERS}")
        words = [*WORDS, *(["deck"] if name in NAMED else [])]
        columns = COLUMNS[name]
        return read_table(self.path / name, columns, [word for word in words if word in columns],
                          GAPS, data=data)

    def stored(self) -> list[tuple[Array, Array]]:
        """Return the decks that played in each generation, (n,), and their RESULT (n, m).

        Raises RunError if they do not add up.
        """
        table, found = self.table("matches.csv"), []
        m = len(self.plan.pilots) * len(self.field.decks)
        for number in range(self.generations):
            here = table[table["generation"] == number]
            decks = here["deck"].to_numpy(np.int64)
            if len(here) % m or (decks.reshape(-1, m) != decks[::m, None]).any():
                raise RunError(f"{self.path / 'matches.csv'} is damaged: generation {number} lacks"
                               " matches")
            results = np.zeros(len(here), RESULT)
            for name in RESULT.names or ():
                results[name] = here[name]
            found.append((decks[::m], results.reshape(-1, m)))
        return found

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
            "turns": flat["turns"], "margin": flat["margin"]})

    # --- Writing

    def append(self, step: tuple[Generation, Book]) -> None:
        """Add a generation and commit it. Raises RunError; earlier ones stay."""
        made, book = step
        matches = self.meetings(made.played.tolist(), made.results, self.plan.pilots)
        matches.insert(0, "generation", made.number)
        tables = {"decks.csv": decks_table(book, made.new), "matches.csv": matches,
                  "generations.csv": pd.DataFrame([made.line])}
        lines = {name: table[[*COLUMNS[name]]].to_csv(
            index=False, header=self.sizes[name] == 0).encode() for name, table in tables.items()}
        self.generations = made.number + 1
        self._commit(lines, {}, self._commit_bytes)

    def finish(self, files: Mapping[str, bytes]) -> None:
        """Write what was confirmed, and mark the run as finished."""
        self._commit({}, files, self._commit_bytes)
        self._finish(f"{self.generations} generations")

    def forget(self) -> None:
        """Take away what was made at the end."""
        self._take_back("generations.csv", (), [name for name in self.digests
                                                if name not in TABLES])


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
