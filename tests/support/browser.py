"""A real headless browser for tests of pages: Chromium by its driver, without a library between.

    with browser(400, 800, touch=True) as page:
        page.open(path, "#step-3")
        page.run("return document.title")
"""

import atexit
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
from contextlib import ExitStack, contextmanager
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
    """One window of a browser."""

    def __init__(self, address: str) -> None:
        self.address = address

    def call(self, command: str, **body: Any) -> Any:
        """Send a command of the WebDriver protocol; return its value."""
        request = urllib.request.Request(f"{self.address}/{command}", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def devtools(self, command: str, **params: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self.call("goog/cdp/execute", cmd=command, params=params)

    def delete(self, what: str = "") -> None:
        """End the session, or a part of it."""
        ending = urllib.request.Request(f"{self.address}/{what}".rstrip("/"), method="DELETE")
        urllib.request.urlopen(ending, timeout=60).close()

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
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def resize(self, width: int, height: int, touch: bool = False) -> None:
        """Show as much as a phone of so many pixels, with or without a touch screen."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=True)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)

    def picture(self, file: Path) -> None:
        """Write what is seen of the page, as PNG."""
        with urllib.request.urlopen(f"{self.address}/screenshot", timeout=60) as answer:
            file.write_bytes(b64decode(json.load(answer)["value"]))


_free: list[tuple[Page, str]] = []  # browsers without a window: their drivers and debuggers


@contextmanager
def browser(width: int, height: int, touch: bool = False) -> Iterator[Page]:
    """Open a window of so many pixels in a browser that has no other, nor anything stored.

    Browsers are used again, for each takes more than a second of CPU to start.
    """
    started = _free.pop() if _free else _start()
    with _window(*started, width, height, touch) as page:
        yield page
    _free.append(started)


def _start() -> tuple[Page, str]:
    """Start a driver and a browser, which live as long as this process."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(_started())


@contextmanager
def _started() -> Iterator[tuple[Page, str]]:
    """Start a driver and a browser; yield the driver, and where the browser is reached."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = subprocess.Popen([str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        try:
            root = Page(f"http://127.0.0.1:{port}")
            _wait(root.address)
            with _session(root, binary=CHROME, args=[*FLAGS, f"--user-data-dir={folder}"]) as (
                    _, debugger):
                yield root, debugger
        finally:
            driver.terminate()
            driver.wait()


@contextmanager
def _session(root: Page, **options: Any) -> Iterator[tuple[Page, str]]:
    """Begin a session of a driver; yield it and the address of the browser's debugger."""
    begun = root.call("session", capabilities={"alwaysMatch": {"goog:chromeOptions": options}})
    page = Page(f"{root.address}/session/{begun['sessionId']}")
    try:
        yield page, begun["capabilities"]["goog:chromeOptions"]["debuggerAddress"]
    finally:
        page.delete()


@contextmanager
def _window(root: Page, debugger: str, width: int, height: int, touch: bool) -> Iterator[Page]:
    with _session(root, debuggerAddress=debugger) as (page, _):
        page.call("window", handle=page.call("window/new", type="window")["handle"])
        page.devtools("Emulation.setFocusEmulationEnabled", enabled=True)
        page.resize(width, height, touch)
        try:
            yield page
        finally:
            page.devtools("Network.clearBrowserCookies")
            page.devtools("Storage.clearDataForOrigin", origin="*", storageTypes="all")
            page.delete("window")


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
