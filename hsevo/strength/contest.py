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
import pandas as pd

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
    from hsevo.replays.stored import Replay


class Contest:
    """Games and what came of those that were played; `path` is the folder that keeps them, if any.

    What is played, and what it says, is that of a kind of contest, see above. lineup: who plays,
    with which decks, by which rules.
    """

    ABOUT: ClassVar[About]  # the file of the folder that says what it is
    NOUN: ClassVar[str]
    PLAN: ClassVar[type[Rules]]
    RULES: ClassVar[tuple[str, ...]]  # of a plan, in its fingerprint
    ROWS: ClassVar[str] = "games.csv"  # the file of the folder that grows
    lineup: Any

    def __init__(self, lineup: Any, path: Path | None = None) -> None:
        self.lineup, self.path = lineup, path
        self._journal: Journal | None = None
        self._clear()

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, in the order of the line-up."""
        names: tuple[str, ...] = self.lineup.names
        return names

    @property
    def done(self) -> int:
        """How many games were played."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """How many games there are to play, at most."""
        raise NotImplementedError

    @property
    def left(self) -> Array:
        """The games that come next, match.PAIRING; none if all were played."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether enough was played for a first estimate."""
        return self.done > 0

    @property
    def games(self) -> pd.DataFrame:
        """Every game that was played."""
        raise NotImplementedError

    @property
    def _standing(self) -> str:
        """How far it is, in words."""
        where = f" in {self.path}" if self.path else ""
        return f"{type(self).__name__}{where}: {self.done:,} of {self.total:,} games"

    def play(self, executor: Executor, on_games: OnGames = lambda games: None) -> Self:
        """Play the games that are left, and write the tables to the folder, if there is one.

        Raises RunError, also if the folder is in use, WorkersError, PlayerError, GameError.
        """
        if self.path is not None and self._journal is None:
            with self.held():
                return self.play(executor, on_games)
        self._play(executor, on_games)
        if self.path is not None:
            self._write_tables(self.path)
        return self

    def _play(self, executor: Executor, on_games: OnGames) -> None:
        """Play the games that are left."""
        raise NotImplementedError

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables that the folder has at the end, by their names."""
        raise NotImplementedError

    def _clear(self) -> None:
        """Forget all results."""
        raise NotImplementedError

    def _parse(self, journal: Journal) -> None:
        """Take over the games of a folder. Raises RunError if they are others, or damaged."""
        raise NotImplementedError

    @property
    def engine(self) -> str:
        """The engine that played the games: that of their folder, else this one."""
        if self.path is None or not (self.path / participants.NAME).is_file():
            return fingerprint()
        return participants.read(self.path).engine

    def replay(self, a: str | None = None, b: str | None = None, deck_a: str | None = None,
               deck_b: str | None = None, *, chances: int | None = None, **which: Any) -> Replay:
        """Return a game, to be played again; see `hsevo.replay`, which has the same arguments.

        Raises RunError, ConfigError.
        """
        from hsevo.replays.contests import stored_games  # most contests are not replayed
        from hsevo.replays.stored import Replay

        if (cast := self._cast) is None:
            raise ConfigError(f"{self.NOUN} keeps no players, so its games can't be played again")
        cast = replace(cast, engine=self.engine)
        found = stored_games("the result", cast, self.games).find(a, b, deck_a, deck_b, **which)
        return Replay(found, 0) if chances is None else Replay(found, 0, chances)

    # -- the folder

    @property
    def _cast(self) -> participants.Cast | None:
        """Who plays, which the folder stores, too, to play its games again; None if it does not."""
        lineup = self.lineup
        return participants.Cast(self.names, lineup.players, lineup.setting, fingerprint())

    @classmethod
    def open(cls, path: str | Path, trust: bool = False) -> Self:
        """Open a folder: its games can be read, and if some are left, `play` goes on with them.

        It goes on with the agents and decks that it began with, whatever their files say now.
        trust: run the files of its Python players; without, a folder with games left for them is
        refused, as it would run what somebody else may have put there. Raises RunError if it is no
        such folder, or damaged, or in use; ConfigError for a damaged plan; AgentError for Python
        players that are not trusted, or have changed.
        """
        path = Path(path)
        check_path(path)
        if not (path / cls.ABOUT.name).is_file():
            raise RunError(f"{path} is not {cls.NOUN} of hsevo: it has no {cls.ABOUT.name}")
        about, plan = cls.read_plan(path)
        with data(trust):
            contest = cls(cls._lineup_of(path, plan, about.get("agents and decks")), path)
        contest._take(about)
        contest._refuse_changed({**contest._course(), **about, "engine": fingerprint()})
        games = Journal(path / cls.ROWS)
        if games.read(cut=False):  # another process may be adding games
            contest._parse(games)
        if (cast := contest._cast) and len(contest.left):
            find_players(cast.names, cast.agents, trust)
        return contest

    @classmethod
    def read_plan(cls, path: Path) -> tuple[dict[str, Any], Any]:
        """Read what a folder says of its contest, and its plan. Raises RunError, ConfigError."""
        about = cls.ABOUT.read(path)
        return about, config.check(cls.PLAN, about.get("plan") or {}, str(path / cls.ABOUT.name))

    @classmethod
    def _lineup_of(cls, path: Path, plan: Any, digest: Any) -> Any:
        """Return the line-up that a folder keeps. Raises RunError, ConfigError.

        digest: of its agents and decks, as the folder says.
        """
        raise NotImplementedError

    def _take(self, about: dict[str, Any]) -> None:
        """Take over what a folder says of the contest besides its plan."""

    @contextmanager
    def held(self) -> Iterator[Self]:
        """Hold the folder, if there is one: begin it, or read the games that it has.

        Raises RunError if there is something else, or it is damaged or in use, or if engine, rules
        or agents have changed.
        """
        if self.path is None:
            yield self
            return
        if cast := self._cast:
            refuse_values(cast.agents)
        with claimed(self.path, "", self._refuse_other):
            new = not (self.path / self.ABOUT.name).exists()
            if new:
                self.ABOUT.write(self.path, self._about())
            if cast:
                participants.write(self.path, cast.names, cast.agents, cast.setting)
            self._journal = Journal(self.path / self.ROWS)
            try:
                self._clear()
                if self._journal.read():
                    self._parse(self._journal)
                yield self
            finally:
                games = self._journal
                self._journal = None
                if new and games.empty:
                    games.remove()
                    for name in () if self._keeps else (self.ABOUT.name, participants.NAME):
                        (self.path / name).unlink(missing_ok=True)

    @property
    def _keeps(self) -> bool:
        """Whether the folder keeps something that took time, besides its rows."""
        return False

    def _refuse_other(self, path: Path) -> None:
        """Raise RunError if there is something in a folder that is not of this contest."""
        if not (path / self.ABOUT.name).is_file():
            refuse_full(path)
            return
        about, plan = self.read_plan(path)
        self._refuse_changed(about)
        if plan != self.lineup.plan:
            raise RunError(f"{path} has games of other agents, decks or settings; choose another"
                           " folder")

    def _refuse_changed(self, about: dict[str, Any]) -> None:
        """Raise RunError if something else decided how the games of a folder went."""
        for what, now in self._course().items():
            if about.get(what) != now:
                raise RunError(f"{self.path} was begun with other {what} ({brief(about.get(what))},"
                               f" now {brief(now)}); its games can't be mixed with new ones: choose"
                               " another folder")

    def _course(self) -> dict[str, Any]:
        """Return fingerprints of all that decides how the games go."""
        rules = {name: getattr(self.lineup.plan, name) for name in self.RULES}
        return {"engine": fingerprint(), "agents and decks": self.lineup.digest,
                "rules": short_digest(repr(rules))}

    def _about(self) -> dict[str, Any]:
        return self._course() | {"plan": self.lineup.plan.model_dump()}

    def save(self, path: str | Path) -> Path:
        """Write a folder as a call with `out` does, which `open` opens, and `hsevo.replay`.

        Raises RunError, AgentError.
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
    """Games in pairs: those of a line-up's schedule, and what came of the first `done`.

    lineup: who plays, with which decks, by which rules. path: the folder that keeps the games.
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
        """How many games were played."""
        return self._done

    @property
    def total(self) -> int:
        """How many games there are to play, at most."""
        return len(self.schedule)

    @property
    def rows(self) -> Array:
        """The games that were played, match.PAIRING (done,)."""
        return self.schedule[:self.done]

    @property
    def left(self) -> Array:
        """The games that remain, match.PAIRING."""
        return self.schedule[self.done:]

    @property
    def results(self) -> Array:
        """What came of the games, match.RESULT (done,)."""
        return self._results[:self.done]

    @property
    def games(self) -> pd.DataFrame:
        """Every game: columns pair, a, b, deck_a, deck_b, seed, wins_a, wins_b, draws, turns ..."""
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
                raise own_fault(f"the engine refused all pairs of games of {lineup.names[a]} and"
                                f" {lineup.names[b]}")

    def _end(self, last: int) -> int:
        """Return how many games there are up to the end of round `last` of a match, or of all."""
        rounds = self.lineup.rounds
        return self.total if last == rounds else last * (self.total // rounds)

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next games that were played, also to the folder. Raises RunError."""
        del self.moves[self.done:]  # of a block that could not be written
        self.moves += block.moves
        if self._journal is not None:
            moves = self.moves[self.done:self.done + len(block.rows)]
            lines = games_table(block.rows, block.results, self.lineup, self.done // 2, moves)
            self._journal.append(lines.to_csv(index=False, header=not self.done).encode())
        self._add(block.results)

    def so_far(self) -> Self:
        """Return the contest as it stands, for a thread that looks while games are being added."""
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
        self._known = dict[str, pd.DataFrame]()  # tables of the games so far

    # -- estimates

    @property
    def counts(self) -> Array:
        """The numbers of pairs of games by score, (n, n, 5); see lineup.pentanomials."""
        return pentanomials(self.rows, self.results, len(self.names))

    @property
    def complete(self) -> bool:
        """Whether every two agents that are to meet have met, which estimates need."""
        counts = self.counts
        return all(counts[a, b].any() for a, b in self.lineup.meetings)

    @property
    def _pairs(self) -> pd.DataFrame:
        """Each agent against each opponent: columns of lineup.pairs_table."""
        if "pairs" not in self._known:
            self._known["pairs"] = pairs_table(self)
        return self._known["pairs"]

    @property
    def deck_pairs(self) -> pd.DataFrame:
        """Each agent with each of its decks against each: columns of lineup.deck_pairs_table."""
        return deck_pairs_table(self)

    def between(self, a: str, b: str) -> Estimate:
        """Return the points a game, 0 to 1, of one agent against another. Raises ConfigError."""
        for name in (a, b):
            if name not in self.names:
                raise ConfigError(f"there is no agent {name}, but {', '.join(self.names)}")
        table = self._pairs.set_index(["agent", "opponent"])
        if (a, b) not in table.index:
            raise ConfigError(f"{a} and {b} did not meet")
        return estimate_of(table.loc[(a, b)], "rate")

    def crosstab(self, by: str = "agents", values: str = "rate") -> pd.DataFrame:
        """Return the win rates of each row against each column, as a table.

        by: "agents", or "decks" with all agents together. values: "rate", "rate_low" and
        "rate_high" (the ends of its 95 % interval), "games", or "text" (the rate in whole per cent
        with its interval, as "43 (36-50)"). Raises ConfigError.

        >>> own = ["eva:2018@mage", "eva:2018@warrior"]
        >>> hsevo.match(*own, games=100).crosstab("decks", "games").loc["mage", "warrior"]
        np.int64(100)
        """
        return cross_tables.crosstab(self, by, values)

    @classmethod
    def _lineup_of(cls, path: Path, plan: ContestPlan, digest: Any) -> Lineup:
        """Return the line-up that a folder keeps; read agents and decks anew if it is damaged.

        Raises ConfigError if it has too many games.
        """
        with suppress(RunError):  # damaged, or of a version that wrote none
            lineup = kept_lineup(path, plan)
            if lineup.digest == digest:
                return lineup
        return Lineup.of(plan)

    def _parse(self, journal: Journal) -> None:
        """Take over the results in a folder, which must be those of the first games."""
        table, path = journal.table(GAME_COLUMNS), journal.path
        results = np.zeros(len(table), match.RESULT)
        if len(table) % 2 or not np.array_equal(table["seed"], self.schedule["seed"][:len(table)]):
            raise RunError(f"{path} is damaged: its games are not the first of those to be played")
        for name in GAME_COLUMNS:
            results[name] = table[name]
        ends = table[["wins_a", "wins_b", "draws", "faults"]]
        if not (ends.isin([0, 1]).all(axis=None) and (ends.sum(axis=1) == 1).all()):
            raise RunError(f"{path} is damaged: a game does not have exactly one result")
        if (table[["turns", "decisions", "simulated"]] < 0).any(axis=None):
            raise RunError(f"{path} is damaged: a game has a count below 0")
        self.moves = recorded_moves(path)[:len(results)]
        self._add(results)


def kept_lineup(path: Path, plan: ContestPlan) -> Lineup:
    """Return the line-up that the cast of a folder has. Raises RunError if it is another plan's."""
    kept = participants.read(path)
    if kept.names != (*plan.agents, *plan.against):
        raise RunError(f"{path / participants.NAME} is damaged: it has other agents")
    return Lineup.checked(plan, kept.names, kept.agents, kept.setting.decks)


class Arena(PairedContest):
    """Games of many agents, and their ratings.

    ratings: a row per agent, best first (Elo, mean 0, with 95 % intervals). pairs: each agent
    against each. deck_pairs: the same by their decks. games: every game.
    """

    FIELDS: ClassVar[Fields] = {
        "path": "path", "plan": rules("lineup.plan"), "games": "done", "ratings": "ratings",
        "pairs": "pairs", "deck_pairs": "deck_pairs"}

    @property
    def ratings(self) -> pd.DataFrame:
        """Agents, best first: columns of strength.lineup.ratings_table."""
        if "ratings" not in self._known:
            self._known["ratings"] = ratings_table(self._pairs, self.counts, self.names)
        return self._known["ratings"]

    @property
    def pairs(self) -> pd.DataFrame:
        """Each agent against each opponent: columns of strength.lineup.pairs_table."""
        return self._pairs

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables ratings, pairs, deck_pairs and deck_crosstab."""
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
