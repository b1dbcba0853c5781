"""Every notebook in examples/ runs from top to bottom, and shows what it gives today."""

from pathlib import Path

import nbformat
import pytest

import hsevo
from tests.support.notebook import NOTEBOOKS, executed, outputs


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_of_this_version(path: Path) -> None:
    """Its first cell says the version. `make pages` executes it again."""
    source, shown = next(outputs(nbformat.read(path, as_version=4)))
    assert source.splitlines()[-1] == "hsevo.__version__"
    assert shown == [repr(hsevo.__version__)]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of Jupyter's own libraries are no fault of ours
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_the_outputs_that_it_shows(path: Path, here: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell, without pictures. `make pages` writes new ones."""
    monkeypatch.setenv("PYTHONPATH", "")
    stored = list(outputs(nbformat.read(path, as_version=4)))
    assert sum(len(lines) for _, lines in stored) > 10
    for one, other in zip(outputs(executed(path, here)), stored, strict=True):
        assert one == other
