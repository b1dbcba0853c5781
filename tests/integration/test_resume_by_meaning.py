"""A killed run goes on after its sources were reworded, and not after a rule was changed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hsevo.sources import PACKAGE
from tests.integration.test_reproducible import bits
from tests.support import command
from tests.unit.ground.test_sources import change

# Python takes a compiled file for that of a source of the same size and second: those of the
# package come along, with the times of its sources, and no others are made.
ALWAYS_READ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
SMALL = ["--config", "smoke", "--workers", "1", "--set", "evolution.mu=2", "--set",
         "evolution.lambda=2", "--set", "games=1", "--set", "evolution.generations=12"]
RULES = [
    ("engine/game/setup.py", "g.rng = mix(seed)", "g.rng = mix(seed + 1)", "engine"),
    ("cards/sets/basic.py", '"Chillwind Yeti", 4, 4, 5', '"Chillwind Yeti", 4, 5, 5', "engine"),
    ("evolution/fitness.py", "interval(rate, effective_games(games, weights), confidence)",
     "interval(rate, effective_games(games, weights), 0.5)", "method"),
]
WORDS = [
    ("engine/operations/turn.py", '"""The loop', '"""Here: The loop'),
    ("engine/game/setup.py", "g.rng = mix(seed)", "g.rng = mix(seed)  # the game's own stream"),
    ("agents/eva/decision.py", "import numpy", "\n\nimport numpy"),
    ("play/entry.py", "@entry_point(", "# One of two.\n@entry_point("),
    ("evolution/fitness.py", '"""Fitness of the', '"""The fitness of the'),
    ("cards/sets/basic.py", '"Chillwind Yeti"', '"Yeti of the Chill Wind"'),
]  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package, and what it reads, to be run there."""
    for name in ("hsevo", "configs", "decks"):
        shutil.copytree(PACKAGE.parent / name, tmp_path / name)
    return tmp_path


def hsevo(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the copy's command line in its folder."""
    return subprocess.run([sys.executable, "-m", "hsevo", *words], cwd=tree, text=True,
                          capture_output=True, check=False, env=ALWAYS_READ)


def killed(tree: Path) -> None:
    """Begin a run, and kill it after its first generation."""
    words = [sys.executable, "-m", "hsevo", "evolve", *SMALL, "--out", "run"]
    with subprocess.Popen(words, cwd=tree, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=ALWAYS_READ) as process:
        deadline = time.monotonic() + 300
        while not (tree / "run" / "statistics.csv").exists():
            assert time.monotonic() < deadline, "no generation within five minutes"
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    assert not (tree / "run" / "done").exists()


@pytest.mark.slow
def test_a_killed_run_goes_on_after_rewording_alone(tree: Path) -> None:
    whole = command.hsevo("evolve", *SMALL, "--out", tree / "whole")
    assert whole.exit_code == 0, whole.output
    killed(tree)
    for name, old, new, what in RULES:
        change(tree / "hsevo" / name, old, new)
        refused = hsevo(tree, "evolve", "--resume", "run")
        assert refused.returncode == 2
        assert f"was begun with {what} " in refused.stderr
        change(tree / "hsevo" / name, new, old)
    for name, old, new in WORDS:
        change(tree / "hsevo" / name, old, new)
    resumed = hsevo(tree, "evolve", "--resume", "run")
    assert resumed.returncode == 0, resumed.stderr
    assert "compiling" not in resumed.stderr
    assert bits(tree / "run") == bits(tree / "whole")
