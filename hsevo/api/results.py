"""Results of matches, arenas and benchmarks: numbers, tables, one line each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import __version__, config
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError
from hsevo.files import write_whole, writing
from hsevo.play import participants
from hsevo.play.participants import Cast
from hsevo.play.specs import short_names
from hsevo.play.tournament import write_table
from hsevo.store import journal
from hsevo.strength import arena as arenas
from hsevo.strength import benchmark as panels
from hsevo.strength import cross_tables
from hsevo.strength.arena import Lineup, Record, games_table
from hsevo.strength.rating import Estimate, Sprt, rate

if TYPE_CHECKING:
    from hsevo.metagame.series import Lineups
    from hsevo.replays.stored import Replay

MATCH = "match.yaml"  # the file of a finished match's rules
RESULTS = (0, 0.5, 1)  # points of a game
ITSELF = "itself"  # the name of the second of two agents that are the same


def win_rate(points: npt.ArrayLike) -> Estimate:
    """Estimate a win rate from your own games, with draws as half wins: `value`, `low`, `high`.

    points: of one player in each game, 1 if it won, 0.5 for a draw and 0 if it lost; True and False
    are 1 and 0. Shape (n,) for n games that are independent of each other; (n, 2) for n mirrored
    pairs, the two games of each with the same seed and the seats swapped. value is the mean, from 0
    to 1; low and high are the ends of its 95 % interval: Agresti and Coull's (1998), for pairs from
    the spread of the pairs, as in `hsevo.match` (strength.rating.rate).

    Raises ConfigError for another shape, other points, or none.

    >>> print(hsevo.win_rate([1, 1, 0.5, 0]))
    0.625 (0.2399 to 0.8876)
    >>> print(hsevo.win_rate([[1, 0], [1, 1], [0, 1], [1, 0.5]]))
    0.6875 (0.3217 to 0.8696)
    """
    try:
        found = np.asarray(points)
        if found.dtype.kind not in "biuf" or np.ma.isMaskedArray(points):
            raise TypeError
        found = found.astype(np.float64)
    except (TypeError, ValueError):
        said = " ".join(config.short(points).split())  # an array has lines
        raise ConfigError(f"points are {said}, but must be numbers, of shape (n,) or (n, 2)"
                          ) from None
    if found.ndim == 0 or found.shape[1:] not in ((), (2,)):
        hint = "; transpose them" if found.ndim == 2 and len(found) == 2 else ""
        raise ConfigError(f"points have shape {found.shape}, but must be (n,) for n games or (n, 2)"
                          f" for n mirrored pairs{hint}")
    if not found.size:
        raise ConfigError("there are no points: a win rate needs a game")
    if (wrong := found[~np.isin(found, RESULTS)]).size:
        raise ConfigError(f"the points of a game are {wrong[0]:g}, but must be 0 (lost), 0.5"
                          " (drawn) or 1 (won)")
    halves = 2 * (found.sum(axis=1) if found.ndim == 2 else found)
    return rate(np.bincount(halves.astype(np.int64), minlength=2 * found.ndim + 1))


class Replayable:
    """A result whose games can be played again; `path` is its folder, if it has one."""

    path: Path | None

    @property
    def games(self) -> pd.DataFrame:
        """Every game."""
        raise NotImplementedError

    @property
    def _cast(self) -> Lineup | Lineups:
        """Who played which decks, by which rules."""
        raise NotImplementedError

    @property
    def _engine(self) -> str:
        """The engine that played the games: that of their folder, else this one."""
        if self.path is None or not (self.path / participants.NAME).is_file():
            return fingerprint()
        return participants.read(self.path).engine

    def replay(self, a: str | None = None, b: str | None = None, deck_a: str | None = None,
               deck_b: str | None = None, *, part: int | None = None, result: str | None = None,
               longest: bool = False, chances: int | None = None) -> Replay:
        """Return a game, to be played again; see `hsevo.replay`. Raises RunError, ConfigError."""
        from hsevo.replays.chances import GAMES  # these import what plays a game move by move
        from hsevo.replays.contests import contest
        from hsevo.replays.stored import Replay

        cast = self._cast
        who = Cast(cast.names, cast.players, cast.setting, self._engine)
        found = contest("the result", who, self.games).find(
            a, b, deck_a, deck_b, part, result, longest)
        return Replay(found, 0, GAMES if chances is None else chances)


class Recorded(Replayable):
    """A result that has the record of its games."""

    record: Record

    @property
    def _cast(self) -> Lineup:
        return self.record.lineup

    def crosstab(self, by: str = "agents", values: str = "rate") -> pd.DataFrame:
        """Return the win rates of each row against each column, as a table.

        by: "agents", or "decks" with all agents together. values: "rate", "rate_low" and
        "rate_high" (the ends of its 95 % interval), "games", or "text" (the rate in whole per cent
        with its interval, as "43 (36-50)"). Raises ConfigError.

        >>> own = ["eva:2018@mage", "eva:2018@warrior"]
        >>> hsevo.match(*own, games=100).crosstab("decks", "games").loc["mage", "warrior"]
        np.int64(100)
        """
        return cross_tables.crosstab(self.record, by, values)

    @property
    def games(self) -> pd.DataFrame:
        """Every game: columns pair, a, b, deck_a, deck_b, seed, wins_a, wins_b, draws, turns ..."""
        return games_table(self.record.rows, self.record.results, self.record.lineup, 0,
                           self.record.moves)


@dataclass(frozen=True)
class MatchResult(Recorded):
    """The result of a match of two agents; `path` is its folder, if it has one.

    wins, draws, losses and faults (games that the engine refused) are the first agent's; rate (a
    draw is half a win), elo and nelo (normalised Elo) are strength.rating.Estimate, each a value
    with its 95 % interval, from the spread of the pairs of games.
    """

    record: Record
    sprt: Sprt | None = None
    path: Path | None = None

    @cached_property
    def _row(self) -> dict[str, Any]:
        return dict(arenas.pairs_table(self.record).iloc[0])

    @property
    def names(self) -> tuple[str, str]:
        """The two agents."""
        return self.record.lineup.names[0], self.record.lineup.names[1]

    @property
    def played(self) -> int:
        """How many games count."""
        return int(self._row["games"])

    @property
    def wins(self) -> int:
        """Games that the first agent won."""
        return int(self._row["wins"])

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return int(self._row["draws"])

    @property
    def losses(self) -> int:
        """Games that the first agent lost."""
        return int(self._row["losses"])

    @property
    def faults(self) -> int:
        """Games that the engine refused; they and their pair's other game don't count."""
        return int(self._row["faults"])

    def _estimate(self, name: str) -> Estimate:
        return Estimate(*(float(self._row[f"{name}{end}"]) for end in ("", "_low", "_high")))

    @property
    def rate(self) -> Estimate:
        """The first agent's points a game, 0 to 1."""
        return self._estimate("rate")

    @property
    def elo(self) -> Estimate:
        """The Elo difference, above 0 if the first agent is better."""
        return self._estimate("elo")

    @property
    def nelo(self) -> Estimate:
        """The difference in normalised Elo: in standard deviations of a game."""
        return self._estimate("nelo")

    @property
    def pairs(self) -> npt.NDArray[np.int64]:
        """Pairs in which the first agent had 0, 1/2, 1, 3/2 and 2 points, (5,)."""
        counts: npt.NDArray[np.int64] = self.record.counts[0, 1]
        return counts

    @property
    def verdict(self) -> str | None:
        """What a sequential test accepts, "H0" or "H1"; None if undecided, or without a test."""
        return self.sprt.verdict(self.pairs) if self.sprt else None

    @property
    def deck_pairs(self) -> pd.DataFrame:
        """Each agent with each of its decks against each: strength.arena.deck_pairs_table."""
        return arenas.deck_pairs_table(self.record)

    @property
    def classes(self) -> pd.DataFrame:
        """The first agent by the class of its deck: strength.arena.classes_table."""
        return arenas.classes_table(self.record)

    def save(self, path: str | Path) -> Path:
        """Write games.csv, its sum, pairs.csv, match.yaml, and cast.json for `hsevo.replay`.

        Raises RunError, AgentError.
        """
        folder, lineup = Path(path), self.record.lineup
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        participants.write(folder, lineup.names, lineup.players, lineup.setting, self._engine)
        journal.write(folder / "games.csv", self.games.to_csv(index=False).encode())
        write_table(folder / "pairs.csv", arenas.pairs_table(self.record))
        about = {"kind": "hsevo match", "version": __version__, "engine": self._engine,
                 "plan": lineup.plan.model_dump(),
                 "sprt": None if self.sprt is None else asdict(self.sprt)}
        write_whole(folder / MATCH, config.to_yaml(about).encode())  # it says that all is there
        return folder

    @property
    def sure(self) -> bool:
        """Whether one is better: the 95 % interval of the rate excludes 50 %."""
        return self.rate.low > 0.5 or self.rate.high < 0.5

    @property
    def sentence(self) -> str:
        """The answer in words: who is better, if that is sure."""
        a, b = short_names(self.names).values()
        if b == ITSELF:
            return f"{a} met itself, so it won half of the games; the classes differ"
        if self.sure:
            return f"{a} is {'better' if self.rate.low > 0.5 else 'worse'} than {b}"
        return f"{a} and {b} can't be told apart"

    @property
    def test_sentence(self) -> str:
        """What the sequential test accepts, in words; "" without one."""
        if self.sprt is None:
            return ""
        a, b = short_names(self.names).values()
        h0, h1 = (hypothesis(a, b, elo) for elo in (self.sprt.elo0, self.sprt.elo1))
        if self.verdict is None:
            return f"the test has not decided between H0 ({h0}) and H1 ({h1})"
        accepted, other = (h1, h0) if self.verdict == "H1" else (h0, h1)
        return f"the test accepts {self.verdict}: {accepted} (rather than: {other})"

    def __repr__(self) -> str:
        return (f"{self.sentence}: {self.rate.percent()} of {self.played:,} games, Elo"
                f" {self.elo.signed()}")

    def _repr_html_(self) -> str:
        rows = {"games": f"{self.played:,}", "won, drawn, lost":
                f"{self.wins:,}, {self.draws:,}, {self.losses:,}", "rate": self.rate.percent(),
                "Elo": self.elo.signed(), "normalised Elo": self.nelo.signed()}
        return html_table(self.sentence, rows)


