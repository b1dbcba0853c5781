"""Standard output and error that outlive their reader: `hsevo evolve 2>&1 | head` plays on."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO


class Outlet:
    """A stream that drops what is written once nobody reads it any more."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.closed_by_reader = stream, False

    def write(self, text: str) -> int:
        """Write a text, or drop it; a full disk is an OSError as ever."""
        try:
            return self.stream.write(text)
        except BrokenPipeError:
            self._drop()
            return len(text)

    def flush(self) -> None:
        """Flush what was written, or drop it."""
        try:
            self.stream.flush()
        except BrokenPipeError:
            self._drop()

    def _drop(self) -> None:
        """Send the rest nowhere, what is still in the stream's buffer as well."""
        self.closed_by_reader = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def guard() -> None:
    """Put an Outlet before standard output and error, where they are open."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Outlet):
            setattr(sys, name, Outlet(stream))


def unread() -> bool:
    """Return whether the reader of standard output is known to have gone."""
    return getattr(sys.stdout, "closed_by_reader", False)
