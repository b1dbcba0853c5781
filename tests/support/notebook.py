"""Execute the notebooks of examples/, and write their outputs.

    python -m tests.support.notebook
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from tests.support import ROOT

NOTEBOOKS = sorted((ROOT / "examples").rglob("*.ipynb"))
ADDRESS = re.compile(r"0x[0-9a-f]+")  # of an object, in its repr


def executed(path: Path, folder: Path) -> Any:
    """Return a notebook with new outputs. folder: where it runs; what it writes is no source."""
    from nbclient import NotebookClient

    os.environ["PYTHONPATH"] = str(ROOT)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=900, kernel_name="python3",
                   resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the source of each cell of code, and its outputs as text: of a picture, that it is one.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield cell.source, [line for output in cell.outputs for line in _lines(output)]


def _lines(output: Any) -> Iterator[str]:
    if output.output_type == "stream":
        yield from output.text.splitlines() if output.name == "stdout" else ()
    elif "image/png" in output.data:
        yield "a picture"
    else:
        yield from ADDRESS.sub("0x", output.data["text/plain"]).splitlines()


def write() -> None:
    """Execute all notebooks, and write their outputs into them."""
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path, Path(folder))
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # times
        nbformat.write(notebook, path)


if __name__ == "__main__":
    write()
