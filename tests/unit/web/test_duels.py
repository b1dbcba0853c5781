"""Games of two people: each has a seat that only its own link opens, and sees what it may know."""

from __future__ import annotations

import asyncio
import random
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.api.scores import rated, scores
from hsevo.errors import GameError, RunError
from hsevo.replays import played
from hsevo.replays.duels import FILE, LENGTH, MOST, Duels
from tests.support.playing import HOST, ORIGIN, Door, door
from tests.unit.web.test_hidden import looked_for


def invite(house: Door, deck: str = "mage", first: str = "any") -> tuple[str, str]:
    """Invite somebody; return the code of the invitation, and that of the seat."""
    answer = house.client.post("/duel", json={"deck": deck, "first": first}, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    seat = answer.json()["seat"]
    found = house.hall.duels.waiting(seat)
    assert found
    return found.code, seat


def join(house: Door, code: str, deck: str = "warrior") -> Any:
    return house.client.post(f"/join/{code}", json={"deck": deck}, headers=ORIGIN)


def duel(house: Door, mine: str = "mage", theirs: str = "warrior",
         first: str = "any") -> tuple[str, str, int]:
    """Begin a game; return the codes of both seats, first that of who invited, and its number."""
    code, host = invite(house, mine, first)
    guest = join(house, code, theirs).json()["seat"]
    found = house.hall.duels.seat(host)
    assert found
    return host, guest, found[0]


def sit(house: Door, seat: str, stack: ExitStack) -> Any:
    return stack.enter_context(house.client.websocket_connect(
        f"ws://{HOST}/seat/{seat}/play", headers=ORIGIN))


def play(sockets: list[Any], chance: random.Random, most: int = 10_000) -> list[list[Any]]:
    """Make random legal moves in both seats; return the frames of each."""
    frames = [[one.receive_json()] for one in sockets]
    for _ in range(most):
        now = [some[-1] for some in frames]
        assert now[0]["at"] == now[1]["at"]
        assert bool(now[0]["over"]) == bool(now[1]["over"])
        if now[0]["over"]:
            break
        (k,) = [k for k in (0, 1) if now[k]["moves"]]  # never both, never nobody
        assert now[1 - k]["thinks"]
        move = chance.choice(now[k]["moves"])["move"]
        sockets[k].send_json({"do": "move", "move": move, "at": now[k]["at"]})
        for some, socket in zip(frames, sockets, strict=True):
            some.append(socket.receive_json())
            assert some[-1]["kind"] == "state", some[-1]
    return frames


@pytest.mark.parametrize(("ruleset", "theirs", "first"), [
    ("cig2018", "secret-face-hunter", "me"), ("msg2017", "warrior", "agent")])
def test_two_people_play_a_game_and_neither_is_sent_what_the_other_hides(
        tmp_path: Path, ruleset: str, theirs: str, first: str) -> None:
    with door(tmp_path / "play", ruleset=ruleset) as house, ExitStack() as stack:
        host, guest, number = duel(house, theirs=theirs, first=first)
        sockets = [sit(house, seat, stack) for seat in (host, guest)]
        frames = play(sockets, random.Random(3))
        facts, game = house.games.of(number), house.games.load(number)
        assert (facts.human, facts.agent) == (played.HUMAN, played.HUMAN)
        for k, seat in enumerate((facts.seat, 1 - facts.seat)):
            assert looked_for(house.games, number, frames[k], seat) > 100
            assert frames[k][-1]["view"] == game.view(seat)  # the page's game is the server's
            ends = {frames[0][-1]["over"], frames[1][-1]["over"]}
        assert ends in ({"won", "lost"}, {"drawn"})
        assert game.over
        again = house.client.get(f"/game/{number}/again")
        assert again.status_code == 200
        assert scores(house.games.facts) == []
        assert rated(house.games.facts) is None
        assert "lost" in house.client.get("/").text or "won" in house.client.get("/").text


def test_what_is_not_ones_own_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house, ExitStack() as stack:
        code, waits = invite(house)
        page = house.client.get(f"/seat/{waits}").text
        assert code in page
        assert house.client.get(f"/seat/{waits}/ready").json() == {"ready": False}
        assert "You are invited" in house.client.get(f"/join/{code}").text
        assert join(house, code, "no such deck").status_code == 400
        guest = join(house, code).json()["seat"]
        assert house.client.get(f"/seat/{waits}/ready").json() == {"ready": True}
        assert (join(house, code).status_code, house.client.get(f"/join/{code}").status_code) == (
            400, 404)  # a second one comes too late
        found = house.hall.duels.seat(waits)
        assert found
        number = found[0]
        first, other = sit(house, waits, stack), sit(house, guest, stack)
        frames = [first.receive_json(), other.receive_json()]
        before = stored(house, number)
        (k,) = [k for k in (0, 1) if not frames[k]["moves"]]
        moves = frames[1 - k]["moves"]
        for message in ({"do": "move", "move": moves[0]["move"], "at": frames[k]["at"]},
                        {"do": "hint", "agent": "gsv"}, {"do": "step", "at": frames[k]["at"]}):
            (first, other)[k].send_json(message)
            assert (first, other)[k].receive_json()["kind"] == "refused"
        (first, other)[k].send_json({"do": "why", "from": ["me", "hand", 0], "to": None})
        assert "turn of your opponent" in (first, other)[k].receive_json()["why"]
        for path in (f"/game/{number}", "/seat/nonsense", f"/seat/{code}"):
            assert house.client.get(path).status_code == 404
        assert house.client.get(f"/game/{number}/again").status_code == 409
        for path in (f"/game/{number}/play", "/seat/nonsense/play", f"/seat/{code}/play"):
            with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(
                    f"ws://{HOST}{path}", headers=ORIGIN) as socket:
                socket.receive_json()
        assert stored(house, number) == before
        assert guest not in page + house.client.get(f"/seat/{waits}").text
        assert f"/game/{number}" not in house.client.get("/").text


def stored(house: Door, number: int) -> bytes:
    return (house.games.path / "games" / f"{number:04}.json").read_bytes()


@pytest.mark.parametrize("who", [0, 1])
def test_either_gives_up_and_the_other_wins(tmp_path: Path, who: int) -> None:
    with door(tmp_path / "play") as house, ExitStack() as stack:
        *seats, number = duel(house)
        sockets = [sit(house, seat, stack) for seat in seats]
        play(sockets, random.Random(1), most=4)
        sockets[who].send_json({"do": "concede"})
        ends = [socket.receive_json()["over"] for socket in sockets]
        assert (ends[who], ends[1 - who]) == ("conceded", "yielded")
        facts = house.games.of(number)
        assert facts.result == (played.LOST if who == 0 else played.WON)
        assert house.client.get("/").status_code == 200


def test_of_two_who_give_up_at_once_the_first_has_lost(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        *_, number = duel(house)

        async def both() -> list[Any]:
            table = await house.hall.table(number)
            seat = table.facts.seat
            return await asyncio.gather(table.concede(seat), table.concede(1 - seat),
                                        return_exceptions=True)
        assert house.client.portal
        first, second = house.client.portal.call(both)
        assert first is None
        assert isinstance(second, GameError)
        assert house.games.of(number).result == played.LOST


def test_a_game_and_an_invitation_survive_the_end_of_the_server(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house, ExitStack() as stack:
        host, guest, _ = duel(house)
        frames = play([sit(house, seat, stack) for seat in (host, guest)], random.Random(2), 6)
        code, waits = invite(house, "shaman")
    with door(tmp_path / "play") as house, ExitStack() as stack:
        for k, seat in enumerate((host, guest)):
            found = sit(house, seat, stack).receive_json()
            assert found["view"] == frames[k][-1]["view"]
            assert found["past"]
        assert code in house.client.get(f"/seat/{waits}").text
        assert join(house, code).status_code == 200
        file = house.games.path / FILE
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text('{"invitations": [], "seats": {"x": [1, 2]}}')
    with pytest.raises(RunError, match=r"duels\.json is damaged \(a seat that is neither"), \
            door(tmp_path / "play"):
        pass


def test_invitations_have_codes_that_are_not_guessed_and_are_not_kept_for_ever(
        tmp_path: Path) -> None:
    duels = Duels(tmp_path)
    deck = hsevo.Deck("mage").plain
    made = [duels.invite(deck, "any") for _ in range(MOST + 1)]
    assert len({one.code for one in made} | {one.seat for one in made}) == 2 * len(made)
    assert {len(one.code) for one in made} == {LENGTH}
    assert duels.waiting(made[0].seat) is None
    assert duels.waiting(made[-1].seat) == made[-1]


def test_who_is_invited_is_asked_for_the_password_first(tmp_path: Path) -> None:
    with door(tmp_path / "play", enter=False, password="a long password") as house:
        answer = house.client.get("/join/ABCDEFGH", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303,
                                                                    "/login#/join/ABCDEFGH")
        assert house.client.get("/join/../etc", follow_redirects=False).status_code != 303
        assert house.client.get("/seat/x", follow_redirects=False).status_code == 401
