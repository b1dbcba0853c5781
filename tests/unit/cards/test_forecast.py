"""Which cards can be forecast: what look-aheads see of their texts, read from the printed cards."""

import pytest

from hsevo.cards.ops import Op
from hsevo.cards.tables import by_name, cards, index, tables
from hsevo.cards.terms import Event, Forecast

SEEN = {
    "Chillwind Yeti": Forecast.NOTHING,
    "Azure Drake": Forecast.NOTHING,  # it draws
    "Bloodmage Thalnos": Forecast.NOTHING,  # its Deathrattle comes later
    "Fire Elemental": Forecast.UNKNOWN,  # a Battlecry that damages
    "Frost Elemental": Forecast.NOTHING,  # a Battlecry that freezes
    "Flametongue Totem": Forecast.UNKNOWN,  # auras
    "Small-Time Buccaneer": Forecast.UNKNOWN,  # an aura on itself
    "C'Thun": Forecast.UNKNOWN,  # it has grown
    "Fiery War Axe": Forecast.NOTHING,
    "Spirit Claws": Forecast.UNKNOWN,  # +2 attack with Spell Damage
    "Jade Claws": Forecast.NOTHING,  # besides a golem
    "Frostbolt": Forecast.DAMAGE,
    "Forgotten Torch": Forecast.DAMAGE,
    "Jade Lightning": Forecast.DAMAGE,
    "Eviscerate": Forecast.UNKNOWN,  # a Combo
    "Wrath": Forecast.UNKNOWN,  # options
    "Arcane Missiles": Forecast.UNKNOWN,  # who is hit?
    "Flamestrike": Forecast.UNKNOWN,
    "Hex": Forecast.BECOMES,
    "Evolve": Forecast.UNKNOWN,
    "Innervate": Forecast.MANA,
    "Ice Block": Forecast.SECRET,
    "Cabalist's Tome": Forecast.NOTHING,
    "Arcane Intellect": Forecast.NOTHING,  # it draws
    "Shield Block": Forecast.ARMOR,  # and a draw
    "Call Pet": Forecast.NOTHING,  # what is drawn may get cheaper
    "Sprint": Forecast.NOTHING,
    "Battle Rage": Forecast.UNKNOWN,  # how many?
    "Holy Light": Forecast.HEALING,
    "Earthen Ring Farseer": Forecast.UNKNOWN,  # a Battlecry that heals
}


@pytest.mark.parametrize(("name", "seen"), SEEN.items())
def test_what_look_aheads_see_of_a_card(name: str, seen: Forecast) -> None:
    assert tables().card[index()[by_name()[name]]].forecast == seen


def test_powers_that_are_forecast() -> None:
    known = {card.name: index()[id] for id, card in cards().items()}
    assert tables().card[known["Armor Up!"]].forecast == Forecast.ARMOR
    assert tables().card[known["Fireblast"]].forecast == Forecast.DAMAGE
    assert tables().card[known["Lesser Heal"]].forecast == Forecast.HEALING
    assert tables().card[known["Life Tap"]].forecast == Forecast.UNKNOWN
    assert tables().card[known["Totemic Call"]].forecast == Forecast.NOTHING


def test_a_row_that_summons_is_known() -> None:
    golem = tables().card[index()[by_name()["Jade Lightning"]]]
    assert golem.brings == golem.play + 1
    assert tables().row[golem.brings].op == Op.SUMMON_JADE
    assert tables().card[index()[by_name()["Frostbolt"]]].brings == 0


def test_how_many_cards_are_drawn() -> None:
    drawn = {name: tables().card[index()[by_name()[name]]].draws
             for name in ("Azure Drake", "Sprint", "Frostbolt")}
    assert drawn == {"Azure Drake": 1, "Sprint": 4, "Frostbolt": 0}


@pytest.mark.parametrize(("name", "attack"), [
    ("Frothing Berserker", 1),
    ("Gurubashi Berserker", 3),
    ("Mana Wyrm", 1),
    ("Acolyte of Pain", 0),  # it draws
    ("Questing Adventurer", 0),  # it gains health, too
    ("Tunnel Trogg", 0),  # how much?
])
def test_attack_that_a_trigger_gives_to_its_minion(name: str, attack: int) -> None:
    card = tables().card[index()[by_name()[name]]]
    assert tables().trigger[card.trigger].gains == attack


@pytest.mark.parametrize(("name", "events"), [
    ("Chillwind Yeti", {Event.PLAYED, Event.SUMMONED, Event.AFTER_PLAYED, Event.AFTER_SUMMONED}),
    ("Totem Golem", {Event.PLAYED, Event.SUMMONED, Event.AFTER_PLAYED, Event.AFTER_SUMMONED,
                     Event.OVERLOADED}),
    ("Fiery War Axe", {Event.PLAYED, Event.EQUIPPED, Event.AFTER_PLAYED}),
    ("Frostbolt", {Event.PLAYED, Event.TARGETED, Event.AFTER_PLAYED, Event.FROZEN}),
    ("Ice Block", {Event.PLAYED, Event.AFTER_PLAYED}),
    ("Sprint", {Event.PLAYED, Event.AFTER_PLAYED, Event.DRAWN}),
])
def test_the_events_of_playing_a_card(name: str, events: set[Event]) -> None:
    raised = int(tables().card[index()[by_name()[name]]].raised)
    assert {event for event in Event if raised >> event & 1} == events
