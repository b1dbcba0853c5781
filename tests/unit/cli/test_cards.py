"""`hsevo cards` and `hsevo decks`: what they print, find and refuse."""

import csv
import re
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest

from hsevo import config
from hsevo.cards import browse, rulesets, tables
from hsevo.cards.catalogue import catalogue, collectible
from hsevo.cards.decks import from_text, read_deck, to_code
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Class, Kind, Race, Rarity, Set
from hsevo.config import find
from tests.support import ROOT
from tests.support.command import fails, hsevo


def lines(*words: object) -> list[str]:
    result = hsevo(*words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout.splitlines()


def listed(*options: object) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(hsevo("cards", "list", *options, "--csv").stdout)))


# -- cards ----------------------------------------------------------------------------------------


def test_the_overview_adds_up() -> None:
    shown = lines("cards")
    rows = [line.rsplit(maxsplit=2) for line in shown if line[-1:].isdigit()]
    sets, classes = rows[:len(Set)], rows[len(Set):]
    have = len(tables.every_card().keys() & collectible().keys())
    assert [row[0] for row in sets[:3]] == ["Basic", "Classic", "Hall of Fame"]
    assert len(classes) == 9 + 3 + 1
    for part in (sets, classes):
        assert sum(int(row[1]) for row in part) == have
        assert sum(int(row[2]) for row in part) == 2003
    assert f"{have:,} of the 2,003 collectible cards" in " ".join(shown)
    assert "hsevo cards show NAME" in shown[-1]


def test_the_catalogue_agrees_with_the_cards() -> None:
    """Set, class, type, race, rarity and numbers of all that hsevo has; cards.csv counts sets."""
    sizes = [sum(card.set is where for card in collectible().values()) for where in Set]
    assert sizes == [133, 243, 10, 30, 123, 31, 132, 45, 134, 45, 132, *7 * [135]]
    for id in tables.every_card().keys() & collectible().keys():
        card, entry = tables.every_card()[id], collectible()[id]
        assert tables.sets()[id] is entry.set, id
        for name in ("name", "cls", "group", "kind", "race", "rarity", "cost", "attack"):
            assert getattr(card, name) == getattr(entry, name), (id, name)
        assert entry.health == (card.armor if card.kind is Kind.HERO else card.health), id
    assert {entry.kind for entry in catalogue() if entry.id not in collectible()} == {Kind.HERO}


def test_a_list_for_a_pipe_is_plain_aligned_and_counted() -> None:
    head, *rows, count = lines("cards", "list", "--class", "mage", "--cost", 7)
    assert count == f"{len(rows)} cards of cig2018"
    assert "\x1b" not in head
    at = head.index("text")
    texts = {row[:16].strip(): row[at:] for row in rows}
    assert texts["Flamestrike"] == "Deal 4 damage to all enemy minions."
    assert all(row[at - 1] == " " for row in rows)


def test_a_search_that_finds_nothing_names_a_ruleset_where_it_does() -> None:
    assert lines("cards", "list", "--text", "twinspell") == [
        "0 cards of cig2018", "rise2019 has 8: add --ruleset rise2019"]
    assert lines("cards", "list", "--text", "no such words") == ["0 cards of cig2018"]


@pytest.mark.parametrize(("options", "names"), [
    (("--class", "mage", "--cost", 4, "--kind", "minion"), {
        "Animated Armor", "Dalaran Aspirant", "Demented Frostcaller", "Ethereal Arcanist",
        "Goblin Blastmage", "Kabal Chemist", "Kazakus", "Water Elemental", "Wee Spellstopper"}),
    (("--set", "hall-of-fame", "--class", "Rogue"), {"Conceal"}),
    (("--set", "hof", "--kind", "spells"), {"Ice Lance", "Conceal", "Power Overwhelming"}),
    (("--race", "murlocs", "--rarity", "epic"), {
        "Murloc Warleader", "Siltfin Spiritwalker", "Vilefin Inquisitor"}),
    (("--text", "spell DAMAGE +1", "--race", "dragon"), {"Azure Drake"}),
    (("--text", "charge", "--ruleset", "msg2017", "--race", "pirate", "--rarity", "legendary"),
     {"Patches the Pirate", "Skycap'n Kragg"}),
    (("--tokens", "--race", "totem", "--class", "shaman"), {
        "Searing Totem", "Stoneclaw Totem", "Healing Totem", "Wrath of Air Totem"}),
    (("--tokens", "--kind", "power", "--class", "mage"), {"Fireblast", "Fireblast Rank 2"}),
    (("--cost", 33), set()),
    (("--kind", "secret", "--class", "mage", "--set", "classic", "--rarity", "rare"), {
        "Counterspell", "Vaporize"}),
])  # fmt: skip
def test_filters(options: tuple[object, ...], names: set[str]) -> None:
    assert {row["name"] for row in listed(*options)} == names


