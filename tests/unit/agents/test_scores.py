"""Scores of a state against numbers worked out by hand: what the end of the turn leaves."""

from math import sqrt

import numpy as np
import pytest

from hsevo.agents.registry import genome_of
from hsevo.agents.shared import scores
from hsevo.agents.shared.agent import ONE_STEP, agent
from hsevo.cards.tables import by_name, index
from hsevo.cards.terms import Keyword
from hsevo.engine.record.state import WIN_1
from hsevo.strength.roster import read_agent
from tests.support.seat import Seat

END = "end the turn"
YETI, OGRE = "Chillwind Yeti", "Boulderfist Ogre"  # 4/5 for 4 mana, 6/7 for 6


def arm(seat: Seat, owner: int) -> None:
    """Give a player a weapon of 3 attack and 2 durability."""
    side = seat.g.side[owner]
    side.weapon, side.weapon_attack, side.durability = index()[by_name()["Fiery War Axe"]], 3, 2


# -- MetaStone ------------------------------------------------------------------------------------


def test_metastone_heroes_cards_and_minions() -> None:
    seat = Seat("greedy:metastone", ["Wisp", "Wisp"], [YETI], [OGRE, "Wisp"])
    seat.g.side[0].armor, seat.g.char[15].health = 5, 21
    # heroes 35 - 21, cards 3 * 2, minions 2 * (1 - 2), 9 - (13 + 2)
    assert seat.score(END) == 14 + 6 - 2 - 6


@pytest.mark.parametrize(("keyword", "more"), [
    (Keyword.TAUNT, 2), (Keyword.WINDFURY, 2), (Keyword.DIVINE_SHIELD, 13.5), (Keyword.STEALTH, 1),
    (Keyword.STEALTH_TURN, 1), (Keyword.ELUSIVE, 13.5), (Keyword.FROZEN, -4), (Keyword.CHARGE, 0),
    (Keyword.FROZEN | Keyword.TAUNT, -4),
])  # fmt: skip
def test_metastone_keywords(keyword: int, more: float) -> None:
    """A yeti: 0.5 * 4 for Windfury, 1.5 * (4 + 5) twice, and 5 alone when it is frozen."""
    seat = Seat("greedy:metastone", (), [], [YETI])
    assert seat.score(END) == -(9 + 2)
    seat.g.char[8].keywords = int(keyword)
    assert seat.score(END) == -(9 + 2 + more)


def test_metastone_spell_damage_and_enrage() -> None:
    seat = Seat("greedy:metastone", (), ["Kobold Geomancer"])
    assert seat.score(END) == 2 + 2 + 1 + 2
    seat.g.char[0].keywords = Keyword.SILENCED
    assert seat.score(END) == 2 + 2 + 2
    seat = Seat("greedy:metastone", (), ["Amani Berserker"])
    assert seat.score(END) == 2 + 3 + 2
    seat.g.char[0].health, seat.g.stale = 2, 1
    assert seat.score(END) == 5 + 2 + 1 + 2


@pytest.mark.parametrize(("name", "count"), [
    ("HERO", 35 - 21), ("CARDS", 2), ("MINIONS", 3 - 2), ("ATTACK", 4 + 2 + 1 - 6 - 5),
    ("HEALTH", 5 + 2 + 1 - 7 - 2), ("TAUNT", 1), ("WINDFURY", 4), ("SHIELD", 4 + 5),
    ("SPELL_DAMAGE", 1), ("STEALTH", 1), ("ENRAGED", -1), ("ELUSIVE", 4 + 5)])
def test_metastone_each_weight_counts_its_own_thing(name: str, count: float) -> None:
    """Own: a yeti 4/5 with everything, a Geomancer 2/2, a Wisp; enemy: an ogre 6/7, a hurt Amani.

    The Amani Berserker, 2/3, has 5/2 once it is hurt.
    """
    seat = Seat(weighed("greedy:metastone", scores.__dict__[name]), ["Wisp", "Wisp"],
                [YETI, "Kobold Geomancer", "Wisp"], [OGRE, "Amani Berserker"])
    seat.g.side[0].armor, seat.g.char[15].health = 5, 21
    seat.g.char[0].keywords = (Keyword.TAUNT | Keyword.WINDFURY | Keyword.DIVINE_SHIELD
                               | Keyword.STEALTH | Keyword.ELUSIVE)
    seat.g.char[9].health, seat.g.stale = 2, 1
    assert seat.score(END) == 0.25 * count


def weighed(spec: str, place: int) -> np.ndarray:
    """Return an agent whose weights are 0 but for one, 0.25."""
    made = read_agent(spec)
    made["w"] = 0.0
    made["w"][0, place] = 0.25
    return made


# -- Santos ---------------------------------------------------------------------------------------


def test_santos_by_hand() -> None:
    seat = Seat("greedy:santos", ["Wisp"], [YETI, "Wisp"], ["Ironfur Grizzly"])
    seat.g.char[15].health = 25
    # MA 2 - 1, TMA 1 - 0 (5 > 4, 3 is not), HA 1, TrA 9 + 2 + 30 - 6 - 25, BM 4 + 0 - 3
    expected = 1.0457 * 1 + 0.2058 * 1 + 9.6557 * 1 + 0.9407 * 10 + 5.2249 * 1
    assert seat.score(END) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("name", "count"), [
    ("MA", 2 - 1), ("TMA", 1), ("HA", 1), ("TRA", 9 + 2 + 30 - 6 - 25), ("BM", 4 + 0 - 3)])
