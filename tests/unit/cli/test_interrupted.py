"""Commands that are stopped, killed, or find the disk full: what was played is not lost."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo as api
from hsevo import files
from hsevo.agents.genomes.weights import write_weights
from hsevo.errors import RunError, Stopped, Terminated
from hsevo.play import match
from tests.support import apart
from tests.support.command import fails, hsevo
from tests.support.disk import full_disk
from tests.unit.cli.test_cli import SMOKE, agents

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture
def cup(here: Path) -> list[str]:
    """Return a match of 7,200 games, in 6 blocks, without its folder."""
    agents(here / "two.csv", 2)
    return ["match", "eva:two.csv#agent-0", "eva:two.csv#agent-1", "--games", "7200", "--backend",
            "serial", "--out"]


def stop_at(monkeypatch: pytest.MonkeyPatch, block: int, error: BaseException) -> None:
    """Have the engine raise an error instead of playing a block, counted from 0."""
    play, blocks = match.play_block, iter(range(10**6))

    def stopping(*job: Any) -> Any:
        if next(blocks) == block:
            raise error
        return play(*job)

    monkeypatch.setattr(match, "play_block", stopping)


def same(one: Path, other: Path, names: tuple[str, ...]) -> None:
    assert {path.name for path in files.inside(one)} == set(names)
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


# --- Ctrl-C


def test_a_match_does_not_go_on_with_the_games_of_another(
        here: Path, cup: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, 4, KeyboardInterrupt())
        hsevo(*cup, "cut")
    before = (here / "cut" / "games.csv").read_bytes()
    own = (here / "two.csv").read_text()
    agents(here / "two.csv", 2, seed=7)
    assert "cut was begun with other agents and decks" in fails(*cup, "cut")
    (here / "two.csv").write_text(own)
    assert "cut was begun with other rules" in fails(*cup, "cut", "--seed", 7)
    assert (here / "cut" / "games.csv").read_bytes() == before


@pytest.mark.parametrize(("old", "new"), [("wins_a,wins_b", "wins_b,wins_a"),
                                          (",1,0,0,0,", ",0,1,0,0,")])
def test_a_match_does_not_go_on_with_games_that_were_changed(
        old: str, new: str, here: Path, cup: list[str]) -> None:
    """Who won is in no other place: the columns swapped add up as well as before."""
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, 4, KeyboardInterrupt())
        hsevo(*cup, "cut")
    path = here / "cut" / "games.csv"
    path.write_text(path.read_text().replace(old, new, 1))
    before = path.read_bytes()
    assert "cut/games.csv is damaged: its SHA-256 differs" in fails(*cup, "cut")
    assert "cut/games.csv is damaged: its SHA-256 differs" in fails(
        "replay", "cut", "--list")
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["games.csv", "games.sha256"])
def test_a_match_does_not_write_through_a_link(
        name: str, here: Path, cup: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, 4, KeyboardInterrupt())
        hsevo(*cup, "cut")
    (here / "cut" / name).rename(here / "elsewhere")
    (here / "cut" / name).symlink_to(here / "elsewhere")
    before = (here / "elsewhere").read_bytes()
    assert f"cannot write cut/{name}: it is a link" in fails(*cup, "cut")
    assert (here / "elsewhere").read_bytes() == before


def test_a_stopped_match_can_be_replayed(
        here: Path, cup: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 1, KeyboardInterrupt())
    hsevo(*cup, "cut")
    listed = hsevo("replay", "cut", "--list")
    assert listed.exit_code == 0, listed.stderr
    *lines, hint = listed.stdout.splitlines()
    assert len(lines) == len((here / "cut" / "games.csv").read_text().splitlines())
    assert hint.startswith("play the first: hsevo replay cut --part 0")


MATCH = ("match", "eva:2018", "random", "--backend", "serial", "--games", 1440, "--out")
# Nearly as strong as each other for the stand-in: this test takes several looks.
TEST = ("match", "eva:two.csv#x", "eva:two.csv#y", "--backend", "serial", "--games", 7200, "--sprt",
        0, 20, "--out")
MATCHED = ("cast.json", "games.csv", "games.sha256", "match.yaml", "pairs.csv")


@pytest.mark.parametrize("block", [1, 3, 7])
@pytest.mark.parametrize("words", [MATCH, TEST], ids=["match", "test"])
def test_a_stopped_match_with_a_folder_goes_on_to_the_same_bits(
        words: tuple[str, ...], block: int, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsevo.strength.lineup.MOST_ROWS", 200)
    weights = np.linspace(0, 1, 21)
    write_weights(here / "two.csv", ["x", "y"], np.stack([weights, weights * 0.995]))
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, block, KeyboardInterrupt())
        stopped = hsevo(*words, "cut")
    assert stopped.exit_code == 130
    assert stopped.stdout.startswith("so far, ")
    assert stopped.stderr.splitlines()[-1] == (
        "hsevo: stopped; its games are kept in cut, and the same command continues them")
    played = (here / "cut" / "games.csv").read_bytes()
    assert hsevo("replay", "cut", "--list").exit_code == 0
    with (here / "cut" / "games.csv").open("ab") as file:
        file.write(b"9,eva:")  # a kill in the middle of a line
    for others in (("--seed", 7), ("--max-turns", 80), ("--sprt", 0, 300)):
        assert "cut was begun with other " in fails(*words, "cut", *others)
    again, whole = hsevo(*words, "cut"), hsevo(*words, "whole")
    assert again.exit_code == 0, again.stderr
    assert again.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-1]
    same(here / "cut", here / "whole", MATCHED)
    games = (here / "cut" / "games.csv").read_bytes()
    assert games.startswith(played)
    if words == TEST:
        assert 216 < games.count(b"\n") < 7200


def test_a_sequential_test_that_is_stopped_after_it_decided_plays_no_more(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while its tables are written: the games of its last look are all there are."""
    words = (*MATCH, "cut", "--sprt", 0, 10)
    with monkeypatch.context() as patch:
        full_disk(patch, "pairs.csv")
        assert hsevo(*words).exit_code == 2
    played = (here / "cut" / "games.csv").read_bytes()
    stop_at(monkeypatch, 0, AssertionError("it plays on"))
    assert hsevo(*words).exit_code == 0
    assert (here / "cut" / "games.csv").read_bytes() == played


