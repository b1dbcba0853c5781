"""`python -m tests.positions PATH`: the engine and EVA against decision points of real games.

Each position lists every legal action with the state after it and its EVA score, as another
simulator of the same game had them (format: tests/data/README.md). Checked are the legal actions,
the state after each option that is not random (of random draws: all but the cards drawn), each
score that is not random, and the agent's choice where no score is. Prints

    legal N of M positions, outcomes N of M options, scores N of M, chosen N of M, K quirks apart, \
X exceptions

An option with a quirk (a named slip of that program) is counted apart, and checked only in what
the quirk leaves alone; QUIRKS says what that is. Exceptions stand in position_exceptions.csv.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np

from hsevo.agents.genomes.weights import from_program_order
from hsevo.cards.rulesets import RULESETS
from hsevo.engine.record.codec import END
from tests.support import truth_command
from tests.support.state_adapter import Action, Game, State, World, exceptions, read
from tests.support.state_compare import differences

# What differs between the card data of the file and the ruleset (meta.json, `patch`).
PATCHED = "cig2018 with the costs of build 38377"
RULESETS[PATCHED] = replace(
    RULESETS["cig2018"],
    name=PATCHED,
    changes={"EX1_565": {"cost": 3}, "KAR_114": {"cost": 5}},
)
EXCEPTIONS = Path(__file__).with_name("position_exceptions.csv")
OUTCOME, SCORE = 1, 2
# What each quirk leaves alone. `transform_keeps_id` is checked against `score_new_id`, which the
# file gives for it: the score with the transformed minion as a new one.
QUIRKS = {
    "transform_keeps_id": OUTCOME | SCORE,
    "transform_keeps_tags": 0,
    "spirit_claws_hero_atk": 0,
    "trogg_any_player": 0,
    "dirty_rat_hidden_hand": OUTCOME,
    "cultist_counts_itself": 0,
    "draw2_stops_at_fatigue": 0,
    "flame_zero_mana_no_spellpower": 0,
    "portal_no_spellpower": 0,
    "armor_blocks_freeze": 0,
    "pool_38377": SCORE,
    "finley_choice": SCORE,
}
INFINITE = 2_000_000_000  # the file's infinities are the limits of a 32-bit integer


@dataclass
class Report:
    """What agreed and what was compared, and where something differs."""

    agree: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    quirks: int = 0
    exceptions: int = 0
    lines: list[str] = field(default_factory=list)

    def count(self, what: str, where: str, differs: list[str], excused: set[str]) -> None:
        """Count one comparison; a difference at an excused place is an exception."""
        if differs and (where in excused or f"{where} {what}" in excused):
            self.exceptions += 1
            return
        self.of[what] += 1
        self.agree[what] += not differs
        self.lines += [f"{where} {what}: {line}" for line in differs]

    def __str__(self) -> str:
        shown = {w: f"{self.agree[w]} of {self.of[w]}" for w in PARTS}
        return (
            f"legal {shown['legal']} positions, outcomes {shown['outcomes']} options,"
            f" scores {shown['scores']}, chosen {shown['chosen']},"
            f" {self.quirks} quirks apart, {self.exceptions} exceptions"
        )


PARTS = ("legal", "outcomes", "scores", "chosen")


def key(action: Action, with_place: bool) -> tuple[Any, ...]:
    """Return what two equal actions have in common."""
    target = tuple(action.get("target", ()))
    place = action.get("pos") if with_place else None
    attacker = tuple(action.get("attacker", ()))
    return action["t"], action.get("hand"), attacker, target, action.get("choose"), place


def masked(state: State) -> State:
    """Return a state with hands and decks as counts."""
    players = [{**p, "hand": len(p["hand"]), "deck": len(p["deck"])} for p in state["players"]]
    return {**state, "players": players}


def unordered(state: State) -> State:
    """Return a state with sorted decks."""
    return {**state, "players": [{**p, "deck": sorted(p["deck"])} for p in state["players"]]}


def same_score(expected: float, found: float) -> bool:
    """Tell whether two scores agree to 1e-9, relative (below 1: absolute)."""
    if abs(expected) >= INFINITE:
        return abs(found) >= INFINITE and (found > 0) == (expected > 0)
    return isclose(expected, found, rel_tol=1e-9, abs_tol=1e-9)


def left_alone(option: dict[str, Any]) -> int:
    """Return what an option's quirks leave to be compared."""
    left = OUTCOME | SCORE
    for quirk in option.get("quirk", ()):
        left &= QUIRKS.get(quirk, 0)  # nothing, of one that is new
    return left


def is_quirky(option: dict[str, Any]) -> bool:
    """Tell whether the program's score of an option is not the agent's by the rules."""
    scored = option["action"]["t"] != "end"
    return scored and ("score_new_id" in option or not left_alone(option) & SCORE)


