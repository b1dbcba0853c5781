"""What is wrong with the grammar of a case (cases/README.md), in words: one line a mistake."""

import re
from collections.abc import Iterable, Iterator

from hsevo.errors import did_you_mean

POSITION = ("hand", "deck", "secrets", "weapon", "class", "power", "mana", "health", "armor",
            "golem", "cthun", "cast", "dead", "totems", "played", "fatigue", "overload",
            "elementals", "quest", "dormant", "opening")
OUTCOME = ("hand", "deck", "secrets", "weapon", "power", "mana", "health", "armor", "attack",
           "cthun", "fatigue", "overload", "crystals", "locked", "cards", "library", "frozen",
           "immune", "choices", "quest")
MARKS = ("damage", "asleep", "frozen", "silenced", "no shield", "no stealth")
VERBS = ("play", "attack", "power", "choose", "end")
ENDS = ("won", "lost", "tied", "illegal")


def of_lines(lines: list[str]) -> Iterator[str]:
    """Yield what is wrong with the lines of a case: title, position, steps."""
    if len(lines) < 3:
        yield "a case has a title, a position `me: ... them: ...`, and lines `ACTIONS -> OUTCOME`"
        return
    yield from (f"the second line is the position `me: ... them: ...`, not {lines[1]!r}"
                for _ in range(not re.match(r"me:.* them:", f"{lines[1]} ")))
    for number, line in enumerate(lines[2:]):
        if line.startswith("or "):
            if number == 0:
                yield f"an `or` line gives one more outcome of the line above it: {line!r}"
        elif "->" not in line:
            yield f"a step is `ACTIONS -> OUTCOME`, but there is no `->` in {line!r}"


def of_case(sides: Iterable[str], steps: Iterable[tuple[list[str], list[str]]]) -> Iterator[str]:
    """Yield what is wrong with the parts, marks, actions and outcomes of a case."""
    for side in sides:
        yield from _parts(side, POSITION, "a position")
        board = side.partition("|")[0]
        for mark in re.findall(r"[(;] *([^();]+?) *(?=[;)])", board):
            if not mark.startswith("+") and not mark.startswith(MARKS):
                yield (f"a minion of a position has no mark {mark!r}{did_you_mean(mark, MARKS)};"
                       f" marks are +A/+H, damage N, {', '.join(MARKS[1:])}")
    for actions, outcomes in steps:
        for action in actions:
            verb = action.partition(" ")[0]
            if verb not in VERBS:
                yield (f"an action begins with {', '.join(VERBS)}, not with {verb!r}"
                       f"{did_you_mean(verb, VERBS)}")
        for outcome in outcomes:
            if outcome not in ENDS and not re.match(r"(me:|them:)", outcome):
                yield (f"an outcome is `me: ... them: ...` or {', '.join(ENDS)}, not {outcome!r}"
                       f"{did_you_mean(outcome, ENDS)}")
            for side in re.split(r"(?:^| )(?:me|them):", outcome):
                yield from _parts(side, OUTCOME, "an outcome")


def _parts(side: str, known: tuple[str, ...], where: str) -> Iterator[str]:
    """Yield a line for each part behind a bar that is not one of those known."""
    for part in side.split("|")[1:]:
        word = re.split(r"[: ]", part.strip())[0]
        if word not in known:
            yield (f"{where} has no part {word!r}{did_you_mean(word, known)}; parts are"
                   f" {', '.join(known)}")
