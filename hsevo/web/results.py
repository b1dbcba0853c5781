"""What hsevo made, to be looked at: the folders below those that were named at the start.

    Results(["runs"]).all -> [Result]      of(id) -> Result      of(id).safe() -> its path

A request names a folder by its id alone, which is looked up. Links are not followed, and a folder
that has one that leads out of it, or a pipe, or too many bytes, is refused: a folder of somebody
else's may be forged. What is made of a folder is kept until it changes.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from hsevo.errors import ConfigError, HsevoError, RunError, brief, printable, quoted
from hsevo.files import check_path
from hsevo.reports import folders
from hsevo.texts import say

DEEP = 3  # folders below a named one that are looked at
MOST_ENTRIES, MOST = 2000, 1000  # looked at in a folder; results
MOST_FILES, MOST_BYTES = 100_000, 2**31  # of a result
AGAIN = 3.0  # seconds between two searches for folders, or two versions of a page
SHARE = 20
KEPT = {"figure": MOST}  # in memory, by what it is; of all else PAGES
PAGES = 8
Change: TypeAlias = tuple[float, int, int]  # when, files, bytes
T = TypeVar("T")


@dataclass(frozen=True)
class Result:
    """A folder that hsevo wrote. name: below the folder that was named. changed: since 1970."""

    path: Path
    name: str
    what: str  # as reports.folders.noun
    changed: float

    @cached_property
    def id(self) -> str:
        """What requests call it."""
        return hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]

    @property
    def state(self) -> str:
        """Whether it is finished."""
        return folders.state(self.path, self.what, self.changed)

    @property
    def date(self) -> str:
        """When it was changed last, UTC, ISO 8601."""
        return datetime.fromtimestamp(self.changed, UTC).isoformat(timespec="minutes")

    @property
    def is_run(self) -> bool:
        """Whether it has curves."""
        return self.what in folders.RUNS.values()

    @property
    def is_reported(self) -> bool:
        """Whether it has a report."""
        return self.what in folders.REPORTED

    @property
    def is_replayed(self) -> bool:
        """Whether it has games that can be played again."""
        return self.what in folders.REPLAYED

    def safe(self) -> Path:
        """Return its path if it can be read without leaving it. Raises RunError."""
        files, size = 0, 0
        for path, status in _all(self.path):
            files, size = files + 1, size + status.st_size * stat.S_ISREG(status.st_mode)
            if files > MOST_FILES or size > MOST_BYTES:
                raise RunError(say("refused.big_folder", name=self.name, files=f"{MOST_FILES:,}",
                                   gib=MOST_BYTES // 2**30))
            if stat.S_ISLNK(status.st_mode) and not _inside(path, self.path):
                raise RunError(say("refused.link_out", name=self.name, file=quoted(path.name)))
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
                    or stat.S_ISLNK(status.st_mode)):
                raise RunError(say("refused.pipe", name=self.name, file=quoted(path.name)))
        return self.path


class Results:
    """All results below some folders. Raises ConfigError if one is no folder."""

    def __init__(self, named: Sequence[str | Path] = ()) -> None:
        self.named = [_folder(Path(path)) for path in named]
        self._by_id: dict[str, Result] = {}
        self._looked = 0.0
        self._nouns: dict[Path, tuple[int, str]] = {}  # when the folder was changed, and its noun
        self._cache: dict[str, OrderedDict[str, tuple[Change, float, Any]]] = {}
        self._newest: dict[Path, tuple[float, float, Change]] = {}  # looked at, seconds, change

    def __bool__(self) -> bool:
        """Return whether folders were named."""
        return bool(self.named)

    @property
    def all(self) -> list[Result]:
        """The results, the last changed first."""
        if time.monotonic() - self._looked > AGAIN or not self._looked:
            by_path = {result.path: result for root in self.named for result in self._below(root)}
            newest = sorted(by_path.values(), key=lambda result: -result.changed)[:MOST]
            self._by_id, self._looked = {result.id: result for result in newest}, time.monotonic()
        return [*self._by_id.values()]

    def of(self, id: str) -> Result:
        """Return a result by its id. Raises RunError if there is none."""
        result = {entry.id: entry for entry in self.all}.get(id)
        if result is None:
            raise RunError(say("refused.no_folder"))
        return result

    def cached(self, result: Result, name: str, make: Callable[[Path], T], which: str = "") -> T:
        """Return what is made of a folder, kept until the folder changes; name: of what.

        which: tells apart several of that name. Raises RunError, ConfigError in one line, also for
        a damaged folder.
        """
        cached, now = self._cache.setdefault(name, OrderedDict()), time.monotonic()
        key = f"{result.id} {which}"
        changed, when, outcome = cached.get(key, ((0.0, 0, 0), 0.0, None))
        if not when or (now - when > AGAIN and changed != self._changed(result.path)):
            newest = self._changed(result.path)  # before: what changes meanwhile counts
            outcome = _one_line(result, make)
            cached[key] = newest, time.monotonic(), outcome
            while len(cached) > KEPT.get(name, PAGES):
                cached.popitem(last=False)
        if isinstance(outcome, HsevoError):
            raise outcome
        answer: T = outcome
        return answer

    def _changed(self, path: Path) -> Change:
        """Return what differs once anything in a folder was changed, however deep.

        It is when that was last, how many files there are, and how many bytes they have.

        The whole folder is scanned at most once in AGAIN seconds, and in at most 1 / SHARE of the
        time.
        """
        now = time.monotonic()
        looked, took, newest = self._newest.get(path, (0.0, 0.0, (0.0, 0, 0)))
        if not looked or now - looked > max(AGAIN, SHARE * took):
            with suppress(RunError, OSError):  # it is being deleted
                files = [status for file, status in islice(_all(path), MOST_FILES)
                         if not file.name.startswith(".")]
                newest = (max((status.st_mtime for status in files), default=0.0), len(files),
                          sum(status.st_size for status in files))
            self._newest[path] = now, time.monotonic() - now, newest
        return newest

    def _below(self, root: Path) -> Iterator[Result]:
        """Yield what a named folder is, or has, down to DEEP folders below it."""
        level = [root]
        for _ in range(DEEP + 1):
            below: list[Path] = []
            for path in level:
                if what := self._noun(path):
                    name = str(path.relative_to(root)) if path != root else path.name
                    yield Result(path, printable(name), what, _changed(path))
                else:
                    below += _folders(path)
            level = below[:MOST_ENTRIES]

    def _noun(self, path: Path) -> str:
        """Return what a folder is, read again only if something came or went in it."""
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            return ""
        if self._nouns.get(path, (0, ""))[0] != changed:
            self._nouns[path] = changed, folders.noun(path)
        return self._nouns[path][1]


def _one_line(result: Result, make: Callable[[Path], T]) -> T | HsevoError:
    """Return what is made of a folder, or what is wrong with it."""
    try:
        return make(result.safe())
    except HsevoError as error:
        said = str(error).partition("\n")[0].replace(str(result.path), result.name)
        return RunError(printable(said)[:500])
    except folders.DAMAGE as error:
        return RunError(say("refused.damaged", name=result.name,
                            why=brief(error) or type(error).__name__))


def _folder(path: Path) -> Path:
    check_path(path)
    if not path.is_dir():
        raise ConfigError(f"there is no folder {quoted(path)} to show; name a folder that hsevo"
                          " wrote, or a folder of them, for example runs")
    return path.resolve()


def _folders(path: Path) -> list[Path]:
    """Return the folders in a folder, without links and those whose names begin with a dot."""
    try:
        with os.scandir(path) as entries:
            return [Path(entry.path) for entry in islice(entries, MOST_ENTRIES)
                    if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")]
    except OSError:
        return []


def _changed(path: Path) -> float:
    """Return when a file of a folder, or what is in a folder of it, was changed last."""
    times = [0.0]
    try:
        with os.scandir(path) as entries:
            times += [entry.stat(follow_symlinks=False).st_mtime
                      for entry in islice(entries, MOST_ENTRIES) if not entry.name.startswith(".")]
    except OSError:
        pass  # it is being deleted
    return max(times)


def _all(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield all that is below a folder. Raises RunError."""
    try:
        for base, names, files in os.walk(path):
            for name in (*names, *files):
                yield Path(base, name), os.lstat(Path(base, name))
    except OSError as error:
        raise RunError(say("refused.unreadable", name=path.name, why=error.strerror)) from None


def _inside(link: Path, folder: Path) -> bool:
    """Return whether a link leads to something in its folder."""
    try:
        return link.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):
        return False
