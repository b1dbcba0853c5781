"""A command without enough memory ends with a line."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from hsevo.cli import root


def limited(limit: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with so many megabytes of addresses."""
    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * root.MEGABYTE,) * 2)

    return subprocess.run([sys.executable, "-m", "hsevo", *words], cwd=folder, text=True,
                          capture_output=True, preexec_fn=limit_memory, timeout=60, check=False)


@pytest.mark.parametrize("limit", [150, 300, 500])
def test_too_little_memory_is_one_line(limit: int, tmp_path) -> None:
    """Of libraries that can't be loaded: each limit ends at another one."""
    out = tmp_path / "run"
    found = limited(limit, tmp_path, "evolve", "--config", "smoke", "--out", str(out))
    assert found.returncode == 2
    assert found.stderr.startswith("hsevo: not enough memory for this command")
    assert found.stderr.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("words", [
    ["match", "eva:2018", "random"], ["learn", "--config", "osfp-smoke"], ["examine", "eva:2018"],
    ["verify", "run"], ["export-best", "run"]])
def test_every_command_says_so(words: list[str], tmp_path) -> None:
    """As `evolve` does; the folders that are named need not exist."""
    found = limited(150, tmp_path, *words)
    assert found.returncode == 2
    assert found.stderr.startswith("hsevo: not enough memory for this command")
    assert found.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# Imports numpy, then limits addresses to some megabytes more than there are, then imports scipy.
IMPORTS = """
import resource, sys
import numpy, scipy
from hsevo.cli import root
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]) * root.MEGABYTE,) * 2)
root.guard_imports()
import scipy.linalg
"""


@pytest.mark.parametrize("spare", [40, 60, 90])
def test_a_library_that_would_wait_for_ever_is_not_loaded(spare: int) -> None:
    found = subprocess.run([sys.executable, "-c", IMPORTS, str(spare)], text=True, timeout=60,
                           capture_output=True, check=False)
    assert "MemoryError: scipy.linalg cannot be loaded" in found.stderr


def test_a_library_that_has_room_is_loaded() -> None:
    found = subprocess.run([sys.executable, "-c", IMPORTS, "4000"], text=True, timeout=60,
                           capture_output=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


def test_without_a_limit_nothing_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [])
    assert root.spare_megabytes() == float("inf")
    root.guard_imports()
    assert sys.meta_path == []
