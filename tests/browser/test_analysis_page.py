"""The page of an analysis: the table in sight on every screen, better lines on the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hsevo
from tests.support.browser import MISSING, Page, browser
from tests.support.game_page import data_of

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]

# Where parts of the page are seen: top and bottom, in pixels of the window.
PLACES = """
const at = (id) => { const box = document.getElementById(id).getBoundingClientRect();
                     return [Math.round(box.top), Math.round(box.bottom)]; };
return Object.fromEntries(["foe-hero", "felt", "my-hero", "my-hand", "slider", "forward", "costs",
                           "curve"].map((id) => [id, at(id)]));
"""
SHOWN = """
const of = (query) => document.querySelector(query);
return { said: of("#said").textContent, hash: location.hash,
  other: of("#other").hidden ? "" : of("#other span").textContent,
  hand: document.querySelectorAll("#my-hand .held").length,
  choice: of("#choice").hidden };
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = hsevo.Game("mage", "warrior", players=["random", "eva:wide:2026"], seed=5)
    game.run()
    found = hsevo.analyse(game, side="a", games=10, agent="eva:2018", players="eva:2018",
                          budget=0, backend="serial")
    path = tmp_path_factory.mktemp("analysis") / "page.html"
    path.write_text(found.page(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def wide(file: Path) -> Iterator[tuple[Page, Any]]:
    with browser(1280, 900) as page:
        yield page, data_of(file.read_text(encoding="utf-8"))


def test_the_first_screen_has_table_hand_controls_curve_and_turns(
        wide: tuple[Page, Any], file: Path) -> None:
    page, data = wide
    page.open(file)
    for step in (0, len(data["steps"]) // 2, len(data["steps"]) - 1):
        page.open(file, f"#step-{step + 1}")
        places = page.run(PLACES)
        for name in ("foe-hero", "felt", "my-hero", "my-hand", "slider", "forward"):
            top, bottom = places[name]
            assert 0 <= top < bottom <= 900, name
        assert places["costs"][0] < 300  # next to the table
        assert places["curve"][0] < 900  # right below it


def test_turns_and_signs_of_the_curve_have_the_same_numbers(
        wide: tuple[Page, Any], file: Path) -> None:
    page, data = wide
    page.open(file)
    numbers = [str(k + 1) for k in range(len(data["costly"]))]
    for query in ("#costs .sign", "#curve .sign"):
        assert page.run("return [...document.querySelectorAll(arguments[0])]"
                        ".map((one) => one.textContent)", query) == numbers
    assert page.run("return document.querySelectorAll('#turning li').length") == 0


def test_a_better_line_is_stepped_through_by_arrows(wide: tuple[Page, Any], file: Path) -> None:
    page, data = wide
    page.open(file)
    k = max(range(len(data["lines"])), key=lambda one: len(data["lines"][one]))
    line = data["lines"][k]
    page.run("document.querySelectorAll('#costs [data-line]')[arguments[0]].click()", k)
    place = f"#step-{data['costly'][k] + 1}"
    for step in [*range(len(line)), len(line) - 1]:  # the last arrow leads nowhere
        shown = page.run(SHOWN)
        assert shown["hash"] == place
        assert shown["other"] == f"A better line, move {step} of {len(line) - 1}."
        assert shown["hand"] == len(line[step]["scene"]["sides"][0]["hand"])
        assert shown["choice"] is True
        if step < len(line) - 1:
            assert shown["said"] == f"next: {line[step]['options'][0]['text']}"
        page.press("ArrowRight")
    page.press("Home")
    assert page.run(SHOWN)["other"].startswith("A better line, move 0 ")
    page.run("document.querySelector('#leave').click()")
    shown = page.run(SHOWN)
    assert (shown["other"], shown["hash"], shown["choice"]) == ("", place, False)
    page.run("document.querySelectorAll('#costs [data-line]')[arguments[0]].click()", k)
    page.run("document.querySelector('#slider').value = 1;"
             "document.querySelector('#slider').dispatchEvent(new Event('input'))")
    assert page.run(SHOWN)["other"] == ""  # any other way leads back to the game


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_the_table_stays_in_sight_on_phones(file: Path, width: int, height: int) -> None:
    with browser(width, height, touch=True) as page:
        page.open(file, "#step-20")
        assert page.run("return document.documentElement.scrollWidth") == width
        page.run("document.querySelector('#costs li:last-child').scrollIntoView()")
        places = page.run(PLACES)
        for name in ("felt", "my-hero", "forward", "slider"):
            top, bottom = places[name]
            assert 0 <= top < bottom <= height, (name, places)
        assert places["forward"][1] <= places["slider"][1] <= places["felt"][0] + 5
