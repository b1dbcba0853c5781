"""Work that plays many games for a page: in a thread, one after the other, told line by line."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias

from anyio import to_thread

from hsevo.errors import GameError, HsevoError
from hsevo.texts import say

Plain: TypeAlias = dict[str, Any]
Task: TypeAlias = asyncio.Task[Plain]
Look: TypeAlias = Callable[[Callable[[int, int], object]], Plain]
EVERY = 0.3  # seconds between two lines of progress
PARTS = 1000  # what a part of a search counts in its progress


class ThreadSearch:
    """A search in a thread: lines of JSON, {"games", "of"}, and last what was found, or "why".

    look: finds it, as the page gets it, and tells its progress. what: as texts.yaml
    names what is looked for. person: who began it.
    """

    def __init__(self, look: Look, after: ThreadSearch | None, what: str, person: str = "") -> None:
        self._look, self._told, self.stopped = look, {"games": 0, "of": 1}, False
        self._what, self.person = what, person
        self._task: Task = asyncio.create_task(self._run(after._task if after else None))

    @property
    def over(self) -> bool:
        """Whether nothing is looked for any more, or soon."""
        return self.stopped or self._task.done()

    def stop(self) -> None:
        """End it after the games that are being played: nobody waits for what it finds."""
        self.stopped = True

    async def __aiter__(self) -> AsyncIterator[str]:
        while not (await asyncio.wait([self._task], timeout=EVERY))[0]:
            yield json.dumps(self._told) + "\n"
        yield json.dumps(self._task.result()) + "\n"

    async def _run(self, after: Task | None) -> Plain:
        if after is not None:
            await asyncio.wait([after])
        found: Plain = await to_thread.run_sync(self._found)
        return found

    def _found(self) -> Plain:
        try:
            self._tell(**self._told)
            return self._look(self._tell)
        except HsevoError as error:
            return {"why": str(error)}

    def _tell(self, games: int, of: int) -> None:
        """Note how far it is. Raises GameError if it was stopped."""
        if self.stopped:
            raise GameError(say(f"searching.stopped.{self._what}"))
        self._told = {"games": games, "of": of}


class Desk:
    """Looks for one thing after the other. what: as texts.yaml names it. most: that go on or wait.
    """

    def __init__(self, what: str, most: int = 1) -> None:
        self._what, self._most = what, most
        self._last: ThreadSearch | None = None
        self._open: list[ThreadSearch] = []

    def begin(self, look: Look, person: str = "") -> ThreadSearch:
        """Begin to look, for a person. Raises GameError if too many are being answered."""
        self._open = [one for one in self._open if not one.over]
        if len(self._open) >= self._most:
            raise GameError(say(f"searching.busy.{self._what}"))
        self._last = ThreadSearch(look, self._last, self._what, person)
        self._open.append(self._last)
        return self._last

    def stop(self) -> None:
        """End what is being looked for, as the server ends."""
        for one in self._open:
            one.stop()


def part(tell: Callable[[int, int], object], k: int, of: int) -> Callable[[int, int], object]:
    """Return what tells the progress of part k of so many, which take about as long each."""
    def telling(games: int, total: int) -> None:
        tell(round(PARTS * (k + games / max(1, total))), of * PARTS)
    return telling


def workers() -> int:
    """Return how many workers a search has: games go on meanwhile."""
    return max(1, (os.cpu_count() or 1) // 2)
