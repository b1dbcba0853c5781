"""Every card's id, name and numbers against the game's own card data (see make_card_facts.py)."""

import csv
from collections import Counter

import pytest

from hsevo.cards import potions
from hsevo.cards.catalogue import collectible
from hsevo.cards.ops import Op
from hsevo.cards.sets import (
    basic,
    brm,
    classic,
    gvg,
    hall_of_fame,
    heroes,
    kara,
    loe,
    msg,
    naxx,
    tgt,
    wotog,
)
from hsevo.cards.tables import cards, sets, tables
from hsevo.cards.terms import Class, Event, Keyword, Kind, Race, Rarity, Set
from hsevo.cards.vocabulary.model import Who
from tests.support import DATA

FACTS = DATA / "card_facts.csv"
# The numbers that stand in the card data, as hsevo names them.
KINDS = {3: Kind.HERO, 4: Kind.MINION, 5: Kind.SPELL, 6: Kind.NONE, 7: Kind.WEAPON, 10: Kind.POWER}
CLASSES = {
    0: Class.NEUTRAL, 2: Class.DRUID, 3: Class.HUNTER, 4: Class.MAGE, 5: Class.PALADIN,
    6: Class.PRIEST, 7: Class.ROGUE, 8: Class.SHAMAN, 9: Class.WARLOCK, 10: Class.WARRIOR,
    1: Class.NEUTRAL, 11: Class.NEUTRAL, 12: Class.NEUTRAL,  # 1: Death Knight
}  # fmt: skip
RACES = {
    14: Race.MURLOC, 15: Race.DEMON, 17: Race.MECH, 20: Race.BEAST, 21: Race.TOTEM,
    23: Race.PIRATE, 24: Race.DRAGON,
}  # fmt: skip
RACES_OF_2019 = {**RACES, 18: Race.ELEMENTAL, 26: Race.ALL}
SETS_2019 = {
    27: Set.UNGORO, 1001: Set.FROZEN_THRONE, 1004: Set.KOBOLDS, 1125: Set.WITCHWOOD,
    1127: Set.BOOMSDAY, 1129: Set.RASTAKHAN, 1130: Set.SHADOWS,
}  # fmt: skip
RARITIES = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4}
SETS = {
    2: basic.CARDS, 3: classic.CARDS, 4: hall_of_fame.CARDS, 11: hall_of_fame.CARDS,
    12: naxx.CARDS, 13: gvg.CARDS, 14: brm.CARDS, 15: tgt.CARDS,
    20: loe.CARDS, 21: wotog.CARDS, 23: kara.CARDS, 25: msg.CARDS,
}  # fmt: skip
KEYWORDS = {
    "TAUNT": Keyword.TAUNT,
    "CHARGE": Keyword.CHARGE,
    "DIVINE_SHIELD": Keyword.DIVINE_SHIELD,
    "WINDFURY": Keyword.WINDFURY,
    "STEALTH": Keyword.STEALTH,
    "POISONOUS": Keyword.POISONOUS,
    "LIFESTEAL": Keyword.LIFESTEAL,
    "CANT_ATTACK": Keyword.CANT_ATTACK,
    "CANT_BE_TARGETED_BY_SPELLS": Keyword.ELUSIVE,
    "DEATHRATTLE": Keyword.DEATHRATTLE,
    "INSPIRE": Keyword.INSPIRE,
    "RUSH": Keyword.RUSH,
    "ECHO": Keyword.ECHO,
}
PRESETS = {"23180": "cig2018", "18792": "msg2017"}
# What the ruleset of January 2017 has otherwise than build 18792 of May 2017 (patch 8.0.4): the
# nerfs of patch 7.1 (February 2017).
PATCH_7_1 = {"KAR_063": "cost", "CFM_325": "health"}
# Potions made of two parts are hsevo's own ids: the game makes one card and fills it in.
MADE_HERE = {card.id for card in potions.POTIONS} | {
    "EX1_137e", "FP1_003e", "ICC_047e1", "ICC_047e2"}  # the game shows none of it


