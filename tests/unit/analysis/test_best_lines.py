"""The best lines at a position: chances checked by playing on, what is said, what is refused."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.engine.record.state import WIN_0
from hsevo.errors import HsevoError
from hsevo.replays import decisions
from hsevo.strength.games import as_player
from tests.support import ROOT, command

TEAM: dict[str, Any] = {"games": 20, "backend": "serial", "agent": "eva:2018",
                        "players": "eva:2018"}
WORDS = [part for name, value in TEAM.items() for part in (f"--{name}", value)]
EXAMPLES = ROOT / "examples" / "positions"
ONE_ATTACK: dict[str, Any] = {  # the attack wins; without it, the opponent's does
    "me": {"class": "mage", "health": 1, "board": ["Wisp"], "hand": ["Mirror Image"],
           "crystals": 0, "deck_list": "mage"},
    "opponent": {"class": "warrior", "health": 1, "board": ["Frothing Berserker"],
                 "deck_list": "warrior", "unknown_in_hand": 3}}


@pytest.fixture(scope="module")
def game() -> hsevo.Game:
    game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    game.run()
    return game


@pytest.fixture(scope="module")
def found(game: hsevo.Game) -> hsevo.BestLines:
    """Return an analysis of the first decision of player 1 from the tenth on."""
    step = next(step for step in range(10, 99) if game.before(step).player == 1
                and game.before(step).phase == "play" and len(game.before(step).moves) > 4)
    return hsevo.analyse(hsevo.position(game, step), **TEAM)


def test_chances_are_the_shares_of_games_that_were_won(found: hsevo.BestLines) -> None:
    game = hsevo.Game.at(found.position)
    moves = {move.text: move.index for move in game.moves}
    first = tuple(moves[line[0]] for line in found.lines["line"])
    both = [as_player("eva:2018", game.setting.decks, seat) for seat in (0, 1)]
    asked = decisions.JudgedDecision(0, *[None] * 13, moves=first)  # type: ignore[arg-type]
    won = np.concatenate([decisions.play_on(*job) for job in decisions.jobs(
        game, [asked], both, found.games, found.seed)], axis=1) == WIN_0 + 1
    table = found.lines
    assert table["chance"].tolist() == won.mean(axis=1).tolist()
    assert table["behind"].tolist() == pytest.approx((won[0].mean() - won.mean(axis=1)).tolist())
    assert table["chance"].is_monotonic_decreasing
    assert (table["chance_low"] <= table["chance"]).all()
    assert (table["chance_high"] >= table["chance"]).all()


def test_one_line_begins_with_the_analysts_own_move(found: hsevo.BestLines) -> None:
    game = hsevo.Game.at(found.position)
    own = found.lines[found.lines["own"]]
    assert [line[0] for line in own["line"]] == [game.ask("eva:2018").text]
    assert found.chance.value == own["chance"].item()
    assert len({line[0] for line in found.lines["line"]}) == len(found.lines) == 5


def test_a_win_comes_first_with_and_without_a_search_for_it() -> None:
    for budget, answer in ((1_000, "yes"), (0, "")):
        best = hsevo.analyse(ONE_ATTACK, budget=budget, **TEAM)
        assert best.lethal == answer
        assert best.lines.iloc[0]["line"][0].startswith("attack the enemy hero")
        assert best.lines.iloc[0]["chance"] == best.chance.value == 1
    assert best.lines["chance"].tolist() == [1, 0, 0]  # the other attack, the end of the turn


def test_what_is_hidden_does_not_count(found: hsevo.BestLines) -> None:
    """The same answer, whatever of its deck the opponent holds, and in whatever order mine is."""
    data = copy.deepcopy(found.position.data)
    other = data["opponent"]
    held = [k for k, one in enumerate(other["hand"]) if isinstance(one, str) and one != "The Coin"]
    assert held
    other["hand"][held[0]], other["deck"][0] = other["deck"][0], other["hand"][held[0]]
    data["me"]["deck"] = data["me"]["deck"][::-1]
    data["ordered"] = True
    position = hsevo.Position(data)
    assert position.decks == found.position.decks
    assert position != found.position
    again = hsevo.analyse(position, **TEAM)
    assert 0 < found.chance.value < 1
    pd.testing.assert_frame_equal(again.lines, found.lines)


def test_any_workers_give_the_same(found: hsevo.BestLines) -> None:
    again = hsevo.analyse(found.position, **TEAM | {"backend": None, "workers": 2})
    pd.testing.assert_frame_equal(again.lines, found.lines)


def test_the_command_takes_a_position_out_of_a_game(game: hsevo.Game, found: hsevo.BestLines,
                                                    tmp_path: Path) -> None:
    game.save(tmp_path / "game.json")
    step = next(step for step in range(len(game.history))
                if game.before(step).turn == found.position.state[0]["turn"]
                and game.before(step).position() == found.position)
    file, table = tmp_path / "mine.json", tmp_path / "lines.csv"
    shown = command.hsevo("analyse", tmp_path / "game.json", "--at", step, "--save", file, "--out",
                          table, *WORDS)
    assert shown.exit_code == 0, shown.output
    assert hsevo.Position.read(file) == found.position
    assert f"{100 * found.chance.value:.1f} % (95 % interval" in shown.stdout
    assert pd.read_csv(table)["chance"].tolist() == found.lines["chance"].tolist()
    said = json.loads(command.hsevo("analyse", file, "--json", *WORDS).stdout)
    assert said["lethal"]["answer"] == found.lethal
    assert said["lines"][0]["line"] == [*found.lines["line"].iloc[0]]
    assert said["chance"]["value"] == found.chance.value


def test_the_examples_are_what_they_say() -> None:
    shown = command.hsevo("analyse", EXAMPLES / "lethal.json")
    assert "lethal: yes: " in shown.stdout
    assert "Polymorph at Sen'jin" in shown.stdout
    assert hsevo.Position.read(EXAMPLES / "mage-against-warrior.json").decks[0].name == "mage"


def test_the_time_is_up_after_some_of_the_games(found: hsevo.BestLines,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the first ones, in the same worlds: the result is that of asking for so many."""
    how: dict[str, Any] = {"agent": "eva:2018", "players": "eva:2018", "backend": "serial"}
    clock = iter([100.0, 101.0, 104.0, 106.0])
    monkeypatch.setattr("hsevo.analysis.analysing.monotonic", lambda: next(clock))
    some = hsevo.analyse(found.position, games=40, seconds=5.0, **how)
    assert (some.games, some.wanted) == (15, 40)
    monkeypatch.undo()
    few = hsevo.analyse(found.position, games=15, **how)
    assert few.wanted == few.games == 15
    pd.testing.assert_frame_equal(some.lines, few.lines)


