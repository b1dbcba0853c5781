"""What cards say as numbers: vectors computed by hand from the card files."""

import hashlib
import json
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from hsevo.cards.facts import FACTS, ONE, facts, names, said
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import by_name, cards, index
from hsevo.cards.terms import Keyword, Rarity


def of(name):
    return said(cards()[by_name()[name]])


def test_a_minion_without_text():
    """Costs 4, has 4 attack and 5 health: in eighths, and as places."""
    assert of("Chillwind Yeti") == {
        "kind.MINION": 1, "cost": 0.5, "cost.4": 1, "attack": 0.5, "attack.4": 1,
        "health": 0.625, "health.5": 1, "class.NEUTRAL": 1}


def test_a_spell():
    """A mage's, costs 4: deals 6 damage to any character, to which Spell Damage is added once."""
    assert of("Fireball") == {
        "kind.SPELL": 1, "cost": 0.5, "cost.4": 1, "class.MAGE": 1,
        "target": 1, "target.MINE": 1, "target.THEIRS": 1, "target.MINION": 1, "target.HERO": 1,
        "DAMAGE": 1, "play.DAMAGE": 1, "DAMAGE.TARGET": 1, "DAMAGE.amount": 0.75,
        "DAMAGE.spell_damage": 0.25}


def test_a_weapon():
    assert of("Fiery War Axe") == {
        "kind.WEAPON": 1, "cost": 0.375, "cost.3": 1, "weapon.attack": 0.75,
        "weapon.durability": 0.5, "class.WARRIOR": 1}


def test_a_deathrattle_with_a_random_pool():
    """A 1/1 beast of hunters for 1: adds a random minion that is a beast."""
    assert of("Webspinner") == {
        "kind.MINION": 1, "cost": 0.125, "cost.1": 1, "attack": 0.125, "attack.1": 1,
        "health": 0.125, "health.1": 1, "class.HUNTER": 1, "race.BEAST": 1,
        "keyword.DEATHRATTLE": 1, "ADD_RANDOM": 1, "deathrattle.ADD_RANDOM": 1,
        "ADD_RANDOM.amount": 0.125, "ADD_RANDOM.pool": 1, "ADD_RANDOM.pool.kind.MINION": 1,
        "ADD_RANDOM.pool.race.BEAST": 1}


def test_a_trigger_and_an_aura():
    found = of("Knife Juggler")  # 1 damage to a random enemy, after another own minion is summoned
    assert {name: x for name, x in found.items() if "on." in name or "DAMAGE" in name} == {
        "on.AFTER_SUMMONED": 1, "on.AFTER_SUMMONED.MY_OTHERS": 1, "on.AFTER_SUMMONED:DAMAGE": 1,
        "DAMAGE": 1, "on.DAMAGE": 1, "DAMAGE.ENEMIES": 1, "DAMAGE.pick": 1, "DAMAGE.pick.n": 0.25,
        "DAMAGE.amount": 0.125, "DAMAGE.spell_damage": 0.25}
    found = of("Raid Leader")  # other own minions have +1 attack
    assert {name: x for name, x in found.items() if "aura" in name} == {
        "aura.MY_OTHER_MINIONS": 1, "aura.attack": 0.25}


def test_texts_of_other_cards_are_told():
    """Wrath offers two cards: 3 damage, or 1 damage and a card. Blessing of Wisdom gives a text."""
    found = of("Wrath")
    assert (found["option.play.DAMAGE"], found["option.play.DRAW"]) == (2, 1)
    assert found["DAMAGE.amount"] == (3 + 1) / 8
    found = of("Blessing of Wisdom")
    assert found["given.on.ATTACKS.OWN"] == found["given.on.DRAW"] == 1


def test_what_a_ruleset_changes_is_told():
    """The War Axe cost 2 until build 22115 raised it to 3."""
    axe = by_name()["Fiery War Axe"]
    assert said(cards("msg2017")[axe])["cost"] == 2 / 8
    assert said(cards("cig2018")[axe])["cost"] == 3 / 8
    one, other = facts("msg2017"), facts("cig2018")
    at, cost = index()[axe], names().index("cost")
    assert (one.matrix()[at, cost], other.matrix()[at, cost]) == (64, 96)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_card_has_facts(ruleset):
    found, pool = facts(ruleset), cards(ruleset)
    assert len(found.begin) == len(pool) + 2
    assert found.begin[:2].tolist() == [0, 0]  # index 0 is no card
    assert (np.diff(found.begin)[1:] >= 3).all()  # of a hero: kind, cost, which one
    assert (found.value != 0).all()
    assert found.fact.min() >= 0
    assert found.fact.max() < len(names()) <= FACTS
    for card, begin, end in zip(pool.values(), found.begin[1:], found.begin[2:], strict=False):
        there = {names()[i]: x / ONE for i, x in zip(
            found.fact[begin:end], found.value[begin:end], strict=True)}
        assert there.keys() == said(card, ruleset).keys()
        for name, x in said(card, ruleset).items():
            assert there[name] == pytest.approx(x, abs=0.5 / ONE)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_cards_with_equal_facts_do_the_same(ruleset):
    """They differ in what no text of a card in a game depends on, and in nothing else."""
    groups = defaultdict(set)
    for card in cards(ruleset).values():
        plain = replace(card, id="", name="", rarity=Rarity.NONE, collectible=True)
        groups[frozenset(said(card, ruleset).items())].add(plain)
    assert [group for group in groups.values() if len(group) > 1] == []


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_no_fact_is_too_large_to_learn_from(ruleset):
    """A mask of keywords once counted as a number, 2**29: one card made each sum of a network."""
    found = facts(ruleset)
    assert np.abs(found.value).max() < 13 * ONE


def test_another_card_has_other_facts():
    """The test above can fail: a keyword, an amount and a target are each told."""
    yeti = cards()[by_name()["Chillwind Yeti"]]
    assert said(replace(yeti, keywords=int(Keyword.TAUNT)))["keyword.TAUNT"] == 1
    fireball = cards()[by_name()["Fireball"]]
    (row,) = fireball.play
    other = replace(fireball, play=(replace(row, value=replace(row.value, n=5)),))
    assert said(other)["DAMAGE.amount"] == 5 / 8


def test_facts_that_a_shipped_network_learned_stay():
    """By the tree before the cards of 2019: operations were generalised later, and facts kept."""
    told = {id: sorted(said(card).items()) for id, card in cards("cig2018").items()}
    whole = json.dumps([told, names()[:1625]]).encode()
    assert hashlib.sha256(whole).hexdigest()[:16] == "ec7ec19e164898a8"
