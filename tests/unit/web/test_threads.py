"""The threads of a server: one person can't have them all."""

from __future__ import annotations

import asyncio
import threading

import pytest

pytest.importorskip("anyio")

from hsevo.web.threads import Thinkers


def test_nobody_holds_the_threads_in_which_hints_are_thought_out() -> None:
    """Not by going and coming again, either: who goes keeps its place until the thread ends."""
    async def all_ask() -> None:
        loop, begun, ends = asyncio.get_running_loop(), list[str](), threading.Event()
        thinkers = Thinkers(3, 2)

        def ask(who: str) -> asyncio.Task[str]:
            def think() -> str:
                loop.call_soon_threadsafe(begun.append, who)
                assert ends.wait(20)
                return who
            return asyncio.create_task(thinkers.run(who, think))

        async def until(*known: str) -> None:
            while begun != [*known]:
                await asyncio.sleep(0.001)

        async with asyncio.timeout(10):
            one, _ = ask("greedy"), ask("greedy")
            await until("greedy", "greedy")
            third, fourth = ask("greedy"), ask("greedy")
            for gone in (one, fourth):
                gone.cancel()
            other = ask("other")
            await until("greedy", "greedy", "other")
            ends.set()
            assert await asyncio.gather(third, other) == ["greedy", "other"]
            assert begun == ["greedy", "greedy", "other", "greedy"]  # what had not begun never did
    asyncio.run(all_ask())
