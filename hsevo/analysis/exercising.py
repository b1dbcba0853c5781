"""`hsevo.exercises`: one's own mistakes as exercises, with what is known of the answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, overload

from hsevo.analysis.analysing import (
    ANALYST,
    Analysis,
    Mistakes,
    Source,
    analyse,
    analyst_of,
    counted,
)
from hsevo.config import whole
from hsevo.config.exercise import MOST
from hsevo.errors import ConfigError, GameError, did_you_mean, quoted
from hsevo.experiments.playing import Progress, playing, workers_of
from hsevo.play.session import Session
from hsevo.play.workers import Job
from hsevo.replays import decisions, lines
from hsevo.replays import exercises as made
from hsevo.replays.exercises import MOST_MOVES, MOVES, Exercise, Pick
from hsevo.strength.agents import AgentLike, refuse_hosted

MISTAKES = 5  # exercises, by default


@dataclass(frozen=True)
class Exercises(Sequence[Exercise]):
    """Exercises, the dearest mistakes first; a sequence, and a file.

    >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    >>> game.run()
    >>> found = hsevo.exercises(game, 1, moves=2, games=20, agent="eva:2018", players="eva:2018")
    >>> found[0].question
    'Find a better move.'
    >>> found[0].solves(found[0].made[0]), found[0].solves(found[0].line[0])
    (False, True)
    >>> found.write("exercises.json").name
    'exercises.json'
    >>> hsevo.Exercises.read("exercises.json") == found
    True
    """

    found: tuple[Exercise, ...]

    @overload
    def __getitem__(self, at: int) -> Exercise: ...

    @overload
    def __getitem__(self, at: slice) -> Exercises: ...

    def __getitem__(self, at: int | slice) -> Exercise | Exercises:
        return Exercises(self.found[at]) if isinstance(at, slice) else self.found[at]

    def __len__(self) -> int:
        return len(self.found)

    def write(self, path: str | Path) -> Path:
        """Write them as a JSON file, and return the path. Raises RunError."""
        made.write(Path(path), self.found)
        return Path(path)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file that `write` wrote. Raises ConfigError, CardError."""
        return cls(made.read(Path(path)))


def exercises(source: Source | Analysis | Mistakes, most: int = MISTAKES, *, moves: int = MOVES,
              workers: int | None = None, backend: str | None = None, progress: Progress = False,
              **how: Any) -> Exercises:
    """Return exercises made of the mistakes in a game: the positions, and what moves there cost.

    source: what `hsevo.analyse` returned of a game, or `hsevo.mistakes` of many; or a game that is
    analysed first, in any form that `hsevo.analyse` takes. most: exercises, 1 to 1,000: missed
    lethals first, then the decisions that cost most, one a turn, if they surely cost something.
    moves: of those that the analyst likes best, how many are compared besides the one that was
    made, 1 to 100. how: other arguments of `hsevo.analyse`.

    Each move is played on from as often as those of the analysis, in other worlds: the dearest of
    many mistakes were in part unlucky in those in which they were found. A mistake whose loss is
    not surely above 0 in the new worlds, too, is left out, so there may be fewer than `most`.
    Raises what `hsevo.analyse` does.

    >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    >>> game.run()
    >>> found = hsevo.analyse(game, games=20, agent="eva:2018", players="eva:2018")
    >>> [one.ask for one in hsevo.exercises(found, 1, moves=2)]
    ['move']
    """
    whole("most", most, 1, MOST)
    whole("moves", moves, 1, MOST_MOVES)
    team: dict[str, Any] = {"workers": workers, "backend": backend, "progress": progress}
    found = source if isinstance(source, Analysis | Mistakes) else analyse(source, **how, **team)
    if not isinstance(found, Analysis | Mistakes):
        raise ConfigError("exercises are made of games, and this is a position")
    if found is source and how:
        raise ConfigError(f"{', '.join(how)} can't be given: the games are analysed already")
    return Exercises(tuple(_of_all(_dearest(found, most), moves, **team)))


def _dearest(found: Analysis | Mistakes, most: int) -> list[tuple[Analysis, Pick]]:
    """Return the mistakes of all games that are worth an exercise."""
    analyses = found.analyses if isinstance(found, Mistakes) else (found,)
    picks = [(one, pick) for one in analyses
             for pick in made.picked(one.game, one.decisions, most)]
    return sorted(picks, key=lambda pair: (pair[1].ask != "lethal", -pair[1].loss))[:most]


def _of_all(picks: list[tuple[Analysis, Pick]], moves: int, workers: int | None,
            backend: str | None, progress: Progress) -> Iterator[Exercise]:
    """Yield the exercises, after playing on from their moves."""
    then = [one.game.before(pick.step) for one, pick in picks]
    asked = [made.compared(now, pick, one.analysts[now.player], moves)
             if pick.ask == "move" else None
             for (one, pick), now in zip(picks, then, strict=True)]
    total = sum(one.games * len(some.moves)
                for (one, _), some in zip(picks, asked, strict=True) if some)
    with playing(total, workers_of(workers, backend), progress) as (executor, meter):
        outcomes = counted(executor(decisions.play_on, _jobs(picks, asked)), meter.advance)
        for (one, pick), now, some in zip(picks, then, asked, strict=True):
            parts = -(-one.games // decisions.PART)
            rows: Any = [] if some is None else made.valued(some, outcomes, parts, now.player)
            lost = None if some is None else made.cost(rows, pick.made[0])
            if lost is None or not made.may_be_best(lost):
                yield made.exercise(now, one.title, pick, rows, one.agent, one.games)


def _jobs(picks: list[tuple[Analysis, Pick]],
          asked: Sequence[lines.Candidates | None]) -> Iterator[Job]:
    for (one, _), some in zip(picks, asked, strict=True):
        if some is not None:
            yield from decisions.jobs(one.game, [some], one.going_on, one.games, one.seed,
                                      decisions.CONFIRMED)


def cost_of(one: Exercise, move: str, *, players: AgentLike = ANALYST, seed: int = 1
            ) -> dict[str, float]:
    """Return what any move costs at an exercise, as `Exercise.cost` does, by playing on.

    move: its text. It is compared with the analyst's move in as many worlds as the exercise's
    moves were. players: who plays on, in both seats. seed: of these worlds.
    Raises GameError for a move that is not legal there, AgentError.

    >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    >>> game.run()
    >>> one = hsevo.exercises(game, 1, moves=2, games=20, agent="eva:2018", players="eva:2018")[0]
    >>> hsevo.cost_of(one, one.line[0], players="eva:2018")["loss"]
    0.0
    """
    refuse_hosted([players])
    now = Session.at(one.position)
    index = {known.text: known.index for known in now.moves}
    if move not in index:
        raise GameError(f"{quoted(move)} is no move there{did_you_mean(move, [*index])}")
    if one.moves.empty:
        raise GameError("a lethal is asked for there: a move has no cost")
    both = tuple(dict.fromkeys([one.moves["move"].iloc[0], move]))
    some = lines.Candidates(tuple(index[text] for text in both), tuple(zip(both)), ())
    played = [decisions.play_on(*job) for job in decisions.jobs(
        now, [some], analyst_of(players, now), one.games, seed, decisions.CONFIRMED)]
    found = made.cost(made.valued(some, iter(played), len(played), now.player), move)
    assert found is not None
    return found
