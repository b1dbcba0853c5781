"""`python -m tests.scenarios PATH`: the engine against positions whose outcomes are known.

Each line is a position and an action, or a sequence of actions, with the legal actions before each
and every possible state after it, with its probability (format: tests/data/README.md). A step
agrees if the state before it and the legal actions are the same here, each state that the engine
reaches is one of the outcomes, and each outcome comes up as often as it should: under SEEDS seeds
for each, within five standard deviations. Prints

    agree N of M steps, K skipped (cards not implemented), X exceptions

A step is skipped only if the position, or what is known of its outcomes, names a card that hsevo
has not. Exceptions, each with its reason, stand in scenario_exceptions.csv; the steps of a
sequence that follow one rest on it, and are exceptions too.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from tests.state_adapter import (
    Action,
    Game,
    World,
    differences,
    distinct,
    exceptions,
    read,
)

EXCEPTIONS = Path(__file__).with_name("scenario_exceptions.csv")
FEW, SEEDS, MOST = 4, 40, 2000  # seeds for a sure outcome; for each of several; in all
SIGMAS = 5
Step = dict[str, Any]


@dataclass
class Report:
    """How many steps agreed, of how many; what was left out; and where something differs."""

    agree: int = 0
    steps: int = 0
    skipped: int = 0
    exceptions: int = 0
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"agree {self.agree} of {self.steps} steps,"
            f" {self.skipped} skipped (cards not implemented), {self.exceptions} exceptions"
        )


def key(action: Action) -> tuple[Any, ...]:
    """Return what two equal actions have in common; places on the board don't count."""
    target, attacker = tuple(action.get("target", ())), tuple(action.get("attacker", ()))
    return action["t"], action.get("hand"), attacker, target, action.get("choose")


def seeds_for(step: Step) -> int:
    """Return how many seeds show all outcomes of a step."""
    rarest = min(outcome["p"] for outcome in step["outcomes"])
    return FEW if rarest > 0.999 else min(ceil(SEEDS / rarest), MOST)


class Check:
    """Plays lines on the engine, and keeps the report."""

    def __init__(self, excused: set[str]) -> None:
        self.world = World()
        self.excused = excused
        self.report = Report()

    def line(self, line: dict[str, Any]) -> None:
        """Check the steps of one line, each from what the one before led to."""
        game, steps = None, line["steps"]
        if not self.world.unknown(line["init"]):
            game = self.world.load(line["init"])
            before = differences(line["before"], self.world.state(game))
        for k, step in enumerate(steps):
            if game is None or self.world.unknown(step["outcomes"]):
                self.report.skipped += len(steps) - k
                return
            differs, game = self.step(game, step)
            differs = before + differs
            before = []
            if differs and {line["id"], f"{line['id']} {k}"} & self.excused:
                self.report.exceptions += len(steps) - k
                return
            self.count(f"{line['id']} {k}", step, differs)
            if game is None:
                self.lost(line["id"], k, len(steps))
                return

    def count(self, where: str, step: Step, differs: list[str]) -> None:
        """Count one step."""
        self.report.steps += 1
        self.report.agree += not differs
        self.report.lines += [f"{where} {step['action']}: {line}" for line in differs]

    def lost(self, id: str, k: int, n: int) -> None:
        """Count the steps after one that led to none of its outcomes: they can't be reached."""
        self.report.steps += n - k - 1

    def step(self, game: Game, step: Step) -> tuple[list[str], Game | None]:
        """Return how a step differs, and a game in its (first) outcome, if one is reached."""
        differs = self.legal(game, step)
        move, n = self.world.number_of(game, step["action"]), seeds_for(step)
        if move not in dict(self.world.moves(game)) and "pos" not in step["action"]:
            return differs, None
        found, times = distinct(self.world.play(game, move, np.arange(n) * 7919 + 1))
        shares = np.zeros(len(step["outcomes"]))
        following: list[Game | None] = [None] * len(shares)
        for after, count in zip(found, times, strict=True):
            which, wrong = self.nearest(step, after)
            differs += wrong
            if not wrong:
                shares[which] += count
                following[which] = after
        if not differs:
            differs = self.unlikely(step, shares, n)
        return differs, next((game for game in following if game is not None), None)

    def legal(self, game: Game, step: Step) -> list[str]:
        """Return which legal actions differ."""
        here = {key(action): action for _, action in self.world.moves(game)}
        there = {key(action): action for action in step["legal"]}
        lines = [f"legal in the file, not here: {there[k]}" for k in there.keys() - here.keys()]
        return lines + [f"legal here, not there: {here[k]}" for k in here.keys() - there.keys()]

    def nearest(self, step: Step, after: Game) -> tuple[int, list[str]]:
        """Return the outcome that is most like a state here, and what differs."""
        state = self.world.state(after)
        options = [differences(outcome["state"], state) for outcome in step["outcomes"]]
        which = min(range(len(options)), key=lambda k: len(options[k]))
        return which, options[which]

    def unlikely(self, step: Step, shares: Any, n: int) -> list[str]:
        """Return the outcomes that came up too rarely or too often in n games."""
        lines = []
        for outcome, share in zip(step["outcomes"], shares, strict=True):
            p = min(outcome["p"], 1.0)
            if share == 0 or abs(share - n * p) > SIGMAS * sqrt(n * p * (1 - p)) + 1:
                lines.append(f"an outcome of probability {p} came up in {int(share)} of {n}")
        return lines


def check(path: str | Path, excused: set[str] | None = None) -> Report:
    """Check every line of a file; `excused` are the exceptions' ids."""
    run = Check(exceptions(EXCEPTIONS) if excused is None else excused)
    for line in read(path):
        run.line(line)
    return run.report


def main(arguments: list[str]) -> int:
    """Run as a command; 0 if everything agrees."""
    paths = [argument for argument in arguments if argument != "--verbose"]
    if len(paths) != 1:
        print("usage: python -m tests.scenarios PATH [--verbose]", file=sys.stderr)
        return 2
    report = check(paths[0])
    if "--verbose" in arguments:
        print(*report.lines, sep="\n")
    print(report)
    return 0 if report.agree == report.steps else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
