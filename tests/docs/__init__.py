"""The docs: their figures, links and commands, and the folders that they describe."""

import sys

from tests.support import ROOT

sys.path.append(str(ROOT / "docs"))  # where mkdocs finds what its hooks import

import figures
import generated
import hooks

PAGES = ROOT / "docs" / "pages"

__all__ = ["PAGES", "figures", "generated", "hooks"]
