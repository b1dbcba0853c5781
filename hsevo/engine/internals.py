"""All code that depends on numba's internals, for the versions that it was tested with.

Without it, numba's machine code plays the same games, but takes more than twice as long to produce:
numba links every function with all that it calls and optimises the result, repeatedly up the call
tree, and twice at level 3 each time; it runs passes that kernels have no use for; it discards
cached machine code when the source file is touched; and each start loads what only compiling needs
(0.5 s and 80 MB, against 0.07 s). With
another version, or if something is missing, `missing` returns the reason and jit.py compiles
without this module; only `options` and `warn` may be called then.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import logging
import pickle
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from unittest import mock

import numba
from numba import config
from numba.core import base, errors, itanium_mangler, sigutils
from numba.core.registry import cpu_target
from numba.core.types import BaseFunction, Record

# The versions with which the engine was compiled and reproduced the golden games.
TRIED = ("0.61", "0.68")

try:
    from numba.core import ir, typed_passes, untyped_passes
    from numba.core.bytecode import FunctionIdentity
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.core.codegen import CPUCodeLibrary, ll
    from numba.core.compiler import CompilerBase, CompileResult, compile_result
    from numba.core.compiler_machinery import PassManager
    from numba.core.funcdesc import PythonFunctionDescriptor
    from numba.core.targetconfig import TargetConfig
    from numba.core.typing.context import BaseContext

    _all_environments = CompileResult._find_referenced_environments

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
    CompileResult = CompilerBase = PassManager = TargetConfig = BaseContext = ir = object
    FunctionIdentity = PythonFunctionDescriptor = compile_result = object
    PASSES = ()

_NEEDED = [
    (CPUCodeLibrary, "finalize"), (CPUCodeLibrary, "_raise_if_finalized"),
    (CPUCodeLibrary, "_finalize_dynamic_globals"), (CPUCodeLibrary, "_ensure_finalized"),
    (CPUCodeLibrary, "_get_module_for_linking"), (CompileResultCacheImpl, "reduce"),
    (cpu_target.target_context, "get_executable"), (CompileResultCacheImpl, "_locator_classes"),
    (FunctionCache, "_index_key"), (FunctionCache, "_load_overload"),
    (FunctionCache, "_guard_against_spurious_io_errors"), (_CacheLocator, "get_source_stamp"),
    (CompileResult, "_rebuild"),
    (CompilerBase, "define_pipelines"), (PassManager, "_ENFORCING"), (TargetConfig, "values"),
    (BaseContext, "resolve_function_type"), (getattr(ir, "Inst", None), "_rec_list_vars"),
    (CPUCodeLibrary, "_optimize_functions"), (CPUCodeLibrary, "_optimize_final_module"),
    (base, "_has_loc"),
    (base.BaseContext, "mangler"), (FunctionIdentity, "from_function"),
    (FunctionIdentity, "_unique_ids"),
]  # fmt: skip


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler, with PASSES alone."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("kernel")
        for compiler_pass in PASSES:
            passes.add_pass(compiler_pass, compiler_pass.__name__)
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
def for_inlining(numbers: Mapping[Any, int]) -> Iterator[None]:
    """Let numba keep functions as unlinked intermediate code, without machine code.

    numbers: by Python function, for its name.
    """

    def keep(library: Any) -> None:
        library._raise_if_finalized()
        library._finalize_dynamic_globals()
        library._finalized = True

    def no_executable(library: Any, *_: Any) -> Any:
        library._ensure_finalized()
        return [].append  # numba needs a different builtin each time; it is never called

    context = cpu_target.target_context
    with (mock.patch.object(CPUCodeLibrary, "finalize", keep),
          mock.patch.object(context, "get_executable", no_executable),
          mock.patch.object(context, "mangler", _name_by_number),
          mock.patch.object(FunctionIdentity, "from_function", _numbered(numbers))):
        yield


def _name_by_number(name: str, types: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
    """Return the name of a function in machine code: by its number, without its 10 KB of types."""
    if uid is None:
        return str(itanium_mangler.mangle(name, types, abi_tags=abi_tags))
    return str(itanium_mangler.mangle(name, (), uid=uid))


def _numbered(numbers: Mapping[Any, int]) -> Any:
    """Return a `FunctionIdentity.from_function` that gives each kernel its number."""
    identify = FunctionIdentity.from_function

    def identity(function: Any) -> Any:
        about = identify(function)
        about.unique_id = numbers.get(function, about.unique_id)
        return about

    return identity


def count_from(number: int) -> None:
    """Number what numba needs besides kernels from here, as no other process does."""
    FunctionIdentity._unique_ids = itertools.count(number)


def new_library(name: str) -> Any:
    """Return a library for kernels that another process translates."""
    library = cpu_target.target_context.codegen().create_library(name)
    library._finalized = True
    return library


def declare(dispatcher: Any, signature: Any, kernel: int, library: Any) -> None:
    """Let other kernels call a kernel that another process translates, into `library`.

    kernel: its number, which is in its name.
    """
    arguments, result = sigutils.normalize_signature(signature)
    function, context = dispatcher.py_func, cpu_target.target_context
    described = PythonFunctionDescriptor(
        True, function.__module__, function.__qualname__, "", "", None, result, None,
        function.__code__.co_varnames[:function.__code__.co_argcount], (),
        mangler=context.mangler, argtypes=tuple(arguments),
        inline=dispatcher.targetoptions.get("forceinline", False), uid=kernel)
    declared = compile_result(entry_point=[].append, signature=result(*arguments), objectmode=False,
                              fndesc=described, library=library)
    context.insert_user_function(declared.entry_point, described, [library])
    dispatcher.add_overload(declared)
    dispatcher.disable_compile()


def forget(dispatcher: Any) -> None:
    """Undo `declare`: this process translates the kernel after all, under the same name."""
    dispatcher.disable_compile(False)
    dispatcher._reset_overloads()


def link(library: Any, dispatchers: Iterable[Any]) -> None:
    """Say that functions of a library may call these kernels."""
    for dispatcher in dispatchers:
        (compiled,) = dispatcher.overloads.values()
        library._linking_libraries.append(compiled.library)


def keep_apart(dispatcher: Any) -> None:
    """Tell LLVM not to inline a function, and not to expect its calls."""
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


def to_bytes(dispatchers: Iterable[Any]) -> bytes:
    """Return the intermediate code of translated kernels, and of what numba needs for them."""
    libraries: dict[Any, None] = {}
    for dispatcher in dispatchers:
        (compiled,) = dispatcher.overloads.values()
        libraries[compiled.library] = None
        _called_by(compiled.library, libraries)
    ours = [library for library in libraries if library.name != "nrt"]  # each process has its own
    return bytes(_in_one(ours)._final_module.as_bitcode())


def _in_one(libraries: Iterable[Any]) -> Any:
    """Return one library with all functions of libraries.

    LLVM leaves out a function that nothing refers to yet, unless it is external.
    """
    whole = new_library("kernels")
    known: set[str] = set()
    for library in libraries:
        if library._dynamic_globals:
            raise ValueError(f"{library.name} has addresses of this process")
        module = library._final_module.clone()
        names = {function.name for function in module.functions if not function.is_declaration}
        if not names <= known:  # numba has several copies of its own library
            for name in names:
                module.get_function(name).linkage = "external"
            whole._final_module.link_in(module)
            known |= names
    return whole


def fill(library: Any, code: bytes) -> None:
    """Fill a library with what `to_bytes` returned in another process."""
    module = ll.parse_bitcode(code)
    module.verify()
    library._final_module = module


@contextlib.contextmanager
def without_waste() -> Iterator[None]:
    """Let numba leave out unread values and repeated work; stop garbage collection.

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
              mock.patch.object(BaseContext, "resolve_function_type", _resolved_once()),
              mock.patch.object(base, "_has_loc", functools.cache(base._has_loc)),
              mock.patch.object(CPUCodeLibrary, "_optimize_functions", _optimize_functions)):
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


