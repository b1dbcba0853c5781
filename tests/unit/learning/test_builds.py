"""What is said of decks that a policy builds, by hand; and what they are worth."""

import numpy as np
import pytest

from hsevo.cards.decks import Deck, read_deck, standard
from hsevo.cards.terms import Class
from hsevo.config import Workers
from hsevo.errors import ConfigError
from hsevo.learning import builds as building
from hsevo.learning import worth
from hsevo.learning.acting.actor import ANY
from hsevo.learning.acting.building import Branch
from hsevo.learning.acting.pool import CardPool, card_pool
from hsevo.learning.worth import DeckMeeting, DeckSide
from hsevo.play.match import Setting
from hsevo.play.workers import open_workers
from hsevo.strength.roster import read_agent
from tests.support.policies import random_policy

MAGE = Class.MAGE


@pytest.fixture(scope="module")
def actor():
    return random_policy(build=True).actor()


# -- how it came about ----------------------------------------------------------------------------


def test_the_entropy_of_choices_by_hand():
    """Chances 1/2, 1/4, 1/4: 1.5 bits. Then without the first card, 1 bit; and without a choice, 0.

    Scores are the logarithms of the chances, by the first of two numbers of a card.
    """
    cards = np.array([[np.log(0.5), 0], [np.log(0.25), 1], [np.log(0.25), 2]], np.float32)
    one, none = np.ones(1, np.float32), np.zeros((1, 1), np.float32)
    branch = Branch(cards, np.zeros((10, 2), np.float32), np.zeros((5, 1), np.float32), 0 * one,
                    none, one, np.array([[1], [0]], np.float32), 0 * one, np.float32(1),
                    np.float32(10), 0)
    found = building.entropies(branch, MAGE, np.array([[0, 1, 2], [1, 2, 0]]), np.ones(3, int))
    thirds = 2 / 3 * np.log2(3 / 2) + 1 / 3 * np.log2(3)  # 1/2 and 1/4, of what is left
    assert found == pytest.approx(np.array([[1.5, 1, 0], [1.5, thirds, 0]]), abs=1e-6)


def test_chances_are_those_by_which_compiled_code_draws():
    """Each card is drawn by its chance, and no card that a deck may not have has one."""
    actor, n = random_policy(build=True).at(0.1).actor(), 40
    picks, logs = actor.build(np.full(n, int(MAGE)), np.zeros(n, np.int64),
                              np.random.default_rng(1).random((n, 30)))
    found = [*building.chances(actor.branches[ANY], MAGE, picks, actor.pool.most[MAGE])]
    ours = np.stack([one[np.arange(n), picks[:, k]] for k, one in enumerate(found)], axis=1)
    assert ours == pytest.approx(np.exp(logs), rel=1e-4)
    assert logs.std() > 0.3  # they are no uniform ones
    assert all(one.sum(axis=1) == pytest.approx(1) for one in found)
    assert all((one[:, actor.pool.most[MAGE] == 0] == 0).all() for one in found)


def test_a_uniform_policy_chooses_among_all_cards_that_are_open(actor):
    builds = building.drawn(building.uniform(actor), MAGE, 40, 1)
    copies = actor.pool.most[MAGE]
    assert builds.bits[:, 0] == pytest.approx(np.log2((copies > 0).sum()))
    assert all(standard(deck) == [] for deck in builds.decks)
    assert len({id for deck in builds.decks for id in deck.ids}) > 300


@pytest.fixture(scope="module")
def decks():
    """A human mage, the same with a card of 5 mana less, and one of 20 Wisps besides."""
    first = read_deck("human:h038e27c68")
    return [first, Deck.of("second", first.hero_class, ("CS2_182", *first.ids[1:])),
            Deck.of("third", first.hero_class, (*first.ids[:10], *20 * ("CS2_231",)))]


def test_shares_and_copies_of_cards_by_hand(decks):
    table = building.cards_of(decks).set_index("card")
    assert table["copies"].sum() == pytest.approx(30)
    assert table.loc["Wisp", "share"] == pytest.approx(1 / 3)
    assert table.loc["Wisp", "copies"] == pytest.approx(20 / 3)
    assert (table["share"].diff().dropna() <= 0).all()
    assert {*table["class"]} == {decks[0].hero}


def test_the_nearest_human_list_by_hand(decks):
    shared, lists = building.nearest(decks[:2])
    assert shared.tolist() == [30, 29]
    assert lists["deck"].tolist() == ["human:h038e27c68"] * 2


def test_a_description_by_hand(decks):
    cls = Class[decks[0].hero_class]
    bits = np.array([[1.0] * 30, [2.0] * 30, [6.0] * 30])
    found = building.described(building.Builds(cls, decks, bits))
    assert found["entropy"] == pytest.approx(3)
    assert found["different"] == 3
    assert found["cards"] == len({*decks[0].ids, "CS2_182", "CS2_231"})
    assert sum(found[f"mana_{cost}"] for cost in range(8)) == pytest.approx(30)
    assert found["mana_0"] >= 20 / 3
    shared, lists = building.nearest(decks)
    assert found["in_common"] == pytest.approx(shared.mean())
    assert found["archetype"] == lists["archetype"][0]
    assert found["archetype_share"] >= 2 / 3


# -- what they are worth --------------------------------------------------------------------------


