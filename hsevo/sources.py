"""Which sources make a result, digests of them by what they mean, and the cache folder.

Runs and machine code are marked with such digests: a better sentence leaves both as they are, and
another rule does not (digests.py). Parsing takes half a second, so that what was found is kept in
the cache folder, by the bytes of all sources.
"""

from __future__ import annotations

import atexit
import functools
import getpass
import hashlib
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

import platformdirs

from hsevo import digests, registration
from hsevo.errors import printable

UNIX = hasattr(os, "getuid")  # elsewhere the user's folders are their own
PACKAGE = Path(__file__).resolve().parent
# Networks' rows of cards: they are composed before games, and change them.
TEXTS = ("agents/learned/text.py", "agents/learned/older.py", "cards/facts.py")
# The sources of kernels: their own code and the enumerations that they use. Of the
# tables they use only the dtype TABLES (cards/layout.py): it is part of the key of machine code.
KERNELS = ("engine", "agents", "play/acts.py", "play/context.py", "play/entry.py",
           "play/environment.py", "play/lethal.py", "play/samples.py", "play/settling.py",
           "play/stepping.py", "play/worlds.py",
           *(LEARNING := ("learning/expected.py", "learning/gradient.py", "learning/options.py",
                          "learning/policy_gradient.py", "learning/acting/layers.py",
                          "learning/acting/forward.py", "learning/acting/building.py")),
           "cards/kinds.py", "cards/terms.py", "cards/ops.py", "cards/late.py")
_NO_KERNELS = ("engine/compiling.py", "engine/view/show.py", "engine/view/snapshot.py",
               "agents/registry.py", "agents/mcts/named.py", "agents/learned/nets.py",
               "agents/genomes/genome.py", "agents/genomes/weights.py")
NOT_KERNELS = (*_NO_KERNELS, *TEXTS)
# The sources that determine the course of a run: in addition pairings, seeds and the strategy, but
# neither compiling, measuring nor learning. The cards enter by their tables.
COURSE = (*KERNELS, *TEXTS, "seeds.py", "play/closed.py", "play/match.py",
          "play/tournament.py", "evolution/evolve.py")
NOT_COURSE = (*_NO_KERNELS, "engine/internals.py", "engine/code_cache.py", "agents/eva/parts.py",
              "play/lethal.py", "play/settling.py", "play/worlds.py", *LEARNING)

# What end-to-end policies play by, besides: they are not of the engine, nor in its fingerprint.
ACTORS = ("learning/acting", "learning/batch.py", "learning/layouts.py",
          "learning/dealing.py", "learning/opponents.py", "learning/slots.py",
          "learning/vocabulary.py", "cards/catalogue.py", "play/games.py", "play/rules.py")
NOT_ACTORS = ("learning/acting/checkpoints.py", "learning/acting/jobs.py")  # storing, and sending


def digest(names: Iterable[str], but: Collection[str] = ()) -> str:
    """Return 64 hex digits that change with what modules mean.

    names: paths in the package: files, or folders with all that is in them; but: without these.
    """
    texts = {_module(path): path.read_text(encoding="utf-8") for path in files(names, but)}
    return digests.digest(texts, {_module(path) for path in files([""])})


def _module(path: Path) -> str:
    """Return the name of the module of a source file, as hsevo.seeds."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["hsevo", *(part for part in parts if part != "__init__")])


def files(names: Iterable[str], but: Collection[str] = ()) -> list[Path]:
    """Return the source files that names mean, see `digest`, sorted."""
    paths: set[Path] = set()
    for path in (PACKAGE / name for name in names):
        paths |= set(path.rglob("*.py")) if path.is_dir() else {path}
    return sorted(paths - {PACKAGE / name for name in but})


def remembered(name: str, find: Callable[[], str]) -> str:
    """Return what `find` finds out about the sources, from the cache folder if it is there.

    It must depend on the text of the sources alone, as all programs share what is kept (so on
    nothing that was imported, which a program can change); 64 hex digits.
    """
    path = cache() / "sources" / f"{all_bytes()}-{name}"
    try:
        known = path.read_text(encoding="ascii")
    except (OSError, ValueError):
        known = ""
    if known == _checked(known[:64]):  # else a part of it was written, or the disk lost a bit
        return known[:64]
    return _keep(path, find())


def _checked(digest: str) -> str:
    """Return what was found with a digest of itself."""
    return f"{digest} {hashlib.sha256(digest.encode()).hexdigest()}"


def _keep(path: Path, digest: str) -> str:
    """Write what was found, whole or not at all, if that can be done; and return it."""
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        temporary.write_text(_checked(digest), encoding="ascii")
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return digest


@functools.cache
def _all_files() -> list[Path]:
    """Return the package's source files when this process first asked."""
    return files([""])


