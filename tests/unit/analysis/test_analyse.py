"""`hsevo.analyse` and `hsevo analyse`: what they take, what they write, what they refuse."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hsevo
from hsevo.errors import HsevoError
from hsevo.replays.played import PlayedGames
from hsevo.replays.replay import spoken
from tests.support import command
from tests.support.game_page import Seen, data_of

TEAM: dict[str, Any] = {"games": 2, "backend": "serial", "agent": "eva:2018", "players": "eva:2018",
                        "budget": 300}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a match, and one with a game that somebody played in seat 1."""
    path = tmp_path_factory.mktemp("analysed")
    hsevo.match("random", "eva:2018", games=4, decks=["mage"], out=path / "match", seed=2)
    games = PlayedGames(path / "played")
    game = hsevo.Game("mage", "warrior", ["eva:2018", None], 3)
    facts = games.new("2017-01-31T12:00:00+00:00", 1, game)
    for number in range(1_000):
        game.run()
        if game.over:
            break
        game.play(game.moves[-1 if number < 8 else 0])  # soon it ends its turns: a short game
    games.save(facts, game)
    games.close()
    game.save(path / "saved.json")
    return path


def test_a_game_of_a_folder_a_file_and_a_replay_are_the_same(folder: Path) -> None:
    found = hsevo.analyse(folder / "played", **TEAM)
    assert set(found.decisions["player"]) == {1}  # the human
    for source in (folder / "played" / "games" / "0001.json", folder / "saved.json",
                   hsevo.replay(folder / "played"), hsevo.Game.load(folder / "saved.json")):
        other = hsevo.analyse(source, **TEAM)
        pd.testing.assert_frame_equal(other.decisions, found.decisions)
    agent = hsevo.analyse(folder / "played", side="b", **TEAM)
    assert set(agent.decisions["player"]) == {0}


def test_the_side_is_who_was_asked_for(folder: Path) -> None:
    for name in ("random", "eva:2018"):
        found = hsevo.analyse(folder / "match", a=name, part=1, **TEAM)
        assert {found.names[seat] for seat in found.decisions["player"]} == {name}
        assert found.title.startswith(f"match: {name} (mage) against")


