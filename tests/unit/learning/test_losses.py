"""The losses: each against numbers computed by hand, the gradients against finite differences."""

import numpy as np
import pytest

from hsevo.config.learning import NetworkSettings
from hsevo.learning.losses import (
    DecisionBatch,
    entropies,
    log_softmax,
    losses,
    mirror,
    ppo,
    upgo,
    vtrace,
)

# A game of three decisions, won at the end.
REWARDS, DISCOUNTS = np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.0])
VALUES = np.array([0.5, 0.2, -0.4, 9.0])  # what follows the end does not count
RATIOS = np.array([2.0, 0.5, 0.0001])


def test_vtrace_with_both_bounds():
    """Ratios become 1.007, 0.5, 0.001; differences are -0.3, -0.6, 1.4.

    v_2 = -0.4 + 0.001 * 1.4,  v_1 = 0.2 - 0.5 * 0.6 + 0.5 * 0.0014,
    v_0 = 0.5 - 1.007 * 0.3 + 1.007 * (-0.0993 - 0.2)
    """
    targets, advantages = vtrace(REWARDS, VALUES, DISCOUNTS, RATIOS)
    np.testing.assert_allclose(targets, [-0.1034951, -0.0993, -0.3986, 9.0], rtol=1e-12)
    np.testing.assert_allclose(advantages, [-0.0993 - 0.5, -0.3986 - 0.2, 1.4], rtol=1e-12)


def test_vtrace_has_bounds_of_its_own_for_trace_and_difference():
    hyper = NetworkSettings(trace_clip=(0.0, 1.0), clip=(0.0, 1.5))
    targets, _ = vtrace(REWARDS, VALUES, DISCOUNTS, RATIOS, hyper)
    last = -0.4 + 0.0001 * 1.4
    middle = 0.2 - 0.3 + 0.5 * 0.00014
    np.testing.assert_allclose(targets[:3], [0.5 - 0.45 + (middle - 0.2), middle, last])


def test_vtrace_on_policy_without_bounds_is_the_return():
    targets, _ = vtrace(REWARDS, VALUES, DISCOUNTS, np.ones(3))
    np.testing.assert_allclose(targets[:3], [1, 1, 1])


def test_discounts_discount():
    targets, _ = vtrace(REWARDS, VALUES, 0.9 * DISCOUNTS, np.ones(3))
    np.testing.assert_allclose(targets[:3], [0.81, 0.9, 1])


def test_an_unfinished_game_is_worth_what_follows():
    targets, _ = vtrace(np.zeros(1), np.array([0.1, 0.7]), np.ones(1), np.ones(1))
    assert targets[0] == pytest.approx(0.7)


def test_upgo_goes_on_while_play_is_no_worse_than_expected():
    """The second decision disappoints (-0.4 < 0.2), the third does not (1 > -0.4)."""
    np.testing.assert_allclose(upgo(REWARDS, VALUES, DISCOUNTS), [0.2, 1.0, 1.0])


def test_upgo_stops_at_the_end_of_a_game():
    """Two games in a row, of one decision each."""
    returns = upgo(np.array([-1.0, 1.0]), np.array([0.0, 0.3, 5.0]), np.zeros(2))
    assert returns.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize(("ratio", "advantage", "expected"), [
    (1.5, 2.0, 2.4), (0.5, 2.0, 1.0), (1.5, -1.0, -1.5), (0.5, -1.0, -0.8), (1.1, 2.0, 2.2)])
def test_ppo(ratio, advantage, expected):
    assert ppo(np.array(ratio), np.array(advantage)) == pytest.approx(expected)


def test_what_is_not_legal_has_no_probability_and_no_entropy():
    logs = log_softmax(np.array([3.0, 3.0, 99.0, 3.0]), np.array([True, True, False, True]))
    np.testing.assert_allclose(np.exp(logs), [1 / 3, 1 / 3, 0, 1 / 3])
    assert entropies(logs) == pytest.approx(np.log(3))


@pytest.mark.parametrize(("form", "rising"), [
    ("vtrace", 1.007 * 0.8 * np.log(2)), ("ppo", -1.2 * 0.8)])
def test_all_parts_of_one_decision(form, rising):
    """Two actions alike, pi / mu = 2; V = 0.2, and the game is won.

    The advantage is 0.8, v = 0.2 + 1.007 * 0.8.
    """
    hyper = NetworkSettings(upgo_gradient=form)
    found = losses(np.zeros((1, 2)), np.array([0.2, 0.0]), one_decision(), hyper)
    value = (1.007 * 0.8) ** 2 / 2
    assert found.policy == pytest.approx(-1.2 * 0.8)
    assert found.upgo == pytest.approx(rising)
    assert found.value == pytest.approx(value)
    assert found.entropy == pytest.approx(np.log(2))
    assert found.total == pytest.approx(-0.96 + rising + value - 0.01 * np.log(2))


def test_the_policy_gradient_without_ppo():
    """Equation (4): the ratio 2, cut to 1, times the advantage 0.8 times log pi = log 1/2."""
    hyper = NetworkSettings(gradient="vtrace", trace_clip=(0.0, 1.0), clip=(0.0, 1.0))
    found = losses(np.zeros((1, 2)), np.array([0.2, 0.0]), one_decision(), hyper)
    assert found.policy == pytest.approx(0.8 * np.log(2))


