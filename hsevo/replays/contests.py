"""Games of folders that are no run's, and of results in memory, as meetings to play again.

    open_folder(path) -> StoredGames --find(a, b, deck_a, deck_b, part)--> meeting.StoredMatch

An arena, a benchmark and a match keep games.csv, a row a game; a tournament matches.csv, a row a
match. Beside it stands cast.json (play.participants): the agents, decks and rules themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from hsevo.agents.genomes.decks import on_decks
from hsevo.errors import RunError, did_you_mean, quoted, resuming
from hsevo.files import read_table
from hsevo.play import participants
from hsevo.play.participants import Cast
from hsevo.play.specs import legend, short_names
from hsevo.replays.replay import StoredMatch, chosen, deck_of, is_b
from hsevo.store import journal
from hsevo.store.kinds import kind_of

COUNTS = ["wins_a", "wins_b", "draws", "turns", "margin_a", "margin_b"]
WORDS = ("a", "b", "deck_a", "deck_b", "seed")
FILES = ("games.csv", "matches.csv")
RESULTS = ("won", "drawn", "lost")


@dataclass(frozen=True)
class StoredGames:
    """Stored games and all that played them. table: a, b, deck_a, deck_b, seed, games, counts."""

    where: str
    cast: Cast
    table: pd.DataFrame

    def fitting(self, a: str | None = None, b: str | None = None, deck_a: str | None = None,
                deck_b: str | None = None, result: str | None = None,
                longest: bool = False) -> pd.DataFrame:
        """Return the rows of a against b, in order; None fits all. Raises RunError.

        Either may be the row's a: then the row's deck_b is that of `a`. result: one of RESULTS, of
        `a`, by default who won most. longest: the games with the most turns first.
        """
        if result or longest:
            self._refuse_several(result)
        a, b, deck_a, deck_b = self._asked(a, b, deck_a, deck_b, result)
        there = self._fits(a, b, deck_a, deck_b) | self._fits(b, a, deck_b, deck_a)
        if result:
            there &= self._ended(str(a), result)
        rows: pd.DataFrame = self.table[there]
        if longest:
            rows = rows.sort_values("turns", ascending=False, kind="stable")
        return rows.reset_index(drop=True)

    def find(self, a: str | None = None, b: str | None = None, deck_a: str | None = None,
             deck_b: str | None = None, part: int | None = None, result: str | None = None,
             longest: bool = False) -> StoredMatch:
        """Return one stored match: row `part` of those that `fitting` returns, from 0.

        Without `part`, a is by default who won most, and b who won most of those that it met.
        Raises RunError if there is no such match.
        """
        if part is None and not (result or longest):
            a, b = self._best(a, b)
        row = chosen(self.fitting(a, b, deck_a, deck_b, result, longest), part,
                     f"{self.where} has no game of {a or 'anyone'} and {b or 'others'}")
        at = [self.cast.names.index(row[side]) for side in "ab"]
        decks = [deck.name for deck in self.cast.setting.decks]
        agents = on_decks(self.cast.agents[at], *(decks.index(row[f"deck_{s}"]) for s in "ab"))
        names = {row[side]: self.names[row[side]] for side in "ab"}
        return StoredMatch(row, (names[row["a"]], names[row["b"]]), agents, self.cast.setting,
                           self.cast.engine, self.where,
                           is_b(row, self._asked(a, b, deck_a, deck_b, result)), (*legend(names),))

    @cached_property
    def names(self) -> dict[str, str]:
        """The short names of all agents."""
        return short_names(self.cast.names)

    def _asked(self, a: str | None, b: str | None, deck_a: str | None, deck_b: str | None,
               result: str | None) -> tuple[str | None, str | None, str | None, str | None]:
        """Return the agents and decks that words mean; a result is by default of who won most."""
        if result:
            a = a or self._ranked()[0]
        known = [deck.name for deck in self.cast.setting.decks]
        return (self._agent(a), self._agent(b),
                deck_of(known, deck_a, self.where), deck_of(known, deck_b, self.where))

    def _refuse_several(self, result: str | None) -> None:
        """Raise RunError if a row has several games, or there is no such result."""
        if result is not None and result not in RESULTS:
            raise RunError(f"result is {quoted(result)}, but must be one of {', '.join(RESULTS)}"
                           f"{did_you_mean(result, RESULTS)}")
        if self.table["games"].max() > 1:
            raise RunError(f"{self.where} stores several games in each row, so you can't choose"
                           " games by their result; use a folder of match, arena or benchmark")

    def _ended(self, a: str, result: str) -> pd.Series:
        """Return which games ended so for an agent."""
        first = self.table["a"] == a
        won = self.table["wins_a"].where(first, self.table["wins_b"]) > 0
        drawn = self.table["draws"] > 0
        lost = self.table["wins_b"].where(first, self.table["wins_a"]) > 0
        return {"won": won, "drawn": drawn, "lost": lost}[result]

    def _best(self, a: str | None, b: str | None) -> tuple[str, str]:
        """Return two agents: who is not given is the best that the other met."""
        a, b = self._agent(a), self._agent(b)
        ranked = self._ranked()
        a = a or next((name for name in ranked if name != b), "")
        met = self.fitting(a)
        return a, b or next((name for name in ranked
                             if name != a and name in {*met["a"], *met["b"]}), "")

    def _agent(self, name: str | None) -> str | None:
        """Return the agent that a spec, a short name, or a part of one means. Raises RunError."""
        if name is None or name in self.names:
            return name
        called = [spec for spec, short in self.names.items() if short == name]
        near = called or [spec for spec, short in self.names.items()
                          if name in spec or name in short]
        if len(near) == 1:
            return near[0]
        if near:
            some = ", ".join(self.names[spec] for spec in near[:5])
            raise RunError(f"'{name}' is in the names of {len(near)} agents: {some}; give a full"
                           " name, or a part that only one name has")
        known = [*self.names.values()]
        parts = dict.fromkeys(part for short in known for part in re.split("[:@]", short))
        hint = did_you_mean(name, known) or did_you_mean(name, parts)
        raise RunError(f"unknown agent '{name}'{hint}; {self.where} has"
                       f" {', '.join(known[:8])}{' ...' if len(known) > 8 else ''}")

    def _ranked(self) -> list[str]:
        """Return who played, best first by points a game."""
        table = self.table
        sides = [pd.DataFrame({"agent": table[own], "games": table["games"],
                               "points": table[f"wins_{own}"] + table["draws"] / 2})
                 for own in "ab"]
        total = pd.concat(sides).groupby("agent", sort=False)[["points", "games"]].sum()
        order = (total["points"] / total["games"]).sort_values(ascending=False, kind="stable")
        return [str(name) for name in order.index]

    def _fits(self, a: str | None, b: str | None, deck_a: str | None,
              deck_b: str | None) -> pd.Series:
        there = pd.Series(True, self.table.index)
        for name, value in {"a": a, "b": b, "deck_a": deck_a, "deck_b": deck_b}.items():
            if value is not None:
                there &= self.table[name] == value
        return there


def open_folder(path: Path) -> StoredGames:
    """Read a folder of hsevo match, arena, benchmark or tournament.

    Raises RunError if it is no such folder, has no games yet, or is damaged.
    """
    file = next((path / name for name in FILES if (path / name).is_file()), None)
    if file is None:
        raise RunError(f"{path} is not a run and has no {' or '.join(FILES)}; replay takes a folder"
                       " of hsevo evolve, match, arena, benchmark or tournament")
    if not (path / participants.NAME).is_file():
        if kind := kind_of(path):
            raise RunError(f"{path} is a {kind.removeprefix('hsevo ')}, which stores no games to"
                           " replay; play games with hsevo match ... --out DIR")
        more = f"; {resuming('arena', path)} adds it" if (path / "arena.yaml").exists() else ""
        raise RunError(f"{path} has no {participants.NAME}: it is from an older version of hsevo,"
                       f" which did not store the agents{more}")
    journal.check(file)
    return stored_games(path.resolve().name, participants.read(path), _table(file))


def stored_games(where: str, who: Cast, table: pd.DataFrame) -> StoredGames:
    """Return stored games with what played them. Raises RunError if they do not go together."""
    table = table if "games" in table else table.assign(games=1)
    decks = {deck.name for deck in who.setting.decks}
    strangers = ({*table["a"], *table["b"]} - {*who.names}) | (
        {*table["deck_a"], *table["deck_b"]} - decks)
    if strangers:
        raise RunError(f"{where} is damaged: its games name '{min(strangers)}', which is not in"
                       f" {participants.NAME}")
    if table.empty:
        raise RunError(f"{where} has no games yet")
    return StoredGames(where, who, table)


def _table(path: Path) -> pd.DataFrame:
    table = read_table(path, [*WORDS, *COUNTS], [*WORDS, "moves"])
    table = table.assign(**({} if "games" in table else {"games": 1}))
    try:
        seeds = [int(seed) for seed in table["seed"]]
        counts = table[[*COUNTS, "games"]].astype("float64")
    except ValueError:
        raise RunError(f"{path} is damaged: a seed or count is not a number") from None
    fit = (counts[COUNTS[:4]] >= 0).all(axis=None) and not (counts % 1).any(axis=None)
    if not (fit and counts["games"].between(1, 2**31 - 1).all()
            and all(0 <= seed < 2**64 for seed in seeds)):
        raise RunError(f"{path} is damaged: a seed or count is impossible")
    return table.assign(seed=seeds, **counts.astype("int64"))
