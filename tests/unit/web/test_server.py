"""The server of hsevo play: games go on, and what is hostile is refused with nothing changed.

HSEVO_WEB_GAMES=50 plays fifty whole games, of all nine classes.
"""

from __future__ import annotations

import json
import os
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.agents.registry import ROSTER
from hsevo.errors import RunError
from hsevo.play.session import Session
from hsevo.replays import played
from hsevo.texts import texts
from hsevo.web import efforts, frames, mistakes
from hsevo.web.choices import Choices
from hsevo.web.guard import MOST_BODY
from hsevo.web.shelf import Shelf
from hsevo.web.talk import BURST, MOST_MESSAGE
from tests.support.playing import HOST, ORIGIN, PORT, Door, door, play_on, until_mine

GAMES = int(os.environ.get("HSEVO_WEB_GAMES", "1"))
CLASSES = ("mage", "warrior", "shaman", "druid", "hunter", "paladin", "priest", "rogue", "warlock")
NAMED = {name: name for name in CLASSES[:3]}
AGENTS = ("eva:2018", "rl:2026", "random", "gsv")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with door(tmp_path_factory.mktemp("house") / "play") as found:
        yield found


def stored(house: Door, number: int) -> bytes:
    return (house.games.path / "games" / f"{number:04}.json").read_bytes()


# -- who may come in ------------------------------------------------------------------------------


def test_the_token_opens_once_and_a_new_one_is_told(tmp_path: Path) -> None:
    with door(tmp_path / "play", enter=False) as house:
        told: list[str] = []
        house.keys._told = told.append
        token = house.keys.token
        assert house.client.get("/").status_code == 401
        assert told == []  # the first one still stands in the terminal
        assert house.client.get("/enter?token=wrong", follow_redirects=False).status_code == 401
        house.enter()
        assert house.client.get("/").status_code == 200
        house.client.cookies.clear()
        answer = house.client.get(f"/enter?token={token}", follow_redirects=False)
        assert answer.status_code == 401
        assert house.client.get("/").status_code == 401
        assert told == [house.keys.token]
        assert told[0] != token


@pytest.mark.parametrize("path", ["/", "/game/1", "/cards.json", "/game/1/cards.json",
                                  "/decks?words=reno", "/build",
                                  "/match", "/match/1", "/static/game.js", "/nowhere"])
def test_nothing_is_shown_without_a_cookie(tmp_path: Path, path: str) -> None:
    with door(tmp_path / "play", enter=False) as house:
        assert house.client.get(path).status_code == 401
        house.client.cookies.set(f"hsevo-{PORT}", "made-up")
        assert house.client.get(path).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1",
                                  f"127.0.0.1.evil.example:{PORT}", ""])
def test_another_host_is_refused(house: Door, host: str) -> None:
    assert house.client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://{HOST}",
                                    "http://127.0.0.1:1", None])
def test_another_origin_is_refused(house: Door, origin: str | None) -> None:
    before = len(house.games.facts)
    headers = {} if origin is None else {"origin": origin}
    for path in ("/games", "/deck", "/login"):
        assert house.client.post(path, json={}, headers=headers).status_code == 403
    number = house.begin()
    assert len(house.games.facts) == before + 1
    with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(
            f"ws://{HOST}/game/{number}/play", headers=headers):
        pass


