"""SHA-256 of files, to find damage: in JSON files, with their own, and in lines of sha256sum's.

    {..., "sha256": {"config.yaml": ..., "about.json": ...}}    `sign` writes it, `check` reads it
    SUM  NAME                                                   `line` writes it, `read` reads it
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from hsevo.objects import Fields

DIFFERS = "it is not what was written: its SHA-256 differs"
_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


def of(data: Any) -> str:
    """Return the SHA-256 of a bytes-like object as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def short_digest(text: str) -> str:
    """Return 16 hex digits of a text."""
    return of(text.encode())[:16]


def line(digest: str, name: str) -> bytes:
    """Return the line of a file as sha256sum writes it."""
    return f"{digest}  {name}\n".encode()


def read(text: str) -> dict[str, str]:
    """Return the sums in lines of sha256sum's by the names of files. Raises ValueError."""
    found = [_LINE.fullmatch(row) for row in text.splitlines()]
    if None in found:
        raise ValueError(f"its line {found.index(None) + 1} is not one of sha256sum's")
    return {match[2]: match[1] for match in found if match}


def sign(tree: dict[str, Any], name: str, others: dict[str, str],
         indent: int | None = None) -> bytes:
    """Return the text of a JSON file, with the sums of other files and its own.

    name: of the JSON file.
    """
    whole = tree | {"sha256": others}
    return json.dumps(whole | {"sha256": others | {name: _own(whole)}}, indent=indent).encode()


def check(tree: dict[str, Any], name: str) -> dict[str, str]:
    """Return the sums of other files in a signed JSON file; {} if it has none.

    Raises ValueError if it was changed.
    """
    if "sha256" not in tree:
        return {}
    others = dict(tree["sha256"])
    own = others.pop(name, "")
    if _own(tree | {"sha256": others}) != own:
        raise ValueError(DIFFERS)
    return others


def _own(tree: dict[str, Any]) -> str:
    return of(json.dumps(tree).encode())


SHOWN = 10  # problems listed; the rest is counted


@dataclass(kw_only=True)
class Checked(ABC):
    """What was checked, and the problems found."""

    done: bool = False
    sums: bool = False  # whether the folder has SHA-256 of its files
    games: int = 0  # checked, or played again
    problems: list[str] = field(default_factory=list)

    @property
    def FIELDS(self) -> Fields:
        """What it shows as JSON: all that was counted."""
        counted = {one.name: one.name for one in fields(self)}
        return {"ok": lambda self: not self.problems, **counted}

    @property
    @abstractmethod
    def outcome(self) -> str:
        """What was checked and adds up, in words."""

    @property
    def unsigned(self) -> str:
        """What to say of a folder without SHA-256; else ""."""
        return "" if self.sums else "; it has no SHA-256, for an older hsevo wrote it"

    def sentence(self, path: Path) -> str:
        """Return what a folder is in which nothing was wrong."""
        return f"{path}: {'done' if self.done else 'not finished'}; {self.outcome}"

    def text(self, path: Path) -> str:
        """Return the first problems of a folder, a line each, and how many more there are."""
        lines = [f"{path}: {problem}" for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"{path}: and {len(self.problems) - SHOWN} problems more")
        return "\n".join(lines)
