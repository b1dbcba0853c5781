"""A browser is used again, and each window finds it as if it were new."""

from pathlib import Path

import pytest

from tests.support.browser import MISSING, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
LEFT = """
const left = [localStorage.length, sessionStorage.length];
localStorage.setItem("who", "me");
sessionStorage.setItem("who", "me");
return left;
"""
SHOWN = """
return [innerWidth, innerHeight, navigator.maxTouchPoints, document.hasFocus(),
        matchMedia("(prefers-color-scheme: dark)").matches, history.length];
"""


def test_a_window_finds_nothing_of_another(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<meta name="viewport" content="width=device-width">')
    with browser(400, 800) as beside:
        beside.open(file)
        assert beside.run(LEFT) == [0, 0]
        for width, touch in ((390, True), (1280, False)):
            with browser(width, 800, touch) as page:
                page.open(file)
                assert page.run(LEFT) == [0, 0]
                assert page.run(SHOWN) == [width, 800, int(touch), True, False, 2]
                page.dark(True)
                assert page.run(SHOWN)[4]
        assert beside.run(LEFT) == [1, 1]
