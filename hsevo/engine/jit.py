"""Compilation: two decorators, types for signatures, and a cache that can't go stale.

`kernel(signature)` marks a compiled function that other compiled functions call;
`entry_point(signature)` one that Python calls. Types are explicit (implicit ones compile each
function several times); no GIL, no reference counting (kernels allocate nothing). Nothing is
compiled at import: the first call of an entry point loads it from disk, or compiles it and the
kernels that it calls, once. Kernels are only prepared for inlining: an entry point, which contains
all that it calls, is optimised as a whole.

Machine code is cached on disk in a folder named by a digest of the meaning of all kernel sources
(sources.py), where they lie, the layout of the card tables, the processor, and the versions of
numba and Python: a changed rule never runs old code, and a changed comment does not recompile (line
numbers in tracebacks may then be outdated). What was damaged there is compiled again
(code_cache.py).
NUMBA_DISABLE_JIT=1 runs the same functions as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import platform
import threading
import time
import types as python
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest import mock

import numba
import numpy as np
from filelock import FileLock
from numba import config, types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from hsevo import digests, sources
from hsevo.cards import human_decks
from hsevo.cards.layout import TABLES
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import ids, tables
from hsevo.engine import internals
from hsevo.engine.code_cache import CodeCache
from hsevo.errors import printable

INTERPRETED = bool(config.DISABLE_JIT)
F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def fingerprint() -> str:
    """Return 16 hex digits that change with all that can change the course of a game.

    They depend on the meaning of the sources and the bytes of the card tables and of the shipped
    deck lists, but not on wording or on rulesets that a program adds. Only the digest of the
    sources is cached on disk.
    """
    meant = sources.remembered(
        "course", lambda: sources.digest(sources.COURSE, sources.NOT_COURSE))
    digest = hashlib.sha256(meant.encode() + human_decks.FILE.read_bytes())
    for ruleset in SHIPPED:
        digest.update(f"{ruleset} {' '.join(ids(ruleset))} ".encode() + tables(ruleset).tobytes())
    return digest.hexdigest()[:16]


@functools.cache
def _folder() -> Path:
    """Return the cache folder for these sources, processor, and versions of numba and Python.

    Where the sources lie is in its name as well: machine code imports the modules that it is of.
    """
    meant = sources.remembered(
        "kernels", lambda: sources.digest(sources.KERNELS, sources.NOT_KERNELS))
    where = " ".join(path.relative_to(sources.PACKAGE).as_posix()
                     for path in sources.files(sources.KERNELS, sources.NOT_KERNELS))
    machine = cpu_target.target_context.codegen().magic_tuple()
    key = hashlib.sha256(f"{meant} {where} {TABLES!r} {machine!r}".encode()).hexdigest()[:16]
    folder = sources.cache() / f"{key}-numba{numba.__version__}-py{platform.python_version()}"
    with suppress(OSError):  # then nothing is kept, and `_make_ready` says so
        folder.mkdir(exist_ok=True)
    return folder


_kernels: dict[Any, tuple[Any, bool]] = {}  # by dispatcher: signature, cold; callees come first
_loading = threading.RLock()
STEPS = 4  # lines that tell how far compiling is


def _silent(line: str) -> None:
    """Say nothing."""


_say: Callable[[str], object] = _silent


@contextmanager
def telling(say: Callable[[str], object]) -> Iterator[None]:
    """Have `say` called with lines about what is compiled meanwhile in this process."""
    global _say
    before, _say = _say, say
    try:
        yield
    finally:
        _say = before


def kernel(signature: Any, inline: bool = False, cold: bool = False) -> Callable[[F], F]:
    """Mark a function for other compiled functions, with numba's `result(arguments)`.

    `inline` inlines it into all callers: for hot functions with few callers. `cold` keeps it out of
    its callers, which stay short: for what few games need, behind a test in a hot function.
    """

    def mark(function: F) -> F:
        if INTERPRETED:
            return function
        options = {"nogil": True, "_nrt": False, "forceinline": inline}
        bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        dispatcher = numba.njit(**options, **bare, **internals.options())(function)
        _kernels[dispatcher] = (signature, cold)
        return dispatcher

    return mark


def calling(function: F, **others: Any) -> F:
    """Return a kernel like `function` that calls other kernels by names that it uses."""
    code: Any = plain(function)
    copy = python.FunctionType(code.__code__, {**code.__globals__, **others}, code.__name__)
    return copy if INTERPRETED else kernel(_kernels[function][0])(copy)  # type: ignore[return-value]


def plain(function: F) -> F:
    """Return the Python function of a kernel, which must not call other kernels."""
    return cast(F, getattr(function, "py_func", function))


class EntryPoint:
    """A compiled function that Python calls; the first call loads or compiles it.

    of: what is in it, for the line that says that it is compiled.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, of: str) -> None:
        functools.update_wrapper(self, function)
        self.signature, self.of = signature, of
        self.dispatcher = numba.njit(nogil=True, _nrt=False)(function)
        self.ready = False

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        if not self.ready:
            self.load()
        return self.dispatcher(*arguments)

    def load(self) -> None:
        """Load it from the cache, or compile it: once, whatever threads and processes need it."""
        with _loading:
            if not self.ready and self.is_compiled():
                _make_ready(self)
            elif not self.ready:
                self._compile()

    def is_compiled(self) -> bool:
        """Return whether it can be loaded instead of compiled."""
        return self.ready or _kept(self).whole()

    def _compile(self) -> None:
        with _alone(), nullcontext() if internals.missing() else internals.without_waste():
            if not self.is_compiled():  # by another process, meanwhile
                _translate_kernels(_called_by(self.dispatcher.py_func, set()), self.of)
            _make_ready(self)


