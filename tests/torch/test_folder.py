"""Run folders of the end-to-end policy: hsevo verify, report, watch and logs take them."""

import io
import shutil

import numpy as np
import pandas as pd
import pytest
import torch
from click.testing import CliRunner

import hsevo
from hsevo import config
from hsevo.cli.root import main
from hsevo.errors import ConfigError
from hsevo.experiments import loggers
from hsevo.learning.end_to_end.saved import as_bytes
from hsevo.learning.end_to_end.train import Training
from hsevo.learning.folder import LearningRun
from tests.support.sums import sign_about, sign_learned, unsign
from tests.torch.support import learn


@pytest.fixture
def copy(run, tmp_path):
    """Return the path of a copy that a test may change."""
    return shutil.copytree(run.path, tmp_path / "copy")


def test_a_run_comes_out_again(run):
    result = CliRunner().invoke(main, ["verify", str(run.path)])
    assert result.exit_code == 0, result.output
    # 68 games learned from, 2 measurements of 8, and a pair of 8
    assert ("done; 2 periods add up; the first period, learned again, and 3 lines of measurements,"
            " played again, are equal (92 games)") in result.output


def edit(path, column):
    """Change a number in the first line of a table, with as many bytes."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    text = table.loc[0, column]
    table.loc[0, column] = text[:-1] + ("1" if text[-1] != "1" else "2")
    path.write_text(table.to_csv(index=False))


def test_what_was_changed_is_found(copy):
    """Numbers in tables, a network that was not learned, and one that is not the learner's."""
    first, last = (copy / "checkpoints" / f"period-000{k}.pt" for k in (0, 1))
    shutil.copy(first, last)
    kept = torch.load(first, weights_only=True)
    kept["network"]["value.2.bias"] += 1
    torch.save(kept, first)
    edit(copy / "learning.csv", "value")
    edit(copy / "references.csv", "rate")
    assert len(hsevo.Learned(copy).verify(workers=1).problems) == 4  # each file by its SHA-256
    sign_learned(copy)
    assert {"learning.csv, period 0: the repetition gives another line",
            "checkpoints/period-0000.pt: the repetition gives another network",
            "references.csv, period 0: the games of random give other numbers when replayed",
            "state.npz: its network is not that of checkpoints/period-0001.pt",
            } <= {*hsevo.Learned(copy).verify(workers=1).problems}


def test_a_damaged_checkpoint_is_one_clear_line(copy):
    path = copy / "checkpoints" / "period-0001.pt"
    path.write_bytes(b"PK\3\4" + bytes(90))
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        f"hsevo: {copy}: {path} is damaged: it is not what was written: its SHA-256 differs"]
    unsign(copy)
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.output.splitlines() == [
        f"hsevo: {copy}: {path} is not a checkpoint of the end-to-end learner"]


def of_complex(path):
    """Give the parameters of a checkpoint's bytes a part that PyTorch would drop."""
    kept = torch.load(path, weights_only=True)
    kept["network"] = {name: one.to(torch.complex64) for name, one in kept["network"].items()}
    return as_bytes(kept)


def test_complex_numbers_are_refused(copy):
    """By `verify` and by `--resume`, in one line, and without the warning of PyTorch."""
    path = copy / "checkpoints" / "period-0001.pt"
    path.write_bytes(of_complex(path))
    sign_learned(copy)
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.exit_code == 2
    (line,) = result.output.splitlines()
    assert line.startswith(f"hsevo: {copy}: {path} has torch.complex64 numbers, but")


def test_a_run_with_complex_numbers_does_not_go_on(tmp_path):
    def stop(done, total):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "run", workers=1, progress=stop)
    with np.load(tmp_path / "run" / "state.npz") as arrays:
        learner = io.BytesIO(arrays["learner"].tobytes())
    sign_learned(tmp_path / "run", learner=np.frombuffer(of_complex(learner), np.uint8))
    result = CliRunner().invoke(main, ["learn", "--workers", "1", "--resume",
                                       str(tmp_path / "run")])
    assert result.exit_code == 2
    last = result.output.splitlines()[-1]
    assert f"{tmp_path / 'run' / 'state.npz'} has torch.complex64 numbers, but" in last
    assert not (tmp_path / "run" / "done").exists()


@pytest.mark.parametrize(("entry", "said"), [
    ({"processor": "Z80"}, "it was learned on another processor, Z80: no game was replayed"),
    ({"method": "another"}, "it was begun with another method"),
])
def test_games_that_may_differ_here_are_not_played_again(copy, entry, said):
    sign_about(copy, **entry)
    report = hsevo.Learned(copy).verify()
    assert said in report.other
    assert (report.games, report.problems) == (0, [])


