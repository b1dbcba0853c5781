"""Pages before the engine is ready: they wait, say how long, and nothing else is answered."""

from __future__ import annotations

import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.engine import jit
from hsevo.errors import HsevoError
from hsevo.experiments.compiling import CompileMeter
from hsevo.replays.participants import LINKS
from hsevo.web.starting import Engine
from tests.support.playing import HOST, ORIGIN, PORT, door, until_mine
from tests.support.slow_engine import TOTAL, SlowEngine, wait_for
from tests.unit.web.test_participants import DESIGN

PAGE, DATA = {"accept": "text/html,*/*"}, {"accept": "application/json"}
LINE = re.compile(r"Compiling the engine, once for this version: about \d+ s left")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowEngine]:
    engine = SlowEngine(monkeypatch)
    yield engine
    engine.finish()


@pytest.fixture
def client(slow: SlowEngine, tmp_path: Path) -> Iterator[TestClient]:
    """Return a client that was let in, while the engine is compiled."""
    from hsevo.web.app import make_app

    engine = Engine.of([], "fair", "cig2018")
    engine.start(lambda: None)
    slow.begun.wait(20)
    with door(tmp_path / "play") as house:
        house.hall.engine = engine
        app = make_app(house.hall, house.keys, PORT)
        client = TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50_000))
        client.engine = engine
        house.keys.renew()
        answer = client.get(f"/enter?token={house.keys.token}", follow_redirects=False)
        assert answer.status_code == 303
        yield client
        slow.finish()
        engine.wait()


def test_a_page_waits_and_says_how_long(client: TestClient, slow: SlowEngine) -> None:
    for path in ("/", "/game/1", "/build"):
        answer = client.get(path, headers=PAGE)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert LINE.search(answer.text)
        assert "<progress" in answer.text
    for sheet in re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text):
        assert client.get(sheet).status_code == 200


def test_data_are_refused_with_the_seconds_left(client: TestClient, slow: SlowEngine) -> None:
    first = client.get("/", headers=DATA)
    assert first.status_code == 503
    assert 0.8 * TOTAL < first.json()["seconds"] <= TOTAL
    assert 0 <= first.json()["share"] < 0.1
    slow.step(0.5)
    second = client.post("/games", json={}, headers=ORIGIN)
    assert second.status_code == 503
    assert 0.5 <= second.json()["share"] < 1
    assert LINE.fullmatch(second.json()["why"])
    with pytest.raises(WebSocketDisconnect) as caught, client.websocket_connect(
            f"ws://{HOST}/game/1/play", headers=ORIGIN) as socket:
        socket.receive_json()
    assert caught.value.code == 4503


def test_who_may_not_come_in_sees_nothing_of_it(client: TestClient) -> None:
    client.cookies.clear()
    assert client.get("/", headers=PAGE).status_code == 401


def test_then_the_pages_are_there(client: TestClient, slow: SlowEngine) -> None:
    assert client.get("/", headers=PAGE).status_code == 503
    slow.finish()
    client.engine.wait()
    answer = client.get("/", headers=PAGE)
    assert (answer.status_code, "Compiling" in answer.text) == (200, False)


def test_later_only_games_of_agents_that_search_wait(slow: SlowEngine, tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        easy, hard = house.begin(agent="random"), house.begin(agent="gsv")
        engine = house.hall.engine = Engine([], [slow])  # type: ignore[list-item]
        engine.start(lambda: None)
        assert slow.begun.wait(20)
        get = house.client.get
        assert get("/", headers=PAGE).status_code == 200
        assert get(f"/game/{easy}", headers=PAGE).status_code == 200
        answer = get(f"/game/{hard}", headers=PAGE)
        assert answer.status_code == 503
        assert LINE.search(answer.text)
        assert get(f"/game/{hard}", headers=DATA).json()["seconds"] > 0
        with house.sit(easy) as socket:
            until_mine(socket, socket.receive_json())
            socket.send_json({"do": "hint", "agent": "gsv"})
            while (told := socket.receive_json())["kind"] == "state":
                pass
            assert LINE.fullmatch(told["why"])
        slow.finish()
        wait_for(lambda: engine.complete)
        assert get(f"/game/{hard}", headers=PAGE).status_code == 200


class Visitor:
    """Somebody who opens a server's address."""

    def __init__(self, address: str) -> None:
        self.root = address.split("/enter")[0]
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()))
        self.first = self._get(address)

    def get(self, path: str = "/") -> tuple[int, str]:
        return self._get(self.root + path)

    def _get(self, address: str) -> tuple[int, str]:
        try:
            answer: HTTPResponse = self._opener.open(
                urllib.request.Request(address, headers=PAGE), timeout=20)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        return answer.status, answer.read().decode()


