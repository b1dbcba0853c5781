"""Compilation: two decorators, types for signatures, and a cache that can't go stale.

`kernel(signature)` marks a compiled function that other compiled functions call;
`entry_point(signature)` one that Python calls. Types are explicit (implicit ones compile each
function several times); no GIL, no reference counting (kernels allocate nothing). Nothing is
compiled at import: the first call of an entry point loads it from disk, or compiles it and the
kernels that it calls, once. Several processes share the translation of kernels. Kernels are only
prepared for inlining: an entry point, which contains all that it calls, is optimised as a whole.
Entry points of the rules have two builds: one for all cards, and one for rulesets without cards of
2017 and later, which leaves out what only these need (pruning.py), a third of the engine.

Machine code is cached on disk in a folder named by a digest of the meaning of all kernel sources
(sources.py), where they lie, the layout of the card tables, the processor, and the versions of
numba and Python: a changed rule never runs old code, and a changed comment does not recompile (line
numbers in tracebacks may then be outdated). What was damaged there is compiled again
(code_cache.py). A wheel can carry machine code, which is loaded first if it is of the same sources
and versions and this CPU has all features that it uses.
NUMBA_DISABLE_JIT=1 runs the same functions as plain Python.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib
import json
import logging
import os
import platform
import subprocess
import sys
import threading
import types as python
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from importlib import machinery
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from unittest import mock

import llvmlite
import numba
import numpy as np
from filelock import FileLock
from numba import config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from hsevo import digests, sources
from hsevo.cards import human_decks
from hsevo.cards.layout import TABLES
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import ids, tables
from hsevo.engine import internals
from hsevo.engine.code_cache import SHIPPED as SHIPPED_CODE
from hsevo.engine.code_cache import CodeCache, ShippedCode
from hsevo.engine.compiling import Step, Work, machine_code_cost, translation_cost
from hsevo.errors import printable

INTERPRETED = bool(config.DISABLE_JIT)
F = TypeVar("F", bound=Callable[..., Any])


def course() -> str:
    """Return a digest of the meaning of the sources that change the course of a game."""
    return _shipped().course or sources.remembered(
        "course", lambda: sources.digest(sources.COURSE, sources.NOT_COURSE))


@functools.cache
def fingerprint() -> str:
    """Return 16 hex digits that change with all that can change the course of a game.

    They depend on the meaning of the sources and the bytes of the card tables and of the shipped
    deck lists, but not on wording or on rulesets that a program adds. Only the digest of the
    sources is cached on disk.
    """
    digest = hashlib.sha256(course().encode() + human_decks.FILE.read_bytes())
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


def target() -> dict[str, str]:
    """Return what machine code of another computer must be for, to run here.

    Sources are compared by their bytes: to find out what they mean takes a second. The suffix of
    extension modules names the C API that wrappers call, and the C library.
    """
    return {"sources": sources.all_bytes(), "numba": numba.__version__,
            "llvmlite": llvmlite.__version__, "python": machinery.EXTENSION_SUFFIXES[0],
            "platform": cpu_target.target_context.codegen().magic_tuple()[0]}


def cpu_features() -> set[str]:
    """Return the features of this CPU as LLVM names them, or those of NUMBA_CPU_FEATURES."""
    named = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return {feature[1:] for feature in named if feature.startswith("+")}


@functools.cache
def _shipped() -> ShippedCode:
    """Return the machine code that the package carries for this computer, if any."""
    return ShippedCode(SHIPPED_CODE, target(), cpu_features())


@functools.cache
def _warn_of_unfit() -> None:
    """Warn once that the package has machine code, and why it is not used."""
    if why := _shipped().unfit:
        logging.getLogger("hsevo").warning(
            "hsevo: the installed machine code is not used: %s", printable(why))


class _Kernel(NamedTuple):
    """How a kernel was marked; see `kernel`."""

    signature: Any
    inline: bool
    cold: bool


_kernels: dict[Any, _Kernel] = {}  # by dispatcher
_early: dict[Any, Any] = {}  # by dispatcher: the kernel of the build without late cards
_numbers: dict[Any, int] = {}  # by dispatcher: the number in its name in intermediate code
_loading = threading.RLock()
_translated: list[EntryPoint] = []  # whose kernels have numbers, in this order
MANY = 100  # kernels: fewer are translated sooner than another process starts
MOST_PROCESSES = 4  # each more costs a second of CPU and 300 MB
PATIENCE = 600.0  # seconds for another process, after this one has translated its own share


_watchers: list[Callable[[Step], object]] = []


def _tell(step: Step) -> None:
    """Tell the last watcher of a step."""
    for watch in _watchers[-1:]:
        watch(step)


@contextmanager
def telling(watch: Callable[[Step], object]) -> Iterator[None]:
    """Call `watch` with each step of what is compiled meanwhile in this process, by any thread."""
    _watchers.append(watch)
    try:
        yield
    finally:
        _watchers.remove(watch)


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
        _kernels[dispatcher] = _Kernel(signature, inline, cold)
        return dispatcher

    return mark


def calling(function: F, **others: Any) -> F:
    """Return a kernel like `function` that calls other kernels by names that it uses."""
    code: Any = plain(function)
    copy = python.FunctionType(code.__code__, {**code.__globals__, **others}, code.__name__)
    return copy if INTERPRETED else kernel(_kernels[function].signature)(copy)  # type: ignore[return-value]


def plain(function: F) -> F:
    """Return the Python function of a kernel, which must not call other kernels."""
    return cast(F, getattr(function, "py_func", function))


class EntryPoint:
    """A compiled function that Python calls; the first call loads or compiles it.

    of: what is in it, for the line that says that it is compiled. needs_late: tells from the
    arguments whether the build for all cards is needed; None: there is no other.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, of: str,
                 needs_late: Callable[..., Any] | None = None) -> None:
        functools.update_wrapper(self, function)
        self.signature, self.of = signature, of
        self.dispatcher = numba.njit(nogil=True, _nrt=False)(function)
        self.ready = False
        self._needs_late = needs_late
        self._early = _EarlyBuild(function, signature, of) if needs_late else self

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        entry = self._for(arguments)
        if not entry.ready:
            entry.load()
        return entry.dispatcher(*arguments)

    def build(self, late: bool) -> EntryPoint:
        """Return the build for all cards, or the one for rulesets without cards of 2017 and later.
        """
        return self if late or internals.missing() else self._early

    def _for(self, arguments: Sequence[Any]) -> EntryPoint:
        if self._needs_late is None or self._needs_late(*arguments):
            return self
        return self._early if self._early.ready else self.build(late=False)

    def prepare(self) -> None:
        """Find out what it calls, before it is compiled."""

    def unchecked(self, *arguments: Any) -> Any:
        """Call it without numba's look-up of types, which takes 10 us for 30 arrays.

        The caller makes sure that the arguments have the types of the signature.
        """
        entry = self._for(arguments)
        if not entry.ready:
            entry.load()
        return entry._function(*arguments)

    @functools.cached_property
    def _function(self) -> Any:
        (compiled,) = self.dispatcher.overloads.values()
        return compiled.entry_point

    def load(self) -> None:
        """Load it from the package or the cache, or compile it.

        It is compiled once, whatever threads and processes need it.
        """
        load_all([self])

    def is_compiled(self) -> bool:
        """Return whether it can be loaded instead of compiled."""
        return self.ready or self.shipped() is not None or _code_on_disk(self).whole()

    def shipped(self) -> bytes | None:
        """Return its machine code in the package, if that can run here."""
        return None if internals.missing() else _shipped().read(self.name())

    def machine_code(self) -> bytes:
        """Return its machine code in the cache folder, for a wheel to carry."""
        self.load()
        return _code_on_disk(self).code()

    def name(self) -> str:
        """Return its module and its name there, with a dot between."""
        return _name(self.dispatcher)

    def compile(self, work: Work) -> None:
        """Compile it, unless another process does that meanwhile."""
        with _alone(), nullcontext() if internals.missing() else internals.without_waste():
            if not _code_on_disk(self).whole():  # by another process, meanwhile
                _translate_kernels(self, work)
                called = _called_by(self.dispatcher.py_func)
                work.begin(self.of, machine_code_cost(_size(called)))
            _make_ready(self)


