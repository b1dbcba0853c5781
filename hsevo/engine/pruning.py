"""Kernels without the branches that no card up to 2016 takes, for rulesets that have no later card.

    a module's source --ast.parse()--> tree --_Pruner--> tree --compile()--> code of early(function)

A condition is known if it compares with a late word (`op == Op.ADAPT`), or reads what is zero for
all early cards: a column of the tables (`k.twin > 0`), a field or counter of a game's sides
(`s.free != 0`); see `cards.late`. Late events are not announced. Interpreted, the engine has all
branches, and plays the same games.
"""

from __future__ import annotations

import ast
import functools
import operator
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hsevo.cards import late, terms

TABLES = "t"  # the parameter of kernels that is the tables
GAMES = ("g", "h")  # those that are games
SIDE = "side"  # what rows of the field of this name in a game are called
_COUNTERS = frozenset(counter.name for counter in terms.Counter if counter >= late.FIRST_COUNTER)
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge}


def early(function: Any) -> Any:
    """Return a function without what only late cards need, or the function itself.

    A function whose source has changed since it was imported stays as it is.
    """
    codes = _functions(function.__code__.co_filename).get(function.__name__)
    if codes is None:
        return function
    whole, pruned = codes
    if whole != function.__code__ or whole == pruned:
        return function
    copy = types.FunctionType(pruned, function.__globals__, function.__name__)
    copy.__qualname__ = function.__qualname__
    return copy


@functools.cache
def _functions(path: str) -> dict[str, tuple[types.CodeType, types.CodeType]]:
    """Return the functions at the top of a module by name: their code, and their early code.

    There are none if the source cannot be read.
    """
    try:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return {}
    whole = _compiled(tree, path)
    zeros = {**late.COLUMNS, SIDE: late.FIELDS}
    pruned = _compiled(_Pruner({**late.WORDS, "Counter": _COUNTERS}, zeros).visit(tree), path)
    return {name: (code, pruned[name]) for name, code in whole.items()}


def _compiled(tree: ast.Module, path: str) -> dict[str, types.CodeType]:
    """Return the code of the functions at the top of a module by name."""
    code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    return {part.co_name: part for part in code.co_consts if isinstance(part, types.CodeType)}