@functools.cache
def all_bytes() -> str:
    """Return a digest of the package's sources byte by byte, which takes some milliseconds."""
    hasher = hashlib.sha256()
    for path in files([""]):
        hasher.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        hasher.update(path.read_bytes() + b"\0")
    return hasher.hexdigest()[:32]


def are_imported() -> bool:
    """Return whether the sources of `all_bytes` are those that this process imports.

    Otherwise one may have been written since the process began. A clock may be a second behind.
    """
    all_bytes()  # first: what is written after it was read is noticed below
    began = registration.BEGAN - 1
    try:
        return all(max(status.st_ctime, status.st_mtime) < began  # on Windows, ctime is the making
                   for status in (path.stat() for path in _all_files()))
    except OSError:  # removed meanwhile
        return False


@functools.cache
def cache() -> Path:
    """Return the first folder that can be written: $HSEVO_CACHE, the user's cache, one in /tmp.

    Numba unpickles what is in it, and so runs the code of whoever can write there. A folder that
    others could have written to is left out with a warning; if no other is left, it is a new one.
    """
    user = os.geteuid() if UNIX else getpass.getuser()
    bases = (os.environ.get("HSEVO_CACHE"), platformdirs.user_cache_dir("hsevo", appauthor=False),
             f"{tempfile.gettempdir()}/hsevo-{user}")
    for folder in (Path(base).expanduser().absolute() for base in bases if base):
        try:
            if not (danger := _make(folder)):
                return folder
        except (OSError, ValueError):  # ValueError: a zero in its name
            continue
        logging.getLogger("hsevo").warning(
            "hsevo: machine code is not kept in %s: %s; delete the folder, or set HSEVO_CACHE to a"
            " folder of your own", printable(folder), printable(danger))
    return _temporary()


def _make(folder: Path) -> str:
    """Make a folder if needed, and write to it; or return why it may hold what others wrote.

    Raises OSError if it cannot be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if UNIX and (danger := _danger(folder)):
        return danger
    probe = folder / f".probe-{os.getpid()}"
    probe.touch()
    probe.unlink()
    return ""


def _danger(folder: Path) -> str:
    """Return how others could write to a folder, or to one in it; if not, close it to them."""
    parent = folder.parent.resolve()
    for above in (parent, *parent.parents):
        if danger := _replaceable(above):
            return danger
    if danger := _open_to_others(folder):
        return danger
    private = not folder.stat().st_mode & 0o077  # nobody else reaches what is in it
    for inner in (path for path in folder.iterdir() if path.is_symlink() or path.is_dir()):
        if danger := _open_to_others(inner, not private):
            return danger
    folder.chmod(0o700)
    return ""


def _replaceable(folder: Path) -> str:
    """Return why another user could replace a folder in this one; else ""."""
    status = folder.stat()
    if status.st_uid not in (0, os.geteuid()):
        return f"{folder} belongs to another user"
    if status.st_mode & stat.S_ISVTX:  # only the owner of a file in it can replace the file
        return ""
    if status.st_mode & stat.S_IWOTH:
        return f"any user can write to {folder}"
    grouped = status.st_mode & stat.S_IWGRP and _has_others(status.st_gid)
    return f"a group of other users can write to {folder}" if grouped else ""


def _has_others(group: int) -> bool:
    """Return whether a group has other members than this user and root.

    Many systems give each user a group of the same name, and let it write to what the user makes.
    """
    import grp  # not on Windows
    import pwd

    people = pwd.getpwall()
    names = {user.pw_name for user in people if user.pw_gid == group}
    with suppress(KeyError):  # a group without an entry
        names.update(grp.getgrgid(group).gr_mem)
    trusted = {user.pw_name for user in people if user.pw_uid in (0, os.geteuid())}
    return bool(names - trusted)


def _open_to_others(folder: Path, by_mode: bool = True) -> str:
    """Return why a folder may hold what others wrote: by its kind, its owner, its mode; else ""."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is a link"
    if status.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    return f"others can write to {folder}" if by_mode and status.st_mode & 0o022 else ""


def _temporary() -> Path:
    """Make a folder that ends with this process; those that it starts use it, too."""
    folder = tempfile.mkdtemp(prefix="hsevo-")
    maker = os.getpid()

    def remove() -> None:
        if os.getpid() == maker:  # a copy of it by fork ends, too
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    os.environ["HSEVO_CACHE"] = folder
    return Path(folder)
