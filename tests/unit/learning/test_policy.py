"""Learning a policy: losses by hand, the gradient by differences, the same bits everywhere."""

import numpy as np
import pytest

import hsevo
from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import PARTS
from hsevo.agents.network.network import WEIGHTS
from hsevo.cards.decks import read_deck
from hsevo.config.learning import LearnerSettings
from hsevo.engine.jit import plain
from hsevo.learning.expected import expected_targets
from hsevo.learning.folder import LearningRun
from hsevo.learning.gradient import PASS
from hsevo.learning.learner import ValueLearner, targets_of
from hsevo.learning.options import DECISION
from hsevo.learning.policy import (
    ActorCritic,
    expectations,
    expected_targets_of,
    levels_of,
    options_of,
    record_options,
    record_taught,
    rule,
    together,
)
from hsevo.learning.policy_gradient import add_policy_gradient, log_softmax, policy_slopes
from hsevo.play import match
from hsevo.play.samples import SAMPLE
from tests.support.folders import learned as learn
from tests.unit.learning.test_train import contents

PPO, MMD = {"learner.method": "ppo", "learner.epochs": 2}, {"learner.method": "mmd"}
TAUGHT = {"start": "eva:2018", "start_periods": 1, "learner.asked": 0.5}
FEW = {"games": 1}  # of each pair of decks
TEMPERATURE = 0.5


@pytest.fixture(scope="module")
def games():
    """Return rows, agent and setting of some games of a random net against itself."""
    rows = np.zeros(2, match.PAIRING)
    rows["games"], rows["seed"], rows["deck_b"] = 1, (5, 9), 1
    setting = match.Setting(decks=(read_deck("mage"), read_deck("warrior")))
    return rows, nets.agent(ValueLearner(3).net(), TEMPERATURE), setting


@pytest.fixture(scope="module")
def played(games):
    """Return what these games leave."""
    return record_options(*games)[1]


def loss(advantage, **settings):
    """Return the loss of p = (0.6, 0.3, 0.1), once (0.5, 0.25, 0.25), of which the first was done.
    """
    logs, old = np.log([0.6, 0.3, 0.1]), np.log([0.5, 0.25, 0.25])
    slopes = np.zeros(3)
    settings = LearnerSettings(**{"entropy": 0.0} | settings)
    return plain(policy_slopes)(logs, old, 0, 3, 0, advantage, rule(settings), slopes), slopes


def test_ppo_by_hand():
    """The ratio is 1.2: with a clip of 0.3 it counts, with one of 0.1 only if it should fall."""
    value, slopes = loss(2.0, method="ppo", clip=0.3)
    assert value == pytest.approx(-2.4)
    np.testing.assert_allclose(slopes, [-2.4 * 0.4, 2.4 * 0.3, 2.4 * 0.1])
    value, slopes = loss(2.0, method="ppo", clip=0.1)
    assert value == pytest.approx(-2.2)
    assert not slopes.any()
    value, slopes = loss(-2.0, method="ppo", clip=0.1)
    assert value == pytest.approx(2.4)
    np.testing.assert_allclose(slopes, [2.4 * 0.4, -2.4 * 0.3, -2.4 * 0.1])


def test_entropy_by_hand():
    """By the logits, sum p log p changes as p (log p - sum p log p)."""
    p = np.array([0.6, 0.3, 0.1])
    even = p @ np.log(p)
    value, slopes = loss(0.0, method="ppo", entropy=0.5)
    assert value == pytest.approx(0.5 * even)
    np.testing.assert_allclose(slopes, 0.5 * p * (np.log(p) - even))


def test_mirror_descent_by_hand():
    """No clip; 1 / eta is 4: the divergence is 0.6 log 1.2 + 0.3 log 1.2 + 0.1 log 0.4."""
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.5, 0.25, 0.25])
    near = 0.9 * np.log(1.2) + 0.1 * np.log(0.4)
    value, slopes = loss(2.0, method="mmd", clip=0.1, stepsize=0.25)
    assert value == pytest.approx(-2.4 + 4 * near)
    np.testing.assert_allclose(
        slopes, [-0.96, 0.72, 0.24] + 4 * p * (np.log(p / q) - near), atol=1e-12)


