"""hsevo watch of a learning run, and its logs: what its folder says, at every stage."""

import os
from datetime import datetime

import pytest
from click.testing import CliRunner

import hsevo
from hsevo.cli import main
from hsevo.errors import ConfigError
from hsevo.experiments import loggers
from hsevo.experiments.watching import RunPace
from hsevo.learning.run import Learned
from tests.support.command import starts
from tests.support.folders import learned


class Book:
    """A logger that keeps what it is told."""

    def __init__(self, source, first):
        self.source, self.entries, self.closed = source, [], False
        self.opened.append(self)

    def write(self, entry):
        self.entries.append(entry)

    def close(self):
        self.closed = True


@pytest.fixture
def books(monkeypatch):
    """Return the logs that --log tensorboard writes, in the order in which they were opened."""
    monkeypatch.setattr(Book, "opened", [], raising=False)
    monkeypatch.setitem(loggers.LOGGERS, "tensorboard", Book)
    monkeypatch.setattr(loggers, "NEEDED", {"tensorboard": (("json",), "")})
    return Book.opened


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a finished run."""
    return learned(tmp_path_factory.mktemp("watched") / "whole")


def seen(*words):
    """Return what hsevo watch prints."""
    result = CliRunner().invoke(main, ["watch", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_finished_run_is_shown_whole(run):
    screen = seen(run.path, "--once")
    last, rate = run.learning.iloc[-1], run.references.iloc[-1]
    assert "whole  period 2 of 2" in screen
    assert "136 of 136 games" in screen  # 96 learned from, 2 measurements of 8, 3 pairs of 8
    assert f"{last['loss']:.4f}, on its targets {last['loss_after']:.4f}" in screen
    assert f"random  {100 * rate['rate']:.1f} % of 8 games (95 % interval" in screen
    assert seen(run.path).splitlines() == run.lines()


def test_a_run_that_stopped_says_how_to_go_on(tmp_path):
    def stop(done, total):
        if done >= 80:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / "stopped", progress=stop)
    state = Learned.look(tmp_path / "stopped")
    assert (state.done, state.played, state.left) == (False, 72, 64)  # after period 1 and its 8
    (tmp_path / "stopped" / "log.txt").write_text(
        "2018-08-17 12:00:00 begin with threads\n2018-08-17 12:00:10 period 0 of 2: said\n"
        "2018-08-17 13:00:00 go on with threads\n2018-08-17 13:00:08 period 1 of 2: said\n")
    state = Learned.look(tmp_path / "stopped")
    assert state.pace == RunPace(5, 8)  # 40 games, since it went on
    assert state.seconds_left == 64 / 5
    quiet = state.changed + 100
    assert datetime.fromtimestamp(quiet).year > 2018  # by the files, not by what the log says
    assert state.silence(quiet) == 100
    assert state.silence(state.changed + 59) == 0


def test_no_period_yet(tmp_path, monkeypatch):
    """The command that it says begins again, also with a space in the folder's name."""
    def stop(done, total):
        raise KeyboardInterrupt

    path = tmp_path / "new one"
    with pytest.raises(KeyboardInterrupt):
        learned(path, progress=stop)
    assert "no period yet" in seen(path, "--once")
    assert "continue with" not in seen(path, "--once")
    for file in path.iterdir():
        os.utime(file, (0, 0))
    text = " ".join(seen(path, "--once").split())
    starts(monkeypatch, text.partition("continue with: ")[2])


def test_an_entry_is_what_the_tables_say(run, books, tmp_path):
    new = learned(tmp_path / "new", log=["tensorboard"])
    (book,) = books
    assert book.closed
    assert book.source.executions == "learning"
    assert [entry.number for entry in book.entries] == [0, 1, 2]
    for entry, line in zip(book.entries, new.learning.to_dict("records"), strict=True):
        numbers = ("games", "positions", "loss", "loss_after", "pool", "added")
        assert {name: line[name] for name in numbers} == {
            name: pytest.approx(entry.values[f"learning/{name}"]) for name in numbers}
    measured = new.references.iloc[-1]
    values = book.entries[-1].values
    rate = ("rate", "rate_low", "rate_high")
    assert [values[f"references/random/{name}"] for name in rate] == pytest.approx(
        [measured[name] for name in rate])
    assert not [name for name in book.entries[0].values if name.startswith("references/")]
    assert (new.path / "learning.csv").read_bytes() == (run.path / "learning.csv").read_bytes()


def test_a_finished_run_gets_the_same_log(run, books):
    run.resume(log="tensorboard")
    told = [entry.values for entry in books[0].entries]
    assert told == [entry.values for entry in run._entries()]
    assert len(told) == 3


def test_an_unknown_log_is_refused_before_a_folder_is_made(tmp_path):
    with pytest.raises(ConfigError, match="no log 'tensorbord'; did you mean 'tensorboard'"):
        hsevo.learn("osfp-smoke", out=tmp_path / "run", log=["tensorbord"])
    assert not (tmp_path / "run").exists()


def test_tensorboard_reads_its_log(run):
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    run.resume(log=["tensorboard"])
    log = reader.EventAccumulator(str(run.path / "tensorboard" / "learning"))
    log.Reload()
    assert [event.step for event in log.Scalars("learning/loss")] == [0, 1, 2]
    assert [event.value for event in log.Scalars("learning/loss")] == pytest.approx(
        run.learning["loss"].tolist(), rel=1e-6)
