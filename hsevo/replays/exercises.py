"""Exercises: positions with a mistake, what moves there are worth, and when each comes again.

    picked(game, decisions, most) -> Pick       the decisions that may be worth an exercise
    compared(now, pick, analyst, most)          the moves to play on from, the analyst's first
    valued(candidates, outcomes, ...) -> table  what each costs, against the analyst's
    cost(table, move), may_be_best(cost)        what one of them costs
    write(path, exercises), read(path)          their file

A mistake is a decision whose loss is surely above 0, or a lethal that was missed. Of a turn, the
decision that cost most counts. The costliest of many were in part unlucky in their worlds, so all
moves are valued in other worlds than those in which the mistake was found; what is not sure there
is no exercise. Mulligans and choices are no positions, so they are left out.

`Drills` are the exercises of a folder of games, and how they went, in a Leitner system of 7 boxes.
An exercise is in the first box; solved when it is due, it moves to the
next one; not solved, back to the first. What is in box k is due again 2^(k-1) days after it was
tried: 1, 2, 4 ... 64. Only the first try of a sitting counts, and only if the exercise is due.

    exercises/0007.json   those made of game 7, as Exercises.write writes them
    exercises/tries.json  of each that was tried: how often, how often solved in a row, when last
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.config.exercise import FORMAT, ExerciseEntry, ExercisesFile
from hsevo.config.reading import check as check_tree
from hsevo.engine.record.state import WIN_0
from hsevo.errors import ConfigError, printable
from hsevo.files import read_json, write_whole
from hsevo.play.position import Position
from hsevo.play.rules import deal_worlds
from hsevo.play.session import Seat, Session
from hsevo.play.tournament import wilson
from hsevo.replays import lines
from hsevo.replays.cabinet import Cabinet, as_json, numbered, put_together
from hsevo.replays.decisions import lost
from hsevo.replays.played import NotThere
from hsevo.types import Array

Ask: TypeAlias = Literal["move", "lethal"]

MOST_BYTES = 2**25  # of a file
MOVES, MOST_MOVES = 8, 100  # of the analyst that are compared, by default and at most
COLUMNS = ["move", "chance", "chance_low", "chance_high", "loss", "loss_low", "loss_high"]


@dataclass(frozen=True)
class Exercise:
    """Hold a position before a mistake, a question, and the cost of moves.

    Attributes
    ----------
    title : str
        Name of the game.
    ask : {"move", "lethal"}
        "move": find a better move than the move made. "lethal": win in this turn.
    position : Position
        The position.
    step : int
        Number of the decision in the game.
    turn : int
        Player turn.
    made : tuple of str
        The move made. For a lethal, the rest of that turn.
    line : tuple of str
        The analyst's move and its continuation. For a lethal, winning moves up to the first random
        outcome.
    agent : str
        The analyst.
    games : int
        Continuations played after each move.
    moves : pandas.DataFrame
        One row for each evaluated move, the analyst's first: its win probability and its loss
        against the analyst's move, 0 to 1, each with the ends of its 95 % interval (_low, _high).
        Empty for a lethal, which is proved.
    """

    title: str
    ask: Ask
    position: Position
    step: int
    turn: int
    made: tuple[str, ...]
    line: tuple[str, ...]
    agent: str
    games: int
    moves: pd.DataFrame = field(repr=False, compare=False)

    @property
    def question(self) -> str:
        """The question in words."""
        return "Win in this turn." if self.ask == "lethal" else "Find a better move."

    def cost(self, move: str) -> dict[str, float] | None:
        """Return the cost of a move.

        Parameters
        ----------
        move : str
            Text of the move.

        Returns
        -------
        dict of str to float or None
            Its row of `moves`. None if the move was not evaluated.
        """
        return cost(self.moves, move)

    def solves(self, move: str) -> bool | None:
        """Return whether a move may be as good as the analyst's: its loss may be 0.

        Parameters
        ----------
        move : str
            Text of the move.

        Returns
        -------
        bool or None
            The answer. None if the move was not evaluated, or the exercise asks for a lethal.
        """
        costs = self.cost(move)
        return None if costs is None else may_be_best(costs)

    def data(self) -> dict[str, Any]:
        """Return the exercise as data for json.dumps.

        Returns
        -------
        dict
            The data.
        """
        return {"title": self.title, "ask": self.ask, "step": self.step, "turn": self.turn,
                "made": list(self.made), "line": list(self.line), "agent": self.agent,
                "games": self.games, "moves": self.moves.to_dict("records"),
                "position": self.position.data}

    @classmethod
    def of(cls, entry: ExerciseEntry, where: str) -> Exercise:
        """Return the exercise of an entry of a file.

        Parameters
        ----------
        entry : ExerciseEntry
            The entry.
        where : str
            Name of the source, for error messages.

        Returns
        -------
        Exercise
            The exercise.

        Raises
        ------
        ConfigError
            If the position is invalid.
        CardError
            If a ruleset or card is unknown or invalid.
        """
        moves = pd.DataFrame([move.model_dump() for move in entry.moves], columns=COLUMNS)
        said = entry.model_dump(exclude={"moves", "position"})
        return cls(**said, position=Position(entry.position, where, _no_deck), moves=moves)


class Pick(NamedTuple):
    """A decision that is worth an exercise. better: the analyst's move; "" of a lethal."""

    ask: Ask
    step: int
    turn: int
    loss: float
    made: tuple[str, ...]
    better: str
    line: tuple[str, ...]


