"""A best of five in a real browser: line-ups are chosen, decks picked, games played, to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from hsevo.web.hall import GameHall
from tests.browser.test_build_page import TYPE, press
from tests.browser.test_play_page import CALM, play
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
PICKS = "return [...document.querySelectorAll('[data-pick]')].map((one) => +one.dataset.pick)"
GAME = "return document.body.dataset.phase && Number(document.body.dataset.game)"


@pytest.fixture
def tab() -> Iterator[Page]:
    with browser(1280, 800) as page:
        page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        yield page


@pytest.mark.parametrize("format", ["conquest", "last-hero-standing"])
def test_a_match_is_played_to_its_end(tab: Page, tmp_path: Path, format: str) -> None:
    with serving(tmp_path / "play") as (hall, opened):
        tab.call("url", url=opened)
        tab.call("url", url=f"{opened.split('/enter')[0]}/match")
        tab.soon("return document.querySelector('#go')")
        tab.run(TYPE, "agent", "random")
        tab.run(TYPE, "format", format)
        press(tab, "#go")
        number = int(tab.soon("return document.body.dataset.match"))
        assert hall.matches.of(number).format == format
        for k in range(5):
            if not one_game(tab, hall, number, whole=k == 0 and format == "conquest"):
                break
        games, stands = hall.standing(hall.matches.of(number))
        assert stands.result == "lost"
        assert tab.run("return document.querySelector('.state').textContent.trim()") == (
            "You lost the match.")
        won = sum(game.result == "won" for game in games)
        assert tab.run("return document.querySelector('h1').textContent").startswith(f"{won} : 3")


def one_game(tab: Page, hall: GameHall, number: int, whole: bool) -> bool:
    """Pick a deck and play its game, or give it up; return whether the match goes on."""
    stands = hall.standing(hall.matches.of(number))[1]
    picks = tab.run(PICKS)
    assert picks == [*stands.mine]
    press(tab, f"[data-pick='{picks[-1]}']")
    game = int(tab.soon(GAME))
    if whole:
        play(tab, hall, game, random.Random(5))
    else:
        tab.soon("return document.body.dataset.phase !== 'waits'")
        press(tab, "#concede")
        press(tab, "#dialog-buttons .grave")
    tab.soon("return document.querySelector('dialog').open"
              " && document.querySelector('#dialog-buttons .as-button.main')")
    press(tab, f"#dialog-buttons .main[href='/match/{number}']")
    tab.soon("return document.querySelector('.line-up')")
    return hall.standing(hall.matches.of(number))[1].result == "open"
