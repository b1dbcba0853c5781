"""hsevo.search_decks, hsevo.guess_deck, and their commands."""

import json
from collections import Counter

import pytest
from click.testing import CliRunner

import hsevo
from hsevo.cards import DeckDatabase
from hsevo.cards.tables import cards, sets
from hsevo.cards.terms import Class, Rarity, Set
from hsevo.cli import main
from hsevo.errors import DeckError
from tests.unit.cards.test_database import MAGE, OTHER_MAGE

CSV = (f"deck,class,archetype,cards,weight\nfirst,mage,Tempo,{MAGE},1\n"
       f"second,mage,Beast,{OTHER_MAGE},3\n")


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(CSV)
    return path


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["decks", *words])
    return result.exit_code, result.output


def test_a_search_fits_everything_that_was_asked_for():
    found = hsevo.search_decks("TOURNAMENT hsreplay", cls="mage", patch="kara", archetype="tempo",
                               cards=["flamewaker", "Flamewaker", "Barnes"])
    assert found.empty  # those are of the ladder
    found = hsevo.search_decks("tournament mudzereli", cls="mage", patch="kara",
                               cards=["flamewaker", "Flamewaker", "Barnes"])
    assert len(found) > 3
    facts = DeckDatabase.load().facts.set_index("deck")
    for name in found["deck"]:
        cards = Counter(hsevo.Deck(name).cards)
        assert (cards["Flamewaker"], cards["Barnes"]) == (2, 1)
        assert facts.loc[name, ["class", "patch", "kind"]].tolist() == [
            "Mage", "kara", "tournament"]
    assert found["date"].is_monotonic_increasing


def test_a_search_of_nothing_finds_all():
    assert len(hsevo.search_decks()) == 5011
    assert set(hsevo.search_decks(archetype="reno mage")["class"]) == {"Mage"}


def test_ones_own_decks_can_be_searched(mine):
    assert hsevo.search_decks("tempo", database=mine)["deck"].tolist() == ["first"]
    assert hsevo.search_decks(cards="Mana Wyrm", database=mine)["deck"].tolist() == ["second"]
    assert hsevo.search_decks(patch="kara", database=mine).empty


@pytest.mark.parametrize(("how", "said"), [
    ({"cls": "mgae"}, "unknown class 'mgae'; did you mean 'Mage'?"),
    ({"patch": "kra"}, "unknown patch 'kra'; did you mean 'kara'?"),
    ({"cards": "Fierball"}, "unknown card 'Fierball'; did you mean 'Fireball'?"),
    ({"database": "nowhere.csv"}, "no deck database 'nowhere.csv'")])
def test_what_can_not_be_searched_is_said(how, said):
    with pytest.raises(DeckError) as caught:
        hsevo.search_decks(**how)
    assert str(caught.value).startswith(said)


def test_lists_of_later_years_are_found_by_patch_date_and_card():
    found = hsevo.search_decks("2019-01", cls="hunter", patch="rumble", cards="Zul'jin")
    assert len(found) > 3
    assert {*found["kind"]} == {"tournament"}
    assert all("Zul'jin" in hsevo.Deck(name).cards for name in found["deck"])
    code, said = run("search", "--patch", "ros", "--with", "Waggle Pick")
    assert code == 0
    assert "Lackey Rogue" in said


def test_a_guess_of_a_later_ruleset_knows_its_lists_and_cards(mine):
    with pytest.raises(DeckError, match="Waggle Pick, and no list of the deck database has it"):
        hsevo.guess_deck("rogue", ["Waggle Pick"])
    guess = hsevo.guess_deck("rogue", ["Waggle Pick", "Raiding Party"], ruleset="rise2019")
    assert guess.decks["archetype"][0] == "Lackey Rogue"
    assert guess.decks["probability"].sum() == pytest.approx(1)
    assert "Myra's Unstable Element" in set(guess.cards["card"])
    assert run("guess", "--class", "rogue", "--seen", "Waggle Pick", "--ruleset", "rise2019",
               "--json")[0] == 0
    own = [hsevo.guess_deck("mage", ["Mana Wyrm"], database=mine, ruleset=name).decks["probability"]
           for name in ("cig2018", "rise2019")]
    assert own[0][0] < own[1][0]  # a card that no list has is one of more cards


