"""By what results were made: the machine, the commit of hsevo, and versions of libraries."""

import functools
import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hsevo.sources import PACKAGE

LIBRARIES = ("numpy", "scipy", "pandas", "numba", "inspyred", "cma", "joblib", "pyarrow")
SECONDS = 5  # that git may take


def made_by() -> dict[str, Any]:
    """Return what about.json says of machine, commit and versions.

    machine: system, processor (its model), cores, memory (in bytes, or None). commit: that of the
    clone which hsevo is imported from, with "-dirty" if files differ from it, or None.
    """
    return {"machine": {"system": platform.platform(), "processor": processor(),
                        "cores": os.cpu_count(), "memory": memory()},
            "commit": commit(), "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES}}


def processor() -> str:
    """Return the model of this machine's processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """Describe this machine: processor, cores, system, Python, numba."""
    return {"cpu": processor(), "cores": os.cpu_count(), "system": platform.system(),
            "python": platform.python_version(), "numba": version("numba")}


def memory() -> int | None:
    """Return the bytes of this machine's memory, or None where the system does not say it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


@functools.cache
def commit(folder: Path = PACKAGE.parent) -> str | None:
    """Return the commit of a clone, or None of another folder."""
    if not (folder / ".git").exists():
        return None
    words = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40",
             "--exclude=*"]
    try:
        described = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS,
                                   check=True, env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"})
    except (OSError, subprocess.SubprocessError):
        return None
    return described.stdout.strip() or None
