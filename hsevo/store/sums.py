"""SHA-256 of files, to find damage: in JSON files, with their own, and in lines of sha256sum's.

    {..., "sha256": {"config.yaml": ..., "about.json": ...}}    `sign` writes it, `check` reads it
    SUM  NAME                                                   `line` writes it, `read` reads it
"""

import hashlib
import json
import re
from typing import Any

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