# Options of Choose One that are spells here and in 23180, and in 30103 the minions that they bring.
FORMS = {"EX1_165a", "EX1_165b", "BRM_010a", "BRM_010b", "AT_042a", "AT_042b", "UNG_101a",
         "UNG_101b", "ICC_051a", "ICC_051b"}


def rows(build: str) -> list[dict[str, str]]:
    with FACTS.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["build"] == build]


OLD = {row["id"]: row for row in rows("18792")}
NEW = {row["id"]: row for row in rows("23180")}
LATEST = NEW | {row["id"]: row for row in rows("30103")}
OURS = cards("cig2018")
CHECKED = sorted(OURS.keys() - MADE_HERE)


def numbers(row: dict[str, str], races: dict[int, Race] = RACES) -> dict[str, object]:
    """Return a row of the facts in hsevo's terms."""
    fact = {key: int(row[key]) for key in row.keys() - {"build", "id", "name", "tags"}}
    return {
        "name": row["name"],
        "kind": KINDS[fact["type"]],
        "cls": CLASSES[fact["class"]],
        "cost": fact["cost"],
        "attack": fact["attack"],
        "health": fact["health"],
        "race": races.get(fact["race"], Race.NONE),
        "overload": fact["overload"],
        "collectible": fact["collectible"] == 1,
    }


def test_numbers_are_those_of_build_23180():
    facts = {id: numbers(NEW[id]) for id in CHECKED}
    for id, theirs in facts.items():
        if OURS[id].kind is Kind.HERO:
            theirs["collectible"] = False  # no hero goes into a deck
        if OURS[id].kind is Kind.NONE:
            facts[id] = {"name": theirs["name"], "kind": theirs["kind"]}
    assert {id: {key: getattr(OURS[id], key) for key in facts[id]} for id in CHECKED} == facts


@pytest.mark.parametrize(("ruleset", "build"), [("cig2018-wild", "25770"), ("rise2019", "30103")])
def test_numbers_are_those_of_the_build(ruleset, build):
    pool, rows_of_build = cards(ruleset), NEW | {row["id"]: row for row in rows(build)}
    facts = {}
    for id in sorted(pool.keys() - MADE_HERE - FORMS):
        card, theirs = pool[id], numbers(rows_of_build[id], RACES_OF_2019)
        if card.kind is Kind.HERO and id not in collectible():
            theirs["collectible"] = False  # no class's own hero goes into a deck
        if card.kind is Kind.NONE:
            theirs = {key: theirs[key] for key in ("name", "kind")}
        elif card.kind is Kind.HERO:  # its health stays, and its armour is `health` here
            theirs |= {"health": card.health, "attack": card.attack}
        facts[id] = theirs
    ours = {id: {key: getattr(pool[id], key) for key in facts[id]} for id in facts}
    assert ours == facts


def test_each_card_of_2019_is_in_its_set():
    for id in sorted(cards("rise2019").keys() & collectible().keys() - OURS.keys()):
        assert SETS_2019.get(int(LATEST[id]["set"]), sets()[id]) is sets()[id], id


@pytest.mark.parametrize("ruleset", ["cig2018", "rise2019"])
def test_rarity_and_keywords_are_those_of_the_build(ruleset):
    pool, rows = cards(ruleset), LATEST if ruleset == "rise2019" else NEW
    known = pool.keys() - MADE_HERE - FORMS
    if ruleset == "rise2019":
        known -= OURS.keys()  # tags of build 30103 lack keywords and rarities of some older cards
    checked = [id for id in sorted(known) if pool[id].kind in (1, 2, 3)]
    assert checked
    for id in checked:
        ours, theirs = pool[id], rows[id]
        tags = set(theirs["tags"].split())
        assert ours.rarity == Rarity(RARITIES.get(int(theirs["rarity"]), 0)), id
        if ours.kind is not Kind.SPELL:  # a spell's tags name what it gives
            said = sum(KEYWORDS.get(tag, 0) for tag in tags)
            for_a_turn = ours.keywords & Keyword.STEALTH_TURN  # the Spirits: Stealth for 1 turn
            has = ours.keywords | (Keyword.STEALTH if for_a_turn else 0)
            assert has & sum(KEYWORDS.values()) == said, id
            assert ours.spell_damage == int(theirs["spell_damage"]), id
        assert ours.secret == ("SECRET" in tags), id


