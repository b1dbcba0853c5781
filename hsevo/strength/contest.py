"""Contests: games of a line-up of agents and decks, and what those that were played say.

    Lineup --Contest.play() over workers--> games --> tables, estimates

    PairedContest   games in pairs, of a schedule that is known before
        Match       two agents: who is better, and is that sure? (matches.py)
        Arena       many agents: ratings, each against each
        Benchmark   one agent against a fixed panel (benchmark.py)
    Series          best-of-n matches, whose games depend on those before (metagame.best_of)
    StudyResult     how often an agent wins as something changes (studies.py)
    LadderResult    matches of players that learned, rung against rung (learning.ladders)

A contest may keep its games in a folder, which one process at a time fills (`held`). The same call
continues what was stopped there; so does `open`, which needs the path alone, and then `play`:

    arena.yaml   its plan, and fingerprints of all      games.csv      every game, in order
                 that decides how its games go          games.sha256   the sum of games.csv
    cast.json    agents and decks themselves            *.csv          its tables, at the end

The first file is called match.yaml, series.yaml, study.yaml or ladder.yaml in folders of these
contests. Studies and ladders have no cast.json. A ladder has pairs.csv instead of games.csv.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from hsevo import config
from hsevo.config import Rules
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, RunError, brief, own_fault
from hsevo.files import check_path, claimed, refuse_full, writing
from hsevo.objects import Fields, rules
from hsevo.play import match, participants
from hsevo.play.hosting import PlayedBlock, recorded_moves
from hsevo.play.python_players import refuse_values
from hsevo.play.specs import short_names
from hsevo.play.tournament import write_table
from hsevo.play.workers import Executor, OnGames
from hsevo.store import journal
from hsevo.store.journal import Journal
from hsevo.store.kinds import About
from hsevo.store.sums import short_digest
from hsevo.strength import cross_tables
from hsevo.strength.lineup import (
    GAME_COLUMNS,
    ContestPlan,
    Lineup,
    deck_pairs_table,
    games_table,
    looks,
    pairs_table,
    pentanomials,
    play,
    ratings_table,
    schedule,
)
from hsevo.strength.rating import Estimate, Sprt
from hsevo.strength.roster import find_players
from hsevo.trust import data
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd

    from hsevo.replays.stored import Replay


class Contest:
    """Play and store the games of a contest, and hold the results so far.

    Parameters
    ----------
    lineup : object
        Agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.
    """

    ABOUT: ClassVar[About]  # the file of the folder that says what it is
    NOUN: ClassVar[str]
    PLAN: ClassVar[type[Rules]]
    RULES: ClassVar[tuple[str, ...]]  # of a plan, in its fingerprint
    ROWS: ClassVar[str] = "games.csv"  # the file of the folder that grows
    GROWS: ClassVar[bool] = False  # whether the same call may ask for more games in a folder
    lineup: Any

    def __init__(self, lineup: Any, path: Path | None = None) -> None:
        self.lineup, self.path = lineup, path
        self._journal: Journal | None = None
        self._trust: bool | None = None  # of a folder that was opened
        self._engine: str | None = None  # that played its games
        self._clear()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents, in the order of the line-up."""
        names: tuple[str, ...] = self.lineup.names
        return names

    @property
    def done(self) -> int:
        """Number of games played."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """Maximum number of games."""
        raise NotImplementedError

    @property
    def left(self) -> Array:
        """Remaining games, match.PAIRING. Empty after the last game."""
        raise NotImplementedError

    @property
    def finished(self) -> bool:
        """Whether no games remain."""
        return not len(self.left)

    @property
    def complete(self) -> bool:
        """Whether there are enough games for a first estimate."""
        return self.done > 0

    @property
    def games(self) -> pd.DataFrame:
        """Table of all games played."""
        raise NotImplementedError

    @property
    def _standing(self) -> str:
        """Return how far it is, in words."""
        where = f" in {self.path}" if self.path else ""
        return f"{type(self).__name__}{where}: {self.done:,} of {self.total:,} games"

    def play(self, executor: Executor, on_games: OnGames = lambda games: None) -> Self:
        """Play the remaining games, and write the tables to the folder, if there is one.

        Parameters
        ----------
        executor : Executor
            Workers that play the games.
        on_games : callable, optional
            Receives the number of games, after each block of games.

        Returns
        -------
        Self
            The contest itself.

        Raises
        ------
        RunError
            If the folder is in use or damaged, or cannot be written.
        WorkersError
            If the workers cannot be started, or are lost.
        PlayerError
            If a Python player fails.
        GameError
            If the game cannot be played on.
        """
        if self.path is not None and self._journal is None:
            with self.held():
                return self.play(executor, on_games)
        with self._as_data():
            self._play(executor, on_games)
        if self.path is not None:
            self._write_tables(self.path)
        return self

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the games that are left."""
        raise NotImplementedError

    @contextmanager
    def _as_data(self) -> Iterator[None]:
        """Take Python files that only an opened folder names for data: see hsevo.trust."""
        if self._trust is None:
            yield
        else:
            with data(self._trust):
                yield

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables that the finished folder contains, by name.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        raise NotImplementedError

    def _clear(self) -> None:
        """Forget all results."""
        raise NotImplementedError

    def _parse(self, journal: Journal) -> None:
        """Take over the games of a folder. Raises RunError if they are foreign or damaged."""
        raise NotImplementedError

    @property
    def engine(self) -> str:
        """Fingerprint of the engine that played the games: from the folder, or of this engine."""
        return self._engine or fingerprint()

    def replay(self, a: str | None = None, b: str | None = None, deck_a: str | None = None,
               deck_b: str | None = None, *, chances: int | None = None, **which: Any) -> Replay:
        """Return a stored game, ready to be replayed.

        Parameters
        ----------
        a, b : str, optional
            Agents, by name or a part of it.
        deck_a, deck_b : str, optional
            Decks of these agents.
        chances : int, optional
            Games played from each point of the page's curve of win probabilities.
        **which
            Further keys of `hsevo.replay`.

        Returns
        -------
        Replay
            The game.

        Raises
        ------
        RunError
            If no game fits.
        ConfigError
            If an argument is invalid, or the contest stores no games that can be replayed.
        """
        from hsevo.replays.contests import stored_games  # most contests are not replayed
        from hsevo.replays.stored import Replay

        if (cast := self._cast) is None:
            raise ConfigError(f"the games of {self.NOUN} can't be replayed")
        cast = replace(cast, engine=self.engine)
        game = stored_games("the result", cast, self.games).find(a, b, deck_a, deck_b, **which)
        return Replay(game, 0) if chances is None else Replay(game, 0, chances)

    # -- the folder

    @property
    def _cast(self) -> participants.Cast | None:
        """Participants that the folder stores, to replay its games; None if it does not."""
        lineup = self.lineup
        return participants.Cast(self.names, lineup.players, lineup.setting, fingerprint())

    @classmethod
    def open(cls, path: str | Path, trust: bool = False) -> Self:
        """Open a folder, to read its games or to continue with `play`.

        The contest continues with the agents and decks with which it began, even if their files
        have changed.

        Parameters
        ----------
        path : str or Path
            Path of the folder.
        trust : bool, default False
            Run the files of Python players (``py:FILE.py#NAME``) in the folder. The files must be
            unchanged.

        Returns
        -------
        Self
            The contest.

        Raises
        ------
        RunError
            If the folder has no such contest, or is damaged or in use.
        ConfigError
            If the plan in the folder is damaged.
        AgentError
            If games remain and a Python player is not trusted, or has changed.
        """
        path = Path(path)
        check_path(path)
        if not (path / cls.ABOUT.name).is_file():
            raise RunError(f"{path} is not {cls.NOUN} of hsevo: it has no {cls.ABOUT.name}")
        with data(trust):
            about, plan = cls.read_plan(path)
            contest = cls(cls._lineup_of(path, plan, about.get("agents and decks")), path)
            contest._trust, contest._engine = trust, about.get("engine")
            contest._take(about)
            contest._refuse_changed({**contest._course(), **about, "engine": fingerprint()})
        games = Journal(path / cls.ROWS)
        if games.read(cut=False):  # another process may be adding games
            contest._parse(games)
        if (cast := contest._cast) and len(contest.left):
            find_players(cast.names, cast.agents, trust)
        return contest

    @classmethod
    def open_finished(cls, path: str | Path) -> Self:
        """Open the folder of a finished contest.

        Parameters
        ----------
        path : str or Path
            Path of the folder.

        Returns
        -------
        Self
            The contest.

        Raises
        ------
        RunError
            If games remain, or as for `open`.
        ConfigError
            If the plan in the folder is damaged.
        """
        contest = cls.open(path)
        if not contest.finished:
            raise RunError(f"{path} is not finished, with {contest.done:,} games so far; the call"
                           " that began it continues it, if it was stopped")
        return contest

    @classmethod
    def read_plan(cls, path: Path) -> tuple[dict[str, Any], Any]:
        """Read the description of a contest and its plan from a folder.

        Parameters
        ----------
        path : Path
            Path of the folder.

        Returns
        -------
        tuple of dict and plan
            The description and the checked plan.

        Raises
        ------
        RunError
            If the folder has no such contest, or is damaged.
        ConfigError
            If the plan is damaged.
        """
        about = cls.ABOUT.read(path)
        return about, config.check(cls.PLAN, about.get("plan") or {}, str(path / cls.ABOUT.name))

    @classmethod
    def _lineup_of(cls, path: Path, plan: Any, digest: Any) -> Any:
        """Return the line-up that a folder stores. Raises RunError, ConfigError.

        digest: of its agents and decks, as the folder says.
        """
        raise NotImplementedError

    def _take(self, about: dict[str, Any]) -> None:
        """Take over the description of the contest besides its plan."""

    @contextmanager
    def held(self) -> Iterator[Self]:
        """Hold the folder, if there is one: create it, or read its games.

        Yields
        ------
        Self
            The contest itself.

        Raises
        ------
        RunError
            If the folder has other content, is damaged or in use, or if the engine, rules or agents
            have changed.
        """
        if self.path is None:
            yield self
            return
        if cast := self._cast:
            refuse_values(cast.agents)
        with claimed(self.path, "", self._refuse_other):
            new = not (self.path / self.ABOUT.name).exists()
            games = Journal(self.path / self.ROWS)
            try:
                if new:
                    self.ABOUT.write(self.path, self._about())
                if cast:
                    participants.write(self.path, cast.names, cast.agents, cast.setting)
                self._clear()
                if games.read():
                    self._parse(games)
                if self.GROWS and not new:
                    self.ABOUT.write(self.path, self._about())
                self._journal = games
                yield self
            finally:
                self._journal = None
                if new and games.empty:
                    games.remove()
                    for name in () if self._keeps else (self.ABOUT.name, participants.NAME):
                        (self.path / name).unlink(missing_ok=True)

    @property
    def _keeps(self) -> bool:
        """Whether the folder stores costly results in addition to its rows."""
        return False

    def _refuse_other(self, path: Path) -> None:
        """Raise RunError if a folder holds anything that is not of this contest."""
        if not (path / self.ABOUT.name).is_file():
            refuse_full(path)
            return
        about, plan = self.read_plan(path)
        self._refuse_changed(about)
        if plan != self.lineup.plan:
            raise RunError(f"{path} has games of other agents, decks or settings; choose another"
                           " folder")

    def _refuse_changed(self, about: dict[str, Any]) -> None:
        """Raise RunError if the games of a folder had other decisive inputs."""
        for what, now in self._course().items():
            if about.get(what) != now:
                raise RunError(f"{self.path} was begun with other {what} ({brief(about.get(what))},"
                               f" now {brief(now)}); its games can't be mixed with new ones: choose"
                               " another folder")

    def _course(self) -> dict[str, Any]:
        """Return fingerprints of all inputs that determine the games."""
        rules = {name: getattr(self.lineup.plan, name) for name in self.RULES}
        return {"engine": fingerprint(), "agents and decks": self.lineup.digest,
                "rules": short_digest(repr(rules))}

    def _about(self) -> dict[str, Any]:
        return self._course() | {"plan": self.lineup.plan.model_dump()}

    def save(self, path: str | Path) -> Path:
        """Write a folder as a call with `out` does.

        Parameters
        ----------
        path : str or Path
            New folder. `open` and `hsevo.replay` read it.

        Returns
        -------
        Path
            Path of the folder.

        Raises
        ------
        RunError
            If the folder cannot be written.
        AgentError
            If an agent cannot be stored.
        """
        folder = Path(path)
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if cast := self._cast:
            participants.write(folder, cast.names, cast.agents, cast.setting, self.engine)
        journal.write(folder / self.ROWS, self.games.to_csv(index=False).encode())
        self._write_tables(folder)
        self.ABOUT.write(folder, self._about() | {"engine": self.engine})
        return folder

    def _write_tables(self, folder: Path) -> None:
        for name, table in self.tables().items():
            write_table(folder / f"{name}.csv", table)


