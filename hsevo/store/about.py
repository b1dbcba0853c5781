"""The YAML file that says what a folder is, as arena.yaml: its kind, format, version, and plan."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hsevo import __version__, config
from hsevo.errors import RunError, brief
from hsevo.files import write_whole


class About(NamedTuple):
    """Such a file of one kind of folder."""

    name: str
    kind: str
    format: int = 1

    def write(self, folder: Path, more: Mapping[str, Any]) -> None:
        """Write it, whole or not at all. Raises RunError."""
        tree = {"kind": self.kind, "format": self.format, "version": __version__, **more}
        write_whole(folder / self.name, config.to_yaml(tree).encode())

    def read(self, folder: Path) -> dict[str, Any]:
        """Read it; a file that names no format has the first.

        Raises RunError if it is another program's or version's, ConfigError if it is damaged.
        """
        source = folder / self.name
        about = config.parse(config.read_text(source), str(source))
        if (about.get("kind"), about.get("format", 1)) != (self.kind, self.format):
            raise RunError(f"{source} is not of this hsevo; it was written by"
                           f" {brief(about.get('version', 'another program'))}")
        return about
