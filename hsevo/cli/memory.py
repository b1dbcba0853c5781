"""Under a limit of addresses (`ulimit -v`): an error where a library would wait for ever.

OpenBLAS, in numpy and scipy, allocates memory for each of its threads while it is loaded. If that
fails it tries again, without an end, and neither Ctrl-C nor SIGTERM stops it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

LOADERS = ("numpy", "scipy.linalg")  # modules that load an OpenBLAS
# Megabytes: scipy 1.17 took 94, and 40 for each further thread, of which OpenBLAS has at most 64.
FIRST, FURTHER, MOST_THREADS = 100, 40, 64
MEGABYTE = 2**20


def spare_megabytes() -> float:
    """Return the addresses that this process may still take, in MB; infinite without a limit."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit  # not on Windows

        limit = getrlimit(RLIMIT_AS)[0]
        if limit == RLIM_INFINITY:
            return float("inf")
        with open("/proc/self/statm", encoding="ascii") as file:
            return (limit - int(file.read().split()[0]) * getpagesize()) / MEGABYTE
    except (ImportError, OSError):  # not on Linux
        return float("inf")


class Finder:
    """A finder of modules that finds none, and raises MemoryError before one that would hang."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: object = None) -> None:
        """Raise MemoryError if OpenBLAS has not enough room."""
        threads = min(os.cpu_count() or 1, MOST_THREADS)
        if name in LOADERS and spare_megabytes() < FIRST + FURTHER * (threads - 1):
            raise MemoryError(f"{name} cannot be loaded")


def guard_imports() -> None:
    """Have libraries be loaded only where there is room, if addresses are limited."""
    if spare_megabytes() < float("inf") and not any(isinstance(one, Finder)
                                                    for one in sys.meta_path):
        sys.meta_path.insert(0, Finder())