def test_all_cards_are_listed_once_and_none_is_missing() -> None:
    have = listed()
    assert len(have) == 1054
    missing = listed("--missing")
    rise = listed("--ruleset", "rise2019")
    assert {row["id"] for row in have} < {row["id"] for row in rise}
    assert {row["id"] for row in (*rise, *missing)} == set(collectible())
    assert len(rise) + len(missing) == 2003


@pytest.fixture
def without_boom(monkeypatch: pytest.MonkeyPatch) -> None:
    """hsevo as if it lacked a card of the game."""
    whole = tables.cards
    monkeypatch.setattr(tables, "cards", lambda ruleset="cig2018": {
        id: card for id, card in whole(ruleset).items() if id != "GVG_110"})
    monkeypatch.setattr(tables, "every_card", tables.every_card.__wrapped__)
    monkeypatch.setattr(tables, "home_of", lambda id: None)


@pytest.mark.usefixtures("without_boom")
def test_a_card_that_is_missing_is_listed() -> None:
    assert "Dr. Boom" in [row["name"] for row in listed("--missing")]
    assert len(listed()) == 1053


def test_in_a_terminal_a_list_is_drawn_within_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for width, text in ((60, False), (80, False), (160, True)):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = re.sub(r"\x1b\[[\d;]*m", "", hsevo("cards", "list", "--set", "tgt").stdout)
        assert "──" in shown
        assert ("Overload: 1." in shown) is text
        assert max(map(len, shown.splitlines())) <= width
        assert ("not shown at" in shown) is not text
        assert "cards of cig2018" in shown.splitlines()[-1]


def test_a_card_is_shown_with_all_about_it() -> None:
    assert lines("cards", "show", "harvest gol") == [
        "Harvest Golem (EX1_556)",
        "  3 mana, 2/3 common Neutral Mech minion, Classic",
        "  Deathrattle: summon a Damaged Golem (2/1).",
        "  creates Damaged Golem: 1 mana, 2/1 common Neutral Mech minion (skele21)",
        "  in random pools: 3-cost card (your class or neutral); 3-cost minion; Mech; Mech (your"
        " class or",
        "    neutral); card of your opponent's class; card with Deathrattle (your class or"
        " neutral); minion;",
        "    minion (your class or neutral)",
        "  the same in all rulesets",
    ]


def test_a_card_of_later_sets_is_found() -> None:
    assert "--ruleset" in lines("cards", "show", "Zilliax")[-1]
    shown = lines("cards", "show", "Zilliax", "--ruleset", "rise2019")
    assert shown[-1] == "  the same in all rulesets that have it"
    assert "did you mean 'Zilliax'?" in fails("cards", "show", "Zilliaxx")


def test_what_a_ruleset_changes_is_said() -> None:
    axe = lines("cards", "show", "CS2_106")
    assert any(line.startswith("  in msg2017 it costs 2; it is in these random") for line in axe)
    assert "  in msg2017 its text is: Gain 2 mana this turn only." in lines(
        "cards", "show", "innervate")
    assert "  in cig2018 it is 1/1" in lines("cards", "show", "time bucc", "--ruleset", "msg2017")
    assert "  in cig2018-as-run it has no text" in lines("cards", "show", "Reno")
    said = lines("cards", "show", "Fireball")
    assert any(line.startswith("  in random pools: Mage card; Mage spell; ") for line in said)


def test_every_change_of_every_ruleset_is_told() -> None:
    for name, rules in RULESETS.items():
        textless = [id for id, where in tables.sets().items() if where in rules.textless_sets
                    and tables.cards()[id] != tables.cards(name)[id]]
        for id in (*rules.changes, *textless):
            if name != "cig2018" and id in tables.cards():
                assert browse.differences(id)[name], (name, id)
    assert browse.differences("CS2_029") == {}


