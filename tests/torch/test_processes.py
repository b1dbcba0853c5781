"""Processes that learn together by torch's DDP, two on a CPU with gloo. CUDA has not been tried."""


import numpy as np
import pytest
import torch

from hsevo.errors import WorkersError
from hsevo.learning.end_to_end.learner import Learner
from tests.torch.support import but, plan_of

TINY = plan_of(8, decks=["mage", "warrior"], updates=1, reuse=1, isolate=True, build=True,
               embedding=5, width=6, lstm=5, seed=3)


def fail(*_):
    """Find no room on a GPU."""
    raise RuntimeError("out of memory")


def test_two_processes_learn_as_one(tmp_path, monkeypatch):
    """Gradients are those of whole batches, up to rounding, though the parts differ in length.

    They go on exactly from a checkpoint, and a lost process is one clear line; an error of the
    first process itself is no such loss, and does not leave the other waiting.
    """
    one, two = Learner(TINY), Learner(but(TINY, processes=2))
    try:
        first, second = one.round(), two.round()
        assert np.allclose(first, second, rtol=1e-4, atol=1e-6, equal_nan=True)
        for mine, other in zip(one.network.parameters(), two.network.parameters(), strict=True):
            assert torch.allclose(mine.grad, other.grad, rtol=1e-4, atol=1e-6)
        two.save(tmp_path / "two.pt")
        straight = two.round()
        monkeypatch.setattr(two.updater, "step", fail)
        with pytest.raises(RuntimeError, match="out of memory"):
            two.round()
    finally:
        two.close()
    again = Learner.load(tmp_path / "two.pt")
    try:
        assert repr(again.round()) == repr(straight)
        again.updater._others[0].terminate()
        again.updater._others[0].join()
        with pytest.raises(WorkersError, match="a training process was lost"):
            again.round()
    finally:
        again.close()
