"""A leaderboard with proof: `check_entry` plays entries' games again, `leaderboard` ranks them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.objects import Fields
from hsevo.seeds import MOST_SEED
from hsevo.strength import arena, entries
from hsevo.strength.benchmark import NEWEST, Panel
from hsevo.strength.entries import Entry
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import find_players


@dataclass(frozen=True)
class CheckedEntry:
    """An entry whose games came out as it says, when they were played again.

    games: how many of its `total` were played; seed: of the sample (None: all were). wins, draws,
    losses: of all its games; their sum and the rating were worked out again from every game.

    >>> entry = hsevo.benchmark("eva:group-3", games=18).submit("mine.json")
    >>> found = hsevo.check_entry(entry, 36, seed=1)
    >>> found.games, found.total, found.panel
    (36, 252, 'panel-2026')
    """

    FIELDS: ClassVar[Fields] = {
        "agent": "agent", "panel": "panel", "games": "total", "wins": lambda self: self.result[0],
        "draws": lambda self: self.result[1], "losses": lambda self: self.result[2],
        "rating": "rating", "checked": "games", "seed": "seed", "most_forged": "most_forged",
        "unranked": "unranked"}

    entry: Entry
    games: int
    seed: int | None

    @property
    def agent(self) -> str:
        """The name of its agent."""
        return self.entry.name

    @property
    def panel(self) -> str:
        """The name of the panel that it met."""
        return self.entry.panel.name

    @property
    def total(self) -> int:
        """The number of its games."""
        return len(self.entry.rows)

    @property
    def rating(self) -> Estimate:
        """Its rating in Elo; 0 is the mean of the panel."""
        return self.entry.rating

    @property
    def result(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        return self.entry.proof.result

    @property
    def most_forged(self) -> int:
        """How many games may be forged although the sample met none, at 95 %; 0 if all played."""
        return self.entry.most_forged(self.games)

    @property
    def unranked(self) -> str:
        """Why `leaderboard` has no place for it; "" if it has."""
        return self.entry.unranked

    def __repr__(self) -> str:
        of = "all" if self.seed is None else f"{self.games:,} of"
        one = self.rating
        return (f"{self.agent}: {of} {self.total:,} games came out as claimed; rating"
                f" {one.value:+.0f} Elo ({one.low:+.0f} to {one.high:+.0f}) in {self.panel}")


def check_entry(path: str | Path, games: int | None = None, *, seed: int | None = None,
                trust: bool = False, workers: int | None = None, backend: str | None = None,
                progress: Progress = False) -> CheckedEntry:
    """Check an entry of a leaderboard (`Benchmark.submit`) by playing its games again.

    First its claims are compared: totals and rating follow from its games, agent and decks are
    those of its digest, the engine is this one. Then games are played: all, or a random sample of
    at least so many, whose `most_forged` says how many forged ones it may have missed. seed: of
    the sample; default: the time, so that nobody knows it before. trust: run the file of a Python
    player, which must be as it was (and where the entry says).

    Raises RunError in one line for what does not hold, AgentError, ConfigError.

    >>> result = hsevo.benchmark("eva:group-3", games=18)
    >>> hsevo.check_entry(result.submit("entry.json"), games=36, seed=1)
    eva:group-3: 36 of 252 games came out as claimed; rating ... Elo (... to ...) in panel-2026
    """
    team, drawn = workers_of(workers, backend), _seed(games, seed)
    one = entries.read(Path(path))
    find_players([one.name], one.lineup.players[:1], trust)
    picked = one.pick(games, drawn or 0)
    lineup, parts = one.lineup, []
    moves: list[str] = []
    with playing(len(picked), team, progress) as (executor, meter):
        for block in arena.play(executor, one.rows[picked], lineup.players, lineup.setting):
            parts.append(block.results)
            moves += block.moves
            meter.advance(len(block.rows))
    if differs := one.refute(picked, np.concatenate(parts), tuple(moves)):
        raise RunError(f"{path} is refuted: {differs}")
    return CheckedEntry(one, len(picked), drawn if len(picked) < len(one.rows) else None)


def _seed(games: int | None, seed: int | None) -> int | None:
    """Return the seed of a sample, None if all games are played. Raises ConfigError."""
    if games is None:
        if seed is not None:
            raise ConfigError(f"seed is {config.short(seed)}, but no sample is drawn: all games are"
                              " played; give a number of games, too")
        return None
    config.whole("games", games)
    return time.time_ns() % 10**9 if seed is None else config.whole("seed", seed, 0, MOST_SEED)


def leaderboard(files: str | Path | Iterable[str | Path] = (), *,
                panel: str = NEWEST) -> pd.DataFrame:
    """Return the standing of a panel with entries among it, the best first.

    files: of entries, whose totals and ratings are worked out again, but whose games are not
    played: `check_entry` does. Each must have as many games with each agent as those of the panel.
    Columns place, agent, rating, low, high (Elo, 95 % interval), lead, lead_low, lead_high (over
    the next one), games, entry (the file; "" for the panel's own).
    Raises RunError, ConfigError; AgentError for two entries of one agent.

    >>> hsevo.leaderboard().agent.iloc[0]
    'rl:2026?search=turn&depth=3&nodes=300&samples=0'
    """
    field = Panel.read(panel)
    names = [files] if isinstance(files, str | Path) else config.in_order("files", files)
    read = [entries.read(Path(name)) for name in names]
    for one in read:
        if one.panel.name != panel:
            raise RunError(f"{one.path} is an entry of {one.panel.name}, not of {panel}")
        if one.unranked:
            raise RunError(f"{one.path} has no place: {one.unranked}")
    known = {one.lineup.players[0].tobytes(): one.path for one in read}
    if len(known) < len(read):
        raise AgentError("two entries are of the same agent; leave one out")
    return entries.leaderboard(field, read)
