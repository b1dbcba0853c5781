"""The page that waits while the engine is compiled, and goes on by itself."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import hsevo
from tests.support.browser import MISSING, browser
from tests.support.slow_engine import SlowEngine, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
STATE = """
const bar = document.querySelector("progress");
return bar && {value: bar.value, told: document.getElementById("told").textContent};
"""


def test_it_shows_how_far_it_is_and_leads_on(tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    slow, told, come = SlowEngine(monkeypatch), list[str](), list[Any]()

    def serve() -> None:
        come.append(hsevo.serve(out=tmp_path / "play", port=0, wait=False, browser=False,
                                tell=told.append))
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        assert slow.begun.wait(60)
        wait_for(lambda: told)
        with browser(390, 760) as page:
            page.call("url", url=told[0].partition("play at: ")[2])
            first = page.soon(STATE)
            assert first["told"].startswith("Compiling the engine, once for this version: about ")
            assert first["value"] < 0.2
            slow.step(0.5)
            page.soon("return document.querySelector('progress').value >= 0.5")
            assert page.run("return location.pathname") == "/"
            assert page.run("return document.documentElement.scrollWidth") <= 390
            slow.finish()
            page.soon("return document.querySelector('#mine')")
            assert page.run("return document.querySelector('progress')") is None
    finally:
        slow.finish()
        thread.join(60)
        for server in come:
            server.close()