def test_about_has_the_version_of_pytorch(run):
    assert LearningRun(run.path).about["torch"] == torch.__version__


def test_on_another_processor_it_goes_on_with_a_warning(tmp_path):
    """After its teacher's only period, in which there is a loss that the next one lacks."""
    def stop(done, total):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "run", workers=1, start="random", progress=stop)
    sign_about(tmp_path / "run", processor="Z80")
    result = CliRunner().invoke(main, ["learn", "--workers", "1", "--resume",
                                       str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    said = "it was learned on another processor, Z80: results may differ from here on"
    assert said in result.output
    assert said in (tmp_path / "run" / "log.txt").read_text()
    taught = hsevo.Learned(tmp_path / "run").learning["teacher"]
    assert taught.isna().tolist() == [False, True]


def test_what_learned_on_a_gpu_may_differ(run):
    folder = LearningRun(run.path)
    assert Training.may_differ(folder) == ""
    folder.plan = config.change(run.plan, {"network.device": "cuda"})
    assert "on a GPU" in Training.may_differ(folder)


def test_the_page(run, tmp_path):
    found = hsevo.report(run, out=tmp_path / "page")
    page = found.page.read_text()
    last = run.references.iloc[-1]
    assert page.index(f"{100 * last['rate']:.1f}") < page.index("Win rates by period")
    for said in ("samples its actions from its policy", "an LSTM of 5, ppo", "Losses by period",
                 "<span>--decks</span> <span>mage,warrior</span>"):
        assert said in page, said
    assert "hsevo benchmark" not in page
    losses = pd.read_csv(tmp_path / "page" / "tables" / "losses.csv")
    assert losses["entropy"].tolist() == pytest.approx(run.learning["entropy"].tolist())
    assert {"figures/rates.svg", "figures/losses.svg", "figures/pool.svg",
            "figures/matrix.svg"} <= {*found.files}


def test_the_page_of_one_that_builds_its_decks(switched_run, tmp_path):
    found = hsevo.report(switched_run, out=tmp_path / "page")
    assert "Its typical decks" in found.page.read_text()
    sure, cards, decks = (pd.read_csv(tmp_path / "page" / "tables" / f"{name}.csv")
                          for name in ("builds", "cards", "decks"))
    assert sure["class"].tolist() == decks["class"].tolist() == ["Mage", "Warrior"]
    assert (sure["entropy"] > 4).all()  # hardly more than a network that knows nothing
    assert (sure["different"] == 200).all()
    assert cards.groupby("class")["copies"].sum().tolist() == pytest.approx([30, 30])
    assert [hsevo.Deck(code).hero for code in decks["code"]] == ["Mage", "Warrior"]


def test_two_policies_are_two_pages(run, tmp_path):
    few = {"periods": 1, "rounds": 1, "games": 4, "decks": ["mage"], "payoff_games": 0,
           "references.against": []}
    other = hsevo.learn("osfp-smoke", out=tmp_path / "other", changes=few)
    with pytest.raises(ConfigError, match="make two reports"):
        hsevo.report(run, other, out=tmp_path / "page")


def test_watch(run):
    once, lines = (CliRunner().invoke(main, ["watch", str(run.path), *more])
                   for more in (["--once"], []))
    last, rate = run.learning.iloc[-1], run.references.iloc[-1]
    assert (once.exit_code, lines.exit_code) == (0, 0)
    assert "whole  period 1 of 1" in once.stdout
    assert "160 of 160 games" in once.stdout
    assert f"{last['loss']:.4f}" in once.stdout
    assert f"random  {100 * rate['rate']:.1f} % of 8 games (95 % interval" in once.stdout
    assert lines.stdout.splitlines() == run.lines()


class Book:
    """A logger that keeps what it is told."""

    def __init__(self, source, first):
        self.entries = []
        self.opened.append(self)

    def write(self, entry):
        self.entries.append(entry)

    def close(self):
        """Nothing to do."""


def test_logs(run, copy, monkeypatch):
    """A finished run gets its log later, and it is what the tables say."""
    monkeypatch.setattr(Book, "opened", [], raising=False)
    monkeypatch.setitem(loggers.LOGGERS, "tensorboard", Book)
    monkeypatch.setattr(loggers, "NEEDED", {"tensorboard": (("json",), "")})
    hsevo.Learned(copy).resume(log=["tensorboard"])
    (book,) = Book.opened
    assert [entry.number for entry in book.entries] == [0, 1]
    for entry, line in zip(book.entries, run.learning.to_dict("records"), strict=True):
        for name in ("policy", "upgo", "value", "entropy", "teacher", "loss", "games", "pool"):
            assert entry.values[f"learning/{name}"] == pytest.approx(line[name]), name
    assert book.entries[-1].values["references/random/rate"] == run.references["rate"].iloc[-1]
