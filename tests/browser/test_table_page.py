"""The table in a real browser: it fits low windows, and clicks, taps and keys do what they say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.play.session import Seat
from hsevo.replays.exercises import now
from hsevo.replays.played import HUMAN, PlayedGames
from tests.browser.test_drag_page import HELD, MIDDLE, NAMES, STILL, drag
from tests.browser.test_play_page import CALM, LATER, visit
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
Opening: TypeAlias = Callable[..., Page]
FULL = {  # as much as there can be on a table
    "me": {"class": "druid", "crystals": 10, "armor": 12, "weapon": "Fiery War Axe",
           "secrets": ["Ice Block", "Counterspell", "Vaporize"], "board": [
        "Chillwind Yeti", "Boulderfist Ogre", "Sen'jin Shieldmasta", "Wisp", "Bloodfen Raptor",
        "Stormwind Champion"],
        "hand": ["Dire Wolf Alpha", "Elven Archer", "Druid of the Claw", "Wild Growth", "Innervate",
                 "Swipe", "Ancient of War", "Healing Touch", "Starfire", "Savage Roar"]},
    "opponent": {"class": "warrior", "weapon": "Fiery War Axe", "board": [
        "Arathi Weaponsmith", "Ragnaros the Firelord", "Silverback Patriarch", "Frostwolf Warlord",
        "Gurubashi Berserker", "Wisp", "Sunwalker"]}}
FEW = {"me": {"class": "mage", "crystals": 10, "board": ["Chillwind Yeti"],
              "hand": ["Arcane Intellect", "Dire Wolf Alpha", "Fireball"]},
       "opponent": {"class": "warrior", "board": ["Sen'jin Shieldmasta"]}}
MAIDEN = FEW | {"me": {"class": "mage", "crystals": 3, "board": ["Maiden of the Lake"]}}
LATE = {  # what sets after Gadgetzan brought
    "ruleset": "rise2019",
    "me": {"class": "hunter", "crystals": 10, "board": ["Chillwind Yeti"],
           "quest": {"card": "The Marsh Queen", "progress": 3},
           "hand": ["Deathstalker Rexxar", {"card": "Bloodfen Raptor", "joined": "Timber Wolf"}]},
    "opponent": {"class": "mage", "quest": {"card": "Open the Waygate", "progress": 2}}}
AT = "return Number(document.body.dataset.at)"
CHOSEN = "return document.querySelector('.chosen')?.dataset.spot ?? ''"
SAID = "return document.querySelector('#said').textContent"
LOOKS = "return !document.querySelector('#look').hidden"
LABEL = "return document.querySelector(arguments[0]).ariaLabel"
# What can be clicked, but is not all in the window, or covered where its middle is. Cards of a
# hand lie over each other: of these, the left quarter.
UNSEEN = """
const parts = "#foe-hero .hero, #foe-board .minion, #my-board .minion, #my-hero .hero, "
  + "#my-hero .power, #my-hand .held, #end";
return [...document.querySelectorAll(parts)].filter((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const x = left + (right - left) / (one.matches(".held") ? 5 : 2), y = (top + bottom) / 2;
  const under = document.elementFromPoint(x, y);
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight + 1
    || !one.contains(under);
}).map((one) => `${one.ariaLabel ?? one.id}: ${Math.round(one.getBoundingClientRect().bottom)}`);
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opening]:
    """Serve games at positions; yield what opens the page of a new one."""
    folder: Path = tmp_path_factory.mktemp("tables") / "play"
    games = PlayedGames(folder)
    for position in (FULL, *[FEW] * 8, MAIDEN, LATE):
        game = hsevo.Game.at(position, [Seat(HUMAN), "greedy:santos:exchanged"])
        games.save(games.new(now(), 0, game), game)
    games.close()
    numbers = iter(range(2, 10))
    with serving(folder) as (_, opened), browser(1280, 900, touch=True) as tab:
        tab.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": CALM})
        visit(tab, opened)

        def at(number: int = 0, width: int = 1280, height: int = 900) -> Page:
            visit(tab, f"{opened.split('/enter')[0]}/game/{number or next(numbers)}")
            tab.resize(width, height, mobile=width < 900)
            tab.soon(STILL)
            return tab
        yield at


def click(tab: Page, query: str, times: int = 1, pointer: str = "mouse") -> None:
    """Click on the middle of what is at a selector, in quick succession."""
    x, y = tab.run(MIDDLE, query)
    press_: list[dict[str, Any]] = [{"type": "pointerDown", "button": 0},
                                    {"type": "pointerUp", "button": 0}]
    tab.call("actions", actions=[{
        "type": "pointer", "id": f"the {pointer}", "parameters": {"pointerType": pointer},
        "actions": [{"type": "pointerMove", "duration": 0, "x": x, "y": y}, *press_ * times]}])


@pytest.mark.parametrize(("width", "height"), [
    (390, 844), (412, 915), (768, 1024), (844, 390), (667, 375), (932, 430), (1024, 400),
    (640, 450), (640, 400), (960, 540), (1280, 900), (1920, 1080)])
def test_the_whole_table_is_seen(table: Opening, width: int, height: int) -> None:
    """Full boards and hands: also in landscape, and at 200 % of 1280 x 900 and 1920 x 1080."""
    tab = table(1, width, height)
    assert tab.run("return [innerWidth, innerHeight]") == [width, height]
    assert tab.run(UNSEEN) == []
    assert tab.run("return document.documentElement.scrollWidth") <= width


