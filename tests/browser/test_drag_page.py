"""Cards and minions are dragged, by mouse and by finger: onto the board, and at their targets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.play.session import Seat
from hsevo.replays.exercises import now
from hsevo.replays.played import HUMAN, PlayedGames
from tests.browser.test_build_page import press
from tests.browser.test_play_page import CALM, visit
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
POSITION = {
    "me": {"class": "druid", "crystals": 10, "board": ["Chillwind Yeti"],
           "hand": ["Dire Wolf Alpha", "Elven Archer", "Druid of the Claw"]},
    "opponent": {"class": "warrior", "board": ["Wisp"]}}
MIDDLE = """
const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
return [Math.round(left + width / 2), Math.round(top + height / 2)];
"""
NAMES = "return [...document.querySelectorAll('#my-board .minion-name')].map((e) => e.textContent)"
ENEMY = "return document.querySelector('#foe-hero .badge.health text').textContent"
STILL = "return document.body.dataset.busy === 'no' && document.body.dataset.phase === 'play'"
HELD = "#my-hand li:nth-child({}) button"
END = "#my-board li:last-child .minion"


@contextmanager
def at_table(folder: Path, width: int, height: int, touch: bool = False) -> Iterator[Page]:
    """Open the page of a game at POSITION."""
    game, games = hsevo.Game.at(POSITION, [Seat(HUMAN), "random"]), PlayedGames(folder)
    games.save(games.new(now(), 0, game), game)
    games.close()
    with serving(folder) as (_, opened), browser(width, height, touch) as tab:
        tab.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        visit(tab, opened)
        visit(tab, f"{opened.split('/enter')[0]}/game/1")
        tab.soon(STILL)
        yield tab


def drag(page: Page, pointer: str, start: str, to: str, beside: tuple[int, int] = (0, 0)) -> None:
    """Drag what is at a selector to another one, or so many pixels beside its middle."""
    x, y = page.run(MIDDLE, to)
    points = [page.run(MIDDLE, start), [x + beside[0], y + beside[1]]]
    moves: list[dict[str, Any]] = [
        {"type": "pointerMove", "duration": 60 * k, "x": x, "y": y}
        for k, (x, y) in enumerate(points)]
    page.call("actions", actions=[{
        "type": "pointer", "id": f"the {pointer}", "parameters": {"pointerType": pointer},
        "actions": [moves[0], {"type": "pointerDown", "button": 0}, moves[1],
                    {"type": "pointerUp", "button": 0}]}])


@pytest.mark.parametrize(("pointer", "size"), [("mouse", (1280, 800)), ("touch", (390, 844))])
def test_dragging_plays_and_attacks(tmp_path: Path, pointer: str, size: tuple[int, int]) -> None:
    with at_table(tmp_path / "play", *size, pointer == "touch") as tab:
        drag(tab, pointer, HELD.format(1), END, (-12, 0))  # on a minion of one's own: beside it
        tab.soon("return document.querySelectorAll('#my-board .minion').length === 2")
        tab.soon(STILL)
        assert tab.run(NAMES) == ["Dire Wolf Alpha", "Chillwind Yeti"]
        drag(tab, pointer, "#my-board .minion", "#foe-hero .hero")  # which came this turn
        assert tab.run(ENEMY) == "30"
        drag(tab, pointer, END, "#foe-hero .hero")
        tab.soon(f"{ENEMY} === '25'")
        tab.soon(STILL)
        drag(tab, pointer, HELD.format(1), END)  # to the right end; it waits for its target
        tab.soon("return document.querySelector('#foe-board .legal')")
        drag(tab, pointer, HELD.format(1), HELD.format(2))  # back to the hand: let go
        tab.soon("return !document.querySelector('.legal, .chosen')")
        drag(tab, pointer, HELD.format(1), "#foe-board .minion")  # at its target
        tab.soon("return !document.querySelector('#foe-board .minion')")
        tab.soon(STILL)
        assert tab.run(NAMES)[-1] == "Elven Archer"


def test_a_choice_that_was_put_aside_is_not_made_by_the_table(tmp_path: Path) -> None:
    with at_table(tmp_path / "play", 1280, 800) as tab:
        press(tab, HELD.format(3))
        tab.soon("return document.querySelectorAll('dialog .offer').length === 2")
        press(tab, "#see")
        press(tab, "#felt")
        assert tab.run("return document.querySelector('#said').textContent").endswith(
            "go back to the choice first.")
        tab.write("T")  # back at the choice, nothing says so any more
        tab.soon("return document.querySelector('dialog').open")
        assert tab.run("return document.querySelector('#said').textContent") == ""
        tab.write("t")
        assert tab.run("return document.body.dataset.at") == "0"
        tab.write("e")  # which lets go of it, and says that there are moves
        tab.soon("return document.querySelector('#return').hidden")
        press(tab, HELD.format(3))
        tab.soon("return document.querySelector('dialog').open")
        press(tab, "dialog .offer")
        press(tab, "#felt")
        tab.soon("return document.querySelectorAll('#my-board .minion').length === 2")


COVERED = """
const [look, row] = ["#look", "#foe-board"].map((one) =>
  document.querySelector(one).getBoundingClientRect());
return look.top < row.bottom && look.left < row.right;
"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_tap_shows_the_card_and_covers_no_target(tmp_path: Path, size: tuple[int, int]) -> None:
    """Also a tap by which the focus goes from one card to the next."""
    with at_table(tmp_path / "play", *size, touch=True) as tab:
        for tapped, name in (("#foe-board .minion", "Wisp"), (END, "Chillwind Yeti"),
                             (HELD.format(2), "Elven Archer")):
            drag(tab, "touch", tapped, tapped)
            tab.soon("const look = document.querySelector('#look');"
                     "return !look.hidden && look.innerText.includes(arguments[0])", name)
            time.sleep(0.2)  # what a tap brings with it has happened
            assert tab.run("return !document.querySelector('#look').hidden")
            assert name == "Wisp" or not tab.run(COVERED)
