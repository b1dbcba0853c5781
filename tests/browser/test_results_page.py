"""Runs and results in a real browser: figures come, a curve is drawn, a game steps on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

import hsevo
from tests.support.browser import MISSING, browser

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]


def test_results_are_looked_at(tmp_path: Path) -> None:
    hsevo.match("random", "eva:2018", games=2, out=tmp_path / "shown" / "met", backend="serial")
    with (hsevo.serve(show=tmp_path / "shown", out=tmp_path / "play", port=0, wait=False,
                      browser=False, tell=lambda _: None) as server, browser(390, 900) as page):
        root = server.address.split("/enter")[0]
        page.call("url", url=server.address)
        page.call("url", url=f"{root}/results")
        assert "eva:2018" in page.soon(
            "const one = document.querySelector('td.figure').textContent;"
            " return one !== '…' && one")
        assert page.run("return document.documentElement.scrollWidth") == 390
        (result,) = server.hall.results.all
        page.call("url", url=f"{root}/results/{result.id}/games/0/0#move-3")
        assert page.soon("return document.body.dataset.ready") == "yes"
        assert page.run("return document.body.dataset.at") == "3"
        page.run("document.getElementById('speed').value = '0'")
        for key, at in (("ArrowLeft", "2"), ("ArrowRight", "3"), ("Home", "0")):
            page.press(key)
            assert page.soon(f"return document.body.dataset.at === '{at}'")
        page.press("End")
        assert "is over" in page.soon("return document.getElementById('turn').textContent")
        assert page.run("return document.documentElement.scrollWidth") == 390
