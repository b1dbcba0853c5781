"""Threads in which a server works: how many do what at once, and how many of them for one person.

Compiled code can't be stopped: a thread that thinks keeps its place until it ends, also if nobody
waits for it any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, to_thread

T = TypeVar("T")


class Thinkers:
    """At most `most` threads that may think long, at most `each` of them for one who asks.

    Whoever asks for more waits in a line of its own, which holds up nobody else.
    """

    def __init__(self, most: int, each: int) -> None:
        self.most, self._each = CapacityLimiter(most), each
        self._of: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()

    async def run(self, who: str, act: Callable[[], T]) -> T:
        """Return what `act` does in a thread. who: the address, or the code, of who asks for it.

        If the task is cancelled, what has not begun never does; what has begun ends by itself.
        """
        own = self._of.setdefault(who, CapacityLimiter(self._each))
        began = False

        async def placed() -> T:
            nonlocal began
            async with own, self.most:
                began = True
                found: T = await to_thread.run_sync(act, limiter=CapacityLimiter(1))
                return found

        task = asyncio.create_task(placed())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not began:
                task.cancel()
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # is heard
            raise


class Threads(NamedTuple):
    """Those of a server: agents that think long hold up neither hints nor people."""

    agents: Thinkers  # that move; the system shares the cores among them
    hints: Thinkers  # and moves of exercises that are judged by playing on
    quick: CapacityLimiter  # moves of people, and games that are begun, loaded, saved

    @classmethod
    def new(cls) -> Threads:
        """Return those of a server."""
        return cls(Thinkers(64, 16), Thinkers(8, 2), CapacityLimiter(32))