def test_a_match_that_is_stopped_before_its_first_games_leaves_nothing(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 0, KeyboardInterrupt())
    stopped = hsevo(*MATCH, "cut")
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert stopped.stderr.splitlines()[-1] == "hsevo: stopped"
    assert not (here / "cut").exists()


def test_sigterm_stops_as_ctrl_c_does(here: Path, cup: list[str],
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        stop_at(patch, 3, Terminated())
        stopped = hsevo(*cup, "cut")
    assert stopped.exit_code == 143
    assert stopped.stdout.startswith("so far, ")
    assert stopped.stderr.splitlines()[-1].startswith("hsevo: stopped; its games are kept in cut")
    stop_at(monkeypatch, 2, Terminated())
    stopped = hsevo(*SMOKE, "--out", "mine")
    assert stopped.exit_code == 143
    assert stopped.stderr.splitlines()[-1] == (
        "hsevo: stopped; continue with: hsevo evolve --resume mine")
    assert "stopped by SIGTERM after" in (here / "mine" / "log.txt").read_text()


def test_a_stopped_match_prints_the_estimate_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 3, KeyboardInterrupt())
    words = ("match", "eva:2018", "random", "--backend", "serial", "--games", 20000)
    stopped = hsevo(*words)
    assert stopped.exit_code == 130
    first, second = stopped.stdout.splitlines()[:2]
    assert first.startswith("so far, ")
    assert first.endswith(" of 20,016 games:")
    assert second.startswith("eva:2018 is better than random: ")
    assert "  rate  " in stopped.stdout
    assert stopped.stderr.splitlines()[-1] == (
        "hsevo: stopped; its games are lost (with --out DIR they are kept)")


