"""Fixtures of the floors above the engine."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.browser import MISSING

settings.register_profile("untimed", deadline=None)  # speed has benchmarks, and no tests
settings.load_profile("untimed")
os.fsync = lambda descriptor: None  # 3 ms of the disk; tests of kills and full disks count calls
os.environ["TERM"] = "xterm"  # with another, such as dumb, live lines are rightly not drawn


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on the stand-in of tests/support/fake.py in this process."""
    from hsevo.play import match  # numba and the engine: not for tests that need neither
    from tests.support import fake

    fake.install(lambda name, value: monkeypatch.setattr(match, name, value))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out the pictures of reports, but write no files of them: half of their price."""
    monkeypatch.setattr("hsevo.pictures._file", lambda *_: b"<svg></svg>")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say where tests in a browser were left out for want of one."""
    left_out = [report for report in terminalreporter.stats.get("skipped", [])
                if report.nodeid.startswith("tests/browser/")]
    if left_out:
        terminalreporter.write_line(
            f"!!! {len(left_out)} TESTS IN A BROWSER DID NOT RUN: {MISSING} !!!", red=True)
