"""The mistakes in a game: stored with it, looked for when no page is open, stopped, tried again."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

import hsevo
from hsevo.play.session import Seat
from hsevo.replays.exercises import now
from hsevo.replays.judged import Judged
from hsevo.replays.played import HUMAN, PlayedGames
from hsevo.web import mistakes
from tests.support.game_page import data_of
from tests.support.playing import HOST, ORIGIN, Door, door, play_on

QUICK: dict[str, Any] = {"agent": "eva:2018", "players": "eva:2018", "games": 4, "budget": 0}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be analysed by a quick agent, in few games, and make no exercises."""
    monkeypatch.setattr(mistakes, "analyse", lambda game, **how: hsevo.analyse(
        game, **how | QUICK | {"workers": None, "backend": "serial"}))
    monkeypatch.setattr(mistakes, "exercises", lambda *_, **__: ())


def put(folder: Path, over: bool = True) -> None:
    """Store a game of a human's in a folder, who made random moves until it was over."""
    game, chance = hsevo.Game("mage", "warrior", [Seat(HUMAN), "eva:2018"], 3), random.Random(1)
    while not game.over if over else game.turn < 3:
        game.play(chance.choice(game.moves)) if game.player == 0 else game.step()
    games = PlayedGames(folder)
    games.save(games.new(now(), 0, game), game)
    games.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Door]:
    put(tmp_path / "play")
    with door(tmp_path / "play", agents=["eva:2018"]) as found:
        yield found


