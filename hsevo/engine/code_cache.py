"""Machine code on disk: loaded only if it is, to the byte, what was written; else compiled again.

Numba unpickles its files, and runs what is in them. A bit that a disk has lost would end in a
traceback or, worse, in another game. So next to the files of each entry point is their SHA-256,
written last.

    entry.enter-hsevo.play.entry.py311.nbi   numba's index, and
    entry.enter-hsevo.play.entry.py311.1.nbc    its machine code
    entry.enter-0123456789abcdef.sha256      their sums; the name says of which source

A wheel can carry machine code in one file (hatch_build.py). Its first line is the SHA-256 of the
second line. The second line is JSON: what the machine code is for, the CPU features that it uses,
the digest of jit.course, and the place and SHA-256 of the code of each entry point. The code itself
follows.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).with_name("machine_code.bin")  # as hatch_build.py names it


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

    def code(self) -> bytes:
        """Return the machine code, as numba has written it."""
        path, = (path for path in self._files() if path.suffix == ".nbc")
        return path.read_bytes()

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


class ShippedCode:
    """The machine code in a file that `write_shipped` has written, if it can run here.

    target: what the machine code must be for; features: of this CPU.
    unfit: why it can't run here; "" if it can, or if there is none. course: the digest of
    jit.course, if it can run here; else "".
    """

    def __init__(self, path: Path, target: Mapping[str, str], features: Collection[str]) -> None:
        self.path, self.unfit, self.course = path, "", ""
        self.places: dict[str, tuple[int, int, str]] = {}  # by entry point: first byte, size, sum
        try:
            with path.open("rb") as file:
                known, header = file.readline().decode("ascii", "replace"), file.readline()
        except OSError:
            return
        if known != f"{hashlib.sha256(header).hexdigest()}\n":
            self.unfit = "it is damaged"
            return
        contents = json.loads(header)
        self.unfit = _unfit(contents["target"], target, {*contents["features"]} - {*features})
        if not self.unfit:
            self.course = contents["course"]
            start = len(known) + len(header)
            self.places = {name: (start + first, size, digest)
                           for name, (first, size, digest) in contents["places"].items()}

    def read(self, name: str) -> bytes | None:
        """Return the machine code of an entry point; None if it is not there as it was written."""
        if name not in self.places:
            return None
        first, size, digest = self.places[name]
        try:
            with self.path.open("rb") as file:
                file.seek(first)
                code = file.read(size)
        except OSError:
            return None
        return code if hashlib.sha256(code).hexdigest() == digest else None


def _unfit(target: Mapping[str, str], here: Mapping[str, str], missing: Collection[str]) -> str:
    """Return why machine code for a target can't run here; "" if it can."""
    if target.get("sources") != here.get("sources"):
        return "it is of other sources"
    for name, needed in target.items():
        if needed != here.get(name):
            return f"it is for {name} {needed}, and here is {here.get(name)}"
    return f"this CPU has no {', '.join(sorted(missing))}" if missing else ""


def write_shipped(path: Path, target: Mapping[str, str], features: Collection[str],
                  course: str, codes: Mapping[str, bytes]) -> None:
    """Write the machine code of entry points by their names, for `ShippedCode`."""
    places, first = {}, 0
    for name, code in codes.items():
        places[name] = first, len(code), hashlib.sha256(code).hexdigest()
        first += len(code)
    contents = {"target": dict(target), "features": sorted(features), "course": course,
                "places": places}
    header = json.dumps(contents).encode() + b"\n"
    path.write_bytes(hashlib.sha256(header).hexdigest().encode() + b"\n" + header
                     + b"".join(codes.values()))
