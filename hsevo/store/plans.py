"""Change the settings that a folder was planned with, whole or not at all.

    .config.yaml.hsevo-next    the new config, which counts once about.json has its SHA-256
    about.json                 written next: the commit
    config.yaml                .config.yaml.hsevo-next, renamed into place

A process that is killed meanwhile leaves the old settings or the new ones: `config_text` reads
those that count, and `settle` ends what was begun, when the folder is resumed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.files import refuse_link, sync_folder, write_whole, writing
from hsevo.store import sums
from hsevo.store.sums import short_digest

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
