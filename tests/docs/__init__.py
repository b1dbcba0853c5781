"""The docs: their figures, links and commands, and the folders that they describe."""

import sys

from tests.support import ROOT

sys.path.append(str(ROOT / "docs"))  # whose modules import each other by their names

import figures
import generated
import keywords
import write_pages

PAGES = ROOT / "docs" / "pages"

__all__ = ["PAGES", "figures", "generated", "keywords", "write_pages"]
