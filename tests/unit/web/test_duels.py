"""Games between two people: each acts from its own seat, and is sent what that seat may know.

All that both are sent in whole games is read, as in test_hidden.py.
"""

from __future__ import annotations

import json
import random
import re
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.cards.tables import cards
from hsevo.errors import GameError, RunError
from hsevo.replays import invitations, played
from hsevo.replays.invitations import MOST_EACH, MOST_FROM, Invitations
from hsevo.replays.played import GUEST, HUMAN, LOST, WON, PlayedGames
from hsevo.replays.stored import PlayedReplay, meetings
from hsevo.strength.scores import left_out, rated, scores
from hsevo.web import duels, frames, mistakes
from hsevo.web.frames import OPPONENT
from hsevo.web.persons import COOKIE
from tests.support import command
from tests.support.playing import HOST, ORIGIN, Door, door
from tests.unit.web.test_hidden import hidden, names_seen

MINE, THEIRS = "secret-face-hunter", "reno-dragon-priest"


def post(client: TestClient, path: str, body: Any = None) -> Any:
    return client.post(path, json=body or {}, headers=ORIGIN)


def invite(client: TestClient, deck: str = MINE, first: str = "any") -> str:
    answer = post(client, "/invitations", {"deck": deck, "first": first})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["code"])


def join(client: TestClient, code: str, deck: str = THEIRS) -> Any:
    return post(client, f"/invitation/{code}/join", {"deck": deck})


def begin(house: Door, first: str = "any") -> tuple[int, TestClient]:
    """Begin a game of two people; return its number, and the browser of who was invited."""
    guest = house.another()
    answer = join(guest, invite(house.client, first=first))
    assert answer.status_code == 200, answer.text
    return int(answer.json()["number"]), guest


def stored(house: Door, number: int) -> bytes:
    return (house.games.path / "games" / f"{number:04}.json").read_bytes()


class Pair:
    """Two open pages at one game, and all that they were sent, by seat: 0 has invited."""

    def __init__(self, sockets: tuple[Any, Any]) -> None:
        self.sockets = sockets
        self.sent: tuple[list[Any], list[Any]] = ([], [])
        self.now = [self.next(seat) for seat in (0, 1)]

    def next(self, seat: int, kind: str = "state") -> Any:
        """Return the next message of a kind that a page gets."""
        while True:
            message = self.sockets[seat].receive_json()
            self.sent[seat].append(message)
            assert message["kind"] in (kind, "state", "there"), message  # not refused
            if message["kind"] == kind:
                return message

    @property
    def mover(self) -> int:
        return next(seat for seat in (0, 1) if self.now[seat]["moves"])

    def send(self, at: int, /, **message: Any) -> None:
        """Send a message from a seat."""
        self.sockets[at].send_json(message)

    def move(self, chance: random.Random) -> None:
        """Have who is to move make a random move; both see it."""
        seat = self.mover
        move = chance.choice(self.now[seat]["moves"])
        self.send(seat, do="move", move=move["move"], at=self.now[seat]["at"])
        self.now = [self.next(seat) for seat in (0, 1)]

    def play(self, chance: random.Random, most: int = 10_000) -> None:
        for _ in range(most):
            if self.now[0]["over"]:
                break
            self.move(chance)


@contextmanager
def pair(house: Door, number: int, guest: TestClient) -> Iterator[Pair]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(house.sit(number, client))
                   for client in (house.client, guest)]
        yield Pair((sockets[0], sockets[1]))


def looked_for(games: PlayedGames, number: int, seat: int, sent: list[Any]) -> int:
    """Look that nothing tells a seat what is hidden from it; return how many looks."""
    game, looked = games.load(number), 0
    again, known = game.beginning(), cards(game.setting.ruleset)
    deck = game.setting.decks[1 - seat].name
    for message in sent:
        while len(again.history) < message.get("at", 0):
            again.play(game.history[len(again.history)])
        said = json.dumps(message)
        assert f"{game.seed}" not in said
        assert message.get("over") or deck not in said
        for id in hidden(again, seat):
            assert f'"{id}"' not in said, (len(again.history), id)
            name = known[id].name
            assert name not in said or name in names_seen(again, seat), (len(again.history), name)
            looked += 1
    return looked


