"""All compile ceremony: two decorators, the signatures' types, and a cache that can't go stale.

`kernel(signature)` marks a compiled function that other compiled functions call;
`entry_point(signature)` one that Python calls. Types are explicit (implicit ones compile each
function several times over); no GIL, no reference counting (kernels allocate nothing). Nothing is
compiled at import: the first call of any entry point loads them all from disk, or compiles
everything once. Kernels are only prepared for inlining: the entry points, which contain all that
they call, are optimised as a whole.

Machine code is kept on disk in a folder named by the meaning of every source that kernels are
compiled from (sources.py), the layout of the card tables, numba and Python: a changed rule never
meets old code, and a changed comment does not compile anew (the line numbers of a traceback may
then be those of the text before). NUMBA_DISABLE_JIT=1 runs the same functions as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import platform
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest import mock

import numba
import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from hsevo import sources
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import TABLES, ids, tables
from hsevo.engine import internals

# What kernels are compiled from: their own code, and the enumerations that they read. Of
# cards/tables.py they read the dtype TABLES alone, which is in the key.
KERNEL_SOURCES = ("engine", "agents", "play/entry.py", "cards/terms.py")
# What a run's course depends on beside that: who meets whom, from which seeds, the strategy; and
# the cards, as they stand in the tables.
COURSE_SOURCES = (*KERNEL_SOURCES, "seeds.py", "play/match.py", "play/tournament.py",
                  "evolution/evolve.py")
NO_KERNELS = ("engine/show.py", *(f"agents/{name}.py" for name in (
    "weights", "genome", "genomes", "registry")))  # though they stand there
NO_COURSE = (*NO_KERNELS, "engine/internals.py")  # how it is compiled changes no game

INTERPRETED = bool(config.DISABLE_JIT)
F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def fingerprint() -> str:
    """Return 16 hex digits that change with all that can change the course of a game.

    That is what the sources mean, and the bytes of the card tables; not how anything is worded,
    nor rulesets that a program adds. Only what the sources mean is kept on disk.
    """
    meant = sources.remembered("course", lambda: sources.digest(COURSE_SOURCES, NO_COURSE))
    digest = hashlib.sha256(meant.encode())
    for ruleset in SHIPPED:
        digest.update(f"{ruleset} {' '.join(ids(ruleset))} ".encode() + tables(ruleset).tobytes())
    return digest.hexdigest()[:16]


@functools.cache
def _folder() -> Path:
    """Return the folder of the machine code of these sources, numba and Python."""
    meant = sources.remembered("kernels", lambda: sources.digest(KERNEL_SOURCES, NO_KERNELS))
    key = hashlib.sha256(f"{meant} {TABLES!r}".encode()).hexdigest()[:16]
    folder = sources.cache() / f"{key}-numba{numba.__version__}-py{platform.python_version()}"
    folder.mkdir(exist_ok=True)
    return folder


_kernels: list[tuple[Any, Any]] = []  # dispatcher, signature; in order of definition
_entry_points: list[EntryPoint] = []
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


def plain(function: F) -> F:
    """Return a kernel as the Python function that it was written as; it must call no other one."""
    return cast(F, getattr(function, "py_func", function))


class EntryPoint:
    """A compiled function that Python calls; the first call loads or compiles every entry."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        functools.update_wrapper(self, function)
        self.signature = signature
        self.dispatcher = numba.njit(nogil=True, _nrt=False)(function)
        self.ready = False

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        if not self.ready:
            load()
        return self.dispatcher(*arguments)


def entry_point(signature: Any) -> Callable[[F], F]:
    """Mark a function that Python calls, with numba's `result(arguments)`."""

    def mark(function: F) -> F:
        if INTERPRETED:
            return function
        _entry_points.append(EntryPoint(function, signature))
        return _entry_points[-1]  # type: ignore[return-value]

    return mark


def load() -> None:
    """Make every entry point callable: from the cache, or by compiling (half a minute, once)."""
    with _loading:
        if not is_compiled():
            _translate_kernels()
        for entry in _entry_points:
            if not entry.ready:
                _make_ready(entry)
        if not INTERPRETED:
            _stamp().touch()


def _translate_kernels() -> None:
    with ExitStack() as stack:
        if internals.missing():
            internals.warn()
        else:
            stack.enter_context(internals.for_inlining())
        while _kernels:
            dispatcher, signature = _kernels.pop(0)
            dispatcher.compile(signature)
            dispatcher.disable_compile()


def _make_ready(entry: EntryPoint) -> None:
    with ExitStack() as stack:
        if internals.missing():
            with mock.patch.object(config, "CACHE_DIR", str(_folder())):
                entry.dispatcher.enable_caching()
        else:
            stack.enter_context(internals.with_all_called())
            internals.keep_machine_code(entry.dispatcher, str(_folder()),
                                        _meaning(entry.dispatcher.py_func))
        entry.dispatcher.compile(entry.signature)
        entry.dispatcher.disable_compile()
        entry.ready = True


def _meaning(function: Any) -> str:
    """Return what tells an entry point's machine code from that of others of its name, in a folder.

    That is nothing for our own, for the folder is named by what they mean; for those of tests what
    their file means.
    """
    place = Path(function.__code__.co_filename)
    ours = sources.PACKAGE in place.resolve().parents
    return "" if ours else sources.meaning(place.read_text(encoding="utf-8"))


def _stamp() -> Path:
    """Return the file that says that all entry points are in the cache, as they are looked up."""
    functions = [one.dispatcher.py_func for one in _entry_points]
    names = sorted((one.__module__, one.__qualname__, _meaning(one)) for one in functions)
    key: list[Any] = [names, cpu_target.target_context.codegen().magic_tuple()]
    if internals.missing():  # numba looks machine code up by the source's path, time and bytes
        places = {Path(one.__code__.co_filename) for one in functions}
        key += sorted((str(place), place.stat().st_mtime_ns, place.read_bytes())
                      for place in places)
    return _folder() / f"complete-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}"


def is_compiled() -> bool:
    """Return whether the entry points can be loaded instead of compiled."""
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


def tuple_of(named: type[Any], *fields: Any) -> types.Type:
    """Return numba's type of a NamedTuple with fields of these types."""
    return types.NamedTuple(fields, named)


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
