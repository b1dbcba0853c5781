"""A limit for the time that a call of somebody's Python code takes.

    with at_most(5.0):      raises TooLong in it after five seconds
        call()

In the main thread a timer of the system interrupts whatever runs; in others, and where there is no
such timer, the exception reaches code once it runs Python again. TooLong is no Exception, so code
that catches all errors of its own lets it pass; who catches it all the same gets it at the end.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class TooLong(BaseException):
    """Raised in code that takes longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong in what runs inside after so many seconds."""
    main = threading.current_thread() is threading.main_thread()
    limit = _alarm if main and hasattr(signal, "setitimer") else _watch
    end = time.monotonic() + seconds
    with limit(seconds):
        yield
    if time.monotonic() > end:  # it caught the exception, or nothing could interrupt it
        raise TooLong


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Have SIGALRM interrupt the main thread; a timer that was set before is set again after."""
    def stop(number: int, frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    begun = time.monotonic()
    try:
        yield
    finally:
        try:  # the alarm may come just now
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.signal(signal.SIGALRM, before)
            if left:  # if its time has come meanwhile: at once; 0 would stop it
                left = max(left - (time.monotonic() - begun), 1e-6)
                signal.setitimer(signal.ITIMER_REAL, left, interval)


@contextmanager
def _watch(seconds: float) -> Iterator[None]:
    """Have another thread raise the exception in this one."""
    here, lock, over = ctypes.c_ulong(threading.get_ident()), threading.Lock(), threading.Event()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def stop() -> None:
        with lock:
            if not over.is_set():
                raise_in(here, ctypes.py_object(TooLong))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over.set()
            raise_in(here, None)  # one that was not delivered yet
        timer.cancel()
