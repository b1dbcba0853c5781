"""Choices of decks in a best of n: the chances are those of line-ups, the mixtures are optimal."""

import numpy as np
import pytest

from hsevo.metagame import lineups
from hsevo.metagame.lineups import Optimal, drawn, strike, uniform
from hsevo.play.formats import FORMATS, FormatStanding, begin


@pytest.mark.parametrize("format", FORMATS)
def test_the_chances_are_those_of_line_ups(format: str) -> None:
    rates = np.random.default_rng(4).random((3, 3))
    optimal, at = Optimal(format, rates), begin(range(3), range(3))
    assert optimal.chance(at) == pytest.approx(lineups.chances(rates, 3, False, format)[0, 0])
    assert optimal.banned_chance(at) == pytest.approx(lineups.chances(rates, 3, True, format)[0, 0])
    mine, theirs = lineups.bans(rates, format)
    for found, known in zip(optimal.bans(at), (mine, theirs), strict=True):
        assert found == pytest.approx(known)


def test_a_choice_by_hand() -> None:
    """Mine 0 beats theirs 1 and mine 1 theirs 0, always, and both lose else: each is chosen half
    of the time, like matching pennies; and with one deck left there is no choice."""
    optimal = Optimal("last-hero-standing", np.array([[0.0, 1.0], [1.0, 0.0]]))
    for mixture in optimal(begin((0, 1), (0, 1))):
        assert mixture == pytest.approx((0.5, 0.5))
    found = optimal(FormatStanding((0,), (0, 1), (0, None)))
    assert found == ((1.0,), (1.0, 0.0))  # theirs 0 beats it


def test_each_may_be_chosen_as_often() -> None:
    assert uniform(FormatStanding((3, 1), (2,), (None, 2))) == ((0.5, 0.5), (1.0,))


def test_a_ban_takes_a_deck_of_each() -> None:
    assert strike(begin((0, 1, 2), (3, 4, 5)), 1, 5) == begin((0, 2), (3, 4))


@pytest.mark.parametrize(("number", "place"), [(0.0, 1), (0.24, 1), (0.26, 2), (0.999999, 2)])
def test_what_has_no_share_is_not_drawn(number: float, place: int) -> None:
    assert drawn((0.0, 0.25, 0.75, 0.0), number) == place
