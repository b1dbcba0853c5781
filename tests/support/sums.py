"""Sign a run folder that a test has changed, as somebody would who wants to hide the change."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.learning.folder import state_bytes
from hsevo.runs.folder import FORMAT, MATCHES, SUMS, line, table_names
from hsevo.store import sums

TABLES = table_names(FORMAT)


def sign(folder: Path, **changes: Any) -> None:
    """Put sizes and sums of all files as they are now where they belong, and `changes`."""
    matches = sorted((folder / MATCHES).glob("execution-*"))
    (folder / SUMS).write_bytes(b"".join(
        line(path.name, path.read_bytes()) for path in matches))
    data = {name: path.read_bytes() if (path := folder / name).exists() else b""
            for name in (*TABLES, SUMS)}
    sizes = {name: len(text) for name, text in data.items()}
    _sign(folder / "checkpoint.json", {"sizes": sizes} | changes,
          {name: sums.of(text) for name, text in data.items()})
    config = (folder / "config.yaml").read_bytes()
    _sign(folder / "about.json", {"config": sums.of(config)[:16]}, {"config.yaml": sums.of(config)})


def _sign(path: Path, changes: dict[str, Any], others: dict[str, str]) -> None:
    tree = json.loads(path.read_text()) | changes
    del tree["sha256"]
    path.write_bytes(sums.sign(tree, path.name, others))


def sign_learned(folder: Path, plain: dict[str, Any] | None = None, **arrays: Any) -> None:
    """Put sums of all files as they are now into a folder of hsevo learn, with another state.

    plain, arrays: values of state.npz; None: it has no such array.
    """
    with np.load(folder / "state.npz") as file:
        kept = dict(file) | arrays
    tree = json.loads(str(kept.pop("plain"))) | (plain or {})
    known = {name: sums.of((folder / name).read_bytes()[:tree["sizes"].get(name)])
             if (folder / name).exists() else sums.of(b"")
             for name in tree.pop("sha256") if not name.startswith("state.npz")}
    (folder / "state.npz").write_bytes(state_bytes(
        tree, {name: one for name, one in kept.items() if one is not None}, known))


def sign_about(folder: Path, **changes: Any) -> None:
    """Change entries of about.json."""
    tree = json.loads((folder / "about.json").read_text())
    others = {name: known for name, known in tree["sha256"].items() if name != "about.json"}
    _sign(folder / "about.json", changes, others)


def unsign(folder: Path) -> Path:
    """Make a folder of hsevo learn one of an older hsevo, without SHA-256."""
    tree = json.loads((folder / "about.json").read_text())
    del tree["sha256"]
    (folder / "about.json").write_text(json.dumps(tree))
    with np.load(folder / "state.npz") as file:
        kept = dict(file)
    plain = json.loads(str(kept.pop("plain")))
    del plain["sha256"]
    np.savez(folder / "state.npz", plain=np.array(json.dumps(plain)), **kept)
    return folder
