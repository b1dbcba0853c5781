"""By what results were made, as about.json says it."""

import json
import os
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

import hsevo
from hsevo.store import machine
from tests.support.folders import make


def test_a_run_says_by_what_it_was_made(tmp_path: Path, fake_engine: None) -> None:
    about = json.loads((make(tmp_path / "run") / "about.json").read_text())
    assert about["version"] == hsevo.__version__
    for library in ("numpy", "scipy", "pandas", "numba"):
        assert about[library] == version(library)
    assert about["commit"] == machine.commit()
    found = about["machine"]
    assert set(found) == {"system", "processor", "cores", "memory"}
    assert found["cores"] == os.cpu_count()
    if (info := Path("/proc/cpuinfo")).exists() and "model name" in (text := info.read_text()):
        assert f": {found['processor']}\n" in text
    if (info := Path("/proc/meminfo")).exists():
        kilobytes = int(info.read_text().split()[1])
        assert found["memory"] == pytest.approx(1024 * kilobytes, rel=0.01)


def test_the_commit_is_that_of_a_clone(tmp_path: Path) -> None:
    assert machine.commit(tmp_path) is None
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    (tmp_path / "file").write_text("1")
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "one"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True,
                          text=True).stdout.strip()
    machine.commit.cache_clear()
    assert machine.commit(tmp_path) == head
    (tmp_path / "file").write_text("2")
    machine.commit.cache_clear()
    assert machine.commit(tmp_path) == f"{head}-dirty"


def test_no_git_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    machine.commit.cache_clear()
    assert machine.commit(tmp_path) is None
    machine.commit.cache_clear()
