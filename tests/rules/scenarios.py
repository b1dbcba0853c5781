"""`python -m tests.scenarios PATH`: the engine against positions whose outcomes are known.

Each line is a position and an action, or a sequence of actions, with the legal actions before each
and every possible state after it, with its probability (format: tests/data/README.md). A step
agrees if the state before it and the legal actions are the same here, each state that the engine
reaches is one of the outcomes, and each outcome comes up as often as it should: under SEEDS seeds
for each, within five standard deviations. Prints

    agree N of M steps, K skipped (cards not implemented), X exceptions

A step is skipped only if the position, or what is known of its outcomes, names a card that hsevo
has not. Exceptions, each with its reason, stand in scenario_exceptions.csv: single steps by their
id, and departures of the other simulator from the rules by their name (scenario_departures.py).
A sequence is played on after a departure; what differs in it from there on rests on it, and is an
exception too.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Need
from tests.rules.scenario_departures import departure
from tests.support import truth_command
from tests.support.state_adapter import (
    Action,
    Game,
    State,
    World,
    differences,
    distinct,
    exceptions,
    read,
)

# What differs between the card data of the file (June 2018) and the ruleset (build 23180): Molten
# Giant's cost before and after it left Standard, and how many enemies three spells must have.
PATCHED = "cig2018 with the card data of June 2018"
RULESETS[PATCHED] = replace(
    RULESETS["cig2018"],
    name=PATCHED,
    changes={
        "EX1_620": {"cost": 20},
        **{id: {"need": Need.ENEMY_MINION} for id in ("CS2_114", "DS1_183", "EX1_251")},
    },
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
        self.world = World(PATCHED)
        self.excused = excused
        self.report = Report()

    def line(self, line: dict[str, Any]) -> None:
        """Check the steps of one line, each from what the one before led to."""
        if self.world.unknown(line["init"]):
            self.report.skipped += len(line["steps"])
            return
        game, before, departed = self.world.load(line["init"]), line["before"], False
        differs = differences(before, self.world.state(game))
        for k, step in enumerate(line["steps"]):
            left = len(line["steps"]) - k
            if self.world.unknown(step["outcomes"]):
                self.report.skipped += left
                return
            where = f"{line['id']} {k}"
            wrong, after = self.step(game, step)
            differs += wrong
            if differs and not departed:
                departed, after = self.is_excused(where, game, before, step, after)
            if differs and departed:
                self.report.exceptions += left if after is None else 1
            else:
                self.count(where, step, differs)
                self.report.steps += left - 1 if after is None else 0
            if after is None:  # the steps after it are out of reach
                return
            differs, game, before = [], after, self.world.state(after)

    def is_excused(
        self, where: str, game: Game, before: State, step: Step, after: Game | None
    ) -> tuple[bool, Game | None]:
        """Tell whether a difference stands among the exceptions, and where the game goes on."""
        if {where, where.split()[0]} & self.excused:
            return True, None
        if self.legal(game, step):  # departures are about outcomes alone
            return False, after
        games = [game for game, _ in distinct(self.play(game, step))]
        found = [self.world.state(game) for game in games]
        if departure(self.world.cards, before, step, found) in self.excused:
            return True, games[0]
        return False, after

    def is_legal(self, game: Game, step: Step) -> bool:
        """Tell whether the action of a step is legal here."""
        return key(step["action"]) in {key(action) for _, action in self.world.moves(game)}

    def play(self, game: Game, step: Step) -> Game:
        """Return games after a step, enough to show all its outcomes."""
        return self.world.play(game, self.world.number_of(game, step["action"]), seeds_for(step))

    def count(self, where: str, step: Step, differs: list[str]) -> None:
        """Count one step."""
        self.report.steps += 1
        self.report.agree += not differs
        self.report.lines += [f"{where} {step['action']}: {line}" for line in differs]

    def step(self, game: Game, step: Step) -> tuple[list[str], Game | None]:
        """Return how a step differs, and a game in one of its outcomes."""
        differs = self.legal(game, step)
        if not self.is_legal(game, step):
            return differs, None
        games = self.play(game, step)
        times, following = np.zeros(len(step["outcomes"])), None
        for after, count in distinct(games):
            which, wrong = self.nearest(step, after)
            differs += wrong
            if not wrong:
                times[which] += count
                following = following if following is not None else after
        return differs or unlikely(step, times, len(games)), following

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


def unlikely(step: Step, times: Any, n: int) -> list[str]:
    """Return which outcomes came up too rarely or too often in n games."""
    lines = []
    for outcome, found in zip(step["outcomes"], times, strict=True):
        p = min(outcome["p"], 1.0)
        if abs(found - n * p) > SIGMAS * sqrt(n * p * (1 - p)) + 1:
            lines.append(f"an outcome of probability {p} came up in {int(found)} of {n}")
    return lines


def check(path: str | Path, excused: set[str] | None = None) -> Report:
    """Check every line of a file; `excused` are the exceptions' ids."""
    run = Check(exceptions(EXCEPTIONS) if excused is None else excused)
    for line in read(path):
        run.line(line)
    return run.report


def main(arguments: list[str]) -> int:
    """Run as a command; 0 if everything agrees."""
    return truth_command.run("tests.scenarios", check, arguments,
                             lambda report: report.agree == report.steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
