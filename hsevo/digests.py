"""Digests of our own sources by what they mean: no wording, layout, type, place or import counts.

    texts --ast.parse()--> trees --_Meaning--> what matters of them
          --_Names--> definitions, and which other definitions the names in them mean
          --_labels()--> a label each --sorted--> SHA-256

A definition is a function, a class or a constant at the top of a module. It is known by its text
and by the definitions that it uses, not by its module: a file can be renamed, a function moved,
definitions put in another order. What changes something while a module is imported (a loop, a call
of `append`, a name that is set twice) keeps its order.

Digests are the same on Python 3.11 to 3.14: fields of a tree that are empty, as those that newer
versions add, are left out.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# Of a tree's fields: where a name stands says whether it is read or set; u"" is ""; and types.
_NO_MEANING = {"ctx", "kind", "type_comment", "type_ignores"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp,
           ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Calls that change what they are given: a constant made by one depends on the order.
_CHANGING = {"next", "append", "extend", "add", "update", "setdefault", "pop"}


def digest(texts: Mapping[str, str], package: Collection[str]) -> str:
    """Return 64 hex digits that change with what modules mean. Raises SyntaxError.

    texts: sources by the names of their modules, as "hsevo.seeds". package: the names of all
    modules of the package. What comes from those that are not in `texts` is known by its name.
    """
    ours = frozenset(package)
    modules = {name: _module(name, text, ours) for name, text in texts.items()}
    links = {definition: [*definition.links, *(
                 (name, used) for place, name in sorted(definition.uses)
                 for used in _definitions_of(modules, place, name))]
             for module in modules.values() for definition in module.definitions}
    return _hash("\n".join(sorted(_labels(links))))


def meaning(source: str) -> str:
    """Return a source as text that changes with what it does alone. Raises SyntaxError."""
    return _dump(_Meaning().visit(ast.parse(source)))


class _Meaning(ast.NodeTransformer):
    """Takes out of a tree what cannot change a result.

    An annotation in the body of a class stays, for dataclass and pydantic make fields of it. What
    an error says goes, its class stays; so does an argument `says`, the wording of cards/ops.py.
    """

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg == "says" else self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        for item in node.body:
            if isinstance(item, ast.AnnAssign):
                item.simple = -1  # marks it for visit_AnnAssign
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.simple == -1:
            return self.generic_visit(node)
        if node.value is None:
            return None
        return self.visit(ast.Assign(targets=[node.target], value=node.value))  # type: ignore[no-any-return]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        types_only = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if types_only and not node.orelse else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Drop the empty text that Python 3.12.1 sees behind a nested {}."""
        node.values = [part for part in node.values
                       if not (isinstance(part, ast.Constant) and part.value == "")]
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        node.exc = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        node.cause = None
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.msg = None
        return self.generic_visit(node)


def _dump(node: object) -> str:
    """Write a tree; unlike ast.dump the same on several versions of Python."""
    if isinstance(node, ast.AST):
        fields = (f"{name}={_dump(value)}" for name, value in ast.iter_fields(node)
                  if name not in _NO_MEANING and value is not None and value != [])
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    return ascii(node)  # repr() leaves what Unicode calls printable, which versions differ in


@dataclass(eq=False)
class _Definition:
    """A statement at the top of a module.

    uses: what its names mean, as ("hsevo.engine.rules.deaths", "remove_dead"). links: the
    definition that must run before it, if any, with the name "after".
    """

    text: str
    binds: set[str]
    uses: set[tuple[str, str]]
    links: list[tuple[str, _Definition]] = field(default_factory=list)


class _Module:
    """The definitions of a module; `imported`: what its imports mean, as {"np": "numpy"}."""

    def __init__(self, name: str, text: str, package: Collection[str]) -> None:
        tree = _Meaning().visit(ast.parse(text))
        self.imported = dict(_imports(tree))
        self.definitions: list[_Definition] = []
        statements = [statement for statement in tree.body if _bound(statement) != {"__all__"}]
        times = Counter(bound for statement in statements for bound in _bound(statement))
        last: list[tuple[str, _Definition]] = []
        for statement in statements:
            names = _Names(name, self.imported, package, _set_within(statement))
            if isinstance(statement, ast.Import | ast.ImportFrom):
                continue
            definition = _Definition(_dump(names.visit(statement)), _bound(statement), names.uses)
            if _changes(statement) or any(times[bound] > 1 for bound in definition.binds):
                definition.links, last = last, [("after", definition)]
            self.definitions.append(definition)


