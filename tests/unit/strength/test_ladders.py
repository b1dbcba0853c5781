"""Tables of a ladder, by hand: intervals over seeds, rung against rung, steps, other agents."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from hsevo import config
from hsevo.config.ladder import Ladder
from hsevo.strength import ladders
from hsevo.strength.intervals import over_seeds
from hsevo.strength.ladders import PAIRS, Meeting
from hsevo.strength.rating import Estimate
from tests.support.ladder import TINY

T_1, T_2 = 12.7062, 4.30265  # Student's t at 97.5 %, of one and two degrees of freedom


def estimate(rates: Any) -> tuple[float, float, float]:
    found = over_seeds(np.array(rates))
    return found.value, found.low, found.high


def test_seeds_of_one_side_vary() -> None:
    """Rows' means 0.5, 0.6, 0.7 vary by 0.1, columns' not: t(2) times 0.1 / sqrt(3)."""
    rates = [[0.4, 0.5, 0.6], [0.6, 0.6, 0.6], [0.8, 0.7, 0.6]]
    half = T_2 * 0.1 / np.sqrt(3)
    assert estimate(rates) == pytest.approx((0.6, 0.6 - half, 0.6 + half), abs=1e-5)


def test_both_sides_seeds_add_up() -> None:
    """Means 0.49 and 0.51 on both sides: 0.0002 / 2 twice, so Welch's freedom is 0.0002^2 divided
    by 2 * 0.0001^2, which is 2.
    """
    half = T_2 * np.sqrt(0.0002)
    assert estimate([[0.48, 0.5], [0.5, 0.52]]) == pytest.approx(
        (0.5, 0.5 - half, 0.5 + half), abs=1e-5)
    assert estimate([[0.3, 0.5], [0.5, 0.7]]) == (0.5, 0.0, 1.0)  # ends are cut
    assert estimate(np.full((3, 3), 0.5)) == (0.5, 0.5, 0.5)


def test_against_a_fixed_opponent_it_is_students() -> None:
    half = T_2 * 0.1 / np.sqrt(3)
    assert estimate([[0.5], [0.6], [0.7]]) == pytest.approx((0.6, 0.6 - half, 0.6 + half), abs=1e-5)


def tiny(**changes: Any) -> Ladder:
    return config.check(Ladder, yaml.safe_load(TINY) | changes, "here")


def played(ladder: Ladder, rate: Any) -> pd.DataFrame:
    """Return a table of all matches of a ladder; rate: of each meeting."""
    rows = [(*one, 8, 4, 0, 4, rate(one), rate(one) - 0.2, rate(one) + 0.2, 7, "00ff")
            for one in ladders.meetings(ladder)]
    return pd.DataFrame(rows, columns=[*PAIRS])


def by_hand(one: Meeting) -> float:
    """Rung three beats two, with both seeds alike; others vary with the seed of a."""
    if (one.rung_a, one.rung_b) == ("three", "two"):
        return 0.75
    return 0.49 if one.seed_a == 1 else 0.51


def test_all_players_of_different_rungs_meet_once_and_then_the_agents() -> None:
    met = [*ladders.meetings(tiny())]
    assert met[:2] == [Meeting("two", 1, "one", 1), Meeting("two", 1, "one", 2)]
    assert len(met) == len({*met}) == 3 * 4 + 6
    assert met[-1] == Meeting("three", 2, "random", None)
    seeds = [one.seed(1) for one in met]
    assert len({*seeds}) == len(seeds)
    assert max(seeds) < 2**32
    assert [one.seed(2) for one in met] != seeds
    more = tiny(seeds=[1, 2, 3])
    assert {*met} < {*ladders.meetings(more)}  # what was played stays of use


def test_the_matrix_by_hand() -> None:
    ladder = tiny()
    table = ladders.matrix(ladder, played(ladder, by_hand)).set_index(["row", "column"])
    assert len(table) == 6
    games = 0.2 / 2  # seeds agree: that of four matches, each 0.2 wide
    assert table.loc[("three", "two")].tolist() == pytest.approx(
        [0.75, 0.75 - games, 0.75 + games, 0.545])
    assert table.loc[("two", "three")].tolist() == pytest.approx(
        [0.25, 0.25 - games, 0.25 + games, 0.455])
    half = T_1 * np.sqrt(0.0002 / 2)  # seeds of one side vary, one degree of freedom
    assert table.loc[("two", "one")].tolist() == pytest.approx(
        [0.5, 0.5 - half, 0.5 + half, 0.6], abs=1e-5)


def test_the_steps_and_the_agents_by_hand() -> None:
    ladder = tiny()
    pairs = played(ladder, by_hand)
    table = ladders.steps(ladder, pairs)
    assert table["changes"].tolist() == ["games=8", "learner.trace=0.9"]
    assert table["decided"].tolist() == ["open", "better"]
    assert table["published"].tolist() == [0.6, 0.545]
    lower = ladders.steps(ladder, played(ladder, lambda one: 0.3))
    assert lower["decided"].tolist() == ["worse", "worse"]
    found = ladders.others(ladder, pairs)
    assert found["rung"].tolist() == ["one", "two", "three"]
    games = 0.2 / np.sqrt(2)  # wider than t(1) times 0.01, that over seeds
    assert found.iloc[0, 2:].tolist() == pytest.approx([0.5, 0.5 - games, 0.5 + games])


def test_with_one_seed_the_interval_is_that_of_the_games() -> None:
    ladder = tiny(seeds=[2], published=None)
    pairs = played(ladder, by_hand)
    table = ladders.matrix(ladder, pairs).set_index(["row", "column"])
    assert table.loc[("two", "one")].tolist()[:3] == pytest.approx([0.51, 0.31, 0.71])
    assert table.loc[("one", "two")].tolist()[:3] == pytest.approx([0.49, 0.29, 0.69])
    assert table["published"].isna().all()
    assert ladders.steps(ladder, pairs)["decided"].tolist() == ["", ""]
    assert ladders.others(ladder, pairs).iloc[2, 2:].tolist() == pytest.approx([0.51, 0.31, 0.71])


def test_what_was_not_played_has_no_rate() -> None:
    ladder = tiny()
    pairs = played(ladder, by_hand)
    some = ladders.steps(ladder, pairs.iloc[:5])  # two against one is whole, the rest is not
    assert some["rate"].notna().tolist() == [True, False]
    assert some["decided"].tolist() == ["open", ""]
    none = ladders.matrix(ladder, pairs.iloc[:0])
    assert none["rate"].isna().all()
    assert ladders.others(ladder, pairs.iloc[:-1])["rate"].notna().tolist() == [True, True, False]


def test_a_table_that_was_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    pairs = played(tiny(), by_hand)
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    again = ladders.known(pd.read_csv(tmp_path / "pairs.csv"))
    assert again == ladders.known(pairs)
    assert again["two", 1, "one", 2] == Estimate(0.49, 0.29, 0.69)


@pytest.mark.parametrize("published", [True, False])
def test_the_picture_has_all_rates(published: bool) -> None:
    ladder = tiny() if published else tiny(published=None)
    table = ladders.matrix(ladder, played(ladder, by_hand))
    drawn = ladders.draw(table, "tiny")
    assert drawn.svg.count(b"<!-- 75 -->") == 1
    assert drawn.svg.count(b"<!-- 55 -->") == published
    assert drawn.png.startswith(b"\x89PNG")