def picked(game: Session, decisions: pd.DataFrame, most: int) -> list[Pick]:
    """Return the mistakes of a table of decisions (decisions.judged), at most so many.

    Missed lethals come first, then the decisions that cost most.
    """
    played = decisions[decisions["step"].isin(plays(game))]
    mistakes = [pick for _, rows in played.groupby(["turn", "player"], sort=False)
                if (pick := _mistake(rows)) is not None]
    return sorted(mistakes, key=lambda pick: (pick.ask != "lethal", -pick.loss))[:most]


def plays(game: Session, seat: int | None = None) -> list[int]:
    """Return the steps of a game at which it was a position, and no mulligan or choice.

    seat: of these, only those at which the player there was to move.
    """
    replayed, steps = game.beginning(), []
    for step, move in enumerate(game.history):
        if replayed.phase == "play" and seat in (None, replayed.player):
            steps.append(step)
        replayed.play(move)
    return steps


def _mistake(rows: pd.DataFrame) -> Pick | None:
    """Return the mistake of a turn's decisions; None if there was none."""
    sure = rows[(rows["lethal"] == "yes") & ~rows["won"].astype(bool)]
    if not sure.empty:
        row = sure.iloc[0]
        moves = tuple(rows["move"][rows["step"] >= row["step"]])
        return Pick("lethal", int(row["step"]), int(row["turn"]), 1.0, moves, "",
                    row["lethal_line"])
    costly = rows[(rows["better"] != "") & (rows["loss_low"] > 0)]
    if costly.empty:
        return None
    row = costly.iloc[int(costly["loss"].argmax())]
    return Pick("move", int(row["step"]), int(row["turn"]), float(row["loss"]), (row["move"],),
                row["better"], row["line"])


def compared(now: Session, pick: Pick, analyst: Seat, most: int) -> lines.Candidates:
    """Return the moves to play on from: the analyst's, what it likes next, and what was made.

    now: the game before the decision.
    """
    candidates = lines.candidates(now, analyst, most)
    texts = {move.index: move.text for move in now.moves}
    index = {text: move for move, text in [*texts.items()][::-1]}
    liked = {texts[move]: move for move in candidates.moves}
    wanted = dict.fromkeys([pick.better, *[*liked][:most], *pick.made])
    moves = tuple(liked.get(text, index[text]) for text in wanted)
    return lines.Candidates(moves, tuple((text,) for text in wanted), (), pick.step)


def valued(candidates: lines.Candidates, outcomes: Iterator[Array], parts: int,
           player: int) -> pd.DataFrame:
    """Return the table of an exercise's moves; outcomes: of its jobs of decisions.play_on."""
    won = np.concatenate([next(outcomes) for _ in range(parts)], axis=1) == WIN_0 + player
    lows, highs = wilson(won.sum(axis=1), [won.shape[1]] * len(won))
    rows = [{"move": line[0], "chance": float(won[k].mean()), "chance_low": float(lows[k]),
             "chance_high": float(highs[k])} | _plain(lost(won[[k, 0]] if k else won[[0]]))
            for k, line in enumerate(candidates.lines)]
    return pd.DataFrame(rows, columns=COLUMNS)


def cost(moves: pd.DataFrame, move: str) -> dict[str, float] | None:
    """Return the row of a move in a table of `valued`, without its text; None if it has none."""
    rows = moves[moves["move"] == move]
    return None if rows.empty else {
        name: float(rows[name].iloc[0]) for name in COLUMNS if name != "move"}


def may_be_best(costs: Mapping[str, float]) -> bool:
    """Return whether a move of such a cost may be as good as the analyst's."""
    return costs["loss_low"] <= 0


def dealt(position: Position, seed: int) -> Position:
    """Return a position that looks the same to who is to move, with all hidden cards dealt again.

    So whoever tries moves there learns nothing of the true one (see play/worlds.py).
    """
    state = position.state.copy().view(np.recarray)
    deal_worlds(state, position.ruleset, state["me"], np.array([seed], np.uint64))
    return Position.of(state, position.ruleset, position.decks)


