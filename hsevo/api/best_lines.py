"""`hsevo.analyse` of a position, and `hsevo.position`, which takes one out of a stored game."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import pandas as pd

from hsevo.api.stored import Judging, Source, analyst_of, counted, stored_game, write_lines
from hsevo.config import as_real, as_whole, whole
from hsevo.errors import ConfigError, GameError, printable
from hsevo.objects import Fields
from hsevo.play.position import Position
from hsevo.play.session import Session
from hsevo.replays import decisions, lethal, lines
from hsevo.replays.chances import states_of
from hsevo.strength.games import Game
from hsevo.strength.rating import Estimate


@dataclass(frozen=True)
class BestLines:
    """What can be done at a position, and what it is worth.

    agent: the analyst. players: who played on. games: that were played on after each line's first
    move. wanted: how many of them were asked for; more, if the time was up. seed: of these games.
    lethal: whether the player to move can win in this turn, "yes", "no", "chance" or "unknown"
    (not decided within the budget), with the bounds of the probability, and lethal_line what does
    so. lines: a row each, see replays.lines.judged, the highest chance first. If a lethal is sure,
    it is the only line.

    >>> side = {"class": "mage", "deck_list": "mage", "hand": ["Frostbolt", "Polymorph"]}
    >>> found = hsevo.analyse(hsevo.Position({"me": side, "opponent": side, "turn": 5}), games=20)
    >>> found.lethal
    'no'
    >>> found.lines.columns[:4].tolist()
    ['line', 'own', 'network', 'chance']
    >>> bool(found.chance.low < found.chance.value < found.chance.high)
    True
    """

    FIELDS: ClassVar[Fields] = {
        "position": "position.data", "agent": "agent", "played_on_by": "players",
        "games": "games", "seed": "seed", "chance": "chance",
        "lethal": {"answer": "lethal", "least": "lethal_least", "most": "lethal_most",
                   "line": "lethal_line"}, "lines": "lines"}

    position: Position
    agent: str
    players: str
    games: int
    seed: int
    lethal: str
    lethal_least: float
    lethal_most: float
    lethal_line: tuple[str, ...]
    lines: pd.DataFrame
    wanted: int

    @property
    def chance(self) -> Estimate:
        """The chance to win after the analyst's own move, or 1 if a lethal is sure.

        That of the best line is the highest of several estimates, so it is more often too high.
        """
        own = self.lines[self.lines["own"]]
        row = (self.lines if own.empty else own).iloc[0]
        return Estimate(*(float(row[name]) for name in ("chance", "chance_low", "chance_high")))

    def write(self, path: str | Path) -> Path:
        """Write the lines as CSV, and return the path. Raises RunError."""
        return write_lines(self.lines, path)


def best_lines(position: Position, how: Judging, most: int, seconds: float | None) -> BestLines:
    """Return what can be done at a position; for the arguments see `hsevo.analyse`.

    Raises ConfigError, AgentError, WorkersError.
    """
    whole("lines", most, 1, lines.MOST_LINES)
    end = monotonic() + _checked(seconds)
    hidden = copy(position)
    hidden.state = position.state.copy()
    hidden.state["ordered"] = 0  # what comes next counts as unknown
    game: Session = Game.at(hidden)
    asked, going_on = analyst_of(how.agent, game), analyst_of(how.players, game)
    proof = (lethal.LethalSearch(hidden.ruleset, budget=how.budget)
             .lethal(states_of(game, [])) if how.budget != 0 else None)
    answer = decisions.found_by(game, proof) if proof else ("", 0.0, 1.0, ())
    played = how.games
    if answer[0] == "yes":
        table = lines.sure(answer[3])
    else:
        found = lines.candidates(game, asked[game.player], most)
        with how.playing(how.games * len(found.moves)) as (executor, meter):
            outcomes = executor(decisions.play_on, decisions.jobs(
                game, [found], going_on, how.games, how.seed, part=lines.PART))
            parts = [*_until(end, counted(outcomes, meter.advance))]
        played = sum(part.shape[1] for part in parts)
        table = lines.judged(found, parts, game.player)
    return BestLines(position, asked[0].name, going_on[0].name, played, how.seed, *answer, table,
                     how.games)


def _checked(seconds: Any) -> float:
    """Return seconds, infinity for None. Raises ConfigError for what is no time."""
    if seconds is None:
        return inf
    found = as_real(seconds)
    if found is None or not found > 0:
        raise ConfigError(f"seconds is {printable(seconds)}, but must be a number above 0")
    return found


def _until(end: float, outcomes: Iterator[Any]) -> Iterator[Any]:
    """Yield outcomes until the clock says `end`: the first, and those after it in their order."""
    for one in outcomes:
        yield one
        if monotonic() >= end:
            return


def position(source: Source, at: int, **which: Any) -> Position:
    """Return the position before a decision of a stored game, with all that was hidden.

    source, which: as of `hsevo.analyse`. at: the number of the decision, from 0: `step` in its
    tables. Raises ConfigError, RunError, GameError.

    >>> folder = hsevo.match("random", "eva:2018", games=2, out="matches/pair").path
    >>> found = hsevo.position(folder, 10, part=0)
    >>> found.write("one.json").name
    'one.json'
    """
    number = as_whole(at)
    if number is None or number < 0:
        raise GameError(f"at is {printable(at)}, but must be the number of a decision, from 0")
    return stored_game(source, which)[1].before(number).position()
