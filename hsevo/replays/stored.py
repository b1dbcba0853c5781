"""A stored game that is played again: as decisions, as text or as a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hsevo.play.session import Session
from hsevo.replays import chances as estimates
from hsevo.replays import replay
from hsevo.replays.meeting import Meeting, check, verdict


@dataclass(frozen=True)
class Replay:
    """One stored match, which can be played again: `str()` of it is the game as text.

    match: its stored row. game: which of its games, from 0. chances: games that are played on from
    each point of the page's curve of chances to win; 0: no curve. Raises ConfigError.
    """

    meeting: Meeting
    game: int
    chances: int = estimates.GAMES

    def __post_init__(self) -> None:
        estimates.check(self.chances)

    @property
    def match(self) -> dict[str, Any]:
        """The stored row: individuals, decks, counts and seed."""
        return self.meeting.row

    @property
    def session(self) -> Session:
        """The game itself, played to its end. Raises GameError if a stored move is not legal."""
        game = replay.begin(self.meeting, self.game)
        for move in self.meeting.moves(self.game) or ():
            game.play(move)
        game.run()
        return game

    @cached_property
    def steps(self) -> list[replay.Step]:
        """Every decision: the game before it, the options with their scores, and the one taken."""
        return list(replay.steps(self.meeting, self.game))

    def check(self) -> list[str]:
        """Play all games of the match again; return the differences from the stored result."""
        return check(self.meeting)

    def verdict(self) -> tuple[str, bool]:
        """Return whether the match is reproduced, as a line of text and as a bool."""
        return verdict(self.meeting)

    @property
    def lines(self) -> list[str]:
        """The game as lines of text."""
        head = [str(self.meeting), replay.headline(self.meeting, self.game), *self.meeting.legend]
        return head + [line for step in self.steps
                       for line in replay.step_lines(step, self.meeting.names)]

    @property
    def html(self) -> str:
        """The game as a page that can be stepped through, with the chance to win as a curve."""
        from hsevo.replays.page import page  # reads the words of all pages: 0.06 s of a start

        moves = [step.options[step.taken].move for step in self.steps[:-1]]
        found = estimates.estimate(replay.begin(self.meeting, self.game), moves, self.chances)
        return page(self.meeting, self.game, self.steps, found)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Replay({self.meeting}, game {self.game})"
