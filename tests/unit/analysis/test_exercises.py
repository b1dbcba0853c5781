"""Exercises of one's own mistakes: what becomes one, what is known of its moves, its file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hsevo
from hsevo.errors import GameError, HsevoError
from hsevo.play.position import Position
from tests.support import command

TEAM: dict[str, Any] = {"agent": "eva:2018", "players": "eva:2018", "backend": "serial"}
LETHAL = {"me": {"class": "mage", "hand": ["Fireball", "Frostbolt"], "crystals": 4},
          "opponent": {"class": "warrior", "health": 6, "board": ["Sen'jin Shieldmasta"]}}


@pytest.fixture(scope="module")
def played() -> hsevo.Game:
    """Return a game that a random player lost."""
    game = hsevo.Game("mage", "warrior", ["random", "eva:2018"], 3)
    game.run()
    return game


@pytest.fixture(scope="module")
def analysed(played: hsevo.Game) -> hsevo.Analysis:
    return hsevo.analyse(played, games=20, budget=300, **TEAM)


@pytest.fixture(scope="module")
def found(analysed: hsevo.Analysis) -> hsevo.Exercises:
    return hsevo.exercises(analysed, 3, moves=3, backend="serial")


def test_what_surely_cost_something_becomes_an_exercise(
        analysed: hsevo.Analysis, found: hsevo.Exercises) -> None:
    assert len(found) > 1
    table = analysed.decisions.set_index("step")
    for one in found:
        row = table.loc[one.step]
        assert row["loss_low"] > 0
        assert (one.made, one.line) == ((row["move"],), row["line"])
        same = table[(table["turn"] == row["turn"]) & (table["better"] != "")]
        assert row["loss"] == same["loss"].max()
    losses = [table.loc[one.step]["loss"] for one in found]
    assert losses == sorted(losses, reverse=True)


def test_its_moves_are_valued_in_other_games_than_the_mistake_was_found_in(
        analysed: hsevo.Analysis, found: hsevo.Exercises) -> None:
    table = analysed.decisions.set_index("step")
    for one in found:
        made, best = one.cost(one.made[0]), one.cost(one.line[0])
        assert made is not None
        assert best is not None
        assert made["loss_low"] > 0
        assert best["loss"] == 0
        assert made["loss"] == pytest.approx(best["chance"] - made["chance"])
        assert (one.solves(one.made[0]), one.solves(one.line[0])) == (False, True)
        assert one.solves("dance") is None
    costs = [one.cost(one.made[0]) for one in found]
    assert [cost and cost["loss"] for cost in costs] != [
        table.loc[one.step]["loss"] for one in found]


def test_what_luck_made_is_no_exercise(analysed: hsevo.Analysis) -> None:
    """All decisions are taken for mistakes, as if all had been unlucky; few are confirmed."""
    lucky = analysed.decisions.assign(loss_low=0.01)
    wrong = lucky[lucky["better"] != ""]
    turns = wrong["turn"].nunique()
    kept = hsevo.exercises(replace(analysed, decisions=lucky), 100, moves=1, backend="serial")
    assert 0 < len(kept) < turns
    for one in kept:
        assert one.solves(one.made[0]) is False
    again = hsevo.exercises(replace(analysed, decisions=lucky), 100, moves=1, backend="serial")
    assert again == kept


def test_any_move_has_its_cost_on_demand(found: hsevo.Exercises) -> None:
    one = found[0]
    others = {move.text for move in hsevo.Game.at(one.position).moves} - {*one.moves["move"]}
    known = hsevo.cost_of(one, one.made[0], players="eva:2018")
    assert known["loss"] == pytest.approx(one.cost(one.made[0])["loss"], abs=0.4)  # type: ignore[index]
    assert hsevo.cost_of(one, one.line[0], players="eva:2018")["loss"] == 0
    for text in sorted(others)[:2]:
        cost = hsevo.cost_of(one, text, players="eva:2018")
        assert cost["loss_low"] <= cost["loss"] <= cost["loss_high"]
        assert cost == hsevo.cost_of(one, text, players="eva:2018")
    with pytest.raises(GameError, match="'dance' is not a move there"):
        hsevo.cost_of(one, "dance", players="eva:2018")


def test_its_position_is_that_of_the_game(played: hsevo.Game, found: hsevo.Exercises) -> None:
    for one in found:
        then = played.before(one.step)
        assert one.position == then.position()
        texts = {move.text for move in hsevo.Game.at(one.position).moves}
        assert {*one.moves["move"]} <= texts == {move.text for move in then.moves}


def test_a_missed_lethal_becomes_one() -> None:
    game = hsevo.Game.at(LETHAL, [None, "eva:2018"])
    wasted = next(move for move in game.moves if "Frostbolt at Sen'jin" in move.text)
    game.play(wasted)
    game.play(game.moves[-1])
    found = hsevo.exercises(hsevo.analyse(game, games=2, **TEAM), backend="serial")
    assert (found[0].ask, found[0].step, found[0].moves.empty) == ("lethal", 0, True)
    assert found[0].made[0] == wasted.text
    again = hsevo.Game.at(found[0].position)
    for text in found[0].line:
        again.play(next(move for move in again.moves if move.text == text))
    assert again.winner == 0


def test_many_games_give_the_dearest_of_all(analysed: hsevo.Analysis,
                                            found: hsevo.Exercises) -> None:
    both = hsevo.exercises(hsevo.Mistakes((analysed, analysed)), 2, moves=1, backend="serial")
    assert [one.step for one in both] == [found[0].step] * 2


def test_a_file_has_all_of_them(found: hsevo.Exercises, tmp_path: Path) -> None:
    again = hsevo.Exercises.read(found.write(tmp_path / "mine.json"))
    assert again == found
    for one, other in zip(found, again, strict=True):
        pd.testing.assert_frame_equal(one.moves, other.moves)


@pytest.mark.parametrize(("change", "says"), [
    ({"format": "other"}, "format"), ({"exercises": [{}]}, "exercises.0"),
    ({"more": 1}, "more"), ({"exercises": 3}, "exercises")])
def test_another_file_is_refused_in_one_line(tmp_path: Path, change: dict[str, Any],
                                             says: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"format": "hsevo exercises", "exercises": []} | change))
    with pytest.raises(HsevoError, match=says) as error:
        hsevo.Exercises.read(file)
    assert "bad.json" in str(error.value)


def test_a_file_s_position_names_no_deck(found: hsevo.Exercises, tmp_path: Path) -> None:
    data = json.loads(found.write(tmp_path / "mine.json").read_text())
    data["exercises"][0]["position"]["me"]["deck_list"] = "/etc/passwd"
    (tmp_path / "mine.json").write_text(json.dumps(data))
    with pytest.raises(HsevoError, match="names the deck /etc/passwd"):
        hsevo.Exercises.read(tmp_path / "mine.json")


@pytest.mark.parametrize(("arguments", "says"), [
    ({"most": 0}, "most is 0, but must be a whole number from 1 to 1,000"),
    ({"moves": True}, "moves is True"),
    ({"games": 5}, "games can't be given: the games are analysed already")])
def test_bad_arguments_get_one_line(analysed: hsevo.Analysis, arguments: dict[str, Any],
                                    says: str) -> None:
    with pytest.raises(HsevoError, match=says):
        hsevo.exercises(analysed, **arguments)
    with pytest.raises(HsevoError, match="this is a position"):
        hsevo.exercises(Position(LETHAL), games=2, **TEAM)  # type: ignore[arg-type]


def test_the_command_writes_them(played: hsevo.Game, tmp_path: Path) -> None:
    game, file = tmp_path / "game.json", tmp_path / "mine.json"
    played.save(game)
    words = ("analyse", game, "--games", 20, "--budget", 0, "--worst", 1, "--agent", "eva:2018",
             "--players", "eva:2018", "--backend", "serial", "--exercises")
    shown = command.hsevo(*words, file)
    assert shown.exit_code == 0, shown.output
    assert "mine.json: 1 exercise\n" in shown.stdout
    (one,) = hsevo.Exercises.read(file)
    lost = one.cost(one.made[0])
    assert lost
    points = [f"{100 * lost[name]:.0f}" for name in ("loss", "loss_low", "loss_high")]
    assert (f"turn {one.turn}, decision {one.step}: {one.made[0]} cost {points[0]} points"
            f" ({points[1]} to {points[2]})") in " ".join(shown.stdout.split())
    refused = command.hsevo(*words, tmp_path / "no" / "where.json")
    assert refused.exit_code == 2
    assert len(refused.stderr.strip().splitlines()) == 1
