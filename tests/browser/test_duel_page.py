"""Two browsers play one game: an invitation, the password, both seats, to its end and back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.web import duels
from hsevo.web.serving import Server
from tests.browser.test_build_page import TYPE, press
from tests.browser.test_play_page import CALM, LATER, SHOWN, check, visit
from tests.support.browser import MISSING, PATIENCE, Page, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
PASSWORD = "correct horse"
DECKS = "secret-face-hunter", "elite-aggro-hunter"  # both quick
# Somebody in a hurry: plays what can be played, and attacks the hero whenever that is legal.
CLICK = LATER + """
const all = (query) => [...document.querySelectorAll(query)];
if (document.querySelector("dialog").open) {
  (all("#dialog-buttons .main")[0] ?? all("dialog .offer")[0]).click();
  return;
}
const legal = all(".legal"), hero = legal.find((one) => one.dataset.spot.startsWith("foe,hero"));
if (hero || legal.length) { (hero ?? legal[0]).click(); return; }
if (document.querySelector(".chosen")) { document.querySelector("#felt").click(); return; }
const one = [...all("#my-board .ready, #my-hero button.ready"), ...all("#my-hand .ready")][0]
  ?? document.querySelector("#end");
one.click();
const said = document.querySelector("#said").textContent;
if (said.startsWith("You have moves")) later(() => one.click());
"""
STANDS = "return document.body.dataset.busy === 'no' && [Number(document.body.dataset.at)]"
# On a phone the deck has the whole width, and the button that takes the seat is not at its head.
APART = """
const [page, deck, button] = ["main", "#mine", "#go"].map((one) =>
  document.querySelector(one).getBoundingClientRect());
return deck.left === page.left && deck.right === page.right && button.top > deck.top + 200;
"""


@pytest.fixture(scope="module")
def tabs() -> Iterator[tuple[Page, Page]]:
    with browser(1280, 800) as one, browser(390, 844, touch=True) as other:
        for page in (one, other):
            page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
                      params={"features": CALM})
        yield one, other


def serving(folder: Path, port: int = 0) -> Server:
    return hsevo.serve(out=folder, port=port, password=PASSWORD, wait=False, browser=False,
                       tell=lambda _: None)


def log_in(page: Page) -> None:
    """Give the password, and wait until the page has led on."""
    page.soon("return document.querySelector('#password')")
    page.run("document.querySelector('#password').value = arguments[0]", PASSWORD)
    press(page, "#login button")
    page.soon("return location.pathname !== '/login' && document.readyState === 'complete'")


def choose(page: Page, deck: str) -> None:
    page.run("""const field = document.querySelector("#mine select");
        field.value = arguments[0];
        field.dispatchEvent(new Event("change"));""", deck)


def text(page: Page, query: str) -> str:
    return str(page.run("return document.querySelector(arguments[0]).textContent", query))


def settled(server: Server, tabs: tuple[Page, Page], game: Any, number: int) -> None:
    """Have a game follow the server's file; look that both pages show it."""
    file = server.games.path / "games" / f"{number:04}.json"
    for move in json.loads(file.read_text())["game"]["moves"][len(game.history):]:
        game.play(move)
    for seat, page in enumerate(tabs):
        page.soon("return document.body.dataset.at === arguments[0]"
                   " && document.body.dataset.busy === 'no'", str(len(game.history)))
        shown, view = page.run(SHOWN), game.view(seat)
        waits = not game.over and game.player != seat
        assert shown["phase"] == ("waits" if waits else view["phase"])
        check(shown | {"phase": view["phase"]}, game, seat)


def play(server: Server, tabs: tuple[Page, Page], number: int, most: int = 500) -> Any:
    """Click for whoever is to move until the game is over, or so many moves were made."""
    game = server.games.load(number)
    settled(server, tabs, game, number)
    for _ in range(most):
        if game.over:
            break
        page, end, before = tabs[game.player], time.monotonic() + PATIENCE, len(game.history)
        while (stands := page.soon(STANDS)) != [before + 1]:
            if stands == [before]:
                page.run(CLICK)
            assert time.monotonic() < end
        settled(server, tabs, game, number)
    assert game.history == server.games.load(number).history
    return game


def test_two_play_a_whole_game(tabs: tuple[Page, Page], tmp_path: Path,
                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duels, "secrets", SimpleNamespace(randbelow=lambda most: 1))
    host, guest = tabs
    with serving(tmp_path / "play") as server:
        visit(host, server.address)
        host.soon("return document.querySelector('.deck-head')")
        host.run(TYPE, "agent", "another human")
        choose(host, DECKS[0])
        assert host.run("return document.querySelector('#theirs').hidden")
        press(host, "#go")
        code = host.soon("return document.body.dataset.waits")
        assert text(host, "#state").startswith("Waiting for the other player")
        visit(guest, host.run("return document.querySelector('#link').value"))
        log_in(guest)
        guest.soon("return document.querySelector('.deck-head')")
        assert guest.run("return document.body.dataset.invited") == code
        assert guest.run(APART)
        choose(guest, DECKS[1])
        press(guest, "#go")
        for page in tabs:
            page.soon("return document.body.dataset.phase")
        number = int(host.run("return document.body.dataset.game"))
        game = play(server, tabs, number, most=6)
        waits = tabs[1 - game.player]
        assert text(waits, "#said") == "Waiting for your opponent to move."
        assert text(tabs[game.player], "#said").startswith(("It is your turn", "Nothing is left"))
        assert tabs[game.player].run("return document.title").startswith("Your turn")
        assert waits.run("return document.querySelector('#hint').checkVisibility()") is False
        guest.call("refresh")
        guest.soon("return document.body.dataset.phase")
        visit(host, host.run("return location.origin"))  # leaves the table
        host.soon("return document.querySelector('.games a')")
        if game.player == 0:
            guest.soon("return document.querySelector('#said').textContent.includes('not here')")
        press(host, f".games a[href='/game/{number}']")
        host.soon("return document.body.dataset.phase")
        settled(server, tabs, game, number)
        port = server.port
    with serving(tmp_path / "play", port) as server:
        for page in tabs:
            page.call("refresh")
            log_in(page)
            page.soon("return document.body.dataset.phase")
        game = play(server, tabs, number)
        assert game.over
        titles = [text(page, "#dialog-title") for page in tabs]
        assert titles == (["You win", "You lose"] if game.winner == 0 else ["You lose", "You win"])
        facts = server.games.of(number)
        assert (facts.human, facts.agent) == ("human", "human-2")
        assert (facts.deck, facts.against) == DECKS