@pytest.mark.parametrize(("query", "ids"), [
    ("sylvanas", {"EX1_016"}),
    ("ex1_016", {"EX1_016"}),
    ("Fireball", {"CS2_029"}),
    ("reno", {"LOE_011"}),  # and not Renounce Darkness
    ("Mirror Image", {"CS2_027"}),  # a spell before its token
    ("damaged golem", {"skele21"}),
    ("Treant", {"EX1_158t", "EX1_tk9", "EX1_573t", "FP1_019t"}),
    ("gul’dan", {"HERO_07"}),
    ("dr. boom", {"GVG_110"}),
])
def test_names_are_found_by_parts(query: str, ids: set[str]) -> None:
    assert {card.id for card in browse.named_so(query)} == ids


def test_several_cards_are_listed_shortly() -> None:
    shown = lines("cards", "show", "frost el", "ragnaros")
    assert shown[0] == "Frost Elemental (EX1_283)"
    assert lines("cards", "show", "treant")[0].endswith(". To show one, give its id:")
    several = lines("cards", "show", "drake")
    assert several[0].endswith(". To show one, give its id or whole name:")
    assert "cards match 'drake'" in several[0]
    assert any(line.startswith("Azure Drake ") and line.endswith("EX1_284") for line in several)


@pytest.mark.usefixtures("without_boom")
def test_a_card_of_the_game_that_is_missing_says_so() -> None:
    assert lines("cards", "show", "Dr. Boom") == [
        "Dr. Boom (GVG_110)",
        "  7 mana, 7/7 legendary Neutral minion, Goblins vs Gnomes",
        "  not implemented yet, so decks and other cards can't use it",
    ]


def test_every_card_can_be_shown() -> None:
    ids = [id for id, card in tables.cards().items()
           if card.kind is not Kind.NONE and not id.startswith("CFM_621t:")]
    shown = lines("cards", "show", *ids)
    heads = [line for line in shown if line and not line.startswith(" ")]
    assert [head.rpartition(" (")[2] for head in heads] == [f"{id})" for id in ids]
    assert max(map(len, shown)) <= 100


def test_all_unknown_names_are_told_and_the_known_shown() -> None:
    result = hsevo("cards", "show", "Firebull", "Fireball", "Frostbold")
    assert result.exit_code == 2
    assert result.stdout.startswith("Fireball (CS2_029)")
    assert len(result.stderr.splitlines()) == 2


def test_words_mean_their_terms() -> None:
    assert browse.one_of(Set, "Old Gods", "set") is Set.OLD_GODS
    assert browse.one_of(Set, "wotog", "set") is browse.one_of(Set, "OLD_GODS", "set")
    assert browse.one_of(Class, "neutral", "class") is Class.NEUTRAL
    assert browse.one_of(Race, "Mechs", "race") is Race.MECH
    assert browse.one_of(Rarity, None, "rarity") is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", [("list",), ("list", "--csv"), ("--help",)])
