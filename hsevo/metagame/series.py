"""Series: two agents with line-ups of decks play many best-of-n matches, game after game.

    Lineups --Record.left--> PAIRING rows of a round --arena.play()--> Record.add_block() --> ...

All series play their first games, then all that are not over play their next ones, and so on: which
decks meet depends on the games before. Round 0, if both choose optimally, is of games that scout:
every deck against every deck, from which both know the rates. A series' choices and the seeds of
its games depend on nothing but its own games, so series are independent of each other, and neither
workers nor a stop change one.

    games.csv   series (0: scouting), game, a, b, deck_a, deck_b, seed and what came of it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.cards.decks import Deck
from hsevo.config import Count, Name, Rules
from hsevo.config.models import Names
from hsevo.errors import DeckError, RunError
from hsevo.metagame.choices import Optimal, drawn, strike, uniform
from hsevo.metagame.lineups import MOST
from hsevo.metagame.matchups import rates_of
from hsevo.play import formats, match, participants
from hsevo.play import players as hosted
from hsevo.play.formats import FormatStanding
from hsevo.play.hosting import PlayedBlock, recorded_moves
from hsevo.play.tournament import refuse_faults
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive
from hsevo.store.journal import Journal
from hsevo.strength import arena
from hsevo.strength.arena import GAME_COLUMNS
from hsevo.types import Array

SERIES_BYTES = 8_000  # in memory: some seven games of 560 bytes, their lines, and the series
GAME_BYTES = 1_000  # of a game that scouts: 560, and its line
MOST_REPLAYED = 20  # drawn games of a series; with more, the series is drawn
SERIES_COLUMNS = ("series", "games", "wins_a", "wins_b", "draws", "points")
GAMES, SCOUTED, CHOICES, STRUCK = 1, 2, 3, 4  # what numbers are for, in the key of a stream


class Plan(Rules):
    """Who plays which decks, in which format, and how often."""

    a: Name
    b: Name
    mine: Names
    theirs: Names
    format: Literal["conquest", "last-hero-standing"] = "conquest"
    ban: bool = False
    choose: Literal["uniform", "best"] = "uniform"
    scouting: Count = 200
    series: Count = 1000


@dataclass(frozen=True)
class Lineups:
    """A plan with its two agents and its decks; mine, theirs: numbers of decks."""

    plan: Plan
    names: tuple[str, str]
    players: Array  # AGENT (2,) or (2, d, d)
    decks: tuple[Deck, ...]
    mine: tuple[int, ...]
    theirs: tuple[int, ...]

    @classmethod
    def checked(cls, plan: Plan, names: tuple[str, str], players: Array, decks: tuple[Deck, ...],
                mine: Sequence[int], theirs: Sequence[int]) -> Self:
        """Return line-ups that can play series. Raises DeckError, ConfigError, AgentError."""
        least = 1 + plan.ban
        for whose, own in (("mine", mine), ("theirs", theirs)):
            if not least <= len(own) <= MOST:
                raise DeckError(f"{whose} has {len(own)} deck{'s'[:len(own) != 1]}, but a line-up"
                                f"{' with a ban' if plan.ban else ''} has {least} to {MOST}")
            heroes = [decks[deck].hero for deck in own]
            if twice := next((one for one in heroes if heroes.count(one) > 1), None):
                raise DeckError(f"{whose} has two decks of {twice.capitalize()}, but a line-up has"
                                " one of a class at most")
        if len(mine) != len(theirs):
            raise DeckError(f"mine has {len(mine)} decks and theirs {len(theirs)}, but line-ups"
                            " must have as many")
        found = cls(plan, names, players, decks, tuple(mine), tuple(theirs))
        hosted.check(players, found.setting)
        config.refuse_memory(plan.series, "series", SERIES_BYTES, "take fewer")
        if plan.choose == "best":
            config.refuse_memory(plan.scouting * len(mine) * len(theirs), "games that scout",
                                 GAME_BYTES, "take fewer with scouting")
        return found

    @property
    def setting(self) -> match.Setting:
        """The rules of all games."""
        plan = self.plan
        return match.Setting(plan.ruleset, self.decks, plan.information, plan.max_turns)

    @property
    def best_of(self) -> int:
        """The most games of a series without draws: 2 n - 1 of n decks that are not struck."""
        return 2 * (len(self.mine) - self.plan.ban) - 1

    @property
    def most_games(self) -> int:
        """How many games there are at most, but for draws."""
        return self.plan.series * self.best_of + len(self._scouting)

    @cached_property
    def _scouting(self) -> Array:
        return scouting(self) if self.plan.choose == "best" else np.zeros(0, match.PAIRING)


@dataclass
class Course:
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


class Record:
    """The games of line-ups so far, and those that come next; journal: where they are kept.

    Raises RunError if the journal holds other games, or is damaged.
    """

    def __init__(self, lineups: Lineups, journal: Journal | None = None) -> None:
        self.lineups, self.series = lineups, [*_begun(lineups)]
        self.moves: list[str] = []  # of each game so far, if they are recorded
        self.optimal: Optimal | None = None  # what both know once it was scouted, if they choose so
        self._journal: Journal | None = None
        self._rows, self._results = [], []  # type: list[Array], list[Array]
        self._numbers: list[Array] = []
        self._round, self._at = _Round(*self._first()), 0
        if journal is not None and journal.read():
            self._take(journal)
        self._journal = journal

    @property
    def left(self) -> Array:
        """The games that come next, match.PAIRING: those of the round that goes on."""
        return self._round.rows[self._at:]

    @property
    def rows(self) -> Array:
        """The games so far, match.PAIRING."""
        return np.concatenate([np.zeros(0, match.PAIRING), *self._rows])

    @property
    def results(self) -> Array:
        """What came of them, match.RESULT, in order."""
        return np.concatenate([np.zeros(0, match.RESULT), *self._results])

    @property
    def done(self) -> int:
        """How many games were played."""
        return sum(map(len, self._rows))

    @property
    def total(self) -> int:
        """How many games there are at most, but for draws."""
        return self.lineups.most_games if len(self.left) else self.done

    @property
    def scouted(self) -> Array | None:
        """The games that scouted, (d, d, 3): lost, drawn and won, by the numbers of decks; or None.
        """
        rows = self.lineups._scouting
        if not len(rows) or self.done < len(rows):
            return None
        counts = np.zeros((len(self.lineups.decks),) * 2 + (3,), np.int64)
        ended = (2 * _points(self.results[:len(rows)])).astype(np.int64)
        np.add.at(counts, (rows["deck_a"], rows["deck_b"], ended), 1)
        return counts

    @property
    def games(self) -> pd.DataFrame:
        """Every game, as games.csv has it."""
        return games_table(self.lineups, self._columns(), self.rows, self.results, self.moves)

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next games that were played, also to the journal. Raises GameError, RunError."""
        refuse_faults(block.results, block.rows["seed"])
        end = self._at + len(block.rows)
        if self._journal is not None:
            lines = games_table(self.lineups, self._round.numbers[self._at:end], block.rows,
                                block.results, block.moves)
            self._journal.append(lines.to_csv(index=False, header=not self.done).encode())
        self.moves += block.moves
        self._add(block.rows, block.results)

    def _add(self, rows: Array, results: Array) -> None:
        self._rows.append(rows)
        self._results.append(results)
        self._numbers.append(self._round.numbers[self._at:self._at + len(rows)])
        self._at += len(rows)
        if not len(self.left):
            self._finish_round()

    def _finish_round(self) -> None:
        """Count the games of a round, and draw the next one's."""
        points = _points(self.results[-len(self._round.rows):])
        if self._round.series:
            for one, row, won in zip(self._round.series, self._round.rows, points, strict=True):
                _count(self.lineups, one, row, float(won))
        else:
            scouted = self.scouted
            assert scouted is not None  # a round without series is one of scouting
            self.optimal = Optimal(self.lineups.plan.format, rates_of(scouted))
            _strike(self.lineups, self.series, self.optimal)
        self._round, self._at = _Round(*_next(self.lineups, self.series, self.optimal)), 0

    def _first(self) -> tuple[list[Course], Array, Array]:
        scouts = self.lineups._scouting
        if len(scouts):
            return [], scouts, np.zeros((len(scouts), 2), np.int64)
        _strike(self.lineups, self.series, None)
        return _next(self.lineups, self.series, None)

    def _columns(self) -> Array:
        return np.concatenate([np.zeros((0, 2), np.int64), *self._numbers])

    def _take(self, journal: Journal) -> None:
        """Take over the games in a journal. Raises RunError."""
        table = journal.table((*GAME_COLUMNS, "series", "game"), ("deck_a", "deck_b"))
        ends = table[["wins_a", "wins_b", "draws", "faults"]]
        if not (ends.isin([0, 1]).all(axis=None) and (ends.sum(axis=1) == 1).all()):
            raise RunError(f"{journal.path} is damaged: a game does not have exactly one result")
        results = np.zeros(len(table), match.RESULT)
        for name in GAME_COLUMNS:
            results[name] = table[name]
        names = np.array([deck.name for deck in self.lineups.decks], object)
        at = 0
        while at < len(table) and len(rows := self.left[:len(table) - at]):
            part = table.iloc[at:at + len(rows)]
            same = (np.array_equal(part["seed"], rows["seed"])
                    and np.array_equal(part["deck_a"], names[rows["deck_a"]])
                    and np.array_equal(part["deck_b"], names[rows["deck_b"]]))
            if not same:
                break
            self._add(rows, results[at:at + len(rows)])
            at += len(rows)
        if at < len(table):
            raise RunError(f"{journal.path} is damaged: its games are not those of these series")
        self.moves = recorded_moves(journal.path)