# -- a whole game ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "seed"), [("cig2018", 1), ("msg2017", 2)])
def test_a_whole_game_and_nothing_hidden_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                 ruleset: str, seed: int) -> None:
    """In msg2017 there is a mulligan."""
    monkeypatch.setattr(secrets, "randbelow", random.Random(seed).randrange)
    with door(tmp_path / "play", ruleset) as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            for seat in (0, 1):
                page = (house.client, guest)[seat].get(f"/game/{number}").text
                both.sent[seat].append({"kind": "page", "text": page})
            both.play(random.Random(seed))
        game, facts = house.games.load(number), house.games.of(number)
        assert game.over
        for seat, client in enumerate((house.client, guest)):
            states = [one for one in both.sent[seat] if one["kind"] == "state"]
            assert [one["at"] for one in states] == list(range(len(game.history) + 1))
            assert states[-1]["over"] == facts.of(seat).result
            again = game.beginning()
            for one in states:
                assert one["view"] == json.loads(json.dumps(again.view(seat)))
                mine = again.player == seat and not again.over
                assert [move["move"] for move in one["moves"]] == (
                    [move.index for move in again.moves] if mine else [])
                if not again.over:
                    again.play(game.history[len(again.history)])
            with house.sit(number, client) as socket:
                late = socket.receive_json()  # what a page gets that opens at the end
            assert looked_for(house.games, number, seat, [*both.sent[seat], late]) > 100
            assert f"{game.seed}" not in client.get("/").text
        assert facts.result == {0: WON, 1: LOST, None: "drawn"}[game.winner]
        assert (facts.human, facts.agent, facts.deck, facts.against) == (
            HUMAN, GUEST, MINE, THEIRS)


def test_the_test_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "seen_by", lambda event, _: event)
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            both.play(random.Random(3), most=60)
            with pytest.raises(AssertionError):
                looked_for(house.games, number, 0, both.sent[0])


def test_the_log_speaks_to_each(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house, first="agent")
        with pair(house, number, guest) as both:
            assert both.now[0]["past"][0]["text"] == f"{OPPONENT} goes first"
            assert both.now[1]["past"][0]["text"] == "you go first"
            assert both.mover == 1
            end = next(one for one in both.now[1]["moves"] if one["kind"] == "end turn")
            both.send(1, do="move", move=end["move"], at=0)
            after = [both.next(seat) for seat in (0, 1)]
        assert any(line.startswith("you draw ") for line in after[0]["log"])
        assert f"{OPPONENT} draws a card" in after[1]["log"]


@pytest.mark.parametrize(("first", "seat"), [("me", 0), ("agent", 1)])
def test_who_begins_is_as_wished(tmp_path: Path, first: str, seat: int) -> None:
    with door(tmp_path / "play") as house:
        for _ in range(3):
            number, _ = begin(house, first)
            assert house.games.load(number).events[0].player == seat
            assert house.games.of(number).seat == 0


# -- who may sit where ----------------------------------------------------------------------------


