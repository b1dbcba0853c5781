"""RUN/champion.json: the best agent of a run, after its last population played again.

    Run.champion() --write()--> champion.json --read()--> Run.champion(), reports, hsevo watch

export-best, examine and benchmark all ask Run.champion, so all of them name the same agent. The
file holds the result with the most games. It is of one last population: once the run has continued,
it is out of date, and `read` returns None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hsevo import __version__
from hsevo.engine.jit import fingerprint
from hsevo.files import read_json, undamaged, write_whole
from hsevo.runs.folder import RunFolder
from hsevo.store import sums
from hsevo.strength.champions import Best, last_population

FILE = "champion.json"
KIND, FORMAT = "hsevo champion", 1
COLUMNS = ["agent", "wins", "draws", "losses", "rate", "low", "high"]


@dataclass(frozen=True)
class Measured:
    """A stored champion: the result, games per pair of decks, and the engine that played them."""

    best: Best
    games: int
    engine: str

    @property
    def total(self) -> int:
        """How many games the champion played."""
        row = self.best.table.iloc[0]
        return int(row["wins"] + row["draws"] + row["losses"])

    def covers(self, games: int) -> bool:
        """Return whether these are at least so many games per pair, by the engine of today."""
        return self.games >= games and self.engine == fingerprint()


def write(run: RunFolder, best: Best, games: int) -> None:
    """Store the champion of a run; games: per pair of decks. Raises WriteError."""
    tree = {"kind": KIND, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "of": _state(run), "games": games, "z": best.z, "against": best.against,
            "favourites": list(best.favourites), "run_rate": best.run_rate,
            "run_against": best.run_against,
            "table": best.table[COLUMNS].to_dict("list")}
    write_whole(run.path / FILE, sums.sign(tree, FILE, {}, indent=1))


def read(run: RunFolder) -> Measured | None:
    """Return the champion of the last population of a run; None if it was not measured.

    Raises RunError if the file is damaged.
    """
    path = run.path / FILE
    if not path.exists():
        return None
    hint = f"; remove it and repeat the measurement with: hsevo export-best {run.path}"
    with undamaged(path, hint=hint):
        tree = read_json(path, hint=hint)
        sums.check(tree, FILE)
        if (tree["kind"], tree["format"]) != (KIND, FORMAT) or tree["of"] != _state(run):
            return None
        return _parsed(run, tree)


def _parsed(run: RunFolder, tree: Mapping[str, Any]) -> Measured:
    """Return the content of a file of the last population. Raises ValueError."""
    names, rows = last_population(run)
    table = pd.DataFrame(tree["table"])[COLUMNS]
    numbers = table[COLUMNS[1:]].astype(float)
    if sorted(table["agent"]) != sorted(names) or not {*tree["favourites"]} <= {*names}:
        raise ValueError("its agents differ from the last population")
    if (numbers < 0).any(axis=None) or (numbers[["rate", "low", "high"]] > 1).any(axis=None):
        raise ValueError("it has an impossible number")
    i = names.index(table["agent"][0])
    best = Best(names[i], run.genome.complete(rows["weights"][i:i + 1])[0],
                run.genome.whole or run.genome, table, float(tree["z"]), str(tree["against"]),
                tuple(tree["favourites"]), float(tree["run_rate"]), str(tree["run_against"]))
    return Measured(best, int(tree["games"]), str(tree["engine"]))


def _state(run: RunFolder) -> dict[str, Any]:
    """Return the identity of a run's last population: its last generations, and sums of tables."""
    return {"last": [list(moment) for moment in dict(run.committed()).items()],
            "sha256": dict(run.digests)}
