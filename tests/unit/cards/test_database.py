"""Deck databases: the shipped lists against their totals, the split, a user's own, its mistakes."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from hsevo.cards import DeckDatabase, decks, tables
from hsevo.cards.database import HELD_OUT, NEAR, NEWEST, groups, in_common, newest_patch
from hsevo.cards.decks import check_deck, from_names, read_deck, refuse_foreign
from hsevo.cards.human_decks import FILE, PATCHES, table
from hsevo.cards.terms import Class, Set
from hsevo.errors import DeckError
from tests.support import ROOT

MAGE = "|".join((
    "Frostbolt*2", "Fireball*2", "Arcane Missiles x2", "2x Arcane Intellect", "Wisp*2",
    "Polymorph*2", "Flamestrike*2", "Arcane Explosion*2", "Mirror Image*2", "Frost Nova*2",
    "Water Elemental*2", "Murloc Raider*2", "Bloodfen Raptor*2", "Boulderfist Ogre*2",
    "Chillwind Yeti*2"))
OTHER_MAGE = MAGE.replace("Murloc Raider*2", "Mana Wyrm*2")  # 28 cards in common
FAR_MAGE = OTHER_MAGE.replace("Polymorph*2|Flamestrike*2", "Blizzard*2|Pyroblast*2")  # 24, and 26
DRUID = "|".join(f"{name}*2" for name in (
    "Innervate", "Wrath", "Swipe", "Claw", "Wisp", "Healing Touch", "Moonfire", "Wild Growth",
    "Mark of the Wild", "Starfire", "Ironbark Protector", "Murloc Raider", "Bloodfen Raptor",
    "Boulderfist Ogre", "Chillwind Yeti"))


@pytest.fixture(scope="module")
def shipped() -> DeckDatabase:
    return DeckDatabase.load()


OLDEST = frozenset({Set.BASIC, Set.CLASSIC, Set.HALL_OF_FAME})
STANDARD = dict.fromkeys(("ungoro", "kft", "knc"), OLDEST | {
    Set.OLD_GODS, Set.KARAZHAN, Set.GADGETZAN, Set.UNGORO, Set.FROZEN_THRONE, Set.KOBOLDS})
STANDARD |= dict.fromkeys(("witchwood", "boomsday", "rumble"), OLDEST | {
    Set.UNGORO, Set.FROZEN_THRONE, Set.KOBOLDS, Set.WITCHWOOD, Set.BOOMSDAY, Set.RASTAKHAN})
STANDARD["ros"] = OLDEST | {Set.WITCHWOOD, Set.BOOMSDAY, Set.RASTAKHAN, Set.SHADOWS}


def lists_after_gadgetzan(ruleset: str) -> DeckDatabase:
    whole = DeckDatabase.load(ruleset)
    return whole.where(~whole.facts["patch"].isin([*PATCHES][:9]).to_numpy())


def facts_of(table, column) -> dict[str, int]:
    return table[column].value_counts(dropna=False).to_dict()


def test_the_shipped_file_has_the_totals_of_its_sources(shipped):
    """Counted in the lists that the file was made of."""
    assert len(shipped) == 4547
    assert facts_of(shipped.facts, "class") == {
        "Warrior": 672, "Druid": 570, "Warlock": 555, "Shaman": 550, "Rogue": 507, "Priest": 432,
        "Paladin": 429, "Hunter": 416, "Mage": 416}
    assert facts_of(shipped.facts, "patch") == {
        "classic": 247, "naxx": 328, "gvg": 614, "brm": 354, "tgt": 83, "loe": 117, "wotog": 939,
        "kara": 948, "msg": 917}
    kinds = shipped.facts["kind"].fillna("")
    assert Counter(kinds) == {"ladder": 2234, "tournament": 2213, "": 100}
    assert shipped.facts["family"].nunique() == 1574
    assert shipped.facts["votes"].notna().sum() == 1172
    assert shipped.facts["win_rate"].notna().sum() == shipped.facts["games"].notna().sum() == 338
    assert shipped.weights.sum() == 6577
    assert FILE.stat().st_size < 200_000


def test_later_lists_leave_those_of_before_as_they_were(shipped):
    """The digest of April 2017's lists, and their rows, which are the first of the file's."""
    assert shipped.digest == "8d839e1e58ea0632"
    assert shipped.split("known").digest == "5416845b68b640c1"
    facts = shipped.facts.to_csv().encode()
    assert hashlib.sha256(facts).hexdigest()[:16] == "21d13132adcb32c9"
    whole = DeckDatabase.load("rise2019")
    assert whole.facts.head(len(shipped)).equals(shipped.facts)
    assert (whole.decks[:len(shipped)] == shipped.decks).all()
    for name in ("hearthsim", "blackrock2015", "msg2017"):
        assert DeckDatabase.load(name).digest == shipped.digest


def test_lists_of_2017_to_2019_have_the_totals_of_their_sources():
    """Counted in the lists that the rows were made of."""
    whole, later = DeckDatabase.load(NEWEST), lists_after_gadgetzan(NEWEST)
    assert len(whole) == table().num_rows == 5011
    assert facts_of(later.facts, "class") == {
        "Druid": 78, "Warlock": 63, "Priest": 62, "Rogue": 56, "Paladin": 49, "Hunter": 46,
        "Warrior": 40, "Mage": 39, "Shaman": 31}
    assert facts_of(later.facts, "patch") == {
        "ungoro": 2, "kft": 58, "knc": 59, "witchwood": 171, "boomsday": 69, "rumble": 96, "ros": 9}
    assert Counter(later.facts["date"].fillna("none").str[:4]) == {
        "2017": 59, "2018": 297, "2019": 79, "none": 29}
    assert Counter(later.facts["kind"].fillna("")) == {"tournament": 283, "ladder": 177, "": 4}
    assert later.facts["source"].value_counts().head(2).to_dict() == {
        "jegutman/hearthstone_decks": 450, "Quarterback16/DeckDetector": 9}
    assert later.facts["source"].str.startswith("https://").sum() == 5
    assert later.weights.sum() == 473


def test_each_later_list_is_legal_in_its_year():
    """Few are of Wild: all others keep to the sets of Standard in the year of their patch."""
    later, order, wild = lists_after_gadgetzan(NEWEST), [*PATCHES], 0
    for row, (cards, patch) in enumerate(zip(later.decks, later.facts["patch"], strict=True)):
        deck = later.deck(row)
        check_deck(deck)
        refuse_foreign([deck], NEWEST)
        assert PATCHES.keys() - {*order[:9]} >= {newest_patch(cards, NEWEST)}
        assert order.index(newest_patch(cards, NEWEST)) <= order.index(patch)
        wild += not STANDARD[patch].issuperset(tables.sets()[id] for id in deck.ids)
    assert wild == 7
    assert len({tuple(cards) for cards in later.decks}) == len(later)
    assert lists_after_gadgetzan("cig2018-wild").facts["patch"].value_counts().to_dict() == {
        "ungoro": 2, "kft": 58, "knc": 59, "witchwood": 171, "boomsday": 69, "rumble": 37}


def test_a_later_list_is_the_one_of_its_source():
    """A list of jegutman/hearthstone_decks, of the Americas Winter Playoffs in January 2019."""
    whole = DeckDatabase.load(NEWEST)
    row = whole.facts["deck"].tolist().index("human:h95d249bc3")
    names = Counter(tables.every_card()[id].name for id in whole.deck(row).ids)
    assert names == Counter({
        "Secret Plan": 2, "Hunter's Mark": 2, "Tracking": 2, "Candleshot": 2, "Flare": 1,
        "Explosive Trap": 2, "Freezing Trap": 1, "Wandering Monster": 2, "Unleash the Hounds": 1,
        "Kill Command": 2, "Deadly Shot": 1, "Animal Companion": 2, "Flanking Strike": 2,
        "Baited Arrow": 1, "Deathstalker Rexxar": 1, "Lesser Emerald Spellstone": 2,
        "To My Side!": 2, "Rhok'delar": 1, "Zul'jin": 1})
    assert whole.facts.loc[row, ["class", "archetype", "date", "patch"]].tolist() == [
        "Hunter", "Spell Hunter", "2019-01-19", "rumble"]


def test_arrays_are_what_kernels_take(shipped):
    assert (shipped.decks.dtype, shipped.classes.dtype, shipped.weights.dtype) == (
        np.uint16, np.int16, np.float64)
    assert shipped.decks.shape == (len(shipped), 30)
    assert (np.diff(shipped.decks.astype(int), axis=1) >= 0).all()
    assert shipped.weights.min() >= 1
    with pytest.raises(ValueError, match="read-only"):
        shipped.decks[0, 0] = 0


def test_every_shipped_list_is_a_legal_deck_of_its_patch(shipped):
    order = [*PATCHES]
    for row, (cards, patch) in enumerate(zip(shipped.decks, shipped.facts["patch"], strict=True)):
        check_deck(shipped.deck(row))
        assert order.index(newest_patch(cards)) <= order.index(patch)
    assert len({tuple(cards) for cards in shipped.decks}) == len(shipped)
    assert shipped.facts["deck"].is_unique


def test_a_shipped_list_is_the_one_of_its_source(shipped):
    """A list of colinmorris/hs-decks, of March 2014."""
    row = shipped.facts["deck"].tolist().index("human:h038e27c68")
    names = Counter(tables.cards()[id].name for id in shipped.deck(row).ids)
    assert names == Counter({
        "Innervate": 2, "Bloodmage Thalnos": 1, "Mark of the Wild": 1, "Wild Growth": 2, "Wrath": 2,
        "Harvest Golem": 2, "Chillwind Yeti": 1, "Keeper of the Grove": 2,
        "Sen'jin Shieldmasta": 2, "Swipe": 2, "Azure Drake": 1, "Big Game Hunter": 1,
        "Druid of the Claw": 2, "Faceless Manipulator": 1, "Starfall": 1, "Cairne Bloodhoof": 1,
        "The Black Knight": 1, "Ancient of Lore": 2, "Ancient of War": 1,
        "Ragnaros the Firelord": 1, "Cenarius": 1})
    assert shipped.facts.loc[row, ["class", "archetype", "date", "family"]].tolist() == [
        "Druid", "Mid-Range", "2014-03-25", "f0011"]
    assert shipped.weights[row] == 4


def test_no_later_deck_that_is_held_out_is_near_a_known_one():
    """Neither near one of its own years nor of those before."""
    whole, later = DeckDatabase.load(NEWEST), lists_after_gadgetzan(NEWEST)
    known, held = whole.split("known"), whole.split("held-out")
    assert {*known.facts["group"]}.isdisjoint(held.facts["group"])
    for cls in range(1, 10):
        some = held.of_class(Class(cls))
        assert in_common(some.decks, known.of_class(Class(cls)).decks).max() < NEAR
        share = (later.of_class(Class(cls)).facts["split"] == "held-out").mean()
        assert HELD_OUT - 0.03 < share <= HELD_OUT


def test_no_deck_that_is_held_out_is_near_a_known_one(shipped):
    known, held = shipped.split("known"), shipped.split("held-out")
    assert len(known) + len(held) == len(shipped)
    assert {*known.facts["family"]}.isdisjoint(held.facts["family"])
    for cls in range(1, 10):
        some = held.of_class(Class(cls))
        assert in_common(some.decks, known.of_class(Class(cls)).decks).max() < NEAR
        share = len(some) / len(shipped.of_class(Class(cls)))
        assert HELD_OUT - 0.005 < share <= HELD_OUT


@pytest.mark.parametrize("ruleset", ["cig2018", NEWEST])
def test_groups_join_whole_families_of_near_equal_decks(ruleset):
    shipped = DeckDatabase.load(ruleset)
    found = groups(shipped.decks, shipped.classes, shipped.facts["family"].tolist())
    assert found == shipped.facts["group"].tolist()
    assert shipped.facts.groupby("family")["group"].nunique().max() == 1


def test_in_common_counts_two_copies_twice():
    decks = np.array([[1, 1, 2], [1, 2, 2], [3, 4, 5]])
    assert in_common(decks, decks).tolist() == [[3, 2, 0], [2, 3, 0], [0, 0, 3]]


def test_decks_hang_together_over_a_third():
    """1 and 2 have 28 cards in common, 2 and 3 have 26, 1 and 3 only 24: one group."""
    listed = {"b": ("mage", MAGE), "c": ("mage", OTHER_MAGE), "a": ("mage", FAR_MAGE),
              "d": ("druid", DRUID)}
    database = DeckDatabase.of([from_names(own_names(cards), cls, name)
                                for name, (cls, cards) in listed.items()])
    shared = in_common(database.decks, database.decks)
    assert shared[0].tolist() == [30, 28, 24, 10]
    assert shared[1, 2] == 26
    assert database.facts["group"].tolist() == ["a", "a", "a", "d"]


def test_the_order_of_held_out_groups_is_their_hash():
    """Of five lone decks of a class exactly one, a fifth, is held out: the first by SHA-256."""
    mages = DeckDatabase.load().of_class("mage")
    lone = mages.facts.drop_duplicates("group").index[:5]
    five = DeckDatabase.of([mages.deck(row) for row in lone])
    assert five.facts["group"].nunique() == 5
    first = min(five.facts["deck"], key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    assert five.split("held-out").facts["deck"].tolist() == [first]


def test_a_part_keeps_the_split_of_the_whole(shipped):
    """Also after other decks of a group are gone."""
    whole = dict(zip(shipped.facts["deck"], shipped.facts["split"], strict=True))
    part = shipped.up_to("naxx").of_class("warrior")
    assert {*part.facts["patch"]} == {"classic", "naxx"}
    assert all(whole[name] == side for name, side in zip(
        part.facts["deck"], part.facts["split"], strict=True))
    assert {*part.split("held-out").facts["deck"]} < {*shipped.split("held-out").facts["deck"]}


def test_digests_tell_databases_apart(shipped):
    assert shipped.digest == DeckDatabase.load().digest
    assert len({shipped.digest, shipped.split("known").digest, shipped.up_to("kara").digest}) == 3


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "mine.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_csv_of_ones_own_is_a_database(tmp_path):
    path = written(tmp_path, f"deck,class,cards,weight,patch,note\nfirst,Mage,{MAGE},2.5,kara,x\n"
                             f"second,druid,{DRUID},,,y\n")
    mine = DeckDatabase.read(path)
    assert repr(mine) == "DeckDatabase(2 decks of 2 classes)"
    assert mine.weights.tolist() == [2.5, 1.0]
    assert mine.facts["patch"].tolist() == ["kara", "classic"]  # the second: of its newest card
    assert mine.of_class("druid").facts["deck"].tolist() == ["second"]
    assert Counter(mine.deck(0).ids) == Counter(
        tables.by_name()[name] for name in own_names(MAGE))


def own_names(cards: str) -> list[str]:
    return 2 * [re.sub(r"\*2| x2|2x ", "", part) for part in cards.split("|")]



ROW = f"a,mage,{MAGE},1"
BAD = {
    "": "has no column class",
    "deck,class,cards": "has no decks, because it has no row",
    "deck,klass,cards\na,mage,Wisp": "has no column class; did you mean 'klass'?",
    "deck,class,cards,cards\na,mage,Wisp,Wisp": "two columns with the same name",
    f"deck,class,cards,weight\n{ROW}\n{ROW}": "two decks have the name 'a'",
    f"deck,class,cards,weight\n{ROW[:-1]}0": "row 2: its weight is '0'",
    f"deck,class,cards,weight\n{ROW[:-1]}nan": "row 2: its weight is 'nan'",
    f"deck,class,cards,weight\n{ROW},7": "row 2: its number of cells differs",
    f"deck,class,cards,patch\n{ROW[:-1]}karra":
        "row 2: unknown patch 'karra'; did you mean 'kara'?",
    f"class,cards\nmonk,{MAGE}": "row 2: unknown class 'monk'",
    f"class,cards\npriest,{MAGE}": "Frostbolt is a Mage card, but the deck is a Priest's (and",
    "class,cards\nmage,Wisp": "row 2: has 1 cards, but must have 30",
    f"class,cards\nmage,{MAGE.replace('Wisp', 'Wips')}":
        "unknown card 'Wips'; did you mean 'Wisp'?",
    f"class,cards\nmage,{'Wisp|' * 20_000}": "more than 60 cards",
    "class,cards\nwarrior,Body 1/1*30": "Body 1/1, which only ruleset hearthsim has",
    "class,cards\nmage,": "row 2: a card is missing in ''",
    f"class,cards\nmage,Fireball*2||{MAGE}": "row 2: a card is missing in",
    b"class,cards\n\xff\xfe": "not a text file",
    b'class,cards\nmage,"Wisp\n': "not a CSV file",
    b"class,cards\nmage,Wi\0sp\n": "",
}


@pytest.mark.parametrize("text", BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_what_is_no_database_gets_one_clear_line(text, tmp_path):
    with pytest.raises(DeckError) as caught:
        DeckDatabase.read(written(tmp_path, text))
    said = str(caught.value)
    assert BAD[text] in said
    assert "\n" not in said
    assert "mine.csv" in said


def test_a_card_that_is_not_implemented_gets_one_clear_line(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All cards of the game are: it is as if there were another one."""
    monkeypatch.setattr(decks, "_catalogued", lambda: {"grey wisp": "Grey Wisp"})
    text = f"class,cards\nmage,{MAGE.replace('Wisp', 'Grey Wisp')}"
    with pytest.raises(DeckError, match="'Grey Wisp' is a card that is not implemented yet"):
        DeckDatabase.read(written(tmp_path, text))


