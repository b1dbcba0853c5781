"""Replay: a game comes out of its seed as it is stored, and what does not is said."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hsevo import Game, config
from hsevo import match as play_match
from hsevo.cards.decks import read_deck
from hsevo.config import Workers
from hsevo.errors import RunError
from hsevo.evolution.fitness import read_opponents
from hsevo.evolution.run import Run
from hsevo.play import match
from hsevo.play.workers import open_workers
from hsevo.replays import replay, stored
from hsevo.replays.replay import check
from hsevo.runs.folder import RunFolder
from tests.support.command import fails, hsevo

GAMES = 3


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run of the real engine that no test may change."""
    folder = tmp_path_factory.mktemp("real") / "run"
    plan = config.change(config.load("smoke"), {
        "games": GAMES, "decks": ["shaman", "mage"], "executions": 2, "evolution.generations": 2,
        "evolution.mu": 3, "evolution.lambda": 3})
    run = Run.make(folder, plan, [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor)
    run.close()
    return folder


def retell(path: Path, k: int = 0, **which: Any) -> list[str]:
    return list(replay.lines(replay.find(Run(path), **which), k))


def test_every_match_of_a_generation_comes_out_as_stored(path: Path) -> None:
    run = Run(path)
    table = replay.meetings(run, execution=1, generation=1)
    assert len(table) == 15 * 4
    for row in table.to_dict("records"):
        meeting = replay.find(run, **{name: row[name] for name in
                                      ("execution", "generation", "a", "b", "deck_a", "deck_b")})
        assert meeting.row == row
        assert check(meeting) == []


def test_races_mirrors_and_halls_of_fame_can_be_played_again(tmp_path: Path) -> None:
    plan = config.change(config.load("smoke"), {
        "games": 4, "decks": ["shaman", "mage"], "evolution.generations": 10, "evolution.mu": 2,
        "evolution.lambda": 2, "rating.common_random_numbers": True, "rating.hall_of_fame": 2,
        "rating.racing.rounds": 2, "rating.racing.confidence": 0.99})
    run = Run.make(tmp_path / "run", plan, [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor)
    run.close()
    people = run.population.groupby("generation")["individual"].agg(set)
    keys = ["generation", "a", "b", "deck_a", "deck_b"]
    tables = (replay.meetings(run, generation=number).drop_duplicates(keys)
              for number in range(1, 10))
    table = next(table for number, table in enumerate(tables, start=1)
                 if not {*table["a"], *table["b"]} <= people[number])  # a champion of old played
    for row in table.to_dict("records"):
        which = {name: row[name] for name in keys}
        parts = len(replay.meetings(run, **which))
        assert parts >= 2
        assert all(check(replay.find(run, **which, part=k)) == [] for k in range(parts))
        with pytest.raises(RunError, match=f"there is no part {parts}: {parts} matches fit, 0 to"):
            replay.find(run, **which, part=parts)


def test_the_games_that_are_told_add_up_to_the_match(path: Path) -> None:
    """Turns and winners, read from the text alone."""
    meeting = replay.find(Run(path))
    ends = [list(replay.lines(meeting, k))[-1].strip().splitlines()[0] for k in range(GAMES)]
    found = [re.search(r"== (individual \d+) \(\w+\) wins in turn (\d+) \(round (\d+)\): the hero"
                       r" of .* dies.*; health and armor (-?\d+) to (-?\d+)", end)
             for end in ends]
    assert all(found)
    games = [(meeting.names.index(one[1]), int(one[2]), int(one[4]), int(one[5]))
             for one in found if one]
    assert all((int(one[2]) + 1) // 2 == int(one[3]) for one in found if one)
    row = meeting.row
    assert sum(winner == 0 for winner, *_ in games) == row["wins_a"]
    assert sum(winner == 1 for winner, *_ in games) == row["wins_b"]
    assert sum(turn for _, turn, *_ in games) == row["turns"]
    assert sum(x - max(y, 0) for winner, _, x, y in games if winner == 0) == row["margin_a"]
    assert sum(y - max(x, 0) for winner, _, x, y in games if winner == 1) == row["margin_b"]


def test_decisions_and_simulated_actions_are_all_shown(path: Path) -> None:
    meeting = replay.find(Run(path))
    lines = [line for k in range(GAMES) for line in replay.lines(meeting, k)]
    assert sum(line.startswith("-> ") for line in lines) == meeting.row["decisions"]
    options = [line for line in lines if re.match(r"(->|  ) +(\S.*\S|0)  \S", line)]
    simulated = [line for line in options if re.match(r"(->|  ) +([+-][\d.]+|wins|loses)  ", line)]
    assert len(simulated) == meeting.row["simulated"]


def test_the_chosen_option_is_the_best_and_the_later_of_equals(path: Path) -> None:
    def worth(line: str) -> float:
        word = line[3:].split()[0]
        return {"wins": np.inf, "loses": -np.inf, "same": -np.inf}.get(word) or float(word)

    blocks = "\n".join(retell(path)).split("\n== ")[1:-1]
    assert len(blocks) > 20
    for block in blocks:
        options = [line for line in block.splitlines() if re.match(r"(->|  ) +\S+.*  \S", line)
                   and not line.startswith(("  hand:", "  board:", "  secrets:"))]
        chosen = [i for i, line in enumerate(options) if line.startswith("->")]
        assert len(chosen) == 1
        scores = [worth(line) for line in options]  # to four digits: equal ones may differ beyond
        assert scores[chosen[0]] == max(scores)


def test_by_default_the_best_two_of_the_last_generation(path: Path) -> None:
    run = Run(path)
    row = replay.find(run).row
    assert (row["execution"], row["generation"]) == (2, 1)
    last = run.population.query("execution == 2 and generation == 1")
    best = last.sort_values("fitness", ascending=False, kind="stable")["individual"].head(2)
    assert {row["a"], row["b"]} == set(best)
    assert row["deck_a"] == row["deck_b"] == "shaman"


def test_either_may_be_named_first(path: Path) -> None:
    run = Run(path)
    one = replay.find(run, a=0, b=2, deck_a="mage", deck_b="shaman", generation=0)
    other = replay.find(run, a=2, b=0, deck_a="shaman", deck_b="mage", generation=0)
    assert one.row == other.row
    assert (one.row["a"], one.row["deck_a"], one.row["deck_b"]) == (0, "mage", "shaman")


def test_the_command_shows_the_game_writes_it_and_says_that_it_is_the_same(
        path: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    result = hsevo("replay", path, "--generation", 0, "--a", 1, "--b", 2, "--deck-a", "mage",
                   "--deck-b", "shaman", "--game", 1, "--output", file)
    assert result.exit_code == 0, result.output
    assert f"reproduced: all {GAMES} games of the match end as stored" in result.stderr
    assert result.stdout.startswith("execution 2, generation 0: individual 1 (mage) against"
                                    f" individual 2 (shaman)\ngame 1 of {GAMES}, seed ")
    assert re.search(r"== turn \d+, individual [12] \((Mage|Shaman)\) to move", result.stdout)
    assert result.stdout == file.read_text(encoding="utf-8")
    for word in ("hand:", "board:", "end the turn", "Fireblast", "Totemic Call"):
        assert word in result.stdout


@pytest.mark.parametrize(("a", "b", "order"), [(1, 2, ""), (2, 1, " (of shaman against mage)")])
def test_the_seed_that_is_shown_begins_the_same_game(path: Path, a: int, b: int,
                                                     order: str) -> None:
    """With the decks in the order of the title, or of the headline where that is another."""
    found = replay.find(Run(path), generation=0, a=a, b=b, deck_a="mage", deck_b="shaman")
    headline = replay.headline(found, 1)
    shown = re.fullmatch(rf"game 1 of {GAMES}, seed (\d+){re.escape(order)}, ruleset cig2018",
                         headline)
    assert shown, headline
    decks = ("shaman", "mage") if order else ("mage", "shaman")
    own = Game(*decks, seed=int(shown[1]))
    assert own.scene() == next(replay.steps(found, 1)).scene


def test_list_shows_the_matches_that_fit(path: Path) -> None:
    result = hsevo("replay", path, "--list", "--generation", 0, "--a", 1, "--deck-a", "mage")
    assert result.exit_code == 0
    header, *lines, hint = result.stdout.splitlines()
    assert header.split() == ["part", "a", "b", "deck_a", "deck_b", "games", "wins_a", "wins_b",
                              "draws", "mean_turns"]
    assert [line.split()[0] for line in lines] == ["0", "1", "2", "3"]
    assert sorted(tuple(line.split()[1:5]) for line in lines) == [
        ("0", "1", "mage", "mage"), ("0", "1", "shaman", "mage"),
        ("1", "2", "mage", "mage"), ("1", "2", "mage", "shaman")]
    assert hint == (f"play the first: hsevo replay {path} --generation 0 --a 1 --deck-a mage"
                    " --part 0 --game 0")


def test_what_list_says_to_type_plays_that_match(path: Path) -> None:
    *lines, hint = hsevo("replay", path, "--list", "--deck-b", "mage").stdout.splitlines()
    for line in lines[1::7]:
        part, a, b, deck_a, deck_b, *_ = line.split()
        words = hint.removeprefix("play the first: hsevo ").replace("--part 0", f"--part {part}")
        played = hsevo(*words.replace("--game 0", "--game 1").split())
        assert played.exit_code == 0, played.output
        one, other = f"individual {a} ({deck_a})", f"individual {b} ({deck_b})"
        if deck_b != "mage":  # who plays the deck of --deck-b is named second
            one, other = other, one
        assert played.stdout.startswith(
            f"execution 2, generation 1: {one} against {other}\ngame 1 of 3,")


def test_a_list_of_nothing_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = RunFolder.matches_of
    monkeypatch.setattr(RunFolder, "matches_of", lambda run, *which: stored(
        run, *which).query("deck_a != 'mage' and deck_b != 'mage'"))
    assert hsevo("replay", path, "--list", "--deck-a", "mage").stdout == "no matching match\n"


def test_decks_go_by_their_files_too(path: Path, here: Path) -> None:
    """As in `hsevo match --decks`: by name, file or code."""
    (here / "copied.txt").write_text(
        f"name: mage\n{config.find('mage', 'decks').read_text(encoding='utf-8')}")
    by_name = hsevo("replay", path, "--list", "--deck-a", "mage").stdout.splitlines()[:-1]
    for given in ("copied.txt", "copied", config.find("mage", "decks")):
        listed = hsevo("replay", path, "--list", "--deck-a", given).stdout.splitlines()
        assert listed[:-1] == by_name
        assert len(listed) > 10
    (here / "other.txt").write_text(config.find("warrior", "decks").read_text(encoding="utf-8"))
    for words in (("other.txt",), ("other.txt", "--list")):
        assert "unknown deck 'other.txt'; the run has shaman, mage" in fails(
            "replay", path, "--deck-a", *words)


@pytest.mark.parametrize(("words", "said"), [
    (("--generation", 9), "has no generation 9; it has 0 to 1"),
    (("--execution", 3), "has no execution 3; it has 1 to 2"),
    (("--a", 99), "individual 99 did not play in generation 1"),
    (("--a", 1, "--b", 1), "individual 1 does not play against itself"),
    (("--deck-a", "mgae"), "unknown deck 'mgae'; did you mean 'mage'?"),
    (("--game", GAMES), f"there is no game {GAMES}: the match has {GAMES} games, 0 to {GAMES - 1}"),
    (("--game", -1), "there is no game -1"),
])
def test_what_is_not_there_is_said_in_a_line(path: Path, words: tuple, said: str) -> None:
    result = hsevo("replay", path, *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("shape", ["one", "deck"])
def test_games_against_fixed_opponents_can_be_played_again(tmp_path: Path, shape: str) -> None:
    """By name or by number, with the decks that they play; the run's files alone are needed."""
    plan = config.change(config.load("smoke"), {
        "games": 2, "decks": ["mage"], "evolution.generations": 2, "evolution.mu": 2,
        "evolution.lambda": 2, "agent.genome": shape, "rating.shares.coevolution": 0,
        "rating.opponents": {"agents": ["random", "greedy:metastone"], "decks": ["warrior"]}})
    decks = [read_deck(name) for name in plan.all_decks]
    run = Run.make(tmp_path / "run", plan, decks, opponents=read_opponents(plan, decks))
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor)
    run.close()
    table = replay.meetings(run)
    assert table["b"].tolist() == [-1, -2] * 4
    for b in (-2, "-2", "greedy:metastone"):
        meeting = replay.find(run, a=table["a"][0], b=b)
        assert meeting.players[1] == "greedy:metastone (warrior)"
        assert (meeting.row["deck_a"], meeting.row["deck_b"]) == ("mage", "warrior")
        assert check(meeting) == []
        assert len(replay.meetings(run, b=b)) == 4
    assert replay.find(run).players[1] == "random (warrior)"  # the best's first opponent
    assert "reproduced" in hsevo("replay", tmp_path / "run", "--b", "-1").stderr
    listed = hsevo("replay", tmp_path / "run", "--list", "--b", "random")
    assert len(re.findall("^ .* random  mage ", listed.stdout, re.M)) == 4
    for word in ("randon", "individual", "7x"):
        message = fails("replay", tmp_path / "run", "--b", word)
        assert f"b is '{word}', but individuals of a run are named by number" in message
        assert len(message.splitlines()) == 1
    assert "did you mean 'random'?" in fails("replay", tmp_path / "run", "--b", "randon")
    assert "individual -3 did not play" in fails("replay", tmp_path / "run", "--b", "-3")


def test_a_run_without_a_generation_is_said(tmp_path: Path) -> None:
    plan = config.load("smoke")
    Run.make(tmp_path / "new", plan, [read_deck(name) for name in plan.decks]).close()
    with pytest.raises(RunError, match="has no generation yet"):
        replay.find(Run(tmp_path / "new"))


@pytest.mark.parametrize("column", ["wins_a", "draws", "turns", "margin_b", "simulated", "seed"])
def test_a_result_that_does_not_come_out_is_said_with_exit_code_1(
        path: Path, monkeypatch: pytest.MonkeyPatch, column: str) -> None:
    stored = RunFolder.matches_of

    def forged(run: RunFolder, execution: int, number: int) -> pd.DataFrame:
        table = stored(run, execution, number)
        table[column] += 1
        return table

    monkeypatch.setattr(RunFolder, "matches_of", forged)
    result = hsevo("replay", path)
    assert result.exit_code == 1
    assert result.stderr.startswith("hsevo: NOT reproduced, the match differs from the stored one:")
    assert len(result.stderr.splitlines()) == 1
    if column != "seed":
        assert f"{column} " in result.stderr


def test_another_engine_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "fingerprint", lambda: "0123456789abcdef")
    said = hsevo("replay", path).stderr
    assert "although it was played by engine" in said
    assert "this is engine 0123456789abcdef" in said


def test_a_telling_that_differs_from_the_match_is_refused(
        path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match.Table, "decide", lambda table: 0)  # always ends the turn
    result = hsevo("replay", path)
    assert result.exit_code == 2
    assert "its result in the match differs" in result.stderr


@pytest.mark.parametrize("spec", ["eva:turn?nodes=40", "eva:reply?nodes=40&hands=1&ends=2",
                                  "dl:miller?nodes=40", "gsv?depth=1"])
def test_a_search_shows_the_scores_of_its_lines(spec: str, tmp_path: Path) -> None:
    """The move taken has the best score; END TURN has one, too; wins are words."""
    play_match(spec, "random", games=18, seed=5, out=tmp_path / "match")
    replies, seen = "reply" in spec, set()
    for step in stored.replay(tmp_path / "match", part=0, game=0).steps:
        if not step.options or not any(option.worth for option in step.options):
            continue  # the other's turn
        scores = {i: option.score for i, option in enumerate(step.options)
                  if option.score is not None}
        seen |= {option.worth for option in step.options if option.score is None}
        if step.taken in scores and "wins" not in {option.worth for option in step.options}:
            assert scores[step.taken] == max(scores.values())
        assert replies or 0 in scores or step.options[0].worth
    assert seen <= {"wins", "loses", "same as below", "not weighed"}
    assert ("not weighed" in seen) == replies
