"""Write files so that a kill or a full disk leaves either the old or the new, never a part.

And read back what may be damaged, or somebody else's:

    read_text(path, most), read_bytes(path)    plain files alone: no pipe, no device, no endless one
    read_json(path, most), read_table(path, columns)
    with undamaged(path): ...                  what goes wrong with its contents is one line
"""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import stat
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from hsevo.errors import (
    HsevoError,
    RunError,
    WriteError,
    brief,
    name_problem,
    printable,
    quoted,
    resuming,
)

if TYPE_CHECKING:
    import pandas as pd

MOST = 1e308  # beyond is infinity
LOCK = ".lock"
UNFINISHED = ".unfinished"  # in a folder that a command is filling; says with what
# What a killed process may leave in a folder; names that no other program takes.
TEMPORARY = (".*.hsevo-tmp", ".*.hsevo-probe")
NEW = ".*.hsevo-new-*"  # and next to it, a folder that was being made
SETTLED = 2.0  # seconds after which a folder that is being made has its lock
# What the contents of a file may raise that is damaged, or was written by somebody else.
DAMAGE: tuple[type[Exception], ...] = (LookupError, TypeError, ValueError, AttributeError,
                                       OverflowError, RecursionError)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError into a WriteError, one line with the file's name."""
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot write {path}: {error.strerror or error}") from error
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise RunError(f"cannot write {quoted(path)}: there is a zero byte in its name") from None


