"""All code that depends on numba's internals, for the versions that it was tested with.

Without it, numba produces the same machine code, but more slowly: it links every function with all
that it calls and optimises the result, repeatedly up the call tree (84 s of CPU for 181 kernels and
4 entry points, against 33 s this way); it runs passes that kernels have no use for; it discards
cached machine code when the source file is touched; and each start loads what only compiling needs
(0.5 s and 80 MB, against 0.07 s). With
another version, or if something is missing, `missing` returns the reason and jit.py compiles
without this module; nothing else here may be called then.
"""

from __future__ import annotations

import contextlib
import gc
import logging
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numba
from numba import config
from numba.core import errors
from numba.core.registry import cpu_target
from numba.core.types import BaseFunction, Record

# The versions with which the engine was compiled and reproduced the golden games.
TRIED = ("0.61", "0.68")

try:
    from numba.core import ir, typed_passes, untyped_passes
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.core.codegen import CPUCodeLibrary, ll
    from numba.core.compiler import CompilerBase
    from numba.core.compiler_machinery import PassManager
    from numba.core.targetconfig import TargetConfig
    from numba.core.typing.context import BaseContext

    # Of numba's passes those for scalars and records. Kernels have no closures, no array
    # expressions, no functions that numba itself inlines, and nothing that runs in parallel.
    PASSES: tuple[Any, ...] = (
        untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, untyped_passes.IRProcessing,
        untyped_passes.RewriteSemanticConstants, untyped_passes.DeadBranchPrune,
        untyped_passes.GenericRewrites, untyped_passes.ReconstructSSA,
        typed_passes.NopythonTypeInference, typed_passes.PreLowerStripPhis,
        typed_passes.IRLegalization, typed_passes.AnnotateTypes, typed_passes.NativeLowering,
        typed_passes.NoPythonBackend)
except (ImportError, AttributeError):  # another numba; `missing` says so
    CompileResultCacheImpl = FunctionCache = _CacheLocator = CPUCodeLibrary = ll = object
    CompilerBase = PassManager = TargetConfig = BaseContext = ir = object
    PASSES = ()

_NEEDED = [
    (CPUCodeLibrary, "finalize"), (CPUCodeLibrary, "_raise_if_finalized"),
    (CPUCodeLibrary, "_finalize_dynamic_globals"), (CPUCodeLibrary, "_ensure_finalized"),
    (CPUCodeLibrary, "_get_module_for_linking"), (CompileResultCacheImpl, "reduce"),
    (cpu_target.target_context, "get_executable"), (CompileResultCacheImpl, "_locator_classes"),
    (FunctionCache, "_index_key"), (FunctionCache, "_load_overload"),
    (FunctionCache, "_guard_against_spurious_io_errors"), (_CacheLocator, "get_source_stamp"),
    (CompilerBase, "define_pipelines"), (PassManager, "_ENFORCING"), (TargetConfig, "values"),
    (BaseContext, "resolve_function_type"), (getattr(ir, "Inst", None), "_rec_list_vars"),
]  # fmt: skip


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler, with PASSES alone."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("kernel")
        for one in PASSES:
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]


def options() -> dict[str, Any]:
    """Return what `numba.njit` takes to compile a kernel with fewer passes."""
    return {} if missing() else {"pipeline_class": KernelCompiler}


def missing() -> str:
    """Return why this module can't be used with this numba; "" if it can."""
    if ".".join(numba.__version__.split(".")[:2]) not in TRIED:
        return f"it was not tried with numba {numba.__version__} (but {', '.join(TRIED)})"
    gone = [name for owner, name in _NEEDED if not hasattr(owner, name)]
    return f"numba {numba.__version__} has no {gone[0]}" if gone else ""


def warn() -> None:
    """Warn that the engine is compiled without this module."""
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
        return [].append  # numba needs a different builtin each time; it is never called

    with mock.patch.object(CPUCodeLibrary, "finalize", keep):
        with mock.patch.object(cpu_target.target_context, "get_executable", no_executable):
            yield


def keep_apart(dispatcher: Any) -> None:
    """Have LLVM neither inline a function, nor expect its calls."""
    (result,) = dispatcher.overloads.values()
    code = result.library._final_module.get_function(result.fndesc.llvm_func_name)
    for attribute in ("noinline", "cold"):
        code.add_function_attribute(attribute)


def _called_by(library: Any, libraries: dict[Any, None]) -> dict[Any, None]:
    for called in library._linking_libraries:
        if called not in libraries:
            libraries[called] = None
            _called_by(called, libraries)
    return libraries


