"""A table that grows while games are played, with its SHA-256, so that damage is found.

    games.csv      a heading and lines, appended block by block
    games.sha256   the sum of all lines that count, as `sha256sum --check` reads it

A block counts once its sum is written. What a killed process wrote after that is cut off on
resuming, and its games are played again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsevo.errors import RunError
from hsevo.files import append, read_bytes, read_text, refuse_link, write_whole, writing
from hsevo.store import sums

if TYPE_CHECKING:
    import pandas as pd


class Journal:
    """A table that grows: `read` what counts, then `append` to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sum, self._size = hashlib.sha256(), 0
        self._begun = False

    def read(self, cut: bool = True) -> int:
        """Find out what counts, and return how many bytes that is.

        cut: cut off what does not count, before the next block is appended. Only the process that
        holds the folder may: another one's block may be about to count. Raises RunError if the
        bytes are not what was written, or if a link is in their place.
        """
        for path in (self.path, self.path.with_suffix(".sha256")):
            refuse_link(path)
        self._size, self._sum = _counting(self.path)
        if cut and self.path.exists() and self.path.stat().st_size != self._size:
            with writing(self.path):
                os.truncate(self.path, self._size)
        return self._size

    def append(self, lines: bytes) -> None:
        """Append a block, and have it count. Raises RunError; then the same block can follow."""
        if not self._begun:
            _write_sum(self.path, self._sum.hexdigest())  # no lines are without one
            self._begun = True
        grown = self._sum.copy()
        grown.update(lines)
        size = append(self.path, lines, self._size)
        _write_sum(self.path, grown.hexdigest())
        self._sum, self._size = grown, size

    @property
    def data(self) -> bytes:
        """What `read` found to count: another process may have appended more since."""
        return read_bytes(self.path)[:self._size]

    @property
    def empty(self) -> bool:
        """Whether nothing was appended, not even a part of a block."""
        return not self.path.exists() or not self.path.stat().st_size

    def remove(self) -> None:
        """Remove the table and its sum."""
        for path in (self.path, self.path.with_suffix(".sha256")):
            path.unlink(missing_ok=True)

    def table(self, counts: Collection[str], names: Collection[str] = ()) -> pd.DataFrame:
        """Return seeds, columns of whole numbers, and of texts, of what `read` found to count.

        Raises RunError.
        """
        import numpy as np
        import pandas as pd

        kinds: dict[str, Any] = (
            dict.fromkeys(counts, np.int64) | dict.fromkeys(names, str) | {"seed": np.uint64})
        try:
            with np.errstate(invalid="ignore"):  # pandas casts "inf", and complains then
                table: pd.DataFrame = pd.read_csv(  # "none" is a name, too
                    BytesIO(self.data), usecols=[*kinds], dtype=kinds,
                    keep_default_na=False)
        except (ValueError, OverflowError) as error:
            raise RunError(f"{self.path} is damaged: {str(error).splitlines()[0]}") from None
        return table


def write(path: Path, data: bytes) -> None:
    """Write a whole table with its sum. Raises RunError."""
    write_whole(path, data)
    _write_sum(path, sums.of(data))


def check(path: Path) -> None:
    """Raise RunError if a table is not what was written; one without a sum is not looked at."""
    if path.with_suffix(".sha256").exists():
        _counting(path)


def _counting(path: Path) -> tuple[int, Any]:
    """Return how many bytes of a table count, and their hashlib.sha256. Raises RunError."""
    digest, size = hashlib.sha256(), 0
    wanted = _read_sum(path) or digest.hexdigest()  # first: another process may be appending
    for line in _lines(path):
        if digest.hexdigest() == wanted:
            break
        digest.update(line)
        size += len(line)
    if digest.hexdigest() != wanted:
        raise RunError(f"{path} is damaged: its SHA-256 differs from"
                       f" {path.with_suffix('.sha256').name}; restore it or begin again in another"
                       " folder")
    return size, digest


def _read_sum(path: Path) -> str | None:
    """Return the sum of a table, None if nothing was written yet. Raises RunError."""
    file = path.with_suffix(".sha256")
    if not file.exists():
        if any(_lines(path)):
            raise RunError(f"{path} is damaged: {file.name} is missing, and the folder can't be"
                           " read without it; restore it")
        return None
    listed: dict[str, str] = {}
    with suppress(ValueError):
        listed = sums.read(read_text(file))
    if [*listed] != [path.name]:
        raise RunError(f"{file} is damaged: it is not a line of sha256sum's")
    return listed[path.name]


def _lines(path: Path) -> list[bytes]:
    return read_bytes(path).splitlines(keepends=True) if path.exists() else []


def _write_sum(path: Path, digest: str) -> None:
    write_whole(path.with_suffix(".sha256"), sums.line(digest, path.name))
