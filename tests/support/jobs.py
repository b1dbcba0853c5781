"""Jobs for workers, and who is stopped at one; quick to import, for each worker does so."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from hsevo.config import Workers
from hsevo.play.workers import open_workers


def square(x: int) -> int:
    return x * x


def slow_square(x: int) -> int:
    time.sleep(0.02)
    return x * x


def fail(x: int) -> int:
    raise ZeroDivisionError(f"job {x}")


def die(x: int) -> int:
    os._exit(9)


def die_once(x: int, folder: str) -> int:
    """Return x^2; kill the worker the first time that x is 7, as want of memory does."""
    mark = Path(folder) / str(x)
    if x == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x * x


def heeds_interrupts() -> bool:
    """Return whether Ctrl-C at the terminal would reach this thread."""
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def play_until_interrupted(backend: Any) -> None:
    """Say on stdout when the first job is done, and how it ended."""
    try:
        with open_workers(Workers(backend=backend, count=2)) as executor:
            answers = executor(slow_square, ((i,) for i in range(100_000)))
            next(answers)
            print("playing", flush=True)
            list(answers)
    except KeyboardInterrupt:
        print("interrupted")
        sys.exit(130)


if __name__ == "__main__":
    play_until_interrupted(sys.argv[1])
