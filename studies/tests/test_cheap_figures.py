"""Figures that take seconds come out again as the docs quote them."""

from pathlib import Path

import pytest

from studies.measure.planning import Measurement, load
from studies.measure.publishing import derived
from studies.measure.works import Lab
from tests.docs import figures


@pytest.mark.parametrize("one", [one for one in load(figures.read()) if one.entry.get("tested") ==
                                 "studies/tests/test_cheap_figures.py"], ids=lambda one: one.name)
def test_cheap_figures_come_out(one: Measurement, tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    lab.prepare()
    for work in one.works:
        lab.do(work)
    assert derived(one, lab) == one.entry["figures"]
