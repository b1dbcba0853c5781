"""Every notebook in examples/ runs from top to bottom, without an error."""

from pathlib import Path

import pytest

from tests.support import ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.rglob("*.ipynb"))


@pytest.mark.skipif(not EXAMPLES.exists(), reason="there is no examples/ yet")
def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of Jupyter's own libraries are no fault of ours
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder: what a notebook writes is no part of the sources."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(here)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    assert any(cell.cell_type == "code" for cell in notebook.cells)
