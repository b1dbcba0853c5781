"""Build the site as `make docs` does, once for all tests that read it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from tests.support import ROOT


def built(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, which one of the workers of a run of tests has built."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # a worker's own lies in that of all
    folder = shared / "site-of-the-docs"
    with FileLock(shared / "site-of-the-docs.lock"):
        if not (folder / "done").exists():
            build(folder)
            (folder / "done").touch()
    return folder / "site"


def build(folder: Path) -> Path:
    """Return the folder of the built site, below `folder`."""
    pages, site = folder / "pages", folder / "site"
    for words in (["docs/write_pages.py", str(pages)],
                  ["-m", "mkdocs", "build", "--strict", "--config-file", "docs/mkdocs.yml",
                   "--site-dir", str(site)]):
        done = subprocess.run([sys.executable, *words], cwd=ROOT, check=False, text=True,
                              env=os.environ | {"PAGES": str(pages), "PYTHONPATH": str(ROOT)},
                              capture_output=True)
        assert done.returncode == 0, done.stderr
    return site