def test_texts_are_of_the_tagged_kinds():
    """A Battlecry, Combo, Deathrattle, ... in the card data is one here, and no other is."""
    checked = [id for id in CHECKED if OURS[id].collectible]
    assert len(checked) > 900
    for id in checked:
        ours, tags = OURS[id], set(NEW[id]["tags"].split())
        if ours.kind is Kind.SPELL:
            assert bool(ours.play) != bool(ours.options), id
            continue
        assert bool(ours.play) == ("BATTLECRY" in tags), id
        assert bool(ours.combo) == ("COMBO" in tags), id
        assert bool(ours.deathrattle) == ("DEATHRATTLE" in tags), id


@pytest.mark.parametrize("number", SETS)
def test_each_card_stands_in_its_set(number):
    here = {card.id for card in SETS[number] if card.collectible}
    there = {id for id, row in NEW.items() if int(row["set"]) == number and OURS[id].collectible}
    if SETS[number] is not hall_of_fame.CARDS:
        assert here == there
    assert there <= here


def test_msg2017_has_the_numbers_of_build_18792():
    old, facts = cards("msg2017"), {id: numbers(row) for id, row in OLD.items()}
    assert {id: {key: getattr(old[id], key) for key in facts[id]} for id in OLD} == facts
    for id, row in OLD.items():
        assert bool(old[id].keywords & Keyword.CHARGE) == ("CHARGE" in row["tags"].split()), id


def test_msg2017_has_the_numbers_of_before_patch_7_1():
    """Patch notes 7.1: Spirit Claws from 1 to 2 mana, Small-Time Buccaneer from 2 to 1 health."""
    old = cards("msg2017")
    assert {id: getattr(old[id], field) for id, field in PATCH_7_1.items()} == {
        "KAR_063": 1, "CFM_325": 2,
    }  # fmt: skip
    assert {id: getattr(OURS[id], field) for id, field in PATCH_7_1.items()} == {
        "KAR_063": 2, "CFM_325": 1,
    }  # fmt: skip


def test_basic_is_whole():
    """The set has 133 collectible cards."""
    assert sum(card.collectible for card in basic.CARDS) == 133


def test_every_operation_of_a_card_has_a_word():
    """A text is rows of known operations, and what it is aimed at can be found."""
    table = tables("cig2018")
    assert all(Op(row) in Op for row in set(table["row"]["op"].tolist()))


def test_no_minion_answers_its_own_play():
    """A card does not trigger on its own play (rules digest, corner cases)."""
    own_play = {Event.PLAYED, Event.SUMMONED, Event.AFTER_SUMMONED, Event.AFTER_PLAYED}
    for card in OURS.values():
        if card.kind is Kind.MINION:
            for trigger in card.triggers:
                if trigger.event in own_play and not trigger.zone:
                    assert trigger.whose.name in (
                        "MY_OTHERS", "ANY_OTHER", "THEIRS", "MY_SPELL_ON_FRIEND",
                    ) or (
                        trigger.only.arg == 0 and trigger.only.test.name == "SECRET"
                    ), card.name


def test_no_two_collectible_cards_share_a_name():
    names = Counter(card.name for card in OURS.values() if card.collectible)
    assert [name for name, n in names.items() if n > 1] == []


def test_heroes_have_thirty_health():
    assert {card.health for card in heroes.CARDS if card.kind is Kind.HERO} == {30}


def test_selectors_are_frozen_data():
    with pytest.raises(AttributeError):
        Who(0).pick = 1  # type: ignore[misc,arg-type]
