"""All pages in both themes: text stands out (WCAG AA), fields have names, and phones show all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.play.lethal import find_lethal
from hsevo.play.settling import settle_all
from tests.browser.test_build_page import TYPE, press
from tests.browser.test_play_page import ask
from tests.support.browser import MISSING, Page, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
READY = {  # what is there once a page has all that it shows
    "/": "#mine .deck-head", "/match": "#go", "/match/1": ".line-up", "/build": ".tile",
    "/exercises": ".go-on", "/position": "body[data-fine]", "/game/1": "body[data-phase='play']",
    "/results": ".figure", "/results/{result}": ".figure", "/results/{result}/games": "table",
    "/results/{result}/games/0/0": "body[data-ready]",
    "/results/{result}/games/0/0/scores": "#options li", "/cards": "article",
    "/no/such/page": ".problem", "/invitation/{mine}": "#withdraw",
    "/invitation/{theirs}": "#mine .deck-head"}
Opened: TypeAlias = tuple[Page, str, dict[str, str]]
STUDY = """
participants: 1
blocks:
  - {condition: alone, opponent: random, called: Opponent X, deck: mage, against: warrior,
     first: me, games: 1}
"""

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
const judge = (one, pseudo, text) => {
  const [a, b] = [parts(getComputedStyle(one, pseudo).color), below(one)].map(light);
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) found.push(`${text.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
};
for (const one of document.querySelectorAll("[placeholder]")) {
  if (one.getClientRects().length) judge(one, "::placeholder", one.placeholder);
}
for (const one of document.querySelectorAll("body *")) {
  const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!says || !one.getClientRects().length) continue;
  if (one.closest("svg, .card, select, [disabled], .full")) continue;
  judge(one, null, one.textContent);
}
return found;
"""
NAMELESS = """
return [...document.querySelectorAll("input, select, textarea, progress")].filter((one) =>
  !one.labels?.length && !one.ariaLabel).map((one) => one.id);
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Open a server with a match, a result and invitations; yield the tab, its address, ids."""
    folder: Path = tmp_path_factory.mktemp("contrast")
    for entry in (settle_all, find_lethal):  # no page of these tests is to wait for the compiler
        entry.build(late=False).load()  # that of the ruleset below
    hsevo.match("random", "eva:2018", games=2, out=folder / "shown" / "met", backend="serial")
    with (hsevo.serve(show=folder / "shown", out=folder / "play", port=0, wait=False,
                      ruleset="cig2018",  # its games begin without a mulligan
                      browser=False, tell=lambda _: None) as server, browser(1280, 900) as tab):
        root = server.address.split("/enter")[0]
        tab.call("url", url=server.address)
        tab.call("url", url=f"{root}/match")
        tab.soon("return document.querySelector('#go')")
        press(tab, "#go")
        tab.soon("return document.body.dataset.match")
        press(tab, "[data-pick]")
        tab.soon("return document.body.dataset.phase")
        theirs = server.hall.duels.invite("somebody", {"deck": "mage"})
        mine = ask(tab, "/invitations", {"deck": "mage"})["code"]
        yield tab, root, {"result": server.hall.results.all[0].id, "mine": mine, "theirs": theirs}


def stands_out(tab: Page) -> None:
    """The text of a page stands out, on dark and on light, and its fields have names."""
    for dark in (True, False):
        tab.dark(dark)
        assert tab.run(FAINT) == []
    assert tab.run(NAMELESS) == []
    tab.run("document.querySelector('h1').style.color = 'var(--paper)'")  # it can fail
    assert len(tab.run(FAINT)) == 1


@pytest.mark.parametrize("path", READY)
def test_all_text_stands_out(opened: Opened, path: str) -> None:
    tab, root, names = opened
    tab.call("url", url=f"{root}{path.format(**names)}")
    tab.soon("return document.querySelector(arguments[0])", READY[path])
    tab.run("for (const card of [...document.querySelectorAll('article')].slice(99)) card.remove();"
            "const hidden = [...document.querySelectorAll('details')].slice(0, 40);"
            "for (const one of hidden) one.open = true;"
            "document.querySelector('.tile, [data-cost]')?.click()")
    stands_out(tab)


