"""The exercises of a folder of games, and how they went: each comes again, the later the better.

A Leitner system of 7 boxes: an exercise is in the first box; solved when it is due, it moves to the
next one; not solved, back to the first. What is in box k is due again 2^(k-1) days after it was
tried: 1, 2, 4 ... 64. Only the first try of a sitting counts, and only if the exercise is due.

    exercises/0007.json   those made of game 7, as Exercises.write writes them
    exercises/tries.json  of each that was tried: how often, how often solved in a row, when last
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hsevo.play.position import Position
from hsevo.replays.cabinet import Cabinet, as_json, numbered, put_together
from hsevo.replays.exercises import MOST_BYTES, Exercise, content, exercises_of
from hsevo.replays.played import NotThere

TRIES, MOST_TRIES = "tries", 2**22  # bytes
BOXES = 7


@dataclass(frozen=True)
class Tries:
    """How an exercise went, by the tries that count.

    row: how often it was solved in a row, up to now. last: of the last try, UTC, ISO 8601.
    """

    tries: int = 0
    row: int = 0
    last: str = ""

    @property
    def due(self) -> str:
        """From when on it is to be tried (again), UTC, ISO 8601; "" at once, if it never was."""
        if not self.tries:
            return ""
        return (datetime.fromisoformat(self.last) + timedelta(2 ** (self.box - 1))).isoformat()

    @property
    def box(self) -> int:
        """In which box it is, from 1."""
        return min(self.row + 1, BOXES)


@dataclass(frozen=True)
class Drill:
    """An exercise of a game. game: its number. place: among those of the game, from 0."""

    game: int
    place: int
    exercise: Exercise
    tries: Tries

    def is_due(self, now: str) -> bool:
        """Return whether it is to be tried at a time; so it is if the clock was set back since."""
        return self.tries.due <= now or self.tries.last > now


class Drills:
    """The exercises of a folder of games; files are read when somebody first asks.

    Raises RunError for damaged files.
    """

    def __init__(self, path: Path) -> None:
        folder = path / "exercises"
        self._exercises = Cabinet(folder, exercises_of, content, MOST_BYTES)
        self._tries = Cabinet(folder, _tries_of, _content, MOST_TRIES, re.compile(TRIES))

    def any(self, games: Collection[int]) -> bool:
        """Return whether exercises were made of any of these games."""
        return not self._games.isdisjoint(games)

    def __iter__(self) -> Iterator[Drill]:
        """Yield all, those of the latest game first."""
        for game in sorted(self._games, reverse=True):
            yield from self._of(game)

    def of(self, game: int, place: int) -> Drill:
        """Return an exercise. Raises RunError if there is no such."""
        found = self._of(game)
        if not 0 <= place < len(found):
            raise NotThere(f"{self._exercises.path.parent} has no exercise {place} of game {game}")
        return found[place]

    def next(self, now: str, but: tuple[int, int] | None = None,
             games: Collection[int] | None = None) -> Drill | None:
        """Return what is to be tried now, the longest untried first; None if nothing is.

        but: not this one, by its game and place. games: of these alone; default: of all.
        """
        due = [one for one in self if one.is_due(now) and (one.game, one.place) != but
               and (games is None or one.game in games)]
        return min(due, key=lambda one: (one.tries.last, one.tries.due), default=None)

    def put(self, game: int, found: Sequence[Exercise]) -> None:
        """Keep the exercises of a game instead of earlier ones.

        One that asks the same of the same decision as before keeps how it went.
        """
        with self._tries.lock:
            before = {_asked(one.exercise): one.tries for one in self._of(game) if one.tries.tries}
            others = {name: one for name, one in self._all_tries.items()
                      if not name.startswith(f"{game}-")}
            tries = others | {_name(game, k): before[_asked(one)]
                              for k, one in enumerate(found) if _asked(one) in before}
            put_together((self._exercises, numbered(game), tuple(found)),
                         (self._tries, TRIES, tries))

    def note(self, game: int, place: int, solved: bool, now: str) -> None:
        """Note that somebody tried an exercise, and whether it was solved; not if it isn't due."""
        with self._tries.lock:
            one = self.of(game, place)
            if not one.is_due(now):
                return
            row = one.tries.row + 1 if solved else 0
            self._tries.put(TRIES, self._all_tries | {
                _name(game, place): Tries(one.tries.tries + 1, row, now)})

    @property
    def _all_tries(self) -> dict[str, Tries]:
        return self._tries.of(TRIES) if TRIES in self._tries else {}

    @property
    def _games(self) -> set[int]:
        return {int(name) for name in self._exercises.names}

    def _of(self, game: int) -> list[Drill]:
        name, tries = numbered(game), self._all_tries
        found = self._exercises.of(name) if name in self._exercises else ()
        return [Drill(game, k, one, tries.get(_name(game, k), Tries()))
                for k, one in enumerate(found)]


def now() -> str:
    """Return the time, UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _content(tries: dict[str, Tries]) -> bytes:
    return as_json({name: asdict(one) for name, one in tries.items()})


def _name(game: int, place: int) -> str:
    return f"{game}-{place}"


def _asked(one: Exercise) -> tuple[str, int, Position]:
    return one.ask, one.step, one.position


def _tries_of(data: Any, name: str) -> dict[str, Tries]:
    """Return the tries of a file's data."""
    found = {str(name): Tries(**one) for name, one in data.items()}
    for one in found.values():
        if not all(type(count) is int and count >= 0 for count in (one.tries, one.row)):
            raise ValueError(f"{one.tries} tries, {one.row} solved in a row")
        datetime.fromisoformat(one.last) + timedelta(2**BOXES)
    return found
