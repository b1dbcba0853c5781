"""SHA-256 of the files of a run folder, to find damage.

    about.json        under "sha256": its own, and that of config.yaml
    checkpoint.json   under "sha256": its own, and those of the committed parts of the tables
    matches.sha256    a line for each file of matches, for `sha256sum --check`

Runs of versions before 0.2 have none. They are read without, and get them when resumed.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from hsevo.errors import RunError
from hsevo.files import check_regular

SUMS = "matches.sha256"
DIFFERS = "it is not what was written: its SHA-256 differs"
MATCHES = "matches.parquet"
_LINE = re.compile(rf"([0-9a-f]{{64}})  {MATCHES}/(\S+)")
# A line of a table or of matches.sha256 begins with its execution and generation.
_KEY = re.compile(rb"(?:[0-9a-f]{64}  matches\.parquet/execution-)?(\d+)(?:,|-generation-)(\d+)"
                  rb"[,.]")


def of(data: Any) -> str:
    """Return the SHA-256 of a bytes-like object as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def line(name: str, data: bytes) -> bytes:
    """Return the line of a file of matches in matches.sha256."""
    return f"{of(data)}  {MATCHES}/{name}\n".encode()


def read(text: str) -> dict[str, str]:
    """Return the sums in matches.sha256 by the names of the files. Raises ValueError."""
    found = [_LINE.fullmatch(row) for row in text.splitlines()]
    if None in found:
        raise ValueError(f"{SUMS}: line {found.index(None) + 1} is none of sha256sum's")
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


def refuse_others(folder: Path, name: str, size: int, begun: set[tuple[int, int]]) -> None:
    """Raise RunError if a file has lines after `size` bytes of any generation that is not begun.

    Others were committed, so the checkpoint is not the right one.
    begun: execution and number of each generation that may have been begun.
    """
    path = folder / name
    if not path.exists():
        return
    check_regular(path)
    with path.open("rb") as file:
        file.seek(size)
        lines = file.read().splitlines(keepends=True)
    for row in lines:
        found = _KEY.match(row)
        if found and row.endswith(b"\n") and (int(found[1]), int(found[2])) not in begun:
            raise RunError(f"{folder} is damaged: {name} has more generations than checkpoint.json"
                           " knows of; bring back the checkpoint that belongs to it. Nothing was"
                           " cut off")