def serving(told: list[str], **fields: Any) -> tuple[threading.Thread, list[Any]]:
    """Serve in a thread, until the engine is ready; also return what comes of it."""
    come: list[Any] = []

    def serve() -> None:
        try:
            come.append(hsevo.serve(port=0, browser=False, wait=False, tell=told.append, **fields))
        except Exception as error:
            come.append(error)
    thread = threading.Thread(target=serve)
    thread.start()
    return thread, come


def address(told: list[str]) -> str:
    return next(line for line in told if "play at" in line).partition("play at: ")[2]


def test_a_server_answers_while_the_engine_is_compiled(slow: SlowEngine, tmp_path: Path) -> None:
    told: list[str] = []
    thread, come = serving(told, out=tmp_path / "play")
    assert slow.begun.wait(60)
    wait_for(lambda: any("play at" in line for line in told))
    visitor = Visitor(address(told))
    assert visitor.first[0] == 503
    assert LINE.search(visitor.first[1])
    assert come == []
    slow.finish()
    thread.join(60)
    server, = come
    with server:
        assert visitor.get()[0] == 200
    assert slow.loads == 1


def test_participants_of_a_study_wait_in_the_same_way(slow: SlowEngine, tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(DESIGN)
    (tmp_path / "consent.txt").write_text("You play.\n")
    told: list[str] = []
    thread, come = serving(told, participants=tmp_path / "lab.yaml", out=tmp_path / "lab")
    assert slow.begun.wait(60)
    wait_for(lambda: len(told) >= 2)
    link, _ = re.findall(r"http://\S+token=[\w-]+", (tmp_path / "lab" / LINKS).read_text())
    participant = Visitor(link)
    assert participant.first[0] == 503
    assert LINE.search(participant.first[1])
    slow.finish()
    thread.join(60)
    with come[0]:
        assert "You play." in participant.get()[1]


def test_an_engine_that_was_compiled_before_is_not_waited_for(
        slow: SlowEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.compiled = True
    monkeypatch.setattr(CompileMeter, "__enter__", None)  # nothing is shown
    told: list[str] = []
    thread, come = serving(told, out=tmp_path / "play")
    thread.join(60)
    with come[0]:
        assert Visitor(address(told)).first[0] == 200


@pytest.mark.parametrize("wait", [True, False])
def test_what_stops_compiling_stops_the_server(slow: SlowEngine, tmp_path: Path,
                                               wait: bool) -> None:
    slow.error = HsevoError("no memory is left")
    slow.finish()
    for _ in range(2):  # the folder is free again
        with pytest.raises(HsevoError, match="no memory is left"):
            hsevo.serve(out=tmp_path / "play", port=0, browser=False, wait=wait,
                        tell=lambda _: None)


@pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")
def test_pages_wait_only_for_what_plays_for_sure() -> None:
    """The pages of people begin without searches, but two agents that search are watched."""
    from hsevo.play.entry import enter, enter_rest

    def needed(*names: str, information: str = "fair") -> tuple[Any, Any]:
        engine = Engine.of([hsevo.Agent(name).record for name in names], information, "cig2018")
        return engine._first, engine._later
    first, rest = enter.build(late=False), enter_rest.build(late=False)
    assert needed() == needed("random", "eva:2018") == ([first], [rest])
    assert needed("eva:2018", "gsv") == needed(information="closed:uniform") == (
        [first, rest], [])


def test_another_process_that_compiles_leaves_the_time_open(
        client: TestClient, slow: SlowEngine) -> None:
    """Until the first step begins here, nothing is known."""
    from hsevo.engine.compiling import Estimate

    client.engine.estimate = Estimate()
    answer = client.get("/", headers=DATA).json()
    assert answer == {"why": "Compiling the engine, once for this version", "share": None,
                      "seconds": None}
    page = client.get("/", headers=PAGE)
    assert "<progress" in page.text
    assert "value=" not in page.text.partition("<progress")[2].partition(">")[0]
    assert int(page.headers["retry-after"]) > 0
