"""The first page remembers what was chosen; moments are local; results, cards and decks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from hsevo.play.session import Seat
from hsevo.replays.exercises import now
from hsevo.replays.played import HUMAN, PlayedGames
from tests.support.browser import MISSING, Page, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
CHOSEN = """
const value = (query) => document.querySelector(query).value;
return ["#mine [name=ready]", "#theirs [name=pasted]", "#agent", "#first"].map(value);
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, str, Any]]:
    path = tmp_path_factory.mktemp("start")
    game = hsevo.Game("mage", "warrior", [Seat(HUMAN), "eva:2018"], 3)
    while not game.over:
        game.play(game.moves[0]) if game.player == 0 else game.step()
    games = PlayedGames(path / "play")
    games.save(games.new(now(), 0, game), game)
    games.close()
    for name in ("random", "gsv"):
        hsevo.match(name, "eva:2018", games=2, out=path / "shown" / name, backend="serial")
    with (hsevo.serve(show=path / "shown", out=path / "play", port=0, wait=False, browser=False,
                      tell=lambda _: None) as server, browser(1280, 900) as page):
        page.call("url", url=server.address)
        yield page, server.address.split("/enter")[0], server


def visit(page: Page, address: str, query: str) -> None:
    page.call("url", url=address)
    page.soon("return document.querySelector(arguments[0])", query)


def test_a_newcomer_gets_an_opponent_to_beat_and_a_mulligan(
        opened: tuple[Page, str, Any]) -> None:
    page, root, server = opened
    page.run("localStorage.clear()")
    visit(page, f"{root}/", "#mine .deck-head")
    assert page.run("return document.querySelector('#agent').value") == "random"
    names = page.run("return [...document.querySelectorAll('#agent option:not([data-human])')]"
                     ".map((one) => one.textContent)")
    assert [name.split(" · ")[1] for name in names] == sorted(
        (name.split(" · ")[1] for name in names),
        key=["very strong", "strong", "medium", "easy", "for beginners", "not rated"].index)
    said = page.run("return document.querySelector('main header').textContent")
    assert "Ruleset msg2017" in said
    assert "The experiments have no mulligan, because" in said
    page.run("document.querySelector('#first').value = 'me'; document.querySelector('#go').click()")
    assert page.soon("return location.pathname.startsWith('/game/') && document.body.dataset.phase"
                     ) == "mulligan"
    number = int(page.run("return location.pathname.split('/')[2]"))
    assert server.hall.games.of(number).ruleset == "msg2017"


def test_the_last_choices_are_kept(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    page.run("localStorage.clear()")
    visit(page, f"{root}/", "#mine .deck-head")
    code = hsevo.Deck("shaman").code
    page.run("""
const set = (query, value, name = "change") => {
  const one = document.querySelector(query);
  one.value = value;
  one.dispatchEvent(new Event(name, { bubbles: true }));
};
set("#mine [name=ready]", "warrior");
document.querySelector("#theirs [data-way=paste]").click();
set("#theirs [name=pasted]", arguments[0], "input");
set("#agent", "gsv"); set("#first", "me");
document.querySelector("#go").click();
""", code)
    assert page.soon("return location.pathname.startsWith('/game/')")
    visit(page, f"{root}/", "#theirs .deck-head")
    assert page.run(CHOSEN) == ["warrior", code, "gsv", "me"]
    page.run("localStorage.setItem('last choices', '[')")  # what is no choice is none
    visit(page, f"{root}/", "#mine .deck-head")
    assert page.run("return document.querySelector('#agent').value") == "random"


def test_moments_are_shown_in_local_time(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    page.call("goog/cdp/execute", cmd="Emulation.setTimezoneOverride",
              params={"timezoneId": "Asia/Tokyo"})
    visit(page, f"{root}/", ".games time[title]")
    shown, utc, moment = page.run("""
const one = document.querySelector(".games a[href$='/again'] time");
return [one.textContent, one.title, one.dateTime];""")
    assert utc == f"{moment[:16].replace('T', ' ')} UTC"
    hours = (int(shown[11:13]) - int(moment[11:13])) % 24
    assert hours == 9
    page.call("goog/cdp/execute", cmd="Emulation.setTimezoneOverride", params={"timezoneId": ""})


def test_a_row_of_a_game_is_low_on_a_phone(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    visit(page, root, ".games .also")
    page.resize(390, 844, mobile=True)
    lines = ("const row = document.querySelector('.games .also').previousElementSibling;"
             "return row.offsetHeight / parseFloat(getComputedStyle(row).lineHeight)")
    try:
        assert page.run(lines) < 4.5
    finally:
        page.call("goog/cdp/execute", cmd="Emulation.clearDeviceMetricsOverride", params={})


def test_results_are_filtered_and_sorted(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    visit(page, f"{root}/results", "#list")
    page.soon("return ![...document.querySelectorAll('td.figure')].some((one) =>"
              " one.textContent === '…')")
    names = ("return [...document.querySelectorAll('#list tbody tr')].filter((one) => !one.hidden)"
             ".map((one) => one.cells[0].textContent)")
    for order in (["gsv", "random"], ["random", "gsv"]):
        page.run("document.querySelector('#list th button').click()")
        assert page.run(names) == order
    page.run("const one = document.querySelector('#words'); one.value = 'GSV';"
             "one.dispatchEvent(new Event('input', {bubbles: true}))")
    assert page.run(names) == ["gsv"]
    assert page.run("return document.querySelector('#count').textContent") == "1 result"


def test_games_of_a_result_are_filtered(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    visit(page, f"{root}/results", "#list td a")
    page.run("document.querySelector('#list td a').click()")
    page.soon("const games = document.querySelector('a[href$=\"/games\"]');"
              "games?.click(); return games")
    page.soon("return document.querySelector('form [name=order]')")
    page.run("document.querySelector('form [name=order]').value = 'longest';"
             "document.querySelector('form button').click()")
    page.soon("return location.search.includes('order=longest')")


def test_cards_have_the_tiles_of_the_builder(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    visit(page, f"{root}/cards", "article .card")
    tile = page.run("""
const one = document.querySelector("article:has(.card)"), of = (query) => one.querySelector(query);
const box = (query) => of(query).getBoundingClientRect();
return { name: of("h2").textContent.trim(), card: of(".card-name").textContent,
  beside: box(".card").right <= box("h2").left };""")
    assert tile["card"] in tile["name"]
    assert tile["beside"]


def test_a_deck_of_thirty_cards_fits_the_window(opened: tuple[Page, str, Any]) -> None:
    page, root, _ = opened
    visit(page, f"{root}/build", ".tile")
    page.run("const from = document.getElementById('from'); from.value = 'mage';"
             "from.dispatchEvent(new Event('change'))")
    page.soon("return document.querySelectorAll('#rows button').length === 30"
              " && document.querySelector('#legal details')")
    sizes = page.run("""
const deck = document.getElementById("deck"), rows = document.getElementById("rows");
return [rows.scrollHeight - rows.clientHeight, deck.scrollHeight - deck.clientHeight,
  deck.getBoundingClientRect().bottom];""")
    assert sizes[0] <= 1
    assert sizes[1] <= 1
    assert sizes[2] <= 900
