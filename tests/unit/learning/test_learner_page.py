"""What shows learners the way works: the how-to page, the example, the measurement of speed."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hsevo.benches import environment
from hsevo.cli import main
from hsevo.engine.record.codec import N_MOVES, Action, MoveParts, encode
from tests.support import ROOT

PAGES = ROOT / "docs" / "pages" / "how-to"
PAGE = PAGES / "environments.md"
EXAMPLE = ROOT / "examples" / "linear_reinforce.py"


def code_of(page: Path) -> list[str]:
    """Return the Python of a page, block by block."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def test_flat_actions_are_numbered_as_the_page_says() -> None:
    text = (ROOT / "docs" / "pages" / "reference" / "environments.md").read_text(encoding="utf-8")
    written = text.partition("## Flat actions")[2]
    end, attack, power, play, choose = re.findall(r"^\| `([^`]+)` \|", written, re.M)
    assert end == str(encode(MoveParts(Action.END)))
    for x, h, p, o, k in ((0, 0, 0, 0, 0), (16, 9, 6, 2, 9), (3, 1, 4, 1, 7)):
        a, d = p + o // 2, 7 - p
        values = {"x": x, "h": h, "p": p, "o": o, "k": k, "a": a, "d": d}
        for formula, move in (
                (attack, MoveParts(Action.ATTACK, attacker=a, defender=d)),
                (power, MoveParts(Action.POWER, target=x)),
                (play, MoveParts(Action.PLAY, hand=h, target=x, place=p, option=o)),
                (choose, MoveParts(Action.CHOOSE, choice=k))):
            assert eval(formula, values) == encode(move), formula
    assert eval(choose, {"k": 9}) == N_MOVES - 1


def test_the_code_of_the_page_runs() -> None:
    """In order and with fewer games, but for the size all of it as it stands there.

    What needs Stable-Baselines3 runs in tests/torch.
    """
    blocks = code_of(PAGE)
    plain = [block for block in blocks if "sb3" not in block]
    assert (len(blocks), len(plain)) == (13, 12)
    code = "\n".join(plain).replace("1024", "32")
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["seen"] is not None
    assert names["views"].shape == (1000, 1235)
    rate = names["rate"]  # of random play against random play
    assert 0.3 < rate.low < 0.5 < rate.high < 0.7


def test_the_code_of_the_page_on_training_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands there, but with a run of a few games."""
    monkeypatch.chdir(tmp_path)
    (code,) = code_of(PAGES / "learn.md")
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
    monkeypatch.setattr(environment, "GAMES", 16)
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
