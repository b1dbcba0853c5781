"""Benchmarks: games of an agent against a fixed panel (panel.py), and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pandas as pd

from hsevo.files import write_whole
from hsevo.objects import Fields, rules
from hsevo.play.specs import short_names
from hsevo.strength import entries
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import Lineup
from hsevo.strength.panel import Panel, by_deck, places, standing
from hsevo.strength.rating import Estimate


class Benchmark(Arena):
    """Games of an agent against a panel: where it stands; `path` is its folder, if it has one.

    table: the panel and the agent, best first (columns of `standing`). decks: its results with each
    deck against each agent of the panel.
    """

    NOUN = "a benchmark"
    FIELDS: ClassVar[Fields] = {
        "agent": "agent", "panel": "panel.name", "path": "path", "plan": rules("lineup.plan"),
        "place": lambda self: Estimate(*self.place), "rating": "rating", "rate": "rate",
        **{name: f"_row.{name}" for name in ("games", "wins", "draws", "losses", "faults")},
        "standing": "table", "decks": "decks"}

    def __init__(self, lineup: Lineup, path: Path | None = None,
                 panel: Panel | None = None) -> None:
        self.panel = panel or Panel.of(lineup, path or Path())
        super().__init__(lineup, path)

    @property
    def agent(self) -> str:
        """The name of the agent that was measured."""
        return self.names[0]

    @property
    def table(self) -> pd.DataFrame:
        """The panel and the agent, best first."""
        if "table" not in self._known:
            self._known["table"] = standing(self.panel, self)
        return self._known["table"]

    @property
    def decks(self) -> pd.DataFrame:
        """Results of the agent with each of its decks against each agent of the panel."""
        return by_deck(self)

    @property
    def _row(self) -> pd.Series:
        return self.table[self.table["agent"] == self.agent].iloc[0]

    @property
    def place(self) -> tuple[int, int, int]:
        """Its place, and the best and worst place that the intervals of its leads allow."""
        return places(self.table, self.agent)

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
        entries.refuse_old(file)
        write_whole(file, entries.content(self.panel, self))
        return file

    def __repr__(self) -> str:
        if not self.complete:
            return self._standing
        place, best, worst = self.place
        name = short_names(self.table["agent"])[self.agent]
        return (f"{name}: place {place} of {len(self.table)} ({best} to {worst}), rating"
                f" {self.rating.signed()} Elo, {self.rate.percent()} of"
                f" {self._row['games']:,} games")

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False, float_format="{:.3g}".format))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of an arena of these games, benchmark and decks."""
        return super().tables() | {"benchmark": self.table, "decks": self.decks}
