"""Python files of the user, with the modules that they import from their own folder.

    modules_of(path, text)  -->  {"helper.py": ..., "tools/mutate.py": ...}, also those of these
    Code(...).module()      -->  the module of the file, after running it

A file is run from its text, and so are these modules: what the folder has by now does not matter,
so a run folder repeats its own code, and workers elsewhere need no files. They are those of import
statements, also of statements within functions. Other imports find the folder on Python's path.

The statements `import helper` and `from helper import step` become imports from a package that this
text alone has: two folders may have different modules of one name.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, TypeAlias, TypeVar

from hsevo.errors import AgentError, printable
from hsevo.files import read_bytes

Modules: TypeAlias = "tuple[tuple[str, bytes], ...]"  # (path in the folder, text), sorted
NEVER = {*sys.stdlib_module_names, "hsevo"}  # imported as always, whatever the folder has
PACKAGE, INIT, TRIES = "hsevo_beside_", "__init__.py", 10
T = TypeVar("T")


@dataclass(frozen=True)
class Code:
    """A name of a file: all of its text, so that another process can run it."""

    path: str
    file: str  # the whole path, without links; it may import from that folder
    name: str
    text: bytes
    modules: Modules = ()

    @classmethod
    def read(cls, path: str, name: str, text: bytes | None = None,
             modules: Modules | None = None) -> Code:
        """Return the code of a file as it is now, or of these texts. Raises RunError."""
        text = read_bytes(Path(path)) if text is None else text
        return cls(path, str(Path(path).resolve()), name, text,
                   modules_of(Path(path), text) if modules is None else modules)

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"py:{self.path}#{self.name}"

    def module(self) -> ModuleType:
        """Return the module of the file, which runs once. Raises AgentError."""
        return _module(self.path, self.file, self.text, self.modules)

    @property
    def digests(self) -> dict[str, Any]:
        """SHA-256 of the file, and of its modules if it has some."""
        modules = {name: hashlib.sha256(text).hexdigest() for name, text in self.modules}
        return {"sha256": hashlib.sha256(self.text).hexdigest()} | (
            {"modules": modules} if modules else {})


def modules_of(path: Path, text: bytes) -> Modules:
    """Return the modules of a file's folder that it imports, and those that they import."""
    folder, texts = path.resolve().parent, dict[str, bytes]()
    left = [(text, "")]
    while left:
        for name in _imported(*left.pop()):
            file = _file_of(folder, name)
            if file is not None and file not in texts:
                texts[file] = read_bytes(folder / file)
                left.append((texts[file], name if file.endswith(INIT) else name.rpartition(".")[0]))
    return tuple(sorted(texts.items()))


def _file_of(folder: Path, name: str) -> str | None:
    """Return the file of a module in a folder; None if it has none, or another one is meant."""
    if name.partition(".")[0] in NEVER:
        return None
    path = name.replace(".", "/")
    return next((file for file in (f"{path}/{INIT}", f"{path}.py") if (folder / file).is_file()),
                None)


def _undisturbed(make: Callable[[], T]) -> T:
    """Make a tree or code; again if another thread disturbs it.

    Python 3.11 counts the depth of trees once for all threads, and threads that format a traceback
    make trees, too: one of loky's did while a player was read.
    """
    for _ in range(TRIES):
        with suppress(SystemError):
            return make()
    return make()


def _imported(text: bytes, package: str) -> Iterator[str]:
    """Yield the modules that import statements may mean, with their packages.

    package: of the module whose text it is, "" for none.
    """
    try:
        tree = _undisturbed(lambda: ast.parse(text))
    except (SyntaxError, ValueError):  # it says so when it is run
        return
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[:len(package.split(".")) - node.level + 1]
            base = ".".join(filter(None, [*(above if node.level else ()), node.module or ""]))
            names = [base, *(".".join(filter(None, (base, alias.name))) for alias in node.names)]
        for name in filter(None, names):
            parts = name.split(".")
            yield from (".".join(parts[:n]) for n in range(1, len(parts) + 1))