def _optimize_functions(library: Any, module: Any) -> None:
    """Optimise each function of a module alone, but not those that are only declared."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


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
    return [variable for part in value if type(part) not in _NO_VARIABLES
            for variable in _variables(instruction, part)]


def _resolved_once() -> Any:
    """Return a `BaseContext.resolve_function_type` that finds the result of a call's types once."""
    resolve = BaseContext.resolve_function_type
    known: dict[Any, Any] = {}

    def resolved(context: Any, function: Any, args: Any, keywords: Any) -> Any:
        key = context, function, tuple(args)
        if keywords or not isinstance(function, BaseFunction):
            return resolve(context, function, args, keywords)
        if key not in known:
            if (signature := resolve(context, function, args, keywords)) is None:
                return None
            known[key] = signature
        return known[key]

    return resolved


@contextlib.contextmanager
def with_all_called() -> Iterator[None]:
    """Let numba link a function with everything that it calls, directly or not."""
    finalize = CPUCodeLibrary.finalize

    def link_all(library: Any) -> None:
        if called := _called_by(library, {}):
            library._linking_libraries = [_in_one(called)]
        finalize(library)

    def optimize(library: Any) -> None:
        """Optimise once, at LLVM's level 2.

        Numba does so twice at level 3, which takes a third longer and makes no game faster.
        """
        missing = [function.name for function in library._final_module.functions
                   if function.is_declaration and function.name.startswith("_ZN")]
        if missing:  # a call of it would crash
            raise RuntimeError(f"{library.name} calls what is not linked: {missing[0]}")
        passes, builder = library._codegen._module_pass_manager(opt=2)
        _hide_kernels(library._final_module)
        passes.run(library._final_module, builder)

    with (mock.patch.object(CPUCodeLibrary, "finalize", link_all),
          mock.patch.object(CPUCodeLibrary, "_optimize_final_module", optimize)):
        yield