class Slow:
    """An analysis that goes on until it is told to end, or stopped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.ends = threading.Event(), threading.Event()
        self.quick = mistakes.analyse
        monkeypatch.setattr(mistakes, "analyse", self.analyse)

    def analyse(self, game: Any, **how: Any) -> Any:
        self.began.set()
        while not self.ends.wait(0.01):
            how["progress"](1, 2)  # raises once it was stopped
        return self.quick(game, **how)


def begin(house: Door) -> threading.Thread:
    """Press the button, on a page that waits for the answer."""
    one = threading.Thread(target=house.client.post, args=("/game/1/analyse",),
                           kwargs={"headers": ORIGIN}, daemon=True)
    one.start()
    return one


def until(true: Any) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_page_is_stored_with_the_game(tmp_path: Path, house: Door) -> None:
    before = house.client.get("/game/1/mistakes", follow_redirects=False)
    assert (before.status_code, before.headers["location"]) == (303, "/game/1/mistakes/find")
    assert 'data-goes-on="no"' in house.client.get("/game/1/mistakes/find").text
    assert "Find my mistakes" in house.client.get("/game/1/again").text
    house.client.post("/game/1/analyse", headers=ORIGIN)
    page = house.client.get("/game/1/mistakes").text
    assert "from 4 games each" in page
    kept = Judged(tmp_path / "play").whole(1)
    assert kept
    house.hall.analyst._pages.clear()
    assert house.client.get("/game/1/mistakes").text == page
    for path in ("/", "/game/1/again"):
        assert 'href="/game/1/mistakes"' in house.client.get(path).text


def test_it_is_there_when_the_server_starts_again(tmp_path: Path) -> None:
    put(tmp_path / "play")
    with door(tmp_path / "play") as house:
        house.client.post("/game/1/analyse", headers=ORIGIN)
        page = house.client.get("/game/1/mistakes").text
    with door(tmp_path / "play") as house:
        assert house.client.get("/game/1/mistakes").text == page
        file = tmp_path / "play" / "mistakes" / "0001.json"
        whole = json.loads(file.read_text())
        for damage in ({"chance": 3}, {"player": 7}, {"step": -1}, {"step": 10**6}, {"won": []}):
            rows = [whole["decisions"][0] | damage, *whole["decisions"][1:]]
            file.write_text(json.dumps(whole | {"decisions": rows}))
            house.hall.analyst._pages.clear()
            answer = house.client.get("/game/1/mistakes")
            assert answer.status_code in ((404,) if damage != {"won": []} else (200,)), damage
        file.write_text(json.dumps(whole["decisions"]))  # as an earlier version wrote it
        house.hall.analyst._pages.clear()
        assert house.client.get("/game/1/mistakes", follow_redirects=False).status_code == 303


def test_they_are_found_once(house: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house.client.post("/game/1/analyse", headers=ORIGIN)
    slow = Slow(monkeypatch)
    slow.ends.set()
    answer = house.client.post("/game/1/analyse", headers=ORIGIN)
    assert answer.text.endswith("\n")  # a page reads whole lines
    assert json.loads(answer.text) == {"to": "/game/1/mistakes"}
    assert not slow.began.is_set()
    (tmp_path / "play" / "mistakes" / "0001.json").write_text("{")  # damaged: found again
    house.hall.analyst._pages.clear()
    house.client.post("/game/1/analyse", headers=ORIGIN)
    assert slow.began.is_set()
    assert house.client.get("/game/1/mistakes").status_code == 200


def test_the_curve_and_the_list_have_the_same_numbers(house: Door) -> None:
    house.client.post("/game/1/analyse", headers=ORIGIN)
    data = data_of(house.client.get("/game/1/mistakes").text)
    kept = house.hall.judged.whole(1)
    assert kept is not None
    assert data["chances"]["sampled"] is True
    assert data["chances"]["turning"] == []
    points = iter(data["chances"]["points"])
    for row in kept[1].to_dict("records"):
        before, after = next(points), next(points)
        assert (before["step"], after["step"]) == (row["step"], row["step"] + 1)
        assert before["chance"] - after["chance"] == pytest.approx(row["loss"])


def test_it_goes_on_without_a_page_and_is_joined(
        house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    begin(house)  # nobody reads the answer
    assert slow.began.wait(20)
    assert 'data-goes-on="yes"' in house.client.get("/game/1/mistakes/find").text
    first = house.client.portal.call(house.hall.chair, 1, "")
    search = house.hall.analyst.search(first)
    assert search is not None
    joined = begin(house)
    slow.ends.set()
    until(lambda: house.client.get("/game/1/mistakes", follow_redirects=False).status_code == 200)
    joined.join(20)
    assert house.hall.analyst.search(first) is None


def test_a_page_that_goes_does_not_stop_it(house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    cookie = "; ".join(f"{one.name}={one.value}" for one in house.client.cookies.jar)
    headers = {"host": HOST, "cookie": cookie, **ORIGIN}
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
             "scheme": "http", "path": "/game/1/analyse", "raw_path": b"/game/1/analyse",
             "query_string": b"", "root_path": "", "client": ("127.0.0.1", 50_000),
             "server": ("127.0.0.1", 8642),
             "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    asked, sent = iter([{"type": "http.request", "body": b"{}", "more_body": False}]), []

    async def receive() -> Any:
        if (message := next(asked, None)) is not None:
            return message
        await anyio.to_thread.run_sync(slow.began.wait, 20)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
    house.client.portal.call(house.app, scope, receive, send)  # returns, as the page is gone
    assert sent[0]["status"] == 200
    assert not any(b"/mistakes" in one.get("body", b"") for one in sent)
    slow.ends.set()
    until(lambda: house.client.get("/game/1/mistakes", follow_redirects=False).status_code == 200)


def test_who_began_it_stops_it(house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    house.client.get("/")
    one = begin(house)
    assert slow.began.wait(20)
    other = house.another()
    other.get("/")
    other.post("/game/1/analyse/stop", headers=ORIGIN)
    assert 'data-goes-on="yes"' in house.client.get("/game/1/mistakes/find").text
    assert house.client.post("/game/1/analyse/stop", headers=ORIGIN).status_code == 200
    one.join(20)
    assert not one.is_alive()
    assert 'data-goes-on="no"' in house.client.get("/game/1/mistakes/find").text
    assert house.client.get("/game/1/mistakes", follow_redirects=False).status_code == 303
    assert house.client.post("/game/1/analyse/stop").status_code == 403  # no origin


def test_several_games_wait_in_a_row(house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.hall.analyst._desk, "_most", 2)
    for _ in range(2):
        number = house.begin(seed=16)
        with house.sit(number) as socket:
            socket.receive_json()
            socket.send_json({"do": "concede"})
            socket.receive_json()
    slow = Slow(monkeypatch)
    begin(house)
    assert slow.began.wait(20)
    second = threading.Thread(target=house.client.post, args=("/game/2/analyse",),
                              kwargs={"headers": ORIGIN}, daemon=True)
    second.start()
    until(lambda: 'data-goes-on="yes"' in house.client.get("/game/2/mistakes/find").text)
    refused = house.client.post("/game/3/analyse", headers=ORIGIN)
    assert "Several games" in refused.json()["why"]
    slow.ends.set()
    second.join(30)
    assert house.client.get("/game/2/mistakes", follow_redirects=False).status_code == 200


def test_a_move_is_tried_again_from_its_position(house: Door) -> None:
    data = data_of(house.client.get("/game/1/again").text)
    assert data["tries"]
    game = house.games.load(1)
    for step in (data["tries"][0], data["tries"][-1]):
        found = house.client.get(f"/game/1/position/{step}").json()
        assert found["agent"] == "eva:2018"
        assert hsevo.Position(found["position"]) == game.before(step).position()
        begun = house.client.post("/position/play", json=found, headers=ORIGIN)
        assert begun.status_code == 200, begun.text
        again = house.games.load(begun.json()["number"])
        assert again.scene().sides[0].hand == game.before(step).scene().sides[0].hand
    others = {*range(len(game.history))} - {*data["tries"]}
    assert all(game.before(step).player == 1 for step in others)
    assert house.client.get("/game/1/position/100000").status_code == 400
    number = house.begin()
    assert house.client.get(f"/game/{number}/position/0").status_code == 400  # it goes on
    with house.sit(number) as socket:
        play_on(socket, socket.receive_json(), random.Random(1), most=1)
        socket.send_json({"do": "concede"})
        socket.receive_json()
    refused = house.client.get(f"/game/{number}/position/0")
    assert refused.status_code == 400  # the agent's hand stays hidden
    assert "tries" not in house.client.get(f"/game/{number}/again").text or not data_of(
        house.client.get(f"/game/{number}/again").text)["tries"]


def test_a_rematch_swaps_the_seats_and_keeps_the_decks(house: Door) -> None:
    first = []
    number = house.begin(deck="shaman", against="mage", seed=5)
    for _ in range(3):
        game = house.games.load(number)
        facts = house.games.of(number)
        assert (facts.deck, facts.against, facts.agent) == ("shaman", "mage", "eva:2018")
        first.append(game.beginning().events[0].player == facts.seat)
        refused = house.client.post(f"/game/{number}/rematch", headers=ORIGIN)
        assert "from the beginning" in refused.json()["why"]  # it goes on
        with house.sit(number) as socket:
            socket.receive_json()
            socket.send_json({"do": "concede"})
            socket.receive_json()
        answer = house.client.post(f"/game/{number}/rematch", headers=ORIGIN)
        assert answer.status_code == 200, answer.text
        number = answer.json()["number"]
    assert first == [True, False, True]
    assert house.another().post(f"/game/{number - 1}/rematch", headers=ORIGIN).status_code == 400
    assert house.client.post("/game/99/rematch", headers=ORIGIN).status_code == 400


def test_a_game_keeps_its_ruleset_on_a_server_of_another(tmp_path: Path) -> None:
    """Its page shows the cards of its ruleset, and a rematch is played by it."""
    put(tmp_path / "play")  # cig2018: Fiery War Axe costs 3
    with door(tmp_path / "play", ruleset="msg2017", agents=["eva:2018"]) as house:
        again = house.client.post("/game/1/rematch", headers=ORIGIN).json()["number"]
        assert house.games.load(again).setting.ruleset == "cig2018"
        other = house.begin()
        for number, cost in ((1, 3), (again, 3), (other, 2)):
            path = re.search('data-cards="([^"]*)"', house.client.get(f"/game/{number}").text)
            assert path
            cards = house.client.get(path[1]).json()
            assert {card["cost"] for card in cards.values()
                    if card["name"] == "Fiery War Axe"} == {cost}
        assert house.client.get("/game/99/cards.json").status_code == 400
