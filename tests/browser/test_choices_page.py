"""Dialogs that wait for a choice can be put aside to see the table; on phones Play is near."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from tests.browser.test_build_page import press
from tests.browser.test_play_page import CALM, begin, visit
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
OPEN = "return document.querySelector('dialog').open"
ASIDE = """
const back = document.querySelector("#return"), felt = document.querySelector("#felt");
const { left, top, width, height } = felt.getBoundingClientRect();
return !document.querySelector("dialog").open && document.activeElement === back
  && back.offsetWidth > 0
  && felt.contains(document.elementFromPoint(left + width / 2, top + height / 2));
"""
PRESSED = "return [...document.querySelectorAll('dialog .offer')].map((one) => one.ariaPressed)"
ESCAPE, T = "\ue00c", "t"


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with browser(390, 844) as page:
        page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        yield page


def test_the_table_can_be_seen_while_one_chooses(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play", ruleset="msg2017") as (_, opened):  # which has a mulligan
        visit(tab, opened)
        begin(tab, opened, first="me", seed=3)
        tab.soon(OPEN)
        press(tab, "dialog .offer")
        chosen = tab.run(PRESSED)
        assert chosen == ["true", "false", "false"]
        press(tab, "#see")
        tab.soon(ASIDE)
        press(tab, "#return")
        tab.soon(OPEN)
        assert tab.run(PRESSED) == chosen
        for key in (T, ESCAPE):
            tab.write(key)
            tab.soon(ASIDE)
            tab.write(key)
            tab.soon(OPEN)
        press(tab, "#see")
        press(tab, "#concede")  # which asks in the same dialog
        assert tab.run("return document.querySelector('#return').hidden")
        press(tab, "#dialog-buttons .main")  # play on
        tab.soon("return document.querySelectorAll('dialog .offer').length === 3")
        assert tab.run(OPEN)
        press(tab, "#dialog-buttons .main")
        tab.soon("return document.body.dataset.phase === 'play'")
        assert not tab.run(OPEN)
        assert tab.run("return document.querySelector('#return').hidden")
        tab.write(T)
        assert not tab.run(OPEN)


def test_whoever_gives_up_does_so_on_purpose(tab: Page, tmp_path: Path) -> None:
    """To play on is what one usually wants: it has the focus and the colour."""
    with serving(tmp_path / "play") as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, first="me", seed=3)
        tab.soon("return document.body.dataset.phase === 'play'")
        press(tab, "#concede")
        assert tab.run("return [...document.querySelectorAll('#dialog-buttons .main')].map("
                       "(one) => one.textContent)") == ["Play on"]
        assert tab.run("return document.activeElement.textContent") == "Play on"
        press(tab, "#dialog-buttons .main")
        assert hall.games.of(number).result == "open"
        press(tab, "#concede")
        press(tab, "#dialog-buttons .grave")
        tab.soon("return document.body.dataset.phase === 'over'")


def test_play_is_near_on_a_phone(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play") as (_, opened):
        visit(tab, opened)
        tab.soon("return document.querySelector('#mine .deck-head')")
        assert tab.run("return document.querySelector('#go').getBoundingClientRect().top") < 844
        cards = "return document.querySelector('#mine .deck-cards').checkVisibility()"
        assert not tab.run(cards)
        press(tab, "#mine summary")
        tab.soon(cards)
        tab.run("const field = document.querySelector('#mine select'); field.value = 'warrior';"
                "field.dispatchEvent(new Event('change'))")  # what was unfolded stays so
        tab.soon("return document.querySelector('#mine .deck-head').classList.contains('warrior')")
        assert tab.run(cards)
    with serving(tmp_path / "other") as (_, opened), browser(1280, 800) as wide:
        visit(wide, opened)
        wide.soon("return document.querySelector('#mine .deck-head')")
        assert wide.run(cards)
