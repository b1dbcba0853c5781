"""What strangers can do to the server of hsevo play: not fill it, nor stop it, nor lock others out.

Some of it is asked over a socket, for clients mend what they send.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import hsevo
from hsevo.deckbuilding import tuning as deck_tuning
from hsevo.web import guard
from hsevo.web.guard import MOST_BODY, MOST_PATH, REQUESTS, Buckets, Guard, Keys, address_of
from hsevo.web.serving import Server
from tests.support.play_load import begin, enter
from tests.support.playing import HOST, ORIGIN, PORT, Door, door

PASSWORD = "correct horse"
TRIES = 10  # at once


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Door]:
    with door(tmp_path / "play", enter=False, password=PASSWORD) as found:
        yield found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with hsevo.serve(out=tmp_path / "play", port=0, wait=False, browser=False,
                     tell=lambda _: None) as found:
        yield found


def asked(server: Server, line: str, body: bytes = b"", **headers: str) -> socket.socket:
    """Send a request as it is; return the socket that has the answer."""
    host = f"127.0.0.1:{server.port}"
    said = {"Host": host, "Origin": f"http://{host}", "Content-Length": str(len(body))} | {
        name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in said.items() if value)
    line_to = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    line_to.sendall(f"{line} HTTP/1.1\r\n{head}\r\n".encode() + body)
    return line_to


def status(server: Server, line: str, body: bytes = b"", **headers: str) -> int:
    with asked(server, line, body, **headers) as answer:
        return int(answer.recv(4096).split()[1])


def cookie(server: Server) -> str:
    with asked(server, f"GET {server.address.partition(str(server.port))[2]}") as answer:
        said = answer.recv(4096).decode()
    return said.partition("set-cookie: ")[2].partition(";")[0]


def log_in(client: TestClient, password: str = PASSWORD) -> int:
    return client.post("/login", json={"password": password}, headers=ORIGIN).status_code


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# -- sizes ----------------------------------------------------------------------------------------


def test_a_size_is_read_whole(server: Server) -> None:
    """Nine digits are no limit where leading zeros are allowed."""
    large = b"{%s}" % (MOST_BODY * b" ")
    for size in (f"{len(large):017}", f"{len(large)}", f"1{0:017}", "9" * 20):
        assert status(server, "POST /login", large, Content_Length=size) == 413
    assert status(server, "POST /login", b"{}", Content_Length="002") == 413
    assert status(server, "POST /login", b"{}") == 401


def test_a_body_in_chunks_is_refused(server: Server) -> None:
    chunks = b"".join(b"1000\r\n%s\r\n" % (4096 * b" ") for _ in range(8)) + b"0\r\n\r\n"
    assert status(server, "POST /login", chunks, Content_Length="",
                  Transfer_Encoding="chunked") == 413


@pytest.mark.parametrize(("chunks", "answer"), [(4, 401), (5, 413), (10**9, 413)])
def test_bytes_are_counted_as_they_come(house: Door, chunks: int, answer: int) -> None:
    """Whatever the request said before."""
    scope = {"type": "http", "method": "POST", "path": "/login", "query_string": b"",
             "client": ("127.0.0.1", 1), "headers": [
                 (b"host", HOST.encode()), (b"origin", ORIGIN["origin"].encode()),
                 (b"content-length", b"5")]}
    asked, sent = 0, list[Any]()

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": MOST_BODY // 4 * b" ", "more_body": asked < chunks}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(house.app(scope, receive, send))
    assert sent[0]["status"] == answer
    assert asked == min(chunks, 5)


def test_long_paths_are_refused(server: Server) -> None:
    """Python refuses numbers of 5,000 digits."""
    known = cookie(server)
    assert status(server, "GET /", Cookie=known) == 200
    for page in ("game/{}", "game/{}/again", "match/{}", "nowhere/{}"):
        path = "/" + page.format("9" * 5000)
        assert status(server, f"GET {path}", Cookie=known) == 414
        assert status(server, f"GET {path}") == 414
        most = page.format("9" * (MOST_PATH - 1 - len(page.format(""))))
        assert status(server, f"GET /{most}", Cookie=known) == 404


# -- tokens and passwords -------------------------------------------------------------------------


def test_half_a_character_is_no_password(house: Door) -> None:
    answer = house.client.post("/login", content=b'{"password": "\\ud800"}', headers=ORIGIN)
    assert answer.status_code == 401
    assert house.keys.enter("\ud800", "somewhere") is None
    for token in ("%ed%a0%80", "%ff", "\N{PILE OF POO}"):
        answer = house.client.get(f"/enter?token={token}", follow_redirects=False)
        assert answer.status_code == 401
    house.client.cookies.set(f"hsevo-{PORT}", "\\355\\240\\200")
    assert house.client.get("/cards.json").status_code == 401


def test_passwords_cannot_be_guessed_fast(house: Door) -> None:
    guesses = [log_in(house.client, "guess") for _ in range(TRIES)]
    assert guesses == TRIES * [401]
    assert log_in(house.client) == 401  # even the true one has to wait now


def test_who_guesses_locks_nobody_else_out(house: Door) -> None:
    stranger, owner = house.from_address("192.0.2.7"), house.from_address("192.0.2.8")
    for _ in range(3 * TRIES):
        assert log_in(stranger, "guess") == 401
    assert log_in(stranger) == 401
    assert log_in(owner) == 200
    assert owner.get("/").status_code == 200


def test_the_token_opens_whatever_was_tried(house: Door) -> None:
    for _ in range(3 * TRIES):
        house.client.get("/enter?token=guess", follow_redirects=False)
    assert log_in(house.client) == 401
    house.enter()
    assert house.client.get("/").status_code == 200


# -- rates ----------------------------------------------------------------------------------------


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time go by for buckets."""
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: 0.0))


