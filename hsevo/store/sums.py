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
    matches = [_LINE.fullmatch(row) for row in text.splitlines()]
    if None in matches:
        raise ValueError(f"its line {matches.index(None) + 1} is not one of sha256sum's")
    return {match[2]: match[1] for match in matches if match}


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
    """Report the extent of a check, and the problems found.

    Parameters
    ----------
    done : bool, default False
        Whether the run is finished.
    sums : bool, default False
        Whether the folder has SHA-256 of its files.
    games : int, default 0
        Number of games that were checked or replayed.
    problems : list of str, optional
        The problems.
    """

    done: bool = False
    sums: bool = False  # whether the folder has SHA-256 of its files
    games: int = 0  # checked, or played again
    problems: list[str] = field(default_factory=list)

    @property
    def FIELDS(self) -> Fields:
        """Fields of its JSON object: all counts."""
        counted = {attribute.name: attribute.name for attribute in fields(self)}
        return {"ok": lambda self: not self.problems, **counted}

    @property
    @abstractmethod
    def outcome(self) -> str:
        """Extent of the check, and its positive results, in words."""

    @property
    def unsigned(self) -> str:
        """Note about a folder without SHA-256. Otherwise ""."""
        return "" if self.sums else "; it was written by an older hsevo, so it has no SHA-256 sums"

    def sentence(self, path: Path) -> str:
        """Return the result for a folder without problems.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        str
            A sentence.
        """
        return f"{path}: {'done' if self.done else 'not finished'}; {self.outcome}"

    def text(self, path: Path) -> str:
        """Return the first problems of a folder, and the number of further problems.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        str
            One line for each problem.
        """
        lines = [f"{path}: {problem}" for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"{path}: and {len(self.problems) - SHOWN} more problems")
        return "\n".join(lines)
