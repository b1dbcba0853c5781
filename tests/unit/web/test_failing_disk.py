"""A disk that fails, at everything a server writes: nothing has changed, and the same works later.
"""

from __future__ import annotations

import errno
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from hsevo.errors import RunError, WriteError
from hsevo.replays.matches import PlayedMatches
from hsevo.replays.played import PlayedGames
from hsevo.web import table
from tests.support.disk import full_disk
from tests.support.playing import ORIGIN, Door, door, play_on, until_mine
from tests.unit.web import test_duels as duels
from tests.unit.web import test_matches as matches

FAILS = pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Door]:
    with door(tmp_path / "play") as found:
        yield found


def stored(house: Door, number: int) -> Any:
    return json.loads((house.games.path / "games" / f"{number:04}.json").read_text())


def refused(socket: Any, message: Any) -> None:
    socket.send_json(message)
    answer = socket.receive_json()
    assert answer["kind"] == "refused", answer
    assert "cannot write" in answer["why"]


@FAILS
def test_the_same_move_works_after_a_failed_save(house: Door, code: int) -> None:
    number = house.begin(agent="random")
    with house.sit(number) as socket:
        frame = until_mine(socket, socket.receive_json())
        for step in range(3):
            message = {"do": "move", "move": frame["moves"][-1]["move"], "at": frame["at"]}
            before = stored(house, number)
            with pytest.MonkeyPatch.context() as patch:
                full_disk(patch, f"{number:04}.json", code)
                refused(socket, message)
                refused(socket, message)
            assert stored(house, number) == before
            socket.send_json(message)
            frame = socket.receive_json()
            assert (frame["kind"], step) == ("state", step)
            frame = until_mine(socket, frame)
        end = play_on(socket, frame, random.Random(1))[-1]
        assert end["over"] in ("won", "lost", "drawn")
    assert house.games.load(number).over


def test_an_agent_moves_as_soon_as_its_move_can_be_saved(
        house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "RETRY", 0.01)
    number = house.begin(first="agent", agent="eva:2018")
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, f"{number:04}.json")  # before the agent begins to think
        with house.sit(number) as socket:
            frame = socket.receive_json()
            assert not frame["moves"]
            for _ in range(2):
                fault = socket.receive_json()
                assert fault["kind"] == "fault"
                assert "cannot write" in fault["why"]
            patch.undo()
            while (said := socket.receive_json())["kind"] == "fault":
                pass
            until_mine(socket, said)
    game = house.games.load(number)
    again = house.begin(first="agent", agent="eva:2018")
    with house.sit(again) as socket:
        until_mine(socket, socket.receive_json())
    assert game.history == house.games.load(again).history


def test_an_agent_stops_trying_when_nobody_looks(house: Door,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "RETRY", 0.01)
    number = house.begin(first="agent", agent="random")
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, f"{number:04}.json")
        with house.sit(number) as socket:
            socket.receive_json()
            assert socket.receive_json()["kind"] == "fault"
        sat = house.hall._tables[number]
        while not sat.idle:
            pass
    with house.sit(number) as socket:
        until_mine(socket, socket.receive_json())


def test_a_game_goes_on_if_giving_it_up_could_not_be_saved(house: Door) -> None:
    number = house.begin(agent="random")
    with house.sit(number) as socket:
        frame = until_mine(socket, socket.receive_json())
        with pytest.MonkeyPatch.context() as patch:
            full_disk(patch, f"{number:04}.json")
            refused(socket, {"do": "concede"})
        assert not house.games.of(number).conceded
        frame = play_on(socket, frame, random.Random(1), most=1)[-1]
        assert not frame["over"]
        frame = until_mine(socket, frame)
        socket.send_json({"do": "concede"})
        assert socket.receive_json()["over"] == "conceded"
    assert house.games.of(number).conceded


