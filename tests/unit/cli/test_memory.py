"""A command without enough memory ends with a line."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

MEGABYTE = 2**20


def limited(limit: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with so many megabytes of addresses."""
    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * MEGABYTE,) * 2)

    return subprocess.run([sys.executable, "-m", "hsevo", *words], cwd=folder, text=True,
                          capture_output=True, preexec_fn=limit_memory, timeout=60, check=False)


@pytest.mark.parametrize("limit", [150, 300, 500])
def test_too_little_memory_is_one_line(limit: int, tmp_path) -> None:
    """Of libraries that can't be loaded: each limit ends at another one."""
    out = tmp_path / "run"
    found = limited(limit, tmp_path, "evolve", "--config", "smoke", "--out", str(out))
    assert found.returncode == 2
    assert found.stderr.startswith("hsevo: there is not enough memory")
    assert found.stderr.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("words", [
    ["match", "eva:2018", "random"], ["learn", "--config", "osfp-smoke"], ["examine", "eva:2018"],
    ["verify", "run"], ["export-best", "run"]])
def test_every_command_says_so(words: list[str], tmp_path) -> None:
    """As `evolve` does; the folders that are named need not exist."""
    found = limited(150, tmp_path, *words)
    assert found.returncode == 2
    assert found.stderr.startswith("hsevo: there is not enough memory")
    assert found.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
