"""A study in the browser: participants are led, see nothing hidden, and all they do is written."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.errors import AgentError, ConfigError, DeckError, HsevoError
from hsevo.replays import participants
from hsevo.replays.played import PlayedGames
from hsevo.strength.scores import by_condition
from hsevo.web import guests
from hsevo.web import lab as lab_module
from hsevo.web.guests import make_app
from hsevo.web.lab import StudyHall, read_study
from tests.support.playing import HOST, ORIGIN, PORT, play_on, quick, until_mine
from tests.unit.web.test_hidden import looked_for

DESIGN = """
participants: [A1, B2]
order: latin
consent: consent.txt
seed: 5
blocks:
  - {condition: weak, opponent: random, called: Opponent X, deck: mage, against: warrior,
     first: me, hints: random, thinking: true}
  - {condition: strong, opponent: "eva:2018", deck: shaman, against: mage, first: me}
"""
ELSEWHERE = ["/build", "/position", "/exercises", "/match", "/match/1", "/game/1", "/game/2",
             "/game/1/again", "/game/1/mistakes", "/decks?words=reno", "/login", "/nowhere"]


class House:
    """A study's server, and a client for each code, as if each had a browser of its own."""

    def __init__(self, games: PlayedGames, source: Path) -> None:
        study = read_study(source)
        self.lab = StudyHall(games, study, study.choices(games.path))
        self.people, self.path = self.lab.people, games.path
        self.app = make_app(self.lab, PORT, ("127.0.0.1", "localhost"))

    def client(self, code: str = "") -> TestClient:
        """Return a client; with a code, one that opened its link."""
        found = TestClient(self.app, base_url=f"http://{HOST}")
        if code:
            token = self.people.all[code].token
            answer = found.get(f"/enter?token={token}", follow_redirects=False)
            assert answer.status_code == 303
        return found

    def rows(self, name: str) -> list[dict[str, str]]:
        with (self.path / name).open(newline="") as file:
            return [*csv.DictReader(file)]


@contextmanager
def house(folder: Path, design: str = DESIGN) -> Iterator[House]:
    """Open a study; at the end it is gone, as if its server were killed."""
    source = folder / "lab.yaml"
    source.write_text(design)
    (folder / "consent.txt").write_text("You play.\n\nNothing of you is <kept>.\n")
    games = PlayedGames(folder / "out")
    try:
        with quick():
            yield House(games, source)
    finally:
        games.close()


def ask(client: TestClient, path: str, **body: Any) -> int:
    return client.post(path, json=body, headers=ORIGIN).status_code


def begin(client: TestClient) -> None:
    assert ask(client, "/agree", agree=True) == 200
    assert ask(client, "/begin") == 200


def sit(client: TestClient, path: str = "/game/play", **headers: str) -> Any:
    return client.websocket_connect(f"ws://{HOST}{path}", headers=ORIGIN | headers)


def told(socket: Any, message: Any) -> Any:
    socket.send_json(message)
    return socket.receive_json()


# -- who may come in, and where to ----------------------------------------------------------------


def test_nobody_comes_in_without_a_link(tmp_path: Path) -> None:
    with house(tmp_path) as lab:
        client = lab.client()
        for path in ("/", "/game", "/cards.json", "/game/again", *ELSEWHERE):
            assert client.get(path).status_code == (404 if path == "/login" else 401), path
        assert client.get("/enter?token=made-up").status_code == 401
        assert ask(client, "/agree", agree=True) == ask(client, "/begin") == 401
        with pytest.raises(WebSocketDisconnect), sit(client):
            pass


def test_a_participant_goes_nowhere_else(tmp_path: Path) -> None:
    with house(tmp_path) as lab:
        client = lab.client("A1")
        begin(client)
        for path in ELSEWHERE:
            assert client.get(path).status_code == 404, path
        for path in ("/games", "/position/play", "/position/lines", "/deck", "/saved", "/swaps",
                     "/matches", "/game/1/analyse"):
            assert ask(client, path, agent="random") == 404, path
        for path in ("/game/1/play", "/game/2/play", "/exercise/1/0/play"):
            with pytest.raises(WebSocketDisconnect), sit(client, path):
                pass
        assert len(lab.lab.hall.games.facts) == 1


