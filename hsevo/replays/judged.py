"""What decisions cost in the games of a folder whose mistakes somebody had found.

    mistakes/0007.json    the decisions of its human's in game 7: what mistakes over many games need
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pandas as pd

from hsevo.errors import RunError, brief
from hsevo.files import read_text, write_whole, writing
from hsevo.replays.played import NAME

TEXTS, NUMBERS = ("kind", "move", "better", "lethal"), ("loss", "loss_low", "loss_high")
COLUMNS = [*TEXTS, "line", *NUMBERS]
MOST = 2**24  # bytes of a file: a thousand decisions have a tenth


class Judged:
    """The decisions of a folder of games; files are read when somebody first asks."""

    def __init__(self, path: Path) -> None:
        self.path = path / "mistakes"
        self._found: dict[int, pd.DataFrame] = {}
        self._lock = threading.Lock()

    @property
    def games(self) -> set[int]:
        """The numbers of the games. Raises RunError."""
        with writing(self.path):
            files = self.path.iterdir() if self.path.is_dir() else ()
            return {int(file.stem) for file in files if NAME.fullmatch(file.name)}

    def any(self, games: Collection[int]) -> bool:
        """Return whether any of these games is there; a folder that can't be read has none."""
        try:
            return not self.games.isdisjoint(games)
        except RunError:
            return False

    def put(self, game: int, decisions: pd.DataFrame) -> None:
        """Keep the decisions of a game, of replays.decisions.judged, instead of earlier ones.

        Raises RunError.
        """
        table = decisions[COLUMNS]
        with writing(self.path):
            self.path.mkdir(exist_ok=True)
        with self._lock:
            rows = json.dumps(table.to_dict("records"), indent=1)
            write_whole(self.path / f"{game:04}.json", f"{rows}\n".encode())
            self._found[game] = table

    def of(self, games: Collection[int]) -> pd.DataFrame:
        """Return the decisions of those of some games that are there, with a column `game`.

        Raises RunError for damaged files.
        """
        with self._lock:
            tables = [self._read(game).assign(game=game) for game in sorted(self.games & {*games})]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(
            columns=[*COLUMNS, "game"])

    def _read(self, game: int) -> pd.DataFrame:
        if game not in self._found:
            file = self.path / f"{game:04}.json"
            try:
                rows = json.loads(read_text(file, MOST))
                table = pd.DataFrame([_row(one) for one in rows], columns=COLUMNS)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise RunError(f"{file} is damaged: {brief(error)}") from None
            self._found[game] = table
        return self._found[game]


def _row(data: Any) -> dict[str, Any]:
    """Return a decision as it was kept. Raises KeyError, TypeError, ValueError."""
    line = data["line"]
    if not isinstance(line, list):
        raise TypeError("a line is no list")
    numbers = {name: float(data[name]) for name in NUMBERS}
    if not all(-2 <= one <= 2 for one in numbers.values()):
        raise ValueError("a loss is beyond 1")
    return {name: str(data[name]) for name in TEXTS} | {"line": tuple(map(str, line))} | numbers
