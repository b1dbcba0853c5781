"""Late words and columns are those that cards up to 2016 do not use, and the engine does not name.

A word that is called late although an early card has it would be a branch that its games miss.
"""

import ast
from collections.abc import Iterator
from enum import IntEnum

import numpy as np
import pytest

from hsevo import sources
from hsevo.cards import late
from hsevo.cards.layout import AURA, CARD, ROW, TABLES, TRIGGER
from hsevo.cards.ops import Op
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import find_ruleset, tables, with_program
from hsevo.cards.terms import Counter, Event, Set
from hsevo.cards.vocabulary import MY_HERO, damage
from hsevo.cards.vocabulary.hands import count_up, counted
from hsevo.cards.vocabulary.model import Row

EARLY = [name for name in SHIPPED if not any(
    where is not None and where > Set.GADGETZAN for where, _ in find_ruleset(name).own_cards)]
ROWS = {"card": CARD, "row": ROW, "trigger": TRIGGER, "aura": AURA}

FOR_LATE_WORDS = {"wake"}  # kernels that name late words, and that only late words need


def is_pruned(node: ast.AST) -> bool:
    """Return whether early builds have no code for a late event that is part of it."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "announce"
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift)


def names_in_kernels(kind: type[IntEnum]) -> set[str]:
    """Return the words that the engine uses otherwise than to compare with them."""
    def used(node: ast.AST, above: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and (
                node.value.id == kind.__name__):
            asked = isinstance(above, ast.Compare) or (
                kind in late.BITS and isinstance(above, ast.BinOp)
                and isinstance(above.op, ast.BitAnd)) or (kind is Event and is_pruned(above))
            if not asked:
                yield node.attr
        for child in ast.iter_child_nodes(node):
            yield from used(child, node)

    trees = [ast.parse(path.read_text(encoding="utf-8"))
             for path in sources.files(sources.KERNELS, sources.NOT_KERNELS)
             if "cards" not in path.parts]
    return {name for tree in trees for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name not in FOR_LATE_WORDS
            for name in used(node, tree)}


def values_of(kind: type[IntEnum]) -> set[int]:
    """Return the values of a kind of words that the tables of early rulesets have."""
    columns = [tables(name)[where][column] for name in EARLY for where, column in late.PLACES[kind]]
    return {int(value) for column in columns for value in np.unique(column)}


@pytest.mark.parametrize("kind", late.PLACES, ids=lambda kind: str(kind.__name__))
def test_late_words(kind: type[IntEnum]) -> None:
    values, named = values_of(kind), names_in_kernels(kind)
    bits = 0
    for value in values:
        bits |= value
    words = {word.name for word in kind if word.name not in named and (
        bool(word) and not word & bits if kind in late.BITS else int(word) not in values)}
    assert late.WORDS[kind.__name__] == words, " ".join(
        word.name for word in kind if word.name in words)


@pytest.mark.parametrize("where", ROWS)
def test_late_columns(where: str) -> None:
    empty = {column for column in ROWS[where].names or ()
             if not any(tables(name)[where][column].any() for name in EARLY)}
    used = {column for column in empty
            if any(tables(name)[where][column].any() for name in SHIPPED)}
    assert late.COLUMNS[where] == used, " ".join(sorted(used))


def test_late_facts_of_the_tables() -> None:
    facts = {name for name in TABLES.names or () if TABLES[name].shape == ()
             and not any(tables(ruleset)[name] for ruleset in EARLY)}
    assert late.COLUMNS[""] == facts, " ".join(sorted(facts))


def test_rulesets_with_cards_of_2017_need_late_code() -> None:
    assert [name for name in SHIPPED if tables(name).late] == ["cig2018-wild", "rise2019"]
    assert len(EARLY) == len(SHIPPED) - 2
    assert not tables("cig2018+Wisp.cost=1").late


@pytest.mark.parametrize(("row", "needs"), [
    (damage(1, MY_HERO), False), (Row(Op.SWAP_DECKS), True),
    (damage(counted(Counter.SPELLS_CAST), MY_HERO), False),
    (damage(counted(Counter.DISCARDED), MY_HERO), True),
    (count_up(Counter.SPELLS_CAST), False), (count_up(Counter.TALLY), True)])
def test_a_program_may_need_late_code_although_no_card_does(row: Row, needs: bool) -> None:
    array, _ = with_program("cig2018", (row,))
    assert bool(array[0].late) == needs
    assert not tables("cig2018").late
