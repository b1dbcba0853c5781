"""The learner's arithmetic, against finite differences and numbers computed by hand."""

import numpy as np
import pytest

from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import PARTS
from hsevo.agents.network.network import WEIGHTS
from hsevo.agents.shared.scratch import GROUPS
from hsevo.cards.decks import read_deck
from hsevo.config.learning import LearnerSettings
from hsevo.learning.gradient import PASS, adam, add_gradient, td_targets
from hsevo.learning.learner import SHARDS, ValueLearner, first_weights, joined
from hsevo.play import match
from hsevo.play.samples import HEAD, SAMPLE


@pytest.fixture(scope="module")
def played():
    """Return samples and words of some games of a random net against itself."""
    agent = nets.agent(ValueLearner(3).net(), 1.0)
    rows = np.zeros(2, match.PAIRING)
    rows["games"], rows["seed"], rows["deck_b"] = 2, (5, 9), 1
    setting = match.Setting(decks=(read_deck("mage"), read_deck("warrior")))
    return match.record_block(rows, agent, setting)[1:]


def numbers(n):
    """Return n samples of one game, players 0 and 1 by turns, player 1 the winner."""
    samples = np.zeros(n, SAMPLE).view(np.recarray)
    samples.seat = np.arange(n) % 2
    samples.outcome = np.where(samples.seat == 1, 1, -1)
    return samples


def test_td_targets_by_hand():
    """Odds 0 and log 3 are values 1/2 and 3/4; lambda is 1/2."""
    samples = numbers(5)
    odds = np.array([0, np.log(3), np.log(3), 0, 0], np.float32)
    targets = np.zeros(5, np.float32)
    td_targets(samples, odds, 0.5, 1.0, targets)
    # player 0, backwards: 0; (1/2 + 0) / 2 = 1/4; (3/4 + 1/4) / 2 = 1/2. player 1: 1; 1/2, 1 -> 3/4
    np.testing.assert_allclose(targets, [0.5, 0.75, 0.25, 1.0, 0.0], atol=1e-7)


def test_discounted_targets_by_hand():
    """With gamma 1/2, a target's distance from 1/2 halves with each action before the last."""
    samples = numbers(5)
    odds = np.array([0, np.log(3), np.log(3), 0, 0], np.float32)
    targets = np.zeros(5, np.float32)
    td_targets(samples, odds, 0.5, 0.5, targets)
    # player 0, backwards: 0; 1/4 + 1/8 = 3/8; 1/4 + (3/4 + 3/8) / 4 = 17/32. player 1: 1; 5/8
    np.testing.assert_allclose(targets, [17 / 32, 0.625, 0.375, 1.0, 0.0], atol=1e-7)
    td_targets(samples, odds, 1.0, 0.5, targets)
    # of the outcome alone: -1, -1/2, -1/4 as rewards; of player 1: 1, 1/2
    np.testing.assert_allclose(targets, [0.375, 0.75, 0.25, 1.0, 0.0], atol=1e-7)


def test_games_do_not_run_into_each_other():
    samples = np.concatenate([numbers(2), numbers(2)]).view(np.recarray)
    samples.game = [0, 0, 1, 1]
    targets = np.zeros(4, np.float32)
    td_targets(samples, np.full(4, 3, np.float32), 0.9, 1.0, targets)
    assert targets.tolist() == [0, 1, 0, 1]


def test_adam_by_hand():
    """Step 1 moves each weight by the rate against its gradient's sign, whatever its size."""
    weights, moments = np.ones(3, np.float32), np.zeros((2, 3), np.float32)
    gradients = np.zeros((SHARDS, 3), np.float32)
    gradients[:2] = [[4, -1, 0], [4, -1, 0]]  # of 2 samples: means 4, -1, 0
    adam(weights, gradients, moments[0], moments[1], 1, 3, 0.1, 2.0, 1.0)
    assert weights[0] == 1  # only the part that was asked for
    adam(weights, gradients, moments[0], moments[1], 0, 1, 0.1, 2.0, 1.0)
    np.testing.assert_allclose(weights, [0.9, 1.1, 1.0], atol=1e-6)
    np.testing.assert_allclose(moments, [[0.4, -0.1, 0], [0.016, 0.001, 0]], rtol=2e-5)  # float32
    assert not gradients.any()
    adam(weights, gradients, moments[0], moments[1], 0, 3, 0.1, 2.0, 2.0)  # moments move on alone
    np.testing.assert_allclose(weights, [0.8330, 1.1670, 1.0], atol=1e-4)


