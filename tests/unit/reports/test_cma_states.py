"""The state of CMA-ES in reports: as the library says, and no figures of ages."""

from pathlib import Path

import pandas as pd
import pytest

import hsevo
from hsevo.evolution import diagnostics
from hsevo.evolution.strategies import Cma
from tests.support import folders

SMALL = {"evolution.strategy": "cma-es", "evolution.mu": 2, "evolution.lambda": 4,
         "agent": {"kind": "eva", "evolve": ["HHR", "HAR", "BMR"]}, "references": None}


@pytest.mark.usefixtures("fake_engine", "undrawn")
def test_a_report_shows_the_states_of_cma_es_and_no_ages(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[tuple[float, float]] = []  # of the library, as the run itself makes generations
    tell = Cma.tell

    def seen(self: Cma, field: object) -> tuple[int, ...]:
        survivors = tell(self, field)
        widths = self.es.sm.D
        known.append((self.es.sigma, widths.max() / widths.min()))
        return survivors

    with monkeypatch.context() as patched:
        patched.setattr(Cma, "tell", seen)
        run = folders.make(tmp_path / "run", **SMALL, executions=2)
    states = diagnostics.cma_states(hsevo.Run(run))
    assert states[["sigma", "axis_ratio"]].to_numpy().tolist() == [
        pytest.approx(pair, rel=1e-12) for pair in known]
    assert (states["condition"] - states["axis_ratio"] ** 2).abs().max() < 1e-9
    hsevo.report(run, out=tmp_path / "report")
    tables = {path.stem: path for path in (tmp_path / "report").rglob("*.csv")}
    assert tables.keys().isdisjoint({"ages", "lifespans", "newcomers"})
    written = pd.read_csv(tables["cma-es"])
    assert written["sigma"].tolist() == states["sigma"].tolist()