def test_a_second_click_lets_go(table: Opening) -> None:
    tab = table()
    for query in (HELD.format(1), "#my-board .minion"):
        click(tab, query)
        assert tab.run(CHOSEN)
        click(tab, query)
        assert tab.run(CHOSEN) == ""
    assert tab.run(AT) == 0
    click(tab, HELD.format(1))
    tab.soon(STILL)
    click(tab, "#play-it")
    # Two of three cards are left: the deck is empty, so Arcane Intellect draws none.
    tab.soon("return document.querySelectorAll('#my-hand .held').length === 2")
    assert tab.run(AT) == 1
    tab.soon(STILL)


def test_a_double_click_does_not_end_the_turn(table: Opening) -> None:
    tab = table()
    click(tab, "#end", times=2)
    tab.write("eE")
    assert tab.run(SAID).startswith("You have moves left")
    assert tab.run(AT) == 0
    tab.run(f"{LATER} later(() => document.querySelector('#end').click())")
    tab.soon("return Number(document.body.dataset.at) > 0")


def test_a_tap_that_closes_a_text_plays_nothing(table: Opening) -> None:
    tab = table(width=390, height=844)
    for query, spot in ((HELD.format(1), "me hand 0"), ("#my-hero .power", "me power 0")):
        click(tab, query, pointer="touch")
        tab.soon(LOOKS)
        assert tab.run(CHOSEN) == spot
        click(tab, "#middle", pointer="touch")
        tab.soon("return document.querySelector('#look').hidden")
        time.sleep(0.3)  # what a tap brings with it has happened
        assert tab.run(AT) == 0
        assert tab.run(CHOSEN) == spot
    click(tab, HELD.format(1), pointer="touch")
    click(tab, "#middle", pointer="touch")  # closes the text
    click(tab, "#middle", pointer="touch")  # plays the card
    tab.soon("return Number(document.body.dataset.at) > 0")


def test_keys_work_in_either_case_and_are_listed(table: Opening) -> None:
    tab = table()
    for key in "?":
        tab.write(key)
        tab.soon("return document.querySelector('dialog').open")
        listed = tab.run("return document.querySelector('dialog').innerText")
        assert {"E", "H", "L", "P", "T", "?"} <= set(listed.split())
        tab.write(key)
        tab.soon("return !document.querySelector('dialog').open")
    for key in "eE":
        tab.write("\ue00c")  # Escape
        tab.write(key)
        tab.soon(f"{SAID}.startsWith('You have moves left')")
    for key in "pP":
        before = tab.run(AT)
        click(tab, HELD.format(1))
        tab.write(key)
        tab.soon("return Number(document.body.dataset.at) > arguments[0]", before)
        tab.soon(STILL)


@pytest.mark.parametrize("way", ["mouse", "touch", "place", "keys"])
def test_a_minion_goes_where_it_is_put(table: Opening, way: str) -> None:
    """To the left end: dropped there, or by its place."""
    tab = table(width=1280 if way == "mouse" else 390, height=900 if way == "mouse" else 844)
    if way in ("mouse", "touch"):
        drag(tab, way, HELD.format(2), "#my-board .minion", (-120 if way == "mouse" else -60, 0))
    else:
        click(tab, HELD.format(2), pointer="touch")
        assert tab.run("return document.querySelectorAll('.gap').length") == 2
        if way == "place":
            click(tab, ".gap button", pointer="touch")
        else:
            tab.run("document.querySelector('#my-board .minion').focus()")
            tab.write("\ue012\ue007")  # the arrow to the left, Enter
    tab.soon("return document.querySelectorAll('#my-board .minion').length === 2")
    assert tab.run(NAMES) == ["Dire Wolf Alpha", "Chillwind Yeti"]


def test_labels_say_what_is_to_be_known(table: Opening) -> None:
    tab = table(1)
    assert "attack 3" in tab.run(LABEL, "#foe-hero .hero")
    assert "attack 3" in tab.run(LABEL, "#my-hero .hero")
    assert "armor 12" in tab.run(LABEL, "#my-hero .hero")
    power = tab.run(LABEL, "#my-hero .power")
    assert power.startswith("hero power: Shapeshift, costs 2, ")
    assert "+1 attack" in power.lower()
    assert "8 damage" in tab.run(LABEL, "#foe-board li:nth-child(2) button")


def test_a_hero_power_shows_what_it_costs_now(table: Opening) -> None:
    tab = table(10)
    assert tab.run(LABEL, "#my-hero .power").startswith("hero power: Fireblast, costs 1, ")
    assert tab.run("return document.querySelector('#my-hero .power .badge text').textContent"
                   ) == "1"


def test_quests_hero_cards_and_joined_cards_are_seen(table: Opening) -> None:
    tab = table(11)
    assert tab.run("return [...document.querySelectorAll('.quest')].map((e) => e.textContent)"
                   ) == ["2/6", "3/7"]
    for width, height in ((390, 844), (800, 900), (1280, 800)):
        tab.resize(width, height, mobile=width < 900)
        assert tab.run("return [...document.querySelectorAll('.quest')].every((e) => e.scrollWidth"
                       " <= e.clientWidth && getComputedStyle(e).clipPath === 'none')")
    tab.run("document.querySelector('#my-hero .quest').focus()")
    tab.soon(f"{LOOKS} && "
             "document.querySelector('#look').innerText.includes('progress: 3 of 7')")
    assert tab.run("return document.querySelector('#my-hand .badge.cost text').textContent") == "6"
    assert "also has the text of Timber Wolf: Your other Beasts have +1 attack." in tab.run(
        LABEL, HELD.format(2))
    click(tab, HELD.format(2))
    assert tab.run(LABEL, ".gap button") == "to the left of Chillwind Yeti"
