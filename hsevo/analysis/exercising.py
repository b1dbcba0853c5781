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
from hsevo.replays import exercises as replay_exercises
from hsevo.replays.exercises import MOST_MOVES, MOVES, Exercise, Pick
from hsevo.strength.agents import AgentLike, refuse_hosted

MISTAKES = 5  # exercises, by default


@dataclass(frozen=True)
class Exercises(Sequence[Exercise]):
    """Hold exercises as a sequence, the most costly mistakes first, and store them in a file.

    Attributes
    ----------
    found : tuple of Exercise
        The exercises.

    Examples
    --------
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
        """Write the exercises to a JSON file.

        Parameters
        ----------
        path : str or Path
            File to write.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        replay_exercises.write(Path(path), self.found)
        return Path(path)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file that `write` wrote.

        Parameters
        ----------
        path : str or Path
            JSON file.

        Returns
        -------
        Self
            The exercises.

        Raises
        ------
        ConfigError
            If the file is damaged.
        CardError
            If a ruleset or card is unknown or invalid.
        """
        return cls(replay_exercises.read(Path(path)))


def exercises(source: Source | Analysis | Mistakes, most: int = MISTAKES, *, moves: int = MOVES,
              workers: int | None = None, backend: str | None = None, progress: Progress = False,
              **how: Any) -> Exercises:
    """Make exercises from the mistakes in a game: positions, with the cost of moves.

    Parameters
    ----------
    source : Analysis or Mistakes or game
        Result of `hsevo.analyse` or `hsevo.mistakes`, or a game in any form that `hsevo.analyse`
        accepts.
    most : int, optional
        Maximum number of exercises, 1 to 1,000. Missed lethals come first, then the most costly
        decisions, one for each turn, if their cost is significant.
    moves : int, optional
        Number of the analyst's best moves to compare with the move made, 1 to 100.
    workers : int, optional
        Number of workers. Default: one per core.
    backend : {"threads", "loky", "dask", "serial"}, optional
        How games run in parallel. It does not change results.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **how
        Further arguments of `hsevo.analyse`, for a game.

    Returns
    -------
    Exercises
        The exercises. There may be fewer than `most`.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
    ConfigError
        If an argument is invalid, or the source is a position.

    Notes
    -----
    The selection of the most costly of many mistakes is biased. Each move is therefore evaluated
    again, in new determinizations, and a mistake whose loss is not significant there is left out.

    Examples
    --------
    >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
    >>> game.run()
    >>> found = hsevo.analyse(game, games=20, agent="eva:2018", players="eva:2018")
    >>> [one.ask for one in hsevo.exercises(found, 1, moves=2)]
    ['move']
    """
    whole("most", most, 1, MOST)
    whole("moves", moves, 1, MOST_MOVES)
    run_options: dict[str, Any] = {"workers": workers, "backend": backend, "progress": progress}
    analysed = (source if isinstance(source, Analysis | Mistakes) else
                analyse(source, **how, **run_options))
    if not isinstance(analysed, Analysis | Mistakes):
        raise ConfigError("exercises need games, but this is a position; give a game or a folder of"
                          " games")
    if analysed is source and how:
        raise ConfigError(f"{', '.join(how)} can't be given: the games are analysed already")
    return Exercises(tuple(_of_all(_dearest(analysed, most), moves, **run_options)))


def _dearest(analysed: Analysis | Mistakes, most: int) -> list[tuple[Analysis, Pick]]:
    """Return the mistakes of all games that are worth an exercise."""
    analyses = analysed.analyses if isinstance(analysed, Mistakes) else (analysed,)
    picks = [(analysis, pick) for analysis in analyses
             for pick in replay_exercises.picked(analysis.game, analysis.decisions, most)]
    return sorted(picks, key=lambda pair: (pair[1].ask != "lethal", -pair[1].loss))[:most]


def _of_all(picks: list[tuple[Analysis, Pick]], moves: int, workers: int | None,
            backend: str | None, progress: Progress) -> Iterator[Exercise]:
    """Yield the exercises, after playing on from their moves."""
    then = [analysis.game.before(pick.step) for analysis, pick in picks]
    asked = [replay_exercises.compared(now, pick, analysis.analysts[now.player], moves)
             if pick.ask == "move" else None
             for (analysis, pick), now in zip(picks, then, strict=True)]
    total = sum(analysis.games * len(some.moves)
                for (analysis, _), some in zip(picks, asked, strict=True) if some)
    with playing(total, workers_of(workers, backend), progress) as (executor, meter):
        outcomes = counted(executor(decisions.play_on, _jobs(picks, asked)), meter.advance)
        for (analysis, pick), now, some in zip(picks, then, asked, strict=True):
            parts = -(-analysis.games // decisions.PART)
            rows: Any = [] if some is None else replay_exercises.valued(
                some, outcomes, parts, now.player)
            lost = None if some is None else replay_exercises.cost(rows, pick.made[0])
            if lost is None or not replay_exercises.may_be_best(lost):
                yield replay_exercises.exercise(now, analysis.title, pick, rows, analysis.agent,
                                                analysis.games)


def _jobs(picks: list[tuple[Analysis, Pick]],
          asked: Sequence[lines.Candidates | None]) -> Iterator[Job]:
    for (analysis, _), some in zip(picks, asked, strict=True):
        if some is not None:
            yield from decisions.jobs(analysis.game, [some], analysis.going_on, analysis.games,
                                      analysis.seed, decisions.CONFIRMED)


def cost_of(one: Exercise, move: str, *, players: AgentLike = ANALYST, seed: int = 1
            ) -> dict[str, float]:
    """Compute the cost of any move of an exercise, in the form of `Exercise.cost`.

    The move is compared with the analyst's move in the number of determinizations of the exercise.

    Parameters
    ----------
    one : Exercise
        The exercise.
    move : str
        Text of the move.
    players : agent, default "rl:2026?search=turn"
        Agent that plays the continuations, in both seats.
    seed : int, default 1
        Seed of the continuations.

    Returns
    -------
    dict of str to float
        Win probability and loss, each with a 95 % interval.

    Raises
    ------
    GameError
        If the move is not legal, or the exercise asks for a lethal.
    AgentError
        If an agent is unknown, damaged or unable to play here.

    Examples
    --------
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
        raise GameError(f"{quoted(move)} is not a move there{did_you_mean(move, [*index])}")
    if one.moves.empty:
        raise GameError("this exercise asks for lethal, so its moves have no cost")
    both = tuple(dict.fromkeys([one.moves["move"].iloc[0], move]))
    some = lines.Candidates(tuple(index[text] for text in both), tuple(zip(both)), ())
    played = [decisions.play_on(*job) for job in decisions.jobs(
        now, [some], analyst_of(players, now), one.games, seed, decisions.CONFIRMED)]
    costs = replay_exercises.cost(
        replay_exercises.valued(some, iter(played), len(played), now.player), move)
    assert costs is not None
    return costs