class _Pruner(ast.NodeTransformer):
    """Takes known conditions out of functions.

    words: late members of enumerations, by the enumeration's name. zeros: columns that are zero, by
    the table's name; of "" are those of the tables as a whole, of SIDE the fields of a side.
    """

    def __init__(self, words: Mapping[str, frozenset[str]],
                 zeros: Mapping[str, frozenset[str]]) -> None:
        self._words, self._zeros = words, zeros
        self._rows: Mapping[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self._rows = _rows_of(node)
        node.body = self._block(node.body)
        return node

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        left: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            left += new if isinstance(new, list) else [new]
        return left or [ast.copy_location(ast.Pass(), statements[0])]

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Leave out announcements of events that no early card listens to."""
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and (
                call.func.id == "announce" and self._is_late(call.args[1])):
            return []
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Any:
        if (known := self._truth(node.test)) is not None:
            branch = node.body if known else node.orelse
            return self._block(branch) if branch else []
        node.test, node.body = self.visit(node.test), self._block(node.body)
        node.orelse = self._block(node.orelse) if node.orelse else []
        if all(isinstance(statement, ast.Pass) for statement in node.orelse):
            node.orelse = []
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter, node.body = self.visit(node.iter), self._block(node.body)
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.test, node.body = self.visit(node.test), self._block(node.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        if (known := self._truth(node.test)) is not None:
            return self.visit(node.body if known else node.orelse)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if (known := self._truth(node)) is not None:
            return ast.copy_location(ast.Constant(known), node)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Leave out a zero that is added."""
        if isinstance(node.op, ast.Add | ast.BitOr | ast.Sub) and self._is_zero(node.right):
            return self.visit(node.left)
        if isinstance(node.op, ast.Add | ast.BitOr) and self._is_zero(node.left):
            return self.visit(node.right)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Leave out a change of what stays zero, and a change by zero."""
        adds = isinstance(node.op, ast.Add | ast.BitOr | ast.Sub) and self._is_zero(node.value)
        if adds or (self._is_zero(node.target) and _is_plain(node.value)):
            return []
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Leave out a change of what stays zero."""
        if len(node.targets) == 1 and self._is_zero(node.targets[0]) and _is_plain(node.value):
            return []
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Leave out operands that change nothing, and all after one that decides."""
        decides = isinstance(node.op, ast.Or)
        operands: list[ast.expr] = []
        for value in node.values:
            known = self._truth(value)
            if known is None:
                operands.append(self.visit(value))
            elif known is decides:
                operands.append(ast.copy_location(ast.Constant(known), value))
                break
        if not operands:
            return ast.copy_location(ast.Constant(not decides), node)
        if len(operands) == 1:
            return operands[0]
        return ast.copy_location(ast.BoolOp(node.op, operands), node)

    def _truth(self, node: ast.expr) -> bool | None:
        """Return whether a condition without side effects holds, if that is known."""
        if isinstance(node, ast.BoolOp):
            decides, all_known = isinstance(node.op, ast.Or), True
            for value in node.values:
                known = self._truth(value)
                if known is decides:
                    return decides
                if any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(value)):
                    return None
                all_known = all_known and known is not None
            return not decides if all_known else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            known = self._truth(node.operand)
            return None if known is None else not known
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._compared(node.left, node.ops[0], node.comparators[0])
        return None

    def _compared(self, left: ast.expr, by: ast.cmpop, right: ast.expr) -> bool | None:
        if self._is_late(left) or self._is_late(right):
            return {ast.Eq: False, ast.NotEq: True}.get(type(by))
        if self._is_zero(left) and isinstance(right, ast.Constant) and type(by) in _COMPARE:
            return _COMPARE[type(by)](0, right.value)
        return None

    def _is_late(self, node: ast.expr) -> bool:
        """Return whether it is a late word."""
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and (
            node.attr in self._words.get(node.value.id, ()))

    def _is_late_bit(self, node: ast.expr) -> bool:
        """Return whether it is a late word of those that are bits."""
        return self._is_late(node) and ast.unparse(node).startswith(
            tuple(f"{kind.__name__}." for kind in late.BITS))

    def _is_zero(self, node: ast.expr) -> bool:
        """Return whether it is a column or field that is zero, or comes of one or of a late bit."""
        if isinstance(node, ast.BinOp):
            parts = (node.left, node.right)
            if isinstance(node.op, ast.BitAnd | ast.Mult) and all(map(_is_plain, parts)):
                return any(map(self._is_zero, parts)) or (
                    isinstance(node.op, ast.BitAnd) and any(map(self._is_late_bit, parts)))
            if isinstance(node.op, ast.BitOr | ast.Add):
                return all(map(self._is_zero, parts))
            if isinstance(node.op, ast.RShift) and _is_plain(node.left) and (
                    self._is_late(node.right) and ast.unparse(node.right).startswith("Event.")):
                return True  # what listens to a late event
            return isinstance(node.op, ast.RShift | ast.LShift) and self._is_zero(node.left) and (
                _is_plain(node.right))
        if isinstance(node, ast.Call):
            return _is_plain(node) and self._is_zero(node.args[0])
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and (
                (node.value.attr == "counter" and self._is_late(node.slice))
                or (self._is_zero(node.value) and _is_plain(node.slice)))
        return isinstance(node, ast.Attribute) and node.attr in self._zeros.get(
            _table_of(node.value, self._rows), ())


def _is_plain(node: ast.expr) -> bool:
    """Return whether an expression calls nothing, except to convert one value to an integer."""
    return all(ast.unparse(part.func) == "np.int64" and len(part.args) == 1
               for part in ast.walk(node) if isinstance(part, ast.Call)) and not any(
        isinstance(part, ast.NamedExpr) for part in ast.walk(node))


def _rows_of(tree: ast.FunctionDef) -> dict[str, str]:
    """Return the tables of local names that are always rows of one table.

    Such a name is set by plain assignments alone: `k = t.card[i]`, or in `f, k = g.stack[i], ...`.
    """
    arguments = {argument.arg for argument in tree.args.args}
    tables_of: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for name, value in _assigned(node):
                tables_of.setdefault(name, []).append(_table_of(value, {}))
    stores = Counter(node.id for node in ast.walk(tree)
                     if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {name: tables[0] for name, tables in tables_of.items() if name not in arguments
            and len({*tables}) == 1 and len(tables) == stores[name]}


def _assigned(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment sets to one value each."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and (
                len(target.elts) == len(node.value.elts)):
            for name, value in zip(target.elts, node.value.elts, strict=True):
                if isinstance(name, ast.Name):
                    yield name.id, value


def _table_of(node: ast.expr, rows: Mapping[str, str]) -> str:
    """Return the table that an expression is a row of; "" for the tables as a whole, else "?"."""
    if isinstance(node, ast.Name):
        return "" if node.id == TABLES else rows.get(node.id, "?")
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and isinstance(
            node.value.value, ast.Name):
        whole, part = node.value.value.id, node.value.attr
        if whole == TABLES or (whole in GAMES and part == SIDE):
            return part
    return "?"
