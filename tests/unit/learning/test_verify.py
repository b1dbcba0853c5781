"""hsevo verify of a learning run: what was played comes out again; what was changed is found."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import hsevo
from hsevo.cli import main
from hsevo.errors import RunError
from tests.support.folders import learned


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a finished run."""
    return learned(tmp_path_factory.mktemp("verified") / "whole")


@pytest.fixture
def copy(run, tmp_path):
    """Return the path of a copy that a test may change."""
    return shutil.copytree(run.path, tmp_path / "copy")


def edit(path, row, **values):
    """Change numbers in a line of a table, with as many bytes."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    for name, change in values.items():
        table.loc[row, name] = change(table.loc[row, name])
    text = table.to_csv(index=False).encode()
    assert len(text) == path.stat().st_size
    path.write_bytes(text)


def about(path, **values):
    """Change entries of about.json."""
    text = (path / "about.json").read_text()
    (path / "about.json").write_text(json.dumps(json.loads(text) | values))


def other(digit):
    """Return another number with as many digits."""
    return digit[:-1] + ("1" if digit[-1] != "1" else "2")


def test_a_run_comes_out_again(run):
    result = CliRunner().invoke(main, ["verify", str(run.path)])
    assert result.exit_code == 0, result.output
    # 32 games learned from, 2 measurements of 8, and 3 pairs of 8
    assert ("done; 3 periods add up; the first period, learned again, and 5 lines of measurements,"
            " played again, are equal (72 games)") in result.output
    assert json.loads(CliRunner().invoke(main, ["verify", "--json", str(run.path)]).stdout)["ok"]


@pytest.mark.parametrize(("file", "row", "columns", "said"), [
    ("learning.csv", 0, ["loss"], "learning.csv, period 0: learned again, it is another line"),
    ("learning.csv", 1, ["pool"], "learning.csv, period 1: its pool does not add up"),
    ("references.csv", 1, ["wins"], "references.csv, period 2: the games of random"),
    ("payoff.csv", 2, ["wins_a"], "payoff.csv: the games of period-0001 and period-0002"),
])
def test_changed_numbers_are_found(copy, file, row, columns, said):
    edit(copy / file, row, **dict.fromkeys(columns, other))
    assert any(said in problem for problem in hsevo.Learned(copy).verify().problems)


def test_another_net_is_found(copy):
    shutil.copy(copy / "checkpoints" / "period-0001.npz", copy / "checkpoints" / "period-0000.npz")
    problems = hsevo.Learned(copy).verify().problems
    assert "checkpoints/period-0000.npz: learned again, it is another net" in problems
    shutil.copy(copy / "checkpoints" / "period-0001.npz", copy / "checkpoints" / "period-0002.npz")
    problems = hsevo.Learned(copy).verify().problems
    assert "state.npz: its weights are not those of checkpoints/period-0002.npz" in problems


@pytest.mark.parametrize("damage", [
    lambda path: (path / "learning.csv").write_text("period\n0\n"),
    lambda path: (path / "references.csv").write_bytes(bytes(10_000)),
    lambda path: (path / "payoff.csv").write_text("a,b\n,\n"),
    lambda path: (path / "payoff.csv").unlink(),
    lambda path: (path / "times.csv").unlink(),
    lambda path: (path / "checkpoints" / "period-0001.npz").unlink(),
    lambda path: (path / "checkpoints" / "period-0001.npz").write_bytes(b"PK\3\4" + bytes(90)),
    lambda path: (path / "state.npz").write_bytes(b"PK\3\4" + bytes(90)),
    lambda path: (path / "config.yaml").write_text("decks: [mage]\n"),
    lambda path: (path / "about.json").write_text("{"),
    lambda path: about(path, decks=[{}]),
    lambda path: about(path, decks=5),
    lambda path: about(path, agents={"random": {}}),
    lambda path: about(path, agents=[]),
])
def test_damaged_files_are_one_clear_line(copy, damage):
    damage(copy)
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.exit_code == 2
    assert result.output.startswith("hsevo: ")
    assert len(result.output.splitlines()) == 1, result.output


def test_games_of_another_engine_are_not_played_again(copy):
    about(copy, engine="another")
    report = hsevo.Learned(copy).verify()
    assert "another engine" in report.other
    assert (report.games, report.problems) == (0, [])


def test_an_unfinished_run_is_checked_as_far_as_it_is(tmp_path):
    def stop(done, total):
        if done >= 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / "stopped", progress=stop)
    report = hsevo.Learned(tmp_path / "stopped").verify()
    assert (report.done, report.problems) == (False, [])
    assert 0 < report.periods < 3


def test_a_state_of_another_shape_is_found(copy):
    with np.load(copy / "state.npz") as arrays:
        kept = dict(arrays)
    for weights, said in ((kept["weights"][1:], "its weights have another shape"),
                          (kept["weights"] * np.nan, "a weight is no number")):
        np.savez(copy / "state.npz", **kept | {"weights": weights})
        assert hsevo.Learned(copy).verify().problems == [f"state.npz: {said}"]


def test_a_state_without_sizes_is_damaged(copy):
    with np.load(copy / "state.npz") as arrays:
        kept = dict(arrays)
    np.savez(copy / "state.npz", **kept | {"plain": np.array("{}")})
    with pytest.raises(RunError, match="is damaged"):
        hsevo.Learned(copy).verify()
