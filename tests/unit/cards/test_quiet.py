"""Which cards can be quiet: what look-aheads see of their texts, read from the printed cards."""

import pytest

from hsevo.cards.ops import Op
from hsevo.cards.tables import by_name, cards, index, tables
from hsevo.cards.terms import Event, Quiet

SEEN = {
    "Chillwind Yeti": Quiet.NOTHING,
    "Azure Drake": Quiet.NOTHING,  # it draws
    "Bloodmage Thalnos": Quiet.NOTHING,  # its Deathrattle comes later
    "Fire Elemental": Quiet.UNKNOWN,  # a Battlecry that damages
    "Frost Elemental": Quiet.NOTHING,  # a Battlecry that freezes
    "Flametongue Totem": Quiet.UNKNOWN,  # auras
    "Small-Time Buccaneer": Quiet.UNKNOWN,  # an aura on itself
    "C'Thun": Quiet.UNKNOWN,  # it has grown
    "Fiery War Axe": Quiet.NOTHING,
    "Spirit Claws": Quiet.UNKNOWN,  # +2 attack with Spell Damage
    "Jade Claws": Quiet.NOTHING,  # besides a golem
    "Frostbolt": Quiet.DAMAGE,
    "Forgotten Torch": Quiet.DAMAGE,
    "Jade Lightning": Quiet.DAMAGE,
    "Eviscerate": Quiet.UNKNOWN,  # a Combo
    "Wrath": Quiet.UNKNOWN,  # options
    "Arcane Missiles": Quiet.UNKNOWN,  # who is hit?
    "Flamestrike": Quiet.UNKNOWN,
    "Hex": Quiet.BECOMES,
    "Evolve": Quiet.UNKNOWN,
    "Innervate": Quiet.MANA,
    "Ice Block": Quiet.SECRET,
    "Cabalist's Tome": Quiet.NOTHING,
    "Arcane Intellect": Quiet.NOTHING,  # it draws
    "Shield Block": Quiet.ARMOR,  # and a draw
    "Call Pet": Quiet.NOTHING,  # what is drawn may get cheaper
    "Sprint": Quiet.NOTHING,
    "Battle Rage": Quiet.UNKNOWN,  # how many?
    "Holy Light": Quiet.HEALING,
    "Earthen Ring Farseer": Quiet.UNKNOWN,  # a Battlecry that heals
}


@pytest.mark.parametrize(("name", "seen"), SEEN.items())
def test_what_look_aheads_see_of_a_card(name: str, seen: Quiet) -> None:
    assert tables().card[index()[by_name()[name]]].quiet == seen


def test_quiet_powers() -> None:
    known = {card.name: index()[id] for id, card in cards().items()}
    assert tables().card[known["Armor Up!"]].quiet == Quiet.ARMOR
    assert tables().card[known["Fireblast"]].quiet == Quiet.DAMAGE
    assert tables().card[known["Lesser Heal"]].quiet == Quiet.HEALING
    assert tables().card[known["Life Tap"]].quiet == Quiet.UNKNOWN
    assert tables().card[known["Totemic Call"]].quiet == Quiet.NOTHING


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
    ("Frostbolt", {Event.PLAYED, Event.TARGETED, Event.AFTER_PLAYED}),
    ("Ice Block", {Event.PLAYED, Event.AFTER_PLAYED}),
    ("Sprint", {Event.PLAYED, Event.AFTER_PLAYED, Event.DRAWN}),
])
def test_the_events_of_playing_a_card(name: str, events: set[Event]) -> None:
    raised = int(tables().card[index()[by_name()[name]]].raised)
    assert {event for event in Event if raised >> event & 1} == events
