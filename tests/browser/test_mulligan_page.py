"""The first hand in a real browser: the cards that a person marks go back, and no others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.web.serving import Server
from tests.browser.test_duel_page import PASSWORD, log_in
from tests.browser.test_play_page import CALM, ask, begin, visit
from tests.support.browser import MISSING, Page, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
RULESET = "msg2017"  # which has a mulligan
HANDS = "return document.querySelectorAll('dialog[open] .offer[data-place]').length"
# Mark cards, by their places, and press the button that throws them back.
THROW = """
const offers = [...document.querySelectorAll("dialog .offer")];
for (const place of arguments[0]) offers[place].click();
document.querySelector("#dialog-buttons .main").click();
return offers.map((one) => one.querySelector("h3").textContent);
"""
DONE = """
const { phase, busy } = document.body.dataset;
return busy === "no" && phase !== "mulligan" && !document.querySelector("dialog").open;
"""
HELD = "return [...document.querySelectorAll('#my-hand .card-name')].map((e) => e.textContent)"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Page, Page]]:
    """Serve games with a mulligan; yield the server, and two people's pages."""
    folder: Path = tmp_path_factory.mktemp("mulligan")
    with (hsevo.serve(out=folder / "play", port=0, password=PASSWORD, ruleset=RULESET, wait=False,
                      browser=False, tell=lambda _: None) as server,
          browser(1280, 800) as host, browser(390, 844, touch=True) as guest):
        visit(host, server.address)
        visit(guest, server.address.split("/enter")[0])
        log_in(guest)
        yield server, host, guest


def motion(page: Page, moves: bool) -> None:
    """Show what happens in motion, or at once."""
    page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
              params={"features": [] if moves else CALM})


def thrown(server: Server, number: int, seat: int) -> list[str]:
    """Return the names of the cards that a player has thrown back, by the server's file."""
    file = server.games.path / "games" / f"{number:04}.json"
    game, found = server.games.load(number).beginning(), []
    for index in json.loads(file.read_text())["game"]["moves"]:
        move = next(one for one in game.moves if one.index == index)
        if str(move.kind) == "throw back" and game.player == seat:
            found.append(game.view(seat)["me"]["hand"][move.source.position]["name"])
        game.play(index)
    return found


def throw(page: Page, server: Server, number: int, seat: int, n: int) -> None:
    """Throw n cards of the first hand back: these go, the others stay, nothing more is asked."""
    size = page.soon(HANDS)
    places = sorted(random.Random(10 * number + n).sample(range(size), n))
    names = page.run(THROW, places)
    page.soon(DONE)
    assert sorted(thrown(server, number, seat)) == sorted(names[place] for place in places)
    held = page.run(HELD)
    for name in (name for place, name in enumerate(names) if place not in places):
        held.remove(name)


@pytest.mark.parametrize("moves", [False, True], ids=["calm", "moving"])
@pytest.mark.parametrize(("first", "n"), [
    *((first, n) for first in ("me", "agent") for n in range(4)), ("agent", 4)])
def test_marked_cards_go_back(served: tuple[Server, Page, Page], first: str, n: int,
                              moves: bool) -> None:
    server, tab, _ = served
    motion(tab, moves)
    number = begin(tab, server.address, agent="random", first=first, seed=60 + n)
    throw(tab, server, number, server.games.of(number).seat, n)


@pytest.mark.parametrize("moves", [False, True], ids=["calm", "moving"])
@pytest.mark.parametrize("n", range(4))
def test_both_of_two_people_throw_cards_back(served: tuple[Server, Page, Page], n: int,
                                             moves: bool) -> None:
    """Each in turn; the page of the person who waits asks nothing."""
    server, host, guest = served
    code = ask(host, "/invitations", {"deck": "mage", "first": "me"})["code"]
    number = ask(guest, f"/invitation/{code}/join", {"deck": "warrior"})["number"]
    for page in (host, guest):
        motion(page, moves)
        visit(page, f"{server.address.split('/enter')[0]}/game/{number}")
        page.soon("return document.body.dataset.phase")
    assert not guest.run("return document.querySelector('dialog').open")
    throw(host, server, number, 0, n)
    throw(guest, server, number, 1, 3 - n)
