"""A mistake in a case is told in words: what it is, and what to write."""

import pytest

from tests.rules.test_cases import CASES, mistakes, parse

RIGHT = """Fireball kills a Yeti
  me: - | hand: Fireball   them: Chillwind Yeti (damage 1)
  play Fireball on Chillwind Yeti -> them: -
"""


def test_a_right_case_has_none() -> None:
    assert mistakes(parse(RIGHT, "cig2018")) == []


@pytest.mark.parametrize(("old", "new", "said"), [
    ("me: - |", "me: - | manna 3 |", "a position has no part 'manna'; did you mean 'mana'?"),
    ("(damage 1)", "(sleep)", "has no mark 'sleep'; did you mean 'asleep'?"),
    ("play F", "cast F", "an action begins with play, attack, power, choose, end, not with 'cast'"),
    ("-> them: -", "them: -", "there is no `->` in"),
    ("-> them: -", "-> wom", "not 'wom'; did you mean 'won'?"),
    ("-> them: -", "-> them: - | hnad: -", "an outcome has no part 'hnad'; did you mean 'hand'?"),
    ("  me: -", "  mine: -", "the second line is the position `me: ... them: ...`"),
    ("  play", "  or me: -\n  play", "an `or` line gives one more outcome of the line above it"),
    ("Fireball on Ch", "Fireball on Xh", "no 'Xhillwind Yeti' in play"),
    ("hand: Fireball", "hand: Firebal", "no card is called 'Firebal'; did you mean 'Fireball'?"),
    ("hand: Fireball", "hand: Frostbolt", "'Fireball' is not in the hand, which is: Frostbolt"),
    ("play Fireball on Chillwind Yeti -> them: -", "", "a case has a title, a position"),
])
def test_a_mistake_is_told_in_words(old: str, new: str, said: str,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.rules.test_cases import test_case

    assert old in RIGHT
    case = parse(RIGHT.replace(old, new), "cig2018")
    with pytest.raises((AssertionError, ValueError, pytest.fail.Exception)) as refused:
        test_case(case, monkeypatch)
    assert said in str(refused.value)


def test_no_case_has_a_mistake() -> None:
    assert {case.title: mistakes(case) for case in CASES if mistakes(case)} == {}
