"""A run folder of the version before: tests/data/run-0.1.0, of `hsevo evolve --config smoke`."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from hsevo.agents.registry import genome_of
from hsevo.evolution.run import Run
from hsevo.store import sums
from hsevo.store.sums import short_digest
from hsevo.strength.roster import read_agent
from tests.support import DATA
from tests.support.command import fails, hsevo
from tests.support.folders import make

OLD = DATA / "run-0.1.0"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Copy it, for a folder may be written to."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def test_it_is_a_run_of_eva() -> None:
    assert "agent:" not in (OLD / "config.yaml").read_text()
    run = Run(OLD)
    assert run.config.agent.kind == run.kind == "eva"
    assert run.opponents.names == ()
    assert run.genome.names == genome_of("eva").names


def test_it_is_verified_watched_replayed_and_named(old: Path) -> None:
    assert "2 generations, 162 matches and 324 games add up" in hsevo("verify", old).stdout
    assert "generation 1 of 1" in hsevo("watch", "--once", old).stdout
    assert "162" not in hsevo("replay", old, "--list").stderr
    shown = hsevo("replay", old, "--generation", 0, "--output", old.parent / "game.txt")
    assert "reproduced: all 2 games of the match end as stored, although" in shown.stderr
    agent = read_agent(f"eva:{old}#individual-1")
    row = Run(OLD).population.set_index("individual").loc[1].iloc[0]
    assert agent["w"][0, :21].tolist() == row[list(genome_of("eva").names)].tolist()


@pytest.mark.usefixtures("undrawn")
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
    assert "was begun with engine 810c7c5586bc36f0 of hsevo 0.1.0" in message
    assert "install that version or begin a new run" in message
    assert len(message.splitlines()) == 1
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before


def test_its_references_are_read_by_their_old_names(old: Path) -> None:
    run = Run(old)
    assert run.config.references
    assert list(run.config.references.against) == ["random"]
    assert run.about["references"].keys() == {"random"}
    table = pd.read_csv(old / "yardstick.csv")
    assert len(table)
    assert run.references["wins"].tolist() == table["wins"].tolist()
    (old / "yardstick.csv").unlink()
    assert "yardstick.csv" in fails("verify", old)


def test_its_config_is_refused_in_one_line(old: Path, here: Path) -> None:
    for words in (("--config", old / "config.yaml"),
                  ("--config", "smoke", "--set", "yardstick.against=[random]")):
        message = fails("evolve", *words)
        assert "unknown key 'yardstick'; it is now called 'references'" in message
        assert len(message.splitlines()) == 1


@pytest.mark.usefixtures("fake_engine")
def test_a_run_of_its_format_goes_on_under_the_old_names(tmp_path: Path) -> None:
    whole, cut = make(tmp_path / "whole"), make(tmp_path / "cut", stop=2)
    to_old_names(cut)
    assert "2 generations" in hsevo("verify", cut).stdout
    assert hsevo("evolve", "--resume", cut).exit_code == 0
    assert (cut / "yardstick.csv").read_bytes() == (whole / "references.csv").read_bytes()
    assert not (cut / "references.csv").exists()
    assert Run(cut).references.equals(Run(whole).references)
    assert "add up" in hsevo("verify", cut).stdout


def to_old_names(folder: Path) -> None:
    """Make a run folder one of format 2, which differs in the names of the references."""
    (folder / "references.csv").rename(folder / "yardstick.csv")
    text = (folder / "config.yaml").read_text().replace("references:", "yardstick:")
    (folder / "config.yaml").write_text(text)
    for name, changes, known in (
            ("about.json", {"format": 2, "config": short_digest(text)},
             {"config.yaml": sums.of(text.encode())}),
            ("checkpoint.json", {}, None)):
        words = (folder / name).read_text().replace('"references', '"yardstick')
        tree = json.loads(words) | changes
        stored = tree.pop("sha256")
        stored.pop(name)
        (folder / name).write_bytes(sums.sign(tree, name, known or stored))