class Check:
    """Compares positions with the engine, and keeps the report."""

    def __init__(self, excused: set[str]) -> None:
        self.world = World(PATCHED)
        self.excused = excused
        self.report = Report()

    def position(self, line: dict[str, Any]) -> None:
        """Compare one position in every part."""
        unknown = self.world.unknown([line["init"], line["options"]])
        if unknown:
            self.report.count("legal", line["id"], [f"no card {min(unknown)}"], self.excused)
            return
        game = self.world.load(line["init"])
        weights = from_program_order(np.array([line["weights"]]))
        self.legal(line, game)
        scores = [self.score(game, option["action"], weights) for option in line["options"]]
        for k, option in enumerate(line["options"]):
            self.option(f"{line['id']} {k}", game, option, scores[k])
        self.chosen(line, game, weights, scores)

    def score(self, game: Game, action: Action, weights: Any) -> float:
        """Return the score of an action here; 0 for the end of the turn."""
        move = self.world.number_of(game, action)
        return self.world.score(game, move, weights) if move != END else 0.0

    def legal(self, line: dict[str, Any], game: Game) -> None:
        """Compare the state and the legal actions."""
        found = [action for _, action in self.world.moves(game)]
        differs = []
        if not line["quirk"]:
            differs = differences(unordered(line["before"]), unordered(self.world.state(game)))
        expected = [option["action"] for option in line["options"]]
        placed = {(a["t"], a.get("hand")) for a in expected if "pos" in a}
        here = {key(a, (a["t"], a.get("hand")) in placed) for a in found}
        there = {key(a, True) for a in expected}
        differs += [f"legal in the file, not here: {a}" for a in there - here]
        differs += [f"legal here, not in the file: {a}" for a in here - there]
        self.report.count("legal", line["id"], differs, self.excused)

    def option(self, where: str, game: Game, option: dict[str, Any], found: float) -> None:
        """Compare the outcome and the score of one option; `found` is its score here."""
        left, action = left_alone(option), option["action"]
        self.report.quirks += bool(option.get("quirk"))
        if left & OUTCOME and ("after" in option or "after_masked" in option):
            after = self.world.play(game, self.world.number_of(game, action))
            differs = [f"{d} {action}" for d in self.outcome(option, after)]
            self.report.count("outcomes", where, differs, self.excused)
        known = option.get("score_new_id", option["score"])
        if left & SCORE and known is not None and not option.get("score_random"):
            same = same_score(known, found)
            differs = [] if same else [f"{known} in the file, {found} here {action}"]
            self.report.count("scores", where, differs, self.excused)

    def outcome(self, option: dict[str, Any], after: Game) -> list[str]:
        """Compare the state after an option, or what is known of it."""
        found = unordered(self.world.state(after))
        if "after" in option:
            return differences(unordered(option["after"]), found)
        return differences(option["after_masked"], masked(found))

    def chosen(self, line: dict[str, Any], game: Game, weights: Any, scores: list[float]) -> None:
        """Compare the agent's choice, where no random or quirky score can be the best one.

        The program of the file (2020) lists the hero power before attacks, that of 2018 and hsevo
        after them: the choice is the last best option in the file's order, by the scores here.
        The agent itself must take the last best one in its own order.
        """
        options = line["options"]
        sure = [s for s, o in zip(scores, options, strict=True) if not is_quirky(o)]
        rest = [max(scores[k], o["score"]) for k, o in enumerate(options) if is_quirky(o)]
        if not line["score_det"] or max(rest, default=-INFINITE) >= max(sure):
            return
        best = max(scores)
        last = max(k for k, score in enumerate(scores) if same_score(best, score))
        differs = []
        if options[last]["action"] != line["chosen"]:
            differs = [f"{line['chosen']} in the file, {options[last]['action']} here"]
        move = self.world.decide(game, weights)
        score = self.world.score(game, move, weights) if move else 0.0
        if not same_score(best, score) or move != self.last_best(game, weights):
            differs.append(f"the agent takes {move}, worth {score} of {best}")
        self.report.count("chosen", line["id"], differs, self.excused)

    def last_best(self, game: Game, weights: Any) -> int:
        """Return the last move, in the agent's order, with the best score."""
        moves = [move for move, _ in self.world.moves(game)]
        worth = {m: self.world.score(game, m, weights) if m else 0.0 for m in moves}
        return [move for move in moves if worth[move] == max(worth.values())][-1]


def check(path: str | Path, excused: set[str] | None = None) -> Report:
    """Compare every position of a file; `excused` are the exceptions' ids."""
    run = Check(exceptions(EXCEPTIONS) if excused is None else excused)
    for line in read(path):
        run.position(line)
    return run.report


def main(arguments: list[str]) -> int:
    """Run as a command; 0 if everything agrees."""
    return truth_command.run("tests.positions", check, arguments,
                             lambda report: report.agree == report.of)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
