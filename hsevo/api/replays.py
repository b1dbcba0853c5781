"""`hsevo.replay`: any stored game again, from whatever folder holds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import pandas as pd

from hsevo.api import played
from hsevo.errors import ConfigError
from hsevo.files import check_path
from hsevo.replays.chances import GAMES
from hsevo.replays.contests import open_folder
from hsevo.replays.stored import Replay

if TYPE_CHECKING:
    from hsevo.api.run import Run


class MeetingFields(TypedDict, total=False):
    """Which stored games are asked for; see `replay`."""

    deck_a: str | None
    deck_b: str | None
    generation: int | None
    execution: int | None
    result: str | None
    longest: bool


def replay(path: str | Path, a: str | int | None = None, b: str | int | None = None, *,
           game: int = 0, part: int | None = None, chances: int = GAMES,
           **which: Unpack[MeetingFields]) -> Replay:
    """Return a stored game, to be played again, of a folder that hsevo wrote games to.

    path: of a run, match, arena or benchmark, or of games that you played (`serve`),
    then by default the last one, and a is the human. a, b: of a run, individuals by number
    and fixed opponents by name or number (-1, -2 ...); else agents by name or a part of it;
    default: the best against the second best. deck_a, deck_b: their decks. part: which of the
    matches that fit, from 0, as `hsevo replay --list` numbers them. game: of the match, from 0.
    generation, execution: of a run; default: the last. result: "won", "drawn" or "lost" by `a`, and
    longest: the games with the most turns first; both only of a match, arena or benchmark.
    chances: games that are played on from each point of the page's curve of chances to win, 0 to
    10,000; 0: no curve. If an agent searches or is learned, eva:2018 plays on for both.

    Raises RunError, ConfigError.

    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/seen").path
    >>> print(hsevo.replay(path, part=3))
    seen: ...
    """
    if _is_run(path):
        return _run(path).replay(a=a, b=b, game=game, part=part, chances=chances,
                                 **_of_run(path, which))
    asked = {"a": _name(a), "b": _name(b), **_of_contest(path, which)}
    if played.is_folder(path):
        return played.find(path, part, chances, **asked)
    return Replay(open_folder(Path(path)).find(part=part, **asked), game, chances)


def meetings(path: str | Path, a: str | int | None = None, b: str | int | None = None,
             **which: Unpack[MeetingFields]) -> pd.DataFrame:
    """Return the stored matches that fit; see `replay`. Raises RunError, ConfigError."""
    if _is_run(path):
        return _run(path).meetings(a=a, b=b, **_of_run(path, which))
    asked = {"a": _name(a), "b": _name(b), **_of_contest(path, which)}
    if played.is_folder(path):
        return played.meetings(path, **asked)
    return open_folder(Path(path)).fitting(**asked)


def _is_run(path: str | Path) -> bool:
    """Return whether a path is a run, or not a folder of games at all: then Run says so."""
    if played.is_folder(path):
        return False
    check_path(Path(path))
    return not any((Path(path) / name).exists() for name in ("games.csv", "matches.csv"))


def _run(path: str | Path) -> Run:
    from hsevo.api.run import Run  # imports what evolves, which other stored games do not need

    return Run(path)


def _name(given: str | int | None) -> str | None:
    return None if given is None else str(given)


def _of_run(path: str | Path, which: MeetingFields) -> dict[str, Any]:
    """Return what chooses games of a run. Raises ConfigError, RunError."""
    asked = {key: value for key, value in which.items() if key not in ("result", "longest")}
    if which.get("result") or which.get("longest"):
        _run(path)  # raises RunError if it is not a run
        raise ConfigError(f"{path} is a run, whose matches have several games each: games can be"
                          " chosen by how they ended in folders of match, arena and benchmark")
    return asked


def _of_contest(path: str | Path, which: MeetingFields) -> dict[str, Any]:
    """Return what chooses games of a contest, or of those that you played. Raises ConfigError."""
    for name in ("generation", "execution"):
        if which.get(name) is not None:
            raise ConfigError(f"{path} has no {name}s: leave {name} out")
    return {key: value for key, value in which.items() if key not in ("generation", "execution")}
