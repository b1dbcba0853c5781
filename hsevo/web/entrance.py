"""Connections: how long one may wait before it asks for something, and how many may wait at once.

uvicorn would keep a connection that asks for nothing for ever, until the process has no file handle
left for anybody else. So a connection ends that has sent no whole request within DEADLINE, counted
from its beginning or its last answer. Of one address, and of all, only so many may wait; beyond
that, the one ends that has waited longest, of the address with the most. One that has just come
always stays: a browser asks at once.
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from hsevo.errors import ConfigError
from hsevo.web.guard import address_of

DEADLINE = 10.0  # seconds for a whole request
MOST, RESERVE, LEAST = 2048, 256, 64  # connections; files that a server needs besides them
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
PAUSE = 60.0  # seconds between two lines about the same


def most_connections() -> int:
    """Return how many connections the process may have. Raises ConfigError if they are too few."""
    try:
        import resource
    except ImportError:  # not on this system
        return MOST
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return MOST
    if files - RESERVE < LEAST:
        raise ConfigError(f"this process may open {files} files, and a server needs"
                          f" {RESERVE + LEAST}: raise the limit with ulimit -n 4096")
    return min(MOST, files - RESERVE)


class Waiting:
    """The connections that have not asked for anything, by address, the oldest first.

    most: connections of all kinds. each: that may wait from one address.
    """

    def __init__(self, most: int) -> None:
        self.most, self.each = most, most // 2
        self._of: dict[str, dict[Entrance, asyncio.TimerHandle]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def add(self, connection: Entrance) -> None:
        """Add a connection that waits for a request."""
        self.remove(connection)
        self._of.setdefault(connection.address, {})[connection] = connection.loop.call_later(
            DEADLINE, self._end, connection)

    def remove(self, connection: Entrance) -> None:
        """Remove a connection that has sent a request, or ended."""
        there = self._of.get(connection.address, {})
        if timer := there.pop(connection, None):
            timer.cancel()
        if not there:
            self._of.pop(connection.address, None)

    def make_room(self, connection: Entrance) -> None:
        """End a connection if there are too many, but not the one that has just come."""
        there = self._of[connection.address]
        if len(there) <= self.each and len(connection.connections) <= self.most:
            return
        crowd = there if len(there) > self.each else max(self._of.values(), key=len)
        self._end(next(iter(crowd)))  # itself, if all others have asked for something

    def _end(self, connection: Entrance) -> None:
        self.remove(connection)
        connection.transport.abort()


class Entrance(H11Protocol):  # type: ignore[misc]
    """A connection, with a deadline for requests. waiting: those of the same server."""

    waiting: Waiting
    address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Let a connection in."""
        super().connection_made(transport)
        self.address = address_of({"client": self.client})
        self.waiting.add(self)
        self.waiting.make_room(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""
        self.waiting.remove(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what was sent."""
        super().handle_events()
        if self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete):
            self.waiting.remove(self)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand a connection over that asked for a WebSocket."""
        self.waiting.remove(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.waiting.add(self)  # first: the next one may be there already
        super().on_response_complete()


def entrance(most: int) -> type[Entrance]:
    """Return the connections of one server, for uvicorn."""
    return type("Entrance", (Entrance,), {"waiting": Waiting(most)})


def quietly(tell: Callable[[str], object]) -> Callable[[asyncio.AbstractEventLoop, Any], None]:
    """Return what handles errors of an event loop: of full tables, a line a minute at most."""
    told = dict[int, float]()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        number = error.errno if isinstance(error, OSError) else None
        if number not in FULL:
            loop.default_exception_handler(context)
        elif number and time.monotonic() - told.get(number, -PAUSE) >= PAUSE:
            told[number] = time.monotonic()
            tell("can't accept connections at the moment:"
                 f" {error.strerror}")  # type: ignore[union-attr]
    return handle
