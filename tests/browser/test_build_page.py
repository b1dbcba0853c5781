"""The page on which decks are built, in a real browser: by clicks and by keys, up to a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.cards.browse import CardSearch, search_cards
from hsevo.cards.catalogue import classes
from hsevo.cards.terms import Class
from hsevo.web import searching
from hsevo.web.hall import GameHall
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
WARRIOR = hsevo.Deck("warrior")

TYPE = """
const [id, words] = arguments, field = document.getElementById(id);
field.value = words;
field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
"""
# The tile of a card, found by its name as a player finds it.
CLICK = """
const tile = [...document.querySelectorAll(".tile")].find((one) =>
  one.querySelector("h3").textContent === arguments[0]);
if (tile) tile.click();
return Boolean(tile);
"""
SHOWN = """
return {
  head: document.querySelector("#head b")?.textContent,
  rows: [...document.querySelectorAll("#rows button")].map((row) => row.ariaLabel),
  curve: document.querySelector("#head .curve")?.ariaLabel,
  legal: document.querySelector("#legal p")?.textContent,
  code: document.querySelector("#code").value, save: !document.querySelector("#save").disabled,
  kept: document.querySelector("#kept").textContent,
  wide: document.documentElement.scrollWidth - innerWidth,
};
"""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Page, GameHall]]:
    """Open the page; yield it, and the server's games."""
    with serving(tmp_path / "play") as (hall, address), browser(1280, 800) as tab:
        tab.call("url", url=address)
        tab.call("url", url=f"{address.split('/enter')[0]}/build")
        tab.soon("return document.querySelectorAll('.tile').length > 0")
        yield tab, hall


def pick(tab: Page, name: str, times: int = 1) -> None:
    """Search for a card, and put it in."""
    tab.run(TYPE, "words", name)
    for _ in range(times):
        tab.soon(CLICK, name)


def press(tab: Page, selector: str) -> None:
    tab.run("document.querySelector(arguments[0]).click()", selector)


def build(tab: Page, deck: hsevo.Deck) -> None:
    tab.run(TYPE, "class", deck.hero.lower())
    for name in dict.fromkeys(deck.cards):
        pick(tab, name, deck.cards.count(name))
    tab.soon("return !document.querySelector('#save').disabled")


def test_a_deck_is_built_saved_exported_imported_and_played(
        opened: tuple[Page, GameHall]) -> None:
    tab, hall = opened
    build(tab, WARRIOR)
    shown = tab.run(SHOWN)
    assert shown["head"] == "Warrior · 30/30"
    assert shown["curve"].endswith(", ".join(str(n) for n in WARRIOR.curve))
    assert len(shown["rows"]) == len({*WARRIOR.ids})
    assert shown["legal"].startswith("legal in Wild; in the Standard of cig2018")
    assert sorted(hsevo.Deck(shown["code"]).ids) == sorted(WARRIOR.ids)

    tab.run(TYPE, "name", "My First_Deck!")
    press(tab, "#save")
    tab.soon("return document.querySelector('#kept').textContent.startsWith('Saved')")
    file = hall.games.path / "decks" / "my-first-deck.txt"
    assert sorted(hsevo.Deck(file).ids) == sorted(WARRIOR.ids)
    delete_by_keys(tab, file)
    press(tab, "#save")
    tab.soon("return document.querySelector('#saved .delete')")

    press(tab, "#clear")
    assert tab.run(SHOWN)["rows"] == []
    tab.run(TYPE, "pasted", shown["code"])
    press(tab, "#import button")
    tab.soon("return !document.querySelector('#save').disabled")
    again = tab.run(SHOWN)
    assert [again[name] for name in ("rows", "code", "legal", "curve")] == [
        shown[name] for name in ("rows", "code", "legal", "curve")]

    tab.run(TYPE, "name", "my-first-deck")
    press(tab, "#save")  # the name is taken, and the page asks
    tab.soon("return document.querySelector('#kept button')")
    press(tab, "#kept button")
    tab.soon("return document.querySelector('#kept a')")
    press(tab, "#kept a")
    tab.soon("return document.querySelector('#mine b')?.textContent.startsWith('Warrior')")
    assert tab.run("return document.querySelector('#mine select').value") == "saved:my-first-deck"
    tab.run(TYPE, "agent", "eva:2018")
    press(tab, "#go")
    number = tab.soon("return Number(location.pathname.split('/')[2])")
    tab.soon("return document.body.dataset.phase")
    assert hall.games.of(number).deck == "my-first-deck"
    seat = hall.games.of(number).seat
    played = hall.games.load(number).setting.decks[seat]
    assert sorted(played.ids) == sorted(WARRIOR.ids)


