"""Cards known by what they say: rows composed of facts, their gradients, dropout, files."""

import io

import numpy as np
import pytest

from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import net_bytes, read_net, write_net
from hsevo.agents.learned.text import ROWS, TEXT, TEXT_NET, composed
from hsevo.agents.network.network import CARDS, NET, WEIGHT, WEIGHTS
from hsevo.agents.shared.scratch import GROUPS, HIDDEN, WIDE
from hsevo.cards.decks import read_deck
from hsevo.cards.facts import ONE, facts, names, said
from hsevo.cards.tables import by_name, cards, ids, index
from hsevo.config.learning import LearnerSettings
from hsevo.errors import AgentError
from hsevo.learning.gradient import PASS, add_gradient, compose, count_cards, spread
from hsevo.learning.learner import (
    OWN_RATE,
    SHARDS,
    TEXT_WEIGHTS,
    CardText,
    ValueLearner,
    first_weights,
    seen_in,
)
from hsevo.play import match
from hsevo.play.samples import HEAD, SAMPLE
from hsevo.strength.roster import read_agent

AXE, YETI = (index()[by_name()[name]] for name in ("Fiery War Axe", "Chillwind Yeti"))
SETTING = match.Setting(decks=(read_deck("mage"), read_deck("warrior")))


def text_net(seed=1):
    """Return a TEXT_NET whose scores depend much on what cards say, and on their numbers."""
    weights, random = first_weights(seed), np.random.default_rng(seed)
    weights["third"] *= 10
    text = np.zeros(1, TEXT_WEIGHTS)
    for name in ROWS:
        text[name] = random.normal(0, 0.1, text[name].shape)
    return nets.quantized_text(weights[0], text[0])


def rows_played():
    rows = np.zeros(2, match.PAIRING)
    rows["games"], rows["seed"], rows["deck_b"] = 2, (5, 9), 1
    return rows


@pytest.fixture(scope="module")
def played():
    """Return samples and words of some games of a net that knows cards by what they say."""
    return match.record_block(rows_played(), nets.agent(text_net(), 1.0), SETTING)[1:]


# -- rows ---------------------------------------------------------------------------------------


def test_a_row_is_the_sum_of_its_facts_and_its_own():
    """The Yeti costs 4 (a half), has 4 attack: 0.5 times 3.0, once 0.25, and 0.125 of its own."""
    net = np.zeros((), TEXT_NET)
    for name, x in (("cost", 3.0), ("attack.4", 0.25)):
        net["text"]["card"][names().index(name), 1] = x * WEIGHT
    net["net"]["card"][YETI, 1] = 0.125 * WEIGHT
    row = composed(net, "cig2018", ids())["card"]
    assert row[YETI].tolist() == [0, (1.5 + 0.25 + 0.125) * WEIGHT] + [0] * (HIDDEN - 2)
    assert row[AXE, 1] == 3 / 8 * 3.0 * WEIGHT  # costs 3, and has no such fact else
    assert not composed(net, "cig2018", ids())["held"].any()


def test_facts_are_those_of_the_ruleset_played():
    """The War Axe cost 2 in 2017, 3 from 2018 on."""
    net = np.zeros((), TEXT_NET)
    net["text"]["held"][names().index("cost"), 0] = 8 * WEIGHT
    costs = [composed(net, rules, ids())["held"][AXE, 0] / WEIGHT for rules in (
        "msg2017", "cig2018")]
    assert costs == [2, 3]


def test_a_row_is_cut_to_what_its_type_holds():
    net = np.zeros((), TEXT_NET)
    net["text"]["card"][names().index("cost.4"), 0] = 32767
    net["net"]["card"][YETI, 0] = 32767
    assert composed(net, "cig2018", ids())["card"][YETI, 0] == 32767


def test_a_card_that_no_ruleset_of_nets_has_is_known_by_what_it_says():
    """The hearthsim ruleset has minions of its own, which a NET refuses and a TEXT_NET plays."""
    deck = read_deck("taunts-1")
    setting = match.Setting("hearthsim", (deck, deck))
    net = text_net()
    found = match.play_block(rows_played(), nets.agent(net), setting)
    assert (found["wins_a"] + found["wins_b"] + found["draws"] == 2).all()
    own = next(card for card in deck.ids if card not in ids())
    at, fact = index("hearthsim")[own], net["text"]["card"].astype(int)
    expected = sum(x * fact[names().index(name)] for name, x in said(
        cards("hearthsim")[own], "hearthsim").items())
    row = composed(net, "hearthsim", ids())["card"][at]
    np.testing.assert_allclose(row, expected, atol=0.5 + 1e-9)
    with pytest.raises(AgentError, match="does not know the cards of deck 'taunts-1'"):
        match.context(nets.agent(net["net"]), setting, match.new_scratch())


