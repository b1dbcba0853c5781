"""Champions: their files and sums, what made them, and that the games that prove them come out."""

from dataclasses import replace
from pathlib import Path

import pytest

import hsevo
from hsevo.agents.learned import nets
from hsevo.agents.registry import ROSTER, kind_name
from hsevo.config import Config, load
from hsevo.config.learning import Plan
from hsevo.errors import AgentError, RunError
from hsevo.store import sums
from hsevo.strength import entries
from tests.support.command import fails
from tests.support.command import hsevo as command

NAMES = [*entries.champions()]
eva, learned = "eva:wide:2026", "rl:2026"


def test_all_that_are_of_these_years_are_champions() -> None:
    assert [name for name in ROSTER if name.endswith(("2026", "2027"))] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_made_it(name: str) -> None:
    one = entries.champion(name)
    load(one.option("config"), model=Plan if one.is_learned else Config)
    row = hsevo.list_champions().set_index("champion").loc[name]
    assert (row["config"], row["seed"]) == (one.option("config"), int(one.option("seed")))
    assert {"command", "games", "version", "engine"} <= {*one.origin}
    assert row["won"] + row["drawn"] + row["lost"] == row["proof_games"] >= 100


@pytest.mark.parametrize("name", NAMES)
def test_its_games_come_out_again(name: str, tmp_path: Path) -> None:
    found = hsevo.prove(name, out=tmp_path / "games", workers=1)
    assert found.rate.low > 0.5
    assert sums.read((tmp_path / "games/games.sha256").read_text()) == {
        "games.csv": entries.champion(name).proof.sha256}


def test_files_are_what_agents_read(tmp_path: Path) -> None:
    files = hsevo.export_champions(tmp_path / "new")
    assert sums.read((tmp_path / "new/SHA256SUMS").read_text()) == {
        file.name: sums.of(file.read_bytes()) for file in files}
    for name, file in zip(NAMES, files, strict=True):
        read = hsevo.Agent(f"{kind_name(name)}:{file}")
        assert read.record.tobytes() == hsevo.Agent(name).record.tobytes()
    saved = hsevo.Agent(eva).save(tmp_path / "saved.yaml")
    assert saved.read_bytes() == files[0].read_bytes()
    with pytest.raises(RunError, match="already exists and is not empty"):
        hsevo.export_champions(tmp_path / "new")


@pytest.mark.usefixtures("fake_engine")
def test_games_that_come_out_otherwise_are_refused() -> None:
    with pytest.raises(RunError, match=rf"the games of {eva} had other results here: \d+ : \d+ :"):
        hsevo.prove(eva, backend="serial")


@pytest.mark.parametrize("name", [eva, learned])
def test_a_file_that_was_changed_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = replace(entries.champion(name), sha256=sums.of(b"another"))
    monkeypatch.setattr(entries, "champions", lambda: {name: one})
    with pytest.raises(RunError, match=f"the file of {name} differs from the proven one"):
        hsevo.prove(name)


def test_the_sum_of_a_network_is_that_of_its_file() -> None:
    found = sums.of((nets.FOLDER / "2026.npz").read_bytes())
    assert entries.champion(learned).sha256 == found == nets.shipped()["2026"].sha256


def test_a_damaged_list_of_champions_is_one_line() -> None:
    with pytest.raises(RunError, match="eva:mine is damaged: it lacks 'proof'; reinstall hsevo"):
        entries._champion("eva:mine", {"says": "mine", "sha256": "0", "made": {}})


def test_the_command_lists_them() -> None:
    text = command("agents", "--champions").stdout
    for name in NAMES:
        assert entries.champion(name).sha256 in text
        assert entries.champion(name).command in text
    assert "--prove needs --champions" in fails("agents", "--prove")
    with pytest.raises(AgentError, match="not a champion; did you mean 'eva:wide:2026'"):
        hsevo.prove("eva:wide:2025")