def entry_point(signature: Any, of: str = "the engine") -> Any:
    """Mark a function that Python calls, with numba's `result(arguments)`; of: what is in it."""

    def mark(function: Callable[..., Any]) -> Any:
        if INTERPRETED:
            return function
        return EntryPoint(function, signature, of)

    return mark


@contextmanager
def _alone() -> Iterator[None]:
    """Have other processes that would compile wait, if the cache folder allows that."""
    lock = FileLock(_folder() / "compiling.lock")
    try:
        lock.acquire()
    except (OSError, NotImplementedError):
        pass  # they compile the same, and each replaces whole files
    try:
        yield
    finally:
        lock.release()


def _called_by(function: Any, kernels: set[Any]) -> set[Any]:
    """Return the kernels that a function calls, directly or not."""
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isinstance(called, Dispatcher) and called not in kernels:
            kernels.add(called)
            _called_by(called.py_func, kernels)
    return kernels


def _translate_kernels(wanted: set[Any], of: str) -> None:
    """Translate kernels that have not been to intermediate code, and say how far that is."""
    left = [one for one in _kernels if one in wanted and not one.overloads]
    step = len(left) // STEPS + 1
    with ExitStack() as stack:
        if internals.missing():
            internals.warn()
        else:
            stack.enter_context(internals.for_inlining())
        for i, dispatcher in enumerate(left):
            if i % step == 0:
                _say(f"compiling {of}, once for this version: {i} of {len(left)} functions ...")
            _translate(dispatcher)
    _say(f"compiling {of}, once for this version: machine code ...")


def _translate(dispatcher: Any) -> None:
    signature, cold = _kernels[dispatcher]
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    if cold and not internals.missing():
        internals.keep_apart(dispatcher)


def _make_ready(entry: EntryPoint) -> None:
    with ExitStack() as stack:
        if internals.missing():
            if not (_folder().is_dir() and os.access(_folder(), os.W_OK)):
                _warn(_folder(), "it can't be written")  # numba would choose another folder
            else:
                with mock.patch.object(config, "CACHE_DIR", str(_folder())):
                    entry.dispatcher.enable_caching()
        else:
            stack.enter_context(internals.with_all_called())
            internals.keep_machine_code(entry.dispatcher, str(_folder()),
                                        _meaning(entry.dispatcher.py_func))
        kept = _kept(entry)
        if not (whole := kept.whole()):
            kept.clear()
        try:
            entry.dispatcher.compile(entry.signature)
        except OSError as error:  # a full disk, or there is what can be neither read nor replaced
            _warn(kept.folder, error.strerror or str(error))
            whole = True  # nothing to sign
            if not entry.dispatcher.overloads:
                entry.dispatcher = numba.njit(nogil=True, _nrt=False)(entry.dispatcher.py_func)
                entry.dispatcher.compile(entry.signature)
        entry.dispatcher.disable_compile()
        entry.ready = True
    if not whole:
        kept.sign()


@functools.cache
def _warn(folder: Path, why: str) -> None:
    """Warn that machine code can't be kept: once, for all entry points have the same problem."""
    logging.getLogger("hsevo").warning(
        "hsevo: machine code is not kept in %s: %s; every start compiles it again",
        printable(folder), why)


def _meaning(function: Any) -> str:
    """Return a key for an entry point's machine code within the cache folder.

    It is empty for hsevo's own, since the folder's name depends on their meaning; for entry points
    of tests it is a digest of their file.
    """
    place = Path(function.__code__.co_filename)
    ours = sources.PACKAGE in place.resolve().parents
    return "" if ours else digests.meaning(place.read_text(encoding="utf-8"))


