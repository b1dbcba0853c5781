"""No thread of workers is inside PyTorch when Python ends.

    with in_torch():            a job that computes a policy: what a thread waits for at the end
        with out_of_torch():    compiled code in it, which may take long

PyTorch lets go of the GIL and takes it back, also where it frees a tensor. Before Python 3.14,
Python at its end unwinds a thread that wants the GIL (pthread_exit), also through C++ that must not
be unwound: that aborts the process, "terminate called without an active exception". Threads of
workers are daemons, and after Ctrl-C they still play. So at its end, the main thread waits until
each is out of PyTorch, where it then stays: that is a move in some games. Compiled code has no such
C++ around it, and nobody waits for it.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_changed = threading.Condition()
_inside: set[threading.Thread] = set()
_ended = threading.Event()


@contextmanager
def in_torch() -> Iterator[None]:
    """Have the end of Python wait for what is inside, if this thread is not the main thread."""
    thread = threading.current_thread()
    if thread is threading.main_thread() or thread in _inside:  # the main thread ends Python
        yield
        return
    _enter(thread)
    try:
        yield
    finally:
        _leave(thread)


@contextmanager
def out_of_torch() -> Iterator[None]:
    """Have it not wait for what is inside, which must use and free no tensor."""
    thread = threading.current_thread()
    if thread not in _inside:
        yield
        return
    _leave(thread)
    try:
        yield
    finally:
        _enter(thread)


def _enter(thread: threading.Thread) -> None:
    with _changed:
        _inside.add(thread)
    if _ended.is_set():
        _leave(thread)


def _leave(thread: threading.Thread) -> None:
    """Say that the thread is out. If Python ends, never return: its tensors stay, too."""
    with _changed:
        _inside.discard(thread)
        _changed.notify()
    if _ended.is_set():
        threading.Event().wait()


@atexit.register
def _end() -> None:
    _ended.set()
    with _changed:
        _changed.wait_for(lambda: not _inside)
