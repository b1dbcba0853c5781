"""The ruleset blackrock2015: its numbers, its list of changes, and the cards that are there."""

import csv
from pathlib import Path

import pytest

import hsevo
from hsevo.cards import browse
from hsevo.cards.catalogue import collectible
from hsevo.cards.deck_facts import legality, says
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import read_deck, refuse_foreign, refuse_lists, standard
from hsevo.cards.rulesets import RULESETS, SHIPPED, UP_TO_BLACKROCK
from hsevo.cards.tables import cards, is_legal, pool_report, sets, tables
from hsevo.cards.terms import Class, Keyword, Kind, Set
from hsevo.errors import DeckError
from hsevo.learning.acting.pool import card_pool
from tests.support import DATA

NAME = "blackrock2015"
PAGE = Path(__file__).parents[3] / "docs/pages/reference/rulesets.md"
CHANGES = RULESETS[NAME].changes
HERE = {id for id in cards(NAME) if sets()[id] in UP_TO_BLACKROCK}
NINE = [cls for cls in Class if cls is not Class.NEUTRAL]


def numbers_of_2015() -> dict[str, tuple[int, int, int]]:
    with (DATA / "card_numbers_2015.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: (int(row["cost"]), int(row["attack"]), int(row["health"]))
                for row in csv.DictReader(file)}


def test_numbers_are_those_of_the_card_data_of_2015() -> None:
    known, theirs = cards(NAME), numbers_of_2015()
    ours = {id: (known[id].cost, known[id].attack, known[id].health) for id in theirs}
    assert ours == theirs
    without = {id for id in HERE if known[id].kind not in (Kind.NONE, Kind.HERO)} - theirs.keys()
    assert not without  # all cards of these sets, and what they bring


def test_what_differs_from_build_23180_in_numbers_is_what_the_card_data_says() -> None:
    """Each change of a number is needed, and none is there but those."""
    new = cards()
    differ = {id for id, own in numbers_of_2015().items()
              if own != (new[id].cost, new[id].attack, new[id].health)}
    said = {id for id, change in CHANGES.items() if {"cost", "attack", "health"} & change.keys()}
    assert said == differ