def test_who_calls_from_python_gets_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_at(monkeypatch, 2, KeyboardInterrupt())
    with pytest.raises(Stopped) as stopped:
        api.match("eva:2018", "random", 20000, backend="serial")
    assert 0 < stopped.value.result.played < 20000
    with pytest.raises(KeyboardInterrupt):
        raise stopped.value


def test_a_stopped_arena_prints_its_table_once_all_have_met(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("arena", "eva:2018", "random", "eva:group-1", "--backend", "serial",
             "--games", 7200, "--out")
    stop_at(monkeypatch, 12, KeyboardInterrupt())
    stopped = hsevo(*words, "cut")
    assert stopped.exit_code == 130
    assert stopped.stdout.startswith("so far, ")
    assert "eva:group-1" in stopped.stdout
    assert stopped.stderr.splitlines()[-1] == (
        "hsevo: stopped; continue with: hsevo arena --resume cut")


# --- killed


@pytest.fixture
def killed(here: Path, cup: list[str]) -> list[str]:
    """Kill a match in the middle of its games; return its command."""
    child = apart.begin(*cup, "cut", HSEVO_FAKE_SECONDS="3")
    try:
        until, games = time.monotonic() + 60, here / "cut" / "games.csv"
        while not games.exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        assert "cut is in use by another hsevo; wait for it to end" in fails(*cup, "cut")
    finally:
        child.kill()
        child.join()
    return [*cup, "cut"]


def test_a_killed_match_goes_on_with_the_same_command(
        here: Path, cup: list[str], killed: list[str]) -> None:
    assert hsevo(*killed).exit_code == 0
    assert hsevo(*cup, "whole").exit_code == 0
    same(here / "cut", here / "whole", MATCHED)


@pytest.mark.parametrize("command", [
    "evolve --config smoke", "learn --config osfp-smoke", "coevolve --config coevolve-smoke",
    "decks evolve --config deck-smoke", "arena random eva:2018",
    "dataset random eva:2018", "benchmark random", "benchmark --frontier random",
    "series random eva:2018", "examine random --games 20",
    "study taunts", "ladder ladder-smoke", "play --no-browser --port 0"])
def test_a_folder_that_another_process_fills_is_refused_in_a_line(
        command: str, here: Path) -> None:
    """Even while it is empty: the other one has begun, and has written nothing yet."""
    (here / "mine").mkdir()
    held = files.lock(here / "mine")
    try:
        said = fails(*command.split(), "--out", "mine")
        assert said == "hsevo: mine is in use by another hsevo; wait for it to end\n"
        assert {path.name for path in (here / "mine").iterdir()} == {files.LOCK}
    finally:
        held.release()


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_killed_report_is_drawn_by_the_same_command(
        after: int, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill it at its after-th file, of which a part is written."""
    assert hsevo(*SMOKE, "--out", "mine").exit_code == 0
    monkeypatch.setattr("hsevo.reports.exhibit.sections", lambda *_: [])  # nothing to draw: quick
    calls, sync = iter(range(1, 10**6)), os.fsync

    def kill(descriptor: int) -> None:
        if next(calls) == after:
            raise SystemExit(9)
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", kill)
        assert hsevo("report", "mine", "--out", "drawn").exit_code == 9
    said = hsevo("report", "mine", "--out", "drawn")
    assert said.exit_code == 0, said.output
    assert (here / "drawn" / "report.html").exists()
    assert not list((here / "drawn").glob(".*.hsevo-tmp"))


def test_an_arena_killed_before_it_began_is_begun_by_the_same_command(here: Path) -> None:
    (here / "cut").mkdir()
    (here / "cut" / ".lock").touch()
    (here / "cut" / ".arena.yaml.hsevo-tmp").write_text("kind: hsevo ar")
    words = ("arena", "eva:2018", "random", "--games", 18, "--backend", "serial", "--out", "cut")
    assert hsevo(*words).exit_code == 0
    assert not (here / "cut" / ".arena.yaml.hsevo-tmp").exists()


# --- a full disk


@pytest.mark.parametrize("name", ["ratings.csv", "pairs.csv"])
def test_an_arena_that_cannot_be_written_is_printed(
        name: str, monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    full_disk(monkeypatch, name)
    full = hsevo("arena", "eva:2018", "random", "--games", 36, "--out", "cut")
    assert full.exit_code == 2
    assert full.stdout.splitlines()[0].startswith("agent")
    assert "eva:2018" in full.stdout
    assert full.stderr.splitlines()[-1] == (
        f"hsevo: cannot write cut/{name}: No space left on device; continue with: hsevo arena"
        " --resume cut")


def test_the_best_that_cannot_be_written_is_printed(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hsevo(*SMOKE, "--out", "mine").exit_code == 0
    whole = hsevo("export-best", "mine", "--games-per-pair", 5).stdout
    full_disk(monkeypatch, ".best.yaml.hsevo-tmp")
    full = hsevo("export-best", "mine", "--games-per-pair", 5, "--output", "best.yaml")
    assert (full.exit_code, full.stdout) == (2, whole)
    assert full.stderr.splitlines()[-1] == (
        "hsevo: cannot write best.yaml: No space left on device")


@pytest.mark.parametrize("name", ["curve.csv", "plot.svg"])
def test_a_study_that_cannot_be_written_is_printed(
        name: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("study", "divine-shield-control", "--games", 20, "--backend", "serial", "--out")
    with monkeypatch.context() as patch:
        full_disk(patch, name)
        full = hsevo(*words, "mine")
    assert full.exit_code == 2
    assert ["x", "games", "won"] in [line.split()[:3] for line in full.stdout.splitlines()]
    assert full.stderr.splitlines()[-1] == (
        f"hsevo: cannot write mine/{name}: No space left on device; its games are kept in mine;"
        " continue with: hsevo study divine-shield-control --games=20 --out mine")
    again = hsevo(*words, "mine")
    assert again.exit_code == 0, again.stderr
    assert again.stdout.startswith(full.stdout)


def test_a_match_that_cannot_be_written_is_printed(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        full_disk(patch, "pairs.csv")
        full = hsevo(*MATCH, "cut")
    assert full.exit_code == 2
    assert full.stdout.startswith("eva:2018 is better than random: ")
    assert full.stderr.splitlines()[-1] == (
        "hsevo: cannot write cut/pairs.csv: No space left on device; its games are kept in cut,"
        " and the same command continues them")
    assert hsevo(*MATCH, "cut").exit_code == 0
    assert hsevo(*MATCH, "whole").exit_code == 0
    same(here / "cut", here / "whole", MATCHED)


def test_the_error_of_a_full_disk_has_the_result(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full_disk(monkeypatch, "pairs.csv")
    with pytest.raises(RunError) as full:
        api.match("eva:2018", "random", 18, out="cut", backend="serial")
    assert full.value.result.played == 18


# --- what was done before counts


def test_a_resumed_run_counts_the_games_before_and_logs_its_stops(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        stop_at(patch, 8, KeyboardInterrupt())
        assert hsevo(*SMOKE, "--out", "cut").exit_code == 130
    committed = int(api.Run("cut").statistics["games"].sum())
    assert 0 < committed < 1116
    again = hsevo("evolve", "--resume", "cut")
    assert "1,116 of 1,116 games" in again.stderr
    log = [line[20:] for line in (here / "cut" / "log.txt").read_text().splitlines()]
    assert log[0] == "begin with serial, all workers"
    assert f"stopped by Ctrl-C after {committed:,} games" in log
    assert f"go on after {committed:,} games with serial, all workers" in log
    assert log[-1] == "done"
