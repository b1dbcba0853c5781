"""Take pictures of a page in a real browser, as phones and wide screens show it, light and dark.

    python -m tests.support.look report.html out/

Says of each width how far the body scrolls sideways, which should be nothing.
"""

import sys
from pathlib import Path

from tests.support.browser import browser

WIDTHS = (390, 1280, 1920)
TALL = 12000  # pixels of the longest picture


def look(file: Path, out: Path, widths: tuple[int, ...] = WIDTHS, tall: int = TALL) -> list[int]:
    """Write WIDTH-light.png and WIDTH-dark.png; return by how much each width is exceeded."""
    out.mkdir(parents=True, exist_ok=True)
    beyond = []
    for width in widths:
        with browser(width, 900) as page:
            page.open(file)
            high = min(int(page.run("return document.documentElement.scrollHeight")), tall)
            page.resize(width, high)
            for dark, name in ((False, "light"), (True, "dark")):
                page.dark(dark)
                page.picture(out / f"{width}-{name}.png")
            beyond.append(int(page.run("return document.documentElement.scrollWidth")) - width)
    return beyond


if __name__ == "__main__":
    for wide, more in zip(WIDTHS, look(Path(sys.argv[1]), Path(sys.argv[2])), strict=True):
        print(f"{wide} pixels: {more} beyond")