def _plain(numbers: dict[str, Any]) -> dict[str, float]:
    return {name: float(number) for name, number in numbers.items()}


def exercise(now: Session, title: str, pick: Pick, moves: Iterable[Any], agent: str,
             games: int) -> Exercise:
    """Return the exercise of a decision, before which the game is `now`.

    moves: rows of `valued`; () of a lethal.
    """
    return Exercise(title, pick.ask, now.position(), pick.step, pick.turn, pick.made, pick.line,
                    agent, games, pd.DataFrame(moves, columns=COLUMNS))


def write(path: Path, exercises: Sequence[Exercise]) -> None:
    """Write exercises as a JSON file. Raises RunError."""
    write_whole(path, content(exercises))


def content(exercises: Sequence[Exercise]) -> bytes:
    """Return the JSON file of exercises."""
    data = {"format": FORMAT, "exercises": [task.data() for task in exercises]}
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def read(path: Path) -> tuple[Exercise, ...]:
    """Read a file that `write` wrote. Raises ConfigError, CardError."""
    data = read_json(path, MOST_BYTES, ConfigError, "not a file of exercises")
    return exercises_of(data, printable(path))


def exercises_of(data: Any, where: str) -> tuple[Exercise, ...]:
    """Return the exercises of a file's data. Raises ConfigError, CardError."""
    if not isinstance(data, dict):
        raise ConfigError(f"{where} is not a file of exercises")
    file = check_tree(ExercisesFile, data, where)
    return tuple(Exercise.of(entry, f"{where}: exercises.{k}.position")
                 for k, entry in enumerate(file.exercises))


def _no_deck(name: str) -> Any:
    raise ConfigError(f"the exercise's position names the deck {printable(name)}")


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
        drills = self._of(game)
        if not 0 <= place < len(drills):
            raise NotThere(f"{self._exercises.path.parent} has no exercise {place} of game {game}")
        return drills[place]

    def next(self, now: str, but: tuple[int, int] | None = None,
             games: Collection[int] | None = None) -> Drill | None:
        """Return what is to be tried now, the longest untried first; None if nothing is.

        but: not this one, by its game and place. games: of these alone; default: of all.
        """
        due = [drill for drill in self if drill.is_due(now) and (drill.game, drill.place) != but
               and (games is None or drill.game in games)]
        return min(due, key=lambda drill: (drill.tries.last, drill.tries.due), default=None)

    def put(self, game: int, exercises: Sequence[Exercise]) -> None:
        """Keep the exercises of a game instead of earlier ones.

        One that asks the same of the same decision as before keeps how it went.
        """
        with self._tries.lock:
            before = {_asked(drill.exercise): drill.tries
                      for drill in self._of(game) if drill.tries.tries}
            others = {name: record for name, record in self._all_tries.items()
                      if not name.startswith(f"{game}-")}
            tries = others | {_name(game, k): before[_asked(task)]
                              for k, task in enumerate(exercises) if _asked(task) in before}
            put_together((self._exercises, numbered(game), tuple(exercises)),
                         (self._tries, TRIES, tries))

    def note(self, game: int, place: int, solved: bool, now: str) -> None:
        """Note that somebody tried an exercise, and whether it was solved; not if it isn't due."""
        with self._tries.lock:
            drill = self.of(game, place)
            if not drill.is_due(now):
                return
            row = drill.tries.row + 1 if solved else 0
            self._tries.put(TRIES, self._all_tries | {
                _name(game, place): Tries(drill.tries.tries + 1, row, now)})

    @property
    def _all_tries(self) -> dict[str, Tries]:
        return self._tries.of(TRIES) if TRIES in self._tries else {}

    @property
    def _games(self) -> set[int]:
        return {int(name) for name in self._exercises.names}

    def _of(self, game: int) -> list[Drill]:
        name, tries = numbered(game), self._all_tries
        exercises = self._exercises.of(name) if name in self._exercises else ()
        return [Drill(game, k, task, tries.get(_name(game, k), Tries()))
                for k, task in enumerate(exercises)]


def now() -> str:
    """Return the time, UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _content(tries: dict[str, Tries]) -> bytes:
    return as_json({name: asdict(record) for name, record in tries.items()})


def _name(game: int, place: int) -> str:
    return f"{game}-{place}"


def _asked(task: Exercise) -> tuple[str, int, Position]:
    return task.ask, task.step, task.position


def _tries_of(data: Any, name: str) -> dict[str, Tries]:
    """Return the tries of a file's data."""
    tries = {str(name): Tries(**record) for name, record in data.items()}
    for record in tries.values():
        if not all(type(count) is int and count >= 0 for count in (record.tries, record.row)):
            raise ValueError(f"{record.tries} tries, {record.row} solved in a row")
        datetime.fromisoformat(record.last) + timedelta(2**BOXES)
    return tries
