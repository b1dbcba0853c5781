"""`python -m tests.scenarios PATH`: the engine against positions whose outcomes are known.

Each line is a position and an action, or a sequence of actions, with the legal actions before each
and every possible state after it, with its probability (format: tests/data/README.md). A step
agrees if the state before it and the legal actions are the same here, each state that the engine
reaches is one of the outcomes, and each outcome comes up as often as it should: under SEEDS seeds
for each, within five standard deviations. Prints

    agree N of M steps, K skipped (cards not implemented), X exceptions

A step is skipped only if the position, or what is known of its outcomes, names a card that hsevo
has not, or something else that the engine can't represent yet. Exceptions, each with its reason,
stand in scenario_exceptions.csv: single steps by their id, and departures of the other simulator
from the rules by their name (scenario_departures.py). After a step that differs, a sequence goes on
from the state that the file has.

`--focus NAME` checks only the lines about a card (its name or id) or a set ("gvg", "Old Gods").
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.cards.browse import SETS
from hsevo.cards.catalogue import collectible
from hsevo.cards.potions import potion_id
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.sets.potions import PARTS
from hsevo.cards.tables import cards as all_cards
from hsevo.cards.terms import UP_TO_GADGETZAN, Need
from tests.rules.scenario_departures import Case, explained, is_departure
from tests.support import DATA, truth_command
from tests.support.state_adapter import (
    Action,
    Game,
    State,
    World,
    distinct,
    exceptions,
    read,
)
from tests.support.state_compare import Pool, differences
from tests.support.state_resume import resume

# What differs between the card data of the files (June 2018) and the ruleset (build 23180): the
# costs of two cards, and how many enemies three spells must have. Random cards come from all sets.
PATCHED = "cig2018 with the card data of June 2018"
RULESETS[PATCHED] = replace(
    RULESETS["cig2018"],
    name=PATCHED,
    sets=UP_TO_GADGETZAN,
    changes={
        "EX1_620": {"cost": 20},  # Molten Giant
        **({"LOE_038": {"cost": 8}} if "LOE_038" in all_cards() else {}),  # Naga Sea Witch
        **{id: {"need": Need.ENEMY_MINION} for id in ("CS2_114", "DS1_183", "EX1_251")},
    },
)
EXCEPTIONS = Path(__file__).with_name("scenario_exceptions.csv")
POOLS = DATA / "scenario_pools.json"
POOLS_OF_2019 = DATA / "scenario_pools_2019.json"
OF_2019 = "z"  # ids of lines of the file of 2019 begin so
FEW, SEEDS, MOST = 4, 30, 1500  # seeds for a sure outcome; for each of several; in all
SIGMAS = 5
NO_CARDS = "cards not implemented"
Step = dict[str, Any]


@dataclass
class Report:
    """How many steps agreed, of how many; what was left out; and where something differs."""

    agree: int = 0
    steps: int = 0
    skips: Counter[str] = field(default_factory=Counter)  # by reason
    exceptions: int = 0
    lost: int = 0  # steps after one that differs, from where no game here can go on
    lines: list[str] = field(default_factory=list)

    @property
    def skipped(self) -> int:
        """How many steps were left out."""
        return self.skips.total()

    def __str__(self) -> str:
        reasons = NO_CARDS
        if set(self.skips) - {NO_CARDS}:
            reasons = ", ".join(f"{reason} {n}" for reason, n in sorted(self.skips.items()))
        return (
            f"agree {self.agree} of {self.steps} steps,"
            f" {self.skipped} skipped ({reasons}), {self.exceptions} exceptions"
        )


def key(action: Action) -> tuple[Any, ...]:
    """Return what two equal actions have in common; places on the board don't count."""
    target, attacker = tuple(action.get("target", ())), tuple(action.get("attacker", ()))
    return action["t"], action.get("hand"), attacker, target, action.get("choose"), action.get("k")


def with_potions(tree: Any) -> Any:
    """Return a line with hsevo's ids of Kazakus' potions, which the file gives by their parts."""
    if isinstance(tree, list):
        return [with_potions(value) if isinstance(value, dict | list) else value for value in tree]
    if not isinstance(tree, dict):
        return tree
    if "parts" in tree:
        rest = {key: value for key, value in tree.items() if key != "parts"}
        return rest | {"id": potion_of(*tree["parts"])}
    return {key: with_potions(value) if isinstance(value, dict | list) else value
            for key, value in tree.items()}