@pytest.mark.parametrize("path", READY)
def test_all_fits_a_small_phone(opened: Opened, path: str) -> None:
    """Nothing is wider than the screen, and there is a way back."""
    tab, root, names = opened
    small(tab, f"{root}{path.format(**names)}", READY[path])
    assert tab.run("return document.documentElement.scrollWidth") == 360
    assert tab.run("return document.querySelector('a[href=\"/\"]').offsetWidth") > 0


def test_no_part_of_the_table_covers_another(opened: Opened) -> None:
    tab, root, _ = opened
    small(tab, f"{root}/game/1", READY["/game/1"])
    edges = tab.run("return ['foe-hero', 'felt', 'end', 'my-hero', 'my-hand'].flatMap((id) => {"
                    "const box = document.getElementById(id).getBoundingClientRect();"
                    "return [Math.ceil(box.top), Math.floor(box.bottom)]})")
    assert edges == sorted(edges)


def small(tab: Page, address: str, ready: str) -> None:
    """Open a page on a small phone."""
    tab.call("url", url=address)
    tab.soon("return document.querySelector(arguments[0])", ready)
    tab.resize(360, 640, mobile=True)


def test_all_text_of_a_study_stands_out(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(f"consent: consent.txt\n{STUDY}")
    (tmp_path / "consent.txt").write_text("You play a game.")
    with (hsevo.serve(participants=tmp_path / "lab.yaml", out=tmp_path / "out", port=0, wait=False,
                      browser=False, tell=lambda _: None) as server, browser(390, 900) as tab):
        (link,) = server.links.values()
        tab.call("url", url=f"{link}x")
        assert "does not belong to this study" in tab.soon("return document.body.textContent")
        stands_out(tab)
        tab.call("url", url=link)
        tab.soon("return document.querySelector('#yes')")
        stands_out(tab)
        press(tab, "#yes")
        press(tab, "#agree button")
        tab.soon("return document.querySelector('#begin')")
        stands_out(tab)
        press(tab, "#begin button")
        tab.soon("return document.body.dataset.phase === 'play'")
        stands_out(tab)
        press(tab, "#concede")
        press(tab, "#dialog-buttons .grave")
        tab.soon("return document.querySelector('.mistakes, #dialog-buttons a')")
        press(tab, "#dialog-buttons a")
        assert "Thank you" in tab.soon("return document.querySelector('h1')?.textContent")
        stands_out(tab)


def test_a_position_is_built_and_its_lethal_found(opened: Opened) -> None:
    tab, root, _ = opened
    tab.call("url", url=f"{root}/position")
    fine = "return document.body.dataset.fine === 'yes' && "
    tab.soon(fine + "document.querySelectorAll('.tile').length > 0")
    press(tab, "#new")  # not the draft of a failed try
    for zone, card in (("me hand", "Fireball"), ("opponent board", "Frostwolf Grunt")):
        tab.run(TYPE, "zone", zone)
        tab.run(TYPE, "words", card)
        tab.soon("const [one] = document.querySelectorAll('.tile');"
                  "if (one?.querySelector('h3').textContent !== arguments[0]) return false;"
                  "one.click(); return true", card)
    tab.soon(fine + "document.querySelector('#foe-board button')")
    press(tab, "#foe-board button")  # what is clicked on the table opens in the form
    assert tab.run("return document.querySelector('[data-zone=\"board 0\"] details').open")
    tick = "[data-zone='board 0'] .tick input"  # its Taunt
    assert tab.run("return document.querySelector(arguments[0]).checked", tick)
    press(tab, tick)
    tab.soon(fine + "!document.querySelector('#foe-board button').ariaLabel.includes('taunt')")
    tab.run("const field = document.querySelector('#opponent .numbers input'); field.value = 6;"
            "field.dispatchEvent(new Event('input'))")
    tab.soon(fine + "document.querySelector('#foe-hero .hero').ariaLabel.includes('health 6')")
    press(tab, "#analyse")
    said = "return document.querySelector('#best')?.textContent"
    tab.soon(f"{said}.includes('lethal')")
    assert "There is a lethal: play Fireball at the enemy hero" in tab.run(said)
    data = json.loads(tab.run("return document.getElementById('json').value"))
    assert data["opponent"]["board"] == [{"card": "Frostwolf Grunt", "lost": ["taunt"]}]
