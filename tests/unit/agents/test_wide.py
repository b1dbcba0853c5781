"""The terms that EVA lacks: each by hand, on both sides; and without weights it is EVA."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hsevo.agents.eva import equations
from hsevo.agents.genomes import genome
from hsevo.agents.registry import genome_of
from hsevo.cards.tables import by_name, index
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_equations import FIREBALL
from tests.support.seat import Seat
from tests.unit.agents.test_search import DECKS

W = 0.5  # the weight of the term; a binary fraction, so that sums are exact
NAMES = [name for name, *_ in genome.FURTHER]
OWN_HERO = "play Fireball at the own hero"


def one_term(name: str) -> Any:
    """Return eva:wide with the weight W for a term, and 0 for all else, EVA's included."""
    made = read_agent("eva:wide")
    made["w"] = 0.0
    made["w"][0, getattr(equations, name)] = W
    return made


def arm(side: Any) -> None:
    """Give a player a weapon of 3 attack and 2 durability."""
    side.weapon, side.weapon_attack, side.durability = index()[by_name()["Fiery War Axe"]], 3, 2


def crystals(seat: Seat) -> None:
    for side in seat.g.side:
        side.crystals = 5


def health(seat: Seat) -> None:
    """Leave 18 health to each hero, 3 of it armour."""
    for side, ref in ((0, 7), (1, 15)):
        seat.g.char[ref].health, seat.g.side[side].armor = 15, 3


def spell_damage(seat: Seat) -> None:
    seat.g.side[1].spell_damage = 1


def nothing(seat: Seat) -> None:
    """Leave the position as it is."""


YETI, WISP, KOBOLD = "Chillwind Yeti", "Wisp", "Kobold Geomancer"
# Term; own hand, own board, enemy board; more; an action; by how much its quantity grows on the own
# side and on the enemy's: what the action must score is W times the first minus the second.
CASES = [
    ("HAND", (WISP, WISP), (), (), nothing, "play Wisp", -1, 0),
    ("HAND", ("Arcane Intellect",), (), (), nothing, "play Arcane Intellect", +1, 0),
    ("HAND", ("Sap",), (), (WISP,), nothing, "play Sap at Wisp (enemy minion 1)", -1, +1),
    ("DECK", ("Arcane Intellect",), (), (), nothing, "play Arcane Intellect", -2, 0),
    ("DECK", ("Naturalize",), (WISP,), (), nothing, "play Naturalize at Wisp (own minion 1)", 0,
     -2),
    ("CRYSTALS", ("Wild Growth",), (), (), crystals, "play Wild Growth", +1, 0),
    ("CRYSTALS", ("Arcane Golem",), (), (), crystals, "play Arcane Golem", 0, +1),
    ("WEAPON", ("Fiery War Axe",), (), (), nothing, "play Fiery War Axe", +6, 0),
    ("WEAPON", (), (), (), lambda seat: arm(seat.g.side[0]),
     "attack the enemy hero with the own hero", -3, 0),
    ("WEAPON", ("Acidic Swamp Ooze",), (), (), lambda seat: arm(seat.g.side[1]),
     "play Acidic Swamp Ooze", 0, -6),
    ("OVERLOAD", ("Lightning Bolt",), (), (), nothing, "play Lightning Bolt at the enemy hero", +1,
     0),
    ("SPELL", (KOBOLD,), (), (), nothing, "play Kobold Geomancer", +1, 0),
    ("SPELL", ("Mind Control",), (), (KOBOLD,), spell_damage,
     "play Mind Control at Kobold Geomancer (enemy minion 1)", +1, -1),
    ("CLEAR", ("Frostbolt",), (WISP,), (WISP,), nothing,
     "play Frostbolt at Wisp (enemy minion 1)", +1, 0),
    ("CLEAR", (WISP,), (), (WISP,), nothing, "play Wisp", 0, -1),
    ("SAFE", ("Fireball",), (), (YETI,), lambda seat: hurt(seat, 0, 5),  # the Mage deals 1, too
     "play Fireball at Chillwind Yeti (enemy minion 1)", +1, 0),
    ("SAFE", ("Fireball",), (), (YETI,), lambda seat: hurt(seat, 0, 12), OWN_HERO, 0, 0),
    ("SAFE", ("Fireball",), (), (YETI,), lambda seat: hurt(seat, 0, 11), OWN_HERO, -1, 0),
    ("SAFE", (YETI,), (), (), lambda seat: hurt(seat, 1, 4), "play Chillwind Yeti", 0, -1),
    ("SAFE", (YETI,), (), (), lambda seat: hurt(seat, 1, 5), "play Chillwind Yeti", 0, 0),
    ("POWER", (), (), (), nothing, "use Armor Up!", +1, 0),
    ("FROZEN", ("Frostbolt",), (), (YETI,), nothing,
     "play Frostbolt at Chillwind Yeti (enemy minion 1)", 0, +1),
    ("FROZEN", ("Frostbolt",), (), (), nothing, "play Frostbolt at the own hero", +1, 0),
    ("LOW", ("Fireball",), (), (), health, FIREBALL, 0, -3),  # 18 to 12: 15 to 12
    ("LOW", ("Fireball",), (), (), health, OWN_HERO, -3, 0),
    ("LOW", ("Fireball",), (), (), nothing, FIREBALL, 0, 0),
]  # fmt: skip