def potion_of(*parts: str) -> str:
    """Return the id of the potion that two parts make."""
    for size, known in enumerate(PARTS):
        places = sorted(i for i, part in enumerate(known) if part.id in parts)
        if len(places) == 2:
            return potion_id(size, *places)
    raise ValueError(f"no potion of {parts}")


def seeds_for(step: Step) -> int:
    """Return how many seeds show all outcomes of a step."""
    rarest = min(outcome["p"] for outcome in step["outcomes"])
    return FEW if rarest > 0.999 else min(ceil(SEEDS / rarest), MOST)


class Check:
    """Plays lines on the engine, and keeps the report."""

    def __init__(self, excused: set[str], of_2019: bool = False) -> None:
        self.world = World("rise2019" if of_2019 else PATCHED)
        self.excused = excused
        self.report = Report()
        pools = POOLS_OF_2019 if of_2019 else POOLS
        self.pools: dict[str, list[str]] = json.loads(pools.read_text())

    def missing(self, init: dict[str, Any]) -> str:
        """Return why a position can't be examined, '' if it can."""
        return NO_CARDS if self.world.unknown(init) else ""

    def drop_printed(self, line: dict[str, Any]) -> None:
        """Drop from cards in hand the attack and health that are as printed after all."""
        after = [outcome["state"] for step in line["steps"] for outcome in step["outcomes"]]
        for state in (line["before"], *after):
            for card in [card for player in state["players"] for card in player["hand"]]:
                known = self.world.cards.get(card["id"])
                for name, printed in (("atk", "attack"), ("hp", "health")):
                    if known and card.get(name) == getattr(known, printed):
                        del card[name]

    def pool(self, step: Step) -> Pool:
        """Return the cards that an unknown card of a step may be."""
        return frozenset(id for name in step.get("pools", ()) for id in self.pools[name])

    def line(self, line: dict[str, Any]) -> None:
        """Check the steps of one line, each from what the one before led to in the file."""
        if reason := self.missing(line["init"]):
            self.report.skips[reason] += len(line["steps"])
            return
        self.drop_printed(line)
        game, before = self.world.load(line["init"]), line["before"]
        differs = differences(before, self.world.state(game))
        for k, step in enumerate(line["steps"]):
            if self.world.unknown({key: step.get(key) for key in ("outcomes", "options")}):
                self.report.skips[NO_CARDS] += len(line["steps"]) - k
                return
            if "options" in step:
                game = self.world.offer(game, step["options"])
            where = f"{line['id']} {k}"
            wrong, after = self.step(game, step)
            differs += wrong
            excused = bool(differs) and self.is_excused(where, game, before, step)
            self.count(where, step, differs, excused)
            if k + 1 == len(line["steps"]):
                return
            if wrong:
                after = resume(self.world, after, step["outcomes"][0]["state"])
            if after is None:
                self.report.lost += len(line["steps"]) - k - 1
                return
            differs, game, before = [], after, self.world.state(after)

    def is_excused(self, where: str, game: Game, before: State, step: Step) -> bool:
        """Tell whether a difference stands among the exceptions."""
        if {where, where.split()[0]} & self.excused:
            return True
        acts = explained(Case(self.world.cards, before, step), self.unequal(game, step))
        if not acts <= self.excused:
            return False
        if not self.is_legal(game, step):
            return True
        found = [self.world.state(game) for game, _ in distinct(self.play(game, step))]
        case = Case(self.world.cards, before, step)
        return is_departure(case, found, self.pool(step), self.excused, may_agree=bool(acts))

    def unequal(self, game: Game, step: Step) -> list[Action]:
        """Return the actions that are legal only here, or only in the file."""
        here = {key(action): action for _, action in self.world.moves(game)}
        there = {key(action): action for action in step["legal"]}
        return [(here | there)[k] for k in here.keys() ^ there.keys()]

    def is_legal(self, game: Game, step: Step) -> bool:
        """Tell whether the action of a step is legal here."""
        return key(step["action"]) in {key(action) for _, action in self.world.moves(game)}

    def play(self, game: Game, step: Step) -> Game:
        """Return games after a step, enough to show all its outcomes."""
        return self.world.play(game, self.world.number_of(game, step["action"]), seeds_for(step))

    def count(self, where: str, step: Step, differs: list[str], excused: bool) -> None:
        """Count one step."""
        if excused:
            self.report.exceptions += 1
            return
        self.report.steps += 1
        self.report.agree += not differs
        self.report.lines += [f"{where} {step['action']}: {line}" for line in differs]

    def step(self, game: Game, step: Step) -> tuple[list[str], Game]:
        """Return how a step differs, and a game after it, or before if it is not legal here."""
        here = {key(action): action for _, action in self.world.moves(game)}
        differs = _legal(here, step)
        if key(step["action"]) not in here:
            return differs, game
        games = self.play(game, step)
        step = step | {"outcomes": merged(step["outcomes"])}
        times, following = np.zeros(len(step["outcomes"])), games[:1]
        for after, count in distinct(games):
            which, wrong = self.nearest(step, after)
            differs += wrong
            if not wrong:
                times[which] += count
                following = after
        return differs or unlikely(step, times, len(games)), following

    def nearest(self, step: Step, after: Game) -> tuple[int, list[str]]:
        """Return the outcome that is most like a state here, and what differs."""
        state = self.world.state(after)
        pool = self.pool(step)
        options: list[list[str]] = []
        for which, outcome in enumerate(step["outcomes"]):
            options.append(differences(outcome["state"], state, pool))
            if not options[-1]:
                return which, []
        which = min(range(len(options)), key=lambda k: len(options[k]))
        return which, options[which]


