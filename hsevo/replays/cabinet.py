"""What people leave behind in a folder of games: a file a thing, all read and written alike.

    matches = Cabinet(folder / "matches", match_of, as_json, most=2**16)
    matches.names              ["0001", "0002"]: other files of the folder are left alone
    matches.of("0001")         read once, and kept in memory
    matches.put("0003", match), matches.drop("0001")

Somebody else may have written a file: one that is too long, no plain file, or not what `read` takes
is an error of one line with its name.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from hsevo.errors import HsevoError, RunError, quoted
from hsevo.files import read_json, undamaged, write_together, writing

T = TypeVar("T")
NUMBER = re.compile(r"\d{4,9}")  # of a game, a match


class Form(NamedTuple):
    """How the files of a cabinet are read.

    suffix: of their names. load: returns what a file of at most so many bytes holds. error: what it
    raises for a file that cannot be read.
    """

    suffix: str
    load: Callable[[Path, int, type[HsevoError]], Any]
    error: type[HsevoError]


JSON = Form(".json", read_json, RunError)


class Cabinet(Generic[T]):
    """The files of one kind in a folder, which is made when the first of them is written.

    Parameters
    ----------
    path : Path
        The folder.
    read : callable
        Makes a thing of what its file holds, and of the file's name without the suffix. All that a
        damaged or forged file makes it raise is reported as damage.
    write : callable
        Makes the bytes of a file of a thing.
    most : int
        Bytes of a file; longer ones are refused.
    names : re.Pattern
        The names of its files, without the suffix.
    keeps : bool
        Whether things stay in memory once they were read or written.
    form : Form
        How its files are read.
    """

    def __init__(self, path: Path, read: Callable[[Any, str], T], write: Callable[[T], bytes],
                 most: int, names: re.Pattern[str] = NUMBER, keeps: bool = True,
                 form: Form = JSON) -> None:
        self.path, self.lock = path, threading.RLock()  # to read, change and write in one go
        self._read, self.content, self._most, self._names = read, write, most, names
        self._keeps, self._form = keeps, form
        self._memory: dict[str, T] = {}

    @property
    def names(self) -> list[str]:
        """The names of its files, sorted. Raises RunError."""
        with writing(self.path):  # a killed process may not have made the folder
            files = self.path.iterdir() if self.path.is_dir() else ()
            return sorted(file.stem for file in files
                          if file.suffix == self._form.suffix and self._names.fullmatch(file.stem))

    def __iter__(self) -> Iterator[T]:
        return map(self.of, self.names)

    def __contains__(self, name: str) -> bool:
        return self.file(name).is_file()

    def of(self, name: str, reread: bool = False) -> T:
        """Return a thing; from memory, if it is kept there. Raises the error of its form.

        reread: read its file, whatever is in memory.
        """
        with self.lock:
            if name in self._memory and not reread:
                return self._memory[name]
            file = self.file(name)
            with undamaged(file, "", HsevoError, error=self._form.error):
                value = self._read(self._form.load(file, self._most, self._form.error), name)
            self.keep(name, value)
            return value

    def put(self, name: str, thing: T) -> None:
        """Write a thing, instead of an earlier one of that name. Raises RunError."""
        put_together((self, name, thing))

    def drop(self, name: str) -> None:
        """Delete a thing, if it is there. Raises RunError."""
        with self.lock, writing(self.file(name)):
            self.file(name).unlink(missing_ok=True)
            self._memory.pop(name, None)

    def keep(self, name: str, thing: T) -> None:
        """Note in memory what the file of a name holds now."""
        if self._keeps:
            self._memory[name] = thing

    def file(self, name: str) -> Path:
        """Return the file of a name. Raises `error` if none can have that name."""
        if not self._names.fullmatch(name):
            raise self._form.error(f"{self.path} can't have a file named {quoted(name)}")
        return self.path / f"{name}{self._form.suffix}"


def put_together(*things: tuple[Cabinet[Any], str, Any]) -> None:
    """Write things of some cabinets, all of them or none. Raises RunError."""
    for cabinet, _, _ in things:
        with writing(cabinet.path):
            cabinet.path.mkdir(parents=True, exist_ok=True)
    write_together({cabinet.file(name): cabinet.content(thing) for cabinet, name, thing in things})
    for cabinet, name, thing in things:
        cabinet.keep(name, thing)


def as_json(data: Any) -> bytes:
    """Return data as the text of a file."""
    return f"{json.dumps(data, indent=1)}\n".encode()


def numbered(number: int) -> str:
    """Return the name of the file of a number, from 1."""
    return f"{number:04}"