@pytest.mark.parametrize(("arguments", "says"), [
    ({"side": "c"}, "side is 'c', but must be one of a, b, both"),
    ({"games": 0}, "games is 0, but must be a whole number from 1 to 100,000"),
    ({"budget": -1}, "budget is -1, but must be a whole number from 1 to 1,000,000,000"),
    ({"games": True}, "games is True, but must be"),
    ({"part": 99}, "there is no part 99"),
    ({"agent": None}, "the agent is None"),
    ({"agent": "eva:2019"}, "eva:2019"),
    ({"players": "no-such"}, "no-such"),
])
def test_bad_arguments_get_one_line(folder: Path, arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as error:
        hsevo.analyse(folder / "match", **arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_game_takes_no_arguments_of_a_folder(folder: Path) -> None:
    with pytest.raises(HsevoError, match="part, longest can't be given: the source is one game"):
        hsevo.analyse(folder / "saved.json", part=1, longest=True)
    with pytest.raises(HsevoError, match="the source is 7, but must be a folder"):
        hsevo.analyse(7)  # type: ignore[arg-type]


def test_the_command_prints_writes_and_says_it_in_json(folder: Path) -> None:
    words = ("analyse", folder / "match", "--a", "random", "--part", 0, "--games", 10, "--seed", 2,
             "--backend", "serial", "--agent", "eva:2018", "--players", "eva:2018",
             "--budget", 300)
    out = folder / "decisions.csv"
    shown = command.hsevo(*words, "--worst", 1, "--out", out, "--html", folder / "page.html")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.count("  made:") == shown.stdout.count("  better:") == 1
    table = pd.read_csv(out)
    found = hsevo.analyse(folder / "match", a="random", part=0, **TEAM | {"games": 10, "seed": 2})
    assert table["loss"].tolist() == pytest.approx(found.decisions["loss"].tolist())
    assert table["line"].fillna("").tolist() == ["; ".join(one) for one in found.decisions["line"]]
    check_page(folder / "page.html", found, 1)
    assert "lethal, of " in shown.stdout
    assert "lethal, of " not in command.hsevo(*words, "--budget", 0, "--games", 2).stdout
    said = json.loads(command.hsevo(*words, "--json").stdout)
    assert len(said["decisions"]) == len(table)
    assert said["turns"][0]["loss"]["low"] <= said["turns"][0]["loss"]["value"]
    assert said["loss"]["value"] == pytest.approx(table["loss"].mean())


def check_page(file: Path, found: hsevo.Analysis, most: int) -> None:
    """The page has links to the turns that cost most, and says what they cost."""
    assert file.read_text() == found.page(most)
    seen = Seen(file.read_text())
    worst = found.worst(most)
    links = [about["href"] for tag, about in seen.elements if tag == "a"]
    # Of this step, to the beginning, and to each.
    assert links[1:] == ["#step-1", *(f"#step-{step + 1}" for step in worst["step"])]
    for row in worst.to_dict("records"):
        assert f"Turn {row['turn']}, random: {100 * row['loss']:.0f} points" in seen.text
        assert spoken("; ".join(row["better"])) in seen.text


def test_the_command_refuses_in_one_line(folder: Path) -> None:
    for words in (("no-such",), (folder / "match", "--won", "--lost"), (folder / "match",
                  "--part", 99), (folder / "saved.json", "--part", 1),
                  (folder / "match", "--out", folder / "no" / "where.csv")):
        refused = command.hsevo("analyse", *words)
        assert refused.exit_code == 2, refused.output
        assert len(refused.stderr.strip().splitlines()) == 1


def test_mistakes_over_many_games_are_those_of_each(folder: Path) -> None:
    many = hsevo.mistakes(folder / "match", 2, a="random", **TEAM)
    assert len(many.analyses) == 2
    for part, one in enumerate(many.analyses):
        alone = hsevo.analyse(folder / "match", a="random", part=part, **TEAM)
        pd.testing.assert_frame_equal(one.decisions, alone.decisions)
    kinds, every = many.kinds, many.decisions
    assert kinds["decisions"].sum() == len(every)
    assert kinds["total"].is_monotonic_decreasing
    for row in kinds.to_dict("records"):
        some = every[every["kind"] == row["kind"]]
        assert row["loss"] == pytest.approx(some["loss"].mean())
        assert row["total"] == pytest.approx(some["loss"].sum())
        assert row["other"] == (some["better"] != "").sum()
        assert row["loss_low"] <= row["loss"] <= row["loss_high"]
    assert many.missed == sum((one.turns["lethal"] == "missed").sum() for one in many.analyses)


def test_arguments_of_mistakes_are_named() -> None:
    """As those of `analyse` are: what is misspelt is not taken."""
    functions: tuple[Any, ...] = (hsevo.mistakes, hsevo.analyse, hsevo.replay)
    for function in functions:
        said = rf"{function.__name__}\(\) got .* 'deck'; did you mean 'deck_b'"
        with pytest.raises(TypeError, match=said):
            function("nowhere", deck="mage")


def test_the_command_prints_a_table_of_mistakes(folder: Path) -> None:
    words = ("analyse", folder / "match", "--a", "random", "--all", 2, "--games", 2, "--backend",
             "serial", "--agent", "eva:2018", "--players", "eva:2018", "--budget", 300)
    shown = command.hsevo(*words, "--out", folder / "all.csv")
    assert shown.exit_code == 0, shown.output
    assert "2 games, " in shown.stdout
    assert "end of turn" in shown.stdout
    assert set(pd.read_csv(folder / "all.csv")["game"]) == {0, 1}
    said = json.loads(command.hsevo(*words, "--json").stdout)
    assert said["games"] == 2
    assert {row["kind"] for row in said["kinds"]} == {row["kind"] for row in said["decisions"]}
    assert said["sentences"] == []  # of two games nothing is
    assert not any("loss_low" in row for row in said["habits"])  # so there is no interval
    assert "No repeated mistake" in " ".join(shown.stdout.split())
    assert "--part and --all can't be combined" in command.fails(*words, "--part", 1)
    assert "--html needs a single game" in command.fails(*words, "--html", folder / "no.html")
    with pytest.raises(HsevoError, match="most is 0, but must be a whole number, at least 1"):
        hsevo.mistakes(folder / "match", 0)
    with pytest.raises(HsevoError, match="has no such game"):
        hsevo.mistakes(folder / "played", a="no one")


def test_the_curve_of_a_page_is_what_its_decisions_cost(folder: Path) -> None:
    """One estimator: a decision lowers the curve by what the list says that it cost."""
    for side in ("a", "b", "both"):
        found = hsevo.analyse(folder / "saved.json", side=side, **TEAM | {"games": 20})
        chances = data_of(found.page())["chances"]
        assert (chances["sampled"], chances["games"], chances["players"]) == (
            True, 20, ["eva:2018"] * 2)
        points = [(one["step"], one["chance"]) for one in chances["points"]]
        below = data_of(found.page())["below"]
        for row, at in zip(found.decisions.to_dict("records"), range(0, len(points), 2),
                           strict=False):
            (before, was), (after, now) = points[at:at + 2]
            assert (before, after) == (row["step"], row["step"] + 1)
            assert was - now == pytest.approx(row["loss"] * (1 if row["player"] == below else -1))
        assert points[-1] == (len(found.game.history), float(found.game.winner == below))


def test_the_better_lines_are_stepped_through(folder: Path) -> None:
    found = hsevo.analyse(folder / "saved.json", side="both", **TEAM | {"games": 20})
    data = data_of(found.page())
    assert len(data["lines"]) == len(data["costly"]) > 0
    lines = found.decisions.set_index("step")["line"]
    for step, line in zip(data["costly"], data["lines"], strict=True):
        made = [one["options"][0]["text"] for one in line[:-1]]
        assert made == [spoken(text) for text in lines[step]]
        assert line[0]["scene"] == data["steps"][step]["scene"]
        assert line[-1]["options"] == []