def load_all(entries: Sequence[EntryPoint]) -> None:
    """Load entry points, or compile them as one piece of work, of which `telling` tells.

    Numba compiles nothing else meanwhile, since its internals are changed for all threads.
    """
    if all(entry.ready for entry in entries):
        return
    with _loading, global_compiler_lock:
        missing = [entry for entry in entries if not entry.is_compiled()]
        for entry in missing:
            entry.prepare()
        work = Work(_cost(missing), _tell)
        for entry in entries:
            if entry in missing:
                _warn_of_unfit()
                entry.compile(work)
            elif not entry.ready:
                _load(entry)
        if work.done:
            work.end(entries[-1].of)


def _load(entry: EntryPoint) -> None:
    """Load the machine code of an entry point from the package, else from the cache folder."""
    if code := entry.shipped():
        internals.use_machine_code(entry.dispatcher, code)
        entry.dispatcher.compile(entry.signature)
        entry.dispatcher.disable_compile()
        entry.ready = True
    else:
        _make_ready(entry)


def _cost(entries: Sequence[EntryPoint]) -> float:
    """Return what it costs to compile entry points, which share kernels."""
    cost, kernels = 0.0, set[Any]()
    for entry in entries:
        called = _called_by(entry.dispatcher.py_func)
        left = [dispatcher for dispatcher in called
                if not dispatcher.overloads and dispatcher not in kernels]
        ours = _shares(left, _processes(entry, left))[0]  # the largest
        cost += _translation_cost(ours) + machine_code_cost(_size(called))
        kernels.update(left)
    return cost