def test_a_teachers_policy_by_hand():
    """The loss is the cross-entropy, and its slopes are p less what the teacher would do."""
    p, teacher, slopes = np.array([0.6, 0.3, 0.1]), np.array([0.0, 0.75, 0.25]), np.zeros(3)
    how = rule(LearnerSettings(method="ppo"), taught=True)
    value = plain(policy_slopes)(np.log(p), teacher, 0, 3, 0, 5.0, how, slopes)
    assert value == pytest.approx(-0.75 * np.log(0.3) - 0.25 * np.log(0.1))
    np.testing.assert_allclose(slopes, p - teacher)


def test_a_step_of_mirror_descent_ends_where_its_slopes_are_zero():
    """Its closed form (Sokota et al.): p ~ (q exp(eta gain))^(1 / (1 + eta alpha)).

    With an advantage of each action, the sum of their losses weighted by q has the gradient of the
    expected gain, so at the closed form it is 0.
    """
    q, gain, eta, alpha = np.array([0.5, 0.3, 0.2]), np.array([1.0, -0.5, 0.2]), 0.7, 0.3
    logs = (np.log(q) + eta * gain) / (1 + eta * alpha)
    plain(log_softmax)(logs, 3)
    settings = LearnerSettings(method="mmd", entropy=alpha, stepsize=eta)
    total, slopes = 0, np.zeros(3)
    for action in range(3):
        plain(policy_slopes)(logs, np.log(q), 0, 3, action, gain[action], rule(settings), slopes)
        total = total + q[action] * slopes
    np.testing.assert_allclose(total, 0, atol=1e-12)


def test_what_is_recorded(games, played):
    """Samples are those of TD(lambda); an option's log-odds are what the network says of it."""
    results, samples, words = match.record_block(*games)
    assert (record_options(*games)[0] == results).all()
    assert (played.samples == samples).all()
    assert (played.words == words).all()
    options, decisions = played.options, played.decisions
    odds = ValueLearner(3).odds(options, played.option_words)
    going = options["n"] > 0
    np.testing.assert_allclose(odds[going], options["odds"][going], atol=0.01)  # it is rounded
    assert set(np.abs(options["odds"][~going])) <= {0.0, 20.0}
    assert (np.diff(decisions["first"]) == decisions["n"][:-1]).all()
    assert ((decisions["chosen"] - decisions["first"]) < decisions["n"]).all()
    ended = decisions["sample"] < 0
    assert ended.sum() <= 2
    assert (options["n"][decisions["chosen"][~ended]] > 0).all()
    assert (samples["seat"][decisions["sample"][~ended]]
            == options["seat"][decisions["chosen"][~ended]]).all()


def test_a_teacher_is_asked_about_a_share_of_the_decisions(games, played):
    """The games stay the learner's own. Here the learner, without chance, is its own teacher."""
    rows, learner, setting = games
    teacher = nets.agent(ValueLearner(3).net())
    results, asked = record_taught(0.25, rows, np.concatenate([learner, teacher]), setting)
    assert (results == record_options(*games)[0]).all()
    assert (asked.samples == played.samples).all()
    choices = (played.decisions["n"] > 1).sum()
    assert 0.1 * choices < len(asked.decisions) < 0.4 * choices
    for d in asked.decisions:
        odds = asked.options["odds"][d["first"]:d["first"] + d["n"]]
        assert odds[d["chosen"] - d["first"]] == odds.max()


def test_a_teacher_may_search(games):
    """Its moves are those that it makes in the same position."""
    rows, learner, setting = games
    teacher = hsevo.Agent("gsv?nodes=20").record.reshape(1)
    asked = record_taught(1.0, rows, np.concatenate([learner, teacher]), setting)[1]
    places = asked.decisions["chosen"] - asked.decisions["first"]
    assert (places >= 0).all()
    assert (places < asked.decisions["n"]).all()
    assert len({*places.tolist()}) > 2


def test_too_little_room_is_doubled(games, played, monkeypatch):
    monkeypatch.setattr("hsevo.learning.policy.ROOM", 10)
    monkeypatch.setattr("hsevo.learning.policy.SPARE", 100)
    again = record_options(*games)[1]
    assert all((one == other).all() for one, other in zip(again, played, strict=True))


