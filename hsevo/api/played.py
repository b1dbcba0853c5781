"""A game that somebody played in the browser, as `hsevo.replay` returns it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import pandas as pd

from hsevo.errors import ConfigError, RunError, quoted
from hsevo.play.session import Session
from hsevo.replays import own, played, replay
from hsevo.replays.chances import GAMES
from hsevo.replays.stored import Replay


class PlayedReplay(Replay):
    """A finished game of a folder of `hsevo play`, read from its moves; see `Replay`.

    A game that was given up shows what its human could know; one between two people, which has two,
    shows all. Raises RunError, GameError.
    """

    def __init__(self, path: Path, number: int, chances: int = GAMES) -> None:
        self.facts, self._game = played.read(path, number)
        super().__init__(own.meeting(self._game, f"{path.name}, game {number}"), 0, chances)

    @property
    def session(self) -> Session:
        """The game itself, as it ended."""
        return self._game.copy()

    @cached_property
    def steps(self) -> list[replay.Step]:
        """Every decision: the game before it, the options with their scores, and the one taken."""
        return list(own.steps(self._game, own.viewer_of(self._game)))

    def check(self) -> list[str]:
        """Return []: a game whose moves lead elsewhere cannot be loaded."""
        return []

    def verdict(self) -> tuple[str, bool]:
        """Return that the moves led to the stored position, and True."""
        return f"reproduced: all {len(self._game.history)} moves lead where they led", True

    @property
    def html(self) -> str:
        """The game as a page that can be stepped through, with the chance to win as a curve."""
        return own.as_page(self._game, self.chances)


def is_folder(path: str | Path) -> bool:
    """Return whether a path is a folder of games that people played."""
    return played.is_folder(Path(path))


def shared(path: str | Path) -> bool:
    """Return whether a folder has games of several people with agents. Raises RunError."""
    return is_folder(path) and len({one.person for one in played.facts(Path(path))
                                    if one.person and not one.is_duel}) > 1


def meetings(path: str | Path, a: str | None = None, b: str | None = None,
             deck_a: str | None = None, deck_b: str | None = None, result: str | None = None,
             longest: bool = False) -> pd.DataFrame:
    """Return the finished games that fit, as `hsevo.replay` of other folders does: a is the human.

    a, b, deck_a, deck_b: parts of names. Raises RunError.
    """
    table = played.table(Path(path))
    for column, part in (("a", a), ("b", b), ("deck_a", deck_a), ("deck_b", deck_b)):
        if part is not None:
            table = table[table[column].str.contains(part, regex=False)]
    if result is not None:
        table = table[table[_column(result)] > 0]
    if longest:
        table = table.sort_values("turns", ascending=False, kind="stable")
    return table.reset_index(drop=True)


def find(path: str | Path, part: int | None, chances: int, **which: object) -> PlayedReplay:
    """Return one of the games that fit, by default the last. Raises RunError, GameError."""
    rows = meetings(path, **which)  # type: ignore[arg-type]
    at = len(rows) - 1 if part is None else part
    if rows.empty:
        raise RunError(f"{path} has no such game; hsevo replay FOLDER --list shows those it has")
    if not 0 <= at < len(rows):
        raise RunError(f"there is no part {at}: {len(rows):,} games fit, 0 to {len(rows) - 1};"
                       " --list shows them")
    return PlayedReplay(Path(path), int(rows["number"][at]), chances)


def _column(result: str) -> str:
    """Return the column that counts a result of a's. Raises ConfigError."""
    columns = {"won": "wins_a", "lost": "wins_b", "drawn": "draws"}
    if result not in columns:
        raise ConfigError(f"result is {quoted(result)}, but must be one of {', '.join(columns)}")
    return columns[result]
