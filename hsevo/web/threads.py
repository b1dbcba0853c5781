"""Threads in which a server works: who thinks next, and how many at once.

Compiled code can't be stopped: a thread that thinks keeps its place until it ends, also if nobody
waits for it any more. So agents that think long share as many places as there are cores, and all
others have places of their own: a game against a fast agent waits for no slow one. An agent is slow
once it thought for LONG; its thread then also yields to others, where the system can do that. Of
those that wait for a place, the one begins whose game has thought the least.

The threads are daemons: a server that stops does not wait for them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from anyio import CapacityLimiter

T = TypeVar("T")
LONG = 0.25  # seconds of CPU time for a decision, from which on an agent is slow
NICE = 10  # of threads that think long


@dataclass(eq=False)
class CpuTime:
    """How much CPU time a game has used so far, in seconds."""

    used: float = 0.0


@dataclass(eq=False)
class _Job:
    """Something to be thought out. who: asks for it. agent: its name, "" if it has none."""

    who: str
    act: Callable[[], Any]
    share: CpuTime
    agent: str
    answer: asyncio.Future[Any]
    context: Context = field(default_factory=copy_context)
    thread: threading.Thread = field(init=False)
    is_slow: bool = False
    check: asyncio.TimerHandle | None = None


class Thinkers:
    """At most `slow` threads that think long, and `fast` others; `each` of them for one who asks.

    Whoever asks for more waits in a line of its own, which holds up nobody else.
    """

    def __init__(self, slow: int, each: int, fast: int = 8) -> None:
        self._places, self._each = {True: slow, False: fast}, each
        self._waiting, self._running = list[_Job](), set[_Job]()
        self._slow_agents = set[str]()

    async def run(self, who: str, act: Callable[[], T], share: CpuTime | None = None,
                  agent: str = "") -> T:
        """Return what `act` does in a thread. who: the address, or the code, of who asks for it.

        share: of the game. agent: who thinks. If the task is cancelled, what has not begun never
        does; what has begun ends by itself.
        """
        answer = asyncio.get_running_loop().create_future()
        job = _Job(who, act, share or CpuTime(), agent, answer)
        self._waiting.append(job)
        self._begin()
        try:
            result: T = await answer
            return result
        finally:
            with suppress(ValueError):
                self._waiting.remove(job)

    def _begin(self) -> None:
        """Begin all that there is a place for."""
        while (job := self._next()) is not None:
            self._waiting.remove(job)
            job.is_slow = job.agent in self._slow_agents
            self._running.add(job)
            job.thread = threading.Thread(target=_think, args=(job, self._end), daemon=True)
            job.thread.start()
            self._look_again(job)

    def _next(self) -> _Job | None:
        of = Counter(job.who for job in self._running)
        taken = Counter(job.is_slow for job in self._running)
        able = [job for job in self._waiting if of[job.who] < self._each and (
            taken[slow := job.agent in self._slow_agents] < self._places[slow])]
        return min(able, key=lambda job: (of[job.who], job.share.used), default=None)

    def _look_again(self, job: _Job) -> None:
        """Find out in a while whether a thread thinks long."""
        if job.is_slow:
            _yield_to_others(job)
        else:
            job.check = job.answer.get_loop().call_later(LONG, self._check, job)

    def _check(self, job: _Job) -> None:
        if job in self._running:
            job.is_slow = _cpu_time(job) >= LONG
            if job.is_slow and job.agent:
                self._slow_agents.add(job.agent)
            self._look_again(job)
            self._begin()

    def _end(self, job: _Job, seconds: float, result: Any, error: BaseException | None) -> None:
        self._running.discard(job)
        job.share.used += seconds
        if job.check:
            job.check.cancel()
        if seconds < LONG:
            self._slow_agents.discard(job.agent)
        if not job.answer.done():  # else nobody waits for it any more
            if error is None:
                job.answer.set_result(result)
            else:
                job.answer.set_exception(error)
        self._begin()


def _think(job: _Job, end: Callable[[_Job, float, Any, BaseException | None], None]) -> None:
    result, error = None, None
    try:
        result = job.context.run(job.act)
    except BaseException as raised:
        error = raised
    with suppress(RuntimeError):  # the server has stopped
        job.answer.get_loop().call_soon_threadsafe(end, job, time.thread_time(), result, error)


def _cpu_time(job: _Job) -> float:
    """Return how long a thread has computed, in seconds; where that is unknown, LONG."""
    with suppress(AttributeError, OSError):
        return time.clock_gettime(time.pthread_getcpuclockid(job.thread.ident or 0))
    return LONG


def _yield_to_others(job: _Job) -> None:
    """Have a thread compute when others leave time for it."""
    if sys.platform == "linux" and job.thread.native_id:  # elsewhere niceness is of processes
        with suppress(OSError):  # it has just ended
            os.setpriority(os.PRIO_PROCESS, job.thread.native_id, NICE)


class Threads(NamedTuple):
    """Those of a server: agents that think long hold up neither hints nor people."""

    agents: Thinkers  # that move
    hints: Thinkers  # and moves of exercises that are judged by playing on
    quick: CapacityLimiter  # moves of people, and games that are begun, loaded, saved

    @classmethod
    def new(cls) -> Threads:
        """Return those of a server."""
        cores = max(2, os.cpu_count() or 1)
        return cls(Thinkers(cores, 64), Thinkers(8, 2), CapacityLimiter(32))