def _hide_kernels(module: Any) -> None:
    """Make the functions that a module was linked with local to it.

    All machine code in a process shares one table of names, whose first entry of a name wins.
    Processes number kernels from 0, so that a kernel of the early build could have the name of one
    of the build for all cards, if another process compiled that. LLVM also knows all callers of
    such functions: games are 5 to 8 % faster, and take 3 % longer to compile.
    """
    for function in module.functions:
        if function.linkage == ll.Linkage.linkonce_odr:
            function.linkage = "internal"


def _with_values(result: Any) -> list[Any]:
    """Return the environments that machine code reads, next to its own: those with constants.

    Numba lists one of each function whose module it linked. These include functions that the
    process compiled earlier for another entry point, and loading would import their files.
    """
    return [environment for environment in _all_environments(result) if environment.consts]


def _names_alone(library: Any) -> Any:
    """Return a module that defines the names of a library, as numba asks for, and nothing else.

    Numba keeps the intermediate code next to the machine code, for callers that inline it. Nothing
    compiled calls an entry point, and every start would read it: 4.6 MB, 20 MB of memory, 0.08 s.
    """
    whole = library._shared_module or library._final_module
    functions = (f'define void @"{function.name}"() {{ ret void }}' for function in whole.functions
                 if not function.is_declaration and function.linkage != ll.Linkage.internal)
    variables = (f'@"{variable.name}" = global i8 0' for variable in whole.global_variables
                 if not variable.is_declaration)
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
            with (mock.patch.object(CPUCodeLibrary, "_get_module_for_linking", _names_alone),
                  mock.patch.object(CompileResult, "_find_referenced_environments", _with_values)):
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


def use_machine_code(dispatcher: Any, code: bytes) -> None:
    """Let a function's next compilation load machine code, as its cache has written it."""
    dispatcher._cache.load_overload = lambda signature, context: CompileResult._rebuild(
        context, *pickle.loads(code))