def _legal(here: dict[tuple[Any, ...], Action], step: Step) -> list[str]:
    """Return which legal actions differ from those here."""
    there = {key(action): action for action in step["legal"]}
    lines = [f"legal in the file, not here: {there[k]}" for k in there.keys() - here.keys()]
    return lines + [f"legal here, not there: {here[k]}" for k in here.keys() - there.keys()]


def merged(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return outcomes with those that end the game alike, and so are compared alike, as one."""
    ends: dict[str, dict[str, Any]] = {}
    rest = []
    for outcome in outcomes:
        result = outcome["state"].get("result")
        if result is None:
            rest.append(outcome)
        else:
            first = ends.setdefault(str(result), outcome | {"p": 0.0})
            first["p"] += outcome["p"]
    return [*rest, *ends.values()]


def unlikely(step: Step, times: Any, n: int) -> list[str]:
    """Return which outcomes came up too rarely or too often in n games."""
    lines = []
    for outcome, found in zip(step["outcomes"], times, strict=True):
        p = min(outcome["p"], 1.0)
        if abs(found - n * p) > SIGMAS * sqrt(n * p * (1 - p)) + 1:
            lines.append(f"an outcome of probability {p} came up in {int(found)} of {n}")
    return lines


def is_about(line: dict[str, Any], focus: str) -> bool:
    """Tell whether a line is about a card (its name or id) or a set (its titles)."""
    if "focus" not in line:
        return False
    id, _, name = line["focus"]
    entry = collectible().get(id)
    titles = SETS[entry.set] if entry and entry.set else ()
    return focus.lower() in {word.lower() for word in (id, name, *titles)}


def check(path: str | Path, excused: set[str] | None = None, focus: str = "") -> Report:
    """Check the lines of a file, all or those about something; `excused`: ids of exceptions."""
    lines = list(map(with_potions, read(path)))
    of_2019 = bool(lines) and lines[0]["id"].startswith(OF_2019)
    run = Check(exceptions(EXCEPTIONS) if excused is None else excused, of_2019)
    for line in lines:
        if not focus or is_about(line, focus):
            run.line(line)
    return run.report


def main(arguments: list[str]) -> int:
    """Run as a command; 0 if everything agrees."""
    focus = ""
    if "--focus" in arguments[:-1]:
        at = arguments.index("--focus")
        focus, arguments = arguments[at + 1], arguments[:at] + arguments[at + 2 :]
    return truth_command.run("tests.scenarios", lambda path: check(path, focus=focus), arguments,
                             lambda report: report.agree == report.steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
