"""Write files so that a kill or a full disk leaves either the old or the new, never a part."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hsevo.errors import RunError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says about a file into one line with the file's name (RunError)."""
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_full(path: Path, more: str = "") -> None:
    """Raise RunError if something is at `path`, unless it is an empty folder; more: what to do."""
    with writing(path):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise RunError(f"{path} is there and not empty; choose another --out{more}")


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


def probe(path: Path) -> None:
    """Raise RunError if a file could not be written there, before hours of work go into it."""
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


def lock(folder: Path) -> int:
    """Lock a folder for this process; os.close what is returned to give it up. Raises RunError.

    The lock is on the folder itself: it needs no file, and goes when its process dies.
    """
    with writing(folder):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise RunError(f"{folder} is in use by another hsevo; let it end") from None
    return descriptor


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of names to the disk, so that a rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