def one_decision() -> DecisionBatch:
    """Return a batch of a game with one decision, the first of two actions, that was won."""
    one = np.ones(1)
    return DecisionBatch(np.zeros(1, int), np.ones((1, 2), bool), np.log(0.25 * one), one, 0 * one,
                         one)


def test_the_weights_of_the_parts():
    hyper = NetworkSettings(policy=2, upgo=3, value=5, entropy=0.7)
    found = losses(np.zeros((1, 2)), np.array([0.2, 0.0]), one_decision(), hyper)
    assert found.total == pytest.approx(
        2 * found.policy + 3 * found.upgo + 5 * found.value - 0.7 * found.entropy)


def random_batch(seed: int) -> tuple[np.ndarray, np.ndarray, DecisionBatch]:
    """Return logits, values and a batch of 6 steps in 5 rows, games ending here and there."""
    rng = np.random.default_rng(seed)
    shape, most = (6, 5), 4
    legal = rng.random((*shape, most)) < 0.7
    legal[..., 0] = True
    logits = rng.normal(size=(*shape, most))
    actions = (legal * rng.random(legal.shape)).argmax(-1)
    own = np.take_along_axis(log_softmax(logits, legal), actions[..., None], -1)[..., 0]
    discounts = (rng.random(shape) < 0.7).astype(float)
    rewards = np.where(discounts > 0, 0.0, rng.choice([-1.0, 1.0], shape))
    weights = (rng.random(shape) < 0.8).astype(float)
    behaviour = own + rng.normal(scale=0.4, size=shape)
    return logits, rng.normal(size=(7, 5)), DecisionBatch(
        actions, legal, behaviour, rewards, discounts, weights)


def frozen(logits, values, batch, hyper, at):
    """Return the total where targets, advantages and UPGO's weights are those of logits `at`."""
    def chosen(of):
        logs = log_softmax(of, batch.legal)
        return np.take_along_axis(logs, batch.actions[..., None], -1)[..., 0]

    old = np.exp(chosen(at[0]) - batch.behaviour)
    targets, advantages = vtrace(batch.rewards, at[1], batch.discounts, old, hyper)
    gains = upgo(batch.rewards, at[1], batch.discounts) - at[1][:-1]
    now = np.exp(chosen(logits) - batch.behaviour)

    def gained(form, gains):
        if form == "mmd":
            return now * gains - (now - 1 - np.log(now)) / hyper.stepsize
        return (ppo(now, gains, hyper.epsilon) if form == "ppo"
                else np.clip(old, *hyper.clip) * gains * chosen(logits))

    parts = (-hyper.policy * gained(hyper.gradient, advantages)
             - hyper.upgo * gained(hyper.upgo_gradient, gains)
             + hyper.value * (values[:-1] - targets[:-1]) ** 2 / 2
             - hyper.entropy * entropies(log_softmax(logits, batch.legal)))
    return (batch.weights * parts).sum() / batch.weights.sum()


def differences(function, at, step=1e-6):
    """Return the derivatives of a function by every entry of an array, by central differences."""
    found = np.zeros(at.shape)
    for place in np.ndindex(at.shape):
        move = np.zeros(at.shape)
        move[place] = step
        found[place] = (function(at + move) - function(at - move)) / (2 * step)
    return found


@pytest.mark.parametrize("form", ["vtrace", "ppo", "mmd"])
@pytest.mark.parametrize("weights", [
    {}, {"policy": 0, "upgo": 0, "value": 0, "entropy": 1}, {"upgo": 0, "entropy": 0},
    {"policy": 0, "entropy": 0}])
def test_gradients_are_those_of_finite_differences(form, weights):
    logits, values, batch = random_batch(3)
    hyper, at = NetworkSettings(gradient=form, upgo_gradient=form, **weights), (logits, values)
    found = losses(logits, values, batch, hyper)
    assert found.total == pytest.approx(frozen(logits, values, batch, hyper, at))
    np.testing.assert_allclose(found.d_logits, differences(
        lambda x: frozen(x, values, batch, hyper, at), logits), atol=1e-8)
    np.testing.assert_allclose(found.d_values, differences(
        lambda x: frozen(logits, x, batch, hyper, at), values)[:-1], atol=1e-8)


def test_mirror_descent_by_hand():
    """Ratio 2, A = 0.5, eta = 2: 1 - (2 - 1 - log 2) / 2. At ratio 1 the divergence is 0."""
    found = mirror(np.array([2.0, 1.0]), np.array([0.5, -3.0]), 2.0)
    assert found == pytest.approx([1 - (1 - np.log(2)) / 2, -3])


def test_padding_changes_nothing():
    logits, values, batch = random_batch(4)
    found = losses(logits, values, batch)
    wild = DecisionBatch(batch.actions, batch.legal, np.where(batch.weights, batch.behaviour, -3.0),
                 batch.rewards, np.zeros_like(batch.discounts), batch.weights)
    ends = DecisionBatch(batch.actions, batch.legal, batch.behaviour, batch.rewards,
                 np.zeros_like(batch.discounts), batch.weights)
    assert losses(logits, values, wild).total == losses(logits, values, ends).total
    assert (found.d_logits[batch.weights == 0] == 0).all()
    assert (found.d_values[batch.weights == 0] == 0).all()