def test_requests_of_other_sites_are_refused(tmp_path: Path) -> None:
    with house(tmp_path) as lab:
        client = lab.client("A1")
        for headers in ({}, {"origin": "http://evil.example"}):
            assert client.post("/agree", json={"agree": True}, headers=headers).status_code == 403
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(
                    f"ws://{HOST}/game/play", headers=headers):
                pass
        assert client.get("/", headers={"host": "evil.example"}).status_code == 400
        assert not lab.people.all["A1"].agreed
        page = client.get("/")
        assert "unsafe" not in page.headers["content-security-policy"]


def test_a_game_needs_consent_and_comes_in_its_turn(tmp_path: Path) -> None:
    with house(tmp_path) as lab:
        client = lab.client("B2")
        assert "&lt;kept&gt;" in client.get("/").text
        assert ask(client, "/begin") == ask(client, "/agree", agree="yes") == 400
        with pytest.raises(WebSocketDisconnect), sit(client):
            pass
        assert client.get("/game", follow_redirects=False).headers["location"] == "/"
        begin(client)
        begin(client)  # as from a second tab: it is the same game
        assert [row["place"] for row in lab.rows("steps.csv")] == ["0", "1"]
        facts, = lab.lab.hall.games.facts
        assert facts.agent == "eva:2018"  # its first row of the square is the second block
        assert client.get("/game/again").status_code == 404  # not while it goes on
        assert ask(client, "/begin", game=7, agent="random", deck="mage") == 200
        assert len(lab.lab.hall.games.facts) == 1


# -- a whole study --------------------------------------------------------------------------------


def finish(client: TestClient, chance: random.Random) -> list[Any]:
    with sit(client) as socket:
        return play_on(socket, socket.receive_json(), chance)


