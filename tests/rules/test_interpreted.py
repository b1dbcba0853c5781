"""The same games by the compiled and by the interpreted engine, move by move."""

import pytest

from tests.support.course import first_difference

pytestmark = pytest.mark.slow


def test_interpreted_and_compiled_games_are_the_same_move_by_move() -> None:
    """Every card is in a deck of them; see tests/support/course.py."""
    lines, difference = first_difference()
    assert not difference
    assert lines > 100
