"""Series: two agents with line-ups of decks play many best-of-n matches, game after game.

    SeriesLineup --next_games()--> PAIRING rows of a round --best_of.Series--> count_game() --> ...

All series play their first games, then all that are not over play their next ones, and so on: which
decks meet depends on the games before. Round 0, if both choose optimally, is of games that scout:
every deck against every deck, from which both know the rates. A series' choices and the seeds of
its games depend on nothing but its own games, so series are independent of each other, and neither
workers nor a stop change one.

    games.csv   series (0: scouting), game, a, b, deck_a, deck_b, seed and what came of it
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.cards.decks import Deck, digested
from hsevo.config import Count, Name, Rules
from hsevo.config.models import Names
from hsevo.errors import DeckError
from hsevo.metagame.lineups import MOST, Optimal, drawn, strike, uniform
from hsevo.play import closed, formats, match
from hsevo.play import players as hosted
from hsevo.play.formats import FormatStanding
from hsevo.seeds import Stream, derive
from hsevo.strength.lineup import GAME_COLUMNS
from hsevo.types import Array

SERIES_BYTES = 8_000  # in memory: some seven games of 560 bytes, their lines, and the series
GAME_BYTES = 1_000  # of a game that scouts: 560, and its line
MOST_REPLAYED = 20  # drawn games of a series; with more, the series is drawn
SERIES_COLUMNS = ("series", "games", "wins_a", "wins_b", "draws", "points")
GAMES, SCOUTED, CHOICES, STRUCK = 1, 2, 3, 4  # purposes of random numbers, in the key of a stream


class SeriesPlan(Rules):
    """Agents, decks, format and number of series."""

    a: Name
    b: Name
    mine: Names
    theirs: Names
    format: Literal["conquest", "last-hero-standing"] = "conquest"
    """Rule that removes decks. conquest removes the winning deck of each game, and
    last-hero-standing removes the losing deck."""
    ban: bool = False
    """Before the series, each player bans a deck of the other player."""
    choose: Literal["uniform", "best"] = "uniform"
    """Choice of decks. uniform chooses at random. best chooses optimally for the win rates of
    scouting games, which are played before the series."""
    scouting: Count = 200
    """With choose best, number of scouting games of every two decks."""
    series: Count = 1000
    """Number of series to play."""


@dataclass(frozen=True)
class SeriesLineup:
    """A plan with its two agents and its decks; mine, theirs: numbers of decks."""

    plan: SeriesPlan
    names: tuple[str, str]
    players: Array  # AGENT (2,) or (2, d, d)
    decks: tuple[Deck, ...]
    mine: tuple[int, ...]
    theirs: tuple[int, ...]

    @classmethod
    def checked(cls, plan: SeriesPlan, names: tuple[str, str], players: Array,
                decks: tuple[Deck, ...], mine: Sequence[int], theirs: Sequence[int]) -> Self:
        """Return line-ups that can play series. Raises DeckError, ConfigError, AgentError."""
        least = 1 + plan.ban
        for whose, own in (("mine", mine), ("theirs", theirs)):
            if not least <= len(own) <= MOST:
                raise DeckError(f"{whose} has {len(own)} deck{'s'[:len(own) != 1]}, but a line-up"
                                f"{' with a ban' if plan.ban else ''} has {least} to {MOST}")
            heroes = [decks[deck].hero_class for deck in own]
            if twice := next((hero for hero in heroes if heroes.count(hero) > 1), None):
                raise DeckError(f"{whose} has two decks of {twice.capitalize()}, but a line-up has"
                                " at most one deck per class")
        if len(mine) != len(theirs):
            raise DeckError(f"mine has {len(mine)} decks and theirs {len(theirs)}, but both need"
                            " the same number of decks")
        lineup = cls(plan, names, players, decks, tuple(mine), tuple(theirs))
        hosted.check(players, lineup.setting)
        config.refuse_memory(plan.series, "series", SERIES_BYTES, "take fewer")
        if plan.choose == "best":
            config.refuse_memory(plan.scouting * len(mine) * len(theirs), "scouting games",
                                 GAME_BYTES, "use fewer scouting games")
        return lineup

    @property
    def setting(self) -> match.Setting:
        """The rules of all games."""
        plan = self.plan
        return match.Setting(plan.ruleset, self.decks, plan.information, plan.max_turns)

    @property
    def digest(self) -> str:
        """A fingerprint of agents and decks that does not depend on file names."""
        content = (f"({digested(self.decks)}, {self.mine!r}, {self.theirs!r},"
                   f" {closed.digest(self.plan.information)!r})")
        return hashlib.sha256(self.players.tobytes() + content.encode()).hexdigest()[:16]

    @property
    def best_of(self) -> int:
        """The most games of a series without draws: 2 n - 1 of n decks that are not struck."""
        return 2 * (len(self.mine) - self.plan.ban) - 1

    @property
    def most_games(self) -> int:
        """The largest number of games, not counting draws."""
        return self.plan.series * self.best_of + len(self.scouting)

    @cached_property
    def scouting(self) -> Array:
        """The games that scout, match.PAIRING; none, unless both choose optimally."""
        return scouting(self) if self.plan.choose == "best" else np.zeros(0, match.PAIRING)


@dataclass
class SeriesCourse:
    """A series so far. points: a's, once it is over. struck: a's and b's deck that is banned."""

    number: int  # from 1
    at: FormatStanding
    struck: tuple[int, int] | None = None
    games: list[tuple[int, int, float]] = field(default_factory=list)  # decks, a's points
    points: float | None = None

    @property
    def score(self) -> tuple[int, int]:
        """The games that a and b won."""
        return (sum(points == 1 for *_, points in self.games),
                sum(points == 0 for *_, points in self.games))


