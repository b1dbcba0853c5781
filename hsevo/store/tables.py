"""Folders whose steps are lines of CSV tables alone, with checkpoint.json as what commits them.

Searches for decks and coevolutions are such: past steps are told again from their tables.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pandas as pd

from hsevo import config
from hsevo.errors import RunError
from hsevo.files import read_bytes, read_table, undamaged
from hsevo.store import sums
from hsevo.store.folder import Folder, read_json

P = TypeVar("P", bound=config.Section)


class TableFolder(Folder[P]):
    """A folder of an experiment whose steps are generations; `generations` are committed."""

    COMMIT = "checkpoint.json"
    COLUMNS: ClassVar[Mapping[str, tuple[str, ...]]]  # of each table
    GROWING: ClassVar[tuple[str, ...]]  # tables that grow; generations.csv is one of them
    WORDS: ClassVar[tuple[str, ...]]  # columns of text
    GAPS: ClassVar[tuple[str, ...]] = ()  # columns in which numbers may be missing
    MAY_BE_EMPTY: ClassVar[tuple[str, ...]] = ()  # tables that grow, and not by every step

    def __init__(self, path: Path, plan: P, about: Mapping[str, Any]) -> None:
        super().__init__(path, plan, about)
        self.generations = 0  # committed

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the files that grow."""
        return cls.GROWING

    @property
    @abstractmethod
    def planned(self) -> int:
        """How many generations there are to be."""

    # --- What is committed

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.done:
                raise self._gone()
            self.generations, self.digests = 0, {}
            self.sizes = dict.fromkeys(self.GROWING, 0)
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes = {name: int(state["sizes"][name]) for name in self.GROWING}
            self.generations = int(state["generations"])
            if not 0 < self.generations <= self.planned or any(
                    size <= 0 and (size < 0 or name not in self.MAY_BE_EMPTY)
                    for name, size in self.sizes.items()):
                raise ValueError("generations that the plan lacks")

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str]) -> bytes:
        return sums.sign({"generations": self.generations, "sizes": dict(sizes)}, self.COMMIT,
                         dict(digests))

    def changed(self) -> Iterator[str]:
        """Yield, a line each, which files are not what was written."""
        for name in self.digests:
            try:
                if name in self.GROWING:
                    self.part(name)
                elif sums.of(read_bytes(self.path / name)) != self.digests[name]:
                    yield f"{self.path / name} is damaged: {sums.DIFFERS}"
            except RunError as error:
                yield str(error)

    def _check(self) -> None:
        for problem in self.changed():
            raise RunError(problem)

    # --- Tables

    def columns(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table."""
        return self.COLUMNS[name]

    def words(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table that are text."""
        return tuple(word for word in self.WORDS if word in self.columns(name))

    def table(self, name: str) -> pd.DataFrame:
        """Read the committed part of a table; without lines, it has no columns either.

        Raises RunError if it is damaged.
        """
        if (name in self.GROWING and not self.sizes[name]) or (
                name not in self.GROWING and name not in self.digests):
            return pd.DataFrame()
        data = self.part(name) if name in self.GROWING else read_bytes(self.path / name)
        if name not in self.GROWING and sums.of(data) != self.digests[name]:
            raise RunError(f"{self.path / name} is damaged: {sums.DIFFERS}")
        return read_table(self.path / name, self.columns(name), [*self.words(name)], self.GAPS,
                          data=data)

    # --- Writing

    def _append(self, number: int, tables: Mapping[str, pd.DataFrame]) -> None:
        """Add the lines of a generation to tables, and commit it. Raises RunError."""
        lines = {name: table[[*self.columns(name)]].to_csv(
            index=False, header=self.sizes[name] == 0).encode()
            for name, table in tables.items() if len(table)}
        self.generations = number + 1
        self._commit(lines, {}, self._commit_bytes)

    def finish(self, files: Mapping[str, bytes]) -> None:
        """Write what was made at the end, and mark the run as finished."""
        self._commit({}, files, self._commit_bytes)
        self._finish(f"{self.generations} generations")

    def forget(self) -> None:
        """Take away what was made at the end."""
        self._take_back("generations.csv", (), [name for name in self.digests
                                                if name not in self.GROWING])

    def differences(self, made: Mapping[str, pd.DataFrame]) -> Iterator[str]:
        """Yield in which line a table is not what was made again."""
        for name, table in made.items():
            again = table[[*self.columns(name)]].to_csv(index=False).splitlines()
            stored = self.part(name).decode().splitlines()
            if not len(table) and not stored:
                continue
            if len(again) != len(stored):
                yield f"{name} has {len(stored) - 1:,} lines, not {len(again) - 1:,}"
                continue
            for number, (one, other) in enumerate(zip(again, stored, strict=True), start=1):
                if one != other:
                    yield f"{name}, line {number}: repeated, it is another"
