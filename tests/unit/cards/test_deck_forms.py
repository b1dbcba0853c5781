"""Decks as others read them: what is written reads back as the same deck."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import hsevo as hsevo_api
from hsevo.cards import DeckDatabase, human_decks
from hsevo.cards.decks import read_deck, written
from hsevo.errors import DeckError
from tests.support.command import fails, hsevo

HUMAN = [f"human:{name}" for name in human_decks.table()["deck"].to_pylist()[::151]]


def test_a_deck_file_is_what_the_deck_is() -> None:
    text = written([read_deck("mage-21")], "text")
    assert text.splitlines()[:3] == ["name: mage-21", "class: Mage", "size: 21"]
    assert text.splitlines()[3] == "1x Forbidden Flame"
    assert text.endswith("\n")
    assert len(text.splitlines()) == 3 + 21
    assert "2x Tunnel Trogg\n" in written([read_deck("shaman")], "text")


@pytest.mark.parametrize("name", ["mage", "mage-21", "super-basic-rager", "taunts-1", *HUMAN])
def test_a_deck_file_reads_back(name: str, tmp_path: Path) -> None:
    deck = read_deck(name)
    (tmp_path / "again.txt").write_text(written([deck], "text"))
    again = read_deck(tmp_path / "again.txt")
    assert (again.name, again.hero_class, Counter(again.ids)) == (
        deck.name, deck.hero_class, Counter(deck.ids))


def test_codes_and_rows_read_back(tmp_path: Path) -> None:
    decks = [read_deck(name) for name in ("mage", "warrior", *HUMAN)]
    codes = written(decks, "code").split()
    assert [Counter(read_deck(code).ids) for code in codes] == [
        Counter(deck.ids) for deck in decks]
    (tmp_path / "decks.csv").write_text(written(decks, "csv"))
    found = DeckDatabase.read(tmp_path / "decks.csv", "rise2019")
    assert found.facts["deck"].tolist() == [deck.name for deck in decks]
    assert [Counter(found.deck(row).ids) for row in range(len(decks))] == [
        Counter(deck.ids) for deck in decks]
    assert np.unique(found.weights).tolist() == [1]


def test_what_a_form_can_not_hold_is_said() -> None:
    mage, short = read_deck("mage"), read_deck("mage-21")
    for decks, form, said in (
            ([mage], "txt", "unknown form 'txt'; did you mean 'text'?; forms are text, code, csv"),
            ([mage, mage], "text", "a deck file holds one deck, not 2; csv and code hold several"),
            ([], "text", "a deck file holds one deck, not 0"),
            ([mage, short], "csv", "mage-21 has 21 cards, but a deck database needs"),
            ([short], "code", "mage-21 has 21 cards, but deck codes need 30")):
        with pytest.raises(DeckError) as caught:
            written(decks, form)
        assert said in str(caught.value)


def test_the_command_writes_what_the_function_returns(here: Path) -> None:
    text = hsevo_api.export_decks(HUMAN[0])
    assert hsevo("decks", "export", HUMAN[0]).stdout == text
    done = hsevo("decks", "export", "mage", HUMAN[0], "--format", "csv", "--output", "two.csv")
    assert done.stdout == "decks: two.csv\n"
    assert (here / "two.csv").read_text() == hsevo_api.export_decks(["mage", HUMAN[0]], "csv")
    assert hsevo_api.Deck("mage").text == hsevo_api.export_decks("mage")
    assert "no deck 'maeg'" in fails("decks", "export", "maeg", "--output", "none.txt")
    assert not (here / "none.txt").exists()
