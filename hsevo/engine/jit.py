"""All compile ceremony: two decorators, the signatures' types, and a cache that can't go stale.

`kernel(signature)` marks a compiled function that other compiled functions call; `door(signature)`
one that Python calls. Types are explicit (implicit ones compile each function several times over);
no GIL, no reference counting (kernels allocate nothing). Nothing is compiled at import: the first
call of any door loads them all from disk, or compiles everything once. Kernels are only prepared
for inlining: the doors, which contain all that they call, are optimised as a whole.

Machine code is kept on disk in a folder named by a fingerprint of every source that kernels are
compiled from, of numba and of Python: a changed source never meets old code (numba's own check
looks at one file alone, and ran old code when another file had changed). NUMBA_DISABLE_JIT=1 runs
the same functions as plain Python.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import numba
import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.core.codegen import CPUCodeLibrary
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from hsevo.cards.tables import TABLES

PACKAGE = Path(__file__).resolve().parent.parent
# What kernels are compiled from: their own code, and the enumerations and table types they read.
KERNEL_SOURCES = ("engine", "agents", "play/entry.py", "cards/terms.py", "cards/tables.py")
# What a run's course depends on beside that: the cards, who meets whom, the strategy.
ENGINE_SOURCES = (*KERNEL_SOURCES, "cards", "play/match.py", "play/tournament.py",
                  "evolution/evolve.py")

_NO_SOURCES = {PACKAGE / "engine" / "show.py", PACKAGE / "agents" / "weights.py"}

INTERPRETED = bool(config.DISABLE_JIT)
F = TypeVar("F", bound=Callable[..., Any])


def _sources(names: tuple[str, ...]) -> list[Path]:
    files: set[Path] = set()
    for name in names:
        path = PACKAGE / name
        files |= set(path.rglob("*.py")) if path.is_dir() else {path}
    return sorted(file for file in files - _NO_SOURCES if file.exists())


def _digest(names: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for file in _sources(names):
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def fingerprint() -> str:
    """Return 16 hex digits that change with any source that can change the course of a game."""
    return _digest(ENGINE_SOURCES)[:16]


def _cache_folder() -> Path:
    """Return the first folder that can be written: $HSEVO_CACHE, the user's cache, temporary."""
    key = f"{_digest(KERNEL_SOURCES)[:16]}-numba{numba.__version__}-py{platform.python_version()}"
    user = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    bases = [os.environ.get("HSEVO_CACHE"), f"{user}/hsevo", f"{tempfile.gettempdir()}/hsevo"]
    for base in filter(None, bases):
        folder = Path(str(base)).expanduser() / key
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return folder
    return Path(tempfile.mkdtemp(prefix="hsevo-"))


CACHE = _cache_folder()
if not INTERPRETED:
    config.CACHE_DIR = str(CACHE)


_kernels: list[tuple[Any, Any]] = []  # dispatcher, signature; in order of definition
_doors: list[Door] = []
_loading = threading.RLock()


def kernel(signature: Any, inline: bool = False) -> Callable[[F], F]:
    """Mark a function for other compiled functions, with numba's `result(arguments)`.

    `inline` has it inlined wherever it is called: for what profiles show, and has few callers.
    """

    def mark(function: F) -> F:
        if INTERPRETED:
            return function
        options = {"nogil": True, "_nrt": False, "forceinline": inline}
        bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        dispatcher = numba.njit(**options, **bare)(function)
        _kernels.append((dispatcher, signature))
        return dispatcher

    return mark


class Door:
    """A compiled function that Python calls; the first call loads or compiles every door."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        functools.update_wrapper(self, function)
        self.signature = signature
        self.dispatcher = numba.njit(nogil=True, cache=True, _nrt=False)(function)
        self.ready = False

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        if not self.ready:
            load()
        return self.dispatcher(*arguments)


def door(signature: Any) -> Callable[[F], F]:
    """Mark a function that Python calls, with numba's `result(arguments)`."""

    def mark(function: F) -> F:
        if INTERPRETED:
            return function
        _doors.append(Door(function, signature))
        return _doors[-1]  # type: ignore[return-value]

    return mark