def _translation_cost(kernels: Iterable[Any]) -> float:
    return sum(translation_cost(_size([dispatcher])) for dispatcher in kernels)


def _size(kernels: Iterable[Any]) -> int:
    """Return how many bytes of bytecode kernels have."""
    return sum(len(dispatcher.py_func.__code__.co_code) for dispatcher in kernels)


class _EarlyBuild(EntryPoint):
    """An entry point for rulesets without cards of 2017 and later."""

    def __init__(self, function: Callable[..., Any], signature: Any, of: str) -> None:
        self._whole = function
        super().__init__(_named_early(function, function.__globals__), signature, of)

    def prepare(self) -> None:
        """Leave out what these rulesets do not need."""
        from hsevo.engine import pruning  # which only compiling needs

        bare = pruning.early(self._whole)
        self.dispatcher = numba.njit(nogil=True, _nrt=False)(
            _named_early(bare, {**bare.__globals__, **_early_kernels(bare)}))


EARLY = "_early"  # at the end of the names of builds without late cards


def _named_early(function: Any, names: dict[str, Any]) -> Any:
    """Return a function of the same code with other globals, under the name of an early build."""
    copy = python.FunctionType(function.__code__, names, function.__name__ + EARLY)
    copy.__qualname__ = function.__qualname__ + EARLY
    return copy


def _early_kernels(function: Any) -> dict[str, Any]:
    """Return, by name, the kernels that an early function calls where they differ from all cards'.
    """
    return {name: early for name, called in _kernels_in(function)
            if (early := _early_kernel(called)) is not called}


def _early_kernel(dispatcher: Any) -> Any:
    """Return the kernel of builds without late cards; the same if it and all it calls are."""
    if dispatcher not in _early:
        from hsevo.engine import pruning

        function = dispatcher.py_func
        bare = pruning.early(function)
        others = _early_kernels(bare)
        if bare is function and not others:
            _early[dispatcher] = dispatcher
        else:
            copy = python.FunctionType(bare.__code__, {**function.__globals__, **others},
                                       function.__name__)
            copy.__qualname__ = function.__qualname__
            _early[dispatcher] = kernel(*_kernels[dispatcher])(copy)
    return _early[dispatcher]


def _find(name: str) -> Any:
    """Return an entry point by its name; None if there is none in its module."""
    module, _, function = name.rpartition(".")
    entry = getattr(sys.modules.get(module), function, None)
    if isinstance(entry, EntryPoint):
        return entry
    entry = getattr(sys.modules.get(module), function.removesuffix(EARLY), None)
    return entry.build(late=False) if isinstance(entry, EntryPoint) else None


def entry_point(signature: Any, of: str = "the engine",
                needs_late: Callable[..., Any] | None = None) -> Any:
    """Mark a function that Python calls, with numba's `result(arguments)`; see `EntryPoint`."""

    def mark(function: Callable[..., Any]) -> Any:
        if INTERPRETED:
            return function
        return EntryPoint(function, signature, of, needs_late)

    return mark


