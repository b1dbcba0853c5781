"""Connections that ask for nothing: they end, and stop nobody else."""

from __future__ import annotations

import errno
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import hsevo
from hsevo.errors import ConfigError
from hsevo.web import entrance
from hsevo.web.entrance import Waiting, most_connections, quietly
from tests.support.play_load import begin, enter

NOTHING, HALF = b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
BODY = b"POST /login HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: 9\r\n\r\n12"
WHOLE = b"GET /static/play.css HTTP/1.1\r\nHost: HOST\r\n\r\n"


@contextmanager
def serving(folder: Path) -> Iterator[hsevo.Server]:
    with hsevo.serve(out=folder / "play", port=0, wait=False, browser=False,
                     tell=lambda _: None) as server:
        yield server


@contextmanager
def connected(port: int, said: bytes = NOTHING) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
        one.sendall(said.replace(b"HOST", f"127.0.0.1:{port}".encode()))
        yield one


def ended(one: socket.socket) -> bool:
    """Wait until the server ends a connection; return whether it said nothing before."""
    said = b""
    try:
        while more := one.recv(4096):
            said += more
    except ConnectionResetError:
        pass
    return not said


def test_a_connection_that_asks_for_nothing_ends(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(entrance, "DEADLINE", 0.3)
    with serving(tmp_path) as server:
        for said, silent in ((NOTHING, True), (HALF, True), (BODY, True), (WHOLE, False)):
            with connected(server.port, said) as one:
                assert ended(one) is silent, said
        with connected(server.port, WHOLE) as one:
            answer = one.recv(2**20)
            assert answer.startswith(b"HTTP/1.1 200")
            one.sendall(HALF)
            ended(one)
        root, opener, _ = enter(server.address)
        with opener.open(f"{root}/") as answer:
            assert answer.status == 200
    assert "Traceback" not in capfd.readouterr().err


def test_who_drips_gains_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "DEADLINE", 0.5)
    with serving(tmp_path) as server, connected(server.port, HALF) as one:
        began = time.monotonic()
        with suppress(OSError):  # reset, or a broken pipe
            while time.monotonic() - began < 5:
                one.sendall(b"x")
                time.sleep(0.05)
        assert time.monotonic() - began < 5


def test_a_page_stays_connected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A WebSocket has no deadline."""
    from websockets.sync.client import connect

    monkeypatch.setattr(entrance, "DEADLINE", 0.3)
    with serving(tmp_path) as server:
        root, opener, cookie = enter(server.address)
        number = begin(root, opener, "random", 3)
        with connect(f"{root.replace('http', 'ws')}/game/{number}/play", origin=root,
                     additional_headers={"Cookie": cookie}, max_size=None) as line:
            line.recv()
            time.sleep(1)
            line.send('{"do": "nothing"}')
            while "refused" not in str(line.recv()):
                pass


def test_many_that_wait_stop_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "most_connections", lambda: 40)
    with serving(tmp_path) as server, ExitStack() as stack:
        for _ in range(120):
            stack.enter_context(connected(server.port))
        root, opener, _ = enter(server.address)
        for _ in range(5):
            with opener.open(f"{root}/") as answer:
                assert answer.status == 200
        assert len(server._server.server_state.connections) <= 41


class Fake:
    """A connection."""

    class Loop:
        def call_later(self, seconds: float, *_: Any) -> Any:
            return self

        def cancel(self) -> None:
            pass

    def __init__(self, address: str, everyone: set[Any]) -> None:
        self.address, self.connections, self.ended = address, everyone, False
        self.loop, self.transport = self.Loop(), self
        everyone.add(self)

    def abort(self) -> None:
        self.ended = True
        self.connections.discard(self)


def test_the_address_with_the_most_loses_its_oldest() -> None:
    waiting, everyone = Waiting(10), set[Any]()

    def come(address: str) -> Any:
        one: Any = Fake(address, everyone)
        waiting.add(one)
        waiting.make_room(one)
        return one
    friends = [come("friend") for _ in range(3)]
    strangers = [come("stranger") for _ in range(30)]
    assert not any(one.ended for one in friends)
    assert [one.ended for one in strangers] == 25 * [True] + 5 * [False]
    others = [come(f"other {k}") for k in range(4)]  # with one more, friends are as many
    assert not any(one.ended for one in (*friends, *others))
    assert len(everyone) == len(waiting) == 10
    busy = next(iter(strangers[-1:]))
    waiting.remove(busy)  # it has asked
    for _ in range(30):
        come("stranger")
    assert not busy.ended
    assert len(everyone) == 10


@pytest.mark.parametrize(("files", "most"), [
    (320, 64), (1024, 768), (4096, 2048), (resource.RLIM_INFINITY, 2048), (319, None)])
def test_connections_leave_files_for_all_else(files: int, most: int | None,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    if most is None:
        with pytest.raises(ConfigError, match=r"open 319 files.*ulimit -n"):
            most_connections()
    else:
        assert most_connections() == most


def test_full_tables_are_a_line_a_minute() -> None:
    told: list[str] = []
    handle = quietly(told.append)

    class Loop:
        def default_exception_handler(self, context: Any) -> None:
            told.append("default")
    for _ in range(5000):
        handle(Loop(), {"exception": OSError(errno.EMFILE, "Too many open files")})  # type: ignore[arg-type]
    assert told == ["can't accept connections at the moment: Too many open files"]
    handle(Loop(), {"exception": OSError(errno.EPIPE, "Broken pipe")})  # type: ignore[arg-type]
    handle(Loop(), {"message": "something else"})  # type: ignore[arg-type]
    assert told[1:] == ["default", "default"]


@pytest.mark.slow
def test_a_server_with_few_files_survives_and_stops_at_once(tmp_path: Path) -> None:
    """400 files, 350 connections that wait, and an agent that thinks: Ctrl-C ends it all."""
    from websockets.sync.client import connect

    (tmp_path / "bot.py").write_text(
        "import time\n\n\ndef slow(view):\n    time.sleep(50)\n    return view.moves[0]\n")
    with subprocess.Popen(
            [sys.executable, "-m", "hsevo", "play", "py:bot.py#slow", "--no-browser", "--port=0"],
            stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400)),
            env=os.environ | {"HSEVO_NO_COLOR": "1", "COLUMNS": "200"}) as server:
        try:
            assert server.stderr
            said = ""
            while not (found := re.search(r"http://\S+token=\S+", said)):
                line = server.stderr.readline()
                assert line, said
                said += line
            address = found[0]
            port = int(address.split(":")[2].split("/")[0])
            with ExitStack() as stack:
                for _ in range(350):
                    stack.enter_context(connected(port))
                root, opener, cookie = enter(address)
                number = begin(root, opener, "py:bot.py#slow", 3)
                with connect(f"{root.replace('http', 'ws')}/game/{number}/play", origin=root,
                             additional_headers={"Cookie": cookie}, max_size=None) as line:
                    line.recv()
                    time.sleep(1)
                    server.send_signal(signal.SIGINT)
                    began = time.monotonic()
                    server.wait(20)
            assert time.monotonic() - began < 10
            said += server.stderr.read()
        finally:
            server.kill()
        assert "Traceback" not in said
        assert len(said) < 4000