@dataclass(frozen=True)
class ArenaResult(Recorded):
    """The result of an arena of several agents; `path` is its folder, if it has one.

    ratings: a row per agent, best first (Elo, mean 0, with 95 % intervals). pairs: each agent
    against each. deck_pairs: the same by their decks. games: every game.
    """

    record: Record
    path: Path | None = None

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        return arenas.tables(self.record)

    @property
    def ratings(self) -> pd.DataFrame:
        """Agents, best first: columns of strength.arena.ratings_table."""
        return self._tables["ratings"]

    @property
    def pairs(self) -> pd.DataFrame:
        """Each agent against each opponent: columns of strength.arena.pairs_table."""
        return self._tables["pairs"]

    @property
    def deck_pairs(self) -> pd.DataFrame:
        """The same by decks: columns of strength.arena.deck_pairs_table."""
        return self._tables["deck_pairs"]

    def __repr__(self) -> str:
        best, names = self.ratings.iloc[0], short_names(self.ratings["agent"])
        where = f", in {self.path}" if self.path else ""
        return (f"ArenaResult({len(names)} agents, {len(self.record.rows):,} games{where};"
                f" first {names[best['agent']]}, {best['rating']:+.0f} Elo)")

    def _repr_html_(self) -> str:
        return str(self.ratings.to_html(index=False, float_format="{:.3g}".format))


