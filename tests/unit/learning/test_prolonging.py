"""A prolonged learning run: the same bytes as of one that was planned so from its start."""

import pytest

import hsevo
from hsevo.errors import ConfigError
from tests.support.folders import learned

SAME = ("learning.csv", "references.csv", "payoff.csv", *(
    f"checkpoints/period-{k:04}.npz" for k in range(4)))
EVEN = {"learner.last_rate": 0.01}


def test_a_prolonged_run_is_as_one_planned_so(tmp_path):
    """Period 2 was measured, for it was the last; of four it is not."""
    whole = learned(tmp_path / "whole", changes=EVEN | {"periods": 4}).path
    run = learned(tmp_path / "run", changes=EVEN).resume(periods=4)
    assert [name for name in SAME if (run.path / name).read_bytes()
            != (whole / name).read_bytes()] == []
    assert run.verify().problems == []
    assert "prolonged from 3 to 4 periods" in (run.path / "log.txt").read_text()
    with pytest.raises(ConfigError, match="has 4 already"):
        hsevo.Learned(run.path).resume(periods=3)


def test_a_falling_learning_rate_is_refused(tmp_path):
    run = learned(tmp_path / "run")
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="its learning rate falls"):
        run.resume(periods=5)
    assert {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()} == before
