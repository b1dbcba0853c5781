"""Two people in a real browser: one invites, the other comes, both play; both see the one game."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from hsevo.web.hall import Hall
from tests.browser.test_build_page import press, soon
from tests.browser.test_match_page import tab  # noqa: F401  a fixture
from tests.browser.test_play_page import CALM, CLICK, PATIENCE, SHOWN, check, handles, moves
from tests.support.browser import MISSING, Page
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
CLICKS = 24  # a few turns of both; then one gives up


def together(page: Page, hall: Hall, number: int, windows: dict[int, str]) -> tuple[Any, int]:
    """Look that the pages of both seats show the server's game; return it, and who is to move."""
    end, found = time.monotonic() + PATIENCE, dict[int, Any]()
    while time.monotonic() < end:
        for seat, window in windows.items():
            page.call("window", handle=window)
            found[seat] = page.run(SHOWN)
        if all(shown["at"] == moves(hall, number) and shown["busy"] == "no" and shown["phase"]
               for shown in found.values()):
            break
    game = hall.games.load(number)
    for seat, shown in found.items():
        if not game.over and game.player != seat:
            assert shown["phase"] == "waits"
            shown |= {"phase": game.view(seat)["phase"]}
        check(shown, game, seat)
    return game, game.player


def test_two_people_meet_and_play(tab: Page, tmp_path: Path) -> None:  # noqa: F811
    with serving(tmp_path / "play") as (hall, opened):
        root = opened.split("/enter")[0]
        tab.call("url", url=opened)
        tab.call("url", url=f"{root}/duel")
        soon(tab, "return document.querySelector('.deck-cards')")
        press(tab, "#go")
        code = soon(tab, "return document.querySelector('b#code')?.textContent")
        assert soon(tab, "return document.querySelector('#link').textContent") == (
            f"{root}/join/{code}")
        (inviting,) = handles(tab)
        first = tab.call("window/new", type="tab")["handle"]
        tab.call("window", handle=first)  # of its own: a tab that is not seen does not animate
        tab.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        tab.call("url", url=f"{root}/duel")  # the code is typed in
        soon(tab, "return document.querySelector('.deck-cards')")
        tab.run("document.querySelector('input#code').value = arguments[0]", code.lower())
        press(tab, "#take")
        assert soon(tab, "return document.querySelector('h1').textContent.includes('invited')")
        soon(tab, "return document.querySelector('.deck-cards')")
        press(tab, "#go")
        for window in (first, inviting):  # the page that waited goes to the table by itself
            tab.call("window", handle=window)
            soon(tab, "return document.body.dataset.phase")
        (facts,) = hall.games.facts
        windows = {facts.seat: inviting, 1 - facts.seat: first}
        chance = random.Random(4)
        game, who = together(tab, hall, facts.number, windows)
        for _ in range(CLICKS):
            tab.call("window", handle=windows[who])
            tab.run(CLICK, chance.random())
            game, who = together(tab, hall, facts.number, windows)
        assert len(game.history) > 4
        tab.call("window", handle=inviting)
        press(tab, "#concede")
        press(tab, "#dialog-buttons button.main")
        title = "return document.querySelector('dialog[open] #dialog-title')?.textContent"
        assert soon(tab, title) == "You gave up"
        tab.call("window", handle=first)
        assert soon(tab, title) == "The other gave up: you win"
