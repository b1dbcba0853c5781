"""`hsevo.replay`: any stored game again, from whatever folder holds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from hsevo.api import played
from hsevo.errors import ConfigError
from hsevo.files import check_path
from hsevo.replays.chances import GAMES
from hsevo.replays.contests import open_folder
from hsevo.replays.stored import Replay

if TYPE_CHECKING:
    from hsevo.api.run import Run


def replay(path: str | Path, a: str | int | None = None, b: str | int | None = None, *,
           deck_a: str | None = None, deck_b: str | None = None, game: int = 0,
           part: int | None = None, generation: int | None = None,
           execution: int | None = None, result: str | None = None,
           longest: bool = False, chances: int = GAMES) -> Replay:
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
    if played.is_folder(path):
        _refuse_moments(path, generation, execution)
        return played.find(path, part, chances, a=_name(a), b=_name(b), deck_a=deck_a,
                           deck_b=deck_b, result=result, longest=longest)
    if _is_run(path):
        _refuse_results(path, result, longest)
        return _run(path).replay(generation, a, b, deck_a, deck_b, game=game,
                                execution=execution, part=part, chances=chances)
    _refuse_moments(path, generation, execution)
    found = open_folder(Path(path)).find(_name(a), _name(b), deck_a, deck_b, part,
                                         result, longest)
    return Replay(found, game, chances)


def meetings(path: str | Path, a: str | int | None = None, b: str | int | None = None, *,
             deck_a: str | None = None, deck_b: str | None = None, generation: int | None = None,
             execution: int | None = None, result: str | None = None,
             longest: bool = False) -> pd.DataFrame:
    """Return the stored matches that fit; see `replay`. Raises RunError, ConfigError."""
    if played.is_folder(path):
        _refuse_moments(path, generation, execution)
        return played.meetings(path, _name(a), _name(b), deck_a, deck_b, result, longest)
    if _is_run(path):
        _refuse_results(path, result, longest)
        return _run(path).meetings(generation, a=a, b=b, deck_a=deck_a, deck_b=deck_b,
                                  execution=execution)
    _refuse_moments(path, generation, execution)
    return open_folder(Path(path)).fitting(_name(a), _name(b), deck_a, deck_b, result, longest)


def _is_run(path: str | Path) -> bool:
    """Return whether a path is a run, or not a folder of games at all: then Run says so."""
    check_path(Path(path))
    return not any((Path(path) / name).exists() for name in ("games.csv", "matches.csv"))


def _run(path: str | Path) -> Run:
    from hsevo.api.run import Run  # imports what evolves, which other stored games do not need

    return Run(path)


def _name(given: str | int | None) -> str | None:
    return None if given is None else str(given)


def _refuse_results(path: str | Path, result: str | None, longest: bool) -> None:
    if result or longest:
        _run(path)  # raises RunError if it is not a run
        raise ConfigError(f"{path} is a run, whose matches have several games each: games can be"
                          " chosen by how they ended in folders of match, arena and benchmark")


def _refuse_moments(path: str | Path, generation: int | None, execution: int | None) -> None:
    for name, given in (("generation", generation), ("execution", execution)):
        if given is not None:
            raise ConfigError(f"{path} has no {name}s: leave {name} out")
