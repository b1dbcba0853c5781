"""The threads of a server: one person can't have them all."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable

import pytest

pytest.importorskip("anyio")

from hsevo.web import threads
from hsevo.web.threads import CpuTime, Thinkers


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


class Room:
    """Thinkers, and jobs that last until they may end."""

    def __init__(self, *places: int) -> None:
        self.thinkers, self.begun = Thinkers(*places), list[str]()
        self.ends = threading.Event()

    def ask(self, name: str, agent: str, share: CpuTime | None = None) -> asyncio.Task[str]:
        loop = asyncio.get_running_loop()

        def think() -> str:
            loop.call_soon_threadsafe(self.begun.append, name)
            assert self.ends.wait(20)
            return name
        return asyncio.create_task(self.thinkers.run("me", think, share, agent))

    def quick(self) -> asyncio.Task[str]:
        return asyncio.create_task(self.thinkers.run("me", lambda: "quick", CpuTime(), "fast"))

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not is_so():
                await asyncio.sleep(0.001)


@pytest.fixture
def all_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have whoever thinks for 20 ms be slow."""
    monkeypatch.setattr(threads, "LONG", 0.02)
    monkeypatch.setattr(threads, "_cpu_time", lambda job: threads.LONG)


@pytest.mark.usefixtures("all_are_slow")
def test_a_fast_agent_waits_for_no_slow_one() -> None:
    async def all_ask() -> None:
        room = Room(2, 64, 3)
        slow = [room.ask(str(k), "slow") for k in range(60)]
        await room.until(lambda: len(room.begun) == 3)  # nobody knows yet how slow it is
        await room.until(lambda: "slow" in room.thinkers._slow_agents)
        for _ in range(10):
            assert await asyncio.wait_for(room.quick(), 5) == "quick"
        assert len(room.begun) <= 2 + 3
        room.ends.set()
        assert await asyncio.wait_for(asyncio.gather(*slow), 10) == [*map(str, range(60))]
    asyncio.run(all_ask())


@pytest.mark.usefixtures("all_are_slow")
def test_who_has_thought_least_comes_first() -> None:
    async def all_ask() -> None:
        room = Room(1, 64, 1)
        first = room.ask("first", "slow")
        await room.until(lambda: "slow" in room.thinkers._slow_agents)
        later = [room.ask(name, "slow", CpuTime(used)) for name, used in
                 (("much", 9.0), ("little", 1.0), ("nothing", 0.0))]
        room.ends.set()
        await asyncio.wait_for(asyncio.gather(first, *later), 10)
        assert room.begun == ["first", "nothing", "little", "much"]
    asyncio.run(all_ask())


def test_an_agent_that_is_fast_again_has_the_places_of_fast_ones() -> None:
    async def ask() -> None:
        thinkers, share = Thinkers(1, 64), CpuTime()
        end = time.thread_time

        def burn() -> None:
            until = end() + threads.LONG
            while end() < until:
                pass
        thinkers._slow_agents.add("one")
        await thinkers.run("me", burn, share, "one")
        assert thinkers._slow_agents == {"one"}
        assert share.used >= threads.LONG
        await thinkers.run("me", lambda: None, share, "one")
        assert not thinkers._slow_agents
    asyncio.run(ask())


def test_what_is_raised_is_raised_where_it_is_waited_for() -> None:
    async def ask() -> None:
        with pytest.raises(ZeroDivisionError):
            await Thinkers(1, 1).run("me", lambda: 1 // 0)
    asyncio.run(ask())


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="niceness is of processes elsewhere")
@pytest.mark.usefixtures("all_are_slow")
def test_a_slow_thread_yields_to_others() -> None:
    async def ask() -> None:
        room = Room(1, 1)
        one = room.ask("one", "slow")
        await room.until(lambda: "slow" in room.thinkers._slow_agents)
        job, = room.thinkers._running
        assert job.thread.native_id is not None
        own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        assert os.getpriority(os.PRIO_PROCESS, job.thread.native_id) == max(own, threads.NICE)
        room.ends.set()
        await one
    asyncio.run(ask())