@functools.cache  # several digests share modules
def _module(name: str, text: str, package: frozenset[str]) -> _Module:
    return _Module(name, text, package)


class _Imported(ast.Name):
    """A name that is imported, by its dotted name; a module of the package without its place."""

    def __init__(self, dotted: str, ours: bool) -> None:
        super().__init__(id=dotted.rpartition(".")[2] if ours else dotted)
        self.dotted = dotted


class _Names(ast.NodeTransformer):
    """Says of each name that is imported what it is, and finds the definitions that are used.

    own: names that the statement sets somewhere, which are left alone.
    """

    def __init__(self, module: str, imported: Mapping[str, str], package: Collection[str],
                 own: Collection[str]) -> None:
        self.module, self.imported, self.package, self.own = module, imported, package, own
        self.uses: set[tuple[str, str]] = set()

    def visit_Import(self, node: ast.Import) -> None:
        """Drop an import."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Drop an import."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.own:
            return node
        if node.id in self.imported:
            return self._named(self.imported[node.id])
        self.uses.add((self.module, node.id))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.value = self.visit(node.value)
        if isinstance(node.value, _Imported):
            return self._named(f"{node.value.dotted}.{node.attr}")
        return node

    def _named(self, dotted: str) -> ast.AST:
        module, _, name = dotted.rpartition(".")
        if dotted in self.package or module not in self.package:
            return _Imported(dotted, dotted in self.package)
        self.uses.add((module, name))
        return ast.Name(id=name)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that imports bind, anywhere in a module, with what they import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}")
                        for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield alias.asname or first, alias.name if alias.asname else first


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top of a module sets there; imports set none."""
    return {name for node in _own([statement]) for name in _sets(node)}


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk trees, but not into functions, classes and comprehensions."""
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _own(ast.iter_child_nodes(node))


def _set_within(statement: ast.stmt) -> set[str]:
    """Return the names that are set anywhere inside a statement, but not those that it defines."""
    outer = {name for node in ast.walk(statement) if isinstance(node, ast.Global)
             for name in node.names}
    if isinstance(statement, _SCOPES):
        outer.add(statement.name)
    return {name for node in ast.walk(statement) for name in _sets(node)} - outer


def _sets(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node of a tree sets."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case (ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name))
              | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))):
            yield name


def _changes(statement: ast.stmt) -> bool:
    """Return whether a statement may change what another at the top of a module has set."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    called = {getattr(node.func, "attr", getattr(node.func, "id", ""))
              for node in ast.walk(statement) if isinstance(node, ast.Call)}
    return not isinstance(statement, ast.Assign) or bool(called & _CHANGING)


def _definitions_of(modules: Mapping[str, _Module], module: str, name: str) -> list[_Definition]:
    """Return the definitions of a name in a module, or in the one it is imported from there."""
    if module not in modules:
        return []
    if name in modules[module].imported:
        origin, _, there = modules[module].imported[name].rpartition(".")
        return _definitions_of(modules, origin, there)
    return [definition for definition in modules[module].definitions if name in definition.binds]


def _labels(linked: Mapping[_Definition, Sequence[tuple[str, _Definition]]]) -> list[str]:
    """Return a label for each definition, from its text and the labels of those linked to it.

    Labels are refined until no more of them differ (the colour refinement of Weisfeiler and Leman,
    1968), so that definitions may use each other.
    """
    place = {definition: i for i, definition in enumerate(linked)}
    links = [[(name, place[used]) for name, used in those] for those in linked.values()]
    labels = [_hash(definition.text) for definition in linked]
    while True:
        finer = [_hash(" ".join([own, *sorted(f"{name}={labels[i]}" for name, i in those)]))
                 for own, those in zip(labels, links, strict=True)]
        if len({*finer}) == len({*labels}):
            return finer
        labels = finer


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
