"""A prolonged learning run: the same bytes as of one that was planned so from its start."""

import pytest

from hsevo.errors import ConfigError
from tests.support.folders import learned

SAME = ("learning.csv", "references.csv", "payoff.csv", *(
    f"checkpoints/period-{k:04}.npz" for k in range(4)))
EVEN = {"learner.last_rate": 0.01}


def test_a_falling_learning_rate_is_refused(tmp_path):
    run = learned(tmp_path / "run")
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match="its learning rate falls"):
        run.resume(periods=5)
    assert {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()} == before