@dataclass(frozen=True)
class BenchmarkResult(Recorded):
    """Where an agent stands in the panel; `path` is its folder, if it has one.

    table: the panel and the agent, best first (columns of strength.benchmark.standing). decks: its
    results with each deck against each agent of the panel.
    """

    panel: panels.Panel
    record: Record
    path: Path | None = None

    @property
    def agent(self) -> str:
        """The name of the agent that was measured."""
        return self.record.lineup.names[0]

    @cached_property
    def table(self) -> pd.DataFrame:
        """The panel and the agent, best first."""
        return panels.standing(self.panel, self.record)

    @cached_property
    def decks(self) -> pd.DataFrame:
        """Results of the agent with each of its decks against each agent of the panel."""
        return panels.by_deck(self.record)

    @property
    def _row(self) -> pd.Series:
        return self.table[self.table["agent"] == self.agent].iloc[0]

    @property
    def place(self) -> tuple[int, int, int]:
        """Its place, and the best and worst place that the intervals of its leads allow."""
        return panels.places(self.table, self.agent)

    @property
    def rating(self) -> Estimate:
        """Its rating in Elo; 0 is the mean of the panel."""
        return Estimate(*(float(self._row[name]) for name in ("rating", "low", "high")))

    @property
    def rate(self) -> Estimate:
        """Its points a game against the panel, 0 to 1."""
        return Estimate(*(float(self._row[name]) for name in ("rate", "rate_low", "rate_high")))

    def submit(self, path: str | Path) -> Path:
        """Write an entry of a leaderboard: a new file that `hsevo.check_entry` checks by playing.

        It holds the agent with all its numbers, and how each game ended. `hsevo.leaderboard` ranks
        entries of panel-2026c: hsevo.benchmark(agent, panel="panel-2026c"). Raises RunError, and
        AgentError for an agent whose games can't be played again.
        """
        file = Path(path)
        from hsevo.strength import entries

        entries.refuse_old(file)
        write_whole(file, entries.content(self.panel, self.record))
        return file

    def __repr__(self) -> str:
        place, best, worst = self.place
        name = short_names(self.table["agent"])[self.agent]
        return (f"{name}: place {place} of {len(self.table)} ({best} to {worst}), rating"
                f" {self.rating.signed()} Elo, {self.rate.percent()} of"
                f" {self._row['games']:,} games")

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.3g}".format))


def hypothesis(a: str, b: str, elo: float) -> str:
    """Return in words what it means that a is so many Elo above b."""
    if elo == 0:
        return f"{a} and {b} are equally strong"
    return f"{a} is {abs(elo):g} Elo {'better' if elo > 0 else 'worse'} than {b}"


def html_table(title: str, rows: dict[str, str]) -> str:
    """Return a small table for a notebook."""
    cells = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td>"
                    "</tr>" for name, value in rows.items())
    return f"<table><caption>{escape(title)}</caption>{cells}</table>"
