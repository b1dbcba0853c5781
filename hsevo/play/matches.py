"""The matches of a tournament, kept in a file as they end: a stopped one goes on with them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hsevo.cards.decks import Deck
from hsevo.errors import RunError
from hsevo.play.hosting import recorded_moves
from hsevo.play.schedule import Schedule
from hsevo.play.tournament import MATCH_COUNTS, matches_table
from hsevo.store.journal import Journal
from hsevo.types import Array


class Matches(Schedule):
    """The matches of a tournament.

    journal: to which each finished match is appended; the matches in it are not played again, and
    their results lack decisions and simulated.
    Raises RunError if it holds other matches, or is damaged.
    """

    def __init__(self, names: Sequence[str], decks: Sequence[Deck], pairings: Array,
                 journal: Journal | None = None) -> None:
        super().__init__(pairings)
        self.names, self.decks, self._journal = names, decks, journal
        if journal is not None and journal.read():
            self._take(journal)

    def add(self, results: Array) -> None:
        """Add the results of the next matches, also to the journal. Raises RunError."""
        if self._journal is not None:
            table = with_moves(
                matches_table(self.names, self.decks, self.left[:len(results)], results),
                self.moves[self.done:self.done + len(results)])
            self._journal.append(table.to_csv(index=False, header=not self.done).encode())
        super().add(results)

    def _take(self, journal: Journal) -> None:
        table = journal.table(MATCH_COUNTS)
        n, games = len(table), self.schedule["games"][:len(table)]
        ends = table[["wins_a", "wins_b", "draws"]].to_numpy()
        if not np.array_equal(table["seed"], self.schedule["seed"][:n]):
            raise RunError(f"{journal.path} is damaged: its matches are not those of this"
                           " tournament; delete its folder and begin again")
        if not ((ends >= 0) & (ends <= games[:, None])).all() or (ends.sum(axis=1) != games).any():
            raise RunError(f"{journal.path} is damaged: its wins and draws do not add up to its"
                           " games; delete its folder and begin again")
        for name in MATCH_COUNTS:
            self._results[name][:n] = table[name]
        self.moves = recorded_moves(journal.path)
        self.done = n


def with_moves(table: pd.DataFrame, moves: Sequence[str]) -> pd.DataFrame:
    """Return a table of matches with their moves, if they are recorded."""
    return table.assign(moves=list(moves)) if moves else table
