"""OSFP on games whose equilibria are known; first, that the evaluators know them."""

import functools

import numpy as np
import pytest

from hsevo.config.learning import OsfpSettings
from tests.support.small_games import (
    Tree,
    best_response,
    biased_rps,
    kuhn,
    leduc,
    nash_conv,
    tree,
    value,
)
from tests.support.tabular import (
    STEEP,
    Budget,
    gradient,
    learn,
    mirror_descent,
    play,
    ppo,
    reinforce,
    softmax,
)


@functools.cache
def game(rules) -> Tree:
    return tree(rules)


@pytest.mark.parametrize(("rules", "infosets", "expected"), [
    (biased_rps, 2, 4 / 3),  # of each seat: rock wins 3, 0 or -1
    (kuhn, 12, 11 / 12), (leduc, 288, 4.747222222222222)])
def test_nash_conv_of_the_uniform_policy(rules, infosets, expected):
    """Of the pokers, as OpenSpiel and others report it."""
    one = game(rules)
    assert one.legal.shape[0] == infosets
    assert nash_conv(one, one.uniform()) == pytest.approx(expected, abs=1e-12)


def test_the_equilibrium_of_biased_rock_paper_scissors():
    policy = np.array([[0.2, 0.6, 0.2]] * 2)
    assert nash_conv(game(biased_rps), policy) == pytest.approx(0, abs=1e-9)


def test_against_scissors_alone_rock_wins_three():
    one = game(biased_rps)
    assert best_response(one, np.array([[0, 0, 1.0]] * 2), 0) == 3
    assert value(one, np.array([[1.0, 0, 0], [0, 0, 1.0]])) == 3


@pytest.mark.parametrize("bluff", [0.0, 1 / 6, 1 / 3])
def test_the_equilibria_of_kuhn_poker(bluff):
    """Kuhn's family: the first player bets a jack by `bluff`; its value is -1/18."""
    one = game(kuhn)
    bets = {(0, ""): bluff, (1, ""): 0, (2, ""): 3 * bluff, (0, "pb"): 0, (1, "pb"): bluff + 1 / 3,
            (2, "pb"): 1, (0, "p"): 1 / 3, (1, "p"): 0, (2, "p"): 1, (0, "b"): 0, (1, "b"): 1 / 3,
            (2, "b"): 1}
    policy = np.zeros(one.legal.shape)
    for node, state in enumerate(states(kuhn)):
        if one.mover[node] < 2:
            cards, played = state
            bet = bets[cards[len(played) % 2], played]
            policy[one.infoset[node], :2] = 1 - bet, bet
    assert value(one, policy) == pytest.approx(-1 / 18)
    assert nash_conv(one, policy) == pytest.approx(0, abs=1e-9)


def states(rules) -> list:
    """Return the states of a game in the order of its tree's nodes."""
    found = [()]
    for state in found:
        node = rules(state)
        found += [] if isinstance(node, float) else list(node.follow)
    return found


def test_sampled_games_are_those_of_the_tree():
    """Mean payoffs agree with the exact value within four standard errors, in both seats."""
    one, n = game(kuhn), 20_000
    rng = np.random.default_rng(3)
    policies = np.array([softmax(one, rng.normal(size=one.legal.shape)) for _ in range(2)])
    visits, payoffs = play(one, policies, np.ones(n, int), rng)
    first = np.isin(np.arange(len(one.legal)), one.infoset[one.mover == 0])
    for seat in (0, 1):
        mixed = np.where((first == (seat == 0))[:, None], policies[0], policies[1])
        mean = payoffs[seat::2].mean()
        assert mean == pytest.approx((1 - 2 * seat) * value(one, mixed), abs=4 * 2 / (n / 2) ** 0.5)
        assert (first[visits[visits[:, 0] % 2 == seat, 1]] == (seat == 0)).all()