@pytest.mark.parametrize(("words", "says"), [
    (("--at", 100_000), "there is no decision 100000: the game has"),
    (("--save", "new.json"), "--save needs --at D"),
    (("--lines", 3), "lines can't be given: the source is a game"),
    (("--at", 12, "--all", 3), "--at and --all can't be combined"),
    (("--at", 12, "--lines", 101), "lines is 101, but must be a whole number from 1 to 100"),
    (("--at", 12, "--worst", 3), "--worst needs a single game. For a position, use"),
    (("--all", 2, "--worst", 3), "--worst needs a single game, or --exercises"),
    (("--seconds", 3), "seconds can't be given: the source is a game"),
    (("--at", 12, "--seconds", 0), "seconds is 0.0, but must be a number above 0"),
    (("--all", 2, "--seconds", 3), "--seconds and --all can't be combined"),
    (("--all", 2, "--lines", 3), "--lines and --all can't be combined"),
    (("--at", 12, "--side", "b"), "side can't be given: the source is a position"),
    (("--at", 12, "--part", 1), "part can't be given: the source is one game"),
    (("--at", 12, "--save", "game.json"), "game.json can't be written: it is the input file"),
    (("--at", 12, "--save", "a.json", "--out", "./a.json"), "can't be written"),
    (("--exercises", "game.json"), "game.json can't be written: it is the input file"),
])
def test_what_does_not_fit_gets_one_line(game: hsevo.Game, words: tuple[object, ...], says: str,
                                         tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps(game.save("game.json"), indent=1) + "\n"
    assert says in command.fails("analyse", "game.json", *words)
    assert not Path("new.json").exists()
    assert Path("game.json").read_text() == text


@pytest.mark.parametrize(("text", "says"), [
    ("{", "neither a saved game nor a position: it is not JSON (Expecting"),
    ("[" * 100_000, "neither a saved game nor a position: it is not JSON"),
    ('{"me": 1}', "me is 1, but must be a section"),
    ("{}", "is not a saved game"),
])
def test_bad_files_get_one_line(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    assert says in command.fails("analyse", file)


def test_bad_arguments_get_one_line(game: hsevo.Game) -> None:
    for at in (-1, True, "7"):
        with pytest.raises(HsevoError, match="but must be the number of a decision, at least 0"):
            hsevo.position(game, at)  # type: ignore[arg-type]
    with pytest.raises(HsevoError, match="the agent is None"):
        hsevo.analyse(ONE_ATTACK, agent=None)


def test_a_position_with_keys_that_fit_games_alone_gets_one_line(here: Path) -> None:
    hsevo.Position(ONE_ATTACK).write("one.json")
    assert "--all needs stored games, but one.json is a position" in command.fails(
        "analyse", "one.json", "--all", 3)
    Path("twice.json").write_text('{"me": {"class": "mage"}, "me": {"class": "rogue"}}')
    assert "'me' is given twice" in command.fails("analyse", "twice.json")