def test_the_page_has_the_changes_and_no_others() -> None:
    """A row a change: | card | in 2015 | until | source |."""
    part = PAGE.read_text(encoding="utf-8").partition("## Changes since April 2015")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in part.partition("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    told = [name for row in rows for name in row[0].split(", ")]
    named = {"NEW1_008a": "Ancient of Lore"}  # whose option it is
    assert sorted(told) == sorted(named.get(id, cards()[id].name) for id in CHANGES)
    assert all(all(row) and len(row) == 4 for row in rows)


def test_no_change_changes_nothing() -> None:
    for id, change in CHANGES.items():
        for field, value in change.items():
            assert getattr(cards()[id], field) != value, (id, field)


def test_only_cards_of_its_sets_are_changed() -> None:
    assert CHANGES.keys() <= HERE
    assert {id for id, card in cards(NAME).items() if card != cards()[id]} == CHANGES.keys()


def test_what_msg2017_changed_among_these_cards_holds_too() -> None:
    old = {id: change for id, change in RULESETS["msg2017"].changes.items() if id in HERE}
    assert set(old) - {"EX1_507"} == {id for id in old if CHANGES[id] == old[id]}
    assert all(getattr(RULESETS[NAME], flag) == getattr(RULESETS["msg2017"], flag)
               for flag in ("mulligan", "cast_first", "own_cost_first", "both_dead", "powers"))


def test_keywords_of_then() -> None:
    known = cards(NAME)
    assert known["EX1_089"].keywords == known["EX1_tk9"].keywords == Keyword.CHARGE
    assert not known["EX1_084"].auras


# -- which cards are there -------------------------------------------------------------------------


def test_random_pools_hold_cards_of_its_sets_alone() -> None:
    """But for lists that later cards name: nothing can bring those cards."""
    pools = {id for name, ids in pool_report(NAME).items() for id in ids
             if not name.startswith("one of ") and name not in ("Toxin", "Potion")}
    assert {sets()[id] for id in pools} == UP_TO_BLACKROCK
    two = pool_report(NAME)["2-cost minion"]
    assert {"NEW1_021", "GVG_006", "NEW1_019"} < {*two}  # Doomsayer, Mechwarper, Knife Juggler
    assert "KAR_033" not in {id for ids in pool_report(NAME).values() for id in ids}


def test_lists_and_pages_of_cards_hold_its_sets_alone() -> None:
    listed = hsevo.list_cards(ruleset=NAME)
    assert {*listed.set} == {browse.set_title(one) for one in UP_TO_BLACKROCK}
    assert len(listed) == sum(1 for id in collectible() if id in HERE)
    assert {sets()[card.id] for card in browse.search_cards(browse.CardSearch(), NAME, tokens=True)
            } <= UP_TO_BLACKROCK | {None}
    assert browse.search_cards(browse.CardSearch(set=Set.GADGETZAN), NAME) == []


@pytest.mark.parametrize("cls", NINE)
def test_decks_are_built_of_its_sets_alone(cls: Class) -> None:
    pool = DeckPool.of(cls.name.lower(), NAME)
    assert {sets()[card.id] for card in pool.cards} == UP_TO_BLACKROCK
    built = card_pool(NAME)
    own = {id for id, most in zip(built.ids, built.most[cls], strict=True) if most}
    assert own == {card.id for card in pool.cards}


def test_as_many_cards_as_the_paper_speaks_of() -> None:
    """Xiao and others (2023): more than 270 for each hero, 240 and more of all classes.

    Theirs were those that Hearthbreaker had; here are all of these sets.
    """
    known = [cards()[id] for id in card_pool(NAME).ids]
    assert sum(card.cls is Class.NEUTRAL for card in known) >= 240
    assert all(len(DeckPool.of(name, NAME).cards) >= 270 for name in ("mage", "warrior", "hunter"))


def test_a_deck_with_a_later_card_is_refused_in_one_line() -> None:
    said = r"^deck 'shaman' has the card [^\n]+, and ruleset blackrock2015 has no cards of its set$"
    with pytest.raises(DeckError, match=said):
        refuse_foreign([read_deck("shaman")], NAME)
    with pytest.raises(DeckError, match=said):
        hsevo.Game("shaman", "classic-mage", ruleset=NAME)
    with pytest.raises(DeckError, match=said):
        hsevo.match("random", "eva:2018", decks="shaman", ruleset=NAME, games=2)
    with pytest.raises(DeckError, match=r"has no cards of its set$"):
        hsevo.match("random", "eva:2018", decks="shaman", ruleset=f"{NAME}+Fireball.cost=5",
                    games=2)
    refuse_foreign([read_deck("shaman")], "msg2017")


@pytest.mark.parametrize("cls", NINE)
def test_the_classic_decks_may_be_played(cls: Class) -> None:
    deck = read_deck(f"classic-{cls.name.lower()}")
    refuse_foreign([deck], NAME)
    assert standard(deck, NAME) == []


def test_a_deck_is_checked_against_it() -> None:
    assert hsevo.Deck("classic-mage").check(NAME) == []
    wrong = hsevo.Deck("shaman").check(NAME)
    assert wrong[0].startswith("ruleset blackrock2015 has no cards of the set of ")
    assert hsevo.Deck("shaman").check("msg2017") == []
    assert "in the Standard of" in (said := legality(read_deck("classic-mage")))
    assert NAME in said
    assert f"not in the Standard of {NAME}: " in legality(read_deck("shaman"))
    told = [line for line in says(read_deck("classic-rogue")) if line.startswith(NAME)]
    assert len(told) == 1
    assert "Blade Flurry" in told[0]


def test_lists_of_later_cards_are_not_drawn() -> None:
    with pytest.raises(DeckError, match=r"^decks are drawn from [^\n]+ blackrock2015 [^\n]+$"):
        refuse_lists(NAME)
    for name in ("cig2018", "msg2017", "cig2018-as-run", "hearthsim"):
        refuse_lists(name)


def test_cards_that_came_later_are_told() -> None:
    assert browse.differences("KAR_076")[NAME] == ["is not there"]
    assert "costs 3" in browse.differences("EX1_005")[NAME]
    assert is_legal("EX1_005", NAME)
    assert not is_legal("KAR_076", NAME)


# -- the engine's fingerprint ----------------------------------------------------------------------


def test_the_ruleset_is_part_of_the_fingerprint() -> None:
    assert NAME in SHIPPED


def test_its_tables_are_others_than_those_of_all_other_shipped_ones() -> None:
    others = {tables(name).tobytes() for name in SHIPPED if name != NAME}
    assert tables(NAME).tobytes() not in others
