"""What is to be played, in order, and what came of it so far."""


import numpy as np

from hsevo.play import match
from hsevo.play.hosting import PlayedBlock
from hsevo.types import Array


class Schedule:
    """Games or matches to play, match.PAIRING (n,), and the results of the first `done`."""

    def __init__(self, schedule: Array) -> None:
        self.schedule, self.done = schedule, 0
        self.moves: list[str] = []  # of each row so far, if they are recorded (hosting.PlayedBlock)
        self._results = np.zeros(len(schedule), match.RESULT)

    @property
    def total(self) -> int:
        """How many there are to play."""
        return len(self.schedule)

    @property
    def rows(self) -> Array:
        """What was played so far, match.PAIRING."""
        return self.schedule[:self.done]

    @property
    def left(self) -> Array:
        """What remains to be played, match.PAIRING."""
        return self.schedule[self.done:]

    @property
    def results(self) -> Array:
        """The results so far, match.RESULT, in order."""
        return self._results[:self.done]

    def add_block(self, block: PlayedBlock) -> None:
        """Add the next rows that were played."""
        del self.moves[self.done:]  # of a block that could not be written
        self.moves += block.moves
        self.add(block.results)

    def add(self, results: Array) -> None:
        """Add the results of what comes next."""
        self._results[self.done:self.done + len(results)] = results
        self.done += len(results)