class _Private(ast.NodeTransformer):
    """Turns imports of some modules into imports from a package."""

    def __init__(self, package: str, names: set[str]) -> None:
        self.package, self.names = package, names

    def _has(self, name: str | None) -> bool:
        return (name or "").partition(".")[0] in self.names

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Import each name on its own: `import a.b` binds `a`."""
        statements: list[ast.stmt] = []
        for alias in node.names:
            private = f"{self.package}.{alias.name}"
            if not self._has(alias.name):
                statements.append(ast.Import([alias]))
            elif alias.asname:
                statements.append(ast.Import([ast.alias(private, alias.asname)]))
            else:
                top = alias.name.partition(".")[0]
                statements += [ast.Import([ast.alias(private)])] * ("." in alias.name)
                statements.append(ast.ImportFrom(self.package, [ast.alias(top)], 0))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """Import from the package."""
        if not node.level and self._has(node.module):
            node.module = f"{self.package}.{node.module}"
        return node


def _run(text: bytes, path: str, package: str, modules: Mapping[str, bytes],
         module: ModuleType) -> None:
    """Run a text as a module, with imports of these modules from their package."""
    source: Any = text
    if modules:
        names = {name.partition("/")[0].removesuffix(".py") for name in modules}
        tree = _undisturbed(lambda: ast.parse(text, path))
        source = ast.fix_missing_locations(_Private(package, names).visit(tree))
    code = _undisturbed(lambda: compile(source, path, "exec", dont_inherit=True))
    exec(code, module.__dict__)


class _Beside(Loader):
    """Finds and runs the modules of a package of `_Private`."""

    known: ClassVar[dict[str, tuple[str, dict[str, bytes]]]] = {}  # by package: folder, texts

    def __init__(self, package: str, file: str) -> None:
        self.package, self.file = package, file

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module; one without a file is a folder of modules."""
        package, _, rest = name.partition(".")
        if package not in cls.known:
            return None
        folder, texts = cls.known[package]
        place = rest.replace(".", "/")
        for file in (f"{place}/{INIT}", f"{place}.py"):
            if file in texts:
                spec = ModuleSpec(name, cls(package, file), origin=str(Path(folder) / file),
                                  is_package=file.endswith(INIT))
                spec.has_location = True
                return spec
        within = not rest or any(file.startswith(f"{place}/") for file in texts)
        return ModuleSpec(name, None, is_package=True) if within else None

    def exec_module(self, module: ModuleType) -> None:
        """Run it."""
        folder, texts = self.known[self.package]
        _run(texts[self.file], str(Path(folder) / self.file), self.package, texts, module)


@functools.lru_cache(maxsize=64)
def _module(path: str, file: str, text: bytes, modules: Modules) -> ModuleType:
    """Return the module of a file, after running it. Raises AgentError."""
    folder = str(Path(file).parent)
    package = PACKAGE + _digest(folder, *(part for name, code in modules
                                          for part in (name.encode(), code)))
    name = f"hsevo_player_{_digest(folder, text, package.encode() if modules else b'')}"
    module = ModuleType(name)
    module.__file__ = file  # a worker may stand in another folder
    if folder not in sys.path:
        sys.path.append(folder)
    if _Beside not in sys.meta_path:
        sys.meta_path.append(_Beside)
    _Beside.known[package] = folder, dict(modules)
    sys.modules[name] = module
    try:
        _run(text, path, package, dict(modules), module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"py:{printable(path)} cannot be run: {said(error, path)}") from error
    return module


def _digest(folder: str, *texts: bytes) -> str:
    return hashlib.sha256(folder.encode() + b"".join(texts)).hexdigest()[:16]


def said(error: BaseException, path: str | None = None, most: int = 60) -> str:
    """Return what was raised, cut to `most` characters, and the line that it came from.

    path: of the file whose line it is; None: of any but those that call the user's code.
    """
    here = Path(__file__)
    calling = str(here), str(here.with_name("python_players.py"))
    lines = [frame for frame in traceback.extract_tb(error.__traceback__)
             if path == frame.filename or (path is None and frame.filename not in calling)]
    where = f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""
    if isinstance(error, SyntaxError) and error.lineno:
        where = f" (line {error.lineno})"
    first = (str(error).splitlines() or [""])[0]
    whole = printable(f"{type(error).__name__}{': ' if first else ''}{first}")
    return (whole if len(whole) <= most else whole[:most - 3] + "...") + where