def test_santos_each_weight_counts_its_own_thing(name: str, count: float) -> None:
    seat = Seat(weighed("greedy:santos", scores.__dict__[name]), ["Wisp"], [YETI, "Wisp"],
                ["Ironfur Grizzly"])
    seat.g.char[15].health = 25
    assert seat.score(END) == 0.25 * count


def test_the_weights_are_those_of_the_program_and_the_thesis() -> None:
    """So agents by their names play as before they had a genome (panel-2026c_first_round.csv)."""
    for spec, names, weights in (
            ("greedy:metastone", [*genome_of("greedy:metastone").names], scores.METASTONE_WEIGHTS),
            ("greedy:santos", [*genome_of("greedy:santos").names], scores.SANTOS_WEIGHTS)):
        assert [scores.__dict__[name] for name in names] == [*range(len(weights))]
        assert read_agent(spec)["w"][0, :len(weights)].tolist() == [*weights]


def test_santos_a_minion_of_four_health_is_not_tough() -> None:
    seat = Seat("greedy:santos", (), ["Sen'jin Shieldmasta"])
    soft = 1.0457 + 0.9407 * (3 + 5) + 5.2249 * 4
    assert seat.score(END) == pytest.approx(soft + 0.2058, rel=1e-12)
    seat.g.char[0].health = 4
    assert seat.score(END) == pytest.approx(soft - 0.9407, rel=1e-12)


def test_santos_weapons_count_in_their_own_turn_and_armour_never() -> None:
    seat = Seat("greedy:santos")
    seat.g.side[0].armor = 8
    arm(seat, 1)
    assert seat.score(END) == pytest.approx(0, abs=1e-12)
    arm(seat, 0)
    assert seat.score(END) == pytest.approx(0.9407 * 3, rel=1e-12)


# -- Tyche, linear --------------------------------------------------------------------------------


def test_tyche_by_hand() -> None:
    seat = Seat("tyche:onestep", ["Wisp"] * 5, [YETI], ["Wisp"])
    own, other = seat.g.side
    own.n_deck, other.n_deck, other.fatigue, own.armor, seat.g.char[15].health = 16, 9, 2, 6, 25
    other.n_secrets, other.secret[0].card = 1, index()[by_name()["Ice Block"]]
    terms = (2 * 6 - 2 * 5, 4 - (3 - 2), 5 * 2 + 3, 9 - 2, 0, -2)
    assert seat.score(END) == pytest.approx(
        sum(w * term for w, term in zip(scores.TYCHE_WEIGHTS, terms, strict=True)))


def test_tyche_an_empty_board_of_the_enemy_and_weapons() -> None:
    seat = Seat("tyche:onestep", (), ["Wisp"])
    decks = sqrt(seat.g.side[0].n_deck) - sqrt(seat.g.side[1].n_deck)
    empty = 0.5 * (2 + 10)
    assert seat.score(END) == pytest.approx(decks + 2 + empty)
    arm(seat, 1)
    assert seat.score(END) == pytest.approx(decks + 2 + empty - 6)


@pytest.mark.parametrize(("place", "value"), [
    (0, 30), (1, 28), (2, 2), (3, 1), (4, 6), (5, 5), (6, 7), (7, 6), (8, 0)])
def test_linear_each_weight_counts_its_own_thing(place: int, value: float) -> None:
    """Own: yeti 4/5 and Wisp 1/1; enemy: ogre 6/7. Armour counts as much health as w[8] says."""
    weights = [0.0] * 9
    weights[place] = 0.5
    seat = Seat(agent(ONE_STEP, (scores.LINEAR,), weights), (), [YETI, "Wisp"], [OGRE])
    seat.g.char[15].health, seat.g.side[0].armor, seat.g.side[1].armor = 28, 4, 6
    assert seat.score(END) == value / 2


def test_linear_armour() -> None:
    seat = Seat(agent(ONE_STEP, (scores.LINEAR,), [2, -3, 0, 0, 0, 0, 0, 0, 1]))
    seat.g.side[0].armor, seat.g.side[1].armor = 4, 6
    assert seat.score(END) == 2 * 34 - 3 * 36


# -- over -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["greedy:metastone", "greedy:santos", "tyche:onestep"])
def test_the_end_of_the_game(spec: str) -> None:
    seat = Seat(spec, ["Fireball"])
    seat.g.char[7].health = seat.g.char[15].health = 6
    assert seat.score("play Fireball at the enemy hero") == scores.WIN
    assert seat.score("play Fireball at the own hero") == -scores.WIN
    assert seat.chosen == "play Fireball at the enemy hero"
    both = Seat(spec, ["Hellfire"])
    both.g.char[7].health = both.g.char[15].health = 3
    assert both.score("play Hellfire") == 0.0
    assert both.g.result != WIN_1
