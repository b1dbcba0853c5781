"""What a server does before the engine is ready: it compiles, and its pages say how long.

    Engine(first, later)          compiles in a thread: what all pages need, then the rest
    Waiting(app, engine)          the application, behind a page that waits for the engine
    not_yet(engine, request)      that page; other clients get status 503 and the seconds left

An engine that was compiled before is loaded at once, and no page waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hsevo.engine import jit
from hsevo.engine.compiling import Estimate
from hsevo.engine.jit import EntryPoint
from hsevo.experiments.compiling import CompileMeter, rounded
from hsevo.experiments.progress import duration
from hsevo.pages import render
from hsevo.play import match
from hsevo.texts import say
from hsevo.types import Array

RETRY = 5  # seconds after which to ask again, if the time left is unknown
OPEN = ("/enter", "/login")  # what works without the engine, besides the files of the pages


class Engine:
    """The compiled engine of a server; Engine(()) is ready.

    first: entry points that all pages wait for. later: those of agents that search; they are
    compiled while people choose, if they were not before, and only games of such agents wait.
    ready, complete: whether the first are there, and all.
    """

    def __init__(self, first: Sequence[EntryPoint], later: Sequence[EntryPoint] = ()) -> None:
        self._first, self._later = first, later
        self._settled = threading.Event()
        self._error: BaseException | None = None
        self.ready, self.complete = not first, not (first or later)
        self.estimate = Estimate()

    @classmethod
    def of(cls, agents: Iterable[Array], information: str, ruleset: str) -> Engine:
        """Return the engine of a server on which these agents, AGENT, play for sure."""
        rest = any(match.searches(rows, information) for rows in agents)
        needed, optional = match.entry_points(rest or information.startswith("closed"), ruleset)
        return cls(needed, optional)

    def start(self, failed: Callable[[], object]) -> None:
        """Load what was compiled before, and compile the rest in a thread.

        failed: called if that fails; `wait` and `check` raise the error.
        """
        if all(entry.is_compiled() for entry in self._first):
            jit.load_all(self._first)
            self._settle()
        self.complete = self.ready and all(entry.is_compiled() for entry in self._later)
        if not self.complete:
            threading.Thread(target=self._compile, args=(failed,), daemon=True).start()

    def wait(self) -> None:
        """Wait until it is ready. Raises what stopped it."""
        self._settled.wait()
        self.check()

    def check(self) -> None:
        """Raise what stopped it, if anything did."""
        if self._error:
            raise self._error

    def _compile(self, failed: Callable[[], object]) -> None:
        try:
            if not self.ready:
                with CompileMeter() as meter:
                    self.estimate = meter.estimate
                    jit.load_all(self._first)
                self._settle()
            self.estimate = Estimate()
            with jit.telling(self.estimate.begin):
                jit.load_all(self._later)
            self.complete = True
        except BaseException as error:
            self._error = error
            if self.ready:  # nobody waits any more, so nobody would raise it
                logging.getLogger("hsevo").error("hsevo: the server ends: %s", error)
            self._settled.set()
            failed()

    @property
    def why(self) -> str:
        """Message for people who wait."""
        if not self.estimate.of:  # another process compiles
            return say("compiling.unknown")
        return say("compiling.left", time=duration(rounded(self.estimate.left)))

    def _settle(self) -> None:
        self.ready = True
        self._settled.set()


class Waiting:
    """An application whose pages wait for the engine: others say so with status 503."""

    def __init__(self, app: ASGIApp, engine: Engine) -> None:
        self.app, self.engine = app, engine

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or answer that it comes too early."""
        path = scope.get("path", "")
        if self.engine.ready or path in OPEN or path.startswith("/static/"):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4503})
        else:
            await not_yet(self.engine, Request(scope))(scope, receive, send)


def not_yet(engine: Engine, request: Request) -> Response:
    """Return the page that waits, for a person; else how far the engine is, as JSON."""
    known = bool(engine.estimate.of)  # else another process compiles
    share, left = (engine.estimate.share, rounded(engine.estimate.left)) if known else (None, None)
    headers = {"retry-after": str(left or RETRY)}
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        page = render("web/starting.html.j2", why=engine.why, share=share)
        return HTMLResponse(page, 503, headers)
    return JSONResponse({"why": engine.why, "share": share, "seconds": left}, 503, headers)