def test_a_hint_that_could_not_be_noted_is_not_shown(house: Door) -> None:
    number = house.begin(agent="random")
    hint = {"do": "hint", "agent": "random"}
    with house.sit(number) as socket:
        until_mine(socket, socket.receive_json())
        with pytest.MonkeyPatch.context() as patch:
            full_disk(patch, f"{number:04}.json")
            refused(socket, hint)
        assert not house.games.of(number).hinted
        socket.send_json(hint)
        assert socket.receive_json()["kind"] == "hint"
    assert house.games.of(number).hinted
    assert stored(house, number)["facts"]["hinted"]


def test_a_game_that_could_not_begin_leaves_nothing_to_the_next(house: Door) -> None:
    """Its number goes to the next game, but not its agent."""
    wish = {"deck": "mage", "against": "warrior", "first": "me", "seed": 3}
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, "0001.json")
        answer = house.client.post("/games", json=wish | {"agent": "eva:2018"}, headers=ORIGIN)
        assert answer.status_code != 200
        assert "cannot write" in answer.text
    assert house.begin(agent="random", seed=3) == 1
    assert house.games.load(1).players[1].name == "random"
    kept = [player["agent"] for player in stored(house, 1)["game"]["players"] if player["agent"]]
    house.begin(agent="random")
    assert [player["agent"] for player in stored(house, 2)["game"]["players"]
            if player["agent"]] == kept
    assert not house.games.of(1).repeat


def test_a_match_has_no_game_that_it_does_not_know(house: Door) -> None:
    house.begin(agent="random")  # so that a match and its first game have different numbers
    number = matches.begin(house)
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, f"{number:04}.json")
        assert "cannot write" in matches.choose(house, number, 0).text
    assert [one.number for one in house.games.facts] == [1]
    assert not (house.games.path / "games" / "0002.json").exists()
    answer = matches.choose(house, number, 1)
    assert answer.status_code == 200, answer.text
    assert [one.number for one in house.games.facts] == [1, 2]
    assert [game[0] for game in PlayedMatches(house.games.path).of(number).games] == [2]


def test_a_seat_is_taken_although_its_invitation_stays(house: Door) -> None:
    code, guest = duels.invite(house.client), house.another()
    unlink = Path.unlink

    def failing(path: Path, missing_ok: bool = False) -> None:
        if path.stem == code:
            raise OSError(errno.EROFS, "Read-only file system")
        unlink(path, missing_ok)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "unlink", failing)
        answer = duels.join(guest, code)
    assert answer.status_code == 200, answer.text
    assert house.client.get(f"/invitation/{code}", follow_redirects=False).headers[
        "location"] == f"/game/{answer.json()['number']}"
    assert duels.join(house.another(), code).status_code == 409


@pytest.mark.parametrize(("name", "path", "body"), [
    (".json", "/invitations", {"deck": "mage", "first": "any"}),
    ("0001.json", "/matches", matches.WISH),
    ("own.txt", "/saved", {"name": "own", "deck": "mage"})])
def test_what_could_not_be_written_is_not_there(house: Door, name: str, path: str,
                                                body: Any) -> None:
    def ask() -> Any:
        return house.client.post(path, json=body, headers=ORIGIN)

    def there() -> int:
        return (len([*house.hall.matches]) + len([*house.hall.duels._invitations])
                + len(house.hall.choices.saved()))
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, name)
        answer = ask()
        assert answer.status_code != 200
        assert "cannot write" in answer.text
    assert there() == 0
    answer = ask()
    assert answer.status_code == 200, answer.text
    assert there() == 1


def test_a_stored_game_is_the_old_or_the_new(tmp_path: Path) -> None:
    """Also if the disk fails between the file and its folder's list of names."""
    with door(tmp_path / "play") as house:
        number = house.begin(agent="random")
        game, facts = house.games.load(number), house.games.of(number)
        game.play(game.moves[0])
        with pytest.MonkeyPatch.context() as patch:
            full_disk(patch, f"{number:04}.json", errno.EIO)
            with pytest.raises(WriteError):
                house.games.save(facts, game)
        assert not house.games.load(number).history
        house.games.save(facts, game)
        assert len(house.games.load(number).history) == 1
    again = PlayedGames(tmp_path / "play")
    assert len(again.load(number).history) == 1
    again.close()
    with pytest.raises(RunError):
        again.load(number + 1)
