"""The page of all cards in a real browser: filters, order, links, a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hsevo.cards import page as card_page
from hsevo.cards import tables
from tests.support.browser import MISSING, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]

SHOWN = """
const shown = [...document.querySelectorAll("article")].filter((card) => !card.hidden);
return { ids: shown.map((card) => card.id), said: document.querySelector("#count").textContent,
         none: document.querySelector("#none").hidden, hash: location.hash,
         width: document.documentElement.scrollWidth };
"""
SET = """
const field = document.getElementById(arguments[0]);
if (field.type === "checkbox") field.checked = Boolean(arguments[1]);
else field.value = arguments[1];
field.dispatchEvent(new Event("input", { bubbles: true }));
"""
CARDS = tables.cards("cig2018")
WHOLE = {id for id, card in CARDS.items() if card.collectible}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("cards") / "cards.html"
    file.write_text(card_page(), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def browsed() -> Iterator[Any]:
    with browser(390, 800, touch=True) as page:
        yield page


@pytest.fixture
def tab(browsed: Any, file: Path) -> Any:
    browsed.open(file)
    return browsed


def test_all_cards_for_decks_are_shown_at_first(tab: Any) -> None:
    shown = tab.run(SHOWN)
    assert set(shown["ids"]) == WHOLE
    assert shown["said"] == f"{len(WHOLE):,} cards"
    assert shown["width"] <= 390


def test_filters_hide_what_does_not_fit(tab: Any) -> None:
    tab.run(SET, "words", "FIRE")
    tab.run(SET, "class", "Mage")
    tab.run(SET, "cost", "4")
    assert "CS2_029" in tab.run(SHOWN)["ids"]  # Fireball
    for id in tab.run(SHOWN)["ids"]:
        assert CARDS[id].cost == 4
    tab.run(SET, "words", "no such words")
    empty = tab.run(SHOWN)
    assert (empty["ids"], empty["said"], empty["none"]) == ([], "0 cards", False)


def test_types_and_cards_that_others_make(tab: Any) -> None:
    tab.run(SET, "type", "Dragon")
    dragons = tab.run(SHOWN)["ids"]
    assert {"EX1_561"} <= set(dragons) <= WHOLE
    tab.run(SET, "type", "secret")
    assert all(CARDS[id].secret for id in tab.run(SHOWN)["ids"])
    tab.run(SET, "type", "")
    tab.run(SET, "tokens", "1")
    assert not set(tab.run(SHOWN)["ids"]) & WHOLE


def test_the_order_changes(tab: Any) -> None:
    tab.run(SET, "order", "cost")
    costs = [CARDS[id].cost for id in tab.run(SHOWN)["ids"]]
    assert costs == sorted(costs)
    tab.run(SET, "order", "")
    assert tab.run(SHOWN)["ids"][0] == "EX1_169"


def test_the_address_keeps_the_filters(tab: Any, file: Path) -> None:
    tab.run(SET, "class", "Priest")
    tab.run(SET, "words", "dragon")
    before = tab.run(SHOWN)
    tab.open(file, before["hash"])
    assert tab.run(SHOWN) == before
    tab.run('document.querySelector("#clear").click()')
    tab.run("return new Promise((done) => setTimeout(done, 50))")
    assert set(tab.run(SHOWN)["ids"]) == WHOLE


def test_an_address_can_name_a_card(tab: Any, file: Path) -> None:
    for id in ("EX1_116", "EX1_116t"):
        tab.open(file, f"#{id}")
        assert id in tab.run(SHOWN)["ids"]
        top = tab.run(f"return document.getElementById('{id}').getBoundingClientRect().top")
        assert 0 <= top < 800
