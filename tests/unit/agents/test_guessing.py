"""Guesses of a deck list against numbers computed by hand, and against a plain enumeration."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsevo.agents.shared.guessing import (
    BIGRAMS,
    EPSILON,
    LIKELIHOOD,
    MATCH,
    UNIFORM,
    count,
    guess,
    log_likelihood,
)
from hsevo.cards import DeckDatabase
from hsevo.cards.tables import ids, index
from hsevo.cards.terms import Class
from hsevo.engine.jit import plain
from hsevo.errors import DeckError
from hsevo.play.guessing import METHODS, allowed, guess_from

# Lists of 15 pairs: the first two differ in the last pair, the third in all.
FIRST = [card for card in range(1, 16) for _ in range(2)]
SECOND = [*FIRST[:28], 99, 99]
THIRD = [card for card in range(40, 55) for _ in range(2)]
DECKS = np.array([FIRST, SECOND, THIRD], np.uint16)
LEGAL, EPS = 400.0, 0.25


def guessed(method, shown, prior=(1.0, 1.0, 1.0), decks=DECKS, epsilon=EPS):
    weights, chances = np.zeros(len(decks)), np.zeros((200, 2))
    guess(method, decks, np.array(prior), np.sort(np.array(shown, np.uint16)), epsilon, LEGAL,
          weights, chances)
    return weights, chances


def test_the_likelihood_of_one_card_by_hand():
    """Card 15 is in the first list twice of 30, in the others not: 3/4 * 2/30 against 1/4 / 400."""
    hit, miss = Fraction(3, 4) * Fraction(2, 30), Fraction(1, 4) / 400
    weights, _ = guessed(LIKELIHOOD, [15])
    assert weights == pytest.approx([float(hit / (hit + 2 * miss)),
                                     *2 * [float(miss / (hit + 2 * miss))]], rel=1e-12)


def test_the_likelihood_of_copies_by_hand():
    """Cards 1, 1 and 99, prior 1, 3, 1.

    First: 3/4 * 2/30, 3/4 * 1/29 and 1/4 / 400. Second: 3/4 * 2/30, 3/4 * 1/29 and 3/4 * 2/28.
    """
    q, miss = Fraction(3, 4), Fraction(1, 1600)
    both = q * Fraction(2, 30) * q * Fraction(1, 29)
    wanted = [both * miss, 3 * both * q * Fraction(2, 28), miss**3]
    weights, _ = guessed(LIKELIHOOD, [99, 1, 1], (1.0, 3.0, 1.0))
    assert weights == pytest.approx([float(one / sum(wanted)) for one in wanted], rel=1e-12)


def test_match_takes_what_has_most_in_common_and_ties_by_prior():
    assert guessed(MATCH, [1, 2, 99])[0].tolist() == [0, 1, 0]
    assert guessed(MATCH, [1, 2, 3], (1.0, 3.0, 9.0))[0] == pytest.approx([0.25, 0.75, 0])
    assert guessed(MATCH, [], (1.0, 3.0, 4.0))[0] == pytest.approx([0.125, 0.375, 0.5])
    assert guessed(MATCH, [40, 40, 1])[0].tolist() == [0, 0, 1]  # two copies count twice


def test_bigrams_count_pairs_of_a_shown_card_and_another():
    """Shown 1, 99 and 40: lists have 1, 2 and 1 of them. Nothing shown: the prior."""
    assert guessed(BIGRAMS, [1, 99, 40], (1.0, 3.0, 1.0))[0] == pytest.approx([1 / 8, 6 / 8, 1 / 8])
    assert guessed(BIGRAMS, [], (1.0, 3.0, 4.0))[0] == pytest.approx([0.125, 0.375, 0.5])
    assert guessed(BIGRAMS, [150])[0].tolist() == [0, 0, 0]


def test_bigrams_are_the_frequencies_of_pairs_in_lists():
    """Counted pair by pair, with each copy of a card as a thing of its own."""
    database = DeckDatabase.load().of_class("mage").up_to("naxx")
    seen = [index()[id] for id in ("CS2_024", "CS2_024", "NEW1_012")]
    pairs, total = Counter(), 0.0
    for deck, weight in zip(database.decks, database.weights, strict=True):
        copies = Counter(deck.tolist())
        shown = sum(min(n, copies[card]) for card, n in Counter(seen).items())
        total += shown * weight
        for card in copies - Counter(seen):
            pairs[card] += shown * weight
    counts = np.array([pairs[card] for card in range(len(ids()))])
    probability = guess_from(database, seen, "bigrams").decks
    in_list = np.array([[card in Counter(deck.tolist()) - Counter(seen)
                         for card in range(len(ids()))] for deck in database.decks])
    assert probability @ in_list == pytest.approx(counts / total)


def test_what_is_left_of_the_list_is_dealt_to_what_is_hidden():
    """Two cards shown, one of them of the list: 29 left in it, 28 hidden, each there by 28/29."""
    _, chances = guessed(MATCH, [1, 150], decks=DECKS[:1], prior=(1.0,))
    share = 28 / 29
    assert chances[1].tolist() == pytest.approx([share, 0])
    assert chances[2].tolist() == pytest.approx([1 - (1 - share) ** 2, share**2])
    assert chances.sum() == pytest.approx(28)  # as many as are hidden
    assert chances[150].tolist() == [0, 0]
    _, chances = guessed(LIKELIHOOD, [1, 150], decks=DECKS[:1], prior=(1.0,))
    assert chances.sum() == pytest.approx(28 * (1 - EPS))


def test_uniform_knows_no_list():
    weights, chances = guessed(UNIFORM, [1])
    assert weights.sum() == chances.sum() == 0
    database = DeckDatabase.load().of_class("mage")
    known = guess_from(database, [index()["CS2_029"]], "uniform").cards
    may = allowed(Class.MAGE)
    assert len(may) == 495
    assert known.sum() == pytest.approx(29)
    assert set(np.flatnonzero(known[:, 0])) == set(may)
    assert known[index()["CS2_024"], 0] > known[index()["CS2_029"], 0]  # one Fireball is gone
    assert known[index()["EX1_559"], 1] == 0  # Antonidas is a legend


@settings(max_examples=40)
@given(st.lists(st.integers(1, 22), min_size=0, max_size=12).filter(
    lambda shown: not shown or max(Counter(shown).values()) <= 2), st.randoms())
def test_the_likelihood_is_that_of_draws_in_any_order(shown, random):
    """Drawn one by one: what is left of each list, or one of the legal cards."""
    random.shuffle(shown)
    chances = []
    for deck in DECKS.tolist():
        left, chance = Counter(deck), Fraction(1)
        for card in shown:
            if left[card]:
                chance *= Fraction(3, 4) * Fraction(left[card], left.total())
                left[card] -= 1
            else:
                chance *= Fraction(1, 4) / 400
        chances.append(chance)
    weights, _ = guessed(LIKELIHOOD, shown)
    assert weights == pytest.approx([float(one / sum(chances)) for one in chances], rel=1e-9)
    assert weights.tolist() == guessed(LIKELIHOOD, sorted(shown))[0].tolist()


def test_the_chances_of_the_next_card_add_up_to_nearly_one():
    """Over 400 legal cards: all of a list's 14 kinds that are left lose eps / L each."""
    def chance(shown):
        array = np.sort(np.array(shown, np.uint16))
        hits, twice = (plain(count)(DECKS, 0, array, len(shown), one) for one in (0, 1))
        return math.exp(plain(log_likelihood)(hits, twice, len(shown), EPS, LEGAL))

    shown = [1, 1, 2, 150]
    total = sum(chance([*shown, card]) for card in range(1, 401)) / chance(shown)
    assert total == pytest.approx(1 - EPS * 14 / LEGAL)
    assert 1 - EPSILON * 30 / 495 > 0.99


