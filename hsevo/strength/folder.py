"""Games in pairs that stand in a folder: an arena's, or a match's; both go on after a stop.

The folder of an arena:

    arena.yaml   its plan and engine                    games.csv        every game, in order
    ratings.csv  the agents, best first                 games.sha256     the sum of games.csv
    cast.json    agents and decks themselves            pairs.csv        each agent against each
                                                        deck_pairs.csv   the same, by decks
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import numpy as np
from filelock import FileLock

from hsevo import config
from hsevo.engine.jit import fingerprint
from hsevo.errors import HsevoError, RunError, brief
from hsevo.files import check_path, lock, lock_new
from hsevo.play import match, participants, tournament
from hsevo.play.hosting import recorded_moves
from hsevo.play.workers import Executor, OnGames
from hsevo.store.about import About
from hsevo.store.journal import Journal
from hsevo.store.sums import short_digest
from hsevo.strength.arena import GAME_COLUMNS, Lineup, Plan, Record, games_table, play, tables
from hsevo.strength.cross_tables import cells
from hsevo.strength.roster import find_players
from hsevo.types import Array

ABOUT = About("arena.yaml", "hsevo arena")
COURSE = ("games", "seed", "ruleset", "information", "max_turns")  # of a plan, in its fingerprint


class StoredRecord(Record):
    """A record of which each block of games is appended to a file, and read from it again.

    path: games.csv, beside which cast.json is written. Raises RunError if it holds other games, or
    is damaged.
    """

    def __init__(self, lineup: Lineup, path: Path) -> None:
        super().__init__(lineup)
        self._journal = Journal(path, lambda: write_cast(path.parent, lineup))
        if self._journal.read():
            super().add(self._parsed())

    def add(self, results: Array) -> None:
        """Add the results of the next games, also to the file. Raises RunError."""
        rows = self.left[:len(results)]
        moves = self.moves[self.done:self.done + len(results)]
        table = games_table(rows, results, self.lineup, self.done // 2, moves)
        self._journal.append(table.to_csv(index=False, header=not self.done).encode())
        super().add(results)

    def _parsed(self) -> Array:
        """Return the results in the file, which must be those of the first games."""
        table, path = self._journal.table(GAME_COLUMNS), self._journal.path
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
        self.moves = recorded_moves(path)
        return results


def write_cast(folder: Path, lineup: Lineup) -> None:
    """Write the cast of a line-up's games, so that each can be played again. Raises RunError."""
    participants.write(folder, lineup.names, lineup.players, lineup.setting)


class Arena:
    """An arena in a folder: `create` or `resume` it, `play` it to the end, then `close` it."""

    def __init__(self, path: Path, lineup: Lineup, held: FileLock) -> None:
        self.path, self.lineup, self._lock = path, lineup, held
        try:
            self.record = StoredRecord(lineup, path / "games.csv")
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, plan: Plan, command: str = "arena") -> Self:
        """Make the folder. Raises RunError if it is not empty, and what `Lineup.of` raises.

        command: of hsevo, that makes it; it is named if the same was begun there and stopped.
        """
        lineup = Lineup.of(plan)
        arena = cls(path, lineup, lock_new(path, command if _stopped(path, plan) else ""))
        try:
            ABOUT.write(path, _course(lineup) | {"plan": plan.model_dump()})
            write_cast(path, lineup)
        except BaseException:
            arena.close()
            raise
        return arena

    @classmethod
    def resume(cls, path: Path, trust: bool = False) -> Self:
        """Open a folder to continue it; a partly written last block is cut off.

        It goes on with the agents and decks that it began with, whatever their files say now.
        trust: run the files of its Python players; without, a folder with games left for them is
        refused, as it would run what somebody else may have put there. Raises RunError if it is not
        an arena, if the engine or the rules have changed, or if it is damaged or in use; AgentError
        for Python players that are not trusted, or have changed.
        """
        check_path(path)
        if not (path / ABOUT.name).is_file():
            raise RunError(f"{path} is not an arena of hsevo: it has no {ABOUT.name}")
        about, plan = read_plan(path)
        lineup = _kept(path, plan, about.get("agents and decks")) or Lineup.of(plan)
        for what, now in _course(lineup).items():
            if about.get(what) != now:
                raise RunError(f"{path} was begun with other {what}"
                               f" ({brief(about.get(what))}, now {now}); its games can't be"
                               " mixed with new ones: begin another arena")
        arena = cls(path, lineup, lock(path))
        try:
            if len(arena.record.left):
                find_players(lineup.names, lineup.players, trust)
        except BaseException:
            arena.close()
            raise
        return arena

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def play(self, executor: Executor, on_games: OnGames = lambda games: None) -> None:
        """Play the remaining games, append each block as it ends, and write the tables at the end.

        Raises RunError, WorkersError; GameError if the engine refused all games of two agents.
        """
        lineup = self.lineup
        write_cast(self.path, lineup)  # it may be damaged, or of a version that wrote none
        for block in play(executor, self.record.left, lineup.players, lineup.setting):
            self.record.add_block(block)
            on_games(len(block.rows))
        decks = cells(self.record, "decks").rename(
            columns={"row": "deck", "column": "opponent_deck"})
        for name, table in (tables(self.record) | {"deck_crosstab": decks}).items():
            tournament.write_table(self.path / f"{name}.csv", table)


def read_plan(folder: Path) -> tuple[dict[str, Any], Plan]:
    """Read the arena.yaml of a folder, and its plan. Raises RunError, ConfigError."""
    about = ABOUT.read(folder)
    return about, config.check(Plan, about.get("plan") or {}, str(folder / ABOUT.name))


def _stopped(folder: Path, plan: Plan) -> bool:
    """Return whether an arena of the same plan was begun in a folder and is not finished."""
    try:
        return read_plan(folder)[1] == plan and not (folder / "ratings.csv").exists()
    except HsevoError:
        return False


def _kept(folder: Path, plan: Plan, digest: Any) -> Lineup | None:
    """Return the line-up of this digest that a folder keeps whole; None if it keeps no such one.

    Raises ConfigError if it has too many games.
    """
    with suppress(RunError):  # damaged, or of a version that wrote none
        kept = participants.read(folder)
        if kept.names == (*plan.agents, *plan.against):
            lineup = Lineup.checked(plan, kept.names, kept.agents, kept.setting.decks)
            return lineup if lineup.digest == digest else None
    return None


def _course(lineup: Lineup) -> dict[str, str]:
    """Return fingerprints of all that decides how the games of a line-up go."""
    rules = {name: getattr(lineup.plan, name) for name in COURSE}
    return {"engine": fingerprint(), "agents and decks": lineup.digest,
            "rules": short_digest(repr(rules))}
