"""Change the settings that a folder was planned with, whole or not at all.

    .config.yaml.hsevo-next    the new config, which counts once about.json has its SHA-256
    about.json                 written next: the commit
    config.yaml                .config.yaml.hsevo-next, renamed into place

A process that is killed meanwhile leaves the old settings or the new ones: `config_text` reads
those that count, and `settle` ends what was begun, when the folder is resumed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.files import read_bytes, refuse_link, sync_folder, write_whole, writing
from hsevo.runs.about import short_digest
from hsevo.store import sums

CONFIG, NEXT = "config.yaml", ".config.yaml.hsevo-next"


def config_text(folder: Path, about: Mapping[str, Any]) -> str:
    """Return the text of the config that about.json is of; config.yaml's, if there is none."""
    text = config.read_text(folder / CONFIG)
    if about.get("config") != short_digest(text) and (folder / NEXT).is_file():
        newer = config.read_text(folder / NEXT)
        return newer if about.get("config") == short_digest(newer) else text
    return text


def replan(folder: Path, about: Mapping[str, Any], plan: config.Section) -> dict[str, Any]:
    """Write another config into a folder that is locked; return its about.json. Raises RunError."""
    text = config.dump(plan)
    others = sums.check(dict(about), "about.json") | {CONFIG: sums.of(text.encode())}
    write_whole(folder / NEXT, text.encode())
    signed = sums.sign({**about, "config": short_digest(text)}, "about.json", others, indent=1)
    write_whole(folder / "about.json", signed)
    found: dict[str, Any] = json.loads(signed)
    settle(folder, found)
    return found


def settle(folder: Path, about: Mapping[str, Any]) -> None:
    """End what a killed process began: rename the next config into place, or remove it."""
    refuse_link(folder / NEXT)
    if not (folder / NEXT).exists():
        return
    with writing(folder):
        if about.get("config") == short_digest(config.read_text(folder / NEXT)):
            (folder / NEXT).replace(folder / CONFIG)
        else:
            (folder / NEXT).unlink()
        sync_folder(folder)


def reopen(folder: Path) -> None:
    """Take away the mark of a finished run: it has all that its settings ask for, but goes on."""
    with writing(folder):
        (folder / "done").unlink(missing_ok=True)


def begun(run: Any, name: str) -> set[tuple[int, int]]:
    """Return the generations that may have lines of a table after its committed part.

    The next one, which may have been begun; and in references.csv the last one, whose lines a
    killed `forget_references` may have left.
    """
    if run.start is None or name != run.tables[2]:
        return {run.next}
    return {run.next, (run.start.execution, run.start.number)}


def forget_references(run: Any) -> None:
    """Take the last generation's lines out of the committed part of references.csv.

    Raises RunError.
    """
    assert run.start is not None
    name = run.tables[2]
    own = f"{run.start.execution},{run.start.number},".encode()
    whole = run.lines(name) if run.sizes[name] else []
    kept = [line for line in whole if not line.startswith(own)]
    if len(kept) == len(whole):
        return
    size = run.sizes[name] - sum(map(len, whole[len(kept):])) if kept else 0
    path, checkpoint = run.path / name, run.path / "checkpoint.json"
    run.sizes[name], run._hashes[name] = size, hashlib.sha256(read_bytes(path)[:size])
    run.digests[name] = run._hashes[name].hexdigest()
    state = json.loads(read_bytes(checkpoint)) | {"sizes": run.sizes}
    write_whole(checkpoint, sums.sign(state, "checkpoint.json", run.digests))
    with writing(path):
        os.truncate(path, size)
