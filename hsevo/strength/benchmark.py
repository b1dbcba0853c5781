"""Benchmarks: games of an agent against a fixed panel (panel.py), and where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hsevo.files import write_whole
from hsevo.objects import Fields, rules
from hsevo.play.specs import short_names
from hsevo.strength import entries
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import Lineup
from hsevo.strength.panel import Panel, by_deck, by_split, places, standing
from hsevo.strength.rating import Estimate

if TYPE_CHECKING:
    import pandas as pd


class Benchmark(Arena):
    """Hold the games of an agent against a panel, and its place and rating.

    Parameters
    ----------
    lineup : Lineup
        Agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.
    panel : Panel, optional
        Benchmark opponents. Default: from the line-up.
    """

    NOUN = "a benchmark"
    FIELDS: ClassVar[Fields] = {
        "agent": "agent", "panel": "panel.name", "path": "path", "plan": rules("lineup.plan"),
        "place": lambda self: Estimate(*self.place), "rating": "rating", "rate": "rate",
        **{name: f"_row.{name}" for name in ("games", "wins", "draws", "losses", "faults")},
        "standing": "table", "decks": "decks",
        "splits": lambda self: self.splits if self.panel.held_out else []}

    def __init__(self, lineup: Lineup, path: Path | None = None,
                 panel: Panel | None = None) -> None:
        self.panel = panel or Panel.of(lineup, path or Path())
        super().__init__(lineup, path)

    @property
    def agent(self) -> str:
        """Name of the measured agent."""
        return self.names[0]

    @property
    def table(self) -> pd.DataFrame:
        """The panel and the agent, best first.

        Columns agent, rating, low, high (Elo), lead, lead_low, lead_high (of the measured agent
        over this agent), then the results of the measured agent against this agent: games, wins,
        draws, losses, faults, and rate and elo with their 95 % intervals.
        """
        if "table" not in self._known:
            self._known["table"] = standing(self.panel, self)
        table: pd.DataFrame = self._known["table"]
        return table

    @property
    def decks(self) -> pd.DataFrame:
        """Results of the agent with each of its decks against each agent of the panel."""
        return by_deck(self)

    @property
    def splits(self) -> pd.DataFrame:
        """Results against each opponent with seen and with held-out decks.

        Columns opponent, split ("seen", "held-out", or "mixed" if one of the two decks is held
        out), games, rate, rate_low, rate_high. Only panels with held-out decks, such as
        "protocol-1", have games of all splits.
        """
        return by_split(self.panel, self)

    @property
    def _row(self) -> pd.Series:
        return self.table[self.table["agent"] == self.agent].iloc[0]

    @property
    def place(self) -> tuple[int, int, int]:
        """Place, and the best and the worst place within the intervals of its leads."""
        return places(self.table, self.agent)

    @property
    def rating(self) -> Estimate:
        """Rating in Elo. The mean of the panel is 0."""
        return Estimate(*(float(self._row[name]) for name in ("rating", "low", "high")))

    @property
    def rate(self) -> Estimate:
        """Points per game against the panel, 0 to 1."""
        return Estimate(*(float(self._row[name]) for name in ("rate", "rate_low", "rate_high")))

    def submit(self, path: str | Path) -> Path:
        """Write an entry of a leaderboard to a file.

        The entry contains the agent with all its parameters, and the result of each game.
        `hsevo.check_entry` verifies it by replaying games. `hsevo.leaderboard` ranks entries of
        "panel-2026c".

        Parameters
        ----------
        path : str or Path
            New file.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file exists or cannot be written.
        AgentError
            If the games of the agent cannot be replayed exactly.
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
        """Return the tables of the finished folder.

        Those of an arena, benchmark and decks; also splits if the panel has held-out decks.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        splits = {"splits": self.splits} if self.panel.held_out else {}
        return super().tables() | {"benchmark": self.table, "decks": self.decks} | splits
