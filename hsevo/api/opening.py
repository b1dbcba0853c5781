"""Run folders of any kind, by their path."""

from __future__ import annotations

from pathlib import Path

from hsevo.api.experiment import RunFolder
from hsevo.api.learned import Learned
from hsevo.api.run import Run
from hsevo.store.kinds import kind_of

CLASSES: tuple[type[RunFolder], ...] = (Run, Learned)


def class_of(path: Path) -> type[RunFolder]:
    """Return the class of a run folder; Run for what is none, which says so when it is opened."""
    found = kind_of(path)
    return next((one for one in CLASSES if found == one.KIND.FOLDER.KIND), Run)