def test_a_composed_net_plays_cards_that_only_its_ruleset_has():
    """A learner composes its net before it plays; before its first step no card has a row."""
    deck, net = read_deck("taunts-1"), text_net()
    setting = match.Setting("hearthsim", (deck, deck))
    found, other = (match.play_block(rows_played(), nets.agent(one), setting)
                    for one in (net, nets.playing(net, "hearthsim")))
    assert (found == other).all()
    new = nets.playing(np.zeros((), TEXT_NET), "hearthsim")
    match.context(nets.agent(new), setting, match.new_scratch())


def test_a_composed_net_plays_as_the_net_that_it_is_composed_of():
    net = text_net()
    plain = nets.agent(nets.playing(net, "cig2018"))
    found, other = (match.play_block(rows_played(), one, SETTING)
                    for one in (nets.agent(net), plain))
    assert (found == other).all()
    assert nets.playing(plain_net := nets.playing(net, "cig2018"), "cig2018") is plain_net


def test_a_scratch_does_not_mix_rulesets():
    """One net by two rulesets: agents then have other digests, by which minions are kept."""
    agent = nets.agent(text_net())
    two = [match.context(agent, match.Setting(rules), match.new_scratch())
           for rules in ("msg2017", "cig2018")]
    assert two[0].agents.w[0, :2].tolist() != two[1].agents.w[0, :2].tolist()
    assert (two[0].nets["held"][0, AXE] != two[1].nets["held"][0, AXE]).any()


# -- learning -----------------------------------------------------------------------------------


def test_cards_are_counted_by_hand():
    """A minion of each side, a card in hand, one of a deck; a minion's later entries are no cards.
    """
    samples = np.zeros(1, SAMPLE).view(np.recarray)
    begin = np.zeros(GROUPS + 1, int)
    begin[1:8], begin[8:15], begin[15], begin[16:19], begin[19:] = 2, 3, 5, 6, 7
    index_, samples.n = [10, 3, 12, 1, 2, 10, 14], 7
    words = np.array([*begin, *index_, *([1] * 7)], np.uint16)
    counts = np.zeros((len(ROWS), CARDS), np.int64)
    count_cards(samples, words, counts)
    needed = {(name, int(i)): int(row[i]) for name, row in zip(ROWS, counts, strict=True)
              for i in np.flatnonzero(row)}
    assert needed == {("card", 10): 1, ("card", 12): 1, ("held", 10): 1, ("left", 14): 1}
    assert len(words) == HEAD + 14


def test_compose_and_spread_by_hand():
    """Two cards of one and two facts, in a table of width 2; the second card's own is left out."""
    begin, fact = np.array([0, 1, 3]), np.array([0, 0, 1])
    value, every = np.array([2, 1, 0.5], np.float32), np.arange(2)
    matrix = np.array([[1, 10], [4, 40]], np.float32)
    own = np.array([[7, 8], [9, 9]], np.float32)
    keep, rows = np.array([1, 0], np.float32), np.zeros((2, 2), np.float32)
    compose(begin, fact, value, every, keep, matrix, own, rows)
    assert rows.tolist() == [[2 + 7, 20 + 8], [1 + 2, 10 + 20]]
    # gradients of the rows, in two shards, from place 1 on: sums (1, 2) and (10, 20)
    shards = np.array([[5, 1, 0, 4, 20], [5, 0, 2, 6, 0]], np.float32)
    gradient = np.zeros((2, 2), np.float32)
    spread(begin, fact, value, every, keep, shards, 1, gradient, np.zeros(2, np.float32))
    assert gradient.tolist() == [[2 * 1 + 10, 2 * 2 + 20], [5, 10]]
    assert shards.tolist() == [[5, 1, 0, 0, 0], [5, 0, 2, 0, 0]]  # of what is left out, none