def test_a_guess_of_two_decks_by_hand(mine):
    """Mana Wyrm: the second by 9/10 * 2/30 against 1/10 / 495, times its weight, 3 to 1."""
    guess = hsevo.guess_deck("mage", "mana wyrm", database=mine)
    hit, miss = 3 * 0.9 * 2 / 30, 0.1 / 495
    assert guess.decks[["deck", "in_common"]].to_numpy().tolist() == [["second", 1], ["first", 0]]
    assert guess.decks["probability"].tolist() == pytest.approx(
        [hit / (hit + miss), miss / (hit + miss)])
    table = guess.cards.set_index("card")
    assert table.loc["Wisp", "cost"] == 0
    assert table.loc["Mana Wyrm", "chance"] == pytest.approx(0.9 * hit / (hit + miss))
    assert table.loc["Murloc Raider", "chance"] == pytest.approx(
        (1 - (1 - 0.9 * 29 / 30) ** 2) * miss / (hit + miss))


def test_guesses_keep_to_the_patch():
    guess = hsevo.guess_deck("mage", ["Mana Wyrm"], patch="naxx")
    assert set(guess.decks["patch"]) == {"classic", "naxx"}
    assert guess.decks["probability"].sum() == pytest.approx(1)
    assert guess.decks["probability"].is_monotonic_decreasing
    with pytest.raises(DeckError, match="Wrath can't be in a Mage's deck"):
        hsevo.guess_deck("mage", ["Wrath"])
    with pytest.raises(DeckError, match="Flamewaker is newer than patch naxx; remove the"):
        hsevo.guess_deck("mage", ["Flamewaker"], patch="naxx")


def test_without_any_knowledge_a_card_may_not_be_of_a_later_patch():
    """Of 30 cards, each copy of a mage's cards of Classic and Naxxramas is as likely."""
    guess = hsevo.guess_deck("mage", method="uniform", patch="naxx")
    there = [card for card in cards().values() if card.collectible
             and card.cls in (Class.MAGE, Class.NEUTRAL) and not card.group
             and sets()[card.id] in (Set.BASIC, Set.CLASSIC, Set.HALL_OF_FAME, Set.NAXXRAMAS)]
    copies = sum(1 if card.rarity is Rarity.LEGENDARY else 2 for card in there)
    assert set(guess.cards["card"]) == {card.name for card in there}
    chance = guess.cards.set_index("card")["chance"]
    assert chance["Kel'Thuzad"] == pytest.approx(30 / copies)
    assert chance["Wisp"] == pytest.approx(1 - (1 - 30 / copies) ** 2)
    every = hsevo.guess_deck("mage", method="uniform").cards
    assert "Flamewaker" in set(every["card"])


def test_commands_show_what_the_functions_find():
    code, said = run("search", "tempo", "--class", "mage", "--with", "Flamewaker", "--top", "3")
    count = len(hsevo.search_decks("tempo", cls="mage", cards="Flamewaker"))
    assert code == 0
    assert said.splitlines()[-1] == (
        f"{count} decks; these are the newest 3. more: hsevo decks check NAME")
    assert len(said.splitlines()) == 5
    code, said = run("guess", "--class", "mage", "--seen", "Mana Wyrm", "--json")
    top = json.loads(said)["decks"][0]
    assert top["probability"] == pytest.approx(
        hsevo.guess_deck("mage", ["Mana Wyrm"]).decks["probability"][0])
    code, said = run("guess", "--class", "mage", "--method", "uniform", "--top", "2")
    assert "no known list matches" in said
    assert len(said.splitlines()) == 5
    assert run("search", "blub") == (0, "no deck matches\n")
    code, said = run("search", "zoo", "--patch", "gvg", "--csv")
    assert said.splitlines()[0] == "deck,class,archetype,patch,date,kind,seen,split,source"
    assert len(said.splitlines()) == 1 + len(hsevo.search_decks("zoo", patch="gvg"))


def test_ids_are_taken_as_names_are_and_what_no_list_has_is_left_out() -> None:
    """As `View.played` has them: The Coin is of no list."""
    by_name = hsevo.guess_deck("mage", ["Fireball", "Frostbolt"])
    by_id = hsevo.guess_deck("mage", ["CS2_029", "GAME_005", "CS2_024"])
    assert by_id.cards.equals(by_name.cards)
    assert by_id.decks.equals(by_name.decks)