def test_a_full_disk_is_a_line(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([sys.executable, "-m", "hsevo", "cards", *words], stdout=full,
                               stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert ended.returncode == 2
    assert ended.stderr == "hsevo: cannot read or write: No space left on device\n"


def test_browsing_does_not_wait_for_the_engine() -> None:
    words = ("import sys; from hsevo.cli import main; main(['cards', 'show', 'Hex'],"
             " standalone_mode=False); print([m for m in sys.modules if m in %r])")
    heavy = ("numba", "pandas", "pyarrow", "scipy")
    out = subprocess.run([sys.executable, "-c", words % (heavy,)], capture_output=True, text=True,
                         check=True, cwd=ROOT).stdout
    assert out.endswith("[]\n")


# -- decks ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
def test_a_right_deck_is_shown_with_its_code() -> None:
    shown = lines("decks", "check", "warrior")
    assert shown[:2] == ["name: warrior", "class: Warrior"]
    copies = [line.split() for line in shown if line.startswith(("1x", "2x"))]
    assert sum(int(words[0][0]) for words in copies) == 30
    costs = [int(words[-2]) for words in copies]
    assert costs == sorted(costs)
    curve = [int(line.split()[-1]) for line in shown if " mana " in line and "average" not in line]
    assert (len(curve), sum(curve)) == (8, 30)
    legal = "# legal in Wild; in the Standard of cig2018, msg2017, cig2018-as-run"
    assert any(line.startswith(legal) for line in shown)  # other tests may register more rulesets
    assert shown[-1] == f"# deck code: {to_code(read_deck('warrior'))}"
    barred = "not in the Standard of cig2018, msg2017, cig2018-as-run"
    assert barred in " ".join(lines("decks", "check", "mech-shaman")).replace(" #  ", "")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", config.names("decks")[::4])
def test_what_check_prints_is_the_deck(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal, too, where long comments are broken."""
    monkeypatch.setenv("COLUMNS", "60")
    for color in ("", "1"):
        text = hsevo("decks", "check", name, FORCE_COLOR=color).stdout
        deck = from_text(re.sub(r"\x1b\[[\d;]*m", "", text), "other")
        assert (deck.name, deck.hero_class) == (name, read_deck(name).hero_class)
        assert Counter(deck.ids) == Counter(read_deck(name).ids)


@pytest.mark.usefixtures("here")
def test_a_code_is_a_deck_too_and_several_are_checked_at_once() -> None:
    code = to_code(read_deck("mage"))
    shown = lines("decks", "check", code, "shaman")
    assert [line for line in shown if line.startswith("class: ")] == ["class: Mage",
                                                                      "class: Shaman"]
    assert shown.count(f"# deck code: {code}") == 1


@pytest.mark.usefixtures("here")
def test_a_deck_of_its_own_size_has_no_code() -> None:
    shown = " ".join(line.strip("# ") for line in lines("decks", "check", "mage-21"))
    assert "the game's decks have 30 cards, and it has no deck code" in shown
    assert "deck code: " not in shown


def test_everything_that_is_wrong_is_named_at_once(here: Path) -> None:
    (here / "bad.txt").write_text("class: Mag\nsize: 40\nFirebal\n3x Pyroblast\n2x Kazakus\n"
                                  "0x Frostbolt\n")
    assert fails("decks", "check", "bad.txt", "mage").splitlines() == [
        "hsevo: bad.txt: unknown class 'Mag'; did you mean 'Mage'?",
        "bad.txt: unknown card 'Firebal'; did you mean 'Fireball'?",
        "bad.txt: '0x Frostbolt' must have from 1 to 60 copies",
        "bad.txt: has 7 cards, but must have 40",
        "bad.txt: has 3 copies of Pyroblast, but may have at most 2",
        "bad.txt: has 2 copies of Kazakus, but may have at most 1",
    ]
    (here / "bad.txt").write_text("class: Mage\nFireball\nFiery War Axe\n")
    assert "Fiery War Axe is a Warrior card, but the deck is a Mage's" in fails(
        "decks", "check", "bad.txt")


def test_a_deck_of_later_cards_is_sent_to_its_ruleset(here: Path) -> None:
    (here / "late.txt").write_text("class: Mage\nsize: 15\nZilliax\n2x Ray of Frost\n2x Fireball\n"
                                   "2x Frostbolt\n2x Polymorph\n2x Wisp\n2x Frost Nova\n"
                                   "2x Pyroblast\n")
    said = fails("decks", "check", "late.txt").splitlines()
    assert len(said) == 3
    assert said[-1] == "late.txt: the deck is legal in rise2019; see it with --ruleset rise2019"
    assert lines("decks", "check", "late.txt", "--ruleset", "rise2019")[0] == "name: late"


@pytest.mark.usefixtures("here")
def test_standard_is_the_rulesets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines("decks", "check", "mage", "--format", "standard")[0] == "name: mage"
    classic = rulesets.Ruleset("old", "", sets=frozenset({Set.BASIC, Set.CLASSIC}))
    monkeypatch.setitem(RULESETS, "old", classic)
    said = fails("decks", "check", "mage", "--format", "standard", "--ruleset", "old").splitlines()
    assert said[0] == "hsevo: mage: Forbidden Flame is not in the Standard of old"
    assert len(said) == 16
    shown = " ".join(line.strip("# ") for line in lines("decks", "check", "mage"))
    assert "not in the Standard of old: Forbidden Flame, Arcane Blast" in shown


def test_decks_are_listed_with_what_they_are(here: Path) -> None:
    (here / "decks").mkdir()
    (here / "decks" / "mine.txt").write_text("# Mine. And more.\nclass: Mage\nsize: 15\n"
                                             "Firebal\n")
    (here / "decks" / "red.txt").write_text("# Turned \x1b[31mred.\n"
                                            + find("mage", "decks").read_text())
    head, *rows, more = lines("decks", "list")
    assert head.split() == ["name", "class", "cards", "what", "it", "is"]
    found = {row.split()[0]: row for row in rows}
    assert "Pirate Warrior, one of the three decks" in found["warrior"]
    assert found["mage-21"].split()[1:3] == ["Mage", "21"]
    assert "not a deck: decks/mine.txt: unknown card 'Firebal'" in found["mine"]
    assert found["red"].endswith("  Turned  [31mred")  # but no terminal does
    assert more == "more: hsevo decks check NAME"
