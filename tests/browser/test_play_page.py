"""Whole games in a real browser, by random legal clicks: the page shows what the server plays.

Every ruleset is played. HSEVO_BROWSER_GAMES=50 plays fifty games, of all nine classes.
"""

from __future__ import annotations

import json
import os
import random
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from hsevo.config.overlays import RULESETS
from hsevo.web.hall import GameHall
from tests.support.browser import MISSING, PATIENCE, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
GAMES = int(os.environ.get("HSEVO_BROWSER_GAMES", len(RULESETS)))
CLASSES = ("mage", "warrior", "shaman", "druid", "hunter", "paladin", "priest", "rogue", "warlock")
CALM = [{"name": "prefers-reduced-motion", "value": "reduce"}]

SHOWN = """
const texts = (query, root = document) =>
  [...root.querySelectorAll(query)].map((e) => e.textContent);
const side = (who, row) => ({
  board: [...document.querySelectorAll(`#${who}-board .minion`)].map((e) => [
    texts(".minion-name", e)[0], ...texts(".badge text", e).map(Number)]),
  hero: Number(texts(".hero .badge.health text", document.querySelector(`#${who}-hero`))[0]),
  armor: Number(texts(".hero .badge.armor text", document.querySelector(`#${who}-hero`))[0] ?? 0),
  weapon: texts(".weapon .badge text", document.querySelector(`#${who}-hero`)).map(Number),
  secrets: texts(".secrets li:not(.later)", document.querySelector(`#${who}-hero`)).length,
  mana: texts(".mana b", document.querySelector(`#${who}-hero`))[0],
  deck: Number(texts(".deck b", document.querySelector(`#${who}-hero`))[0]),
});
return {
  me: side("my"), foe: side("foe"), backs: texts("#foe-hand li").length,
  hand: [...document.querySelectorAll("#my-hand .held")].map((e) => [
    texts(".card-name", e)[0], Number(texts(".badge.cost text", e)[0])]),
  busy: document.body.dataset.busy, phase: document.body.dataset.phase,
  at: Number(document.body.dataset.at),
  wide: document.documentElement.scrollWidth - innerWidth,
};
"""
# The same, once nobody thinks.
STILL = """
const {phase, busy} = document.body.dataset;
if (!phase || phase === "waits" || busy !== "no") return null;
""" + SHOWN
# Do something a second later by the page's clock: End turn takes no double click.
LATER = """
const later = (act) => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + 1000;
  act();
  delete performance.now;
};
"""
# One click of somebody who clicks anything that can be clicked in a game.
CLICK = LATER + """
const [chance] = arguments, any = (list) => list[Math.floor(chance * list.length)];
const all = (query) => [...document.querySelectorAll(query)];
if (document.body.dataset.phase === "over") return "over";
if (document.body.dataset.phase === "waits") return "waits";
if (document.querySelector("dialog").open) {
  const one = any(all("dialog .offer, #dialog-buttons button"));
  one.click();
  return "dialog";
}
const legal = all(".legal, .gap button");
if (legal.length) { any(legal).click(); return "target"; }
if (document.querySelector(".chosen")) { document.querySelector("#felt").click(); return "table"; }
const one = any([...all("#my-hand .ready, #my-board .ready, #my-hero button.ready"),
  document.querySelector("#end")]);
one.click();
const said = document.querySelector("#said").textContent;
if (one.id === "end" && said.startsWith("You have moves")) later(() => one.click());
return one.id || one.dataset.spot;
"""


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with browser(1280, 800) as page:
        page.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
                  params={"features": CALM})
        yield page


def ask(page: Page, path: str, body: Any) -> Any:
    """Post JSON from the page itself."""
    return page.call("execute/async", args=[path, body], script="""
        const [path, body, done] = arguments;
        fetch(path, {method: "POST", body: JSON.stringify(body)}).then((a) => a.json()).then(done);
        """)


def visit(page: Page, url: str) -> None:
    page.call("url", url=url)


def begin(page: Page, opened: str, **wish: Any) -> int:
    """Begin a game and open its page."""
    root = opened.split("/enter")[0]
    number = int(ask(page, "/games", {"deck": "mage", "against": "warrior", "agent": "eva:2018",
                                      "first": "any", **wish})["number"])
    visit(page, f"{root}/game/{number}")
    return number


def settled(page: Page, hall: GameHall, number: int, game: Any = None) -> tuple[Any, Any]:
    """Return what the page shows once nobody thinks, and the server's game, read from its file.

    A game that was read before makes the moves that were saved since then.
    """
    end, seat = time.monotonic() + PATIENCE, hall.games.of(number).seat
    game = game or hall.games.load(number)
    while time.monotonic() < end:
        shown = page.soon(STILL)
        data = saved(hall, number)
        if shown["at"] == len(data["moves"]):
            for move in data["moves"][len(game.history):]:
                game.play(move)
            assert game.save()["digest"] == data["digest"]
            if (game.player == seat or game.over) and len(game.history) == shown["at"]:
                return shown, game
        time.sleep(0.01)
    raise AssertionError(f"the page shows move {shown['at']} of {len(data['moves'])}")


def saved(hall: GameHall, number: int) -> Any:
    """Return what is saved of a game."""
    file = hall.games.path / "games" / f"{number:04}.json"
    return json.loads(file.read_text())["game"]


