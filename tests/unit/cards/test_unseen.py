"""Cards that a learner does not meet: fixed splits, what may bring them, decks of them."""

import csv
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

from hsevo.cards.deck_pool import DeckDraws, unseen_lists
from hsevo.cards.decks import check_deck
from hsevo.cards.tables import by_name, cards, every_card, sets
from hsevo.cards.terms import UP_TO_GADGETZAN, Set
from hsevo.cards.unseen import left_out, mask, splits, unseen
from hsevo.config.learning import DeckShares
from hsevo.errors import CardError, DeckError

COLLECTIBLE = {id for id, card in cards().items() if card.collectible}
FIFTHS = [f"fifth-{k}" for k in range(1, 6)]


def test_each_card_is_in_one_fifth_and_one_set():
    assert sum(len(unseen(name)) for name in FIFTHS) == len(COLLECTIBLE) == 1054
    assert set().union(*map(unseen, FIFTHS)) == COLLECTIBLE
    assert sorted(len(unseen(name)) for name in FIFTHS) == [210, 211, 211, 211, 211]
    for one in UP_TO_GADGETZAN:
        name = one.name.lower().replace("_", "-")
        assert unseen(name) == {id for id in COLLECTIBLE if sets()[id] is one}


def test_each_later_set_is_a_split():
    later = [one for one in Set if one not in UP_TO_GADGETZAN]
    for one in later:
        assert unseen(one.name.lower().replace("_", "-")) == {
            id for id, card in cards("rise2019").items()
            if card.collectible and sets()[id] is one}
    assert len(splits()) == 5 + len(UP_TO_GADGETZAN) + len(later)


def test_the_file_names_its_cards():
    with (files("hsevo.cards") / "splits.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert every_card()[row["id"]].name == row["name"]


def test_the_splits_do_not_change():
    """Others enter the benchmark with them: two cards of each fifth, as they were drawn in 2026."""
    for fifth, some in (("fifth-4", "AT_001"), ("fifth-2", "AT_002")):
        assert some in unseen(fifth)


def test_what_may_bring_a_card_is_left_out():
    """Webspinner brings any beast; Piloted Shredder a minion that costs 2; a Yeti none.

    Kazakus makes potions, some of which add demons or summon minions.
    """
    for name in FIFTHS:
        out = left_out(name)
        assert unseen(name) <= out
        for bringer in ("Webspinner", "Piloted Shredder", "Shifter Zerus", "Master of Evolution",
                        "Kazakus"):
            assert by_name()[bringer] in out, (name, bringer)
        yeti = by_name()["Chillwind Yeti"]
        assert (yeti in out) == (yeti in unseen(name))


def test_a_set_outside_the_format_is_in_no_pool():
    """Its format has no card of it, so that only what is named is left out beside it."""
    more = {cards()[id].name for id in left_out("goblins-vs-gnomes", "cig2018") & COLLECTIBLE
            - unseen("goblins-vs-gnomes")}
    assert more == set()


def test_an_unknown_split_is_refused_in_a_line():
    with pytest.raises(CardError, match="unknown split of cards 'fith-1'; did you mean 'fifth-1'"):
        unseen("fith-1")


def test_decks_that_are_drawn_have_none_of_these_cards():
    shares = DeckShares(human=0.4, changed=0.3, drawn=0.3, without="fifth-3")
    decks = DeckDraws(shares).decks((5,), 400)
    out = left_out("fifth-3")
    for deck in decks:
        check_deck(deck)
        assert len(deck.ids) == 30
        assert not {*deck.ids} & out
    assert len({card for deck in decks for card in deck.ids}) > 500


def test_without_a_split_decks_are_as_they_were():
    one, other = (DeckDraws(DeckShares(human=0.4, changed=0.3, drawn=0.3, without=name)).decks(
        (5,), 50) for name in (None, "hall-of-fame"))
    out = left_out("hall-of-fame")
    same = [a == b for a, b in zip(one, other, strict=True)]
    assert any(same)
    assert all(not equal or not {*deck.ids} & out for equal, deck in zip(same, one, strict=True))


@pytest.mark.parametrize("split", ["fifth-1", "fifth-5", "old-gods", "naxxramas"])
def test_decks_of_unseen_cards(split):
    decks = unseen_lists(split, 2)
    assert Counter(deck.hero_class for deck in decks) == Counter(
        {deck.hero_class: 2 for deck in DeckDraws(DeckShares(human=1)).decks((1,), 200)})
    for deck in decks:
        check_deck(deck)
        assert sum(card in unseen(split) for card in deck.ids) >= 15
    assert unseen_lists(split, 1) == decks[::2]


def test_more_decks_than_lists_are_refused():
    with pytest.raises(DeckError, match="human lists of a druid that are held out, not 100,000"):
        unseen_lists("fifth-1", 100_000)


def test_mask():
    found = mask(unseen("fifth-1"))
    assert found.sum() == 211
    assert not found[0]
    assert found.dtype == np.bool_
