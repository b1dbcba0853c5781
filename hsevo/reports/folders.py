"""Any folder that hsevo wrote: what it is, how it stands, its key figure, and its live curves.

    noun("runs/mine") -> "evolution"        figure("arenas/cup") -> "gsv: 61.2 % (58.9 to 63.4) ..."

Everything is read, and nothing written. A folder that others made may also raise DAMAGE. Functions
import what reads their kind of folder: the browser's first page shows none.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from hsevo import files
from hsevo.errors import HsevoError, RunError
from hsevo.play.specs import short_names
from hsevo.replays import participants, played
from hsevo.store.kinds import (
    COEVOLUTION,
    DECKS,
    KIND,
    LEARNED,
    PEOPLE,
    STUDY,
    SWEEP,
    kind_of,
    known,
)
from hsevo.strength.scores import scores

if TYPE_CHECKING:
    from hsevo.experiments.experiment import Experiment
    from hsevo.reports.exhibit import Answer, Drawn

# By name, as each class imports what makes such a run.
CLASSES = {KIND: "hsevo.evolution.run:Run", LEARNED: "hsevo.learning.run:Learned",
           DECKS: "hsevo.deckbuilding.run:DeckEvolution",
           COEVOLUTION: "hsevo.coevolution.run:Coevolution"}


def class_of(path: Path) -> type[Experiment[Any, Any]]:
    """Return the class of a run folder; Run for any other, which it then refuses to open."""
    experiment: type[Experiment[Any, Any]] = resolve_name(CLASSES.get(kind_of(path), CLASSES[KIND]))
    return experiment


DAMAGE: tuple[type[Exception], ...] = (*files.DAMAGE, OSError)
UNREADABLE: tuple[type[Exception], ...] = (HsevoError, *DAMAGE)
RUNS = {KIND: "evolution", LEARNED: "learning run", DECKS: "deck search",
        COEVOLUTION: "coevolution"}
REPORTED = (*RUNS.values(), "arena", "benchmark", "agent profile", STUDY, PEOPLE, SWEEP)
REPLAYED = ("evolution", "arena", "benchmark", "tournament", "played games", PEOPLE, "series",
            "match")
# What is written when all games are played.
LAST = {"arena": "ratings.csv", "match": "pairs.csv", "series": "series.csv"}
FRESH = 600.0  # seconds without a change after which a run does not look as if it went on


@dataclass(frozen=True)
class RunStanding:
    """How a run stands. where: its last step. progress: games, speed, time left.

    stopped: that it seems to have stopped, and what continues it; "" if it has not.
    """

    where: str
    progress: str
    stopped: str
    done: bool


def noun(path: Path) -> str:
    """Return what a folder is, in words; "" if it is none that can be shown."""
    if kind := kind_of(path):
        return RUNS.get(kind, "")
    return folder_kind.noun if (folder_kind := known(path)) else ""


def state(path: Path, what: str, changed: float) -> str:
    """Return "finished", "running" or "not finished"; of tables, only a study's games are counted.

    what: its noun. changed: when it was changed last, in seconds since 1970.
    """
    last = "done" if what in RUNS.values() else LAST.get(what, "")
    if _played_out(path) if what == PEOPLE else not last or (path / last).exists():
        return "finished"
    return "running" if time.time() - changed < FRESH else "not finished"


def _played_out(path: Path) -> bool:
    """Return whether a study with participants has all its games; not, if it is damaged."""
    try:
        return participants.played_out(path)
    except UNREADABLE:
        return False


def stands(path: Path) -> RunStanding:
    """Return how a run stands. Raises RunError."""
    status = class_of(path).look(path)
    stopped = status.stopped(time.time())
    return RunStanding(status.where, status.progress(bool(stopped)), stopped, status.done)


def course(path: Path) -> list[Drawn]:
    """Return the curves of a run up to now, as its report has them. Raises RunError."""
    from hsevo.reports import kinds

    kind = kinds.of([path])
    return kind.curves(kind.load([path]))


def figure(path: Path, what: str) -> str:
    """Return the key figure of a folder with its 95 % interval, in words; "" if it has none.

    what: its noun. Raises RunError, ConfigError.
    """
    from hsevo.metagame.best_of import open_series
    from hsevo.strength.comparing import open_match

    if what in ("series", "match"):
        return str(open_series(path) if what == "series" else open_match(path))
    if what == "played games":
        return "; ".join(_scores(path))
    if what not in REPORTED:
        return ""
    return _said(_answers(path, what)[0], what in (RUNS[KIND], RUNS[LEARNED]))


def _scores(path: Path) -> list[str]:
    """Return how many games people won against each agent."""
    agent_scores = scores(played.facts(path))
    names = short_names([score.agent for score in agent_scores])
    return [f"{score.won} of {score.games} won against {names[score.agent]},"
            f" {score.rate.percent(0)}" for score in agent_scores]


def _answers(path: Path, what: str) -> list[Answer]:
    """Return the top of a folder's report."""
    from hsevo.analysis.examine import Examination
    from hsevo.reports import answer, kinds
    from hsevo.reports import arenas as standing

    if what in ("arena", "benchmark"):
        return [answer.of_arena(standing.read(path))]
    if what == "agent profile":
        return [answer.of_examined([Examination.read(path)])]
    kind = kinds.of([path])
    answers = kind.top(kind.load([path]))
    if not answers:
        raise RunError(f"{path} has nothing to report yet")
    return answers


def _said(answer: Answer, last: bool) -> str:
    """Return an answer in short; last: by its last rate, as the first opponent is the weakest."""
    if not answer.rates:
        return f"{answer.name}: {answer.says[0].partition('. ')[0].rstrip('.')}."
    against, rate = answer.rates[-1 if last else 0]
    return f"{answer.name}: {rate} against {against}"