def test_strangers_do_not_use_up_what_a_game_needs(house: Door, stopped: None) -> None:
    house.enter()
    assert vars(house.app.strangers)["burst"] == REQUESTS[1]
    house.app.strangers = Buckets(1, 20)
    stranger = house.from_address("127.0.0.1")
    answers = [stranger.get("/static/colours.css").status_code for _ in range(25)]
    assert answers == 20 * [200] + 5 * [429]
    for _ in range(25):
        assert house.client.get("/cards.json").status_code == 200
    assert house.from_address("192.0.2.8").get("/").status_code == 200  # the login page


def test_a_cookie_has_a_rate_of_its_own() -> None:
    keys = Keys(PASSWORD)
    one, other = (keys.enter(PASSWORD, "here") for _ in range(2))
    assert one
    assert other
    first, second = keys.requests(one), keys.requests(other)
    assert first is keys.requests(one)
    assert first is not second
    assert keys.requests("made-up") is None
    guard = Guard(lambda *_: None, keys, PORT, ("127.0.0.1",))  # type: ignore[arg-type]

    def refusal(cookie: str) -> int:
        headers = [(b"host", HOST.encode()), (b"cookie", f"hsevo-{PORT}={cookie}".encode())]
        found = guard._refusal({"type": "http", "method": "GET", "path": "/", "headers": headers,
                                "client": ("127.0.0.1", 1)})
        return found[0] if found else 200

    first.rate = first._left = 0
    assert [refusal(cookie) for cookie in (one, other, "made-up")] == [429, 200, 401]


def test_few_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch, stopped: None) -> None:
    monkeypatch.setattr(guard, "MOST_ADDRESSES", 3)
    buckets = Buckets(1, 1)
    assert [buckets.take(name) for name in "aabca"] == [True, False, True, True, False]
    assert buckets.take("d")  # "b" asked longest ago
    assert len(buckets) == 3
    assert [buckets.take(name) for name in "cadb"] == [False, False, False, True]


@pytest.mark.parametrize(("one", "other", "same"), [
    ("127.0.0.1", "127.9.8.7", True), ("127.0.0.1", "::1", True),
    ("192.0.2.7", "192.0.2.8", False), ("192.0.2.7", "::ffff:192.0.2.7", True),
    ("2001:db8::1", "2001:db8::ffff:1:2:3", True), ("2001:db8::1", "2001:db8:0:1::1", False),
    ("fe80::1%eth0", "fe80::2", True), ("a name", "another", False)])