def _kept(entry: EntryPoint) -> CodeCache:
    """Return the machine code of an entry point on disk."""
    function = entry.dispatcher.py_func
    meaning = f"{function.__module__} {_meaning(function)}"
    if internals.missing():  # numba's own key has the source's path, time and content
        place = Path(function.__code__.co_filename)
        meaning += f" {place} {place.stat().st_mtime_ns} {place.read_bytes()!r}"
    return CodeCache(_folder(), function, meaning)


def record(dtype: np.dtype[Any]) -> types.Type:
    """Return the numba type of one record."""
    return numba.from_dtype(dtype)


def records(dtype: np.dtype[Any]) -> types.Type:
    """Return the numba type of a one-dimensional array of records."""
    return types.Array(numba.from_dtype(dtype), 1, "C")


def array(element: Any, dimensions: int) -> Any:
    """Return the numba type of a C-ordered array."""
    return types.Array(element, dimensions, "C")


def uniform(element: Any, size: int) -> types.Type:
    """Return the numba type of a tuple of `size` elements of one type."""
    return types.UniTuple(element, size)


def tuple_of(named: type[Any], *fields: Any) -> types.Type:
    """Return the numba type of a NamedTuple with fields of these types."""
    return types.NamedTuple(fields, named)


TABLES_T = record(TABLES)
I8, F8, U8, VOID, BOOL = types.int64, types.float64, types.uint64, types.void, types.boolean
I1, I2, I4, U2, U4, F4 = (types.int8, types.int16, types.int32, types.uint16, types.uint32,
                          types.float32)


@intrinsic
def _copy_bytes(typingctx: Any, target: Any, source: Any, size: Any) -> Any:
    """Copy the first `size` bytes of one record over another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, from_, count = args
        cgutils.raw_memcpy(builder, to, from_, count, 1)
        return context.get_dummy_value()

    return types.void(target, source, types.intp), generate


@intrinsic
def _fetch_bytes(typingctx: Any, array: Any, row: Any) -> Any:
    """Prefetch the bytes of a row of an array, to be written."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = context.make_array(signature.args[0])(context, builder, args[0])
        stride = cgutils.unpack_tuple(builder, rows.strides)[0]
        byte, number = cgutils.voidptr_t, cgutils.int32_t
        first = builder.gep(builder.bitcast(rows.data, byte), [builder.mul(args[1], stride)])
        kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        with cgutils.for_range_slice(builder, stride.type(0), stride, stride.type(64)) as (at, _):
            write, keep, data = number(1), number(3), number(1)
            builder.call(fetch, [builder.gep(first, [at]), write, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def _read_clock(typingctx: Any) -> Any:
    """Return seconds of the system's monotonic clock."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ir, word = cgutils.ir, cgutils.intp_t
        timespec = cgutils.alloca_once(builder, ir.ArrayType(word, 2))  # seconds, nanoseconds
        kind = ir.FunctionType(cgutils.int32_t, [cgutils.int32_t, cgutils.voidptr_t])
        read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(read, [cgutils.int32_t(time.CLOCK_MONOTONIC),
                            builder.bitcast(timespec, cgutils.voidptr_t)])
        parts = [builder.sitofp(builder.extract_value(builder.load(timespec), i), ir.DoubleType())
                 for i in (0, 1)]
        return builder.fadd(parts[0], builder.fmul(parts[1], ir.DoubleType()(1e-9)))

    return types.float64(), generate


HAS_CLOCK = hasattr(time, "clock_gettime")  # not on Windows

if INTERPRETED:

    def seconds_now() -> float:
        """Return seconds of a monotonic clock."""
        return time.monotonic()

    def prefetch_row(array: Any, row: int) -> None:
        """Do nothing: there is no processor's cache to fill."""

    def copy_prefix(target: Any, source: Any, size: int) -> None:
        """Copy the first `size` bytes of one record over another of the same type."""
        for name, (_, offset, *_) in target.dtype.fields.items():
            if offset < size:
                target[name] = source[name]

    np.seterr(over="ignore")  # the random streams wrap around on purpose
else:

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def seconds_now() -> float:
        """Return seconds of a monotonic clock."""
        return _read_clock() if HAS_CLOCK else 0.0

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def prefetch_row(array: Any, row: int) -> None:
        """Have the processor fetch a row of an array (any index: it is only a hint)."""
        _fetch_bytes(array, row)

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def copy_prefix(target: Any, source: Any, size: int) -> None:
        """Copy the first `size` bytes of one record over another of the same type."""
        _copy_bytes(target, source, size)