def test_joined_blocks_keep_their_options(played):
    both = together([played, played])
    n, k = len(played.decisions), len(played.options)
    assert (both.decisions["first"][n:] == played.decisions["first"] + k).all()
    assert (both.options["odds"][both.decisions["chosen"][n:]]
            == played.options["odds"][played.decisions["chosen"]]).all()
    assert ((both.decisions["sample"][n:] < 0) == (played.decisions["sample"] < 0)).all()


def expected_by_hand(trace, discount):
    """Return the targets of two like games of three decisions of player 0, and two of player 1.

    Player 1's last action wins, and leads to no position. Two options at each decision.
    """
    options = np.zeros(20, SAMPLE).view(np.recarray)
    options.seat = np.tile(np.repeat([0, 0, 1, 0, 1], 2), 2)
    options.outcome = np.where(options.seat == 1, 1, -1)
    options.game = np.repeat([0, 1], 10)
    decisions = np.zeros(10, DECISION).view(np.recarray)
    decisions.first, decisions.n = 2 * np.arange(10), 2
    decisions.chosen = decisions.first + np.tile([0, 1, 0, 1, 1], 2)
    decisions.sample = [0, 1, 2, 3, -1, 4, 5, 6, 7, -1]
    values = np.tile([0.5, 0.1, 0.2, 0.6, 0.3, 0.1, 0.2, 0.5, 0.7, 0.9], 2).astype(np.float32)
    expected = np.tile([0.3, 0.5, 0.2, 0.4, 0.8], 2).astype(np.float32)
    targets = np.zeros(8, np.float32)
    expected_targets(options, decisions, values, expected, trace, discount, targets)
    assert (targets[:4] == targets[4:]).all()
    return targets[:4]


def test_expected_targets_by_hand():
    # player 0, backwards: 0; 0.4 + (0 - 0.5) / 2 = 0.15; 0.5 + (0.15 - 0.6) / 2 = 0.275
    # player 1: the win is 1; 0.8 + (1 - 0.9) / 2 = 0.85
    np.testing.assert_allclose(expected_by_hand(0.5, 1.0), [0.275, 0.15, 0.85, 0.0], atol=1e-6)
    # lambda 0: what is expected of the next decision; 1: the outcome, and what was luck taken off
    np.testing.assert_allclose(expected_by_hand(0.0, 1.0), [0.5, 0.4, 0.8, 0.0], atol=1e-6)
    np.testing.assert_allclose(expected_by_hand(1.0, 1.0), [-0.2, -0.1, 0.9, 0.0], atol=1e-6)


def test_discounted_expected_targets_by_hand():
    """With gamma 1/2, the distance from 1/2 halves with each action before the last.

    Player 0: 1/4 + 0.15 / 2 = 0.325; 0.5 + (0.325 - 0.6) / 2 = 0.3625, halved: 0.43125.
    """
    np.testing.assert_allclose(
        expected_by_hand(0.5, 0.5), [0.43125, 0.325, 0.675, 0.0], atol=1e-6)


def test_expected_targets_without_a_choice_are_those_of_td(played):
    """Where what is expected is the value of the option that was taken."""
    learner = ValueLearner(4)
    values, decisions = expectations(learner, played, TEMPERATURE)[1], played.decisions
    taken, going = values[decisions["chosen"]], decisions["sample"] >= 0
    odds, targets = np.zeros((2, len(played.samples)), np.float32)
    odds[decisions["sample"][going]] = np.log(taken[going] / (1 - taken[going]))
    for trace in (0.0, 0.7):
        expected_targets(played.options.view(np.recarray), decisions.view(np.recarray), values,
                         taken, trace, 1.0, targets)
        np.testing.assert_allclose(targets, targets_of(played.samples, odds, trace), atol=1e-5)
    learner.close()


