"""Kernels without the code for later cards: what is left out, and that games stay the same."""

import ast
import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hsevo import sources
from hsevo.cards import late
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import tables
from hsevo.engine import jit, pruning
from hsevo.play import entry, match
from hsevo.strength.roster import read_agent
from tests.support.random_games import random_deck

# A late word (Op.ADAPT), a column that is zero (`twin` of cards) and a fact that is (`quests`).
SOURCE = '''
"""Functions as kernels are written."""
import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event


def switch(t, op):
    if op == Op.ADAPT:
        return late()
    elif op == Op.DRAW or op == Op.SWAP_DECKS:
        return "draw"
    elif op != Op.REPLAY and t.quests == 0:
        return "other"
    return late()


def column(t, i):
    k = t.card[i]
    words = []
    if k.twin > 0:
        words.append(late())
    if k.twin == 0 and k.cost > 2:
        words.append("dear")
    while k.twin >= 1:
        words.append(late())
    for _ in range(2):
        if (k.twin & 3) != 0:
            late()
    return [*words, "none" if not k.twin > 0 else late()]


def kept(t, i, op):
    k = t.card[i]
    k = t.row[i]
    return k.twin > 0, op <= Op.ADAPT, (said() and op == Op.ADAPT)


def bound(t, i, pairs):
    for i, k in pairs:
        k.cost += i
    k = t.card[i]
    return k.twin > 0


def named(t, x):
    if (y := x) and t.quests == 1:
        return late()
    return y


def side(g, t, p):
    s = g.side[p]
    s.free = 1 + t.quests
    s.unseen |= np.int64(s.made) << 3
    s.leveled |= 1
    n = s.minions + s.dormant
    if s.free != 0 or (np.int64(s.made) >> 2) & 1 == 1 or s.counter[Counter.TALLY] > 0:
        late()
    if (g.watch >> Event.FROZEN) & 1 != 0:
        late()
    announce(g, Event.FROZEN, p)
    announce(g, Event.DAMAGED, p)
    s.casts[0] = said()
    return n


def untouched(t, i):
    return t.card[i].cost
'''


@pytest.fixture
def functions(tmp_path: Path) -> dict[str, Any]:
    """Return the functions of SOURCE; `late` of their module fails."""
    (path := tmp_path / "functions.py").write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("functions", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


@pytest.fixture
def early(functions: dict[str, Any]) -> Callable[[str], Any]:
    return lambda name: pruning.early(functions[name])


CARD = SimpleNamespace(twin=0, cost=3)
TABLES = SimpleNamespace(quests=0, card=[CARD], row=[CARD])


def test_branches_of_late_words_are_left_out(
        functions: dict[str, Any], early: Callable[[str], Any]) -> None:
    from hsevo.cards.ops import Op

    switch = early("switch")
    assert "late" in functions["switch"].__code__.co_names
    assert {"ADAPT", "SWAP_DECKS", "REPLAY", "quests"}.isdisjoint(switch.__code__.co_names)
    for op in (Op.DRAW, Op.DAMAGE):
        assert switch(TABLES, op) == functions["switch"](TABLES, op)


def test_branches_of_columns_that_are_zero_are_left_out(
        functions: dict[str, Any], early: Callable[[str], Any]) -> None:
    column = early("column")
    assert "twin" not in column.__code__.co_names
    assert column(TABLES, 0) == functions["column"](TABLES, 0) == ["dear", "none"]


def test_what_is_not_known_stays(
        functions: dict[str, Any], early: Callable[[str], Any]) -> None:
    """A name for rows of two tables, an order, and a call before what is known."""
    assert "twin" in early("kept").__code__.co_names
    functions["said"] = list
    assert early("kept")(TABLES, 0, 0) == (False, True, [])
    functions["said"] = lambda: True
    assert early("kept")(TABLES, 0, 0)[2] is False
    assert early("untouched") is functions["untouched"]
    assert "twin" in early("bound").__code__.co_names
    assert early("named")(TABLES, 7) == functions["named"](TABLES, 7) == 7


def test_fields_of_sides_that_are_zero_and_late_events_are_left_out(
        functions: dict[str, Any], early: Callable[[str], Any]) -> None:
    """What a statement calls stays: `said` may do anything."""
    announced: list[int] = []
    functions["said"] = lambda: announced.append(0)
    functions["announce"] = lambda g, event, p: announced.append(event)
    side = early("side")
    assert {"free", "made", "leveled", "dormant", "FROZEN"}.isdisjoint(side.__code__.co_names)
    one = SimpleNamespace(minions=3, casts=[0])
    assert side(SimpleNamespace(side=[one]), TABLES, 0) == 3
    assert announced == [functions["Event"].DAMAGED, 0]


@pytest.mark.parametrize("edit", ["'drawn'", "0 + op"])
def test_a_function_whose_source_was_changed_stays(
        edit: str, functions: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "functions.py").write_text(SOURCE.replace('"draw"', edit))
    assert pruning.early(functions["switch"]) is functions["switch"]


def test_announcements_that_are_left_out_call_nothing_that_has_an_effect() -> None:
    """Only kernels that compute a number from numbers, so that nothing is lost with them."""
    trees = [ast.parse(path.read_text(encoding="utf-8"))
             for path in sources.files(sources.KERNELS, sources.NOT_KERNELS)]
    left_out = [call for tree in trees for call in ast.walk(tree) if isinstance(call, ast.Call)
                and ast.unparse(call.func) == "announce"
                and ast.unparse(call.args[1]).removeprefix("Event.") in late.WORDS["Event"]]
    called = {ast.unparse(part.func) for call in left_out for argument in call.args
              for part in ast.walk(argument) if isinstance(part, ast.Call)}
    assert len(left_out) >= len(late.WORDS["Event"]) - 1
    assert called <= {"side_of", "np.int64", "hero_of", "spell_of", "effect_of"}


def test_the_early_engine_lacks_what_late_cards_need() -> None:
    whole = entry.enter.dispatcher.py_func
    early = jit._EarlyBuild(whole, entry.enter.signature, "")  # the real one may be in use
    early.prepare()
    kernels = [{jit._name(kernel).rpartition(".")[2]: kernel
                for kernel in jit._called_by(build.dispatcher.py_func)}
               for build in (early, entry.enter)]
    assert {"do_adapt", "swap_decks", "do_join"} <= {*kernels[1]} - {*kernels[0]}
    assert {"do_draw", "do_damage"} <= {*kernels[0]}
    sizes = [jit._size(those.values()) for those in kernels]
    assert sizes[0] < 0.8 * sizes[1]


@pytest.mark.parametrize("ruleset", [name for name in SHIPPED if not tables(name).late])
def test_both_builds_play_the_same_games(
        ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all cards: the oracle is the engine with the code that these cards do not need."""
    random = np.random.default_rng(5)
    decks = tuple(random_deck(random, ruleset) for _ in range(90))
    at, setting = np.arange(len(decks)), match.Setting(ruleset, decks)
    sets = [(np.concatenate([read_agent(name) for name in names]),
             match.pairings(at % 2, (at + 1) % 2, at, (at * 7 + 3) % len(decks), 1000 + at, games))
            for names, games in ((("random", "greedy:metastone"), 4), (("gsv", "rl:2026"), 1))]
    early = [match.play_block(rows, agents, setting) for agents, rows in sets]
    monkeypatch.setattr(jit.EntryPoint, "_for", lambda self, arguments: self)
    for result, (agents, rows) in zip(early, sets, strict=True):
        assert np.array_equal(result, match.play_block(rows, agents, setting))
