"""The learning curve in the docs: its counts, what the page says of them, the picture."""

import re

import pandas as pd
import pytest

from studies.learning_curve import COUNTS, DRAWN, counts, picture, stages
from tests.docs import figures
from tests.support.folders import learned

TABLE = pd.read_csv(COUNTS)


def test_shares_on_the_page_come_from_the_counts() -> None:
    shares = stages(TABLE).pivot(index="from", columns="seed", values="share")
    said = figures.quoted(figures.read())
    for key, begin in (("first", 0), ("next", 5), ("last", 35)):
        both = " and ".join(f"{100 * share:.1f} %" for share in shares.loc[begin])
        assert said[f"learned-curve.{key}"] == both
    assert TABLE["games"].nunique() == 1
    assert TABLE.groupby("seed")["period"].apply(list).to_dict() == {
        2: [*range(40)], 3: [*range(40)]}


def test_shares_by_hand() -> None:
    table = pd.DataFrame({"seed": [1, 1, 1, 2], "period": [0, 1, 2, 0], "games": [10, 30, 10, 10],
                          "wins": [1, 9, 8, 7]})
    assert stages(table, periods=2).to_numpy().tolist() == [
        [1, 0, 0.25], [1, 2, 0.8], [2, 0, 0.7]]


def test_the_picture_is_drawn_from_the_counts() -> None:
    stored, drawn = DRAWN.read_text(encoding="utf-8"), picture(TABLE).svg.decode()
    made_by = re.search(r"Matplotlib v[\d.]+", stored)
    assert made_by
    if made_by[0] not in drawn:
        pytest.skip(f"it was drawn by {made_by[0]}, and another version places text elsewhere")
    assert drawn == stored


def test_counts_are_of_one_opponent(tmp_path) -> None:
    run = learned(tmp_path / "run", changes={"references": {
        "against": ["random", "eva:2018"], "every": 1, "games": 8}, "payoff_games": 0})
    found = counts([run.path])
    ours = run.references[run.references["opponent"] == "eva:2018"]
    assert found["wins"].tolist() == ours["wins"].tolist()
    assert found["seed"].unique().tolist() == [1]
    assert found["period"].tolist() == [0, 1, 2]
