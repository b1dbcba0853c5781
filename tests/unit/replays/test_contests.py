"""Games of matches, arenas and benchmarks come out again as they are stored."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo as public
from hsevo.agents.genomes.weights import write_weights
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import read_deck
from hsevo.errors import ConfigError, RunError
from hsevo.play import participants
from hsevo.play.match import Setting
from hsevo.replays.stored import meetings
from tests.support import DATA
from tests.support.command import fails, hsevo

ARENA = ("arena", "eva:mine.csv#x1", "random", "--games", 8, "--decks", "mage,shaman", "--backend",
         "serial", "--out")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a contest of each kind, of the real engine; no test may change one."""
    path = tmp_path_factory.mktemp("contests")
    weights = np.random.default_rng(1).random((2, 21))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        write_weights(path / "mine.csv", ["x1", "x2"], weights)
        short = ("--decks", "mage,shaman", "--backend", "serial", "--out")
        for words in ((*ARENA, "arena"),
                      ("match", "eva:mine.csv#x1", "random", "--games", 8, *short, "match")):
            result = hsevo(*words)
            assert result.exit_code == 0, result.output
        (path / "mine.csv").unlink()  # the folders keep the agents themselves
    return path


@pytest.mark.parametrize(("name", "file"), [
    ("arena", "games.csv"), ("match", "games.csv")])
def test_every_game_comes_out_as_stored(folders: Path, name: str, file: str) -> None:
    table = pd.read_csv(folders / name / file)
    for number in range(len(table)):
        found = public.replay(folders / name, table["a"][0], table["b"][0], part=number)
        assert found.check() == []
        assert int(found.match["seed"]) == int(table["seed"][number])
    last = found.steps[-1].scene
    assert last.outcome
    row = table.iloc[-1]
    if row.get("games", 1) == 1:
        assert (last.result == 1) == (row["wins_a"] == 1)
        assert last.turn == row["turns"]


def test_a_benchmark_can_be_replayed(here: Path) -> None:
    result = public.benchmark("random", games=18, panel="panel-2026", out="bench", backend="serial")
    row = pd.read_csv("bench/games.csv").iloc[0]
    found = public.replay("bench", row["a"], row["b"])
    assert found.check() == []
    assert result.replay(row["a"], row["b"]).match["seed"] == found.match["seed"]


def test_results_in_memory_can_be_replayed() -> None:
    played = public.match("random", "noaggression", games=8, decks=["mage"], backend="serial")
    for part in range(played.played):
        assert played.replay(part=part).check() == []


def test_the_command_names_the_agents_and_says_that_it_is_the_same(folders: Path) -> None:
    result = hsevo("replay", folders / "arena", "--a", "random", "--b", "x1", "--deck-a", "shaman",
                   "--deck-b", "mage", "--part", 1)
    assert result.exit_code == 0, result.output
    head = result.stdout.splitlines()[0]
    assert head.startswith("arena: ")
    assert "random (shaman)" in head
    assert "eva:mine.csv#x1 (mage)" in head
    assert "player 0" not in result.stdout
    assert result.stderr == "reproduced: the game ends as stored\n"
    listed = hsevo("replay", folders / "arena", "--list", "--deck-a", "mage", "--a", "random")
    assert len(listed.stdout.splitlines()) == 1 + 4 + 1
    assert listed.stdout.splitlines()[-1] == (
        f"play the first: hsevo replay {folders / 'arena'} --deck-a mage --a random --part 0")


def on_terminal(*words: object) -> list[str]:
    """Return the lines that a command shows on a terminal of 80 columns."""
    shown = hsevo(*words, FORCE_COLOR="1", COLUMNS="80").stdout
    return re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()


def test_a_terminal_shows_the_same_lines_broken_at_its_width(folders: Path) -> None:
    plain = hsevo("replay", folders / "arena").stdout.splitlines()
    shown = on_terminal("replay", folders / "arena")
    assert " ".join(shown).split() == " ".join(plain).split()
    assert max(map(len, shown)) <= 80
    assert [line for line in plain if len(line) <= 80] == [
        line for line in shown if line in plain and len(line) <= 80]


def test_a_list_at_80_columns_has_decks_and_turns(folders: Path) -> None:
    listed = on_terminal("replay", folders / "arena", "--list")
    head = next(line for line in listed if "deck_a" in line)
    assert {"a", "b", "deck_a", "deck_b", "mean_turns"} <= {*head.split()}
    assert max(map(len, listed[:-1])) <= 80


