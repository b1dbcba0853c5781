"""A command without enough memory ends with a line."""

import resource
import subprocess
import sys

import pytest

MEGABYTE = 2**20


@pytest.mark.parametrize("limit", [150, 300, 500])
def test_too_little_memory_is_one_line(limit: int, tmp_path) -> None:
    """Of libraries that can't be loaded: each limit ends at another one."""
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit * MEGABYTE,) * 2)

    out = tmp_path / "run"
    found = subprocess.run(
        [sys.executable, "-m", "hsevo", "evolve", "--config", "smoke", "--out", out],
        capture_output=True, text=True, preexec_fn=limited, timeout=60, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("hsevo: there is not enough memory")
    assert found.stderr.count("\n") == 1
    assert not out.exists()
