"""`hsevo.replay`: any stored game again, from whatever folder holds it.

As decisions, as text or as a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pandas as pd

from hsevo.config import whole
from hsevo.errors import ConfigError, refuse_unknown
from hsevo.files import check_path
from hsevo.play.session import Session
from hsevo.replays import chances as estimates
from hsevo.replays import own, played
from hsevo.replays import replay as replaying
from hsevo.replays.contests import open_folder
from hsevo.replays.replay import StoredMatch, check, verdict
from hsevo.runs.folder import RunFolder


class MeetingFields(TypedDict, total=False):
    """Name one game of two agents, and the content of its page; see `replay`."""

    deck_a: str | None
    """Deck of a."""
    deck_b: str | None
    """Deck of b."""
    part: int | None
    """Number of the match among the matches that fit, from 0."""
    game: int
    """Number of the game in the match, from 0."""
    execution: int | None
    """Execution of a run; default: the last."""
    chances: int
    """Games played from each point of the page's curve of win probabilities, 0 to 10,000
    (default: 100); 0: no curve.
    """


class WhichFields(MeetingFields, total=False):
    """Name one game of a folder; see `replay`."""

    generation: int | None
    """Generation of a run; default: the last."""
    result: str | None
    """won, drawn or lost by a. Not for runs."""
    longest: bool
    """Longest games first. Not for runs."""


@dataclass(frozen=True)
class Replay:
    """Replay one stored match. `str()` of it is the game as text.

    Attributes
    ----------
    meeting : StoredMatch
        The match.
    game : int
        Number of the game in the match, from 0.
    chances : int
        Games played from each point of the page's curve of win probabilities. 0: no curve.

    Raises
    ------
    ConfigError
        If `chances` is out of range.
    """

    meeting: StoredMatch
    game: int
    chances: int = estimates.GAMES

    def __post_init__(self) -> None:
        whole("chances", self.chances, 0, estimates.MOST_GAMES)

    @property
    def match(self) -> dict[str, Any]:
        """Stored row: individuals, decks, counts and seed."""
        return self.meeting.row

    @property
    def session(self) -> Session:
        """The game itself, played to its end.

        Raises
        ------
        GameError
            If a stored move is not legal.
        """
        game = replaying.begin(self.meeting, self.game)
        for move in self.meeting.moves(self.game) or ():
            game.play(move)
        game.run()
        return game

    @cached_property
    def steps(self) -> list[replaying.Step]:
        """All decisions: the game before it, the options with their scores, and the move made."""
        return list(replaying.steps(self.meeting, self.game))

    def check(self) -> list[str]:
        """Replay all games of the match, and compare them with the stored result.

        Returns
        -------
        list of str
            Differences. Empty if there are none.
        """
        return check(self.meeting)

    def verdict(self) -> tuple[str, bool]:
        """Return whether the match is reproduced.

        Returns
        -------
        tuple of str and bool
            A line of text, and whether the match is reproduced.
        """
        return verdict(self.meeting)

    @property
    def lines(self) -> list[str]:
        """The game as lines of text."""
        head = [str(self.meeting), replaying.headline(self.meeting, self.game),
                *self.meeting.legend]
        return head + [line for step in self.steps
                       for line in replaying.step_lines(step, self.meeting.names)]

    @property
    def html(self) -> str:
        """The game as a page to step through, with a curve of win probabilities."""
        from hsevo.replays.page import page  # reads the words of all pages: 0.06 s of a start

        moves = [step.options[step.taken].move for step in self.steps[:-1]]
        curve = estimates.estimate(replaying.begin(self.meeting, self.game), moves, self.chances)
        return page(self.meeting, self.game, self.steps, curve)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Replay({self.meeting}, game {self.game})"


class PlayedReplay(Replay):
    """Read a finished game of a folder of `hsevo play` from its moves.

    A conceded game shows only information that its human had. A game between two humans shows all.
    Raises RunError, GameError.
    """

    def __init__(self, path: Path, number: int, chances: int = estimates.GAMES) -> None:
        self.facts, self._game = played.read(path, number)
        super().__init__(own.meeting(self._game, f"{path.name}, game {number}"), 0, chances)

    @property
    def session(self) -> Session:
        """The game itself, as it ended."""
        return self._game.copy()

    @cached_property
    def steps(self) -> list[replaying.Step]:
        """All decisions: the game before the decision, the options with their scores, and the move
        made.
        """
        return list(own.steps(self._game, own.viewer_of(self._game)))

    def check(self) -> list[str]:
        """Return []: a game whose moves lead elsewhere cannot be loaded."""
        return []

    def verdict(self) -> tuple[str, bool]:
        """Return that the moves led to the stored position, and True."""
        return f"reproduced: all {len(self._game.history)} moves give the stored positions", True

    @property
    def html(self) -> str:
        """The game as a page to step through, with a curve of win probabilities."""
        return own.as_page(self._game, self.chances)


def replay(path: str | Path, a: str | int | None = None, b: str | int | None = None,
           **which: Unpack[WhichFields]) -> Replay:
    """Return a stored game of a folder, ready to be replayed.

    Parameters
    ----------
    path : str or Path
        Folder of a run, match, arena or benchmark, or of games that you played with `hsevo.serve`.
        Of your own games, the default is the last game, and `a` is the human.
    a, b : str or int, optional
        Players. In a run: individuals by number, and fixed opponents by name or number (-1, -2
        ...). Otherwise: agents by name or a part of it. Default: the best and the second best.
    **which : WhichFields
        `deck_a` and `deck_b` (decks of `a` and `b`), `part` (number of the match among the matches
        that fit, from 0, as `hsevo replay --list` shows), `game` (number of the game in the match,
        from 0), `generation` and `execution` (of a run, default: the last), `result` ("won",
        "drawn" or "lost" by `a`) and `longest` (True: most turns first), both not for runs, and
        `chances` (default 100, games played from each point of the page's curve of win
        probabilities, 0 to 10,000, 0: no curve).

    Returns
    -------
    Replay
        The game.

    Raises
    ------
    RunError
        If the folder has no such game, or is damaged.
    ConfigError
        If an argument is invalid.

    Notes
    -----
    If an agent searches or is learned, eva:2018 plays the games of the curve for both players.

    Examples
    --------
    >>> path = hsevo.arena(["random", "eva:2018"], games=18, out="arenas/seen").path
    >>> print(hsevo.replay(path, part=3))
    seen: ...
    """
    refuse_unknown("replay", which, WhichFields.__annotations__)
    path, part = Path(path), which.get("part")
    decks, moment = ({key: which.get(key) for key in keys} for keys in (
        ("deck_a", "deck_b"), ("generation", "execution")))
    result, longest = which.get("result"), which.get("longest", False)
    game, chances = which.get("game", 0), which.get("chances", estimates.GAMES)
    if not played.is_folder(path) and _is_run(path):
        run = _run(path, result, longest)
        of_run: dict[str, Any] = {"a": a, "b": b, "part": part, **decks, **moment}
        return Replay(replaying.find(run, **of_run), game, chances)
    _refuse_moments(path, **moment)
    asked: dict[str, Any] = {"a": _name(a), "b": _name(b), "part": part, "result": result,
                             "longest": longest, **decks}
    if played.is_folder(path):
        return PlayedReplay(path, played.find(path, **asked), chances)
    return Replay(open_folder(path).find(**asked), game, chances)


def meetings(path: str | Path, a: str | int | None = None, b: str | int | None = None, *,
             deck_a: str | None = None, deck_b: str | None = None, result: str | None = None,
             longest: bool = False, **moment: int | None) -> pd.DataFrame:
    """Return the stored matches that fit the arguments of `replay`.

    moment: generation and execution, of a run. Raises RunError, ConfigError.
    """
    path = Path(path)
    if not played.is_folder(path) and _is_run(path):
        run = _run(path, result, longest)
        return replaying.with_names(run, replaying.meetings(run, a=a, b=b, deck_a=deck_a,
                                                            deck_b=deck_b, **moment))
    _refuse_moments(path, **moment)
    which = _name(a), _name(b), deck_a, deck_b, result, longest
    return (played.fitting(path, *which) if played.is_folder(path) else
            open_folder(path).fitting(*which))


def _is_run(path: Path) -> bool:
    """Return whether a path is a run, or not a folder of games at all: then Run says so."""
    check_path(path)
    return not any((path / name).exists() for name in ("games.csv", "matches.csv"))


def _run(path: Path, result: str | None, longest: bool) -> RunFolder:
    """Return a run; raise RunError if it is none, ConfigError for arguments of other folders."""
    run = RunFolder(path)
    if result or longest:
        raise ConfigError(f"{path} is a run, whose matches have several games each, so you can't"
                          " choose games by their result; use a folder of match, arena or"
                          " benchmark")
    return run


def _name(player: str | int | None) -> str | None:
    return None if player is None else str(player)


def _refuse_moments(path: Path, **moment: Any) -> None:
    for name, value in moment.items():
        if value is not None:
            raise ConfigError(f"{path} has no {name}s; remove {name}")