def check(shown: Any, game: Any, seat: int) -> None:
    """The page shows the server's game."""
    view = game.view(seat)
    assert shown["phase"] == view["phase"]
    for who, side in (("me", view["me"]), ("foe", view["opponent"])):
        there, weapon = shown[who], side["weapon"]
        assert there["board"] == [[one["name"], one["attack"], one["health"]]
                                  for one in side["board"]]
        assert (there["hero"], there["armor"]) == (side["hero"]["health"], side["hero"]["armor"])
        assert there["weapon"] == ([weapon["attack"], weapon["durability"]] if weapon else [])
        assert there["mana"] == f"{side['mana']}/{side['crystals']}"
        assert there["deck"] == side["deck"]
    assert shown["hand"] == [[one["name"], one["cost"]] for one in view["me"]["hand"]]
    assert shown["backs"] == view["opponent"]["hand"]
    assert shown["me"]["secrets"] == len(view["me"]["secrets"])
    assert shown["foe"]["secrets"] == view["opponent"]["secrets"]
    assert shown["wide"] <= 0


def play(page: Page, hall: GameHall, number: int, chance: random.Random, most: int = 3000) -> Any:
    """Click until the game is over; check after every move. Return the game."""
    seat = hall.games.of(number).seat
    shown, game = settled(page, hall, number)
    check(shown, game, seat)
    for _ in range(most):
        did = page.run(CLICK, chance.random())
        if did == "over":
            break
        done = page.run("return [document.body.dataset.at, document.body.dataset.phase]")
        if did == "waits" or int(done[0]) != shown["at"] or did in ("target", "table", "end"):
            shown, game = settled(page, hall, number, game)
            check(shown, game, seat)
        if game.over:
            break
    assert game.history == hall.games.load(number).history
    return game


def deck_of(k: int, ruleset: str) -> str:
    """Return a deck of the k-th class; blackrock2015 and hearthsim lack cards of the newer ones."""
    name = CLASSES[k % len(CLASSES)]
    newer = name in CLASSES[:3] and ruleset not in ("blackrock2015", "hearthsim")
    return name if newer else f"classic-{name}"


@pytest.mark.parametrize("k", range(GAMES))
def test_whole_games_by_random_clicks(tab: Page, tmp_path: Path, k: int) -> None:
    ruleset = RULESETS[k % len(RULESETS)]
    with serving(tmp_path / "play", ruleset=ruleset) as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, deck=deck_of(k, ruleset), seed=1000 + k,
                       against=deck_of(k * 4 + 1, ruleset))
        game = play(tab, hall, number, random.Random(k))
        assert game.over
        assert tab.run("return document.querySelector('#dialog-title').textContent") in (
            "You win", "You lose", "A draw")


def test_a_reload_and_a_killed_server_go_on(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play") as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, seed=77, first="me")
        play(tab, hall, number, random.Random(1), most=8)
        tab.call("refresh")
        shown, game = settled(tab, hall, number)
        check(shown, game, hall.games.of(number).seat)
        port = int(opened.split(":")[2].split("/")[0])
    with serving(tmp_path / "play", port) as (hall, opened):
        visit(tab, opened)
        assert f"/game/{number}" in tab.run("return document.body.innerHTML")
        visit(tab, f"{opened.split('/enter')[0]}/game/{number}")
        shown, again = settled(tab, hall, number)
        check(shown, again, hall.games.of(number).seat)
        assert again.history[:len(game.history)] == game.history


def test_keys_play_and_an_illegal_try_says_why(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play") as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, seed=3, first="me")
        settled(tab, hall, number)
        tab.run("""[...document.querySelectorAll("#my-hand .held")].find((card) =>
            Number(card.querySelector(".badge.cost text").textContent) > 1).click()""")
        tab.soon("return document.querySelector('#said').textContent"
                 ".includes('mana, and you have 1')")
        end = time.monotonic() + PATIENCE
        while not saved(hall, number)["moves"] and time.monotonic() < end:
            tab.write("e")  # once says that moves are left, if some are
        shown, game = settled(tab, hall, number)
        assert len(game.history) > 1
        check(shown, game, hall.games.of(number).seat)


def test_two_tabs_show_one_game(tab: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "play") as (hall, opened):
        visit(tab, opened)
        number = begin(tab, opened, seed=5, first="me")
        settled(tab, hall, number)
        first = tab.call("window/new", type="tab")["handle"]
        before = next(one for one in _handles(tab) if one != first)
        tab.call("window", handle=first)
        visit(tab, f"{opened.split('/enter')[0]}/game/{number}")
        settled(tab, hall, number)
        play(tab, hall, number, random.Random(3), most=6)
        one, game = settled(tab, hall, number)
        request_close(tab)
        tab.call("window", handle=before)
        other, _ = settled(tab, hall, number)
        check(other, game, hall.games.of(number).seat)
        assert one["hand"] == other["hand"]


def _handles(page: Page) -> list[str]:
    with urllib.request.urlopen(f"{page.address}/window/handles", timeout=60) as answer:
        return list(json.load(answer)["value"])


def request_close(page: Page) -> None:
    """Close the tab."""
    urllib.request.urlopen(urllib.request.Request(f"{page.address}/window", method="DELETE"),
                           timeout=60).close()
