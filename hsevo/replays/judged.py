"""What decisions cost in the games of a folder whose mistakes somebody had found.

    mistakes/0007.json    how the decisions of the human in game 7 were judged, and what they cost
    mistakes/0007-1.json  the same of the player in seat 1 of a game between two people
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from hsevo.errors import RunError
from hsevo.replays.cabinet import NUMBER, Cabinet, as_json, numbered

TEXTS, NUMBERS = ("kind", "move", "better", "lethal"), ("loss", "loss_low", "loss_high")
COLUMNS = [*TEXTS, "line", *NUMBERS]
# What the page of a game needs, too.
PLACES = ("step", "turn", "player")
CHANCES = tuple(f"{name}{end}" for name in ("chance", "better_chance")
                for end in ("", "_low", "_high"))
WHOLE = [*COLUMNS, *PLACES, *CHANCES, "lethal_line", "won"]
NAME = re.compile(f"{NUMBER.pattern}(-[01])?")
MOST = 2**24  # bytes of a file: a thousand decisions have a tenth


@dataclass(frozen=True)
class How:
    """How decisions were judged. agent: the analyst. players: who played on. games: a move."""

    agent: str
    players: str
    games: int
    seed: int


class Judged:
    """The decisions of a folder of games; files are read when somebody first asks."""

    def __init__(self, path: Path) -> None:
        self._files = Cabinet(path / "mistakes", _judged_of, _content, MOST, NAME)

    @property
    def games(self) -> set[int]:
        """The numbers of the games with an agent. Raises RunError."""
        return {int(name) for name in self._files.names if NUMBER.fullmatch(name)}

    def any(self, games: Collection[int]) -> bool:
        """Return whether any of these games is there; a folder that can't be read has none."""
        try:
            return not self.games.isdisjoint(games)
        except RunError:
            return False

    def has(self, game: int, seat: int | None = None) -> bool:
        """Return whether the decisions of a game are there. seat: as of `put`."""
        return _name(game, seat) in self._files

    def put(self, game: int, decisions: pd.DataFrame, how: How | None = None,
            seat: int | None = None) -> None:
        """Keep the decisions of a game, of replays.decisions.judged, instead of earlier ones.

        how: how they were judged. seat: of the player, in a game between two people. Raises
        RunError.
        """
        table = decisions.reindex(columns=COLUMNS if how is None else WHOLE)
        self._files.put(_name(game, seat), (how, table))

    def of(self, games: Collection[int]) -> pd.DataFrame:
        """Return the decisions of those of some games that are there, with a column `game`.

        Raises RunError for damaged files.
        """
        tables = [self._files.of(_name(game))[1][COLUMNS].assign(game=game)
                  for game in sorted(self.games & {*games})]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(
            columns=[*COLUMNS, "game"])

    def whole(self, game: int, seat: int | None = None) -> tuple[How, pd.DataFrame] | None:
        """Return the decisions of a game with all that its page needs, and how they were judged.

        None if they are not there, or of a version that kept less. seat: as of `put`. Raises
        RunError for a damaged file.
        """
        if not self.has(game, seat):
            return None
        how, table = self._files.of(_name(game, seat), reread=True)
        return None if how is None else (how, table)


def _name(game: int, seat: int | None = None) -> str:
    return f"{numbered(game)}{'' if seat is None else f'-{seat}'}"


def _content(judged: tuple[How | None, pd.DataFrame]) -> bytes:
    how, table = judged
    return as_json({"how": how and asdict(how), "decisions": table.to_dict("records")})


def _judged_of(data: Any, name: str) -> tuple[How | None, pd.DataFrame]:
    """Return how the decisions of a file were judged, None of an earlier version, and them."""
    how, rows = (None, data) if isinstance(data, list) else (data["how"], data["decisions"])
    if how is None:
        return None, pd.DataFrame([_row(row) for row in rows], columns=COLUMNS)
    return How(**how), pd.DataFrame([_row(row) | _more(row) for row in rows], columns=WHOLE)


def _row(data: Any) -> dict[str, Any]:
    """Return a decision as it was kept. Raises KeyError, TypeError, ValueError."""
    numbers = {name: float(data[name]) for name in NUMBERS}
    if not all(-2 <= number <= 2 for number in numbers.values()):
        raise ValueError("a loss is above 1")
    return {name: str(data[name]) for name in TEXTS} | {"line": _line(data["line"])} | numbers


def _more(data: Any) -> dict[str, Any]:
    """Return what else the page of a game needs of a decision. Raises as `_row`."""
    places, chances = ({name: kind(data[name]) for name in names}
                       for kind, names in ((int, PLACES), (float, CHANCES)))
    if not all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances.values()):
        raise ValueError("a chance is not between 0 and 1")
    if places["player"] not in (0, 1) or min(places.values()) < 0:
        raise ValueError("a decision has no valid player or step")
    return {"lethal_line": _line(data["lethal_line"]), "won": bool(data["won"]), **places,
            **chances}


def _line(moves: Any) -> tuple[str, ...]:
    if not isinstance(moves, list):
        raise TypeError("an action sequence is not a list")
    return tuple(map(str, moves))