@dataclass(frozen=True)
class _Round:
    """Games to be played: of which series (none: scouting), and their series and game numbers."""

    series: list[Course]
    rows: Array
    numbers: Array  # (n, 2)


def play(executor: Executor, record: Record, on_games: OnGames = lambda games: None) -> None:
    """Play what is left of all series, round by round. Raises GameError, PlayerError, RunError."""
    lineups = record.lineups
    while len(rows := record.left):
        for block in arena.play(executor, rows, lineups.players, lineups.setting):
            record.add_block(block)
            on_games(len(block.rows))


def scouting(lineups: Lineups) -> Array:
    """Return the games, match.PAIRING, that scout: each deck against each, from the same seeds."""
    k, i, j = (part.ravel() for part in np.indices(
        (lineups.plan.scouting, len(lineups.mine), len(lineups.theirs))))
    mine, theirs = np.array(lineups.mine)[i], np.array(lineups.theirs)[j]
    return match.pairings(0, 1, mine, theirs, derive(_key(lineups, SCOUTED), mine, theirs, k))


def _key(lineups: Lineups, use: int) -> tuple[int, int, int]:
    return lineups.plan.seed, use, Stream.ARENA


def _begun(lineups: Lineups) -> Iterator[Course]:
    at = formats.begin(lineups.mine, lineups.theirs)
    return (Course(number, at) for number in range(1, lineups.plan.series + 1))