def test_a_socket_without_a_cookie_is_refused(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number = house.begin()
        house.client.cookies.clear()
        with pytest.raises(WebSocketDisconnect), house.sit(number):
            pass


def test_every_answer_has_a_policy_without_inline_code(house: Door) -> None:
    number = house.begin()
    for path in ("/", f"/game/{number}", "/login", "/nowhere", "/static/game.js", "/build",
                 "/match", "/exercises", "/position"):
        answer = house.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert answer.headers["x-content-type-options"] == "nosniff"
        if "html" in answer.headers["content-type"]:
            assert "style=" not in answer.text
            assert "<script>" not in answer.text
            assert "onclick" not in answer.text


@pytest.mark.parametrize("name", ["../guard.py", "%2e%2e%2fguard.py", "..%2f..%2fpyproject.toml",
                                  "/etc/passwd", "%2fetc%2fpasswd", "game.js%00", "game.html.j2"])
def test_no_path_is_read_for_a_request(house: Door, name: str) -> None:
    assert house.client.get(f"/static/{name}").status_code == 404
    for words in ({"deck": name}, {"deck": f"decks/{name}"}, {"deck": "decks/mage.txt"}):
        assert house.client.post("/deck", json=words, headers=ORIGIN).status_code == 400


@pytest.mark.parametrize("wish", [
    {"deck": "/etc/passwd"}, {"deck": "decks/mage.txt"}, {"deck": None}, {"deck": 5},
    {"deck": "AAECAf0E"}, {"deck": "x" * 5000}, {"against": ["mage"]}, {"agent": "eva:/etc/passwd"},
    {"agent": "py:bot.py#decide"}, {"agent": None}, {"first": "both"}, {"first": []},
    {"seed": -1}, {"seed": 2**64}, {"seed": "1"}, {"seed": True}, {"seed": 1.5}])
def test_what_is_no_game_is_refused(house: Door, wish: Any) -> None:
    before = len(house.games.facts)
    answer = house.client.post("/games", json={
        "deck": "mage", "against": "warrior", "agent": "eva:2018", "first": "any", **wish},
        headers=ORIGIN)
    assert answer.status_code == 400
    assert answer.json()["why"]
    assert len(house.games.facts) == before


def test_large_and_malformed_requests_are_refused(house: Door) -> None:
    large = house.client.post("/games", content=b"x" * (MOST_BODY + 1), headers=ORIGIN)
    assert large.status_code == 413
    chunks = house.client.post("/games", content=iter([b"x"]), headers=ORIGIN)
    assert chunks.status_code == 413
    for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 5000):
        assert house.client.post("/games", content=body, headers=ORIGIN).status_code == 400
    assert house.client.get("/game/99999").status_code == 404
    assert house.client.get("/game/-1").status_code == 404
    assert house.client.get("/game/1e3").status_code == 404


# -- playing --------------------------------------------------------------------------------------


BAD = ["", "{", "[]", "5", "null", '{"do": "eat"}', '{"do": ["move"]}', '{"do": "move"}',
       '{"do": "move", "move": "0", "at": 0}', '{"do": "move", "move": 0}',
       '{"do": "move", "move": true, "at": 0}', '{"do": "move", "move": 1e99, "at": 0}',
       '{"do": "move", "move": 99999, "at": 0}', '{"do": "move", "move": -1, "at": 0}',
       '{"do": "move", "move": 0, "at": 7}', '{"do": "hint"}', '{"do": "hint", "agent": "x"}',
       '{"do": "hint", "agent": "eva:/etc/passwd"}', '{"do": "why", "from": 3}',
       '{"do": "why", "from": ["me", "hand", 99]}', '{"do": "why", "from": ["me", "deck", 0]}',
       '{"do": "why", "from": ["me", "hand", true]}', "[" * 900]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_legal_move_is_refused_with_nothing_changed(house: Door, text: str) -> None:
    number = house.begin()
    with house.sit(number) as socket:
        frame = until_mine(socket, socket.receive_json())
        assert frame["at"] == 0
        before = stored(house, number)
        socket.send_text(text)
        answer = socket.receive_json()
        assert answer["kind"] == "refused"
        assert answer["why"]
        assert stored(house, number) == before
        end = next(move for move in frame["moves"] if move["kind"] == "end turn")
        socket.send_json({"do": "move", "move": end["move"], "at": 0})
        assert socket.receive_json()["at"] == 1


@pytest.mark.parametrize("message", ["x" * (MOST_MESSAGE + 1), b"bytes"])
def test_large_messages_and_bytes_end_the_line(house: Door, message: Any) -> None:
    number = house.begin()
    with house.sit(number) as socket:
        socket.receive_json()
        socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_too_many_messages_are_refused(tmp_path: Path) -> None:
    with door(tmp_path / "play", burst=BURST) as house, house.sit(house.begin()) as socket:
        socket.receive_json()
        for _ in range(200):
            socket.send_json({"do": "why", "from": None})
        answers = [socket.receive_json()["why"] for _ in range(200)]
        assert sum("Slower" in why for why in answers) > 50


