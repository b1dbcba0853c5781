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
    """Return the text of the config that about.json is of; config.yaml's, if there is none."""
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
    found: dict[str, Any] = json.loads(signed)
    settle(folder, found)
    return found


def settle(folder: Path, about: Mapping[str, Any]) -> None:
    """End what a killed process began: rename the next config into place, or remove it."""
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
    """The folder of an experiment, to read; `lock` opens one to go on with it."""

    KIND: ClassVar[str]  # in about.json
    FORMATS: ClassVar[Mapping[int, Mapping[str, str]]]  # the newest first: old names of keys to new
    PLAN: ClassVar[type[Any]]
    COMMIT: ClassVar[str]
    TABLES: ClassVar[tuple[DataTable, ...]]
    SPEC: ClassVar[str]  # how agents of such a folder are named

    def __init__(self, path: str | Path) -> None:
        """Open a folder to read it. Raises RunError if it is another's, too new or damaged."""
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
            raise RunError(f"{source} is not what it was when the run began; bring it back")
        self.plan: P = plan
        self.about = _current(about, renamed)
        self.final = False  # whether it was finished when its last commit was read
        self.growing = self.tables_of(self.about["format"])
        self.sizes = dict.fromkeys(self.growing, 0)  # bytes committed
        self.digests: dict[str, str] = {}  # SHA-256 of what is committed, by file; {}: it has none
        self._hashes = {name: hashlib.sha256() for name in self.growing}  # running
        self._read()

    @property
    def done(self) -> bool:
        """Whether it is finished."""
        return (self.path / "done").exists()

    # --- What a kind of experiment declares

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the files that grow, in a format."""
        return tuple(table.name for table in cls.TABLES if table.grows)

    def given(self) -> Mapping[str, Sequence[str]]:
        """Return what the names of columns stand for in this folder, see `DataTable.of`."""
        return {}

    @abstractmethod
    def marks(self) -> dict[str, str]:
        """Return what must be as it was when the experiment began, by its key in about.json."""

    @abstractmethod
    def lines_of(self, step: Any) -> Mapping[str, pd.DataFrame]:
        """Return the lines of a step, by table."""

    def files(self, step: Any) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Return what else a step appends to files, and the files that it writes, by name."""
        return {}, {}

    @abstractmethod
    def _take(self) -> None:
        """Read COMMIT: sizes, SHA-256, and where the experiment goes on. Raises RunError."""

    @abstractmethod
    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      step: Any = None) -> bytes:
        """Return COMMIT after a step, or the last one, with these sizes and SHA-256."""

    @property
    @abstractmethod
    def finished(self) -> str:
        """What it has when it is finished, in words."""

    def _check(self) -> None:
        """Raise RunError if what goes on is not what was committed, before anything is cut off."""

    def _clear(self) -> None:
        """Discard what the subclass wrote after the last commit, and no table holds."""

    # --- Making, opening, resuming

    @classmethod
    def _make(cls, path: Path, plan: P, marks: Mapping[str, str], more: Mapping[str, Any], *,
              named: str, files: Mapping[str, bytes] | None = None,
              folders: Collection[str] = ()) -> Self:
        """Make the folder, whole or not at all, and open it. Raises RunError.

        marks: see `marks`. more: what about.json says besides. named: what agents of it are named
        by. files: further ones that never change, by name.
        """
        if problem := name_problem(path.name):
            raise RunError(f"the name of a run folder, {quoted(path.name)}, {problem}")
        if sign := next((sign for sign in "#?," if sign in named), ""):
            raise RunError(f"a run folder can't have '{sign}' in its name ({named}): specs such as"
                           f" {cls.SPEC} could not name it")
        cls.refuse_used(path)
        text = config.dump(plan)
        about = {"kind": cls.KIND, "format": next(iter(cls.FORMATS)), "version": __version__,
                 **marks, "config": short_digest(text), "seed": plan.seed,  # type: ignore[attr-defined]
                 "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}", **made_by(),
                 **more}
        fixed = {CONFIG: text.encode(), **(files or {})}
        signed = sums.sign(about, "about.json",
                           {name: sums.of(data) for name, data in fixed.items()}, indent=1)
        with whole_folder(path) as new:
            for name in folders:
                (new / name).mkdir()
            for name, data in fixed.items():
                write_whole(new / name, data)
            write_whole(new / "about.json", signed)
        return cls(path)

    @classmethod
    def refuse_used(cls, path: Path) -> None:
        """Raise RunError if there is something at `path`; it says how to go on with a run there."""
        command, _ = kinds.RUNS[cls.KIND]
        refuse_full(path, command if kinds.unfinished(path, cls.KIND) else "")

    @classmethod
    def _refuse_others(cls, path: Path, about: Mapping[str, Any]) -> None:
        """Raise RunError if a folder is another program's, another kind's or a newer version's."""
        kind, number = about.get("kind"), about.get("format")
        own, _ = kinds.RUNS[cls.KIND]
        if kind != cls.KIND and isinstance(kind, str) and kind in kinds.RUNS:
            command, hint = kinds.RUNS[kind]
            raise RunError(f"{path} is a run of hsevo {command}, and this takes runs of hsevo"
                           f" {own}; {hint(path)}")
        if kind != cls.KIND:
            raise RunError(f"{path} is not a run folder of hsevo: its about.json is another's")
        if not isinstance(number, int) or number not in cls.FORMATS:
            raise RunError(f"{path} has format {brief(number)}, and this hsevo reads format"
                           f" {next(iter(cls.FORMATS))}; use hsevo {brief(about.get('version'))}")

    @classmethod
    def lock(cls, path: Path, check: Callable[[Self], object] = lambda run: None) -> Self:
        """Open and lock a folder to go on, without what was not committed.

        check: called before anything is cut off; what it raises leaves the folder as it is. Raises
        RunError also if another process uses it, or if the engine or the method is not the one that
        it was begun with: the results would differ.
        """
        run = cls(path)
        run._refuse_other_results()
        run._lock = lock(path)
        try:
            run._read()  # again: another process may have gone on since it was opened
            run._prepare()
            check(run)
            run._cut()
            settle(path, run.about)
        except BaseException:
            run.close()
            raise
        return run

    def _refuse_other_results(self) -> None:
        for what, now in self.marks().items():
            if self.about.get(what) != now:
                raise RunError(f"{self.path} was begun with the {what}"
                               f" {brief(self.about.get(what))} of hsevo"
                               f" {brief(self.about.get('version'))}, and this is {now} of"
                               f" {__version__}: the results would differ; install that version,"
                               " or begin a new run")

    def other_marks(self) -> str:
        """Return why its games could come out otherwise here, in words; "" if they can't."""
        for what, now in self.marks().items():
            if self.about.get(what) != now:
                another = "other" if what.endswith("s") else "another"  # deck lists
                return (f"it was begun with {another} {what}, of hsevo"
                        f" {self.about.get('version')}: no game was played again")
        return ""

    @classmethod
    def hold(cls, path: Path) -> Self:
        """Open a folder to read it while no process writes it, until `close`. Raises RunError."""
        run = cls(path)
        with suppress(WriteError):  # in another's folder; what is committed by now stays as it is
            run._lock = lock(path)
        try:
            run._read()  # again: it may have gone on since it was opened
        except BaseException:
            run.close()
            raise
        return run

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # --- What is committed

    def _read(self) -> None:
        """Find what is committed. Raises RunError."""
        self.final = (self.path / "done").exists()  # first: if it is, the rest is final
        self._take()

    def _gone(self) -> RunError:
        return RunError(f"{self.path} is damaged: {self.COMMIT} is gone, without which nothing of"
                        " it counts; bring it back")

    def part(self, name: str) -> bytes:
        """Return the committed part of a file that grows. Raises RunError if it was changed."""
        path, size = self.path / name, self.sizes[name]
        if not size:
            return b""
        if not path.exists():
            raise RunError(f"{path} is damaged: it is missing")
        data = read_bytes(path)[:size]
        if len(data) < size:
            raise RunError(f"{path} is damaged: it has {len(data):,} bytes, and {size:,} were"
                           " committed")
        if self.digests and sums.of(data) != self.digests.get(name):
            raise RunError(f"{path} is damaged: {DIFFERS}")
        if not data.endswith(b"\n"):
            raise RunError(f"{path} is damaged: what was committed does not end with a line")
        return data

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        """Its tables by the names of their files."""
        given = self.given()
        number = self.about["format"]
        return {table.name: table.of(given, number) for table in self.TABLES}

    def table(self, name: str) -> pd.DataFrame:
        """Return the committed part of a table. Raises RunError if it is damaged."""
        return self.tables[name].read(self.path / name, self.content(name))

    def content(self, name: str) -> bytes:
        """Return what is committed of a file; b"" if it is not there. Raises RunError if damaged.
        """
        if name in self.growing:
            return self.part(name)
        if name not in self.digests:
            return b""
        data = read_bytes(self.path / name)
        if sums.of(data) != self.digests[name]:
            raise RunError(f"{self.path / name} is damaged: {DIFFERS}")
        return data

    def rows(self, name: str) -> list[bytes]:
        """Return the committed lines of a table that grows, without its heading."""
        return self.part(name).splitlines(keepends=True)[1:]

    def changed(self) -> Iterator[str]:
        """Yield, a line each, which files are not what was written."""
        for name in self.digests:
            try:
                self.content(name)
            except RunError as error:
                yield str(error)

    def written(self, name: str) -> float:
        """Return when a file was written, in seconds since 1970. Raises RunError."""
        try:
            return (self.path / name).stat().st_mtime
        except OSError as error:
            raise RunError(f"cannot read {self.path / name}: {error.strerror}") from None

    @contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Turn what reading a damaged part of about.json raises into a RunError."""
        with undamaged(self.path / "about.json", f"its {what} can't be read: ", HsevoError):
            yield

    # --- Writing

    def append(self, step: Any) -> None:
        """Add a step and commit it. Raises RunError; earlier commits stay valid."""
        more, whole = self.files(step)
        lines = {name: self.tables[name].text(table, header=self.sizes[name] == 0)
                 for name, table in self.lines_of(step).items() if len(table)}
        self._commit({**more, **lines}, whole, step)

    def finish(self, files: Mapping[str, bytes] | None = None) -> None:
        """Write what was made at the end, by name, and mark it as finished."""
        if files:
            self._commit({}, files)
        write_whole(self.path / "done", f"{self.finished}\n".encode())
        self.final = True

    def _commit(self, lines: Mapping[str, bytes], whole: Mapping[str, bytes],
                step: Any = None) -> None:
        """Write files and append lines, and have them count. Raises RunError.

        whole: those whose SHA-256 COMMIT has. step: after which COMMIT is, if it is a new one. If
        anything fails, the last commit stays valid.
        """
        for name, data in whole.items():
            write_whole(self.path / name, data)
        sizes, hashes = dict(self.sizes), {name: one.copy() for name, one in self._hashes.items()}
        for name, data in lines.items():
            sizes[name] = append(self.path / name, data, self.sizes[name])
            hashes[name].update(data)
        digests = (self.digests | {name: sums.of(data) for name, data in whole.items()}
                   | {name: one.hexdigest() for name, one in hashes.items()})
        write_whole(self.path / self.COMMIT, self._commit_bytes(sizes, digests, step))
        self.sizes, self.digests, self._hashes = sizes, digests, hashes

    def _take_back(self, name: str, begins: tuple[str, ...], gone: Collection[str] = ()) -> None:
        """Commit that the last lines of a table, which begin so, and whole files do not count.

        The heading of a table goes with its last line.
        """
        lines = self.part(name).splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(tuple(map(str.encode, begins)))]
        data = b"".join(kept if len(kept) > 1 else ())
        if len(data) < self.sizes[name] or {*gone} & {*self.digests}:
            self.sizes[name], self._hashes[name] = len(data), hashlib.sha256(data)
            self.digests = {one: known for one, known in self.digests.items() if one not in gone}
            self.digests |= {one: known.hexdigest() for one, known in self._hashes.items()}
            if (self.path / self.COMMIT).exists():
                write_whole(self.path / self.COMMIT, self._commit_bytes(self.sizes, self.digests))
                self._take()
        with writing(self.path):
            if (self.path / name).exists():
                os.truncate(self.path / name, self.sizes[name])
            for one in gone:
                (self.path / one).unlink(missing_ok=True)

    def _prepare(self) -> None:
        """Check what is gone on with. Raises RunError."""
        for name in (*self.growing, "log.txt"):
            refuse_link(self.path / name)
        self._check()
        self._hashes = {name: hashlib.sha256(self.part(name)) for name in self.growing}

    def _cut(self) -> None:
        """Discard what was written after the last commit."""
        with writing(self.path):
            for name, size in self.sizes.items():
                if size or (self.path / name).exists():
                    os.truncate(self.path / name, size)
            self._clear()

    def prolong(self, key: str, number: int | None, check: Callable[[int], object]) -> str:
        """Go on to so many steps, as if it had been planned so; return what was changed, in words.

        key: of their number in the plan, as "evolution.generations". number: None: as planned.
        check: raises an error for a number that it can't have. Raises ConfigError, RunError.
        """
        planned = attrgetter(key)(self.plan)
        if number is None or number == planned:
            return ""
        plan = config.change(self.plan, {key: number})
        check(number)
        with writing(self.path):  # a finished run is not finished then
            (self.path / "done").unlink(missing_ok=True)
        self.about = replan(self.path, self.about, plan)
        self.plan, self.final = plan, False
        said = (f"{'prolonged' if number > planned else 'shortened'} from {planned:,} to"
                f" {number:,} {key.rpartition('.')[2]}")
        self.log(said)
        return said

    def log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file of a folder. Raises RunError, also if the folder is not a run of hsevo."""
    folder = path.parent
    if not folder.exists():
        raise RunError(f"there is no folder {folder}")
    if not path.exists():
        raise RunError(kinds.no_run(folder)
                       or f"{folder} is not a run folder of hsevo: it has no {path.name}")
    tree = files.read_json(path)
    if not isinstance(tree, dict):
        raise RunError(f"{path} is damaged: it holds no mapping")
    return tree


def _current(tree: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Return a tree with the keys of an older format under their current names."""
    return {renamed.get(key, key): value for key, value in tree.items()}


def default_path(plan: Any) -> Path:
    """Return the default folder of a new run: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"
