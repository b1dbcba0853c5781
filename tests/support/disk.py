"""A disk that is full for some files."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest


def full_disk(monkeypatch: pytest.MonkeyPatch, name: str, code: int = errno.ENOSPC) -> None:
    """Have every file fail to be written whose name, or temporary name, holds `name`.

    code: of another error than a full disk.
    """
    opened = Path.open

    def full(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if name in path.name and mode in ("ab", "xb"):
            raise OSError(code, os.strerror(code))
        return opened(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", full)
