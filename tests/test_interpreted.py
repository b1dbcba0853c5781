"""The same games by the compiled and by the interpreted engine, move by move."""

import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).parent.parent


def course(interpreted: bool, *arguments: str) -> list[str]:
    """Return what `python -m tests.course` prints."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    mode = {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": str(int(interpreted))}
    done = subprocess.run([sys.executable, "-m", "tests.course", *arguments], stdout=subprocess.PIPE,
                          text=True, check=True, cwd=ROOT, env={**os.environ, **mode})
    return done.stdout.splitlines()


def first_difference(*arguments: str) -> tuple[int, str]:
    """Return how many lines two courses have, and where they part: '' if they don't."""
    compiled, interpreted = course(False, *arguments), course(True, *arguments)
    for number, (one, other) in enumerate(zip_longest(compiled, interpreted)):
        if one != other:
            return len(compiled), f"line {number}: compiled {one}\ninterpreted {other}"
    return len(compiled), ""


def test_interpreted_and_compiled_games_are_the_same_move_by_move() -> None:
    """Every card is in a deck of them; see tests/course.py."""
    lines, difference = first_difference()
    assert not difference
    assert lines > 200
