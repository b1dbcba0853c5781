"""A job that kills its worker; its module is quick to import, for each worker does so."""

import os
import signal
from pathlib import Path


def die_once(x: int, folder: str) -> int:
    """Return x^2; kill the worker the first time that x is 7, as want of memory does."""
    mark = Path(folder) / str(x)
    if x == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x * x
