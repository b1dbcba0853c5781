"""Machine code on disk: loaded only if it is, to the byte, what was written; else compiled again.

Numba unpickles its files, and runs what is in them. A bit that a disk has lost would end in a
traceback or, worse, in another game. So beside the files of each entry point stands their SHA-256,
written last.

    entry.enter-hsevo.play.entry.py311.nbi   numba's index, and
    entry.enter-hsevo.play.entry.py311.1.nbc    its machine code
    entry.enter-0123456789abcdef.sha256      their sums; the name says of which source
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


class CodeCache:
    """The machine code of a function in a cache folder.

    meaning: text that changes with what the function does, if the folder's name does not.
    """

    def __init__(self, folder: Path, function: Callable[..., Any], meaning: str) -> None:
        self.folder = folder
        self.name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        key = hashlib.sha256(meaning.encode()).hexdigest()[:16]
        self.sums = folder / f"{self.name}-{key}.sha256"

    def whole(self) -> bool:
        """Return whether it is there, and as it was written."""
        try:
            known = self.sums.read_bytes()
            return bool(known) and known == self._now()
        except OSError:  # also a file that another process takes away meanwhile
            return False

    def clear(self) -> None:
        """Remove what there is of it, so that it is compiled again."""
        for path in [*self._files(), *self.folder.glob(f"{glob.escape(self.name)}-*.sha256")]:
            with suppress(OSError):
                path.unlink()

    def sign(self) -> None:
        """Write the sums of what numba has written, if that can be done."""
        temporary = self.sums.with_name(f".{self.sums.name}-{os.getpid()}")
        try:
            temporary.write_bytes(self._now())
            temporary.replace(self.sums)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self.folder.rglob(f"{glob.escape(self.name)}-*.nb[ci]"))

    def _now(self) -> bytes:
        """Return the sums of the files as they are. Raises OSError."""
        return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  "
                       f"{path.relative_to(self.folder).as_posix()}\n"
                       for path in self._files()).encode()