def delete_by_keys(tab: Page, file: Path) -> None:
    """Delete the saved deck, but not at the first thought."""
    tab.run("document.querySelector('#shelf').open = true;"
            "document.querySelector('#saved .delete').focus()")
    tab.write("\ue007\ue00c")  # Enter, Escape
    assert tab.run("return document.activeElement.className") == "delete"
    tab.write("\ue007")
    assert tab.run("return document.activeElement.ariaLabel") == "keep my-first-deck"
    assert file.exists()
    tab.write("\ue004\ue007")  # Tab, Enter
    tab.soon("return !document.querySelector('#saved li')")
    assert not file.exists()
    assert not tab.run("return document.querySelector('option[value^=\"saved:\"]')")
    assert tab.run("return document.activeElement.tagName") == "SUMMARY"


def test_keys_alone_put_cards_in_and_take_them_out(opened: tuple[Page, GameHall]) -> None:
    tab, _ = opened
    at = "return document.activeElement.dataset.tile ?? document.activeElement.dataset.card"
    ids = tab.run("return [...document.querySelectorAll('.tile')].map((one) => one.dataset.tile)")
    assert tab.run("return document.querySelectorAll('.tile[tabindex=\"0\"]').length") == 1
    tab.run("document.querySelector('.tile').focus()")
    tab.write("\ue014\ue014\ue007\ue007")  # right, right, Enter, Enter
    assert tab.run(at) == ids[2]
    assert [row[-len("2 in the deck"):] for row in tab.run(SHOWN)["rows"]] == ["2 in the deck"]
    tab.write("\ue007")  # a third copy is refused, aloud
    assert "which is the maximum" in tab.run("return document.querySelector('#told').textContent")
    tab.write("\ue003")  # Backspace
    assert [row[-len("1 in the deck"):] for row in tab.run(SHOWN)["rows"]] == ["1 in the deck"]
    tab.write("\ue012\ue007")  # left, Enter
    tab.run("document.querySelector('#rows button').focus()")
    tab.write("\ue007")
    assert len(tab.run(SHOWN)["rows"]) == 1
    assert tab.run(at)  # the focus is at the next row
    tab.run("document.querySelector('#undo').focus()")
    tab.write("\ue007")
    assert len(tab.run(SHOWN)["rows"]) == 2


def test_filters_and_classes(opened: tuple[Page, GameHall]) -> None:
    tab, _ = opened
    said = "return Number(document.querySelector('#found').textContent.split(' ')[0]) || 0"
    allowed = [card for card in search_cards(CardSearch())
               if {Class.MAGE, Class.NEUTRAL} & {*classes(card)}]
    assert tab.run(said) == len(allowed)
    press(tab, "[data-cost='7']")
    assert tab.run(said) == sum(card.cost >= 7 for card in allowed)
    press(tab, "[data-cost='7']")
    tab.run(TYPE, "kind", "secret")
    assert tab.run(said) == sum(card.secret for card in allowed)
    tab.run(TYPE, "kind", "")
    pick(tab, "Fireball", 2)
    pick(tab, "Azure Drake")
    tab.run(TYPE, "class", "druid")
    assert [row.split(",")[0] for row in tab.run(SHOWN)["rows"]] == ["Azure Drake"]
    press(tab, "#undo")
    assert [row.split(",")[0] for row in tab.run(SHOWN)["rows"]] == ["Fireball", "Azure Drake"]
    tab.call("refresh")  # what was begun is still there
    tab.soon("return document.querySelectorAll('#rows button').length === 2")


def test_better_swaps_are_found_and_made(opened: tuple[Page, GameHall],
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    tab, _ = opened
    monkeypatch.setattr(searching, "GAMES", 1000)
    monkeypatch.setattr(searching, "CONFIRM", 40)
    tab.run(TYPE, "pasted", WARRIOR.code)
    press(tab, "#import button")
    tab.soon("return !document.querySelector('#improve-go').disabled")
    tab.run(TYPE, "against", "mage")
    before = {*tab.run(SHOWN)["rows"]}
    press(tab, "#improve-go")
    tab.soon("return document.querySelector('#swap')")
    out, into = tab.run("""return ["out", "in"].map((name) =>
        document.querySelector(`.swaps .${name}`).textContent.slice(2))""")
    press(tab, "#swap")
    tab.soon("return !document.querySelector('#save').disabled")
    shown = tab.run(SHOWN)
    changed = {row.split(",")[0] for row in before ^ {*shown["rows"]}}
    assert changed == {out, into}
    assert shown["head"] == "Warrior · 30/30"
    press(tab, "#undo")
    assert {*tab.run(SHOWN)["rows"]} == before


@pytest.mark.parametrize("width", [390, 800, 1920])
def test_nothing_is_wider_than_the_window(tmp_path: Path, width: int) -> None:
    with serving(tmp_path / "play") as (_, address), browser(width, 900) as tab:
        tab.call("url", url=address)
        tab.call("url", url=f"{address.split('/enter')[0]}/build#from=secret-hunter")
        tab.soon("return document.querySelector('#code').value")
        assert tab.run(SHOWN)["wide"] <= 0
