"""The reports on studies: their own tables, with intervals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.reports import maps
from tests.support.command import fails
from tests.support.command import hsevo as command

pytestmark = pytest.mark.usefixtures("undrawn")

SERIAL = {"backend": "serial"}


def tables(*words: object) -> dict[str, pd.DataFrame]:
    result = command("report", *words, "--out", "out")
    assert result.exit_code == 0, result.output
    return {file.stem: pd.read_csv(file) for file in Path("out/tables").iterdir()}


def test_a_pair_without_an_interval_has_none() -> None:
    row = {"deck": "mage", "opponent_deck": "mage", "rate": 0.5, "games": 20,
           "rate_low": np.nan, "rate_high": np.nan}
    assert maps._won(row) == "mage against mage: 50.0 % of 20 games"
    assert maps._won(row | {"rate_low": 0.4, "rate_high": 0.6}) == (
        "mage against mage: 50.0 % (40.0 to 60.0) of 20 games")


def test_a_study_has_its_curve_and_its_costs(here: Path, fake_engine: None) -> None:
    hsevo.study("divine-shield-control", games=20, out=here / "curve", **SERIAL)
    found, own = tables("curve"), pd.read_csv("curve/curve.csv")
    assert {"curve", "times"} <= {*found}
    pd.testing.assert_frame_equal(found["curve"], own)
    page = Path("out/report.html").read_text()
    assert "published, % (95 %)" in page or own["published"].isna().all()


def test_what_is_not_there_yet_is_one_line(here: Path) -> None:
    study = here / "study"
    study.mkdir()
    (study / "study.yaml").write_text("kind: another\n")
    assert "is not of this hsevo" in (said := fails("report", study))
    assert said.count("\n") == 1


def test_folders_of_two_kinds_are_two_reports(here: Path, fake_engine: None) -> None:
    hsevo.study("divine-shield-control", games=20, out="curve", **SERIAL)
    hsevo.evolve("smoke", out="mine", **SERIAL)
    assert "is a study, but mine is not; make two reports" in fails("report", "curve", "mine")
