"""All that leans on numba's internals, for the versions that it was tried with.

Left alone, numba comes to the same machine code, but slowly: it links every function with all that
it calls and optimises the whole, again and again up the call tree (84 s of CPU for 181 kernels and
4 entry points, against 33 s this way); and it throws machine code away when the file that it was
made from was touched. So on another version, or if something is missing, `missing` says so,
and jit.py does without: nothing else here may be called then.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numba
from numba import config
from numba.core.registry import cpu_target

# The versions with which all was compiled, and the golden games came out as they must.
TRIED = ("0.61", "0.68")

try:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.core.codegen import CPUCodeLibrary
except ImportError:  # another numba; `missing` says so
    CompileResultCacheImpl = FunctionCache = _CacheLocator = CPUCodeLibrary = object

_NEEDED = [
    (CPUCodeLibrary, "finalize"), (CPUCodeLibrary, "_raise_if_finalized"),
    (CPUCodeLibrary, "_finalize_dynamic_globals"), (CPUCodeLibrary, "_ensure_finalized"),
    (cpu_target.target_context, "get_executable"), (CompileResultCacheImpl, "_locator_classes"),
    (FunctionCache, "_index_key"), (_CacheLocator, "get_source_stamp"),
]  # fmt: skip


def missing() -> str:
    """Return what keeps this module from being used with this numba; "" if nothing does."""
    if ".".join(numba.__version__.split(".")[:2]) not in TRIED:
        return f"it was not tried with numba {numba.__version__} (but {', '.join(TRIED)})"
    gone = [name for owner, name in _NEEDED if not hasattr(owner, name)]
    return f"numba {numba.__version__} has no {gone[0]}" if gone else ""


def warn() -> None:
    """Warn that all is compiled without what stands here."""
    logging.getLogger("hsevo").warning(
        "hsevo: the engine is compiled the slow way, which takes minutes: %s", missing())


@contextlib.contextmanager
def for_inlining() -> Iterator[None]:
    """Have numba keep functions as unlinked intermediate code, without machine code."""

    def keep(library: Any) -> None:
        library._raise_if_finalized()
        library._finalize_dynamic_globals()
        library._finalized = True

    def no_executable(library: Any, *_: Any) -> Any:
        library._ensure_finalized()
        return [].append  # numba wants some builtin, another one each time; nobody calls it

    with mock.patch.object(CPUCodeLibrary, "finalize", keep):
        with mock.patch.object(cpu_target.target_context, "get_executable", no_executable):
            yield


def _called_by(library: Any, found: dict[Any, None]) -> dict[Any, None]:
    for called in library._linking_libraries:
        if called not in found:
            found[called] = None
            _called_by(called, found)
    return found


@contextlib.contextmanager
def with_all_called() -> Iterator[None]:
    """Have numba link a function with everything that it calls, directly or not."""
    finalize = CPUCodeLibrary.finalize

    def link_all(library: Any) -> None:
        library._linking_libraries = list(_called_by(library, {}))
        finalize(library)

    with mock.patch.object(CPUCodeLibrary, "finalize", link_all):
        yield


def keep_machine_code(dispatcher: Any, folder: str, meaning: str) -> None:
    """Have a function's machine code kept in a folder, and found again as long as `meaning` is.

    Numba's own rule is the bytes of its file and its place and line in it.
    """

    class Locator(_CacheLocator):  # type: ignore[misc]
        def get_cache_path(self) -> str:
            return folder

        def get_source_stamp(self) -> str:
            return meaning

        def get_disambiguator(self) -> str:
            return str(dispatcher.py_func.__module__)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return cls()

    class Implementation(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = [Locator]  # noqa: RUF012 - numba's own way

    class Cache(FunctionCache):  # type: ignore[misc]
        _impl_class = Implementation

        def _index_key(self, signature: Any, codegen: Any) -> Any:
            return signature, codegen.magic_tuple()  # without the byte code

    with mock.patch.object(config, "CACHE_LOCATOR_CLASSES", "", create=True):  # the user's own
        dispatcher._cache = Cache(dispatcher.py_func)
