"""Small folders for tests: runs and arenas of the stand-in engine, learning runs of the true."""

from pathlib import Path
from typing import Any

import hsevo
from hsevo import config
from hsevo.config import Workers
from hsevo.evolution import fitness, references
from hsevo.evolution.run import Run
from hsevo.play import participants
from hsevo.play.workers import open_workers
from hsevo.strength.contest import Arena, Contest
from hsevo.strength.lineup import ContestPlan, Lineup
from tests.support import fake

MINE = [f"eva:mine.csv#x{i}" for i in range(4)]  # the best last
DECKS = ["warrior", "shaman", "mage"]
LEARNING = {"decks": ["mage", "warrior"], "periods": 3, "rounds": 2, "games": 4, "payoff_games": 1,
            "references": {"against": ["random"], "every": 2, "games": 8}, "learner.rate": 0.01}


def make(path: Path, stop: int | None = None, **settings: Any) -> Path:
    """Make a run over the stand-in engine; with `stop`, it is killed after so many generations."""
    plan = config.change(config.load("smoke"), {
        "evolution.generations": 4, "games": 3, "references.against": ["random"],
        "references.every": 2, "references.games": 36, **settings})
    known = {deck.name: deck for deck in fake.DECKS}
    decks = [known[name] for name in plan.all_decks]
    measured = references.read_references(plan, decks[:len(plan.decks)])
    run = Run.make(path, plan, decks, measured, fitness.read_opponents(plan, decks))
    seen: list[Any] = []

    def watch(generation: Any) -> None:
        seen.append(generation)
        if len(seen) == stop:
            raise KeyboardInterrupt

    with open_workers(Workers(backend="serial")) as executor:
        try:
            run._make_steps(executor, watch)
        except KeyboardInterrupt:
            assert stop
    run.close()
    return path


def play(path: Path, **plan: object) -> Path:
    """Play an arena, 36 games of every two."""
    with open_workers(Workers(backend="serial")) as executor:
        lineup = Lineup.of(ContestPlan.model_validate({"decks": DECKS, "games": 36} | plan))
        Arena(lineup, path).play(executor)
    return path


def begin(contest: Contest) -> None:
    """Leave the folder of a contest as one does that is killed before its first game."""
    assert contest.path is not None
    contest.path.mkdir(parents=True)
    contest.ABOUT.write(contest.path, contest._about())
    lineup = contest.lineup
    participants.write(contest.path, contest.names, lineup.players, lineup.setting)


def learned(path: Path, progress: Any = False, **more: Any) -> hsevo.Learned:
    """Learn with a plan that takes a second."""
    return hsevo.learn("osfp-smoke", out=path, changes=LEARNING | more.pop("changes", {}),
                       progress=progress, **more)
