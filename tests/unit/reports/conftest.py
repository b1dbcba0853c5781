"""Folders that reports are made of, over the stand-in engine."""

from pathlib import Path

import numpy as np
import pytest

from hsevo.agents.genomes.weights import write_weights
from tests.support import fake
from tests.support.folders import MINE, make, play


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with runs in every state; no test may change one."""
    from hsevo.play import match

    path = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        make(path / "whole", executions=3)
        make(path / "again", seed=2)
        make(path / "killed", stop=6, executions=3)
        make(path / "one", **{"evolution.generations": 1})
    return path


@pytest.fixture
def field(fake_engine: None, here: Path) -> Path:
    """Return a folder of an arena of four evolved agents and EVA, on the stand-in."""
    weights = np.zeros((4, 21))
    weights[:, 0] = [0, 0.3, 0.6, 1]
    write_weights(here / "mine.csv", [f"x{i}" for i in range(4)], weights)
    return play(here / "cup", agents=[*MINE, "eva:2018"], against=[])