def _strike(lineups: Lineups, series: Sequence[Course], optimal: Optimal | None) -> None:
    """Have both strike a deck of the other in every series, if they do."""
    if not lineups.plan.ban:
        return
    begun = series[0].at
    share = 1 / len(lineups.mine)
    theirs, mine = optimal.bans(begun) if optimal else ((share,) * len(lineups.mine),) * 2
    numbers = _numbers(_key(lineups, STRUCK), np.array([one.number for one in series]))
    for one, (first, second) in zip(series, numbers, strict=True):
        struck = begun.mine[drawn(mine, second)], begun.theirs[drawn(theirs, first)]
        one.struck, one.at = struck, strike(begun, *struck)


def _next(lineups: Lineups, series: Sequence[Course], optimal: Optimal | None
          ) -> tuple[list[Course], Array, Array]:
    """Return the series that are not over, with their next games and these' numbers."""
    going = [one for one in series if one.points is None]
    number = np.array([one.number for one in going], np.int64)
    game = np.array([len(one.games) + 1 for one in going], np.int64)
    decks, choose = np.zeros((2, len(going)), np.int64), optimal or uniform
    for i, (one, draws) in enumerate(zip(
            going, _numbers(_key(lineups, CHOICES), number, game), strict=True)):
        mine, theirs = choose(one.at)
        choices = one.at.choices
        decks[:, i] = choices[0][drawn(mine, draws[0])], choices[1][drawn(theirs, draws[1])]
    rows = match.pairings(0, 1, *decks, derive(_key(lineups, GAMES), number, game))
    return going, rows, np.stack([number, game], axis=1)


