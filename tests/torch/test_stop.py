"""Ctrl-C while threads of workers compute a policy: Python ends as it should, and doesn't abort."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [
    "match RL eva:2018 --games 40000 --decks mage --workers 2 --out OUT",
    "learn --config end-to-end-small --set games=6400 --workers 2 --out OUT",
    "learn --config end-to-end-small --set network.actors=queue --workers 2 --out OUT"])
def test_a_stop_is_no_abort(run, tmp_path, words):
    out = tmp_path / "out"
    named = {"RL": f"rl:{run.path}", "OUT": str(out)}
    code = "import sys; from hsevo.cli import main; sys.exit(main())"
    child = subprocess.Popen(
        [sys.executable, "-c", code, *(named.get(word, word) for word in words.split())],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, preexec_fn=_heed)
    until = time.monotonic() + 60
    while not out.exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1.5)  # it plays now
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 130, said
    assert "terminate called" not in said
    assert said.splitlines()[-1].startswith("hsevo: stopped")


def _heed() -> None:
    """Heed SIGINT, which a shell has commands in its background ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
