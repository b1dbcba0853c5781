"""The files of matches of a run, one a generation, and their sums.

    matches.parquet/execution-01-generation-000000.parquet
    matches.sha256    a line for each, for `sha256sum --check`

Runs of versions before 0.2 have no sums. They are read without, and get them when resumed.
"""

import re
from pathlib import Path

from hsevo.errors import RunError
from hsevo.files import check_regular
from hsevo.store import sums

SUMS, MATCHES = "matches.sha256", "matches.parquet"
# A line of a table or of matches.sha256 begins with its execution and generation.
_KEY = re.compile(rb"(?:[0-9a-f]{64}  matches\.parquet/execution-)?(\d+)(?:,|-generation-)(\d+)"
                  rb"[,.]")


def part_name(execution: int, number: int) -> str:
    """Return the name of a generation's file of matches; names sort in order of generations."""
    return f"execution-{execution:02}-generation-{number:06}.parquet"


# Files that exist only after a first checkpoint: those of a second generation, or `done`.
LATER = ("done", *(f"{MATCHES}/{part_name(*key)}" for key in ((1, 1), (2, 0))))


def line(name: str, data: bytes) -> bytes:
    """Return the line of a file of matches in matches.sha256."""
    return sums.line(sums.of(data), f"{MATCHES}/{name}")


def read(text: str) -> dict[str, str]:
    """Return the sums in matches.sha256 by the names of the files. Raises ValueError."""
    return {name.removeprefix(f"{MATCHES}/"): known for name, known in sums.read(text).items()}


def of_first(data: bytes) -> bytes:
    """Return the lines of a table, or of SUMS, that are of the first execution, and the heading."""
    lines = ((line, _KEY.match(line)) for line in data.splitlines(keepends=True))
    return b"".join(line for line, key in lines if key is None or int(key[1]) == 1)


def refuse_others(path: Path, size: int, begun: set[tuple[int, int]]) -> None:
    """Raise RunError if a table has lines after `size` bytes of any generation that is not begun.

    Others were committed, so the checkpoint is not the right one.
    begun: execution and number of each generation that may have been begun.
    """
    if not path.exists():
        return
    check_regular(path)
    with path.open("rb") as file:
        file.seek(size)
        lines = file.read().splitlines(keepends=True)
    for row in lines:
        found = _KEY.match(row)
        if found and row.endswith(b"\n") and (int(found[1]), int(found[2])) not in begun:
            raise RunError(f"{path.parent} is damaged: {path.name} has more generations than"
                           " checkpoint.json knows of; bring back the checkpoint that belongs to"
                           " it. Nothing was cut off")
