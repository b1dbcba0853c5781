"""Runs that begin with the weights of a learned player."""

import numpy as np
import pytest

import hsevo
from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import read_net
from hsevo.errors import AgentError, ConfigError
from hsevo.learning.learner import ValueLearner, first_weights
from tests.support.folders import learned


def test_a_learner_adopts_a_network_exactly():
    net = nets.quantized(first_weights(7)[0])
    net["bias"][0] = 12_345_678  # a float of 32 bits holds whole numbers up to 2**24
    learner = ValueLearner(1)
    learner.adopt(net)
    assert learner.net().tobytes() == net.tobytes()
    learner.close()


@pytest.mark.parametrize("known", ["text", "both"])
def test_a_learner_adopts_a_network_of_texts_exactly(known):
    first = ValueLearner(1, 1, known)
    first.text.flat[:] = np.random.default_rng(1).normal(0, 0.1, first.text.flat.shape)
    if known == "both":
        first.flat[:] = np.random.default_rng(2).normal(0, 0.1, first.flat.shape)
    learner = ValueLearner(2, 1, known)
    learner.adopt(first.net())
    assert learner.net().tobytes() == first.net().tobytes()


def test_a_learner_adopts_the_mean_of_networks():
    first, second = (nets.quantized(first_weights(seed)[0]) for seed in (7, 8))
    learner = ValueLearner(1)
    learner.adopt(first, second)
    for name in nets.PARTS:
        mean = (first[name].astype(float) + second[name]) / 2
        np.testing.assert_allclose(learner.net()[name], mean, atol=0.5)
    learner.close()


def test_policies_begin_with_the_means_of_policies_and_of_values(tmp_path):
    few = {"learner.method": "ppo", "games": 1}
    made = [learned(tmp_path / f"run-{seed}", changes=few | {"seed": seed}) for seed in (1, 2)]
    still = few | {"pretrained": [f"rl:{run.path}" for run in made], "learner.rate": 1e-9,
                   "learner.last_rate": 1e-9}
    run = learned(tmp_path / "mean", changes=still)
    for search in ("", "?search=turn"):
        first, second, mean = (nets.carried(hsevo.Agent(f"rl:{one.path}{search}").record)[0]
                               for one in (*made, run))
        for name in nets.PARTS:
            expected = (first[name].astype(float) + second[name]) / 2
            np.testing.assert_allclose(mean[name], expected, atol=1)
    assert run.verify().problems == []


def test_a_run_learns_on_from_a_player(tmp_path):
    """With next to no learning rate it stays what it began with, and it can be verified."""
    first = learned(tmp_path / "first")
    still = {"pretrained": f"rl:{first.path}", "learner.rate": 1e-9, "learner.last_rate": 1e-9}
    run = learned(tmp_path / "second", changes=still)
    last = read_net(first.path / "checkpoints" / f"{first.checkpoints[-1]}.npz")
    same = read_net(run.path / "checkpoints" / f"{run.checkpoints[0]}.npz")
    for name in nets.PARTS:
        np.testing.assert_allclose(same[name].astype(int), last[name].astype(int), atol=1)
    assert run.verify().problems == []
    (tmp_path / "first" / "checkpoints").rename(tmp_path / "gone")  # it has a copy of its own
    assert run.verify().problems == []


@pytest.mark.parametrize(("changes", "error", "said"), [
    ({"pretrained": "eva:2018"}, AgentError, "'eva:2018' has no network to start from; name a"),
    ({"pretrained": "rl:2026?temperature=0.1"}, AgentError, "has options, .*; write rl:2026$"),
    ({"pretrained": []}, ConfigError, "pretrained"),
    ({"pretrained": "rl:2028"}, AgentError, "rl:2028"),
    ({"pretrained": "rl:2026", "learner.cards": "both"}, AgentError,
     "knows cards by their numbers, but learner.cards is both; set learner.cards: number"),
    ({"pretrained": "rl:text-2026"}, AgentError, "by their texts, .*; set learner.cards: text"),
    ({"pretrained": "rl:2026", "policy": "end-to-end"}, ConfigError, "random weights"),
])
def test_what_can_not_be_begun_with(tmp_path, changes, error, said):
    with pytest.raises(error, match=said):
        learned(tmp_path / "run", changes=changes)
    assert not (tmp_path / "run").exists()