def hurt(seat: Seat, owner: int, left: int) -> None:
    seat.g.char[8 * owner + 7].health = left


@pytest.mark.parametrize(
    ("name", "hand", "mine", "theirs", "more", "action", "own", "enemy"), CASES)
def test_a_term_counts_what_it_says(
        name: str, hand: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...],
        more: Callable[[Seat], None], action: str, own: int, enemy: int) -> None:
    seat = Seat(one_term(name), hand, mine, theirs, power=True)
    more(seat)
    seat.g.watch, seat.g.stale = -1, 1  # minions were put there by hand
    assert seat.score(action) == W * (own - enemy)
    assert seat.score("end the turn") == 0.0


def test_every_term_was_tried() -> None:
    assert {case[0] for case in CASES} == {*NAMES}


def test_terms_add_to_evas_score() -> None:
    """Fireball at a hero of 30: 6 * HHR and the card; equation 1 takes the mana as before."""
    made = one_term("HAND")
    made["w"][0, 0], made["w"][0, 7] = 0.5, 0.25  # HHR, BMR
    assert Seat(made, ["Fireball"]).score(FIREBALL) == 3.0 - 1.0 - W


@pytest.mark.parametrize(("one", "other"), [
    ("eva:wide", "eva:2018"), ("eva:wide-turn?nodes=40", "eva:turn?nodes=40"),
    ("eva:wide-reply?nodes=40&ends=2&hands=1", "eva:reply?nodes=40&ends=2&hands=1")])
@pytest.mark.parametrize("information", ["fair", "leaky"])
def test_without_weights_they_play_the_same_games(one: str, other: str, information: str) -> None:
    """Against the same opponent, hundreds of games of all decks: equal to the bit."""
    rows = np.zeros(18, match.PAIRING)
    rows["deck_a"], rows["deck_b"] = np.tile(np.indices((3, 3)).reshape(2, 9), 2)
    rows["b"], rows["games"], rows["seed"] = 1, 10 if "?" in one else 30, np.arange(18) * 1_000_003
    setting = match.Setting(decks=DECKS, information=information)
    results = [match.play_block(rows, np.concatenate([read_agent(spec), read_agent("eva:group-1")]),
                                setting) for spec in (one, other)]
    assert np.array_equal(*results)
    assert results[0]["faults"].sum() == 0


def test_the_genome_is_evas_and_the_terms_and_they_are_zero() -> None:
    eva, other = genome_of("eva"), genome_of("eva:wide")
    assert other.names == (*eva.names, *NAMES)
    assert np.array_equal(other.default, [*eva.default, *(0.0 for _ in NAMES)])
    assert [getattr(equations, name) for name in NAMES] == [*range(21, 21 + len(NAMES))]
