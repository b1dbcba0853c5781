"""hsevo learn as a command: how it ends, and what it then says to do."""

import errno
import json

import numpy as np
import pytest

import hsevo as api
from hsevo.errors import WorkersError, own_fault
from hsevo.files import lock
from hsevo.learning.learner import ValueLearner
from hsevo.learning.train import Training
from hsevo.store.kinds import KIND, LEARNED
from tests.support.command import fails, hsevo, starts
from tests.support.disk import full_disk

LEARN = ("learn", "--config", "osfp-smoke", "--backend", "serial", "--set", "decks=[mage]", "--set",
         "periods=2", "--set", "rounds=1", "--set", "games=4", "--set", "payoff_games=0", "--set",
         "references.games=4", "--out", "a run")
HINT = "; continue with: hsevo learn --resume 'a run'"


def interrupt(*_):
    """Play nothing."""
    raise KeyboardInterrupt


def lose(*_):
    """Play nothing."""
    raise WorkersError("the workers were lost")


def refuse(*_):
    """Find a fault in a game."""
    raise own_fault("game 7 went wrong")


@pytest.fixture
def stopped(tmp_path, monkeypatch):
    """Return the words that go on with a run that was stopped before its first game."""
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Training, "record", staticmethod(interrupt))
        result = hsevo(*LEARN)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (130, f"hsevo: stopped{HINT}")
    return ["learn", "--resume", "a run", "--backend", "serial", "--workers", 1]


def test_what_it_says_after_an_interruption_goes_on(stopped, monkeypatch):
    said = fails(*LEARN).splitlines()[-1]
    assert said.endswith(f"choose another folder, or{HINT.removeprefix(';')}")
    for happens, said in ((interrupt, "stopped"), (lose, "the workers were lost")):
        with monkeypatch.context() as patch:
            patch.setattr(Training, "record", staticmethod(happens))
            last = hsevo(*stopped).stderr.splitlines()[-1]
        assert last == f"hsevo: {said}{HINT}"
        starts(monkeypatch, last.partition("continue with: ")[2])
    with monkeypatch.context() as patch:
        full_disk(patch, "learning.csv")
        assert fails(*stopped).endswith(f"No space left on device{HINT}\n")
    result = hsevo(*stopped)
    assert result.exit_code == 0, result.output
    assert api.Learned("a run").done
    assert "the player: rl:a run" in result.stdout.splitlines()
    assert fails(*LEARN).endswith("choose another folder\n")  # it is done


def test_after_other_errors_it_does_not_say_to_go_on(stopped, monkeypatch, tmp_path):
    """The same command would end in the same way."""
    def diverge(self, *_):
        self.flat[:] = np.nan
        return 0.0, 0.0

    folder = tmp_path / "a run"
    with monkeypatch.context() as patch:
        patch.setattr(ValueLearner, "learn", diverge)
        said = [fails(*stopped)]  # an agent that is refused
    said.append(fails(*stopped[:-1], 0))  # bad input
    with monkeypatch.context() as patch:
        patch.setattr(Training, "record", staticmethod(refuse))
        said.append(fails(*stopped))  # a game of a bug
    held = lock(folder)
    said.append(fails(*stopped))  # another hsevo's
    held.release()
    with monkeypatch.context() as patch:
        full_disk(patch, "learning.csv", errno.EACCES)
        said.append(fails(*stopped))  # write-protected
    (folder / "state.npz").write_bytes(b"PK")
    said.append(fails(*stopped))  # damaged
    for text, part in zip(said, ("the training diverged", "workers", "a bug", "wait for it to end",
                                 "Permission denied", "state.npz is damaged"), strict=True):
        assert part in text
        assert "go on" not in text.splitlines()[-1]


def test_a_folder_of_others_is_no_run_to_go_on_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a run").mkdir()
    (tmp_path / "a run" / "mine.txt").touch()
    assert fails(*LEARN).endswith("a run already exists and is not empty; choose another folder\n")


@pytest.mark.parametrize(("kind", "words"), [
    (KIND, LEARN), (LEARNED, ("evolve", "--config", "smoke", "--out", "a run")), ("?", LEARN)])
def test_a_run_of_another_command_is_none_to_go_on_with(tmp_path, monkeypatch, kind, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a run").mkdir()
    (tmp_path / "a run" / "about.json").write_text(json.dumps({"kind": kind}))
    assert fails(*words).endswith("a run already exists and is not empty; choose another folder\n")


def test_it_ends_with_commands_that_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = hsevo(*LEARN)
    assert result.exit_code == 0, result.output
    match, report = result.stdout.splitlines()[-2:]
    assert match.split() == ["hsevo", "match", "'rl:a", "run'", "eva:2018", "--decks", "mage"]
    assert report == "  hsevo report 'a run'"
    starts(monkeypatch, match)
    assert hsevo("report", "a run").exit_code == 0


@pytest.mark.parametrize("option", ["--start", "--against"])
def test_an_agent_without_a_name_is_refused_before_there_is_a_folder(tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    assert fails(*LEARN, option, "").startswith("hsevo: unknown agent ''")
    assert not any(tmp_path.iterdir())