@contextlib.contextmanager
def without_waste() -> Iterator[None]:
    """Have numba leave out what nobody reads, and what it did before; and no garbage collection.

    Its texts for messages: it writes out the types of all arguments, 10 KB for a game, for each
    pass, and colours the text of errors that it only tries. Its search for the variables in an
    instruction, for the meaning of an operator on types, and for equal options: a quarter of the
    time of the first game, together with the passes that are left out and the analysis after each.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with (mock.patch.object(Record, "__repr__", _written_once()),
              mock.patch.object(type(errors.termcolor()), "_markup", _uncoloured, create=True),
              mock.patch.object(PassManager, "_ENFORCING", False),
              mock.patch.object(TargetConfig, "__eq__", _equal_options(TargetConfig.__eq__)),
              mock.patch.object(ir.Inst, "_rec_list_vars", _variables),
              mock.patch.object(BaseContext, "resolve_function_type", _resolved_once())):
            yield
    finally:
        if collecting:
            gc.enable()


def _written_once() -> Any:
    """Return a `Record.__repr__` that writes each type once."""
    written = Record.__repr__
    texts: dict[int, tuple[Any, str]] = {}

    def write(of: Any) -> str:
        if id(of) not in texts:
            texts[id(of)] = of, written(of)
        return texts[id(of)][1]

    return write


def _uncoloured(scheme: Any, text: str, *_: Any, **__: Any) -> str:
    return text


def _equal_options(equal: Any) -> Any:
    """Return a `TargetConfig.__eq__` that looks first at what was set."""

    def same(left: Any, right: Any) -> Any:
        return left is right or (
            type(left) is type(right) and left._values == right._values) or equal(left, right)

    return same


_NO_VARIABLES = {str, int, float, bool, bytes, type(None), getattr(ir, "Loc", None)}


def _variables(instruction: Any, value: Any) -> list[Any]:
    """Return the variables in a part of an instruction, as `Inst._rec_list_vars` does."""
    kind = type(value)
    if kind in _NO_VARIABLES:
        return []
    if kind is ir.Var:
        return [value]
    if isinstance(value, ir.Inst):
        return value.list_vars()
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    return [found for part in value if type(part) not in _NO_VARIABLES
            for found in _variables(instruction, part)]


def _resolved_once() -> Any:
    """Return a `BaseContext.resolve_function_type` that finds the result of a call's types once."""
    resolve = BaseContext.resolve_function_type
    known: dict[Any, Any] = {}

    def resolved(context: Any, function: Any, args: Any, keywords: Any) -> Any:
        key = context, function, tuple(args)
        if keywords or not isinstance(function, BaseFunction):
            return resolve(context, function, args, keywords)
        if key not in known:
            if (found := resolve(context, function, args, keywords)) is None:
                return None
            known[key] = found
        return known[key]

    return resolved


@contextlib.contextmanager
def with_all_called() -> Iterator[None]:
    """Have numba link a function with everything that it calls, directly or not."""
    finalize = CPUCodeLibrary.finalize

    def link_all(library: Any) -> None:
        library._linking_libraries = list(_called_by(library, {}))
        finalize(library)

    with mock.patch.object(CPUCodeLibrary, "finalize", link_all):
        yield


def _names_alone(library: Any) -> Any:
    """Return a module that defines the names of a library, as numba asks for, and nothing else.

    Numba keeps the intermediate code beside the machine code, for callers that inline it. Nothing
    compiled calls an entry point, and every start would read it: 4.6 MB, 20 MB of memory, 0.08 s.
    """
    whole = library._shared_module or library._final_module
    functions = (f'define void @"{one.name}"() {{ ret void }}' for one in whole.functions
                 if not one.is_declaration)
    variables = (f'@"{one.name}" = global i8 0' for one in whole.global_variables
                 if not one.is_declaration)
    return ll.parse_assembly("\n".join([*functions, *variables]))


def keep_machine_code(dispatcher: Any, folder: str, meaning: str) -> None:
    """Cache a function's machine code in a folder, under the key `meaning`.

    Numba's own key is the content of the source file and the function's place in it.
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

        def reduce(self, data: Any) -> Any:
            with mock.patch.object(CPUCodeLibrary, "_get_module_for_linking", _names_alone):
                return super().reduce(data)

    class Cache(FunctionCache):  # type: ignore[misc]
        _impl_class = Implementation

        def _index_key(self, signature: Any, codegen: Any) -> Any:
            return signature, codegen.magic_tuple()  # without the byte code

        def load_overload(self, signature: Any, context: Any) -> Any:
            """Load machine code without what numba needs to compile: 0.4 s and 60 MB."""
            with self._guard_against_spurious_io_errors():
                return self._load_overload(signature, context)

    with mock.patch.object(config, "CACHE_LOCATOR_CLASSES", "", create=True):  # user settings
        dispatcher._cache = Cache(dispatcher.py_func)
