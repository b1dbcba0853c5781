"""Refs and moves: numbers by hand, there and back, and no second codec anywhere."""

import ast
from pathlib import Path

import pytest

import hsevo
from hsevo.engine.jit import plain
from hsevo.engine.record import codec
from hsevo.engine.record.codec import Action, MoveParts, decode, encode

PACKAGE = Path(hsevo.__file__).parent
WITHOUT = {"codec", "jit", "internals", "weights"}  # modules that know no moves, and the codec
FILES = [path for package in ("engine", "agents", "play", "replays", "analysis")
         for path in sorted((PACKAGE / package).rglob("*.py")) if path.stem not in WITHOUT]


def test_where_each_kind_of_move_begins() -> None:
    assert (codec.END, codec.ATTACK, codec.POWER, codec.PLAY) == (0, 1, 65, 82)
    assert (codec.CHOOSE, codec.N_MOVES) == (3652, 3662)


@pytest.mark.parametrize(("number", "move"), [
    (0, MoveParts(Action.END)),
    (1, MoveParts(Action.ATTACK)),
    (1 + 8 * 2 + 7, MoveParts(Action.ATTACK, attacker=2, defender=7)),
    (64, MoveParts(Action.ATTACK, attacker=7, defender=7)),
    (65 + 16, MoveParts(Action.POWER, target=16)),
    (1016, MoveParts(Action.PLAY, 2, 10, 3, 1)),  # 82 + ((17 * 2 + 10) * 7 + 3) * 3 + 1
    (82, MoveParts(Action.PLAY)),
    (3651, MoveParts(Action.PLAY, 9, 16, 6, 2)),
    (3652 + 4, MoveParts(Action.CHOOSE, choice=4)),
])
def test_moves_by_hand(number: int, move: MoveParts) -> None:
    assert decode(number) == move
    assert encode(move) == number


def test_every_move_there_and_back() -> None:
    moves = [decode(number) for number in range(codec.N_MOVES)]
    assert len(set(moves)) == codec.N_MOVES
    assert [encode(move) for move in moves] == list(range(codec.N_MOVES))


@pytest.mark.parametrize("number", [-1, codec.N_MOVES])
def test_what_is_no_move(number: int) -> None:
    with pytest.raises(ValueError, match=f"move {number}, but must be from 0 to 3661"):
        decode(number)


def test_refs() -> None:
    heroes = [ref for ref in range(codec.CHARACTERS) if plain(codec.is_hero)(ref)]
    assert heroes == [plain(codec.hero_of)(side) for side in (0, 1)] == [7, 15]
    for ref in range(codec.CHARACTERS):
        side, slot = plain(codec.side_of)(ref), plain(codec.slot_of)(ref)
        assert plain(codec.minion_ref)(side, slot) == ref
        assert (side, slot) == divmod(ref, 8)


def test_targets() -> None:
    """1..7 own minions, 8 the own hero, 9..15 the enemy's minions, 16 its hero."""
    for target in range(1, 17):
        assert plain(codec.is_own_target)(target) == (target <= 8)
        assert plain(codec.target_position)(target) == (target - 1) % 8


def magic(tree: ast.AST) -> list[str]:
    """Return the arithmetic on refs and moves that stands in a module."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in (357, 119, 3652, 3662):
            found.append(str(node.value))
        if not isinstance(node, ast.BinOp):
            continue
        sides = [part.value for part in (node.left, node.right) if isinstance(part, ast.Constant)]
        scaled = isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Mod)
        strides = scaled and {7, 8, 17, 21} & {*sides}
        if strides or (isinstance(node.op, ast.Sub) and 15 in sides):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def test_no_other_module_computes_refs_or_moves() -> None:
    found = {str(path): magic(ast.parse(path.read_text(encoding="utf-8"))) for path in FILES}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_others_computed_would_be_seen() -> None:
    source = "a = 8 * side + 7; b = ref // 8; c = ref % 8; d = 15 - x; e = (m - PLAY) // 357"
    assert len(magic(ast.parse(source))) == 5
