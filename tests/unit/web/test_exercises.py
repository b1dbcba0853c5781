"""Exercises in the browser: what is sent of them, how they are judged, when they come again."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from starlette.websockets import WebSocketDisconnect

import hsevo
from hsevo.cards.tables import cards
from hsevo.errors import RunError
from hsevo.replays import played
from hsevo.replays.exercises import TRIES, Drills, Exercise, Tries
from hsevo.web import hall, mistakes
from tests.support.disk import full_disk
from tests.support.playing import HOST, ORIGIN, WISH, Door, door, play_on
from tests.unit.analysis.test_exercises import LETHAL
from tests.unit.replays.test_habits import attacks
from tests.unit.web.test_hidden import hidden

TEAM: dict[str, Any] = {"agent": "eva:2018", "players": "eva:2018", "backend": "serial"}
SEED = 987_654_321_012_345


def lethal() -> Exercise:
    """Return an exercise of a lethal that was missed."""
    game = hsevo.Game.at(LETHAL, [None, "eva:2018"])
    game.play(next(move for move in game.moves if "Frostbolt at Sen'jin" in move.text))
    game.play(game.moves[-1])
    return hsevo.exercises(hsevo.analyse(game, games=2, **TEAM), backend="serial")[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Door, list[Exercise]]]:
    """A house with one game, of which two exercises were made: a better move, and a lethal."""
    with door(tmp_path_factory.mktemp("exercises") / "play") as house:
        number = house.begin(deck="secret-face-hunter", agent="eva:2018", seed=SEED)
        with house.sit(number) as socket:
            play_on(socket, socket.receive_json(), random.Random(1))
        game = house.games.load(number)
        found = [*hsevo.exercises(hsevo.analyse(game, games=20, budget=0, **TEAM), 1,
                                  backend="serial"), lethal()]
        assert [one.ask for one in found] == ["move", "lethal"]
        yield house, found


@pytest.fixture
def house(made: tuple[Door, list[Exercise]]) -> Door:
    drills = made[0].hall.drills
    drills.put(1, made[1])
    drills._tries.drop(TRIES)
    return made[0]


def sit(house: Door, place: int) -> Any:
    return house.client.websocket_connect(f"ws://{HOST}/exercise/1/{place}/play", headers=ORIGIN)


def said(frame: Any, move: str) -> dict[str, Any]:
    """Return the message that makes a move, by its text."""
    index = next(one["move"] for one in frame["moves"] if one["text"] == move)
    return {"do": "move", "move": index, "at": frame["at"]}


def tries(house: Door, place: int) -> Tries:
    return house.hall.drills.of(1, place).tries


def test_nothing_of_the_answer_and_nothing_hidden_is_sent(house: Door) -> None:
    one = house.hall.drills.of(1, 0).exercise
    game, seat = house.games.load(1), house.games.of(1).seat
    unseen = hidden(game.before(one.step), seat)
    assert len(unseen) > 5
    with sit(house, 0) as socket:
        first = socket.receive_json()
        socket.send_json(said(first, one.made[0]))
        wrong = socket.receive_json()
        socket.send_json({"do": "answer"})
        answer = socket.receive_json()
    pages = [house.client.get(path).text for path in ("/exercises", "/exercise/1/0", "/")]
    known = cards(game.setting.ruleset)
    for text in [*map(json.dumps, (first, wrong, answer)), *pages]:
        assert f"{SEED}" not in text
        for id in unseen:
            assert f'"{id}"' not in text
            assert known[id].name not in text
    assert wrong["answer"] is None
    rest = json.dumps(wrong)
    for row in one.moves.to_dict("records"):
        assert row["move"] == one.made[0] or row["move"] not in rest
    assert "loss" not in json.dumps(first)
    assert answer["answer"]["moves"][0]["move"] == one.moves["move"].iloc[0]


def test_a_move_costs_what_was_found(house: Door) -> None:
    one = house.hall.drills.of(1, 0).exercise
    with sit(house, 0) as socket:
        frame = socket.receive_json()
        socket.send_json(said(frame, one.made[0]))
        wrong = socket.receive_json()
        assert (wrong["solved"], wrong["cost"]) == (False, one.cost(one.made[0]))
        assert tries(house, 0).tries == 1
        socket.send_json(said(frame, one.line[0]))
        right = socket.receive_json()
        assert right["solved"]
        assert right["says"].endswith("Only the first try counts.")
        assert right["answer"]["agent"] == one.agent
        assert {row["move"] for row in right["answer"]["moves"]} == {*one.moves["move"]}
    assert (tries(house, 0).tries, tries(house, 0).row) == (1, 0)


def test_a_guess_after_the_first_try_does_not_count(house: Door) -> None:
    one = house.hall.drills.of(1, 0).exercise
    for first, row in ((one.line[0], 1), (one.made[0], 1)):  # the second time, it is not due
        with sit(house, 0) as socket:
            frame = socket.receive_json()
            for text in (first, one.line[0]):
                socket.send_json(said(frame, text))
                verdict = socket.receive_json()
            assert verdict["solved"]
        assert (tries(house, 0).tries, tries(house, 0).row) == (1, row)


def test_a_move_that_was_not_compared_is_judged_when_it_is_made(
        house: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    one = house.hall.drills.of(1, 0).exercise
    cost = one.cost(one.made[0])
    assert cost
    few = replace(one, moves=one.moves.head(1))
    house.hall.drills.put(1, [few])
    asked: list[object] = []
    monkeypatch.setattr(hall, "cost_of", lambda *given: asked.append(given) or cost)
    with sit(house, 0) as socket:
        socket.send_json(said(socket.receive_json(), one.made[0]))
        verdict = socket.receive_json()
    assert asked == [(few, one.made[0])]
    assert (verdict["solved"], verdict["cost"], verdict["answer"]) == (False, cost, None)
    assert tries(house, 0).tries == 1


def test_tries_draw_other_cards_than_the_game_did(house: Door) -> None:
    """Each page deals what is hidden anew; what is seen stays as it was in the game."""
    true = hsevo.Position({
        "me": {"class": "mage", "crystals": 10, "hand": ["Arcane Intellect", "Fireball"],
               "deck": ["Fireball", "Frostbolt", "Polymorph", "Flamestrike", "Water Elemental",
                        "Arcane Missiles", "Frost Nova", "Mirror Image"]},
        "opponent": {"class": "warrior", "health": 6, "hand": ["Fiery War Axe", "Execute"],
                     "deck": ["Shield Block", "Brawl", "Gorehowl"]}})
    one = replace(house.hall.drills.of(1, 1).exercise, position=true)
    house.hall.drills.put(1, [one])
    drawn, first = set(), hsevo.Game.at(true)
    for _ in range(8):
        with sit(house, 0) as socket:
            frame = socket.receive_json()
            hands = [view["me"]["hand"] for view in (frame["view"], first.view(0))]
            for held in hands[0] + hands[1]:
                del held["number"]  # each game has its own
            assert hands[0] == hands[1]
            assert frame["view"]["opponent"] == first.view(0)["opponent"]
            socket.send_json(said(frame, "play Arcane Intellect"))
            hand = socket.receive_json()["view"]["me"]["hand"]
            drawn.add(tuple(sorted(card["card"] for card in hand)))
    assert len(drawn) > 2


def test_equal_exercises_keep_how_they_went(house: Door) -> None:
    drills, found = house.hall.drills, [one.exercise for one in house.hall.drills]
    drills.note(1, 0, True, "2026-11-26T12:00:00+00:00")
    kept = drills.of(1, 0).tries
    drills.put(1, [replace(found[1], step=found[1].step + 2), found[1], found[0]])
    assert [tries(house, place) for place in range(3)] == [Tries(), Tries(), kept]
    assert [one.tries for one in Drills(house.games.path)] == [Tries(), Tries(), kept]


def test_after_the_answer_nothing_counts(house: Door) -> None:
    one = house.hall.drills.of(1, 0).exercise
    with sit(house, 0) as socket:
        frame = socket.receive_json()
        socket.send_json({"do": "answer"})
        assert socket.receive_json()["solved"] is None
        socket.send_json(said(frame, one.line[0]))
        assert socket.receive_json()["solved"]
    assert (tries(house, 0).tries, tries(house, 0).row) == (1, 0)


def test_the_answer_names_no_card_that_was_still_in_the_deck(house: Door) -> None:
    one = house.hall.drills.of(1, 0).exercise
    position = hsevo.Position({
        "me": {"class": "mage", "crystals": 10, "hand": ["Arcane Intellect", "Frostbolt"],
               "deck": ["2x Fireball"]},
        "opponent": {"class": "warrior"}})
    line = ("play Frostbolt at the enemy hero", "play Arcane Intellect",
            "play Fireball at the enemy hero", "end the turn")
    house.hall.drills.put(1, [replace(one, position=position, line=line)])
    with sit(house, 0) as socket:
        socket.receive_json()
        socket.send_json({"do": "answer"})
        answer = socket.receive_json()["answer"]
    assert answer["line"] == [*line[:2], "then continue with the drawn cards"]
    assert "Fireball" not in json.dumps(answer["line"])


@pytest.mark.parametrize("solves", [True, False])
def test_a_lethal_is_played_to_the_end_of_the_turn(house: Door, solves: bool) -> None:
    one = house.hall.drills.of(1, 1).exercise
    with sit(house, 1) as socket:
        frame = socket.receive_json()
        for text in one.line if solves else ("end the turn",):
            socket.send_json(said(frame, text))
            frame = socket.receive_json()
            assert frame["kind"] == "state"
        verdict = socket.receive_json()
    assert verdict["solved"] is solves
    assert tries(house, 1).row == solves


@pytest.mark.parametrize("message", [
    {"do": "hint", "agent": "gsv"}, {"do": "concede"}, {"do": "step", "at": 0}, {"do": "note"},
    {"do": "move", "move": 10**6, "at": 0}, {"do": "move", "move": 0, "at": 5},
    {"do": "move", "move": "0", "at": 0}, {"do": "move"}, [], None,
    {"do": "why", "from": ["me", "deck", 0]}])
def test_hostile_messages_change_nothing(house: Door, message: Any) -> None:
    with sit(house, 0) as socket:
        socket.receive_json()
        socket.send_json(message)
        assert socket.receive_json()["kind"] == "refused"
    assert tries(house, 0) == Tries()


@pytest.mark.parametrize("path", ["/exercise/1/9", "/exercise/2/0", "/exercise/1/x",
                                  "/exercise/..%2f1/0", "/exercise/1/-1"])
def test_no_other_exercise_is_there(house: Door, path: str) -> None:
    assert house.client.get(path).status_code == 404
    with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(
            f"ws://{HOST}{path}/play", headers=ORIGIN):
        pass


def test_no_exercise_without_a_cookie_or_from_another_site(house: Door) -> None:
    with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(
            f"ws://{HOST}/exercise/1/0/play", headers={"origin": "http://evil.example"}):
        pass
    stranger = house.from_address("127.0.0.1")
    for path in ("/exercises", "/exercise/1/0", "/exercise/1/0/next"):
        assert stranger.get(path).status_code == 401


def test_what_is_solved_comes_again_later(house: Door) -> None:
    drills = house.hall.drills
    drills.note(1, 0, True, "2026-11-26T12:00:00+00:00")
    found = drills.next("2026-11-26T13:00:00+00:00")
    assert found is not None
    assert found.place == 1
    assert drills.next("2026-11-26T13:00:00+00:00", (1, 1)) is None
    for days, hours, due in ((1, 23, False), (2, 0, True)):
        moment = datetime.fromisoformat("2026-11-26T12:00:00+00:00") + timedelta(days, hours=hours)
        assert drills.of(1, 0).is_due(moment.isoformat()) is due
    assert [Tries(9, row, "2026-01-01T00:00:00+00:00").due[:10] for row in (1, 2, 3, 99)] == [
        "2026-01-03", "2026-01-05", "2026-01-09", "2026-03-06"]
    solved = drills.of(1, 0).tries
    for early in (True, False):
        drills.note(1, 0, early, "2026-11-27T12:00:00+00:00")
        assert drills.of(1, 0).tries == solved
    drills.note(1, 0, False, "2026-11-29T12:00:00+00:00")
    assert drills.of(1, 0).tries == Tries(2, 0, "2026-11-29T12:00:00+00:00")
    assert drills.of(1, 0).tries.due[:10] == "2026-11-30"


@pytest.mark.parametrize("place", [0, 1])
def test_a_solution_that_could_not_be_noted_counts_when_it_is_made_again(house: Door,
                                                                         place: int) -> None:
    one = house.hall.drills.of(1, place).exercise
    with sit(house, place) as socket:
        frame = socket.receive_json()
        for text in one.line[:-1] if place else ():
            socket.send_json(said(frame, text))
            frame = socket.receive_json()
        last = said(frame, one.line[-1] if place else one.line[0])
        with pytest.MonkeyPatch.context() as patch:
            full_disk(patch, "tries.json")
            socket.send_json(last)
            answer = socket.receive_json()
            assert answer["kind"] == "refused"
            assert "cannot write" in answer["why"]
        assert tries(house, place).tries == 0
        socket.send_json(last)
        while (verdict := socket.receive_json())["kind"] != "verdict":
            pass
        assert verdict["solved"]
    assert (tries(house, place).tries, tries(house, place).row) == (1, 1)


@pytest.mark.parametrize("name", ["0001.json", "tries.json"])
def test_exercises_and_their_tries_are_replaced_together(house: Door, name: str) -> None:
    drills = house.hall.drills
    drills.note(1, 1, True, "2026-11-26T12:00:00+00:00")
    both = [one.exercise for one in drills]
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, name)
        with pytest.raises(RunError, match="cannot write"):
            drills.put(1, both[::-1])
    for now in (drills, Drills(house.games.path)):
        assert [(one.exercise, one.tries.tries) for one in now] == [(both[0], 0), (both[1], 1)]
    drills.put(1, both[::-1])
    for now in (drills, Drills(house.games.path)):
        assert [(one.exercise, one.tries.tries) for one in now] == [(both[1], 1), (both[0], 0)]


def test_decisions_that_could_not_be_kept_are_not_there(house: Door) -> None:
    table = hsevo.analyse(house.games.load(1), games=2, budget=0, **TEAM).decisions
    judged = house.hall.judged
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, "0001.json")
        with pytest.raises(RunError, match="cannot write"):
            judged.put(1, table)
    assert not judged.any([1])
    assert judged.of([1]).empty
    judged.put(1, table)
    assert len(judged.of([1])) == len(table)
    judged._files.drop("0001")


def test_a_clock_that_was_set_back_hides_no_exercise(house: Door) -> None:
    drills = house.hall.drills
    drills.note(1, 0, True, "2099-01-01T00:00:00+00:00")
    assert drills.of(1, 0).is_due("2026-11-26T12:00:00+00:00")
    drills.note(1, 0, True, "2026-11-26T12:00:00+00:00")
    assert drills.of(1, 0).tries == Tries(2, 2, "2026-11-26T12:00:00+00:00")
    assert not drills.of(1, 0).is_due("2026-11-26T13:00:00+00:00")


def test_the_page_of_all_says_what_is_to_be_done(house: Door) -> None:
    page = house.client.get("/exercises").text
    assert "2 of 2 due" in page
    assert page.count("<b>new</b>") == 2
    assert '<a href="/exercises">' in house.client.get("/").text
    to = house.client.get("/exercise/1/0/next", follow_redirects=False).headers["location"]
    assert to == "/exercise/1/1"
    for place in (0, 1):
        with sit(house, place) as socket:
            socket.receive_json()
            socket.send_json({"do": "answer"})
            socket.receive_json()
    assert house.client.get("/exercises").text.count("<b>not solved</b>") == 2


def test_all_is_there_after_a_restart_and_damage_is_named(house: Door) -> None:
    house.hall.drills.note(1, 1, True, "2026-11-26T12:00:00+00:00")
    again = Drills(house.games.path)
    assert [(one.exercise, one.tries) for one in again] == [
        (one.exercise, one.tries) for one in house.hall.drills]
    for row, last in ((1, "soon"), ("x", "2026-11-26"), ([1], "2026-11-26"), (-1, "2026-11-26"),
                      (1, "9999-12-31T00:00:00+00:00")):
        damaged = {"1-0": {"tries": 1, "row": row, "last": last}}
        again._tries.file(TRIES).write_text(json.dumps(damaged))
        with pytest.raises(RunError, match=r"tries\.json is damaged"):
            [*Drills(house.games.path)]


def test_finding_mistakes_makes_exercises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          made: tuple[Door, list[Exercise]]) -> None:
    monkeypatch.setattr(mistakes, "GAMES", 1)
    monkeypatch.setattr(mistakes, "exercises", lambda *_, **__: made[1])
    with door(tmp_path / "play") as house:
        number = house.begin(seed=16)
        with house.sit(number) as socket:
            socket.receive_json()
            socket.send_json({"do": "concede"})
            socket.receive_json()
        house.client.post(f"/game/{number}/analyse", headers=ORIGIN)
        page = house.client.get(f"/game/{number}/mistakes").text
        assert 'href="/exercises"' in page
        assert '<a href="/build">' in page
        assert "a game: you (" in page
        assert "human" not in re.sub(r"<(style|script type=.module).*?</(style|script)>", "", page,
                                     flags=re.DOTALL)
        assert len([*house.hall.drills]) == 2
        assert "of this folder" not in house.client.get("/exercises").text  # nothing was decided
        for other in (number, *(house.begin() for _ in range(5))):
            house.hall.judged.put(other, attacks([0.04, 0.06], 1))
            if other == number:
                page = house.client.get("/exercises").text
                assert "in the one analysed game of this folder" in page
                assert "No repeated mistake" in page
        page = house.client.get("/exercises").text
        assert "You attacked the hero too early in the turn: 12 times in 24" in page
        assert "in the 6 analysed games of this folder" in page


def test_each_sees_what_one_played_oneself(
        tmp_path: Path, made: tuple[Door, list[Exercise]]) -> None:
    with door(tmp_path / "play") as house:
        for _ in range(2):  # of an earlier version: nobody knows who plays them
            game = hsevo.Game("mage", "warrior", [None, "eva:2018"])
            number = house.games.new("2017-01-31T12:00:00+00:00", 0, game).number
            house.hall.judged.put(number, attacks([0.04, 0.06], 1))
        other = house.another()  # neither opened the first page: a seat comes with a game, too
        for client in (house.client, house.client, other):
            number = client.post("/games", json=WISH, headers=ORIGIN).json()["number"]
            house.hall.judged.put(number, attacks([0.04, 0.06], 1))
            house.hall.drills.put(number, made[1][:1])
        assert len({one.person for one in house.hall.games.facts}) == 3
        for client, games, mine in ((house.client, 4, {3, 4}), (other, 3, {5})):
            page = client.get("/exercises").text
            assert f"in the {games} analysed games of this folder" in page
            assert {int(found) for found in re.findall(r'<a href="/exercise/(\d+)/0"><b>', page)
                    } == mine
            to = client.get("/exercise/9/0/next", follow_redirects=False).headers["location"]
            assert to == f"/exercise/{max(mine)}/0"
        house.hall.drills.put(1, made[1][:1])
        for client, theirs, mine in ((house.client, 5, {1, 3, 4}), (other, 3, {1, 5})):
            for number in (theirs, *mine):
                path, opened = f"/exercise/{number}/0", False
                with suppress(WebSocketDisconnect), client.websocket_connect(
                        f"ws://{HOST}{path}/play", headers=ORIGIN):
                    opened = True
                assert opened is (number in mine)
                assert client.get(path).status_code == (200 if number in mine else 404)
        assert played.shared(tmp_path / "play")
        refused = other.post("/game/99/analyse", headers=ORIGIN)
        assert (refused.status_code, str(tmp_path) in refused.text) == (400, False)
        nowhere = house.client.get("/exercise/99/0")
        assert (nowhere.status_code, str(tmp_path) in nowhere.text) == (404, False)
