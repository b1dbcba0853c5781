"""The pages around a game in both themes: text stands out (WCAG AA), and every field has a name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from tests.browser.test_build_page import TYPE, press, soon
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
READY = {  # what is there once a page has all that it shows
    "/": "#mine .deck-head", "/match": "#go", "/match/1": ".line-up", "/build": ".tile",
    "/exercises": ".go-on", "/position": "body[data-fine]"}

# Texts whose contrast is below 4.5, by the formula of WCAG 2; pictures and what is disabled aside.
FAINT = """
const channel = (v) => (v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4);
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const below = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const colour = parts(getComputedStyle(one).backgroundColor);
    if ((colour[3] ?? 1) === 1) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const one of document.querySelectorAll("body *")) {
  const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!says || !one.getClientRects().length) continue;
  if (one.closest("svg, .card, select, [disabled], .full")) continue;
  const [a, b] = [parts(getComputedStyle(one).color), below(one)].map(light);
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) found.push(`${one.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
}
return found;
"""
NAMELESS = """
return [...document.querySelectorAll("input, select, textarea, progress")].filter((one) =>
  !one.labels?.length && !one.ariaLabel).map((one) => one.id);
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, str]]:
    folder: Path = tmp_path_factory.mktemp("contrast")
    with serving(folder / "play") as (_, address), browser(1280, 900) as tab:
        root = address.split("/enter")[0]
        tab.call("url", url=address)
        tab.call("url", url=f"{root}/match")
        soon(tab, "return document.querySelector('#go')")
        press(tab, "#go")
        soon(tab, "return document.body.dataset.match")
        yield tab, root


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", READY)
def test_all_text_stands_out(opened: tuple[Page, str], path: str, dark: bool) -> None:
    tab, root = opened
    tab.dark(dark)
    tab.call("url", url=f"{root}{path}")
    soon(tab, "return document.querySelector(arguments[0])", READY[path])
    tab.run("for (const one of document.querySelectorAll('details')) one.open = true;"
            "document.querySelector('.tile, [data-cost]')?.click()")
    assert tab.run(FAINT) == []
    assert tab.run(NAMELESS) == []
    tab.run("document.querySelector('h1').style.color = 'var(--paper)'")  # it can fail
    assert len(tab.run(FAINT)) == 1


def test_a_position_is_built_and_its_lethal_found(opened: tuple[Page, str]) -> None:
    tab, root = opened
    tab.call("url", url=f"{root}/position")
    fine = "return document.body.dataset.fine === 'yes' && "
    soon(tab, fine + "document.querySelectorAll('.tile').length > 0")
    for zone, card in (("me hand", "Fireball"), ("opponent board", "Frostwolf Grunt")):
        tab.run(TYPE, "zone", zone)
        tab.run(TYPE, "words", card)
        soon(tab, "const [one] = document.querySelectorAll('.tile');"
                  "if (one?.querySelector('h3').textContent !== arguments[0]) return false;"
                  "one.click(); return true", card)
    soon(tab, fine + "document.querySelector('#foe-board button')")
    press(tab, "#foe-board button")  # what is clicked on the table opens in the form
    assert tab.run("return document.querySelector('[data-zone=\"board 0\"] details').open")
    tick = "[data-zone='board 0'] .tick input"  # its Taunt
    assert tab.run("return document.querySelector(arguments[0]).checked", tick)
    press(tab, tick)
    soon(tab, fine + "!document.querySelector('#foe-board button').ariaLabel.includes('taunt')")
    tab.run("const field = document.querySelector('#opponent .numbers input'); field.value = 6;"
            "field.dispatchEvent(new Event('input'))")
    soon(tab, fine + "document.querySelector('#foe-hero .hero').ariaLabel.includes('health 6')")
    press(tab, "#analyse")
    said = "return document.querySelector('#best')?.textContent"
    soon(tab, f"{said}.includes('lethal')")
    assert "A lethal is there: play Fireball at the enemy hero" in tab.run(said)
    data = json.loads(tab.run("return document.getElementById('json').value"))
    assert data["opponent"]["board"] == [{"card": "Frostwolf Grunt", "lost": ["taunt"]}]