def check_path(path: Path) -> None:
    """Raise RunError if nothing can be looked for there: too long a name, or no permission."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as problem:
        raise RunError(f"cannot read {brief(path)}: {problem.strerror}") from None
    except ValueError:
        raise RunError(f"{quoted(path)} is not a path: there is a zero byte in it") from None


def check_regular(path: Path, error: type[HsevoError] = RunError) -> None:
    """Raise `error` unless there is a plain file: a pipe or a device would never end."""
    try:
        status = path.stat()
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror}") from None
    except ValueError:
        raise error(f"{quoted(path)} is not a path: there is a zero byte in it") from None
    if stat.S_ISDIR(status.st_mode):
        raise error(f"cannot read {path}: {os.strerror(errno.EISDIR)}")
    if not stat.S_ISREG(status.st_mode):
        raise error(f"cannot read {path}: it is a pipe or a device, not a file")


def read_text(path: Path, most: int = 2**26, error: type[HsevoError] = RunError,
              encoding: str = "utf-8") -> str:
    """Read a text file of at most so many bytes; raise `error` if it is not one, and never wait."""
    check_regular(path, error)
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise error(f"{path} has more than {most:,} bytes, the limit for this file")
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise error(f"{path} is not a text file (no UTF-8)") from None
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror}") from None


def read_bytes(path: Path) -> bytes:
    """Read a plain file, however large; raise RunError if it is not one, and never wait."""
    check_regular(path)
    try:
        return path.read_bytes()
    except OSError as problem:
        raise RunError(f"cannot read {path}: {problem.strerror}") from None


@contextmanager
def undamaged(path: Path, what: str = "", *more: type[Exception], hint: str = "",
              error: type[HsevoError] = RunError) -> Iterator[None]:
    """Turn what the contents of a damaged file raise into `error`, one line with the file's name.

    what: said before the reason; hint: after it, what to do. more: other exceptions that mean
    damage. An `error` is passed on as it is.
    """
    try:
        yield
    except error:
        raise
    except DAMAGE + more as problem:
        said = (str(problem).splitlines() or [type(problem).__name__])[0]
        if isinstance(problem, KeyError) and said.strip("'").isidentifier():
            said = f"it has no {said}"
        raise error(f"{path} is damaged: {what}{said}{hint}") from None


def read_json(path: Path, most: int = 2**26, error: type[HsevoError] = RunError,
              what: str = "damaged", hint: str = "") -> Any:
    """Read a JSON file of at most so many bytes, no object of which has a key twice.

    Raises `error` if it is not one; what: that it is then, hint: what to do.
    """
    text = read_text(path, most, error)
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as problem:
        raise error(f"{path} is {what}: it is not JSON ({printable(problem)[:100]}){hint}"
                    ) from None


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Raises ValueError if a key is there twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} is given twice")
    return members


def refuse_link(path: Path) -> None:
    """Raise RunError if a file that is written in place is a link, as it may lead anywhere."""
    if path.is_symlink():
        raise RunError(f"cannot write {path}: it is a link; use a regular file")


def refuse_special(path: Path) -> None:
    """Raise RunError if what is at `path` cannot be replaced by a file, as a pipe or a folder."""
    with writing(path):
        try:
            mode = path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device, not a file"
        raise RunError(f"cannot write {path}: it is {what}")


def refuse_full(path: Path, command: str = "") -> None:
    """Raise RunError if something is at `path`, unless it is an empty folder.

    command: the one that continues what is there, if any.
    """
    with writing(path):
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is a file; choose a folder")
        if path.exists() and any(inside(path)):
            more = f", or continue with: {resuming(command, path)}" if command else ""
            raise RunError(f"{path} already exists and is not empty; choose another folder{more}")


def inside(folder: Path) -> Iterator[Path]:
    """Yield a folder's contents, except its lock, its mark and leftovers of a killed process."""
    return (path for path in folder.iterdir() if path.name not in (LOCK, UNFINISHED)
            and not any(path.match(pattern) for pattern in TEMPORARY))


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file under a temporary name, flush it to the disk, and rename it into place.

    A reader sees the old file or the new one; the temporary name begins with a dot, which
    readers of data folders skip. mode: who may read and write it, less the umask, from its first
    byte on. Raises RunError.
    """
    write_together({path: data}, mode)


def write_together(files: Mapping[Path, bytes], mode: int = 0o666) -> None:
    """Write files as `write_whole`; rename none of them before all are on the disk.

    Raises RunError, and then has changed nothing.
    """
    ready = dict[Path, Path]()
    try:
        for path, data in files.items():
            refuse_special(path)
            ready[path] = path.with_name(f".{path.name}.hsevo-tmp")
            with writing(path):
                _write_new(ready[path], data, mode)
        for path, temporary in ready.items():
            with writing(path):
                temporary.replace(path)
    except BaseException:
        for temporary in ready.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise
    for folder in {path.parent for path in files}:
        with writing(folder):
            sync_folder(folder)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a file that is not there, and flush it to the disk."""
    path.unlink(missing_ok=True)  # of a killed process; "xb" follows no link
    with open(path, "xb", opener=lambda name, how: os.open(name, how, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def read_table(path: Path, columns: Collection[str], words: Collection[str] = (),
               gaps: Collection[str] = (), hint: str = "",
               data: bytes | None = None) -> pd.DataFrame:
    """Read a CSV file that has these columns, with a finite number in every line of each.

    words: columns that need no numbers. gaps: those in which some may be missing. hint: what to do
    if it is no such file. data: what it holds, if that was read. Raises RunError.
    """
    import pandas as pd

    try:
        check_regular(path)
        table: pd.DataFrame = pd.read_csv(
            path if data is None else io.BytesIO(data), dtype=dict.fromkeys(words, str),
            na_values=[""], keep_default_na=False, low_memory=False)
    except (OSError, RunError) as error:
        raise RunError(f"{getattr(error, 'strerror', None) or error}{hint}") from None
    except ValueError as error:  # pandas' ParserError and EmptyDataError, and no UTF-8
        raise RunError(f"{path} is damaged: {str(error).splitlines()[0]}{hint}") from None
    for name in columns:
        if name not in table:
            raise RunError(f"{path} is damaged: it has no column {name}{hint}")
        if name in words:
            _check_names(path, name, table[name], hint)
        else:
            try:
                numbers = pd.to_numeric(table[name], errors="coerce").astype(float)
            except OverflowError:  # hundreds of digits
                numbers = pd.Series(float("nan"), table.index)
            finite = numbers.between(-MOST, MOST) | (table[name].isna() & (name in gaps))
            if not finite.all():
                raise RunError(f"{path} is damaged: a line has no number in its column {name}"
                               f"{hint}")
    return table


def _check_names(path: Path, column: str, names: pd.Series[str], hint: str) -> None:
    for name in names.unique():
        problem = name_problem(name) if isinstance(name, str) else "must be a name"
        if problem:
            raise RunError(f"{path} is damaged: its column {column} has {quoted(name)}, which"
                           f" {problem}{hint}")


def probe(path: Path) -> None:
    """Raise RunError if a file cannot be written there, before hours of work go into it."""
    refuse_special(path)
    temporary = path.with_name(f".{path.name}.hsevo-probe")
    with writing(path):
        temporary.touch()
        temporary.unlink()


def append(path: Path, data: bytes, size: int | None = None) -> int:
    """Append to a file, flush it to the disk, and return its new size in bytes. Raises RunError.

    size: bytes of the file that count; a failed write may have left more, which is cut off first.
    """
    refuse_special(path)
    with writing(path), path.open("ab") as file:
        if size is not None and file.tell() > size:
            file.truncate(size)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def lock(folder: Path) -> FileLock:
    """Lock a folder for this process; release() what is returned to give it up. Raises RunError.

    The file of the lock stays in the folder, and says nothing: who holds the lock is known to the
    system, which lets go of it when the process dies. What a killed process left is cleared away.
    """
    refuse_special(folder / LOCK)
    held = FileLock(folder / LOCK, thread_local=False)  # any thread may release it
    with writing(folder):
        try:
            held.acquire(blocking=False)
        except Timeout:
            raise RunError(f"{folder} is in use by another hsevo; wait for it to end") from None
        for pattern in TEMPORARY:
            for left in filter(Path.is_file, folder.glob(pattern)):
                left.unlink(missing_ok=True)
    return held


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Make a folder under a temporary name, and rename it into place if the `with` ends well.

    Leftovers of processes that were killed meanwhile are removed. Raises RunError.
    """
    new = path.with_name(f".{path.name}.hsevo-new-{os.getpid()}")
    with writing(path):
        if path.parent.is_dir():
            _clear(path.parent)
        new.mkdir(parents=True)
        try:
            held = lock(new)
            try:
                yield new
            finally:
                held.release()
            if path.is_dir():  # empty, except for a lock and a mark
                lock(path).release()
                for name in (LOCK, UNFINISHED):
                    (path / name).unlink(missing_ok=True)
            new.rename(path)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        sync_folder(path.parent)


def _clear(folder: Path) -> None:
    """Remove the temporary folders of dead processes, whose locks are free."""
    for left in folder.glob(NEW):
        with suppress(OSError, RunError):  # gone, or being made at this moment
            ours = (left / LOCK).is_file() or not any(left.iterdir())
            if ours and time.time() - left.stat().st_mtime > SETTLED:
                lock(left).release()
                shutil.rmtree(left)


@contextmanager
def claimed(folder: Path, work: str,
            check: Callable[[Path], object] = refuse_full) -> Iterator[None]:
    """Make and lock a folder for a command; unmake it if it is empty in the end.

    work: one line on what the command does. A folder that the same work left unfinished (`marked`),
    as a killed command does, may be filled again. check: raises RunError for a folder that must
    not be filled else. Raises RunError.
    """
    with writing(folder):
        created = not folder.exists()
    _check(folder, work, check)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    held = lock(folder)
    try:
        _check(folder, work, check)  # again: another process may have filled it since
        yield
    finally:
        with suppress(OSError):  # the folder may be gone
            if not any(inside(folder)):  # nothing was begun
                for name in (LOCK, UNFINISHED) if created else (UNFINISHED,):
                    (folder / name).unlink(missing_ok=True)
        held.release()
        with suppress(OSError):  # there is something in it, or another process is about to fill it
            if created:
                folder.rmdir()


@contextmanager
def marked(folder: Path, work: str) -> Iterator[None]:
    """Mark a claimed folder as unfinished until the `with` ends well. Raises RunError."""
    write_whole(folder / UNFINISHED, f"{work}\n".encode())
    yield
    with writing(folder):
        (folder / UNFINISHED).unlink()


def _check(folder: Path, work: str, check: Callable[[Path], object]) -> None:
    """Raise RunError if a folder is unfinished of other work; if it is not, `check` decides."""
    marker = folder / UNFINISHED
    with writing(folder):
        begun = marker.exists()
    if not begun:
        check(folder)
        return
    check_regular(marker)
    if marker.read_bytes() != f"{work}\n".encode():
        raise RunError(f"{folder} is unfinished output of another command; choose another folder or"
                       " delete it")


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of names to the disk, so that a rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