def test_a_move_out_of_turn_is_refused(house: Door) -> None:
    with house.sit(house.begin(agent="gsv", first="agent")) as socket:
        frame = socket.receive_json()
        assert frame["moves"] == []
        socket.send_json({"do": "move", "move": 0, "at": 0})
        answers = [socket.receive_json() for _ in range(2)]
        assert "refused" in [answer["kind"] for answer in answers]


def test_who_begins_is_as_wished(house: Door) -> None:
    for first, at in (("me", "you go first"), ("agent", "eva:2018 goes first")):
        with house.sit(house.begin(first=first, seed=None)) as socket:
            assert socket.receive_json()["past"][0]["text"] == at


@pytest.mark.parametrize("k", range(GAMES))
def test_a_whole_game_is_what_the_engine_plays(tmp_path: Path, k: int) -> None:
    """Random legal clicks; the agents take turns. In msg2017 there is a mulligan."""
    mine, theirs = (CLASSES[one % 9] for one in (k, 4 * k + 1))
    decks = {"deck": NAMED.get(mine, f"classic-{mine}"), "agent": AGENTS[k % len(AGENTS)],
             "against": NAMED.get(theirs, f"classic-{theirs}")}
    with door(tmp_path / "play", "msg2017" if k % 5 == 4 else "cig2018") as house:
        number = house.begin(**decks, seed=11 + k, first=("me", "agent")[k % 2])
        with house.sit(number) as socket:
            frames = play_on(socket, socket.receive_json(), random.Random(k))
        _same(house, number, frames)


def _same(house: Door, number: int, frames: list[Any]) -> None:
    """The frames are the server's game, move by move, and nothing is wrong with it."""
    assert [frame["at"] for frame in frames] == list(range(len(frames)))
    game = house.games.load(number)
    assert game.over
    seat = house.games.of(number).seat
    again = game.beginning()
    for frame in frames:
        assert frame["view"] == json.loads(json.dumps(again.view(seat)))
        mine = again.player == seat and not again.over
        assert [move["move"] for move in frame["moves"]] == (
            [move.index for move in again.moves] if mine else [])
        if not again.over:
            again.play(game.history[len(again.history)])
    facts = house.games.of(number)
    assert facts.result == frames[-1]["over"]
    assert hsevo.replay(house.games.path, part=None).verdict()[1]


def test_two_agents_are_watched_move_by_move(tmp_path: Path) -> None:
    """The game is that of the two agents; nobody else moves, and it waits for who looks."""
    pair = ("random", "eva:2018")
    with door(tmp_path / "watch", watch=pair) as house:
        page = house.client.get("/").text
        assert "Watch random against eva:2018" in page
        number = house.begin(seed=9)
        seat = house.games.of(number).seat
        assert 'data-watched="random"' in house.client.get(f"/game/{number}").text
        with house.sit(number) as socket:
            frame = socket.receive_json()
            for said in ({"do": "move", "move": 0, "at": 0}, {"do": "concede"},
                         {"do": "hint", "agent": "eva:2018"}):
                socket.send_json(said)
                assert socket.receive_json()["kind"] == "refused"
            while not frame["over"]:
                assert frame["moves"] == []
                assert frame["view"]["player"] == seat
                for at in (7 if frame["at"] == 0 else None, frame["at"]):  # 7 is not yet there
                    if at is not None:
                        socket.send_json({"do": "step", "at": at})
                time.sleep(0.04)  # a page has a rate
                frame = socket.receive_json()
        game = house.games.load(number)
        assert [player.name for player in game.players] == [*pair[::1 if seat == 0 else -1]]
        again = game.beginning()
        again.run()
        assert again.history == game.history
        assert house.games.of(number).result == frame["over"]


def test_a_game_that_a_human_plays_cannot_be_stepped(house: Door) -> None:
    number = house.begin(seed=14)
    with house.sit(number) as socket:
        socket.receive_json()
        socket.send_json({"do": "step", "at": 0})
        assert "You are playing this game" in socket.receive_json()["why"]


