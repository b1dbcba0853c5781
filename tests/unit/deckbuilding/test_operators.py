"""Operators: every deck is legal, and what they say of chance holds."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import check_deck, read_deck
from hsevo.config.deckbuilding import SearchSettings
from hsevo.deckbuilding import features
from hsevo.deckbuilding.strategies import child_of, mutant, random_deck
from hsevo.engine.jit import INTERPRETED

POOL = DeckPool.of("mage", sets=["basic", "classic"], keep=["2x Fireball", "Wisp"])
EXAMPLES = settings(max_examples=20 if INTERPRETED else 60, deadline=None)


def legal(counts: np.ndarray) -> None:
    assert (counts >= POOL.least).all()
    assert (counts <= POOL.most).all()
    check_deck(POOL.deck(counts, "it"))


@EXAMPLES
@given(st.integers(0, 2**32), st.floats(0, 0.9), st.none() | st.integers(0, 3))
def test_every_deck_is_legal(seed: int, more: float, mana: int | None) -> None:
    random = Random(seed)
    plan = SearchSettings(more=more, mana=mana)
    one, other = random_deck(POOL, random), random_deck(POOL, random)
    for made in (one, other, mutant(POOL, one, plan, random), child_of(POOL, one, other, random)):
        legal(made)


def test_mutants_differ_in_k_cards_with_probability_half_to_the_k() -> None:
    random = Random(1)
    parent = random_deck(POOL, random)
    k = [int(np.maximum(mutant(POOL, parent, SearchSettings(), random) - parent, 0).sum())
         for _ in range(4000)]
    shares = np.bincount(k, minlength=5) / len(k)
    assert shares[0] == 0
    assert shares[1:5] == pytest.approx([0.5, 0.25, 0.125, 0.0625], abs=0.03)


def test_replacements_are_within_so_much_mana() -> None:
    random, plan = Random(2), SearchSettings(more=0.0, mana=1)
    parent = random_deck(POOL, random)
    for _ in range(200):
        change = mutant(POOL, parent, plan, random) - parent
        gone, came = (POOL.costs[change == n] for n in (-1, 1))
        alone = gone[0] == 12  # of a Giant that costs 12, there is none within 1
        assert alone or abs(int(gone[0]) - int(came[0])) <= 1


def test_a_child_has_what_both_parents_have_and_nothing_else() -> None:
    random = Random(3)
    one, other = random_deck(POOL, random), random_deck(POOL, random)
    for _ in range(50):
        child = child_of(POOL, one, other, random)
        assert (child >= np.minimum(one, other)).all()
        assert (child <= np.maximum(one, other)).all()


def test_features_are_those_of_the_list() -> None:
    """Of the competition's mage, counted by hand from its list."""
    pool, deck = DeckPool.of("mage"), read_deck("mage")
    found = features.static(pool, pool.counts(deck)[None])
    costs = [card.cost for card in pool.cards for _ in range(deck.ids.count(card.id))]
    assert found["mana"][0] == sum(costs)
    assert found["mana-variance"][0] == pytest.approx(np.var(costs))
    known = {card.id: card for card in pool.cards}
    assert found["minions"][0] == pytest.approx(
        sum(known[id].kind.name == "MINION" for id in deck.ids) / 30)
    wisp = next(card for card in pool.cards if card.name == "Wisp")
    boom = next(card for card in pool.cards if card.name == "Dr. Boom")
    fireball = next(card for card in pool.cards if card.name == "Fireball")
    assert [features.dust(card) for card in (wisp, boom, fireball)] == [40, 1600, 0]
