"""What humans won in a folder of games: watched games and games from positions aside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from hsevo.play.tournament import wilson
from hsevo.replays import played
from hsevo.replays.played import HUMAN, LOST, OPEN, WON, GameFacts
from hsevo.strength.scores import left_out, rated, ratings, scores
from tests.support import command
from tests.support.playing import ORIGIN, door
from tests.unit.analysis.test_exercises import LETHAL

ONE = GameFacts(1, "2026-11-26T12:00:00+00:00", 0, HUMAN, "gsv", "mage", "warrior", 9, WON)


def test_each_pair_has_its_own_score() -> None:
    facts = [ONE, replace(ONE, result=LOST), replace(ONE, agent="rl:2026"),
             replace(ONE, human="eva:2018"), replace(ONE, result=OPEN), replace(ONE, built=True)]
    found = scores(facts)
    assert [(one.player, one.agent, one.games, one.won) for one in found] == [
        (HUMAN, "gsv", 2, 1), (HUMAN, "rl:2026", 1, 1), ("eva:2018", "gsv", 1, 1)]
    (low,), (high,) = wilson([1], [2])
    assert (found[0].rate.low, found[0].rate.high) == (low, high)


def test_a_human_is_rated_by_agents_of_the_panel() -> None:
    facts = [ONE, replace(ONE, result=LOST), replace(ONE, agent="eva:runs/mine"),
             replace(ONE, human="eva:2018"), replace(ONE, built=True), replace(ONE, result=OPEN)]
    found = rated(facts)
    assert found is not None
    assert found.games == 2
    assert found.rating.value == pytest.approx(ratings()["gsv"], abs=1)
    assert rated(facts[2:]) is None
    assert "rl:2026" in ratings()
    better = rated([ONE] * 5)
    assert better is not None
    assert better.rating.low > found.rating.low


def test_with_a_hint_a_repeat_or_other_rules_nobody_is_rated() -> None:
    flawed = [replace(ONE, hinted=True), replace(ONE, hinted=True), replace(ONE, repeat=True),
              replace(ONE, ruleset="msg2017"), replace(ONE, information="leaky")]
    others = [replace(ONE, hinted=True, agent="eva:runs/mine"), replace(ONE, result=OPEN)]
    assert rated([*flawed, *others]) is None
    found = rated([ONE, *flawed])
    assert found is not None
    assert (found, found.games) == (rated([ONE]), 1)
    assert left_out([ONE, *flawed, *others]) == (
        "1 of a seed that was played before, 2 under other rules than those of panel-2026c,"
        " 2 with a hint")
    assert left_out([ONE, *others]) == ""


def test_the_folder_knows_hints_seeds_and_rules(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        for seed in (5, 6, 5):
            number = house.begin(agent="random", seed=seed)
            with house.sit(number) as socket:
                frame = socket.receive_json()
                assert frame["facts"]["hinted"] is False
                if seed == 6:
                    while not frame["moves"]:
                        frame = socket.receive_json()
                    socket.send_json({"do": "hint", "agent": "random"})
                    while socket.receive_json()["kind"] != "hint":
                        pass
                socket.send_json({"do": "concede"})
                while not (frame := socket.receive_json()).get("over"):
                    pass
        known = house.hall.games.facts
        assert [(one.hinted, one.repeat) for one in known] == [
            (False, False), (True, False), (False, True)]
        page = house.client.get("/").text
    assert played.facts(tmp_path / "play") == known
    found = rated(known)
    assert found is not None
    assert found.games == 1
    line = "1 of a seed that was played before, 1 with a hint"
    assert f"Not included: {line}" in page
    shown = command.hsevo("play", "--out", tmp_path / "play", "--list").stdout
    assert f"not counted in a rating: {line}" in shown


def test_the_first_page_and_the_list_say_so(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        for seed, agent in enumerate(("gsv", "random")):
            number = house.begin(agent=agent, seed=seed)
            with house.sit(number) as socket:
                socket.receive_json()
                socket.send_json({"do": "concede"})
                while not socket.receive_json()["over"]:
                    pass
        wish = {"position": LETHAL, "agent": "random"}
        assert house.client.post("/position/play", json=wish, headers=ORIGIN).status_code == 200
        page = house.client.get("/").text
        assert "You against gsv: 0 of 1 won, 0 % (95 % interval 0 to 79)" in page
        assert "from 2 games against agents of panel-2026c" in page
        assert "from a position" in page
    shown = command.hsevo("play", "--out", tmp_path / "play", "--list").stdout
    assert "human against random: 0 of 1 won, 0 % (95 % interval 0 to 79)" in shown
    assert "the human's rating: " in shown
    with door(tmp_path / "play", watch=("eva:2018", "gsv")) as house:
        assert "You against gsv: 0 of 1 won" in house.client.get("/").text