def test_a_reload_in_mid_game_shows_the_same(house: Door) -> None:
    number = house.begin(seed=12)
    with house.sit(number) as socket:
        frames = play_on(socket, socket.receive_json(), random.Random(2), most=6)
        last = until_mine(socket, frames[-1])
    with house.sit(number) as socket:
        again = socket.receive_json()
    assert {name: again[name] for name in ("at", "view", "moves", "over")} == {
        name: last[name] for name in ("at", "view", "moves", "over")}
    told = [one["text"] for one in frames[0]["past"]]
    told += [line for frame in frames for line in frame["log"]]
    assert [one["text"] for one in again["past"]][:len(told)] == told


def test_two_tabs_see_one_game(house: Door) -> None:
    number = house.begin(seed=13)
    with house.sit(number) as one, house.sit(number) as other:
        first = until_mine(one, one.receive_json())
        same = until_mine(other, other.receive_json())
        assert first["view"] == same["view"]
        end = next(move for move in first["moves"] if move["kind"] == "end turn")
        one.send_json({"do": "move", "move": end["move"], "at": first["at"]})
        mine = until_mine(one, one.receive_json())
        theirs = until_mine(other, other.receive_json())
        assert mine["view"] == theirs["view"]
        other.send_json({"do": "move", "move": end["move"], "at": same["at"]})  # an old frame
        answer = other.receive_json()
        assert "another window" in answer["why"]
        assert len(house.games.load(number).history) == mine["at"]


def test_a_killed_server_goes_on(tmp_path: Path) -> None:
    """Also in the agent's turn: the new server lets it move."""
    with door(tmp_path / "play") as house:
        number = house.begin(seed=14)
        with house.sit(number) as socket:
            play_on(socket, socket.receive_json(), random.Random(3), most=4)
    game = played.load(tmp_path / "play", number)
    with door(tmp_path / "play") as house:
        assert house.games.of(number).result == "open"
        with house.sit(number) as socket:
            frame = socket.receive_json()
            assert frame["at"] == len(game.history)
            seat = frame["view"]["player"]
            assert frame["view"] == json.loads(json.dumps(game.view(seat)))
            frames = play_on(socket, frame, random.Random(4))
        assert frames[-1]["over"] in ("won", "lost", "drawn")
        assert house.client.get(f"/game/{number}/again").status_code == 200


def test_the_folder_is_of_one_server(tmp_path: Path) -> None:
    with door(tmp_path / "play"), pytest.raises(RunError, match="in use"):
        played.PlayedGames(tmp_path / "play")


def test_giving_up_ends_a_game(house: Door) -> None:
    number = house.begin(seed=15)
    with house.sit(number) as socket:
        frame = until_mine(socket, socket.receive_json())
        assert house.client.get(f"/game/{number}/again").status_code == 409
        socket.send_json({"do": "concede"})
        end = socket.receive_json()
        assert (end["over"], end["moves"]) == ("conceded", [])
        for message in ({"do": "concede"}, {"do": "move", "move": 0, "at": frame["at"]}):
            socket.send_json(message)
            assert socket.receive_json()["why"] == "The game is over."
    assert house.games.of(number).result == "lost"
    page = house.client.get(f"/game/{number}/again")
    assert page.status_code == 200
    assert "hidden card" in page.text  # what the agent held stays hidden
    assert "'sha256-" in page.headers["content-security-policy"]


def test_mistakes_are_found_in_a_game_that_is_over(house: Door,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "GAMES", 2)
    number = house.begin(seed=16)
    path = f"/game/{number}/analyse"
    with house.sit(number) as socket:
        play_on(socket, socket.receive_json(), random.Random(2), most=3)
        assert "The game is not over" in house.client.post(path, headers=ORIGIN).json()["why"]
        socket.send_json({"do": "concede"})
        while not socket.receive_json()["over"]:
            pass
    assert house.client.get(f"/game/{number}/mistakes", follow_redirects=False).status_code == 303
    *told, last = [json.loads(line) for line in
                   house.client.post(path, headers=ORIGIN).text.splitlines()]
    assert all(0 <= line["games"] <= line["of"] for line in told)
    assert last == {"to": f"/game/{number}/mistakes"}
    page = house.client.get(last["to"])
    assert "from 2 games each" in page.text
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    other = house.another()  # to whom the game is not one's own
    theirs = other.get(last["to"]).text
    for own, text in ((True, page.text), (False, theirs),
                      (True, house.client.get(f"/game/{number}/again").text),
                      (False, other.get(f"/game/{number}/again").text)):
        assert ('aria-label="your minions"' in text) is own
    assert "/exercises" not in theirs
    assert house.client.post("/game/999/analyse", headers=ORIGIN).status_code == 400
    assert house.client.post(path).status_code == 403  # no origin


