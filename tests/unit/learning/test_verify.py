"""hsevo verify of a learning run: what was played comes out again; what was changed is found."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import hsevo
from hsevo.agents.learned import nets
from hsevo.cli import main
from hsevo.config import Workers
from hsevo.errors import RunError, WriteError
from hsevo.learning.folder import LearningRun
from hsevo.learning.verify import verify
from hsevo.play.workers import open_workers
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.support.folders import learned
from tests.support.sums import sign_about, sign_learned, unsign


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a finished run."""
    return learned(tmp_path_factory.mktemp("verified") / "whole")


@pytest.fixture
def copy(run, tmp_path):
    """Return the path of a copy that a test may change."""
    return shutil.copytree(run.path, tmp_path / "copy")


@pytest.fixture
def old(copy):
    """Return the path of a copy without SHA-256, as by an older hsevo."""
    return unsign(copy)


def edit(path, row, **values):
    """Change numbers in a line of a table, with as many bytes."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    for name, change in values.items():
        table.loc[row, name] = change(table.loc[row, name])
    text = table.to_csv(index=False).encode()
    assert len(text) == path.stat().st_size
    path.write_bytes(text)


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
    ("learning.csv", 0, ["loss"], "learning.csv, period 0: the repetition gives another line"),
    ("learning.csv", 1, ["pool"], "learning.csv, period 1: its pool does not add up"),
    ("references.csv", 1, ["wins"], "references.csv, period 2: the games of random"),
    ("payoff.csv", 2, ["wins_a"], "payoff.csv: the games of period-0001 and period-0002"),
])
def test_numbers_that_were_changed_and_signed_are_found(copy, file, row, columns, said):
    edit(copy / file, row, **dict.fromkeys(columns, other))
    sign_learned(copy)
    assert any(said in problem for problem in hsevo.Learned(copy).verify().problems)


def test_a_folder_of_an_older_hsevo_is_read(old):
    said = hsevo_("verify", old).stdout
    assert "; it was written by an older hsevo, so it has no SHA-256 sums" in said


def test_a_state_without_sums_in_a_folder_with_sums_is_refused(copy):
    about = (copy / "about.json").read_bytes()
    unsign(copy)
    (copy / "about.json").write_bytes(about)
    assert "state.npz is damaged: its SHA-256 are gone" in fails("verify", copy)


def test_an_about_without_sums_is_refused_where_others_have_them(copy):
    """Else it could be edited; without a state, nothing else can have them."""
    state = (copy / "state.npz").read_bytes()
    unsign(copy)
    (copy / "state.npz").write_bytes(state)
    assert "about.json is damaged: its SHA-256 are gone" in fails("verify", copy)
    for name in ("state.npz", "done"):
        (copy / name).unlink()
    shutil.rmtree(copy / "checkpoints")
    assert "about.json is damaged: its SHA-256 are gone" in fails("learn", "--resume", copy)


def test_a_payoff_table_that_is_written_anew_may_be_another(run, copy):
    (copy / "done").unlink()
    edit(copy / "payoff.csv", 0, games=other)
    assert hsevo.Learned(copy).resume().done
    assert (copy / "payoff.csv").read_bytes() == (run.path / "payoff.csv").read_bytes()
    assert hsevo.Learned(copy).verify().problems == []


def test_a_folder_whose_state_is_gone_is_not_begun_anew(copy):
    (copy / "state.npz").unlink()
    for words in (("verify", copy), ("learn", "--resume", copy)):
        assert "state.npz is missing, and the folder can't be read without it" in fails(*words)
    assert (copy / "learning.csv").stat().st_size


def test_another_net_is_found(old):
    copy = old
    shutil.copy(copy / "checkpoints" / "period-0001.npz", copy / "checkpoints" / "period-0000.npz")
    problems = hsevo.Learned(copy).verify().problems
    assert "checkpoints/period-0000.npz: the repetition gives another network" in problems
    shutil.copy(copy / "checkpoints" / "period-0001.npz", copy / "checkpoints" / "period-0002.npz")
    problems = hsevo.Learned(copy).verify().problems
    assert "state.npz: its weights are not those of checkpoints/period-0002.npz" in problems


def test_other_values_of_a_policy_are_found(tmp_path):
    policy = learned(tmp_path / "policy", changes={"learner.method": "ppo", "periods": 1})
    file = policy.path / "checkpoints" / "period-0000.npz"
    net, values = nets.read_net(file), nets.read_values(file)
    file.write_bytes(nets.net_bytes(net, values=net))
    problems = hsevo.Learned(unsign(policy.path)).verify().problems
    assert "checkpoints/period-0000.npz: the repetition gives another network" in problems
    file.write_bytes(nets.net_bytes(net, values=values))
    assert hsevo.Learned(policy.path).verify().problems == []


@pytest.mark.parametrize("damage", [
    lambda path: (path / "payoff.csv").unlink(),
    lambda path: (path / "times.csv").unlink(),
    lambda path: (path / "checkpoints" / "period-0001.npz").unlink(),
    lambda path: sign_about(path, decks=[{}]),
    lambda path: sign_about(path, decks=5),
    lambda path: sign_about(path, agents={"random": {}}),
    lambda path: sign_about(path, agents=[]),
])
def test_damaged_files_are_one_clear_line(copy, damage):
    damage(copy)
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.exit_code == 2
    assert result.output.startswith("hsevo: ")
    assert len(result.output.splitlines()) == 1, result.output


def test_games_of_another_engine_are_not_played_again(copy):
    sign_about(copy, engine="another")
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


def test_a_run_that_goes_on_is_in_use(copy):
    """Its files change while they are read: nothing is wrong with them."""
    held = LearningRun.lock(copy)
    assert fails("verify", copy).endswith("is in use by another hsevo; wait for it to end\n")
    held.close()
    assert hsevo.Learned(copy).verify().problems == []
    LearningRun.lock(copy).close()  # verify has let go of it


def refuse(folder):
    """Lock nothing."""
    raise WriteError(f"cannot write {folder}: Read-only file system")


def test_a_folder_that_cannot_be_written_is_verified(copy, monkeypatch):
    monkeypatch.setattr("hsevo.store.folder.lock", refuse)
    assert hsevo.Learned(copy).verify().problems == []


def test_a_run_that_goes_on_in_anothers_folder_is_verified_as_it_was(tmp_path, monkeypatch):
    """Its owner can lock it, who verifies it can't: all is of the state that was read once."""
    def stop(done, total):
        if done >= 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / "run", progress=stop)
    with monkeypatch.context() as patch:
        patch.setattr("hsevo.store.folder.lock", refuse)
        held = LearningRun._hold(tmp_path / "run")
    hsevo.Learned(tmp_path / "run").resume()
    with open_workers(Workers(backend="serial")) as executor:
        report = verify(held, executor, 1)
    assert (report.done, report.periods, report.problems) == (False, held.periods, [])
    assert held.periods < LearningRun(held.path).periods


def test_a_state_of_another_shape_is_found(copy):
    with np.load(copy / "state.npz") as arrays:
        kept = arrays["weights"]
    for weights, said in ((kept[1:], "its weights have another shape"),
                          (kept * np.nan, "a weight is not a number")):
        sign_learned(copy, weights=weights)
        assert hsevo.Learned(copy).verify().problems == [f"state.npz: {said}"]


def test_a_state_without_sizes_is_damaged(copy):
    with np.load(copy / "state.npz") as arrays:
        kept = dict(arrays)
    np.savez(copy / "state.npz", **kept | {"plain": np.array("{}")})
    with pytest.raises(RunError, match="is damaged"):
        hsevo.Learned(copy).verify()
