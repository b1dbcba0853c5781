"""Write files so that a kill or a full disk leaves either the old or the new, never a part.

And read back tables that may have been edited.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from hsevo.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

MOST = 1e308  # beyond is infinity
LOCK = ".lock"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError into a RunError, one line with the file's name."""
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_full(path: Path, more: str = "") -> None:
    """Raise RunError if something is at `path`, unless it is an empty folder; more: what to do."""
    with writing(path):
        if path.exists() and (not path.is_dir() or any(inside(path))):
            raise RunError(f"{path} is there and not empty; choose another folder{more}")


def inside(folder: Path) -> Iterator[Path]:
    """Yield what is in a folder, but for its lock."""
    return (path for path in folder.iterdir() if path.name != LOCK)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, flush it to the disk, and rename it into place.

    A reader sees the old file or the new one; the temporary name begins with a dot, which
    readers of data folders skip. Raises RunError.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    with writing(path):
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def read_table(path: Path, columns: Collection[str], words: Collection[str] = (),
               gaps: Collection[str] = (), hint: str = "") -> pd.DataFrame:
    """Read a CSV file that has these columns, with a finite number in every line of each.

    words: columns that need no numbers. gaps: those in which some may be missing. hint: what to do
    if it is no such file. Raises RunError.
    """
    import pandas as pd

    try:
        table: pd.DataFrame = pd.read_csv(path)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}{hint}") from None
    except ValueError as error:  # pandas' ParserError and EmptyDataError, and no UTF-8
        raise RunError(f"{path} is damaged: {str(error).splitlines()[0]}{hint}") from None
    for name in columns:
        if name not in table:
            raise RunError(f"{path} is damaged: it has no column {name}{hint}")
        if name not in words:
            numbers = pd.to_numeric(table[name], errors="coerce").astype(float)
            finite = numbers.between(-MOST, MOST) | (table[name].isna() & (name in gaps))
            if not finite.all():
                raise RunError(f"{path} is damaged: a line has no number in its column {name}"
                               f"{hint}")
    return table


def probe(path: Path) -> None:
    """Raise RunError if a file cannot be written there, before hours of work go into it."""
    temporary = path.with_name(f".{path.name}.probe")
    with writing(path):
        temporary.touch()
        temporary.unlink()


def append(path: Path, data: bytes) -> int:
    """Append to a file, flush it to the disk, and return its new size in bytes. Raises RunError."""
    with writing(path), path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def lock(folder: Path) -> FileLock:
    """Lock a folder for this process; release() what is returned to give it up. Raises RunError.

    The file of the lock stays in the folder, and says nothing: who holds the lock is known to the
    system, which lets go of it when the process dies.
    """
    held = FileLock(folder / LOCK, thread_local=False)  # any thread may release it
    with writing(folder):
        try:
            held.acquire(blocking=False)
        except Timeout:
            raise RunError(f"{folder} is in use by another hsevo; let it end") from None
    return held


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of names to the disk, so that a rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
