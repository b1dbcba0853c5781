"""How long the games of a study were: counted by hand, and refused where there is no such value."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo.errors import ConfigError
from hsevo.pictures import line_style
from hsevo.strength import studies
from hsevo.strength.durations import durations
from hsevo.strength.study_plans import check_study, load_study

TURNS = [[9, 9, 9, 12], [8, 10, 10, 30], [7, 7, 7, 7]]


def record(*played: int) -> studies.StudyResult:
    study = load_study("divine-shield").model_copy(update={
        "values": [0.0, 1.0, 3.0], "durations": [0.0, 1.0], "games": 4})
    made = studies.StudyResult(study)
    made.results["turns"] = TURNS
    made.played[:] = played or 4
    return made


def test_games_are_counted_by_their_turns() -> None:
    made = record()
    table = durations(made.plan, made.results, made.played)
    assert table[["x", "turns", "games", "share"]].values.tolist() == [
        ["0", 9, 3, 0.75], ["0", 12, 1, 0.25],
        ["1", 8, 1, 0.25], ["1", 10, 2, 0.5], ["1", 30, 1, 0.25]]
    assert ((table["low"] < table["share"]) & (table["share"] < table["high"])).all()


def test_games_that_were_not_played_are_not_counted() -> None:
    made = record(4, 2, 0)
    table = durations(made.plan, made.results, made.played)
    assert table.groupby("x")["games"].sum().tolist() == [4, 2]


def test_they_are_written_with_the_curve(tmp_path: Path) -> None:
    record().save(tmp_path)
    assert len(pd.read_csv(tmp_path / "turns.csv")) == 5
    assert b"games that ended at this turn" in (tmp_path / "turns.svg").read_bytes()
    assert (tmp_path / "turns.png").stat().st_size > 1000


def test_only_values_of_the_study_have_durations() -> None:
    plan = load_study("divine-shield").model_dump() | {"durations": [0, 7]}
    with pytest.raises(ConfigError, match="durations has 7, which is not one of the values"):
        check_study(plan, "mine.yaml")
    assert np.isin(load_study("divine-shield").durations, [0, 1, 2]).all()


def test_curves_beyond_the_seventh_look_otherwise() -> None:
    looks = [tuple(line_style(k).values()) for k in range(28)]
    assert len(set(looks)) == 28
    assert len({colour for colour, _, _ in looks[:7]}) == 7
