"""`python -m studies.measure.tutorial FILE`: write the deck of the tutorial, from its page."""

import re
import sys
from pathlib import Path

from studies import ROOT

PAGE = ROOT / "docs/pages/tutorial.md"


def deck() -> str:
    """Return the deck file that the page shows."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```text\n(# My own deck.*?)```", text, re.DOTALL)
    assert found
    return found[1]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(deck(), encoding="utf-8")
