"""Compile all that tests call, in one process: `python -m tests.support.compiled`.

A process translates the kernels that it compiles anew, 35 s of CPU for the rules, so CI begins
with this, beside lint: each of the tests' processes would compile an entry point of its own.
"""

import gc
import importlib

from hsevo.engine.jit import EntryPoint
from tests.support import ROOT

FIRST = "hsevo.play.entry"  # most tests wait for it


def entry_points(*packages: str) -> list[EntryPoint]:
    """Return the entry points of packages."""
    for package in packages:
        for file in sorted((ROOT / package).rglob("*.py")):
            if "entry_point(" in file.read_text(encoding="utf-8"):
                importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    found = [one for one in gc.get_objects() if isinstance(one, EntryPoint)]
    return sorted(found, key=lambda one: one.dispatcher.py_func.__module__ != FIRST)


if __name__ == "__main__":
    for one in entry_points("hsevo", "tests"):
        one.load()
