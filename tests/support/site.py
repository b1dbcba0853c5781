"""Build the site as `make docs` does, into a folder of a test's own."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support import ROOT


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
