"""Decks drawn at random: legal, by their shares, the same for all, and none that is held out."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsevo.cards import DeckDatabase, human_decks, read_deck
from hsevo.cards.database import in_common
from hsevo.cards.deck_pool import NINE, DeckDraws, changed, class_copies, known_lists, unseen_lists
from hsevo.cards.decks import check_deck, refuse_foreign
from hsevo.cards.tables import cards, every_card, ids
from hsevo.cards.terms import Class
from hsevo.cards.unseen import splits, unseen
from hsevo.config.learning import DeckShares
from hsevo.errors import DeckError

MIXED = DeckShares(human=0.5, changed={"share": 0.3, "cards": 7}, drawn=0.2)


def draw(shares, n=900, key=(1,), **more):
    return DeckDraws(shares, **more).decks(key, n)


def test_all_decks_are_legal_and_each_class_comes_as_often():
    decks = draw(MIXED, 1800)
    for deck in decks:
        check_deck(deck)
    heroes = Counter(deck.hero_class for deck in decks)
    assert {*heroes} == {cls.name for cls in NINE}
    assert all(140 <= n <= 260 for n in heroes.values())  # 200 +- 4.5 deviations of 13.3


def test_decks_come_by_their_shares():
    kinds = Counter("drawn" if deck.name.startswith("drawn") else
                    "changed" if deck.name.endswith("changed") else "human"
                    for deck in draw(MIXED, 2000))
    for kind, share in (("human", 0.5), ("changed", 0.3), ("drawn", 0.2)):
        assert abs(kinds[kind] / 2000 - share) < 0.05  # 4.5 deviations


def test_a_deck_depends_on_the_key_and_its_number_alone():
    assert draw(MIXED, 50) == draw(MIXED, 200)[:50]
    assert draw(MIXED, 50) != draw(MIXED, 50, key=(2,))


def test_no_list_that_is_held_out_is_drawn_and_none_that_is_known_is_measured():
    facts = DeckDatabase.load().facts.set_index("deck")
    for side in ("known", "held-out"):
        names = {deck.name.removesuffix(" changed") for deck in
                 DeckDraws(MIXED).decks((3,), 3000, side) if not deck.name.startswith("drawn")}
        assert {*facts.loc[sorted(names), "split"]} == {side}
    groups = [{*facts[facts["split"] == side]["group"]} for side in ("known", "held-out")]
    assert not groups[0] & groups[1]


@pytest.mark.parametrize(("ruleset", "newest"), [
    ("cig2018", "msg"), ("hearthsim", "msg"), ("cig2018-wild", "rumble"), ("rise2019", "ros")])
def test_a_ruleset_draws_the_lists_that_have_its_cards_alone(ruleset, newest):
    decks = DeckDraws(DeckShares(human=1.0), ruleset).decks((5,), 4500)
    refuse_foreign(decks, ruleset)
    patches = {human_decks.find(deck.name)["patch"] for deck in decks}
    assert patches >= {*human_decks.up_to(newest)[3:]} - {"ungoro", "ros"}
    assert patches <= {*human_decks.up_to(newest)}


def test_a_changed_list_has_as_many_other_cards_at_most():
    database = DeckDatabase.load()
    row = {name: i for i, name in enumerate(database.facts["deck"])}
    numbers = {id: i for i, id in enumerate(ids())}
    decks = draw(DeckShares(changed={"share": 1, "cards": 7}), 300)
    lists = np.array([sorted(numbers[card] for card in deck.ids) for deck in decks])
    of = database.decks[[row[deck.name.removesuffix(" changed")] for deck in decks]]
    alike = np.diag(in_common(lists, of))
    assert alike.min() == 23
    assert alike.mean() < 24  # few cards come in again


def test_drawn_lists_have_about_as_many_class_cards_as_neutral_ones():
    decks = draw(DeckShares(drawn=1), 300)
    own = [sum(every_card()[card].cls is not Class.NEUTRAL for card in deck.ids)
           for deck in decks]
    assert 8 < np.mean(own) < 18
    assert len({deck.ids for deck in decks}) == 300


@settings(max_examples=30, deadline=None)
@given(cls=st.sampled_from(NINE), k=st.integers(1, 30), seed=st.integers(0, 2**63))
def test_any_number_of_changed_cards_leaves_a_legal_deck(cls, k, seed):
    lists, _ = known_lists(cls, "known")
    found = changed(lists[:3].astype(np.int64), k, class_copies(cls), (seed,), np.arange(3))
    allowed = Counter(class_copies(cls).card.tolist())
    for deck in found.tolist():
        assert len(deck) == 30
        assert Counter(deck) <= allowed


def test_decks_of_files_are_drawn_with_their_share():
    named = (read_deck("mage"), read_deck("warrior"))
    shares = DeckShares(human=1, files={"share": 1, "decks": ["mage", "warrior"]})
    heard = Counter(deck.name for deck in draw(shares, 1000, files=named))
    assert 200 < heard["mage"] < 300
    assert 200 < heard["warrior"] < 300


def test_only_the_classes_that_are_asked_for_are_drawn():
    decks = draw(DeckShares(human=1, drawn=1, classes=["mage", "druid"]), 100)
    assert {deck.hero_class for deck in decks} == {"MAGE", "DRUID"}
    with pytest.raises(DeckError, match=r"^unknown class 'mages'; did you mean 'Mage'\?$"):
        draw(DeckShares(human=1, classes=["mages"]))


def test_a_split_with_too_few_cards_is_refused():
    with pytest.raises(DeckError, match="a deck needs 15 other cards, but only"):
        unseen_lists("hall-of-fame", 2)


@pytest.mark.parametrize("split", sorted({*splits()} - {"hall-of-fame"}))
def test_lists_of_unseen_cards_are_legal(split):
    later = not unseen(split) & {*cards()}
    for deck in unseen_lists(split, 2, "rise2019" if later else "cig2018"):
        check_deck(deck)
        assert sum(card in unseen(split) for card in deck.ids) >= 15


def test_files_that_do_not_fit_their_shares_are_refused():
    plan = DeckShares(files={"share": 1.0, "decks": ("mage",)}, without="basic")
    with pytest.raises(DeckError, match=r"deck 'mage' of decks.files has .*, which this split"):
        DeckDraws(plan, files=[read_deck("mage")])
    held = DeckDatabase.load().split("held-out").facts["deck"].iloc[0]
    plan = DeckShares(files={"share": 1.0, "decks": (held,)})
    with pytest.raises(DeckError, match="is held out for testing"):
        DeckDraws(plan, files=[read_deck(held)])


def test_a_class_named_twice_is_drawn_as_often_as_others():
    shares = DeckShares(human=1.0, classes=("mage", "Mage", "hunter"))
    heroes = [deck.hero_class for deck in DeckDraws(shares).decks((3,), 600)]
    assert 240 < heroes.count("MAGE") < 360
