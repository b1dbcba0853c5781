"""What analyses of stored games share: finding a game, asking an agent in it, writing tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from hsevo.config import whole
from hsevo.errors import ConfigError, printable
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.files import check_path, write_whole
from hsevo.play.session import Session
from hsevo.replays import decisions, lethal, own
from hsevo.replays.played import is_folder
from hsevo.replays.stored import PlayedReplay, Replay, replay
from hsevo.strength.agents import AgentLike, refuse_hosted
from hsevo.strength.games import as_player

Source: TypeAlias = str | Path | Session | Replay


@dataclass(frozen=True)
class Judging:
    """How moves are judged: the analyst, who plays on after them, and how often; see `analyse`.

    Raises ConfigError, AgentError.
    """

    agent: AgentLike
    players: AgentLike
    games: int
    budget: int
    seed: int
    workers: int | None
    backend: str | None
    progress: Progress

    def __post_init__(self) -> None:
        refuse_hosted([self.players])
        whole("games", self.games, 1, decisions.MOST_WORLDS)
        if self.budget != 0:
            whole("budget", self.budget, 1, lethal.MOST_BUDGET)

    def playing(self, games: int) -> AbstractContextManager[tuple[Any, Any]]:
        """Return workers that play so many games, and a meter of them."""
        return playing(games, workers_of(self.workers, self.backend), self.progress)


def write_lines(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table as CSV, each line of moves as one text, and return the path. Raises RunError.
    """
    lines = {name: ["; ".join(line) for line in table[name]]
             for name in ("line", "lethal_line") if name in table}
    write_whole(Path(path), table.assign(**lines).to_csv(index=False).encode())
    return Path(path)


def counted(outcomes: Iterator[Any], advance: Any) -> Iterator[Any]:
    """Yield outcomes of games that were played on, and tell how many each is."""
    for one in outcomes:
        advance(one.size)
        yield one


def analyst_of(agent: AgentLike, game: Session) -> list[Any]:
    """Return an agent as a player of each seat. Raises AgentError."""
    if agent is None:
        raise ConfigError("the agent is None, but must be one")
    return [as_player(agent, game.setting.decks, seat) for seat in (0, 1)]


def stored_game(source: Source, which: dict[str, Any]) -> tuple[str, Session, int]:
    """Return which game it is in words, the game, and the seat of a.

    Raises ConfigError, RunError, GameError.
    """
    if isinstance(source, str | Path):
        source, which = _found(Path(source), which)
    if which:
        raise ConfigError(f"{', '.join(which)} can't be given: the source is one game")
    if isinstance(source, Replay):
        game = source.session
        return str(source.meeting), game, seat_of_a(game, int(source.meeting.b_first))
    if not isinstance(source, Session):
        raise ConfigError(f"the source is {printable(source)}, but must be a folder, a file, a game"
                          " or a replay")
    return str(own.meeting(source)), source, seat_of_a(source, 0)


def _found(path: Path, which: dict[str, Any]) -> tuple[Session | Replay, dict[str, Any]]:
    """Return the game of a path, and the arguments that were not needed to find it."""
    check_path(path)
    if not path.is_file():
        return replay(path, **which), {}
    if is_folder(path.parent.parent) and path.stem.isdecimal():
        return PlayedReplay(path.parent.parent, int(path.stem)), which
    return Session.load(path), which


def seat_of_a(game: Session, otherwise: int) -> int:
    """Return the seat of the human, if one alone has no agent."""
    human = [seat for seat, player in enumerate(game.players) if player.agent is None]
    return human[0] if len(human) == 1 else otherwise
