"""The checkpoints of a learning run: its folder `checkpoints`, one net a file.

    RUN/checkpoints/period-0000.npz, period-0001.npz ...    in the order in which they were made

The end-to-end policy's are PyTorch's, period-0000.pt. Their SHA-256 are in the run's state.npz.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from hsevo import config, files
from hsevo.errors import RunError, brief, did_you_mean, quoted
from hsevo.files import check_regular, read_bytes
from hsevo.store import sums
from hsevo.store.kinds import KIND, LEARNED, kind_of

FOLDER, SUFFIX, TORCH = "checkpoints", ".npz", ".pt"
# Errors of an npz file that is damaged, or not of hsevo.
DAMAGE: tuple[type[Exception], ...] = (
    *files.DAMAGE, OSError, EOFError, BadZipFile, zlib.error, NotImplementedError, MemoryError)


def checkpoint(source: Path, name: str = "") -> Path:
    """Return the file of a net: `source` itself, or a checkpoint of a run, by default the last.

    Raises RunError if there is none, the last one is lost, or it is not what the run committed.
    """
    if source.is_file() and name:
        raise RunError(f"{source} is a file with a single network; remove '#{name}'")
    if source.is_file():
        return source
    if not source.exists():
        raise RunError(f"there is no file or run folder {source}")
    known = names(source)
    if not known and kind_of(source) == KIND:
        raise RunError(f"{source} is a run folder of hsevo evolve; write eva:{source}")
    if not known:
        raise RunError(f"{source} has no checkpoints: it is not a run folder of hsevo learn, or has"
                       " not reached its first checkpoint")
    if name and name not in known:
        raise RunError(f"{source} has no checkpoint {quoted(name)}{did_you_mean(name, known)}; it"
                       f" has {known[0]} to {known[-1]}")
    last = _periods(source) - 1
    if not name and last > int(known[-1].removeprefix("period-")):
        raise RunError(f"{source} is damaged: its last checkpoint, period-{last:04}, is missing;"
                       f" restore it or choose another, such as #{known[-1]}")
    path = path_of(source, name or known[-1])
    _check(source, path)
    return path


def _check(run: Path, path: Path) -> None:
    """Raise RunError if a checkpoint has another SHA-256 than the run's state says.

    One that is not committed yet has none there, and neither have those of some older runs.
    """
    state = run / "state.npz"
    if not state.exists():
        return
    check_regular(state)
    try:
        with state.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            known = sums.check(json.loads(str(arrays["plain"])), state.name)
            own = known.get(f"{FOLDER}/{path.name}")
    except DAMAGE as error:
        raise RunError(f"{state} is damaged: {brief(error)}") from None
    if own is not None and sums.of(read_bytes(path)) != own:
        raise RunError(f"{path} is damaged: {sums.DIFFERS}")


def method_of(net: Path) -> str:
    """Return learner.method of the run that a net's file is a checkpoint of; "" if it is of none.

    Raises ConfigError, RunError for a damaged run.
    """
    run = net.absolute().parent.parent
    if net.absolute().parent.name != FOLDER or kind_of(run) != LEARNED:
        return ""
    file = run / "config.yaml"
    learner = config.parse(config.read_text(file), str(file)).get("learner", {})
    return str(learner.get("method", "td")) if isinstance(learner, dict) else ""


def _periods(run: Path) -> int:
    """Return the number of periods with a line in learning.csv, which follows the checkpoint."""
    table = run / "learning.csv"
    return max(read_bytes(table).count(b"\n") - 1, 0) if table.exists() else 0


def names(run: Path) -> list[str]:
    """Return the names of a run's checkpoints, in the order in which they were made."""
    stems = [path.stem for suffix in (SUFFIX, TORCH)
             for path in (run / FOLDER).glob(f"period-*{suffix}")]
    numbers = {name: name.removeprefix("period-") for name in stems}
    return sorted((name for name in stems if numbers[name].isdecimal()),
                  key=lambda name: int(numbers[name]))


def path_of(run: Path, name: str) -> Path:
    """Return the file of a checkpoint; one that is not there yet is no end-to-end policy's."""
    of_torch = run / FOLDER / f"{name}{TORCH}"
    return of_torch if of_torch.exists() else run / FOLDER / f"{name}{SUFFIX}"
