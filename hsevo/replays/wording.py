"""Lines about a game as they are said to one of its players, and turning points in words."""

from __future__ import annotations

import re

from hsevo.replays.replay import Step
from hsevo.texts import say

YOU = say("game.you")  # the name of a player who is spoken to
VERBS = {"goes": "go", "has": "have"}  # all others lose their s
_BEGINS = re.compile(rf"^({YOU}(?: \([^)]*\))?) (\w+)")
_REST = ((re.compile(rf"\bthe (hero|hand|deck|hero power) of {YOU}\b"), r"your \1"),
         (re.compile(rf"\bthe secret (.+) of {YOU}\b"), r"your secret \1"))


def to_you(line: str) -> str:
    """Return a line about YOU as it is said to that player.

    >>> from hsevo.replays.wording import to_you
    >>> to_you("you plays Fireball at the hero of gsv (4 mana)")
    'you play Fireball at the hero of gsv (4 mana)'
    >>> to_you("the hero of you takes 3 damage")
    'your hero takes 3 damage'
    """
    match = _BEGINS.match(line)
    if match and match[2] != "may":
        verb = VERBS.get(match[2], match[2].removesuffix("s"))
        line = f"{match[1]} {verb}{line[match.end():]}"
    for pattern, said in _REST:
        line = pattern.sub(said, line)
    return line


def yours(text: str) -> str:
    """Return a move in words as it is said to the player."""
    for own in ("the own", "its own"):
        text = text.replace(f"{own} hero", "your hero")
    return text.replace("(own minion", "(your minion")


def turning_point(step: Step, was: float, now: float) -> str:
    """Return a move that changed the chance to win, as "turn 7: Fireball at Frog, 62 % to 81 %"."""
    move = step.options[step.taken].text.removeprefix("play ") if step.options else ""
    turn = step.scene.turn
    return (f"{f'turn {turn}' if turn else 'mulligan'}: {move},"
            f" {100 * was:.0f} % to {100 * now:.0f} %")
