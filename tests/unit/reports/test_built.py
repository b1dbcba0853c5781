"""What the report says of decks that a policy built, by hand."""

import numpy as np
import pytest

from hsevo.cards.decks import Deck, from_code, read_deck
from hsevo.cards.terms import Class
from hsevo.learning.builds import Builds
from hsevo.reports import learned


@pytest.fixture(scope="module")
def decks():
    """Two human decks that are alike but for a card, and a third one of other cards."""
    first = read_deck("mage")
    second = Deck.of("built", first.hero_class, (*first.ids[1:], "CS2_182"))
    third = Deck.of("built", first.hero_class, (*first.ids[:10], *20 * ("CS2_231",)))
    return [third, first, second]


def test_tables(decks):
    drawn = {("period-0003", Class.MAGE): Builds(Class.MAGE, decks, np.full((3, 30), 2.0))}
    assert learned.sureness(drawn).to_dict("records") == [
        {"period": 3, "class": "Mage", "entropy": 2.0, "different": 3}]
    cards = learned.taken(drawn).set_index("card")
    assert cards["copies"].sum() == pytest.approx(30)
    assert cards.loc["Wisp", "decks"] == pytest.approx(1 / 3)
    assert cards.loc["Wisp", "copies"] == pytest.approx(20 / 3)


def test_the_typical_deck_has_most_in_common_with_all(decks):
    found = learned.described(decks)
    assert sorted(from_code(found["code"]).ids) == sorted(decks[1].ids)
    assert sum(map(int, found["curve"].split())) == 30
    assert sum(int(one.split()[0]) for one in found["cards"].split(", ")) == 30


def test_the_nearest_human_deck_of_a_human_deck_is_itself():
    assert "30 of 30 cards" in learned.nearest(read_deck("human:h038e27c68"))


def test_cards_that_no_human_deck_has(decks):
    assert learned.nearest(Deck.of("built", "MAGE", ("NO_SUCH_CARD",) * 30)) == ""
