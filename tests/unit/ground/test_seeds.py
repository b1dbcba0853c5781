"""Random streams: the published generator, the numbers that old runs were begun with."""

import ast
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hsevo.engine.jit import INTERPRETED
from hsevo.engine.record import state
from hsevo.seeds import Stream, derive, game_seed, generator, mix
from tests.test_house import PACKAGE, trees

U64 = st.integers(0, 2**64 - 1)


def by_hand(z: int) -> int:
    """Return the output function of SplitMix64, as published with the reference code."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def test_the_first_outputs_are_the_published_ones() -> None:
    """SplitMix64 from state 0; the reference code's first three, the state grows by golden."""
    golden = 0x9E3779B97F4A7C15
    states = np.array([0, golden, 2 * golden % 2**64], np.uint64)
    assert [hex(x) for x in mix(states).tolist()] == [
        "0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f"]


@given(U64)
def test_the_compiled_generator_is_the_same(x: int) -> None:
    """Read as plain Python: the machine code of kernels is compared by the golden games."""
    plain = state.mix if INTERPRETED else state.mix.py_func
    with np.errstate(over="ignore"):
        assert int(plain(np.uint64(x))) == mix(np.array([x], np.uint64))[0]


@given(st.lists(U64, min_size=1, max_size=6), U64)
def test_a_key_is_folded_part_by_part(key: list[int], last: int) -> None:
    state = 0
    for part in (*key, last):
        state = by_hand((state + 0x9E3779B97F4A7C15) % 2**64 ^ part)
    assert int(derive((*key, last))[0]) == state
    assert int(derive(key, np.array([last], np.uint64))[0]) == state


def test_derived_numbers_are_those_of_runs_that_were_begun_before() -> None:
    """Recorded when six modules had each its own way to derive them."""
    columns = np.array([0, 1, 2**63], np.uint64), np.array([3, 4, 5])
    assert [hex(x) for x in derive((7, 1, 0), *columns).tolist()] == [
        "0x2dac026f2e369c9b", "0x3f8434cbb95d94a6", "0x2115da0df75cd47d"]
    assert int(derive((2**64 - 1, 5))[0]) == 0xAB7897AF271E2A28
    assert [hex(game_seed(*one)) for one in (
        (0, 0), (1, 0), (2**64 - 1, 1), (2**64 - 1, 0), (12345, 678))] == [
        "0xe220a8397b1dcdaf", "0x910a2dec89025cc1", "0xe220a8397b1dcdaf", "0xe4d971771b652c20",
        "0x86d2bf426019dea0"]
    assert generator((1, 1)).random() == 0.8746510915280736
    assert generator((1, 1, 5, Stream.HALL_OF_FAME)).random() == 0.9093012753713691
    one, two = np.array([1]), np.array([2])
    assert int(derive((1, Stream.STUDY_GAME), 0 * one)[0]) == 8819095104495668028
    assert int(derive((1, Stream.STUDY_BODY), 0 * one, one, two)[0]) == 4523035881111639338
    assert int(derive((1, Stream.STUDY_TAUNT), 0 * one, two)[0]) == 8008368854069632025
    assert int(derive((1, 0, Stream.ARENA), 0 * one, one, 0 * one, one, 0 * one)[0]) == (
        3068733599211526738)


def test_streams_lie_above_all_counts() -> None:
    """No generation, execution or round of a config reaches them, nor does a round of an arena."""
    assert min(Stream) == 2**32


def test_no_two_streams_have_a_number() -> None:
    """But for two whose keys differ in length; streams of single modules count, too."""
    numbers = [int(found[1]) for path in sorted(PACKAGE.rglob("*.py"))
               for found in re.finditer(r"= 2\*\*32 \+ (\d+)", path.read_text(encoding="utf-8"))]
    twice = {number for number in numbers if numbers.count(number) > 1}
    assert twice == {Stream.HALL_OF_FAME - 2**32} == {Stream.STUDY_GAME - 2**32}
    assert sorted({*numbers}) == [*range(1, max(numbers) + 1)]


def test_nothing_draws_random_numbers_elsewhere() -> None:
    """No module has a generator of numpy, or begins one of Python but in seeds.

    Except the view of a Python player, which gives it one for each decision.
    """
    for module, tree in trees().items():
        if module == "play.view":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("default_rng", "SeedSequence", "RandomState"), module
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                begun = node.func.id == "Random" and node.args
                assert not begun or module == "seeds", module