@pytest.mark.parametrize("method", METHODS)
def test_chances_are_probabilities_and_deck_probabilities_add_up(method):
    database = DeckDatabase.load().of_class("warlock")
    for n in (0, 1, 5, 15, 30):
        seen = [int(card) for card in database.decks[7, :n]]
        found = guess_from(database, seen, method)
        assert found.decks.sum() == pytest.approx(0 if method == "uniform" else 1)
        assert found.cards.min() >= 0
        assert (found.cards[:, 1] <= found.cards[:, 0]).all()
        assert found.cards.max() <= 1
        most = 30 - n
        assert found.cards.sum() <= most + 1e-9


def test_a_list_is_known_once_it_was_shown():
    database = DeckDatabase.load().of_class("priest")
    for row in (3, 100, 300):
        seen = [int(card) for card in database.decks[row]]
        for method in ("likelihood", "match"):
            assert guess_from(database, seen[::2], method).decks[row] > 0
            assert guess_from(database, seen, method).decks.argmax() == row


def test_cards_that_can_not_be_in_the_deck_are_refused():
    database = DeckDatabase.load().of_class("mage")
    fireball, antonidas, wrath = (index()[id] for id in ("CS2_029", "EX1_559", "EX1_154"))
    for seen, said in (([wrath], "Wrath can't be in a Mage's deck"),
                       ([fireball] * 3, "at most 2 of Fireball, not 3"),
                       ([antonidas] * 2, "at most 1 of Archmage Antonidas, not 2")):
        with pytest.raises(DeckError, match=said):
            guess_from(database, seen)
    with pytest.raises(DeckError, match="unknown method 'mtach'; did you mean 'match'"):
        guess_from(database, [], "mtach")
    with pytest.raises(DeckError, match="decks of a single class"):
        guess_from(DeckDatabase.load(), [])


def test_thirty_cards_that_no_list_has_leave_the_prior():
    weights, _ = guessed(LIKELIHOOD, [*range(120, 150)], (1.0, 3.0, 4.0))
    assert weights == pytest.approx([0.125, 0.375, 0.5])
