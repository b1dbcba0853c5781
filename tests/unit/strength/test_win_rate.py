"""The win rate of one's own games: as in a match, by hand, and bad input."""

from math import inf
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.errors import ConfigError
from hsevo.strength.rating import Estimate


def test_it_is_that_of_a_match() -> None:
    found = hsevo.match("random", "noaggression", 24, seed=3)
    games = found.games
    own = games["a"] == "random"
    won = np.where(own, games["wins_a"], games["wins_b"]) + games["draws"] / 2
    pairs = won.to_numpy().reshape(-1, 2)
    assert (games["pair"].to_numpy().reshape(-1, 2) == np.arange(len(pairs))[:, None]).all()
    assert hsevo.win_rate(pairs) == found.rate
    alone = hsevo.win_rate(pairs.ravel())
    assert alone.value == found.rate.value
    assert (alone.low, alone.high) != (found.rate.low, found.rate.high)


def test_games_by_hand() -> None:
    """z^2 more: (3 + 1.921) / (4 + 3.841), deviation sqrt(p (1 - p)), since none was drawn."""
    p, n = 4.9207 / 7.8415, 7.8415
    half = 1.96 * (p * (1 - p) / n)**0.5
    found = hsevo.win_rate([True, True, False, True])
    assert (found.value, found.low, found.high) == pytest.approx((0.75, p - half, p + half),
                                                                 abs=1e-4)


def test_a_pair_is_one_observation() -> None:
    """Pairs that all end 1 to 1 have no spread of their own; their games do."""
    pairs = hsevo.win_rate([[1, 0]] * 100)
    games = hsevo.win_rate([1, 0] * 100)
    assert pairs.value == games.value == 0.5
    assert pairs.high - pairs.low < 0.3 * (games.high - games.low)


@pytest.mark.parametrize(("points", "said"), [
    ([1, -1], "points of a game are -1, but must be 0"), ([0.25], "are 0.25,"),
    ([float("nan")], "are nan"), ([[1, 0, 1]], r"shape \(1, 3\)"), (1.0, r"shape \(\)"),
    (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"), ([[1], [1, 0]], "must be numbers"),
    ([], "a win rate needs at least one game"), (np.zeros((0, 2)), "there are no points"),
    (np.ones((2, 20)), r"shape \(2, 20\).*; transpose them"),
    (["1", "0"], "must be numbers"), ([1 + 2j], "must be numbers"),
    (np.ma.array([1, 0], mask=[0, 1]), "must be numbers"), ("won", "must be numbers"),
    (["won"], "must be numbers"), (None, "must be numbers")])
def test_bad_points_are_one_clear_line(points: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as found:
        hsevo.win_rate(points)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(("ends", "says"), [
    ((12.4, 7.0, 18.0), "+12 (+7 to +18)"), ((-inf, -inf, -112.2), "below -112"),
    ((inf, 130.0, inf), "above +130"), ((-1302.0, -inf, -891.6), "-1302 (below -892)"),
    ((300.0, 51.0, inf), "+300 (above +51)"), ((0.0, -inf, inf), "+0 (not known by so few games)"),
    ((inf, -inf, inf), "not known by so few games")])
def test_what_is_infinite_is_no_number(ends: tuple[float, float, float], says: str) -> None:
    assert Estimate(*ends).signed() == says