def test_the_other_comes_by_the_code(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code, guest = invite(house.client), house.another()
        waiting = house.client.get(f"/invitation/{code}").text
        assert "Waiting for the other player" in waiting
        assert f"http://{HOST}/invitation/{code}" in waiting
        assert f"/invitation/{code}" in house.client.get("/").text
        assert house.client.get(f"/invitation/{code}/state").json() == {}
        page = guest.get(f"/invitation/{code}").text
        assert "You are invited" in page
        assert f">{MINE}<" in page  # it is among all ready decks
        assert "Waiting" not in page
        assert f"/invitation/{code}" not in guest.get("/").text
        number = join(guest, code).json()["number"]
        assert house.client.get(f"/invitation/{code}/state").json() == {"to": f"/game/{number}"}
        for client in (house.client, guest):
            answer = client.get(f"/invitation/{code}", follow_redirects=False)
            assert answer.headers["location"] == f"/game/{number}"
            assert f'href="/game/{number}"' in client.get("/").text
            assert "You against your opponent" in client.get(f"/game/{number}").text
        assert not [*(tmp_path / "play" / "invitations").iterdir()]


def test_nobody_takes_a_seat_twice(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code, guest, third = invite(house.client), house.another(), house.another()
        own = join(house.client, code)
        assert (own.status_code, house.games.facts) == (400, [])
        assert "your own invitation" in own.json()["why"]
        number = join(guest, code).json()["number"]
        before = stored(house, number)
        for client in (guest, third, house.client):
            answer = join(client, code)
            assert answer.status_code == 409
            assert "taken" in answer.json()["why"]
        assert third.get(f"/invitation/{code}").status_code == 403
        assert third.get(f"/invitation/{code}/state").status_code == 404
        assert (stored(house, number), len(house.games.facts)) == (before, 1)


def test_a_third_person_sees_and_does_nothing(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        third, before = house.another(), stored(house, number)
        answer = third.get("/invitation/ABCDEF", follow_redirects=False)
        assert answer.status_code == 404
        invite(third)  # and so has a seat's cookie of its own
        for path in ("", "/again", "/mistakes"):
            answer = third.get(f"/game/{number}{path}", follow_redirects=False)
            assert answer.status_code == 403, path
            assert MINE not in answer.text
        assert post(third, f"/game/{number}/analyse").status_code == 403
        for client in (third, house.another()):
            with pytest.raises(WebSocketDisconnect) as closed, house.sit(number, client):
                pass
            assert closed.value.code == 4403
            assert f"/game/{number}" not in client.get("/").text
        with house.sit(number, guest) as socket:
            assert socket.receive_json()["kind"] == "state"
        assert stored(house, number) == before


@pytest.mark.parametrize("cookie", ["", "made-up", "x" * 32, "../../etc/passwd", "\x00"])
def test_a_wrong_cookie_has_no_seat(tmp_path: Path, cookie: str) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        before = stored(house, number)
        del guest.cookies[COOKIE]
        guest.cookies.set(COOKIE, cookie)
        with pytest.raises(WebSocketDisconnect), house.sit(number, guest):
            pass
        assert guest.get(f"/game/{number}").status_code in (401, 403)
        assert stored(house, number) == before


def test_the_seats_cookie_alone_lets_nobody_in(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        stranger = house.from_address("127.0.0.1")
        stranger.cookies.set(COOKIE, guest.cookies[COOKIE])
        assert stranger.get(f"/game/{number}").status_code == 401
        with pytest.raises(WebSocketDisconnect), house.sit(number, stranger):
            pass


def test_neither_acts_for_the_other(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            mover, move = both.mover, both.now[both.mover]["moves"][-1]["move"]
            before = stored(house, number)
            for message in ({"do": "move", "move": move, "at": 0},
                            {"do": "move", "move": move, "at": 0, "seat": mover},
                            {"do": "hint", "agent": "random"}, {"do": "step", "at": 0},
                            {"do": "move", "move": -1, "at": 0}):
                both.send(1 - mover, **message)
                assert both.next(1 - mover, "refused")["why"]
            both.send(1 - mover, do="move", move=move, at=0)
            assert both.next(1 - mover, "refused")["why"] == f"It is the turn of {OPPONENT}."
            for name in ("random", "nobody"):  # whatever is said of an agent tells no deck
                both.send(mover, do="hint", agent=name)
                assert "no hints" in both.next(mover, "refused")["why"]
            assert stored(house, number) == before
            both.move(random.Random(1))
            assert len(house.games.load(number).history) == 1


def test_the_other_is_there_or_not(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with house.sit(number) as socket:
            assert socket.receive_json()["kind"] == "state"
            assert socket.receive_json() == {"kind": "there", "there": False}
            with house.sit(number, guest) as other:
                other.receive_json()
                assert other.receive_json() == {"kind": "there", "there": True}
                assert socket.receive_json() == {"kind": "there", "there": True}
            assert socket.receive_json() == {"kind": "there", "there": False}


# -- the end --------------------------------------------------------------------------------------


def test_who_gives_up_while_a_move_is_saved_gives_up(tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    save, saving, go = PlayedGames.save, threading.Event(), threading.Event()

    def slow(self: PlayedGames, *given: Any) -> Any:
        facts = save(self, *given)
        saving.set()
        assert go.wait(20)
        return facts
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            mover = both.mover
            monkeypatch.setattr(PlayedGames, "save", slow)
            both.send(mover, do="move", move=both.now[mover]["moves"][0]["move"], at=0)
            assert saving.wait(20)
            both.send(1 - mover, do="concede")
            table = house.hall._tables[number]
            while table._leaving is None:
                time.sleep(0.01)
            go.set()
            while not (now := both.next(mover))["over"]:
                pass
            assert now["over"] == "opponent conceded"
        assert house.games.of(number).given_up_by == 1 - mover


@pytest.mark.parametrize("quitter", [0, 1])
def test_giving_up_ends_it_for_both(tmp_path: Path, quitter: int,
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "GAMES", 2)
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        clients = house.client, guest
        with pair(house, number, guest) as both:
            both.play(random.Random(4), most=6)
            for client in clients:
                assert client.get(f"/game/{number}/again").status_code == 409
            both.send(quitter, do="concede")
            both.now = [both.next(seat) for seat in (0, 1)]
            assert both.now[quitter]["over"] == "conceded"
            assert both.now[1 - quitter]["over"] == "opponent conceded"
            for seat in (0, 1):
                both.send(seat, do="concede")
                assert both.next(seat, "refused")["why"] == "The game is over."
        facts = house.games.of(number)
        assert facts.result == (LOST if quitter == 0 else WON)
        assert facts.given_up_by == quitter
        game = house.games.load(number)
        for seat, client in enumerate(clients):
            assert facts.of(seat).result == (LOST if seat == quitter else WON)
            page = client.get(f"/game/{number}/again").text
            last = post(client, f"/game/{number}/analyse").text.splitlines()[-1]
            assert json.loads(last) == {"to": f"/game/{number}/mistakes"}
            found = client.get(f"/game/{number}/mistakes").text
            for text in (page, found):
                assert "hidden card" in text
                for id in hidden(game, seat):
                    assert cards("cig2018")[id].name not in text, (seat, id)
        assert not [*house.hall.drills]
    listed = hsevo.replay(tmp_path / "play", part=None)
    assert isinstance(listed, PlayedReplay)
    assert listed.facts.given_up_by == quitter


def test_it_is_no_game_with_an_agent(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            both.send(0, do="concede")
            both.next(1)
        facts = house.games.facts
        assert (scores(facts), rated(facts), left_out(facts)) == ([], None, "")
        for client in (house.client, guest):
            page = client.get("/").text
            assert "Your rating" not in page
            assert "won, " not in page
        assert f"against {OPPONENT} ({THEIRS})" in house.client.get("/").text
        assert f"{THEIRS} against {OPPONENT} ({MINE})" in guest.get("/").text
    table = meetings(tmp_path / "play")
    assert table[["a", "b", "wins_a", "wins_b"]].to_numpy().tolist() == [[HUMAN, GUEST, 0, 1]]
    shown = command.hsevo("play", "--out", tmp_path / "play", "--list").stdout
    assert GUEST in shown
    assert "interval" not in shown


def test_each_analyses_from_its_own_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = []

    def analyse(game: Any, **how: Any) -> Any:
        sides.append(how["side"])
        return hsevo.analyse(game, **how | {"agent": "random", "players": "random", "games": 2,
                                            "budget": 0})
    monkeypatch.setattr(mistakes, "analyse", analyse)
    # Of some games a page has nothing that cost one of the two: in this one both lost something.
    monkeypatch.setattr("hsevo.web.duels.secrets.randbelow", random.Random(8).randrange)
    with door(tmp_path / "play") as house:
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            both.play(random.Random(5), most=30)
            both.send(0, do="concede")
            both.next(1)
        for client in (house.client, guest):
            post(client, f"/game/{number}/analyse")
            page = client.get(f"/game/{number}/mistakes").text
            assert re.search(r"Turn \d+: \d+ points", page)
            assert f", {OPPONENT}: " not in page
    assert sides == ["a", "b"]
    both_sides = [set(hsevo.analyse(tmp_path / "play", side=side, games=1, agent="random",
                                    players="random", budget=0).decisions["player"])
                  for side in ("a", "b")]
    assert both_sides == [{0}, {1}]


# -- what lasts -----------------------------------------------------------------------------------


def test_it_goes_on_after_a_reload_and_with_a_new_server(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        waiting = invite(house.client)
        number, guest = begin(house)
        with pair(house, number, guest) as both:
            both.play(random.Random(6), most=5)
        with pair(house, number, guest) as again:
            assert [one["view"] for one in again.now] == [one["view"] for one in both.now]
        seats = [client.cookies[COOKIE] for client in (house.client, guest)]
    with door(tmp_path / "play") as house:
        guest = house.another()
        for client, seat in zip((house.client, guest), seats, strict=True):
            client.cookies.set(COOKIE, seat)
        assert "Waiting" in house.client.get(f"/invitation/{waiting}").text
        with pair(house, number, guest) as again:
            assert [one["view"] for one in again.now] == [one["view"] for one in both.now]
            again.play(random.Random(7))
        assert house.games.load(number).over
        assert join(guest, waiting).status_code == 200


def test_a_crash_between_the_game_and_its_invitation_makes_no_second_game(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code = invite(house.client)
        file = tmp_path / "play" / "invitations" / f"{code}.json"
        text = file.read_text()
        assert join(house.another(), code).status_code == 200
        assert not file.exists()
    file.write_text(text)
    with door(tmp_path / "play") as house:
        assert not file.exists()
        assert join(house.another(), code).status_code == 409
        assert len(house.games.facts) == 1


@pytest.mark.parametrize("change", [{"text": "no deck"}, {"begun": None}, {"first": 7}])
def test_a_damaged_invitation_is_one_clear_line(tmp_path: Path, change: dict[str, Any]) -> None:
    with door(tmp_path / "play") as house:
        code = invite(house.client)
    file = tmp_path / "play" / "invitations" / f"{code}.json"
    kept = json.loads(file.read_text())
    kept["invitation"] |= change
    file.write_text(json.dumps(kept))
    with pytest.raises(RunError, match=f"{code}.json is damaged"), door(tmp_path / "play"):
        pass


def test_an_answer_that_is_lost_costs_nobody_its_seat(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code, guest = invite(house.client), house.another()
        assert guest.get(f"/invitation/{code}").status_code == 200
        seat = guest.cookies[COOKIE]
        assert join(guest, code).status_code == 200
        guest.cookies.delete(COOKIE)  # that of the answer never came
        guest.cookies.set(COOKIE, seat)
        answer = guest.get(f"/invitation/{code}", follow_redirects=False)
        assert answer.headers["location"].startswith("/game/")


def test_the_password_leads_back_to_an_invitation_or_a_game(tmp_path: Path) -> None:
    with door(tmp_path / "play", password="correct horse") as house:
        code, guest = invite(house.client), house.from_address("10.0.0.7")
        for path in (f"/invitation/{code}", "/game/1"):
            answer = guest.get(path, follow_redirects=False)
            assert answer.headers["location"] == f"/login?to={path}"
        for said, to in ((f"/invitation/{code}", f"/invitation/{code}"), ("/game/1", "/game/1"),
                         ("//evil.example", "/"), ("/invitation/../x", "/"), (["/"], "/"),
                         ("/game/1\n", "/"), (None, "/")):
            answer = post(guest, "/login", {"password": "correct horse", "to": said})
            assert answer.json() == {"to": to}
        assert guest.get("/nowhere").status_code == 404
        assert join(guest, code).status_code == 200


# -- invitations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", [{"deck": "/etc/passwd"}, {"deck": None}, {"first": "both"},
                                  {"first": ["me"]}, {"deck": "AAECAf0E"}])
def test_what_is_no_invitation_is_refused(tmp_path: Path, wish: Any) -> None:
    with door(tmp_path / "play") as house:
        answer = post(house.client, "/invitations", {"deck": "mage", "first": "any"} | wish)
        assert answer.status_code == 400
        assert answer.json()["why"]
        assert not (tmp_path / "play" / "invitations").exists()
        code = invite(house.client)
        deck = wish.get("deck", "no deck")
        assert join(house.another(), code, deck).status_code == 400
        assert house.games.facts == []
        assert post(house.client, "/invitations").status_code == 400


def test_an_invitation_is_withdrawn_by_its_owner_alone(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code, other = invite(house.client), house.another()
        assert post(other, f"/invitation/{code}/withdraw").status_code == 400
        assert other.get(f"/invitation/{code}").status_code == 200
        assert post(house.client, f"/invitation/{code}/withdraw").status_code == 200
        assert other.get(f"/invitation/{code}").status_code == 404
        assert join(other, code).status_code == 400
        assert post(house.client, f"/invitation/{code}/withdraw").status_code == 400


def test_there_are_not_too_many(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        for _ in range(MOST_EACH):
            invite(house.client)
        answer = post(house.client, "/invitations", {"deck": "mage"})
        assert f"{MOST_EACH} open invitations" in answer.json()["why"]
        other = house.another()
        guessed = [other.get(f"/invitation/{k:06}").status_code for k in range(40)]
        assert 429 in guessed
        assert guessed[0] == 404
        assert invite(other)
        for _ in range(MOST_FROM - MOST_EACH - 1):  # each is somebody with fresh cookies
            invite(house.another())
        answer = post(house.another(), "/invitations", {"deck": "mage"})
        assert f"this address has {MOST_FROM} open invitations" in answer.json()["why"]
        far = house.from_address("10.0.0.7")
        far.portal = house.client.portal
        house.enter(far)
        assert invite(far)


def test_an_invitation_that_nobody_took_for_a_day_is_dropped(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with door(tmp_path / "play") as house:
        code, guest = invite(house.client), house.another()
        assert guest.get(f"/invitation/{code}").status_code == 200
        assert timedelta(days=1) == invitations.LASTS
        monkeypatch.setattr(invitations, "LASTS", timedelta())
        assert guest.get(f"/invitation/{code}").status_code == 404
        assert join(guest, code).status_code == 400
        assert [*(tmp_path / "play" / "invitations").iterdir()] == []
        monkeypatch.undo()
        assert invite(house.client)


def test_an_invitation_whose_answer_was_lost_can_be_withdrawn(tmp_path: Path) -> None:
    """The first page has given the cookie already, so its owner is known."""
    with door(tmp_path / "play") as house:
        house.client.get("/")
        before = house.client.cookies[COOKIE]
        code = invite(house.client)
        house.client.cookies.set(COOKIE, before, domain="127.0.0.1", path="/")
        assert f"/invitation/{code}" in house.client.get("/").text
        assert post(house.client, f"/invitation/{code}/withdraw").status_code == 200


def test_damaged_invitations_are_named(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        code = invite(house.client)
    file = tmp_path / "play" / "invitations" / f"{code}.json"
    whole = file.read_text()
    for text in ("{", "[]", whole.replace(code, "AAAAAA")):
        file.write_text(text)
        games = PlayedGames(tmp_path / "play")
        with pytest.raises(RunError, match="is damaged"):
            Invitations(games)
        games.close()
    assert played.facts(tmp_path / "play") == []


def test_agents_that_are_watched_have_no_people(tmp_path: Path) -> None:
    with door(tmp_path / "watch", watch=("eva:2018", "gsv")) as house:
        answer = post(house.client, "/invitations", {"deck": "mage"})
        assert "Only agents play here" in answer.json()["why"]
        assert "another human" not in house.client.get("/").text


def test_two_cannot_come_at_once(tmp_path: Path) -> None:
    """Both ask before either is answered."""
    import asyncio

    with door(tmp_path / "play") as house:
        code = invite(house.client)

        async def both() -> list[Any]:
            asked = [house.hall.duels.join(person, code, {"deck": "mage"}) for person in "ab"]
            return await asyncio.gather(*asked, return_exceptions=True)
        found = asyncio.run(both())
        assert [type(one) for one in found] == [int, duels.InvitationTaken]
        assert issubclass(duels.InvitationTaken, GameError)
        assert len(house.games.facts) == 1