class PairedContest(Contest):
    """Play the pairs of games of a line-up's schedule, and hold their results.

    Parameters
    ----------
    lineup : Lineup
        Agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.
    """

    ABOUT = About("arena.yaml", "hsevo arena")
    NOUN = "an arena"
    PLAN = ContestPlan
    RULES = ("games", "seed", "ruleset", "information", "max_turns")
    lineup: Lineup
    sprt: Sprt | None = None  # a test of the first two agents: it stops the games when it is sure

    def __init__(self, lineup: Lineup, path: Path | None = None) -> None:
        self.schedule = schedule(lineup)  # match.PAIRING (total,)
        super().__init__(lineup, path)

    @property
    def done(self) -> int:
        """Number of games played."""
        return self._done

    @property
    def total(self) -> int:
        """Maximum number of games."""
        return len(self.schedule)

    @property
    def rows(self) -> Array:
        """Games played, match.PAIRING (done,)."""
        return self.schedule[:self.done]

    @property
    def left(self) -> Array:
        """Remaining games, match.PAIRING."""
        return self.schedule[self.done:]

    @property
    def results(self) -> Array:
        """Results of the games played, match.RESULT (done,)."""
        return self._results[:self.done]

    @property
    def games(self) -> pd.DataFrame:
        """Table of all games.

        Columns pair, a, b, deck_a, deck_b, seed, wins_a, wins_b, draws, faults, turns, margin_a,
        margin_b, decisions, simulated. `a` has seat 0.
        """
        return games_table(self.rows, self.results, self.lineup, 0, self.moves)

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the games that are left: all, or until the test `sprt` is sure.

        It is looked at after whole rounds, the same with any number of workers. Raises GameError
        if the engine refused all games of two agents.
        """
        lineup = self.lineup
        for last in looks(lineup) if self.sprt else [lineup.rounds]:
            if self.done > self._end(last):
                continue  # it had not decided, before this was stopped
            left = self.schedule[self.done:self._end(last)]
            for block in play(executor, left, lineup.players, lineup.setting):
                self.add_block(block)
                on_games(len(block.rows))
            if self.sprt and self.sprt.verdict(self.counts[0, 1]):
                break
        for a, b in lineup.meetings:
            if not self.counts[a, b].any():
                raise own_fault(f"the engine rejected all pairs of games of {lineup.names[a]} and"
                                f" {lineup.names[b]}")

    def _end(self, last: int) -> int:
        """Return the number of games up to the end of round `last` of a match, or of all."""
        rounds = self.lineup.rounds
        return self.total if last == rounds else last * (self.total // rounds)

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next block of games, also to the folder.

        Parameters
        ----------
        block : PlayedBlock
            Games and their results.

        Raises
        ------
        RunError
            If the folder cannot be written.
        """
        del self.moves[self.done:]  # of a block that could not be written
        self.moves += block.moves
        if self._journal is not None:
            moves = self.moves[self.done:self.done + len(block.rows)]
            lines = games_table(block.rows, block.results, self.lineup, self.done // 2, moves)
            self._journal.append(lines.to_csv(index=False, header=not self.done).encode())
        self._add(block.results)

    def so_far(self) -> Self:
        """Return a snapshot of the contest, for a thread that reads while games are added.

        Returns
        -------
        Self
            The snapshot.
        """
        now = copy(self)
        now._known = {}
        return now

    def _add(self, results: Array) -> None:
        self._results[self.done:self.done + len(results)] = results
        self._done += len(results)
        self._known.clear()

    def _clear(self) -> None:
        """Forget all results."""
        self._done, self.moves = 0, list[str]()  # moves: of each game, if they are recorded
        self._results = np.zeros(len(self.schedule), match.RESULT)
        self._known = dict[str, Any]()  # what was made of the games so far

    # -- estimates

    @property
    def counts(self) -> Array:
        """Numbers of pairs of games by score, (n, n, 5); see lineup.pentanomials."""
        return pentanomials(self.rows, self.results, len(self.names))

    @property
    def complete(self) -> bool:
        """Whether every two scheduled agents have met, as estimates require."""
        counts = self.counts
        return all(counts[a, b].any() for a, b in self.lineup.meetings)

    @property
    def _pairs(self) -> pd.DataFrame:
        """Return each agent against each opponent: columns of lineup.pairs_table."""
        if "pairs" not in self._known:
            self._known["pairs"] = pairs_table(self)
        table: pd.DataFrame = self._known["pairs"]
        return table

    @property
    def deck_pairs(self) -> pd.DataFrame:
        """Results of each agent by its deck and the opponent's deck.

        Columns agent, opponent, deck, opponent_deck, games, wins, draws, losses, rate, rate_low,
        rate_high, mean_turns. Intervals are of single games.
        """
        return deck_pairs_table(self)

    def between(self, a: str, b: str) -> Estimate:
        """Return the mean score of one agent against another.

        Parameters
        ----------
        a, b : str
            Names of the agents.

        Returns
        -------
        Estimate
            Points per game of `a`, 0 to 1, with a 95 % interval.

        Raises
        ------
        ConfigError
            If there is no such agent, or the agents did not meet.
        """
        for name in (a, b):
            if name not in self.names:
                raise ConfigError(f"there is no agent {name}; the agents are"
                                  f" {', '.join(self.names)}")
        table = self._pairs.set_index(["agent", "opponent"])
        if (a, b) not in table.index:
            raise ConfigError(f"{a} and {b} did not play each other")
        return estimate_of(table.loc[(a, b)], "rate")

    def crosstab(self, by: str = "agents", values: str = "rate") -> pd.DataFrame:
        """Return the results of each row against each column as a table.

        Parameters
        ----------
        by : {"agents", "decks"}, default "agents"
            Rows and columns. "decks" combines all agents.
        values : {"rate", "rate_low", "rate_high", "games", "text"}, default "rate"
            Cells: the win rate, an end of its 95 % interval, or the number of games. "text" has the
            rate in per cent with its interval, such as "43 (36-50)".

        Returns
        -------
        pandas.DataFrame
            The table.

        Raises
        ------
        ConfigError
            If an argument has another value.

        Examples
        --------
        >>> own = ["eva:2018@mage", "eva:2018@warrior"]
        >>> hsevo.match(*own, games=100).crosstab("decks", "games").loc["mage", "warrior"]
        np.int64(100)
        """
        return cross_tables.crosstab(self, by, values)

    @classmethod
    def _lineup_of(cls, path: Path, plan: ContestPlan, digest: Any) -> Lineup:
        """Return the line-up that a folder stores; read agents and decks again if it is damaged.

        Raises ConfigError if it has too many games.
        """
        with suppress(RunError):  # damaged, or of a version that wrote none
            lineup = stored_lineup(path, plan)
            if lineup.digest == digest:
                return lineup
        return Lineup.of(plan)

    def _parse(self, journal: Journal) -> None:
        """Take over the results in a folder, which must be those of the first games."""
        table, path = journal.table(GAME_COLUMNS), journal.path
        if len(table) % 2 or not np.array_equal(table["seed"], self.schedule["seed"][:len(table)]):
            raise RunError(f"{path} is damaged: its games are not the first games of its plan")
        results = results_in(table, path)
        if (table[["turns", "decisions", "simulated"]] < 0).any(axis=None):
            raise RunError(f"{path} is damaged: a game has a count below 0")
        self.moves = recorded_moves(path, journal.data)
        self._add(results)


def results_in(table: pd.DataFrame, path: Path) -> Array:
    """Return the results in a table of games, match.RESULT (n,).

    path: of its file. Raises RunError unless each game has exactly one result.
    """
    ends = table[["wins_a", "wins_b", "draws", "faults"]]
    if not (ends.isin([0, 1]).all(axis=None) and (ends.sum(axis=1) == 1).all()):
        raise RunError(f"{path} is damaged: a game does not have exactly one result")
    results = np.zeros(len(table), match.RESULT)
    for name in GAME_COLUMNS:
        results[name] = table[name]
    return results


def stored_lineup(path: Path, plan: ContestPlan) -> Lineup:
    """Return the line-up that the cast of a folder has. Raises RunError if it is another plan's."""
    cast = participants.read(path)
    if cast.names != (*plan.agents, *plan.against):
        raise RunError(f"{path / participants.NAME} is damaged: it has other agents")
    return Lineup.checked(plan, cast.names, cast.agents, cast.setting.decks)


class Arena(PairedContest):
    """Hold the games of many agents and their ratings.

    Parameters
    ----------
    lineup : Lineup
        Agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": rules("lineup.plan"), "games": "done", "ratings": "ratings",
        "pairs": "pairs", "deck_pairs": "deck_pairs"}

    @property
    def ratings(self) -> pd.DataFrame:
        """Agents, best first.

        Columns agent, rating, low, high (Bradley-Terry rating in Elo, mean 0, with its 95 %
        interval), lead, lead_low, lead_high (over the next agent), rate, rate_low, rate_high,
        games, wins, draws, losses, faults. If all agents met, nash is the share in the Nash
        mixture.
        """
        if "ratings" not in self._known:
            self._known["ratings"] = ratings_table(self._pairs, self.counts, self.names)
        table: pd.DataFrame = self._known["ratings"]
        return table

    @property
    def pairs(self) -> pd.DataFrame:
        """Results of each agent against each opponent.

        Columns agent, opponent, games, wins, draws, losses, faults, then rate, elo and nelo, each
        with the ends of its 95 % interval, and pairs_0 to pairs_2 (pairs of games by points).
        """
        return self._pairs

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of the finished folder: ratings, pairs, deck_pairs and deck_crosstab.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        decks = cross_tables.cells(self, "decks").rename(
            columns={"row": "deck", "column": "opponent_deck"})
        return {"ratings": self.ratings, "pairs": self.pairs, "deck_pairs": self.deck_pairs,
                "deck_crosstab": decks}

    def __repr__(self) -> str:
        if not self.complete:
            return self._standing
        best, names = self.ratings.iloc[0], short_names(self.ratings["agent"])
        where = f", in {self.path}" if self.path else ""
        return (f"Arena({len(names)} agents, {self.done:,} games{where};"
                f" first {names[best['agent']]}, {best['rating']:+.0f} Elo)")

    def _repr_html_(self) -> str:
        return str(self.ratings.to_html(index=False, float_format="{:.3g}".format))


def estimate_of(row: Any, name: str) -> Estimate:
    """Return the estimate `name` of a row of a table."""
    return Estimate(*(float(row[f"{name}{end}"]) for end in ("", "_low", "_high")))