def test_expected_targets_are_those_of_the_policy_that_played(played):
    """With lambda 0, the mean of the values at the player's next decision."""
    learner, settings = ValueLearner(4), LearnerSettings(temperature=TEMPERATURE, trace=0.0)
    targets = expected_targets_of(learner, played, settings)
    odds = learner.odds(played.options, played.option_words)
    odds = np.where(played.options["n"] > 0, odds, played.options["odds"])
    last = {}
    for d in played.decisions:
        here = slice(d["first"], d["first"] + d["n"])
        q = np.exp(played.options["odds"][here] / TEMPERATURE)
        before, taken = d["sample"], played.options[d["chosen"]]
        chain = int(taken["game"]), int(taken["seat"])
        if chain in last:
            assert targets[last[chain]] == pytest.approx(
                (q / q.sum()) @ (1 / (1 + np.exp(-odds[here]))), abs=1e-4)
        last[chain] = before
    for (_, seat), sample in last.items():
        if sample >= 0:
            won = played.samples[sample]
            assert won["seat"] == seat
            assert targets[sample] == (1 + won["outcome"]) / 2
    learner.close()


@pytest.fixture
def critic():
    """Return a policy and values that learn."""
    pair = ValueLearner(3), ValueLearner(4)
    yield ActorCritic(*pair, LearnerSettings(method="ppo", temperature=TEMPERATURE, batch=64,
                                             trace=1.0))
    for one in pair:
        one.close()


def test_advantages_are_outcomes_less_what_was_expected(played, critic):
    """With lambda 1 a return is the outcome."""
    found, _, old = critic.advantages(played)
    odds = critic.values.odds(played.options, played.option_words)
    odds = np.where(played.options["n"] > 0, odds, played.options["odds"])
    wanted = []
    for d in played.decisions:
        here = slice(d["first"], d["first"] + d["n"])
        q = np.exp(played.options["odds"][here] / TEMPERATURE)
        q /= q.sum()
        np.testing.assert_allclose(np.exp(old[here]), q, rtol=1e-4)
        won = (1 + played.options["outcome"][d["chosen"]]) / 2
        wanted.append(won - q @ (1 / (1 + np.exp(-odds[here]))))
    wanted = (np.array(wanted) - np.mean(wanted)) / np.std(wanted)
    np.testing.assert_allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize("settings", [
    LearnerSettings(method="ppo", temperature=TEMPERATURE, entropy=0.2),
    LearnerSettings(method="mmd", temperature=TEMPERATURE, entropy=0.2, stepsize=0.5)])
def test_the_gradient_is_finite_differences(played, critic, settings):
    advantages, levels, old = critic.advantages(played)
    order = np.flatnonzero(played.decisions["n"] > 2)[:20]
    weights, k = critic.policy.weights, int(played.decisions["n"].max())
    weights["third"] *= 1.5  # so that p is not q
    how = rule(settings)
    how.level = 0.05  # the tolerance would hide the usual weight
    passes, scratch = np.zeros(k, PASS).view(np.recarray), np.zeros((2, k))

    def loss(into):
        return add_policy_gradient(
            weights[0], played.options.view(np.recarray), played.option_words,
            played.decisions.view(np.recarray), order, advantages, levels, old, how, passes,
            scratch, into[0])

    gradient = np.zeros(1, WEIGHTS).view(np.recarray)
    loss(gradient)
    for name in PARTS:
        found, there = gradient[name].ravel(), weights[name].reshape(-1)
        for i in np.argsort(-np.abs(found))[:2]:
            before, sides = there[i], []
            for step in (1e-3, -1e-3):
                there[i] = before + step
                sides.append(loss(np.zeros(1, WEIGHTS).view(np.recarray)))
            there[i] = before
            slope = (sides[0] - sides[1]) / 2e-3
            assert abs(slope - found[i]) <= 0.03 * abs(found[i]) + 0.02, (name, i)


def test_levels_are_the_log_odds_of_what_is_expected():
    np.testing.assert_allclose(levels_of(np.array([0.5, 0.25, 1.0, 0.0], np.float32)),
                               [0, -np.log(3), np.log(999), -np.log(999)], rtol=1e-4)


@pytest.mark.parametrize("level", [-4, 4])
def test_the_log_odds_are_pulled_to_their_level(played, critic, level):
    """Beyond 20, the network that plays tells no actions apart."""
    advantages, _, old = critic.advantages(played)
    levels = np.full_like(advantages, level)
    critic.policy.weights["bias"][0, -1] += 10

    def far_off():
        odds = critic.policy.odds(played.options, played.option_words)
        odds = np.where(played.options["n"] > 0, odds, played.options["odds"]) / TEMPERATURE
        logs = [TEMPERATURE * np.logaddexp.reduce(odds[d["first"]:d["first"] + d["n"]])
                for d in played.decisions]
        return np.median(np.abs(logs - levels))

    before = far_off()
    for _ in range(40):
        critic._improve(played, np.zeros_like(advantages), levels, old, 0.02)
    assert before > 5
    assert far_off() < 1.5


