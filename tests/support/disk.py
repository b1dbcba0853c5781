"""A disk that is full for some files."""

import builtins
import errno
import os
from pathlib import Path
from typing import Any

import pytest


def full_disk(monkeypatch: pytest.MonkeyPatch, name: str, code: int = errno.ENOSPC) -> None:
    """Have every file fail to be written whose name, or temporary name, holds `name`.

    code: of another error than a full disk.
    """
    def failing(opened: Any) -> Any:
        def full(path: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            if mode in ("ab", "xb") and name in Path(path).name:
                raise OSError(code, os.strerror(code))
            return opened(path, mode, *rest, **more)
        return full

    monkeypatch.setattr(Path, "open", failing(Path.open))
    monkeypatch.setattr(builtins, "open", failing(builtins.open))