def test_a_study_is_played_and_written_down(tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once, one of them over a killed server; what is sent holds nothing hidden."""
    monkeypatch.setattr(guests, "GAMES", 1)
    with house(tmp_path) as lab:
        one, other = lab.client("A1"), lab.client("B2")
        begin(one)
        begin(other)
        with sit(one) as a, sit(other) as b:
            first, second = until_mine(a, a.receive_json()), until_mine(b, b.receive_json())
            assert (first["facts"]["agent"], second["facts"]["agent"]) == ("Opponent X", "eva:2018")
            play_on(a, first, random.Random(1), most=2)
            assert len(lab.lab.hall.games.load(2).history) == 0  # nothing happened at the other's
        before = lab.rows("clicks.csv")
    with (tmp_path / "out" / "clicks.csv").open("ab") as file:
        file.write(b"A1,1,1,")  # as a killed server leaves it
    with house(tmp_path) as lab:
        assert lab.rows("clicks.csv") == before
        assert "Continue the game" in one_page(lab, "A1")
        client = lab.client("A1")
        frames = finish(client, random.Random(2))
        check_hidden(lab, 1, frames)
        assert "Look at the last game again" in client.get("/").text
        assert "Opponent X" in client.get("/game/again").text
        begin(client)
        with sit(client) as socket:
            frame = until_mine(socket, socket.receive_json())
            assert told(socket, {"do": "hint"})["kind"] == "refused"  # not in this block
            socket.send_json({"do": "concede"})
            assert socket.receive_json()["over"] == "conceded", frame
        page = client.get("/").text
        assert "Thank you" in page
        assert client.get("/game/again").status_code == 404  # this block does not show it
        assert ask(client, "/begin") == 400
        check_tables(lab)
    assert hsevo.replay(tmp_path / "out", part=None).verdict()[1]


def one_page(lab: House, code: str) -> str:
    return str(lab.client(code).get("/").text)


def check_hidden(lab: House, number: int, frames: list[Any]) -> None:
    """No frame holds a card that is hidden, or the seed."""
    assert looked_for(lab.lab.hall.games, number, frames) > 100


def check_tables(lab: House) -> None:
    """The tables say what was played, and the folder nothing of a browser."""
    rows = lab.rows("games.csv")
    facts = lab.lab.hall.games.facts
    assert [(row["code"], row["condition"], row["opponent"]) for row in rows] == [
        ("A1", "weak", "random"), ("A1", "strong", "eva:2018")]
    assert [row["result"] for row in rows] == [facts[0].result, "lost"]
    assert [row["conceded"] for row in rows] == ["0", "1"]
    assert all(row["begin"] < row["end"] and float(row["seconds"]) > 0 for row in rows)
    assert [int(row["seed"]) for row in rows] == [
        lab.lab.hall.games.load(int(row["game"])).seed for row in rows]
    moves = [row["action"] for row in lab.rows("clicks.csv")
             if row["what"] == "move" and row["game"] == "1"]
    game = lab.lab.hall.games.load(1)
    seat, again, mine = facts[0].seat, game.beginning(), []
    for move in game.history:
        if again.player == seat:
            mine.append(move.text)
        again.play(move)
    assert moves == mine
    assert [one.games for one in by_condition(lab.path)] == [1, 1]
    for path in lab.path.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"127.0.0.1" not in data, path
            assert b"testclient" not in data, path


def test_what_is_tried_and_looked_at_is_written(tmp_path: Path) -> None:
    with house(tmp_path) as lab:
        client = lab.client("A1")
        begin(client)
        with sit(client) as socket:
            frame = until_mine(socket, socket.receive_json())
            name = frame["view"]["me"]["hand"][0]["name"]
            socket.send_json({"do": "note", "what": "look", "at": ["me", "hand", 0]})
            told(socket, {"do": "why", "from": ["foe", "hero", 0], "to": None})
            hint = told(socket, {"do": "hint", "agent": "eva:2018"})
            assert hint["agent"] == "the adviser"  # and no other agent can be asked
            for bad in ({"do": "note", "what": "fly"}, {"do": "step", "at": 0}, {"do": "answer"},
                        {"do": "note", "what": "look", "at": ["me", "deck", 0]},
                        {"do": "move", "move": 99_999, "at": 0}):
                assert told(socket, bad)["kind"] == "refused"
        rows = lab.rows("clicks.csv")
        assert [row["what"] for row in rows] == ["look", "illegal", "hint", "refused"]
        assert rows[0]["action"] == name
        assert "Choose one of your cards" in rows[1]["action"]
        assert rows[2]["action"] == hint["text"]
        times = [int(row["ms"]) for row in rows]
        assert times == sorted(times)
        assert 0 <= times[0] <= times[-1] < 600_000


def test_a_message_cannot_move_for_another(tmp_path: Path) -> None:
    """Whatever game or code a page names, only its own is moved."""
    with house(tmp_path) as lab:
        one, other = lab.client("A1"), lab.client("B2")
        begin(one)
        begin(other)
        with sit(one) as socket:
            frame = until_mine(socket, socket.receive_json())
            move = next(one for one in frame["moves"] if one["kind"] == "end turn")
            socket.send_json({"do": "move", "move": move["move"], "at": 0, "game": 2,
                              "number": 2, "code": "B2"})
            assert socket.receive_json()["at"] == 1
        assert not lab.lab.hall.games.load(2).history
        assert {row["code"] for row in lab.rows("clicks.csv")} == {"A1"}


# -- designs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "problem", "error"), [
    (("order: latin", "order: latn"), "did you mean 'latin'", ConfigError),
    (("seed: 5", "sed: 5"), "did you mean 'seed'", ConfigError),
    (("[A1, B2]", "[A1, A1]"), "each once", ConfigError),
    (("[A1, B2]", "0"), "participants is 0", ConfigError),
    (("[A1, B2]", "[A1, 'Jane Doe']"), "don't use names of people", ConfigError),
    (("condition: strong", "condition: weak"), "given twice", ConfigError),
    (("consent.txt", "agreed.txt"), "agreed.txt", ConfigError),
    (('"eva:2018"', '"eva:2081"'), "eva:2018", AgentError),
    (("deck: shaman", "deck: shamann"), "shaman", DeckError)])
def test_a_wrong_design_is_refused_in_one_line(
        tmp_path: Path, change: tuple[str, str], problem: str, error: type[HsevoError]) -> None:
    source = tmp_path / "lab.yaml"
    source.write_text(DESIGN.replace(*change))
    (tmp_path / "consent.txt").write_text("You play.")
    with pytest.raises(error, match=r".") as raised:
        hsevo.serve(participants=source, out=tmp_path / "out", wait=False, browser=False, port=0)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_another_design_does_not_go_on_in_a_folder(tmp_path: Path) -> None:
    with house(tmp_path):
        pass
    with pytest.raises(ConfigError, match="another design"), house(
            tmp_path, DESIGN.replace("seed: 5", "seed: 6")):
        pass


def test_a_server_hands_out_links_that_stay(tmp_path: Path) -> None:
    with house(tmp_path):
        pass
    found = []
    for _ in range(2):
        with hsevo.serve(participants=tmp_path / "lab.yaml", out=tmp_path / "out", wait=False,
                         browser=False, port=0, tell=lambda _: None) as server:
            found.append({code: link.partition("token=")[2]
                          for code, link in server.links.items()})
            rows = participants.read(tmp_path / "out" / "links.csv")
            assert {row["code"]: row["link"] for row in rows} == server.links
    assert found[0] == found[1]
    assert [*found[0]] == ["A1", "B2"]
    with pytest.raises(ConfigError, match="decks can't be given with participants"):
        hsevo.serve(decks="mage", participants=tmp_path / "lab.yaml", wait=False)


@pytest.mark.parametrize(("held", "left"), [
    (b"code,step\nA1,1\nA1,2\n", b"code,step\nA1,1\nA1,2\n"),
    (b"code,step\nA1,1\nA1", b"code,step\nA1,1\n"),
    (b"code,step\n" + b"A1,1\n" * 40_000 + b"B", b"code,step\n" + b"A1,1\n" * 40_000),
])
def test_only_the_half_line_of_a_killed_server_is_cut(held: bytes, left: bytes,
                                                      tmp_path: Path) -> None:
    """Of any table, also one that is longer than what is read of its end."""
    path = tmp_path / "clicks.csv"
    path.write_bytes(held)
    participants._mend(path, ("code", "step"))
    assert path.read_bytes() == left


def test_tables_with_tokens_are_for_their_owner_alone(tmp_path: Path) -> None:
    participants._write_private(tmp_path / "codes.csv", [("code", "token"), ("A1", "secret")])
    assert (tmp_path / "codes.csv").stat().st_mode & 0o077 == 0
    assert (tmp_path / "codes.csv").read_text() == "code,token\nA1,secret\n"


def test_a_page_that_is_opened_again_may_not_tell_more(tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page tells of itself is limited for each participant, in whatever tabs."""
    monkeypatch.setattr(lab_module, "MOST_NOTES", 3)
    with house(tmp_path) as lab:
        client = lab.client("A1")
        begin(client)
        for _ in range(2):
            with sit(client) as socket:
                socket.receive_json()
                for _ in range(4):
                    socket.send_json({"do": "note", "what": "look", "at": ["me", "hand", 0]})
                told(socket, {"do": "note", "what": "fly"})  # answered after those before it
        assert len([row for row in lab.rows("clicks.csv") if row["what"] == "look"]) == 3