def test_what_turned_out_well_becomes_more_likely(played, critic):
    advantages, levels, old = critic.advantages(played)
    for _ in range(3):
        critic._improve(played, advantages, levels, old, 1e-3)
    odds = critic.policy.odds(played.options, played.option_words)
    odds = np.where(played.options["n"] > 0, odds, played.options["odds"]) / TEMPERATURE
    more = [odds[d["chosen"]] - np.logaddexp.reduce(odds[d["first"]:d["first"] + d["n"]])
            - old[d["chosen"]] for d in played.decisions]
    assert np.mean(more * advantages) > 0.01


def test_a_policy_learns_to_do_as_its_teacher(games):
    rows, learner, setting = games
    teacher = hsevo.Agent("eva:2018").record.reshape(1)
    asked = record_taught(1.0, rows, np.concatenate([learner, teacher]), setting)[1]
    net, values = ValueLearner(3), ValueLearner(4)
    both = ActorCritic(net, values, LearnerSettings(method="ppo", temperature=TEMPERATURE,
                                                    epochs=20, batch=64))

    def agreement():
        odds = net.odds(asked.options, asked.option_words)
        odds = np.where(asked.options["n"] > 0, odds, asked.options["odds"])
        best = [d["first"] + odds[d["first"]:d["first"] + d["n"]].argmax()
                for d in asked.decisions]
        return (np.array(best) == asked.decisions["chosen"]).mean()

    before = agreement()
    both.imitate(asked, 3e-3)
    assert agreement() > before + 0.1


@pytest.mark.parametrize("known", ["text", "both"])
def test_each_step_learns_about_the_cards_of_its_batch(played, known):
    """No gradient is left for a later step, and unmet cards stay as they are."""
    net = ValueLearner(3, 1, known, 0.25)
    both = ActorCritic(net, ValueLearner(4, 1, known, 0.25),
                       LearnerSettings(method="ppo", temperature=TEMPERATURE, batch=8))
    advantages = np.ones(len(played.decisions), np.float32)
    both._improve(played, advantages, np.zeros_like(advantages),
                  np.zeros(len(played.options), np.float32), 1e-3)
    assert net.step > 2
    assert not net._shards.any()
    free = np.flatnonzero(played.decisions["n"] > 1)
    assert len(free) < len(played.decisions)  # else a mistake in the numbers would not show
    d = played.decisions[free[5]]
    assert (options_of(played, free[5:6]) == played.options[d["first"]:d["first"] + d["n"]]).all()


TEXT = {"learner.cards": "text"}


@pytest.mark.parametrize("changes", [PPO, MMD, PPO | TAUGHT, PPO | TEXT])
def test_any_number_of_workers_and_a_stop_change_nothing(tmp_path, changes):
    one = learn(tmp_path / "one", workers=1, changes=FEW | changes)

    def stop(done, total):
        if done >= 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "two", workers=2, changes=FEW | changes, progress=stop)
    two = hsevo.Learned(tmp_path / "two").resume(workers=2)
    assert contents(two.path) == contents(one.path)
    states = [LearningRun(done.path).committed for done in (one, two)]
    assert states[0]["values_step"] == states[1]["values_step"] > 0
    for name in ("weights", "values", "values_moments", "met"):
        assert (states[0][name] == states[1][name]).all()
    assert (states[0]["values"] != states[0]["weights"]).any()
    if "learner.cards" in changes:
        return
    policy, searching = (nets.carried(hsevo.Agent(f"rl:{one.path}{search}").record)[0]
                         for search in ("", "?search=turn"))
    assert policy.tobytes() == nets.quantized(states[0]["weights"].view(WEIGHTS)[0]).tobytes()
    assert searching.tobytes() == nets.quantized(states[0]["values"].view(WEIGHTS)[0]).tobytes()
    assert one.verify().problems == []