def test_a_folder_of_deck_files_is_a_database(tmp_path):
    for name in ("mage", "shaman"):
        (tmp_path / f"{name}.txt").write_bytes((ROOT / "decks" / f"{name}.txt").read_bytes())
    mine = DeckDatabase.read(tmp_path)
    assert mine.facts["deck"].tolist() == ["mage", "shaman"]
    assert Counter(mine.deck(0).ids) == Counter(read_deck("mage").ids)
    assert mine.facts["patch"].tolist() == ["msg", "msg"]


def test_equal_lists_without_names_are_told_by_their_rows(tmp_path):
    mine = DeckDatabase.read(written(tmp_path, f"class,cards\nmage,{MAGE}\nmage,{MAGE}"))
    assert mine.facts["deck"].tolist() == ["row-2", "row-3"]
    assert mine.facts["group"].nunique() == 1


def test_weights_may_be_an_array():
    decks = [read_deck("mage"), read_deck("shaman")]
    assert DeckDatabase.of(decks, np.array([1.0, 3.0])).weights.tolist() == [1, 3]


def test_folders_without_decks_or_with_a_bad_one_get_one_line(tmp_path):
    with pytest.raises(DeckError, match=r"has no deck files \(NAME.txt\)$"):
        DeckDatabase.read(tmp_path)
    with pytest.raises(DeckError, match="no deck database 'nowhere'"):
        DeckDatabase.read("nowhere")
    (tmp_path / "small.txt").write_text("class: mage\nsize: 15\n" + 7 * "2x Wisp\n" + "Wisp\n")
    with pytest.raises(DeckError) as caught:
        DeckDatabase.read(tmp_path)
    assert len(str(caught.value).splitlines()) == 1


def test_decks_of_other_sizes_are_refused():
    with pytest.raises(DeckError, match="'mage-21' has 21 cards, but a deck database needs"):
        DeckDatabase.of([read_deck("mage-21")])
    with pytest.raises(DeckError, match="at least one deck"):
        DeckDatabase.of([])


def test_what_a_database_lacks_is_said(shipped):
    mages = shipped.of_class("mage")
    for call, said in (
            (lambda: mages.of_class("druid"), "no deck of the class Druid; it has decks of Mage"),
            (lambda: mages.of_class("drood"), "unknown class 'drood'; did you mean 'Druid'?"),
            (lambda: shipped.up_to("karra"), "unknown patch 'karra'; did you mean 'kara'?"),
            (lambda: shipped.up_to("msg").where(shipped.facts["patch"] == "msg").up_to("kara"),
             "has no deck of the patch kara or before"),
            (lambda: shipped.split("held"), "decks are known or held-out, not 'held'"),
            (lambda: shipped.split("known").split("held-out"), "has no deck that is held-out")):
        with pytest.raises(DeckError, match=said):
            call()
