"""Positions built on the page: drawn, analysed, played on from; hostile ones are refused."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

import hsevo
from hsevo.web import guard, positions
from tests.support.playing import ORIGIN, Door, door, play_on
from tests.unit.analysis.test_exercises import LETHAL
from tests.unit.web.test_hidden import check

MIDDLE = {
    "seed": 987_654_321_012_345,
    "me": {"class": "mage", "crystals": 6, "board": [{"card": "Azure Drake", "damage": 2}],
           "hand": ["Fireball", "2x Frostbolt"], "deck_list": "mage", "cards_left": 10},
    "opponent": {"class": "warrior", "health": 20, "armor": 2, "board": ["Frothing Berserker"],
                 "deck_list": "warrior", "unknown_in_hand": 3, "cards_left": 9}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with door(tmp_path_factory.mktemp("positions") / "play") as found:
        yield found


def ask(house: Door, what: str, position: Any, **more: Any) -> Any:
    return house.client.post(f"/position/{what}", json={"position": position, **more},
                             headers=ORIGIN)


def test_it_is_drawn_as_the_engine_has_it(house: Door) -> None:
    frame = ask(house, "draw", MIDDLE).json()
    game = hsevo.Game.at(MIDDLE)
    assert frame["view"] == json.loads(json.dumps(game.view(0)))
    assert [one["text"] for one in frame["moves"]] == [move.text for move in game.moves]
    page = house.client.get("/position").text
    assert '<option value="opponent secrets">' in page
    assert '<a href="/position">' in house.client.get("/").text


def with_(**changes: Any) -> dict[str, Any]:
    return MIDDLE | {"me": MIDDLE["me"] | changes}  # type: ignore[operator]


@pytest.mark.parametrize(("position", "says"), [
    (None, "must be an object"), ([], "must be an object"), ("mine.json", "must be an object"),
    ({}, "me"), ({"me": {"class": "mage"}}, "opponent"), (with_(health=-1), "me.health"),
    (with_(board=["Azure Dragon"]), "no card 'Azure Dragon'; did you mean"),
    (with_(deck_list="/etc/passwd"), "no deck '/etc/passwd' is offered here"),
    (with_(deck_list="../decks/mage.txt"), "no deck '../decks/mage.txt' is offered here"),
    (with_(deck_list="decks/mage.txt"), "no deck"), (
        with_(deck_list="warrior"), "is of class Warrior"),
    (with_(deck_list="saved:../x"), "the name of a deck"), (with_(board=8 * ["Wisp"]), "me.board"),
    (with_(hand=["30x Wisp"]), "me.hand"), (with_(more=1), "me.more"),
    (MIDDLE | {"ruleset": "msg2017"}, "uses the ruleset msg2017"),
    (MIDDLE | {"ruleset": "../x"}, "ruleset"), (MIDDLE | {"seed": 2**64}, "seed")])
@pytest.mark.parametrize("what", ["draw", "lines", "play"])
def test_what_is_no_position_is_refused(house: Door, what: str, position: Any, says: str) -> None:
    before = len(house.games.facts)
    answer = ask(house, what, position, agent="eva:2018")
    assert answer.status_code == 400
    assert says in answer.json()["why"]
    assert len(house.games.facts) == before


def test_hostile_requests_are_refused(house: Door) -> None:
    for what in ("draw", "lines", "play"):
        path = f"/position/{what}"
        for headers in ({}, {"origin": "http://evil.example"}):
            assert house.client.post(path, json={}, headers=headers).status_code == 403
        assert house.client.get(path).status_code == 405
        assert house.from_address("127.0.0.1").post(path, headers=ORIGIN).status_code == 401
        assert ask(house, what, MIDDLE, more="x" * 20_000).status_code == 413
        for text in ("[" * 16_000, "{", '{"position": NaN}'):
            assert house.client.post(path, content=text, headers=ORIGIN).status_code == 400
    for games in (7, "50", True, None, 10**9):
        assert "games is" in ask(house, "lines", MIDDLE, games=games).json()["why"]
    for agent in ("eva:/etc/passwd", None, "py:bot.py#decide"):
        assert "no agent" in ask(house, "play", MIDDLE, agent=agent).json()["why"]


def test_drawing_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: 0.0))  # it stands still
    with door(tmp_path / "play") as house:
        asked = [ask(house, "draw", {}).status_code for _ in range(122)]
    assert asked == 120 * [400] + 2 * [429]


def test_a_lethal_is_found(house: Door) -> None:
    *_, found = map(json.loads, ask(house, "lines", LETHAL, games=50).text.splitlines())
    assert found["lethal"]["answer"] == "yes"
    assert found["lethal"]["line"][0] == "play Fireball at the enemy hero"
    assert found["chance"] == [1, 1, 1]


def test_the_best_lines_are_those_of_hsevo_analyse(house: Door,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "GAMES", (2,))
    *told, found = map(json.loads, ask(house, "lines", MIDDLE, games=2).text.splitlines())
    assert all(0 <= line["games"] <= line["of"] for line in told)
    same = hsevo.analyse(MIDDLE, games=2, backend="serial")
    assert [row["chance"] for row in found["lines"]] == same.lines["chance"].tolist()
    assert [row["own"] for row in found["lines"]] == same.lines["own"].tolist()
    assert found["agent"] == same.agent


def test_a_page_answers_when_its_time_is_up(house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the games that were played until then, and says so."""
    monkeypatch.setattr(positions, "SECONDS", 1e-9)
    *_, found = map(json.loads, ask(house, "lines", MIDDLE, games=400).text.splitlines())
    assert found["games"] == 5
    assert found["title"].endswith("; time ran out after 5 of 400 games")
    assert len(found["lines"]) == 5


def test_a_game_is_played_from_it_and_hides_what_it_hides(house: Door) -> None:
    number = ask(house, "play", MIDDLE, agent="eva:2018").json()["number"]
    begun = house.games.load(number)
    assert begun.view(0) == hsevo.Game.at(MIDDLE).view(0)
    assert check(house, number, 3) > 20
    assert house.games.of(number).result != "open"
    assert "The chance to win" in house.client.get(f"/game/{number}/again").text


def test_the_human_is_who_is_to_move(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        number = ask(house, "play", MIDDLE | {"player": 1}, agent="random").json()["number"]
        assert house.games.of(number).seat == 1
        with house.sit(number) as socket:
            frames = play_on(socket, socket.receive_json(), random.Random(1), most=2)
        assert frames[0]["moves"]
        assert house.games.load(number).players[0].name == "random"
