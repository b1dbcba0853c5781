"""The folder of an experiment: tables that grow, one file that commits their lines, the settings.

    config.yaml    the resolved plan                    about.json    versions, engine, decks
    TABLES         appended to, step by step            log.txt       what happened when
    COMMIT         how much of each table counts        done          exists when it is finished

A step is appended to the tables; then COMMIT is renamed into place, with the sizes and the SHA-256
of what counts and of other files that the step wrote. Those of what never changes are in
about.json. When a killed process's work is resumed, what was written after the last commit is cut
off and computed again, bit-identical. Only log.txt, about.json and tables of times contain times.

A kind of experiment is a subclass that declares its tables (store/tables.py), and what COMMIT holds
besides.

`replan` changes the settings that a folder was planned with, whole or not at all, by these files:

    .config.yaml.hsevo-next    the new config, which counts once about.json has its SHA-256
    about.json                 written next: the commit
    config.yaml                .config.yaml.hsevo-next, renamed into place

A process that is killed meanwhile leaves the old settings or the new ones: `config_text` reads
those that count, and `settle` completes the change when the folder is resumed.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from filelock import FileLock

from hsevo import __version__, config, files
from hsevo.errors import HsevoError, RunError, WriteError, brief, name_problem, quoted
from hsevo.files import (
    append,
    check_path,
    lock,
    read_bytes,
    refuse_full,
    refuse_link,
    sync_folder,
    undamaged,
    whole_folder,
    write_whole,
    writing,
)
from hsevo.store import kinds, sums
from hsevo.store.machine import made_by
from hsevo.store.sums import DIFFERS, short_digest
from hsevo.store.tables import DataTable

if TYPE_CHECKING:
    import pandas as pd

CONFIG, NEXT = "config.yaml", ".config.yaml.hsevo-next"


def config_text(folder: Path, about: Mapping[str, Any]) -> str:
    """Return the text of the config that belongs to about.json, or else of config.yaml."""
    text = config.read_text(folder / CONFIG)
    if about.get("config") != short_digest(text) and (folder / NEXT).is_file():
        newer = config.read_text(folder / NEXT)
        return newer if about.get("config") == short_digest(newer) else text
    return text


def replan(folder: Path, about: Mapping[str, Any], plan: config.Section) -> dict[str, Any]:
    """Write another config into a folder that is locked; return its about.json. Raises RunError."""
    text = config.dump(plan)
    others = sums.check(dict(about), "about.json") | {CONFIG: sums.of(text.encode())}
    write_whole(folder / NEXT, text.encode())
    signed = sums.sign({**about, "config": short_digest(text)}, "about.json", others, indent=1)
    write_whole(folder / "about.json", signed)
    updated: dict[str, Any] = json.loads(signed)
    settle(folder, updated)
    return updated


def settle(folder: Path, about: Mapping[str, Any]) -> None:
    """Finish the work of a killed process: rename the next config into place, or remove it."""
    refuse_link(folder / NEXT)
    if not (folder / NEXT).exists():
        return
    with writing(folder):
        if about.get("config") == short_digest(config.read_text(folder / NEXT)):
            (folder / NEXT).replace(folder / CONFIG)
        else:
            (folder / NEXT).unlink()
        sync_folder(folder)


P = TypeVar("P", bound=config.Section)


class Folder(ABC, Generic[P]):
    """Open the folder of an experiment to read it; `lock` opens a folder to continue.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder belongs to another program, is too new, or is damaged.
    """

    KIND: ClassVar[str]  # in about.json
    FORMATS: ClassVar[Mapping[int, Mapping[str, str]]]  # the newest first: old names of keys to new
    PLAN: ClassVar[type[Any]]
    COMMIT: ClassVar[str]
    TABLES: ClassVar[tuple[DataTable, ...]]
    SPEC: ClassVar[str]  # how agents of such a folder are named

    def __init__(self, path: str | Path) -> None:
        check_path(Path(path))
        self.path = Path(path)
        self._lock: FileLock | None = None
        self._open()

    def _open(self) -> None:
        about = read_json(self.path / "about.json")
        self._refuse_others(self.path, about)
        renamed = self.FORMATS[about["format"]]
        with undamaged(self.path / "about.json"):
            known = sums.check(about, "about.json")
        source, text = self.path / CONFIG, config_text(self.path, about)
        plan = config.check(self.PLAN, _current(config.parse(text, str(source)), renamed),
                            str(source))
        own = sums.of(text.encode())
        if known.get(CONFIG, own) != own or (
                about.get("config", short_digest(text)) != short_digest(text)):
            raise RunError(f"{source} has changed since the run began; restore it")
        self.plan: P = plan
        self.about = _current(about, renamed)
        self.final = False  # whether it was finished when its last commit was read
        self.growing = self._tables_of(self.about["format"])
        self.sizes = dict.fromkeys(self.growing, 0)  # bytes committed
        self.digests: dict[str, str] = {}  # SHA-256 of what is committed, by file; {}: it has none
        self._hashes = {name: hashlib.sha256() for name in self.growing}  # running
        self._read()

    @property
    def done(self) -> bool:
        """Whether the run is finished."""
        return (self.path / "done").exists()

    # --- What a kind of experiment declares

    @classmethod
    def _tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the growing files of a format."""
        return tuple(table.name for table in cls.TABLES if table.grows)

    def _placeholders(self) -> Mapping[str, Sequence[str]]:
        """Return the names for placeholders in columns of this folder, see `DataTable.of`."""
        return {}

    @abstractmethod
    def _marks(self) -> dict[str, str]:
        """Return the fingerprints that must not change, by their key in about.json."""

    @abstractmethod
    def _lines_of(self, step: Any) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step."""

    def _files(self, step: Any) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Return the contents that a step appends to files, and the files that it writes."""
        return {}, {}

    @abstractmethod
    def _take(self) -> None:
        """Read COMMIT: sizes, SHA-256, and where the experiment continues. Raises RunError."""

    @abstractmethod
    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      step: Any = None) -> bytes:
        """Return COMMIT after a step, or the last one, with these sizes and SHA-256."""

    @property
    @abstractmethod
    def _finished(self) -> str:
        """Description of a finished run, in words."""

    def _check(self) -> None:
        """Raise RunError if the content to continue is not the committed content."""

    def _clear(self) -> None:
        """Discard files of the subclass that were written after the last commit."""

    # --- Making, opening, resuming

    @classmethod
    def _make(cls, path: Path, plan: P, marks: Mapping[str, str], more: Mapping[str, Any], *,
              named: str, files: Mapping[str, bytes] | None = None,
              folders: Collection[str] = ()) -> Self:
        """Make the folder, whole or not at all, and open it. Raises RunError.

        marks: see `_marks`. more: what about.json says besides. named: what agents of it are named
        by. files: further ones that never change, by name.
        """
        if problem := name_problem(path.name):
            raise RunError(f"the name of a run folder, {quoted(path.name)}, {problem}")
        if sign := next((sign for sign in "#?," if sign in named), ""):
            raise RunError(f"a run folder can't have '{sign}' in its name ({named}): specs such as"
                           f" {cls.SPEC} could not name it")
        cls._refuse_used(path)
        text = config.dump(plan)
        about = {"kind": cls.KIND, "format": next(iter(cls.FORMATS)), "version": __version__,
                 **marks, "config": short_digest(text),
                 "seed": plan.seed,  # type: ignore[attr-defined]
                 "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}", **made_by(),
                 **more}
        fixed = {CONFIG: text.encode(), **(files or {})}
        signed = sums.sign(about, "about.json",
                           {name: sums.of(data) for name, data in fixed.items()}, indent=1)
        with whole_folder(path) as new:
            for name in folders:
                (new / name).mkdir()
            for name, data in fixed.items():
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                write_whole(new / name, data)
            write_whole(new / "about.json", signed)
        return cls(path)

    @classmethod
    def _refuse_used(cls, path: Path) -> None:
        """Check that a path is unused. The error explains how to continue a run there."""
        command, _ = kinds.RUNS[cls.KIND]
        refuse_full(path, command if kinds.unfinished(path, cls.KIND) else "")

    @classmethod
    def _refuse_others(cls, path: Path, about: Mapping[str, Any]) -> None:
        """Raise RunError if a folder is another program's, another kind's or a newer version's."""
        kind, number = about.get("kind"), about.get("format")
        own, _ = kinds.RUNS[cls.KIND]
        if kind != cls.KIND and isinstance(kind, str) and kind in kinds.RUNS:
            command, hint = kinds.RUNS[kind]
            raise RunError(f"{path} is a run of hsevo {command}, but this command needs a run of"
                           f" hsevo {own}; {hint(path)}")
        if kind != cls.KIND:
            raise RunError(f"{path} is not a run folder of hsevo: its about.json was written by"
                           " another program")
        if not isinstance(number, int) or number not in cls.FORMATS:
            raise RunError(f"{path} has format {brief(number)}, but this hsevo reads format"
                           f" {next(iter(cls.FORMATS))}; use hsevo {brief(about.get('version'))}")

    @classmethod
    def lock(cls, path: Path, check: Callable[[Self], object] = lambda run: None) -> Self:
        """Open and lock a folder to continue, and remove uncommitted content.

        Parameters
        ----------
        path : Path
            Path of the folder.
        check : callable, optional
            Called before anything is removed. If it raises an error, the folder is unchanged.

        Returns
        -------
        Self
            The locked folder.

        Raises
        ------
        RunError
            If another process uses the folder, or if the engine or the method has changed since the
            beginning.
        """
        run = cls(path)
        run._refuse_other_results()
        run._lock = lock(path)
        try:
            run._read()  # again: another process may have continued since it was opened
            run._prepare()
            check(run)
            run._cut()
            settle(path, run.about)
        except BaseException:
            run.close()
            raise
        return run

    def _refuse_other_results(self) -> None:
        for what, now in self._marks().items():
            if self.about.get(what) != now:
                raise RunError(f"{self.path} was begun with {what} {brief(self.about.get(what))} of"
                               f" hsevo {brief(self.about.get('version'))}, but this is {now} of"
                               f" {__version__}, so the results would differ; install that version"
                               " or begin a new run")

    def other_marks(self) -> str:
        """Return the reason why its games could differ here. "" if they cannot.

        Returns
        -------
        str
            The reason.
        """
        for what, now in self._marks().items():
            if self.about.get(what) != now:
                another = "other" if what.endswith("s") else "another"  # deck lists
                return (f"it was begun with {another} {what}, of hsevo {self.about.get('version')},"
                        " so no game was replayed")
        return ""

    @classmethod
    def _hold(cls, path: Path) -> Self:
        """Open a folder to read it while no process writes it, until `close`."""
        run = cls(path)
        with suppress(WriteError):  # in another's folder; the committed content stays as it is
            run._lock = lock(path)
        try:
            run._read()  # again: it may have been continued since it was opened
        except BaseException:
            run.close()
            raise
        return run

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- Committed content

    def _read(self) -> None:
        """Find the committed content. Raises RunError."""
        self.final = (self.path / "done").exists()  # first: if it is, the rest is final
        self._take()

    def _gone(self) -> RunError:
        return RunError(f"{self.path} is damaged: {self.COMMIT} is missing, and the folder can't be"
                        " read without it; restore it")

    def _part(self, name: str) -> bytes:
        """Return the committed part of a growing file."""
        path, size = self.path / name, self.sizes[name]
        if not size:
            return b""
        if not path.exists():
            raise RunError(f"{path} is damaged: it is missing")
        data = read_bytes(path)[:size]
        if len(data) < size:
            raise RunError(f"{path} is damaged: it has {len(data):,} bytes, but {size:,} were"
                           " committed")
        if self.digests and sums.of(data) != self.digests.get(name):
            raise RunError(f"{path} is damaged: {DIFFERS}")
        if not data.endswith(b"\n"):
            raise RunError(f"{path} is damaged: its committed part does not end with a line")
        return data

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        """Tables by the names of their files."""
        names = self._placeholders()
        number = self.about["format"]
        return {table.name: table.of(names, number) for table in self.TABLES}

    def table(self, name: str) -> pd.DataFrame:
        """Return the committed part of a table.

        Parameters
        ----------
        name : str
            Name of the table's file.

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        RunError
            If the table is damaged.
        """
        return self.tables[name].read(self.path / name, self.content(name))

    def content(self, name: str) -> bytes:
        """Return the committed content of a file. b"" if there is no such file.

        Parameters
        ----------
        name : str
            Name of the file.

        Returns
        -------
        bytes
            The content.

        Raises
        ------
        RunError
            If the file is damaged.
        """
        if name in self.growing:
            return self._part(name)
        if name not in self.digests:
            return b""
        data = read_bytes(self.path / name)
        if sums.of(data) != self.digests[name]:
            raise RunError(f"{self.path / name} is damaged: {DIFFERS}")
        return data

    def rows(self, name: str) -> list[bytes]:
        """Return the committed lines of a growing table, without its heading.

        Parameters
        ----------
        name : str
            Name of the table's file.

        Returns
        -------
        list of bytes
            The lines.
        """
        return self._part(name).splitlines(keepends=True)[1:]

    def changed(self) -> Iterator[str]:
        """Yield a description of each file that was changed.

        Yields
        ------
        str
            A line.
        """
        for name in self.digests:
            try:
                self.content(name)
            except RunError as error:
                yield str(error)

    def _written(self, name: str) -> float:
        """Return the time when a file was written."""
        try:
            return (self.path / name).stat().st_mtime
        except OSError as error:
            raise RunError(f"cannot read {self.path / name}: {error.strerror}") from None

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Turn the errors of reading a damaged part of about.json into a RunError."""
        with undamaged(self.path / "about.json", f"its {what} can't be read: ", HsevoError):
            yield

    # --- Writing

    def append(self, step: Any) -> None:
        """Add a step and commit it. Earlier commits stay valid."""
        more, whole = self._files(step)
        lines = {name: self.tables[name].text(table, header=self.sizes[name] == 0)
                 for name, table in self._lines_of(step).items() if len(table)}
        self._commit({**more, **lines}, whole, step)

    def _finish(self, files: Mapping[str, bytes] | None = None) -> None:
        """Write the files of the end, and mark the run as finished."""
        if files:
            self._commit({}, files)
        write_whole(self.path / "done", f"{self._finished}\n".encode())
        self.final = True

    def _commit(self, lines: Mapping[str, bytes], whole: Mapping[str, bytes],
                step: Any = None) -> None:
        """Write files, append lines, and commit both. Raises RunError.

        whole: those whose SHA-256 COMMIT has. step: after which COMMIT is, if it is a new one. If
        anything fails, the last commit stays valid.
        """
        for name, data in whole.items():
            write_whole(self.path / name, data)
        sizes, hashes = dict(self.sizes), {
            name: hasher.copy() for name, hasher in self._hashes.items()}
        for name, data in lines.items():
            sizes[name] = append(self.path / name, data, self.sizes[name])
            hashes[name].update(data)
        digests = (self.digests | {name: sums.of(data) for name, data in whole.items()}
                   | {name: hasher.hexdigest() for name, hasher in hashes.items()})
        write_whole(self.path / self.COMMIT, self._commit_bytes(sizes, digests, step))
        self.sizes, self.digests, self._hashes = sizes, digests, hashes

    def _take_back(self, name: str, begins: tuple[str, ...], gone: Collection[str] = ()) -> None:
        """Commit that the last lines of a table, which begin so, and whole files do not count.

        The heading of a table goes with its last line.
        """
        lines = self._part(name).splitlines(keepends=True)
        remaining = [line for line in lines if not line.startswith(tuple(map(str.encode, begins)))]
        data = b"".join(remaining if len(remaining) > 1 else ())
        if len(data) < self.sizes[name] or {*gone} & {*self.digests}:
            self.sizes[name], self._hashes[name] = len(data), hashlib.sha256(data)
            self.digests = {file: known for file, known in self.digests.items() if file not in gone}
            self.digests |= {file: known.hexdigest() for file, known in self._hashes.items()}
            if (self.path / self.COMMIT).exists():
                write_whole(self.path / self.COMMIT, self._commit_bytes(self.sizes, self.digests))
                self._take()
        with writing(self.path):
            if (self.path / name).exists():
                os.truncate(self.path / name, self.sizes[name])
            for file in gone:
                (self.path / file).unlink(missing_ok=True)

    def _prepare(self) -> None:
        """Check the content to continue. Raises RunError."""
        for name in (*self.growing, "log.txt"):
            refuse_link(self.path / name)
        self._check()
        self._hashes = {name: hashlib.sha256(self._part(name)) for name in self.growing}

    def _cut(self) -> None:
        """Discard all content that was written after the last commit."""
        with writing(self.path):
            for name, size in self.sizes.items():
                if size or (self.path / name).exists():
                    os.truncate(self.path / name, size)
            self._clear()

    def _prolong(self, key: str, number: int | None, check: Callable[[int], object]) -> str:
        """Continue to a number of steps, as if it had been planned."""
        planned = attrgetter(key)(self.plan)
        if number is None or number == planned:
            return ""
        plan = config.change(self.plan, {key: number})
        check(number)
        with writing(self.path):  # a finished run is not finished then
            (self.path / "done").unlink(missing_ok=True)
        self.about = replan(self.path, self.about, plan)
        self.plan, self.final = plan, False
        said = (f"{'prolonged' if number > planned else 'shortened'} from {planned:,} to {number:,}"
                f" {key.rpartition('.')[2]}")
        self._log(said)
        return said

    def _log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file of a folder. Raises RunError, also for a folder that is no run of hsevo."""
    folder = path.parent
    if not folder.exists():
        raise RunError(f"there is no folder {folder}")
    if not path.exists():
        raise RunError(kinds.no_run(folder)
                       or f"{folder} is not a run folder of hsevo: it has no {path.name}")
    tree = files.read_json(path)
    if not isinstance(tree, dict):
        raise RunError(f"{path} is damaged: it must be a mapping")
    return tree


def _current(tree: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Return a tree with the keys of an older format under their current names."""
    return {renamed.get(key, key): value for key, value in tree.items()}


def default_path(plan: Any) -> Path:
    """Return the default folder of a new run: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"
