"""Strength against time: who is on the frontier, who is best within a time, where names stand."""

import re
from math import isnan, nan

import numpy as np
import pytest

from hsevo.play.decision_times import Times
from hsevo.strength.frontier import BUDGETS, apart, budgets, draw, on_frontier, table

NAMES = ("eva:2018", "gsv", "random", "hearthsim")
VALUES = np.array([100.0, 250.0, -900.0, 200.0])
SPREAD = np.diag([9.0, 16.0, 25.0, 0.0])


def of(ms: float) -> Times:
    return Times(ms / 1e3, 0.9 * ms / 1e3, 1.1 * ms / 1e3, nan, nan, 20)


TIMES = tuple(map(of, (0.002, 0.5, 0.0005, 0.8)))


def test_who_is_on_the_frontier_by_hand() -> None:
    """(1, 0) twice: none is better in anything; (2, 50) is weaker than (2, 100), (3, 100) slower.
    """
    ratings = np.array([0.0, 100.0, 50.0, 100.0, 0.0])
    times = np.array([1.0, 2.0, 2.0, 3.0, 1.0])
    assert on_frontier(ratings, times).tolist() == [True, True, False, False, True]
    assert on_frontier(np.array([5.0]), np.array([1.0])).tolist() == [True]


def test_a_table_by_hand() -> None:
    found = table(NAMES, VALUES, SPREAD, TIMES).set_index("agent")
    assert [*found.index] == ["random", "eva:2018", "gsv", "hearthsim"]
    assert found["on_frontier"].tolist() == [True, True, True, False]
    assert found["ratio"].tolist() == pytest.approx([0.25, 1, 250, 400])
    gsv = found.loc["gsv"]
    assert (gsv["ms"], gsv["ms_low"], gsv["ms_high"]) == pytest.approx((0.5, 0.45, 0.55))
    assert (gsv["low"], gsv["high"]) == pytest.approx((250 - 4 * 1.96, 250 + 4 * 1.96), abs=1e-3)


def test_who_is_best_within_a_time_by_hand() -> None:
    found = budgets(NAMES, VALUES, SPREAD, TIMES).set_index("within_ms")
    assert [*found.index] == [*BUDGETS]
    assert found["agent"].tolist() == ["random", *["eva:2018"] * 2, *["gsv"] * 4]
    assert found["agents"].tolist() == [1, 2, 2, 4, 4, 4, 4]
    assert found.loc[0.001, "second"] == ""
    assert isnan(found.loc[0.001, "lead"])
    one = found.loc[1]  # gsv over hearthsim: 50, and the root of 16 + 0
    assert one["second"] == "hearthsim"
    assert (one["lead"], one["lead_low"], one["lead_high"]) == pytest.approx(
        (50, 50 - 4 * 1.96, 50 + 4 * 1.96), abs=1e-3)


def test_a_time_without_agents_has_no_row() -> None:
    slow = tuple(map(of, (5, 6, 7, 8)))
    assert budgets(NAMES, VALUES, SPREAD, slow)["within_ms"].tolist() == [10, 100, 1000]


@pytest.mark.parametrize(("wanted", "places"), [
    ([0.5, 0.5, 0.5], [0.4, 0.5, 0.6]),
    ([0.0, 0.0, 0.9], [0.0, 0.1, 0.9]),
    ([1.0, 1.0], [0.9, 1.0]),
    ([0.3], [0.3]),
])
def test_names_stand_apart_and_near_their_places(wanted: list[float],
                                                 places: list[float]) -> None:
    assert apart(np.array(wanted), 0.1).tolist() == pytest.approx(places)


def test_too_many_names_share_the_height() -> None:
    assert apart(np.full(21, 0.5), 0.1).tolist() == pytest.approx(np.linspace(0, 1, 21).tolist())


def test_a_picture_is_the_same_twice_and_has_every_point() -> None:
    found = table(NAMES, VALUES, SPREAD, TIMES)
    drawn, again = (draw(found, "title") for _ in range(2))
    assert drawn.svg == again.svg
    assert drawn.png.startswith(b"\x89PNG")
    text = drawn.svg.decode()
    assert set(re.findall(r"<!-- (\S+) -->", text)) >= {*NAMES, "title", "0.001", "0.1"}