@dataclass(frozen=True)
class SeriesRound:
    """Games to be played: of which series (none: scouting), and their series and game numbers."""

    series: list[SeriesCourse]
    rows: Array
    numbers: Array  # (n, 2)


def scouting(lineup: SeriesLineup) -> Array:
    """Return the games, match.PAIRING, that scout: each deck against each, from the same seeds."""
    k, i, j = (part.ravel() for part in np.indices(
        (lineup.plan.scouting, len(lineup.mine), len(lineup.theirs))))
    mine, theirs = np.array(lineup.mine)[i], np.array(lineup.theirs)[j]
    return match.pairings(0, 1, mine, theirs, derive(_key(lineup, SCOUTED), mine, theirs, k))


def _key(lineup: SeriesLineup, use: int) -> tuple[int, int, int]:
    return lineup.plan.seed, use, Stream.ARENA


def begun(lineup: SeriesLineup) -> Iterator[SeriesCourse]:
    """Yield all series, before their first games."""
    at = formats.begin(lineup.mine, lineup.theirs)
    return (SeriesCourse(number, at) for number in range(1, lineup.plan.series + 1))


def strike_decks(lineup: SeriesLineup, series: Sequence[SeriesCourse],
                 optimal: Optimal | None) -> None:
    """Strike a deck of each side in every series, if the plan has bans."""
    if not lineup.plan.ban:
        return
    first = series[0].at
    share = 1 / len(lineup.mine)
    theirs, mine = optimal.bans(first) if optimal else ((share,) * len(lineup.mine),) * 2
    numbers = _numbers(_key(lineup, STRUCK), np.array([course.number for course in series]))
    for course, (own, second) in zip(series, numbers, strict=True):
        struck = first.mine[drawn(mine, second)], first.theirs[drawn(theirs, own)]
        course.struck, course.at = struck, strike(first, *struck)


def next_games(lineup: SeriesLineup, series: Sequence[SeriesCourse], optimal: Optimal | None
               ) -> tuple[list[SeriesCourse], Array, Array]:
    """Return the series that are not over, with their next games and these' numbers."""
    going = [course for course in series if course.points is None]
    number = np.array([course.number for course in going], np.int64)
    game = np.array([len(course.games) + 1 for course in going], np.int64)
    decks, choose = np.zeros((2, len(going)), np.int64), optimal or uniform
    for i, (course, draws) in enumerate(zip(
            going, _numbers(_key(lineup, CHOICES), number, game), strict=True)):
        mine, theirs = choose(course.at)
        choices = course.at.choices
        decks[:, i] = choices[0][drawn(mine, draws[0])], choices[1][drawn(theirs, draws[1])]
    seeds = derive(_key(lineup, GAMES), number, game)
    rows = match.pairings(0, 1, decks[0], decks[1], seeds)
    return going, rows, np.stack([number, game], axis=1)


def _numbers(key: tuple[int, int, int], *columns: Array) -> list[tuple[float, float]]:
    """Return two numbers from 0 to 1 for each row, (n, 2)."""
    if not len(columns[0]):
        return []
    both = [derive((*key, side), *columns) / 2.0**64 for side in (0, 1)]
    return [*zip(*(numbers.tolist() for numbers in both), strict=True)]


def points_of(results: Array) -> Array:
    """Return the points of a in games, 0, 0.5 or 1 (n,)."""
    points: Array = results["wins_a"] + results["draws"] / 2
    return points


def count_game(lineup: SeriesLineup, course: SeriesCourse, row: Any, points: float) -> None:
    """Count a game of a series."""
    mine, theirs = int(row["deck_a"]), int(row["deck_b"])
    course.games.append((mine, theirs, points))
    course.at = formats.after(lineup.plan.format, course.at, mine, theirs, points)
    course.points = formats.winner(lineup.plan.format, course.at)
    if course.points is None and len(course.games) - sum(course.score) > MOST_REPLAYED:
        course.points = 0.5


def games_table(lineup: SeriesLineup, numbers: Array, rows: Array, results: Array,
                moves: Sequence[str] = ()) -> pd.DataFrame:
    """Return lines of games.csv, one per game; numbers: (n, 2), of its series and of it there."""
    decks = np.array([deck.name for deck in lineup.decks], object)
    names = np.array(lineup.names, object)
    table = {"series": numbers[:, 0], "game": numbers[:, 1], "a": names[rows["a"]],
             "b": names[rows["b"]], "deck_a": decks[rows["deck_a"]],
             "deck_b": decks[rows["deck_b"]], "seed": rows["seed"]}
    table |= {name: results[name] for name in GAME_COLUMNS}
    return pd.DataFrame(table | ({"moves": list(moves)} if moves else {}))
