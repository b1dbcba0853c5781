"""Learning run folders as others may send them: refused in one line, and nothing is lost."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo.errors import RunError
from hsevo.learning.folder import LearningRun
from hsevo.play import match
from hsevo.runs import checkpoints
from tests.support.sums import sign_about, sign_learned

TINY = {"periods": 3, "rounds": 1, "games": 1, "decks": ["mage", "shaman"], "payoff_games": 1,
        "references.against": ["random"], "references.games": 8}


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run that was stopped after its second period."""
    path = tmp_path_factory.mktemp("learned") / "run"

    def stop(done, total):
        if done >= 28:  # of 4 learned from and 8 measured in each period
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo.learn("osfp-smoke", out=path, changes=TINY, backend="serial", progress=stop)
    assert LearningRun(path).periods == 2
    return path


@pytest.fixture
def run(stopped, tmp_path):
    return Path(shutil.copytree(stopped, tmp_path / "run"))


def go_on(path):
    return hsevo.Learned(path).resume(backend="serial")


def test_what_another_process_committed_meanwhile_is_kept(run, monkeypatch):
    """The sizes are read under the lock, not before it."""
    opened = LearningRun._open

    def late(mine):
        opened(mine)
        monkeypatch.setattr(LearningRun, "_open", opened)
        go_on(mine.path)

    monkeypatch.setattr(LearningRun, "_open", late)
    one = LearningRun.lock(run)
    assert one.done
    assert one.table("learning.csv")["period"].tolist() == [0, 1, 2]
    one.close()


@pytest.mark.parametrize("decks", [[], [{"name": "a"}], "mage"])
def test_decks_that_are_not_the_plans_are_refused(run, decks):
    sign_about(run, decks=decks)
    with pytest.raises(RunError, match="its decks can't be read"):
        go_on(run)
    with pytest.raises(RunError, match="its decks can't be read"):
        hsevo.Learned(run).verify(backend="serial")


def test_fewer_decks_than_the_plan_has_are_refused(run):
    about = json.loads((run / "about.json").read_text())
    sign_about(run, decks=about["decks"][:1])
    with pytest.raises(RunError, match="its decks can't be read"):
        go_on(run)


@pytest.mark.parametrize("changes", [
    {"weights": None}, {"moments": None}, {"weights": np.full(1, np.nan, np.float32)},
    {"weights": np.ones((3, 3))}, {"plain": {"step": "x"}}, {"plain": {"pool": 3}},
    {"plain": {"osfp": []}}, {"plain": {"pool": [7]}}, {"plain": {"period": 99}},
    {"plain": {"period": 0}}, {"plain": {"pool": []}},
    {"plain": {"sizes": {"learning.csv": -1, "references.csv": 0, "times.csv": 0}}}])
def test_a_state_of_nobody_is_refused(run, changes):
    sign_learned(run, **changes)
    with pytest.raises(RunError, match=r"state.npz is damaged"):
        go_on(run)


def test_weights_that_are_no_numbers_are_refused(run):
    with np.load(run / "state.npz") as file:
        weights = file["weights"].copy()
    weights[5] = np.nan
    sign_learned(run, weights=weights)
    with pytest.raises(RunError, match=r"state.npz is damaged: a number among its weights"):
        go_on(run)


def test_files_of_others_among_the_checkpoints_change_nothing(run):
    folder = run / checkpoints.FOLDER
    for name in ("zzz", "period-x"):
        shutil.copy(folder / "period-0000.npz", folder / f"{name}.npz")
    done = go_on(run)
    assert done.checkpoints == ["period-0000", "period-0001", "period-0002"]
    assert {*done.payoff["a"], *done.payoff["b"]} == {*done.checkpoints}


def test_rates_that_are_not_those_of_their_games_are_found_without_a_game(run):
    sign_about(run, engine="0" * 16)
    table = (run / "references.csv").read_text()
    line = table.splitlines()[1].split(",")
    line[5] = "0.987"
    new = "\n".join([table.splitlines()[0], ",".join(line), *table.splitlines()[2:]]) + "\n"
    (run / "references.csv").write_text(new.ljust(len(table), "\n"))
    sign_learned(run, plain={"sizes": {
        name: (run / name).stat().st_size for name in ("learning.csv", "references.csv",
                                                       "times.csv")}})
    report = hsevo.Learned(run).verify(backend="serial")
    assert not report.games
    assert report.problems == ["references.csv, line 2: its rates do not match its games"]


def test_samples_without_room_are_played_again(tmp_path, monkeypatch):
    """Whatever the room, the same samples: no game is left out."""
    def learned(name):
        return hsevo.learn("osfp-smoke", out=tmp_path / name, backend="serial", changes=TINY | {
            "periods": 1, "payoff_games": 0}).learning

    before = learned("a")
    monkeypatch.setattr(match, "ROOM", 0)
    monkeypatch.setattr(match, "SPARE", 10)
    assert learned("b").equals(before)
