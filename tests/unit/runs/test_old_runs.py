"""A run folder of the version before: tests/data/run-0.1.0, of `hsevo evolve --config smoke`."""

import shutil
from pathlib import Path

import pytest

from hsevo.agents.registry import genome_of
from hsevo.runs.folder import Run
from hsevo.strength.roster import read_agent
from tests.support import DATA
from tests.support.command import fails, hsevo

OLD = DATA / "run-0.1.0"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Copy it, for a folder may be written to."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def test_it_is_a_run_of_eva() -> None:
    assert "agent:" not in (OLD / "config.yaml").read_text()
    run = Run.open(OLD)
    assert run.config.agent == run.kind == "eva"
    assert run.genome.names == genome_of("eva").names


def test_it_is_verified_watched_replayed_and_named(old: Path) -> None:
    assert "2 generations, 162 matches and 324 games add up" in hsevo("verify", old).stdout
    assert "generation 1 of 1" in hsevo("watch", "--once", old).stdout
    assert "162" not in hsevo("replay", old, "--list").stderr
    shown = hsevo("replay", old, "--generation", 0, "--output", old.parent / "game.txt")
    assert "reproduced: all 2 games of the match come out as stored, although" in shown.stderr
    agent = read_agent(f"eva:{old}#individual-1")
    row = Run.open(OLD).population().set_index("individual").loc[1].iloc[0]
    assert agent["w"][0, :21].tolist() == row[list(genome_of("eva").names)].tolist()


def test_it_is_reported_and_its_best_exported(old: Path, here: Path) -> None:
    drawn = hsevo("report", old, "--out", "drawn")
    assert drawn.exit_code == 0, drawn.output
    assert "individual-" in hsevo("export-best", old, "--games-per-pair", 2, "--output", "best.txt",
                                  "--format", "sabberstone").stderr
    assert read_agent("eva:best.txt")["kind"].tolist() == [0]


def test_a_killed_one_is_read_as_far_as_it_is_committed(old: Path) -> None:
    (old / "done").unlink()
    with (old / "population.csv").open("a") as file:
        file.write("1,2,0")  # a line that was being written
    assert "not finished; 2 generations" in hsevo("verify", old).stdout


def test_it_cannot_go_on_and_says_which_version_could(old: Path) -> None:
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    message = fails("evolve", "--resume", old)
    assert "was begun with the engine 810c7c5586bc36f0 of hsevo 0.1.0" in message
    assert "install that version, or begin a new run" in message
    assert len(message.splitlines()) == 1
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before
