"""A real headless browser for tests of pages: Chromium by its driver, without a library between.

    with browser(400, 800, touch=True) as page:
        page.open(path, "#step-3")
        page.run("return document.title")
"""

import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DRIVER = shutil.which("chromedriver")
CHROME = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
MISSING = None if DRIVER and CHROME else "no chromium with chromedriver is installed"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--hide-scrollbars"]
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010",
        "PageUp": "\ue00e", "PageDown": "\ue00f", "Space": " "}
PATIENCE = 30.0  # seconds for an answer
# Ask a script for what is true, for some seconds; what it says of a fault is no answer, and neither
# is anything of a page that is not all there yet.
SOON = """
return new Promise((answer) => {
  const end = performance.now() + 2000;
  const look = () => {
    let found;
    try { found = document.readyState !== "loading" && script.apply(null, arguments); }
    catch (error) { answer({error: String(error)}); return; }
    if (found || performance.now() > end) answer({is: found || null});
    else setTimeout(look, 20);
  };
  look();
});
"""


class Page:
    """One tab of a browser."""

    def __init__(self, address: str) -> None:
        self.address = address

    def call(self, command: str, **body: Any) -> Any:
        """Send a command of the WebDriver protocol; return its value."""
        request = urllib.request.Request(f"{self.address}/{command}", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def soon(self, script: str, *words: Any, patience: float = PATIENCE) -> Any:
        """Return what a script returns, as soon as it is true.

        The page itself looks again and again: a question from here takes 10 ms of CPU. On a page
        that leads on meanwhile to another, the driver asks anew.
        """
        end = time.monotonic() + patience
        while time.monotonic() < end:
            found = self.run(f"const script = function () {{ {script} }};\n{SOON}", *words)
            assert "error" not in found, f"{found['error']}: {script}"
            if found["is"]:
                return found["is"]
        raise AssertionError(f"never: {script}")

    def open(self, path: Path, fragment: str = "") -> None:
        self.call("url", url="about:blank")
        self.call("url", url=f"{path.resolve().as_uri()}{fragment}")
        # On a busy machine the driver has been seen to return before the page's scripts ran.
        self.soon('return location.protocol === "file:" && document.readyState === "complete"')

    def run(self, script: str, *words: Any) -> Any:
        return self.call("execute/sync", script=script, args=list(words))

    def press(self, key: str) -> None:
        self.write(KEYS[key])

    def write(self, text: str) -> None:
        """Type text where the focus is."""
        actions = [{"type": kind, "value": sign} for sign in text for kind in ("keyDown", "keyUp")]
        self.call("actions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def swipe(self, x: int, to: int, y: int = 300) -> None:
        """Move a finger from x to another x."""
        actions: list[dict[str, Any]] = [
            {"type": "pointerMove", "duration": 0, "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 100, "x": to, "y": y},
            {"type": "pointerUp", "button": 0}]
        self.call("actions", actions=[{"type": "pointer", "id": "finger", "actions": actions,
                                       "parameters": {"pointerType": "touch"}}])

    def dark(self, on: bool) -> None:
        """Ask for dark or light colours."""
        media = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.call("goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
                  params={"features": media})

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        """Give the page so many pixels.

        The driver sets the first size anew after a page has opened, now and then after this
        returns. So the page is asked for its size, and told again while it has another.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.call("goog/cdp/execute", cmd="Emulation.setDeviceMetricsOverride", params={
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
            for _ in range(3):
                time.sleep(0.01)
                size = self.run("return [innerWidth, innerHeight]")
                if size != [width, height]:
                    break
            else:
                return
        raise AssertionError(f"a page of {width} x {height} pixels stays at {size}")

    def picture(self, file: Path) -> None:
        """Write what is seen of the page, as PNG."""
        with urllib.request.urlopen(f"{self.address}/screenshot", timeout=60) as answer:
            file.write_bytes(b64decode(json.load(answer)["value"]))


@contextmanager
def browser(width: int, height: int, touch: bool = False) -> Iterator[Page]:
    """Open a tab of so many pixels in a new browser."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = subprocess.Popen([str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        try:
            root = Page(f"http://127.0.0.1:{port}")
            _wait(root.address)
            options = {"binary": CHROME, "args": [*FLAGS, f"--user-data-dir={folder}"],
                       "mobileEmulation": {"deviceMetrics": {
                           "width": width, "height": height, "pixelRatio": 1, "touch": touch}}}
            begun = root.call("session", capabilities={"alwaysMatch": {
                "goog:chromeOptions": options}})
            page = Page(f"{root.address}/session/{begun['sessionId']}")
            try:
                yield page
            finally:
                over = urllib.request.Request(page.address, method="DELETE")
                urllib.request.urlopen(over, timeout=60).close()
        finally:
            driver.terminate()
            driver.wait()


def _wait(address: str) -> None:
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"{address}/status", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise TimeoutError("chromedriver does not answer")


if __name__ == "__main__" and MISSING:
    print(f"!!! TESTS IN A BROWSER DID NOT RUN: {MISSING} !!!")