def test_one_client_has_one_address(one: str, other: str, same: bool) -> None:
    assert (address_of({"client": (one, 1)}) == address_of({"client": (other, 2)})) is same


def test_an_address_is_not_what_a_header_says(server: Server) -> None:
    """Else a program of this machine would have as many tries as it likes."""
    server.keys._password = PASSWORD
    body = json.dumps({"password": "guess"}).encode()
    for number in range(TRIES):
        status(server, "POST /login", body, X_Forwarded_For=f"192.0.2.{number}")
    body = json.dumps({"password": PASSWORD}).encode()
    assert status(server, "POST /login", body, X_Forwarded_For="192.0.2.99") == 401


# -- pages of games that stay open ----------------------------------------------------------------


def test_a_cookie_has_so_many_pages_of_games_at_once(
        server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """One browser can't use up the connections of all; a page that is closed makes room."""
    monkeypatch.setattr(guard, "MOST_SOCKETS", 3)
    root, opener, mine = enter(server.address)
    number = begin(root, opener, "random", 3)
    server.keys.renew()
    other = enter(server.address)[2]

    def page(who: str) -> Any:
        return connect(f"{root.replace('http', 'ws')}/game/{number}/play", origin=root,
                       additional_headers={"Cookie": who}, max_size=None)

    with ExitStack() as stack:
        first, *_ = [stack.enter_context(page(mine)) for _ in range(3)]
        with pytest.raises(InvalidStatus):
            page(mine)
        with page(other) as line:
            assert line.recv()
        with opener.open(f"{root}/") as answer:
            assert answer.status == 200
        first.close()

        def has_room() -> bool:
            with suppress(InvalidStatus), page(mine) as line:
                return bool(line.recv())
            return False
        until(has_room)


# -- searches that nobody waits for ---------------------------------------------------------------


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every search last half a minute, if it is not stopped; return what they do."""
    did = list[str]()

    def search(*_: Any, progress: Callable[[int, int], object], **__: Any) -> None:
        did.append("begun")
        try:
            for games in range(3000):
                progress(games, 3000)
                time.sleep(0.01)
        finally:
            did.append("over")

    monkeypatch.setattr(deck_tuning, "improve_deck", search)
    return did


def test_a_search_ends_with_its_page_and_with_the_server(
        server: Server, searches: list[str]) -> None:
    known, wish = cookie(server), json.dumps({"deck": "mage", "against": ["warrior"]}).encode()
    page = asked(server, "POST /swaps", wish, Cookie=known)
    until(lambda: searches == ["begun"])
    assert status(server, "POST /swaps", wish, Cookie=known) == 400
    page.close()
    until(lambda: searches == ["begun", "over"])
    with asked(server, "POST /swaps", wish, Cookie=known) as page:
        until(lambda: searches == ["begun", "over", "begun"])
        began = time.monotonic()
        server.close()
        assert time.monotonic() - began < 10
        said = b"".join(iter(lambda: page.recv(4096), b""))
    assert b"was stopped" in said
    until(lambda: searches == 2 * ["begun", "over"])


def test_the_next_search_waits_for_one_that_was_stopped(
        house: Door, searches: list[str]) -> None:
    improver, wish = house.hall.improver, {"deck": "mage", "against": ["warrior"]}

    async def search() -> list[str]:
        first = improver.begin(wish)
        while not searches:
            await asyncio.sleep(0.01)
        first.stop()
        never = improver.begin(wish)
        never.stop()
        last = improver.begin(wish)
        while len(searches) < 3:
            await asyncio.sleep(0.01)
        improver.stop()
        return [json.loads([line async for line in one][-1])["why"]
                for one in (first, never, last)]

    assert asyncio.run(search()) == 3 * ["The search for swaps was stopped."]
    assert searches == 2 * ["begun", "over"]  # one was stopped before it began