def _numbers(key: tuple[int, int, int], *columns: Array) -> list[tuple[float, float]]:
    """Return two numbers from 0 to 1 for each row, (n, 2)."""
    if not len(columns[0]):
        return []
    both = [derive((*key, side), *columns) / 2.0**64 for side in (0, 1)]
    return [*zip(*(one.tolist() for one in both), strict=True)]


def _points(results: Array) -> Array:
    points: Array = results["wins_a"] + results["draws"] / 2
    return points


def _count(lineups: Lineups, one: Course, row: Any, points: float) -> None:
    """Count a game of a series."""
    mine, theirs = int(row["deck_a"]), int(row["deck_b"])
    one.games.append((mine, theirs, points))
    one.at = formats.after(lineups.plan.format, one.at, mine, theirs, points)
    one.points = formats.winner(lineups.plan.format, one.at)
    if one.points is None and len(one.games) - sum(one.score) > MOST_REPLAYED:
        one.points = 0.5


def games_table(lineups: Lineups, numbers: Array, rows: Array, results: Array,
                moves: Sequence[str] = ()) -> pd.DataFrame:
    """Return lines of games.csv, one per game; numbers: (n, 2), of its series and of it there."""
    decks = np.array([deck.name for deck in lineups.decks], object)
    names = np.array(lineups.names, object)
    table = {"series": numbers[:, 0], "game": numbers[:, 1], "a": names[rows["a"]],
             "b": names[rows["b"]], "deck_a": decks[rows["deck_a"]],
             "deck_b": decks[rows["deck_b"]], "seed": rows["seed"]}
    table |= {name: results[name] for name in GAME_COLUMNS}
    return pd.DataFrame(table | ({"moves": list(moves)} if moves else {}))


def series_table(record: Record) -> pd.DataFrame:
    """Return a line per series that is over.

    Columns series, games, wins_a, wins_b, draws (of games), points (a's of the series: 1, 0, or 0.5
    if its games were drawn more than MOST_REPLAYED times), and with bans struck_a and struck_b (the
    deck of each that the other struck).
    """
    names = [deck.name for deck in record.lineups.decks]
    bans = ["struck_a", "struck_b"] if record.lineups.plan.ban else []
    lines = []
    for one in record.series:
        if one.points is None:
            continue
        wins_a, wins_b = one.score
        struck = {} if one.struck is None else {
            "struck_a": names[one.struck[0]], "struck_b": names[one.struck[1]]}
        lines.append({"series": one.number, "games": len(one.games), "wins_a": wins_a,
                      "wins_b": wins_b, "draws": len(one.games) - wins_a - wins_b,
                      "points": one.points} | struck)
    return pd.DataFrame(lines, columns=[*SERIES_COLUMNS, *bans])


def write_cast(folder: Path, lineups: Lineups, engine: str = "") -> None:
    """Write the cast of the games, so that each can be played again. Raises RunError.

    engine: that played them; "": this one.
    """
    participants.write(folder, lineups.names, lineups.players, lineups.setting, engine)