def test_gradients_are_finite_differences(played):
    samples, words = played
    given, order = samples.view(np.recarray), np.arange(0, len(samples), 9)
    targets = np.linspace(0, 1, len(samples)).astype(np.float32)
    passes = np.zeros(1, PASS).view(np.recarray)
    weights = first_weights(1)
    weights["third"] *= 10

    def loss(into):
        return add_gradient(weights[0], given, words, order, targets, passes[0], into[0])

    gradient = np.zeros(1, WEIGHTS).view(np.recarray)
    loss(gradient)
    for name in PARTS:
        found = gradient[name].ravel()
        there = weights[name].reshape(-1)
        for i in np.argsort(-np.abs(found))[:3]:
            before, sides = there[i], []
            for step in (2e-3, -2e-3):
                there[i] = before + step
                sides.append(loss(np.zeros(1, WEIGHTS).view(np.recarray)))
            there[i] = before
            slope = (sides[0] - sides[1]) / 4e-3
            assert abs(slope - found[i]) <= 0.03 * abs(found[i]) + 0.01, (name, i)


def test_a_step_is_the_same_on_any_number_of_threads(played):
    results = []
    for threads in (1, 3):
        learner = ValueLearner(7, threads)
        learner.learn(*played, 1e-3, LearnerSettings(trace=0.8, batch=64, epochs=2))
        learner.close()
        results.append(learner.flat.tobytes())
    assert results[0] == results[1]


def test_the_values_of_an_expert_are_learned(played):
    """If they are those of the network, nothing changes; with others, what is learned does."""
    samples, words = played
    results = []
    for expert, more in ((False, 0), (True, 0), (True, 1)):
        learner, given = ValueLearner(7), samples.copy()
        given["odds"] = learner.odds(samples, words) + more
        learner.learn(given, words, 1e-3, LearnerSettings(
            trace=0.5, batch=64, epochs=1, expert="turn" if expert else "none"))
        learner.close()
        results.append(learner.flat.copy())
    assert (results[0] == results[1]).all()
    assert (results[0] != results[2]).any()


def test_learning_lowers_the_loss(played):
    learner = ValueLearner(7)
    before, after = learner.learn(*played, 3e-3, LearnerSettings(trace=1.0, batch=32, epochs=20))
    assert after < before - 0.1


def test_joined_blocks_keep_their_words_and_games(played):
    samples, words = played
    both, text = joined([played, played])
    n = len(samples)
    assert both["game"][n] == samples["game"].max() + 1
    for i in (0, n - 1):
        ours, theirs = both[n + i], samples[i]
        size = HEAD + 2 * theirs["n"]
        assert (text[ours["at"]:ours["at"] + size] == words[theirs["at"]:theirs["at"] + size]).all()


def test_samples_are_of_both_players_and_know_who_won(played):
    samples, words = played
    for game in np.unique(samples["game"]):
        here = samples[samples["game"] == game]
        ends = {(one["seat"], one["outcome"]) for one in here}
        assert ends in ({(0, 1), (1, -1)}, {(0, -1), (1, 1)}, {(0, 0), (1, 0)})
    assert (words[samples["at"] + GROUPS] == samples["n"]).all()


def test_nets_are_float_weights_rounded(played):
    """The integer network computes what the float network does, within rounding."""
    learner = ValueLearner(3)
    net = learner.net()
    assert np.abs(net["first"] / 1024 - learner.weights["first"][0]).max() <= 0.5 / 1024