def test_by_default_the_best_against_the_second_best(folders: Path) -> None:
    found = public.replay(folders / "arena")
    assert set(found.meeting.names) == {"eva:mine.csv#x1", "random"}
    assert found.match["seed"] == pd.read_csv(folders / "arena" / "games.csv")["seed"][0]


@pytest.mark.parametrize(("words", "said"), [
    (("--a", "rondom"), "unknown agent 'rondom'; did you mean 'random'?"),
    (("--deck-a", "mgae"), "unknown deck 'mgae'; did you mean 'mage'?"),
    (("--part", 99), "there is no part 99: 8 matches fit, 0 to 7"),
    (("--game", 1), "there is no game 1"),
    (("--generation", 1), "has no generations; remove generation"),
    (("--a", "random", "--b", "random"), "has no game of random and random"),
])
def test_what_is_not_there_is_said_in_a_line(folders: Path, words: tuple, said: str) -> None:
    message = fails("replay", folders / "arena", *words)
    assert said in message
    assert len(message.splitlines()) == 1


def test_a_folder_of_nothing_and_an_old_one_are_said(folders: Path, here: Path) -> None:
    assert "not a run folder" in fails("replay", here)
    (here / "games.csv").write_text((folders / "arena" / "games.csv").read_text())
    assert "from an older version of hsevo" in fails("replay", here)
    (here / "arena.yaml").write_text((folders / "arena" / "arena.yaml").read_text())
    assert f"hsevo arena --resume {here} adds it" in fails("replay", here)


def damaged(data: Any, **changed: Any) -> str:
    return json.dumps(data | changed)


def test_a_damaged_cast_is_one_line(folders: Path, here: Path) -> None:
    data = json.loads((folders / "arena" / "cast.json").read_text())
    (here / "games.csv").write_text((folders / "arena" / "games.csv").read_text())
    first = data["agents"][0]
    for text in ("", "[]", "{}", "[" * 100_000, damaged(data, agents=[]),
                 damaged(data, agents=[first | {"kind": 99}]),
                 damaged(data, agents=[first | {"budget": [10**9] * 8}]),
                 damaged(data, agents=[first | {"budget": [0] * 99}]),
                 damaged(data, agents=[first | {"w": [None]}]),
                 damaged(data, agents=[first]), damaged(data, ruleset="no\u001bne"),
                 damaged(data, decks=[data["decks"][0] | {"cards": ["x"]}]),
                 damaged(data, decks=[data["decks"][0] | {"cards": ["CS2_029"] * 500}]),
                 damaged(data, max_turns=0), damaged(data, information="all"),
                 damaged(data, version=2)):
        (here / "cast.json").write_text(text)
        message = fails("replay", here, "--list")
        assert len(message.splitlines()) == 1
        assert "\x1b" not in message


def test_a_forged_result_is_said_with_exit_code_1(folders: Path, here: Path) -> None:
    table = pd.read_csv(folders / "arena" / "games.csv")
    table.assign(turns=table["turns"] + 1).to_csv(here / "games.csv", index=False)
    (here / "cast.json").write_text((folders / "arena" / "cast.json").read_text())
    result = hsevo("replay", here)
    assert result.exit_code == 1
    assert result.stderr.startswith("hsevo: NOT reproduced, the match differs from the stored one:"
                                    " turns ")


def test_a_cast_is_read_back_to_the_bit(tmp_path: Path) -> None:
    agents = np.zeros(2, AGENT)
    agents["w"] = np.random.default_rng(2).random((2, 32))
    setting = Setting("cig2018", (read_deck("mage"), read_deck("shaman")), "leaky", 50)
    participants.write(tmp_path, ("one", "two"), agents, setting)
    read = participants.read(tmp_path)
    assert read.agents.tobytes() == agents.tobytes()
    assert (read.names, read.setting) == (("one", "two"), setting)


def test_individuals_go_by_number() -> None:
    with pytest.raises(ConfigError, match="a is 'best', but individuals of a run are named by"):
        public.replay(DATA / "run-0.1.0", "best")
    with pytest.raises(RunError, match="there is no folder nowhere"):
        public.replay("nowhere", "individual-7")


