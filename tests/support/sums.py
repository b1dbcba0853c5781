"""Sign a run folder that a test has changed, as somebody would who wants to hide the change."""

import json
from pathlib import Path
from typing import Any

from hsevo.runs import sums
from hsevo.runs.folder import TABLES


def sign(folder: Path, **changes: Any) -> None:
    """Put sizes and sums of all files as they are now where they belong, and `changes`."""
    parts = sorted((folder / "matches.parquet").glob("execution-*"))
    (folder / sums.SUMS).write_bytes(b"".join(
        sums.line(path.name, path.read_bytes()) for path in parts))
    data = {name: path.read_bytes() if (path := folder / name).exists() else b""
            for name in (*TABLES, sums.SUMS)}
    sizes = {name: len(text) for name, text in data.items()}
    _sign(folder / "checkpoint.json", {"sizes": sizes} | changes,
          {name: sums.of(text) for name, text in data.items()})
    config = (folder / "config.yaml").read_bytes()
    _sign(folder / "about.json", {"config": sums.of(config)[:16]}, {"config.yaml": sums.of(config)})


def _sign(path: Path, changes: dict[str, Any], others: dict[str, str]) -> None:
    tree = json.loads(path.read_text()) | changes
    del tree["sha256"]
    path.write_bytes(sums.sign(tree, path.name, others))
