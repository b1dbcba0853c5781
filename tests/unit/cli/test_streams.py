"""Pipes whose reader goes early: printing stops, what was asked for does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hsevo.evolution.run import Run
from tests.support import ROOT
from tests.support.folders import make

FAKE = [sys.executable, "-m", "tests.support.fake_hsevo"]


def unread(words: list[str], *, both: bool) -> tuple[int, str]:
    """Run a command whose stdout (and stderr) nobody reads; return its exit code and stderr."""
    reader, writer = os.pipe()
    os.close(reader)  # every write is refused from the beginning
    done = subprocess.run([*FAKE, *words], stdout=writer, cwd=ROOT, timeout=60, check=False,
                          stderr=writer if both else subprocess.PIPE)
    os.close(writer)
    return done.returncode, (done.stderr or b"").decode()


@pytest.mark.parametrize("both", [True, False])
def test_a_run_goes_on_when_nobody_reads(both: bool, tmp_path: Path) -> None:
    code, said = unread(["evolve", "--config", "smoke", "--out", str(tmp_path / "mine")], both=both)
    assert (code, "Traceback" in said) == (0, False)
    assert both or "generation 2 of 2" in said
    assert Run(tmp_path / "mine").done


@pytest.mark.parametrize("words", ["cards list", "config schema"])
def test_a_list_that_nobody_reads_ends_quietly(words: str) -> None:
    assert unread(words.split(), both=False) == (0, "")


def test_following_a_run_ends_with_the_reader(tmp_path: Path, fake_engine: None) -> None:
    """A run that stands still, followed by `hsevo watch RUN | head -1`."""
    path = tmp_path / "mine"
    make(path, **{"evolution.generations": 2})
    (path / "done").unlink()
    assert unread(["watch", str(path), "--every", "0.1"], both=False) == (0, "")


def test_a_full_disk_is_still_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*FAKE, "agents"], stdout=full, stderr=subprocess.PIPE, cwd=ROOT,
                              check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"No space left on device" in done.stderr