def test_games_are_chosen_by_how_they_ended(tmp_path: Path) -> None:
    played = public.match("eva:2018", "greedy:metastone", games=60, out=tmp_path / "m")
    every = meetings(tmp_path / "m")
    kinds = {result: meetings(tmp_path / "m", "eva:2018", result=result)
             for result in ("won", "drawn", "lost")}
    assert sum(map(len, kinds.values())) == len(every)
    for result, sign in (("won", "wins"), ("lost", "losses")):
        for row in kinds[result].to_dict("records"):
            own = row["wins_a"] if row["a"] == "eva:2018" else row["wins_b"]
            assert own == (sign == "wins")
    others = meetings(tmp_path / "m", "greedy:metastone", result="won")
    assert others["seed"].tolist() == kinds["lost"]["seed"].tolist()
    longest = meetings(tmp_path / "m", "eva:2018", result="lost", longest=True)
    assert longest["turns"].is_monotonic_decreasing
    assert sorted(longest["seed"]) == sorted(kinds["lost"]["seed"])
    found = public.replay(tmp_path / "m", "eva:2018", result="lost", longest=True)
    assert found.match["turns"] == longest["turns"].iloc[0]
    same = played.replay("eva:2018", result="lost", longest=True)
    assert same.match["seed"] == found.match["seed"]
    assert found.verdict()[1]


def test_what_can_not_be_chosen_so_is_said(folders: Path, tmp_path: Path) -> None:
    shutil.copytree(folders / "match", tmp_path / "t")  # as a tournament of version 0.5
    table = pd.read_csv(tmp_path / "t" / "games.csv", dtype=str).assign(games=2)
    table.to_csv(tmp_path / "t" / "matches.csv", index=False)
    (tmp_path / "t" / "games.csv").unlink()
    assert len(meetings(tmp_path / "t", "random")) == len(table)
    with pytest.raises(RunError, match="stores several games in each row"):
        public.replay(tmp_path / "t", result="lost")
    public.match("random", "noaggression", games=18, out=tmp_path / "m")
    with pytest.raises(RunError, match=r"result is 'lots'.*did you mean 'lost'"):
        public.replay(tmp_path / "m", result="lots")


def test_who_was_asked_for_first_is_named_first(folders: Path) -> None:
    """From whichever seat it played."""
    which = {"a": "random", "b": "x1", "deck_a": "shaman", "deck_b": "mage"}
    rows = meetings(folders / "arena", **which)
    assert {*rows["a"]} == {"eva:mine.csv#x1", "random"}
    for part in range(len(rows)):
        said = str(public.replay(folders / "arena", **which, part=part).meeting)
        assert said == "arena: random (shaman) against eva:mine.csv#x1 (mage)"
    for deck, other in (("mage", "shaman"), ("shaman", "mage")):
        said = str(public.replay(folders / "arena", deck_a=deck, deck_b=other).meeting)
        assert said == f"arena: eva:mine.csv#x1 ({deck}) against random ({other})"


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of matches of agents whose files are in deep folders."""
    path = tmp_path_factory.mktemp("deep")
    for name in ("one", "two"):
        (path / name / "run").mkdir(parents=True)
        write_weights(path / name / "run" / "best.csv", ["x"], np.full((1, 21), 0.5))
    one, two = (path / name / "run" / "best.csv" for name in ("one", "two"))
    public.match(f"eva:{one}", f"eva:{two}#x", games=4, decks=["mage"], out=path / "match")
    public.match(f"eva:{one}", "random", games=4, decks=["mage"], out=path / "other")
    return path


def test_a_replay_has_short_names_and_says_once_whose_they_are(deep: Path) -> None:
    found = public.replay(deep / "other", "best.csv", part=0)
    spec = f"eva:{deep}/one/run/best.csv"
    title, _, legend, *rest = found.lines
    assert title == "other: eva:best.csv (mage) against random (mage)"
    assert legend == f"eva:best.csv: {spec}"
    assert str(deep) not in "\n".join(rest)
    assert found.match["a"] == spec
    assert found.html.count(str(deep)) == 1
    assert f'<h1 title="eva:best.csv: {spec}">{title}</h1>' in found.html


def test_a_short_name_is_taken_where_one_is_shown(deep: Path) -> None:
    shown = hsevo("replay", deep / "match", "--list").stdout
    for name, spec in (("eva:one/run/best.csv", f"eva:{deep}/one/run/best.csv"),
                       ("eva:two/run/best.csv#x", f"eva:{deep}/two/run/best.csv#x")):
        assert f"{name}: {spec}\n" in shown
        found = meetings(deep / "match", name, result="won")
        won = found["a"].where(found["wins_a"] > 0, found["b"])
        assert {*won} == {spec}


@pytest.mark.parametrize("flags", [("--lost", "--won"), ("--won", "--drawn"),
                                   ("--won", "--lost", "--drawn")])
def test_two_ways_to_end_are_refused(folders: Path, flags: tuple[str, ...]) -> None:
    message = fails("replay", folders / "match", "--list", *flags)
    assert len(message.splitlines()) == 1
    assert "can't be combined" in message
    assert all(flag in message for flag in flags)