def test_the_gradient_points_to_what_won_more():
    """Visits by hand: action 0 won 1 and -1, action 1 won 3; entropy pulls to even chances."""
    policy = np.array([[0.75, 0.25], [0.5, 0.5]])
    visits = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 1]])
    found = gradient(policy, visits, np.array([1.0, -1.0, 3.0]), entropy=0.0)
    np.testing.assert_allclose(found, [[-2 / 3, 2 / 3], [0, 0]])  # the mean payoff is 1
    even = gradient(policy, visits, np.zeros(3), entropy=1.0)
    np.testing.assert_allclose(even[0], [-0.1875 * np.log(3), 0.1875 * np.log(3)])


@functools.cache
def learned(rules, seed: int, settings: OsfpSettings):
    """Return the NashConv after every period, and the number of members in the end."""
    curve, osfp = learn(game(rules), settings, seed, Budget())
    return curve, osfp.members


@pytest.mark.parametrize(("rules", "seed", "most"), [(biased_rps, 2, 0.2), (kuhn, 1, 0.1)])
def test_the_latest_policy_of_osfp_is_hard_to_exploit(rules, seed, most):
    """NashConv over the last five periods: exploitability is half of it."""
    curve, members = learned(rules, seed, STEEP)
    assert curve[-5:].max() < most
    assert members > 10


def test_plain_self_play_is_easier_to_exploit():
    """By the same budget and seed, on average over the last third: it runs in circles."""
    alone, _ = learned(biased_rps, 2, OsfpSettings(score="mean", self_play=1.0))
    osfp, _ = learned(biased_rps, 2, STEEP)
    assert alone[-50:].mean() > osfp[-50:].mean()


def test_learning_is_a_matter_of_the_seed():
    short = Budget(periods=3, steps=5, games=64)
    once, again, other = (learn(game(kuhn), STEEP, seed, short)[0] for seed in (1, 1, 2))
    assert once.tolist() == again.tolist() != other.tolist()


ONE = Tree(*(np.zeros(0),) * 5, np.ones((2, 2), bool), ())  # two infosets of two actions
PLAYED = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 1]])  # game, infoset, action


def test_mirror_descent_in_closed_form():
    """By hand: action 0 won 1 and -1, action 1 won 3; less the mean, 1, that is -1 and 2."""
    logits = np.array([[0.6, -0.3], [1.0, 0.0]])
    found = mirror_descent(ONE, logits, PLAYED, np.array([1.0, -1.0, 3.0]), 0.5, 0.4)
    np.testing.assert_allclose(found, [[(0.6 - 0.5) / 1.2, (-0.3 + 1) / 1.2], [1.0, 0.0]])


def test_ppo_first_takes_the_step_of_the_plain_gradient():
    """With a small rate no ratio reaches its bound, and four small steps are four gradients."""
    logits, won = np.array([[0.6, -0.3], [1.0, 0.0]]), np.array([1.0, -1.0, 3.0])
    found = ppo(ONE, logits, PLAYED, won, 1e-6, 0.1) - logits
    np.testing.assert_allclose(
        found, 4e-6 * gradient(softmax(ONE, logits), PLAYED, won, 0.1), rtol=1e-4)


def test_ppo_stops_where_its_ratio_is_clipped():
    """Even chances, action 1 always better: its policy rises by a fifth, and one step beyond."""
    found = softmax(ONE, ppo(ONE, np.zeros((2, 2)), PLAYED, np.array([1.0, -1.0, 3.0]), 0.2, 0.0))
    plain = softmax(ONE, reinforce(ONE, np.zeros((2, 2)), PLAYED, np.array([1.0, -1.0, 3.0]),
                                   0.8, 0.0))
    assert 0.6 < found[0, 1] < plain[0, 1]
    assert found[1].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("update", [ppo, mirror_descent])
def test_each_way_learns_kuhn_poker(update):
    """The uniform policy can be exploited by 11 / 24."""
    curve, _ = learn(game(kuhn), OsfpSettings(score="mean", self_play=1.0), 1,
                     Budget(periods=40, entropy=0.05), update)
    assert curve[-5:].max() / 2 < 0.1
