"""The example of a learner in PyTorch on `hsevo.make_vec`."""

import runpy

import numpy as np
import pytest
import torch

import hsevo
from tests.support import ROOT

pytest.importorskip("gymnasium", reason="needs the extra env")
MADE = runpy.run_path(str(ROOT / "examples" / "actor_critic.py"))
learn, win_rate = MADE["learn"], MADE["win_rate"]


@pytest.fixture(autouse=True)
def _few_games(monkeypatch):
    monkeypatch.setitem(learn.__globals__, "GAMES", 64)


def test_it_learns():
    """Moves that are drawn from all legal ones win half of the games against random play."""
    rate = win_rate(learn(updates=20), games=200)
    assert 0.6 < rate.low < rate.value < rate.high < rate.low + 0.14


def test_a_seed_gives_the_same_network():
    first, again, other = (learn(updates=1, seed=seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["body.weight"], other["body.weight"])


def test_probabilities_are_of_legal_actions():
    """The log-probability is the sum over the parts; masked actions take no part in it."""
    torch.manual_seed(1)
    net = MADE["ActorCritic"]()
    seen, _ = hsevo.make_vec("battle", 64, opponent="random", seed=3).reset()
    for mask in ("what", "at", "where"):  # one legal action in each game: the last
        first = seen[mask].reshape(-1, seen[mask].shape[-1])
        last = first.shape[1] - 1 - first[:, ::-1].argmax(axis=1)
        only = np.zeros_like(first)
        only[np.arange(len(first)), last] = first.any(axis=1)
        seen[mask] = only.reshape(seen[mask].shape)
    actions, chance, entropy, _ = net(seen)
    assert np.array_equal(actions[:, 0], seen["what"].argmax(axis=1))
    assert torch.allclose(chance, torch.zeros(64), atol=1e-5)
    assert torch.allclose(entropy, torch.zeros(64), atol=1e-5)