def test_a_hint_is_what_the_agent_would_do(house: Door) -> None:
    number = house.begin(seed=16)
    with house.sit(number) as socket:
        frame = until_mine(socket, play_on(socket, socket.receive_json(), random.Random(5),
                                           most=3)[-1])
        socket.send_json({"do": "hint", "agent": "gsv"})
        hint = socket.receive_json()
        assert hint["kind"] == "hint"
        game = hsevo.Game.load(house.games.load(number).save())
        assert hint["move"] == game.ask("gsv").index
        assert {one["move"] for one in hint["options"]} == {one["move"] for one in frame["moves"]}
        assert hint["options"][0]["move"] == hint["move"]
        assert any(re.fullmatch(r"[+-]\d+\.\d\d", one["worth"]) for one in hint["options"])
        assert not any(re.search(r"\.\d\d\d", one["worth"]) for one in hint["options"])
    assert house.games.load(number).history == game.history


def test_who_waits_for_a_hint_can_do_all_else_and_go(house: Door,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while an agent thinks long in each of its threads. A hint that nobody saw is none."""
    ends, started = threading.Event(), threading.Semaphore(0)

    def advice(*_: Any) -> Any:
        started.release()
        ends.wait(20)
        return {"kind": "hint"}
    monkeypatch.setattr(frames, "advice", advice)
    monkeypatch.setattr(house.hall._threads.agents, "_places", {True: 1, False: 1})
    monkeypatch.setattr(Session, "step", lambda self: started.release() or ends.wait(20))
    slow, number = house.begin(first="agent"), house.begin(seed=16)
    with house.sit(slow) as thinks, house.sit(number) as socket:
        thinks.receive_json()
        frame = until_mine(socket, socket.receive_json())
        socket.send_json({"do": "hint", "agent": "gsv"})
        for _ in range(2):
            assert started.acquire(timeout=10)
        socket.send_json({"do": "hint", "agent": "gsv"})
        assert "a hint is on its way" in socket.receive_json()["why"]
        socket.send_json({"do": "why", "from": ["foe", "hero", 0], "to": None})
        assert socket.receive_json()["kind"] == "refused"
        socket.send_json({"do": "move", "move": frame["moves"][0]["move"], "at": frame["at"]})
        assert socket.receive_json()["at"] == frame["at"] + 1
    table = house.client.portal.call(house.hall.table, number)
    gone = time.monotonic() + 10
    while table.chair.is_taken:  # a page that goes does not wait for its hint
        assert time.monotonic() < gone
        time.sleep(0.01)
    assert not house.games.of(number).hinted
    monkeypatch.undo()
    ends.set()


def test_a_file_of_the_pages_is_sent_once(house: Door) -> None:
    for name in ("board.js", "texts.js", "colours.css"):
        first = house.client.get(f"/static/{name}")
        again = house.client.get(f"/static/{name}", headers={
            "if-none-match": first.headers["etag"]})
        assert (first.status_code, again.status_code) == (200, 304)
        assert (len(first.content) > 100, again.content) == (True, b"")
        other = house.client.get(f"/static/{name}", headers={"if-none-match": '"0"'})
        assert other.content == first.content


@pytest.mark.parametrize(("spec", "most"), [
    ("eva:2018", 0), ("random", 0), ("gsv", 100_000), ("rl:2026?search=turn", 300),
    ("eva:turn:2018?nodes=50", 50), ("eva:reply?hands=1000", 1_000 * 1_000 * 12),
    ("mcts:vanilla?rollouts=10", 60 * 10 * 50),
    ("mcts:vanilla?iterations=4000", 4000 * 20 * 50),
    ("mcts:vanilla?iterations=4000&seconds=5", 0),
    ("rl:2026?search=tree&iterations=1000000", 50_000_000), ("py:bot.py#last", 0)])
def test_what_an_agent_may_simulate_is_known(spec: str, most: int) -> None:
    assert efforts.actions(spec) == most


def test_all_agents_that_have_names_are_said_plainly_and_give_hints() -> None:
    assert {f"agents.{name.replace(':', '-')}" for name in ROSTER} <= {*texts()}
    assert max(map(efforts.actions, ROSTER)) <= efforts.MOST


def test_agents_that_refuse_cards_of_the_ruleset_are_offered_last(tmp_path: Path) -> None:
    names = [*Choices(Shelf(tmp_path), ruleset="rise2019").agents]
    assert names[-2:] == ["rl:2026", "rl:ppo-2026"] or names[-2:] == ["rl:ppo-2026", "rl:2026"]
    offered = Choices(Shelf(tmp_path), ruleset="msg2017").agents
    assert [*offered].index("rl:2026") < [*offered].index("eva:2018")
    assert "refuses" not in offered["rl:2026"].says


def test_a_hint_that_could_not_be_stopped_is_refused(tmp_path: Path) -> None:
    """At once, in one line, and the game goes on."""
    slow = "rl:2026?search=tree&iterations=1000000"
    with door(tmp_path / "play", agents=[slow]) as house:
        number = house.begin(agent="random")
        with house.sit(number) as socket:
            frame = until_mine(socket, socket.receive_json())
            socket.send_json({"do": "hint", "agent": slow})
            said = socket.receive_json()
            assert said["kind"] == "refused"
            assert "may simulate 50,000,000 actions" in said["why"]
            socket.send_json({"do": "move", "move": frame["moves"][0]["move"], "at": frame["at"]})
            assert socket.receive_json()["kind"] == "state"
        assert not house.games.of(number).hinted


def test_no_page_can_be_framed(house: Door) -> None:
    """Pages with a policy of their own say so as well, in the header, where it counts."""
    number = house.begin()
    with house.sit(number) as socket:
        until_mine(socket, socket.receive_json())
        socket.send_json({"do": "concede"})
        assert socket.receive_json()["over"] == "conceded"
    for path in ("/", f"/game/{number}", f"/game/{number}/again", "/login", "/static/play.js"):
        policy = house.client.get(path).headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy, path
    page = house.client.get(f"/game/{number}/again")
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    assert "frame-ancestors" not in page.text  # a browser ignores it there, and complains


def test_the_first_page_offers_decks_and_agents(house: Door) -> None:
    page = house.client.get("/").text
    for word in ("rl:2026", "eva:2018", "gsv", "nzoth-paladin", "classic-druid"):
        assert word in page
    found = house.client.get("/decks", params={"words": "reno mage tournament"}).json()
    assert {one["class"] for one in found} == {"Mage"}
    deck = house.client.post("/deck", json={"deck": found[0]["deck"]}, headers=ORIGIN).json()
    assert sum(one["n"] for one in deck["cards"]) == 30
    code = hsevo.Deck("warrior").code
    for words in (code, f"### mine\n{code}\n", hsevo.Deck("warrior").text):
        pasted = house.client.post("/deck", json={"deck": words}, headers=ORIGIN).json()
        assert pasted["class"] == "Warrior", pasted
        assert (pasted["name"] == "mine") is words.startswith("###")
    house.begin(deck=code, against=found[0]["deck"])


def test_damaged_games_are_named(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        house.begin()
    file = tmp_path / "play" / "games" / "0001.json"
    whole = file.read_text()
    for text, said in (("{", "is damaged"), ("[]", "is damaged"),
                       (whole.replace('"number": 1', '"number": 2'), "it is game 2")):
        file.write_text(text)
        with pytest.raises(RunError, match=said):
            played.PlayedGames(tmp_path / "play")
    file.write_text(whole.replace('"agent": "', '"agent": "../'))
    with pytest.raises(RunError, match="is damaged"):
        played.load(tmp_path / "play", 1)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").touch()
    with pytest.raises(RunError, match="not a folder of hsevo play"):
        played.PlayedGames(tmp_path / "other")
