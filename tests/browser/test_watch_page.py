"""The table without a game of one's own: two agents that are watched, and an exercise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from tests.browser.test_build_page import press
from tests.browser.test_play_page import CALM, LATER, begin, visit
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving
from tests.unit.web.test_exercises import lethal

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
AT_LATER = ("return new Promise((done) => setTimeout(() =>"
            " done(Number(document.body.dataset.at)), 500))")
TITLE = "return document.querySelector('#dialog-title').textContent"


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with browser(1280, 800) as page:
        page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        yield page


def test_a_game_that_is_watched_goes_on_and_stops(tab: Page, tmp_path: Path) -> None:
    with hsevo.serve(watch=["random", "random"], out=tmp_path / "play", port=0, wait=False,
                     browser=False, tell=lambda _: None) as server:
        visit(tab, server.address)
        tab.run("localStorage.setItem('speed', '0')")
        begin(tab, server.address, seed=4)
        tab.soon("return Number(document.body.dataset.at) > 2")
        press(tab, "#pause")
        stands = tab.run(AT_LATER)
        assert tab.run(AT_LATER) == stands
        press(tab, "#pause")
        tab.soon("return Number(document.body.dataset.at) > arguments[0]", stands + 2)


def test_an_exercise_is_missed_and_its_answer_shown(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play") as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, seed=5)
        hall.drills.put(number, [lethal()])
        visit(tab, f"{opened.split('/enter')[0]}/exercise/{number}/0")
        tab.soon("return document.body.dataset.phase === 'play'")
        press(tab, "#end")
        tab.run(f"{LATER} later(() => document.querySelector('#end').click())")
        tab.soon("return document.querySelector('dialog').open")
        assert tab.run(TITLE) == "Not solved"
        tab.run("[...document.querySelectorAll('#dialog-buttons button')].at(-1).click()")
        tab.soon("return document.querySelector('#dialog-title').textContent === 'The answer'")
        assert "Frostbolt" in tab.run("return document.querySelector('dialog').innerText")
        tab.run("[...document.querySelectorAll('#dialog-buttons button')].at(-1).click()")
        tab.soon("return !document.querySelector('dialog').open")