@contextlib.contextmanager
def _for_inlining() -> Iterator[None]:
    """Have numba keep functions as unlinked intermediate code, without machine code.

    Left alone, it links every function with all that it calls and optimises the whole, again and
    again up the call tree: 84 s of CPU for 181 kernels and 4 doors, against 33 s this way. It
    leans on numba's internals, so the tests compare compiled with interpreted games.
    """
    context = cpu_target.target_context

    def keep(library: Any) -> None:
        library._raise_if_finalized()
        library._finalize_dynamic_globals()
        library._finalized = True

    def no_executable(library: Any, *_: Any) -> Any:
        library._ensure_finalized()
        return [].append  # numba wants some builtin, another one each time; nobody calls it

    with mock.patch.object(CPUCodeLibrary, "finalize", keep):
        with mock.patch.object(context, "get_executable", no_executable):
            yield


def _called_by(library: Any, found: dict[Any, None]) -> dict[Any, None]:
    for called in library._linking_libraries:
        if called not in found:
            found[called] = None
            _called_by(called, found)
    return found


@contextlib.contextmanager
def _with_all_called() -> Iterator[None]:
    """Have numba link a door with everything that it calls, directly or not."""
    finalize = CPUCodeLibrary.finalize

    def link_all(library: Any) -> None:
        library._linking_libraries = list(_called_by(library, {}))
        finalize(library)

    with mock.patch.object(CPUCodeLibrary, "finalize", link_all):
        yield


def _translate_kernels() -> None:
    with _for_inlining():
        while _kernels:
            dispatcher, signature = _kernels.pop(0)
            dispatcher.compile(signature)
            dispatcher.disable_compile()


def load() -> None:
    """Make every door callable: from the cache, or by compiling (about half a minute, once)."""
    with _loading:
        if not is_compiled():
            _translate_kernels()
        for door in _doors:
            if not door.ready:
                with _with_all_called():
                    door.dispatcher.compile(door.signature)
                door.dispatcher.disable_compile()
                door.ready = True
        if not INTERPRETED:
            _stamp().touch()


def _stamp() -> Path:
    """Return the file that says that all doors are in the cache, as numba would look them up.

    numba finds machine code by the source's path, time and size, and by the processor: another
    clone that shares the cache, or a touched file, has to compile and must know it.
    """
    places = [Path(door.dispatcher.py_func.__code__.co_filename) for door in _doors]
    stats = [(str(place), place.stat().st_mtime_ns, place.stat().st_size) for place in places]
    processor = cpu_target.target_context.codegen().magic_tuple()
    key = hashlib.sha256(repr((sorted(stats), processor)).encode()).hexdigest()
    return CACHE / f"complete-{key[:16]}"


def is_compiled() -> bool:
    """Tell whether the doors can be loaded instead of compiled."""
    return INTERPRETED or _stamp().exists()


def record(dtype: np.dtype[Any]) -> types.Type:
    """Return numba's type of one record."""
    return numba.from_dtype(dtype)


def records(dtype: np.dtype[Any]) -> types.Type:
    """Return numba's type of a one-dimensional array of records."""
    return types.Array(numba.from_dtype(dtype), 1, "C")


def array(element: Any, dimensions: int) -> Any:
    """Return numba's type of a C-ordered array."""
    return types.Array(element, dimensions, "C")


TABLES_T = record(TABLES)
I8, F8, U8, VOID, BOOL = types.int64, types.float64, types.uint64, types.void, types.boolean


@intrinsic
def _copy_bytes(typingctx: Any, target: Any, source: Any, size: Any) -> Any:
    """Copy the first `size` bytes of one record over another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, from_, count = args
        cgutils.raw_memcpy(builder, to, from_, count, 1)
        return context.get_dummy_value()

    return types.void(target, source, types.intp), generate


if INTERPRETED:

    def copy_prefix(target: Any, source: Any, size: int) -> None:
        """Copy the first `size` bytes of one record over another of the same type."""
        for name, (_, offset, *_) in target.dtype.fields.items():
            if offset < size:
                target[name] = source[name]

    np.seterr(over="ignore")  # the random streams wrap around on purpose
else:

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def copy_prefix(target: Any, source: Any, size: int) -> None:
        """Copy the first `size` bytes of one record over another of the same type."""
        _copy_bytes(target, source, size)
