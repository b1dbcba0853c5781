"""Formats of a best of n: who may play the next game, by hand."""

import pytest

from hsevo.play.formats import FORMATS, FormatStanding, after, begin, winner


@pytest.mark.parametrize(("format", "games", "choices", "won"), [
    ("conquest", [], ((0, 1), (2, 3)), None),
    ("conquest", [(0, 2, 1.0)], ((1,), (2, 3)), None),  # the deck that won is out
    ("conquest", [(0, 2, 1.0), (1, 2, 0.0)], ((1,), (3,)), None),
    ("conquest", [(0, 2, 1.0), (1, 2, 1.0)], ((), (2, 3)), 1.0),
    ("conquest", [(0, 2, 0.0), (0, 3, 0.0)], ((0, 1), ()), 0.0),
    ("conquest", [(0, 2, 0.5)], ((0,), (2,)), None),  # again with the same decks
    ("conquest", [(0, 2, 0.5), (0, 2, 0.0)], ((0, 1), (3,)), None),
    ("last-hero-standing", [(0, 2, 1.0)], ((0,), (3,)), None),  # the winner's deck plays on
    ("last-hero-standing", [(0, 2, 0.0)], ((1,), (2,)), None),
    ("last-hero-standing", [(0, 2, 1.0), (0, 3, 0.0)], ((1,), (3,)), None),
    ("last-hero-standing", [(0, 2, 1.0), (0, 3, 1.0)], ((0,), ()), 1.0),
    ("last-hero-standing", [(0, 2, 0.0), (1, 2, 0.0)], ((), (2,)), 0.0)])
def test_who_may_play_next(format: str, games: list[tuple[int, int, float]],
                           choices: tuple[tuple[int, ...], tuple[int, ...]],
                           won: float | None) -> None:
    at = begin((0, 1), (2, 3))
    for game in games:
        assert winner(format, at) is None
        at = after(format, at, *game)
    assert at.choices == choices
    assert winner(format, at) == won


@pytest.mark.parametrize("format", FORMATS)
def test_it_ends_after_so_many_games_at_most(format: str) -> None:
    def longest(at: FormatStanding) -> int:
        if winner(format, at) is not None:
            return 0
        return 1 + max(longest(after(format, at, at.choices[0][0], at.choices[1][0], points))
                       for points in (0.0, 1.0))

    assert [longest(begin(range(n), range(n))) for n in (1, 2, 3)] == [1, 3, 5]
