"""The server of hsevo play in tests: a folder of games, a client that is let in, random games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from starlette.testclient import TestClient

import hsevo
from hsevo.replays.played import PlayedGames
from hsevo.web import talk
from hsevo.web.app import make_app
from hsevo.web.choices import Choices
from hsevo.web.guard import Keys
from hsevo.web.hall import GameHall
from hsevo.web.results import Results
from hsevo.web.shelf import Shelf

PORT = 8642
HOST = f"127.0.0.1:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}
WISH = {"deck": "mage", "against": "warrior", "agent": "eva:2018", "first": "me", "seed": 3}


class Door:
    """A server, and a client that may come in."""

    def __init__(self, games: PlayedGames, ruleset: str, password: str, watch: Sequence[str],
                 show: Sequence[Path], agents: Sequence[str] = ()) -> None:
        self.games, self.keys = games, Keys(password)
        choices = Choices(Shelf(games.path / "decks"), [*watch, *agents], ruleset=ruleset)
        self.hall = GameHall(games, choices, watch=watch, results=Results(show))
        self.app = make_app(self.hall, self.keys, PORT)
        self.client = self.from_address("127.0.0.1")

    def from_address(self, address: str) -> TestClient:
        """Return a client that has no cookie yet, and another address."""
        return TestClient(self.app, base_url=f"http://{HOST}", client=(address, 50_000))

    def enter(self, client: TestClient | None = None) -> None:
        client = client or self.client
        client.get("/")  # a token that was used is renewed for who stands at the door
        answer = client.get(f"/enter?token={self.keys.token}", follow_redirects=False)
        assert answer.status_code == 303

    def another(self) -> TestClient:
        """Return another browser that was let in."""
        client = self.from_address("127.0.0.1")
        client.portal = self.client.portal  # one server, and so one event loop
        self.enter(client)
        return client

    def begin(self, **changes: Any) -> int:
        answer = self.client.post("/games", json=WISH | changes, headers=ORIGIN)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["number"])

    def sit(self, number: int, client: TestClient | None = None) -> Any:
        """Open the WebSocket of a game."""
        return (client or self.client).websocket_connect(f"ws://{HOST}/game/{number}/play",
                                                         headers=ORIGIN)


@contextmanager
def quick(burst: float = 1e9) -> Iterator[None]:
    """Let pages send so many messages at once: tests make moves faster than people."""
    with patch.object(talk, "BURST", burst):
        yield


@contextmanager
def door(folder: Path, ruleset: str = "cig2018", enter: bool = True,
         password: str = "", watch: Sequence[str] = (),
         show: Sequence[Path] = (), agents: Sequence[str] = (),
         burst: float = 1e9) -> Iterator[Door]:
    """Open a server on a folder of games; at the end it is gone, as if it were killed.

    burst: messages that a page may send at once.
    """
    games = PlayedGames(folder)
    try:
        found = Door(games, ruleset, password, watch, show, agents)
        with found.client, quick(burst):
            if enter:
                found.enter()
            yield found
    finally:
        games.close()


def until_mine(socket: Any, frame: Any) -> Any:
    """Return the first frame in which the player is to move, or the game is over."""
    while not frame["moves"] and not frame["over"]:
        frame = socket.receive_json()
        assert frame["kind"] == "state", frame
    return frame


def play_on(socket: Any, frame: Any, chance: random.Random, most: int = 10_000) -> list[Any]:
    """Make random legal moves until the game is over, or `most` were made; return all frames."""
    frames = [frame]
    for _ in range(most):
        while not frame["moves"] and not frame["over"]:
            frame = socket.receive_json()
            assert frame["kind"] == "state", frame
            frames.append(frame)
        if frame["over"]:
            break
        move = chance.choice(frame["moves"])
        socket.send_json({"do": "move", "move": move["move"], "at": frame["at"]})
        frame = socket.receive_json()
        assert frame["kind"] == "state", frame
        frames.append(frame)
    return frames


@contextmanager
def serving(folder: Path, port: int = 0,
            ruleset: str = "cig2018") -> Iterator[tuple[GameHall, str]]:
    """Serve a folder of games at a port for real; yield its hall, and the address that opens it."""
    with hsevo.serve(out=folder, port=port, ruleset=ruleset, wait=False, browser=False,
                     tell=lambda _: None) as server:
        yield server.hall, server.address
