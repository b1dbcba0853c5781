"""What shows learners the way works: the how-to page, the example, the measurement of speed."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hsevo.cli import main
from hsevo.learning import pace
from tests.support import ROOT

PAGES = ROOT / "docs" / "pages" / "how-to"
PAGE = PAGES / "learner.md"
EXAMPLE = ROOT / "examples" / "linear_reinforce.py"


def test_the_code_of_the_page_runs() -> None:
    """In order and with fewer games, but for the size all of it as it stands there."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 8
    code = "\n".join(blocks).replace("1024", "32")
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["seen"] is not None
    rate = names["rate"]  # of random play against random play
    assert 0.3 < rate.low < 0.5 < rate.high < 0.7


def test_the_code_of_the_page_on_training_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands there, but with a run of a few games."""
    monkeypatch.chdir(tmp_path)
    text = (PAGES / "learn.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    few = '{"periods": 2, "rounds": 1, "games": 2, "payoff_games": 0, "references.games": 2}'
    names: dict[str, Any] = {}
    exec(compile(code.replace('{"periods": 2}', few), "learn.md", "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    scored = [float(line.split()[0]) for line in lines[-len(names["game"].moves):]
              if not line.startswith("None")]
    assert scored
    assert all(0 <= chance <= 1 for chance in scored)


def test_the_example_learns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                            ) -> None:
    """A policy that draws from all legal choices wins half of its games against random play."""
    made = runpy.run_path(str(EXAMPLE))
    learn = made["learn"]
    learn.__globals__.update(GAMES=32, REPORT=200)
    shares = learn(games=1200)
    assert len(shares) == 6
    assert shares[-1] > 0.6
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_the_bench_measures_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "GAMES", 16)
    names = ["engine", "vector", "against_eva", "aec"]
    words = ["bench", "--environment", "--seconds", "0.2"]
    report = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert list(report["environment"]) == [f"{name}_steps_per_second" for name in names]
    for figure in report["environment"].values():
        assert 0 < figure["min"] <= figure["value"] <= figure["max"]
    lines = CliRunner().invoke(main, words).stdout.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["figure", *report["environment"]]
    refused = CliRunner().invoke(main, [*words, "--generation"])
    assert refused.exit_code == 2
    assert "can't be combined" in refused.stderr