def test_gradients_of_matrices_are_finite_differences(played):
    samples, words = played
    given, order = samples.view(np.recarray), np.arange(0, len(samples), 9)
    targets = np.linspace(0, 1, len(samples)).astype(np.float32)
    passes, weights = np.zeros(1, PASS).view(np.recarray), first_weights(1)
    weights["third"] *= 10
    text, whole = CardText(1, "cig2018", "both", 0.5), weights.copy()
    text.flat[:] = np.random.default_rng(1).normal(0, 0.1, text.flat.shape)
    seen, keep = np.arange(len(ids())), text.own_scale(3)

    def loss(into):
        for name in ROWS:
            text.compose(name, weights, whole, seen, keep)
        return add_gradient(whole[0], given, words, order, targets, passes[0], into[0])

    gradient = np.zeros(1, WEIGHTS).view(np.recarray)
    loss(gradient)
    shards = np.zeros((SHARDS, WEIGHTS.itemsize // 4), np.float32)
    shards[1] = gradient.view(np.float32)
    for name in ROWS:
        text.spread(name, shards, seen, keep)
        found, there = text.gradient[name].ravel(), text.weights[name].reshape(-1)
        for i in np.argsort(-np.abs(found))[:4]:
            before, sides = there[i], []
            for step in (2e-4, -2e-4):  # small: a wider one crosses where a unit is clipped
                there[i] = before + step
                sides.append(loss(np.zeros(1, WEIGHTS).view(np.recarray)))
            there[i] = before
            slope = (sides[0] - sides[1]) / 4e-4
            assert abs(slope - found[i]) <= 0.03 * abs(found[i]) + 0.02, (name, i)


def test_dropout_leaves_out_a_share_by_the_seed():
    one = CardText(4, "cig2018", "both", 0.25)
    shares = [(one.own_scale(step) == 0).mean() for step in range(40)]
    assert {*one.own_scale(3).tolist()} == {0, np.float32(OWN_RATE)}
    assert abs(np.mean(shares) - 0.25) < 0.01  # of 81,920 draws: six standard deviations
    assert (one.own_scale(3) == CardText(4, "cig2018", "both", 0.25).own_scale(3)).all()
    assert (one.own_scale(3) != one.own_scale(4)).any()
    assert (one.own_scale(3) != CardText(5, "cig2018", "both", 0.25).own_scale(3)).any()
    assert CardText(4, "cig2018", "both", 0.0).own_scale(3).all()
    assert not CardText(4, "cig2018", "text", 0.0).own_scale(3).any()


@pytest.mark.parametrize("known", ["text", "both"])
def test_learning_lowers_the_loss(played, known):
    learner = ValueLearner(7, 1, known, 0.25)
    before, after = learner.learn(*played, 3e-3, LearnerSettings(trace=1.0, batch=32, epochs=20))
    assert after < before - 0.1
    assert any(learner.weights[name].any() for name in ROWS) == (known == "both")


def test_what_was_never_met_is_known_by_its_facts_alone(played):
    """Its own weights stay 0, and it is not among the cards that were counted."""
    learner = ValueLearner(7, 1, "both", 0.25)
    learner.learn(*played, 3e-3, LearnerSettings(trace=1.0, batch=32, epochs=1))
    unmet = learner.met == 0
    decks = {index()[card] for deck in SETTING.decks for card in deck.ids}
    assert not unmet[list(decks)].all()
    assert unmet.sum() > CARDS - 300
    for name in ROWS:
        assert not learner.weights[name][0][unmet].any()
        assert learner.weights[name][0][~unmet].any()
    assert nets.playing(learner.net(), "cig2018")["card"][YETI].any()


def test_the_net_is_what_the_learner_has(played):
    """Rounded, and composed in whole numbers: each of a card's facts adds at most half a unit."""
    learner = ValueLearner(7, 2, "both", 0.25)
    learner.learn(*played, 3e-3, LearnerSettings(trace=1.0, batch=32, epochs=2))
    learner.odds(*played)
    net = nets.playing(learner.net(), "cig2018")
    facts_ = np.abs(facts("cig2018").matrix() / ONE).sum(axis=1)
    for name, seen in zip(ROWS, seen_in(*played), strict=True):
        met = np.flatnonzero(seen)
        most = facts_[met] / 2 + 1 + 1e-3  # its own row, the sum; float32
        off = np.abs(net[name][met] - WEIGHT * learner.whole[name][0][met])
        assert (off.max(axis=1) <= most).all()


def test_a_step_is_the_same_on_any_number_of_threads(played):
    results = []
    for threads in (1, 3):
        learner = ValueLearner(7, threads, "both", 0.25)
        learner.learn(*played, 1e-3, LearnerSettings(trace=0.8, batch=64, epochs=2))
        learner.close()
        results.append(learner.flat.tobytes() + learner.text.flat.tobytes())
    assert results[0] == results[1]


# -- files --------------------------------------------------------------------------------------


def changed(path, **arrays):
    """Write a file of a TEXT_NET with other arrays; None: without that one."""
    with np.load(io.BytesIO(net_bytes(text_net()))) as file:
        whole = {name: file[name] for name in file} | arrays
    np.savez(path, **{name: one for name, one in whole.items() if one is not None})
    return path


def test_a_file_keeps_a_net(tmp_path):
    net = text_net()
    for name in ROWS:
        net["text"][name][len(names()):] = 0
    write_net(tmp_path / "some.npz", net)
    assert read_net(tmp_path / "some.npz").tobytes() == net.tobytes()
    assert read_agent(f"rl:{tmp_path}/some.npz").tobytes() == nets.agent(net).tobytes()


def test_facts_of_a_file_are_found_by_name(tmp_path):
    """In another order, one of them not known here any more, and one that is new here missing."""
    order = [*reversed(names()[1:])]
    path = changed(tmp_path / "some.npz", facts=np.array([*order, "no such fact"]), **{
        f"text_{name}": np.concatenate([text_net()["text"][name][:len(names())][:0:-1], np.full(
            (1, TEXT[name].shape[1]), 77, np.int16)]) for name in ROWS})
    net, before = read_net(path), text_net()
    for name in ROWS:
        found, expected = net["text"][name][:len(names())], before["text"][name][:len(names())]
        assert not found[0].any()
        assert (found[1:] == expected[1:]).all()


@pytest.mark.parametrize(("arrays", "said"), [
    ({"text_card": np.zeros((3, HIDDEN), np.int16)}, r"text_card is int16 \(3, 32\), but must be"),
    ({"text_held": np.zeros((len(names()), WIDE), np.int32)}, "text_held is int32"),
    ({"text_held": None}, "damaged, or not a network of hsevo"),
    ({"facts": np.array(["a", "b"])}, "none of its facts is known here"),
    ({"facts": np.array([names()[0]] * len(names()))}, "facts are not a list of unique names"),
    ({"facts": np.zeros((2, 2), "U4")}, "facts are not a list"),
    ({"cards": np.array(["", "XX_001"])}, "none of its cards is known here, so it was trained on"),
    ({"card": np.zeros((9, HIDDEN), np.int16)}, r"card is int16 \(9, 32\)"),
    ({"third": np.zeros(5, np.int16)}, r"third is int16 \(5,\), but must be int16 \(32,\)"),
    ({"format": np.array(5)}, "its format is 5, but known formats are 1, 2, 3, 4"),
])
def test_forged_files_are_refused_in_a_line(tmp_path, arrays, said):
    path = changed(tmp_path / "bad.npz", **arrays)
    with pytest.raises(AgentError, match=said) as found:
        read_agent(f"rl:{path}")
    assert "\n" not in str(found.value)
    assert str(path) in str(found.value)


@pytest.mark.parametrize(("array", "said"), [
    (np.zeros(5, np.int16), r"third is int16 \(5,\), but must be int16 \(32,\)"),
    (None, "damaged, or not a network of hsevo")])
def test_forged_values_of_a_policy_are_refused_by_its_searches(tmp_path, array, said):
    net, path = text_net(), tmp_path / "bad.npz"
    with np.load(io.BytesIO(nets.net_bytes(net, values=net))) as file:
        arrays = {**file} | {"values_third": array}
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})
    assert read_agent(f"rl:{path}").shape == (1,)
    with pytest.raises(AgentError, match=said):
        read_agent(f"rl:{path}?search=turn")


def test_text_for_json_keeps_a_net():
    net = text_net()
    again = nets.of_text(nets.text_of(net), 1)
    assert again.dtype == TEXT_NET
    assert again.tobytes() == net.tobytes()
    assert nets.of_text(nets.text_of(net["net"]), 1).dtype == NET