@contextmanager
def _alone() -> Iterator[None]:
    """Let other processes that would compile wait, if the cache folder allows that."""
    lock = FileLock(_folder() / "compiling.lock")
    try:
        lock.acquire()
    except (OSError, NotImplementedError):
        pass  # they compile the same, and each replaces whole files
    try:
        yield
    finally:
        lock.release()


def _called_by(function: Any, seen: dict[Any, None] | None = None) -> list[Any]:
    """Return the kernels that a function calls, directly or not; callees come first.

    Numba translates what a kernel calls on the way, for the types that it happens to call it with.
    """
    seen = {} if seen is None else seen
    kernels = []
    for _, called in _kernels_in(function):
        if called not in seen:
            seen[called] = None
            kernels += [*_called_by(called.py_func, seen), called]
    return kernels


@functools.cache
def _global_names(code: python.CodeType) -> tuple[str, ...]:
    """Return the names of globals that code reads; `co_names` has those of attributes, too."""
    return tuple(dict.fromkeys(instruction.argval for instruction in dis.get_instructions(code)
                               if instruction.opname == "LOAD_GLOBAL"))


def _kernels_in(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the kernels that a function itself calls, with the names by which it does."""
    for name in _global_names(function.__code__):
        called = function.__globals__.get(name)
        if isinstance(called, Dispatcher) and called in _kernels:
            yield name, called


def _translate_kernels(entry: EntryPoint, work: Work) -> None:
    """Translate the kernels that an entry point calls to intermediate code, once each.

    Processes share the work, if it is much. Each translates some kernels, and declares the others.
    """
    called = _called_by(entry.dispatcher.py_func)
    left = [dispatcher for dispatcher in called if not dispatcher.overloads]
    if internals.missing():
        internals.warn()
        _translate(left, entry, work)
        return
    _number(entry)
    try:
        with ExitStack() as stack:
            stack.enter_context(internals.for_inlining(_numbers_of_functions()))
            ours, *theirs = _shares(left, _processes(entry, left))
            shares = [stack.enter_context(_Share(i, len(theirs) + 1, share))
                      for i, share in enumerate(theirs, 1)]
            _translate(ours, entry, work)
            for share in shares:
                if not share.finish():
                    work.total += _translation_cost(share.kernels)
                    _translate(share.kernels, entry, work)
                internals.link(share.library, called)
    except BaseException:  # some are declared, but not defined
        for dispatcher in left:
            internals.forget(dispatcher)
        raise


def _translate(kernels: list[Any], entry: EntryPoint, work: Work) -> None:
    for dispatcher in kernels:
        work.begin(entry.of, _translation_cost([dispatcher]))
        dispatcher.compile(_kernels[dispatcher].signature)
        dispatcher.disable_compile()
        if _kernels[dispatcher].cold and not internals.missing():
            internals.keep_apart(dispatcher)


def _number(entry: EntryPoint) -> None:
    """Number the kernels of an entry point: in the same way in each process."""
    if entry not in _translated:
        _translated.append(entry)
        for dispatcher in sorted(_called_by(entry.dispatcher.py_func), key=_name):
            _numbers.setdefault(dispatcher, len(_numbers))


def _numbers_of_functions() -> dict[Any, int]:
    return {dispatcher.py_func: number for dispatcher, number in _numbers.items()}


def _name(dispatcher: Any) -> str:
    return f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"


def _processes(entry: EntryPoint, left: list[Any]) -> int:
    """Return how many processes translate kernels."""
    importable = _find(entry.name()) is entry
    python = sys.executable and not getattr(sys, "frozen", False)  # frozen: it is no Python
    if len(left) < MANY or not importable or not python or internals.missing():
        return 1
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(MOST_PROCESSES, cores)


def _shares(kernels: list[Any], count: int) -> list[list[Any]]:
    """Divide kernels into shares of about one cost, the largest first; callees come first in each.
    """
    shares: list[list[Any]] = [[] for _ in range(count)]
    for dispatcher in sorted(kernels, key=lambda kernel: (-_size([kernel]), _name(kernel))):
        min(shares, key=_translation_cost).append(dispatcher)
    shares.sort(key=_translation_cost, reverse=True)
    return [sorted(share, key=kernels.index) for share in shares]


def _digest(kernels: list[Any]) -> bytes:
    """Return a digest of sources, and of the names and numbers of kernels, to compare processes."""
    parts = (f"{_name(dispatcher)} {_numbers[dispatcher]} {dispatcher.py_func.__code__.co_code!r}"
             for dispatcher in sorted(kernels, key=_numbers.__getitem__))
    return hashlib.sha256("\n".join([sources.all_bytes(), *parts]).encode()).digest()


class _Share:
    """Kernels that another process translates meanwhile, and the library that they come into."""

    def __init__(self, number: int, count: int, kernels: list[Any]) -> None:
        self.kernels, self.library = kernels, internals.new_library(f"share {number}")
        self.process: subprocess.Popen[bytes] | None
        for dispatcher in kernels:
            internals.declare(dispatcher, _kernels[dispatcher].signature, _numbers[dispatcher],
                              self.library)
        program = ("import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
                   " from hsevo.engine import jit; jit.translate_share(*sys.argv[2:])")
        path = [entry for entry in sys.path if isinstance(entry, str)]
        entries = [entry.name() for entry in _translated]
        try:  # -P: the current folder may have a json.py of somebody else
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", program, json.dumps(path), json.dumps(entries),
                 str(number), str(count)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError:  # no memory, or no right to start programs
            self.process = None

    def __enter__(self) -> _Share:
        return self

    def finish(self) -> bool:
        """Take the kernels of the other process; return whether they are there, and the same."""
        if self.process:
            try:
                output, _ = self.process.communicate(timeout=PATIENCE)
                size = hashlib.sha256().digest_size
                if self.process.returncode == 0 and output[:size] == _digest(self.kernels):
                    internals.fill(self.library, output[size:])
                    return True
                logging.getLogger("hsevo").debug("hsevo: a process that translates kernels ended"
                                                 " with %s", self.process.returncode)
            except (subprocess.TimeoutExpired, RuntimeError) as error:
                logging.getLogger("hsevo").debug("hsevo: no kernels of another process: %s", error)
        for dispatcher in self.kernels:
            internals.forget(dispatcher)
        return False

    def __exit__(self, *_: object) -> None:
        if self.process:
            with self.process:
                self.process.kill()


def translate_share(entries: str, number: str, count: str) -> None:
    """Translate a share of the kernels of the last of entry points; write it to standard output.

    entries: JSON of their names with their modules, in the order in which they were translated.
    """
    output = os.dup(1)
    os.dup2(2, 1)  # what else is printed is not part of it
    for path in json.loads(entries):
        earlier = set(_numbers)
        importlib.import_module(path.rpartition(".")[0])
        entry = _find(path)
        entry.prepare()
        _number(entry)
    left = [dispatcher for dispatcher in _called_by(entry.dispatcher.py_func)
            if dispatcher not in earlier]
    ours = _shares(left, int(count))[int(number)]
    internals.count_from(1_000_000 * (MOST_PROCESSES * len(_translated) + int(number)))
    library = internals.new_library("others")
    with internals.without_waste(), internals.for_inlining(_numbers_of_functions()):
        for dispatcher in set(_numbers).difference(ours):
            internals.declare(dispatcher, _kernels[dispatcher].signature, _numbers[dispatcher],
                              library)
        _translate(ours, entry, Work(0, _tell))
        code = internals.to_bytes(ours)
    with open(output, "wb") as file:
        file.write(_digest(ours) + code)


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
        machine_code = _code_on_disk(entry)
        if not (whole := machine_code.whole()):
            machine_code.clear()
        try:
            entry.dispatcher.compile(entry.signature)
        except OSError as error:  # a full disk, or there is what can be neither read nor replaced
            _warn(machine_code.folder, error.strerror or str(error))
            whole = True  # nothing to sign
            if not entry.dispatcher.overloads:
                entry.dispatcher = numba.njit(nogil=True, _nrt=False)(entry.dispatcher.py_func)
                entry.dispatcher.compile(entry.signature)
        entry.dispatcher.disable_compile()
        entry.ready = True
    if not whole:
        machine_code.sign()


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


def _code_on_disk(entry: EntryPoint) -> CodeCache:
    """Return the machine code of an entry point in the cache folder."""
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