def plain(name, cls="MAGE"):
    """Return a deck that differs from others by its name's number of Wisps."""
    return Deck.of(name, cls, ("CS2_231",) * int(name) + ("CS2_182",) * (30 - int(name)))


def test_each_class_meets_each():
    """Two classes and three decks, 20 games: two rounds of six pairs; no drawn deck plays twice."""
    own = DeckSide([[plain(str(10 * k + i)) for i in range(6)] for k in range(2)], True)
    others = DeckSide([[plain("25")], [plain("26")], [plain("27")]], False)
    meeting = DeckMeeting.of(own, others, 20)
    assert len(meeting.first) == worth.pairs(20, 2, 3) * 6 == 12
    assert np.unique(meeting.classes, axis=0, return_counts=True)[1].tolist() == [2] * 6
    assert len({*meeting.first}) == 12
    assert [deck.name for deck in meeting.second] == ["25", "26", "27"] * 4


def test_a_class_counts_once_however_many_decks_it_has():
    """Two classes against decks 25 and 26 of a class, which lose, and 27 of another, which wins.

    Each of the two meets each deck of 25 and 26 as often as the other does, and wins half in all.
    """
    own = DeckSide([[plain("1")], [plain("2")]], False)
    meeting = DeckMeeting.of(own, DeckSide([[plain("25"), plain("26")], [plain("27")]], False), 32)
    met = [(a.name, b.name) for a, b in zip(meeting.first, meeting.second, strict=True)]
    assert {one: met.count(one) for one in met} == {
        (a, b): 4 if b == "27" else 2 for a in "12" for b in ("25", "26", "27")}
    points = np.array([0 if b == "27" else 4 for _, b in met])
    assert worth.rates(meeting, points, ["Mage", "Warrior"])["rate"].tolist() == [0.5] * 3


def rate_of(first, second, points, sampled=(True, True), classes=None):
    """Return the rate of pairs of decks by hand."""
    sides = [DeckSide([[]], one) for one in sampled]
    classes = np.zeros((len(points), 2), int) if classes is None else classes
    meeting = DeckMeeting(*sides, [plain(str(k)) for k in first], [plain(str(k)) for k in second],
                      classes)
    return worth.rates(meeting, np.array(points), ["Mage"]).iloc[0]


def test_rates_by_hand():
    """Pairs of 4, 3, 2 and 1 half points: 10 of 16. A pair that was refused counts nowhere."""
    row = rate_of([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [4, 3, 2, 1, -1])
    assert row["rate"] == pytest.approx(10 / 16)
    assert (row["games"], row["decks"], row["lists"]) == (8, 4, 4)
    assert row["low"] < row["rate"] < row["high"]


def test_intervals_count_that_games_share_drawn_decks():
    """Half of the pairs are won by one deck, the others lost by another one: that is two decks."""
    won, alone = [4] * 6 + [0] * 6, [*range(12)]
    apart = rate_of(alone, range(12, 24), won)
    shared = rate_of([1] * 6 + [2] * 6, range(12, 24), won)
    fixed = rate_of([1] * 6 + [2] * 6, range(12, 24), won, sampled=(False, True))
    assert shared["high"] - shared["low"] > 1.2 * (apart["high"] - apart["low"])
    assert fixed["high"] - fixed["low"] == pytest.approx(apart["high"] - apart["low"])


def test_classes_are_no_sample():
    """A class that wins all and one that loses all: their lists are no better or worse for it."""
    won, lists = [4] * 6 + [0] * 6, [1, 2, 3] * 2 + [4, 5, 6] * 2
    classes = np.repeat([[0, 0], [1, 0]], 6, axis=0)
    one = rate_of(lists, range(12, 24), won)
    two = rate_of(lists, range(12, 24), won, classes=classes)
    assert two["high"] - two["low"] < one["high"] - one["low"]


@pytest.mark.parametrize("pilot", ["greedy:metastone", "random"])
def test_a_deck_against_itself_wins_half_of_each_pair(pilot):
    """And decks that change sides exchange their points: both games are the same two."""
    mage, warrior = [read_deck("mage")], [read_deck("warrior")]
    sides = [DeckSide([mage], False), DeckSide([warrior], False)]
    meetings = [DeckMeeting.of(sides[a], sides[b], 20) for a, b in ((0, 0), (0, 1), (1, 0))]
    with open_workers(Workers(backend="serial")) as executor:
        same, one, other = worth.play(executor, meetings, read_agent(pilot), Setting(), 5,
                                      lambda games: None)
    assert same.tolist() == [2] * 10
    assert (one + other).tolist() == [4] * 10
    assert len({*one.tolist()}) > 1


def test_human_lists_have_cards_of_the_pool_alone():
    pool = card_pool("cig2018")
    found = worth.drawn_lists(Class.WARRIOR, pool, 300, 1)
    assert all(deck.hero_class == "WARRIOR" and standard(deck) == [] for deck in found)
    assert all(deck.name.startswith("human:") for deck in found)
    assert len({*found}) > 150
    assert worth.drawn_lists(Class.WARRIOR, pool, 10, 1) == found[:10]
    few = CardPool(pool.ids[:3], pool.numbers[:3], pool.most[:, :3], pool.heroes)
    with pytest.raises(ConfigError, match="no human warrior list consists only of cards of"):
        worth.drawn_lists(Class.WARRIOR, few, 1, 1)
