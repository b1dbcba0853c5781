"""Fixtures of the floors above the engine."""

from pathlib import Path

import pytest


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on the stand-in of tests/support/fake.py in this process."""
    from hsevo.play import match  # numba and the engine: not for tests that need neither
    from tests.support import fake

    fake.install(lambda name, value: monkeypatch.setattr(match, name, value))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
