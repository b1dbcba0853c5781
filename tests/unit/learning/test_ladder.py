"""The example that measures what settings of learning are worth: statistics and settings."""

import runpy

import numpy as np
import pandas as pd
import pytest

from hsevo.learning.plan import change_plan, load_plan
from tests.support import ROOT

LADDER = runpy.run_path(str(ROOT / "examples" / "learning_ladder.py"))


def test_the_interval_by_hand():
    """Rows' means 0.5, 0.6, 0.7 vary by 0.1, columns' not: t(2) = 4.303 times 0.1 / sqrt(3)."""
    rates = np.array([[0.4, 0.5, 0.6], [0.6, 0.6, 0.6], [0.8, 0.7, 0.6]])
    assert LADDER["compared"](rates) == pytest.approx((0.6, 0.6 - 0.2484, 0.6 + 0.2484), abs=1e-4)


def test_both_sides_seeds_add_up():
    """Two seeds each, their means 0.4 and 0.6 by row and by column: 4 degrees of freedom less 2."""
    rates = np.array([[0.3, 0.5], [0.5, 0.7]])
    mean, low, high = LADDER["compared"](rates)
    # variances 0.02 / 2 twice: sqrt(0.02), Welch's freedom 0.02^2 / (2 * 0.01^2) = 2, t = 4.303
    assert mean == 0.5
    assert (low, high) == (0.0, 1.0)  # 0.5 -+ 0.6085 is cut
    assert LADDER["compared"](np.full((3, 3), 0.5)) == (0.5, 0.5, 0.5)


def test_a_rate_of_a_rung_is_the_mean_of_its_pairs():
    specs = {"one": ["a", "b"], "other": ["c", "d"]}
    rates = {("a", "c"): 0.61, ("a", "d"): 0.63, ("b", "c"): 0.60, ("b", "d"): 0.64}
    rows = [(*pair, rate) for pair, rate in rates.items()]
    rows += [(theirs, ours, 1 - rate) for ours, theirs, rate in rows]
    lines = LADDER["rung_table"](pd.DataFrame(rows, columns=["agent", "opponent", "rate"]), specs)
    assert lines[0] == ["%", "one", "other"]
    assert (lines[1][1], lines[1][2].split()[0], lines[2][1].split()[0]) == ("50", "62.0", "38.0")


def test_all_rungs_play_as_many_games():
    plans = [change_plan(load_plan(LADDER["CONFIG"]), changes)
             for changes in LADDER["RUNGS"].values()]
    assert {plan.periods * plan.rounds * plan.games_per_round for plan in plans} == {13_824}
