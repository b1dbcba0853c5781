"""Print the course of some games, move by move: what compiled and interpreted runs must agree on.

    NUMBA_DISABLE_JIT=1 python -m tests.support.course [GAMES SEED]

A line a step: the moves that were legal, the one made, and a digest of the whole state after it.
Without arguments, a sample that takes the interpreter half a minute: every card once in a deck, and
the beginnings of agents' games. With them, about that many games of a fuzz run.
`first_difference` compares the two.
"""

import hashlib
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from itertools import zip_longest
from typing import Any

import numpy as np

from hsevo.cards.decks import read_deck
from hsevo.engine import jit
from hsevo.engine.record.state import RUNNING
from hsevo.play import match
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent
from tests.support import ROOT
from tests.support.dense_games import Plan, dealt, plan
from tests.support.random_games import batch_of, states

BATCH = 20  # games of a fuzz run at once
DECK_SIZE = 13  # of which ten are in hand at once
# Decisions of each agent that are compared, with all their scores.
DECIDED = {"eva:2018": 12, "dl:miller": 6, "gsv?depth=2": 5, "hearthsim?nodes=30": 5}


def digest(state: bytes) -> str:
    """Return a short name of a state."""
    return hashlib.sha256(state).hexdigest()[:12]


def random_course(games: GameBatch, random: np.random.Generator, choose: Any) -> None:
    """Play games, a line a step for all that are still running."""
    print(games.ruleset, *map(digest, states(games)))
    while len(games):
        masks = games.legal_moves()
        moves = choose(masks, random)
        games.step(moves)
        print(*masks.sum(axis=1), *moves, *map(digest, states(games)))
        games = games.take(games.results == RUNNING)


def every_card(ruleset: str, seed: int) -> Plan:
    """Return games of decks that hold every card once, begun with full hands and mana."""
    decks = dealt(ruleset, DECK_SIZE, np.random.default_rng(seed))
    half = len(decks) // 2
    return Plan(ruleset, (decks[:half], decks[-half:]), seed, "plays first", early=True)


def agent_course(spec: str, information: str) -> None:
    """Play the beginning of an agent's game, and print every score to the last bit."""
    decks = tuple(read_deck(name) for name in ("shaman", "mage"))
    table = match.Table(read_agent(spec), match.Setting("cig2018", decks, information))
    table.deal(np.array([(0, 0, 0, 1, 1, 5)], match.PAIRING)[0], 0)
    for _ in range(DECIDED[spec]):
        move = table.decide()
        scores = [score.hex() for score in table.scores.tolist()]
        table.move(move)
        after = batch_of([table.state])
        print(move, *map(digest, states(after)), *scores)


def interpreted_course(*arguments: str) -> list[str]:
    """Return what `python -m tests.support.course` prints without compiled code."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    mode = {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.support.course", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT,
                          env={**os.environ, **mode})
    return done.stdout.splitlines()


def first_difference(*arguments: str) -> tuple[int, str]:
    """Return how many lines a compiled course has, and where the interpreted one parts, or ''."""
    assert not jit.INTERPRETED, "nothing is compiled to compare with"
    with redirect_stdout(StringIO()) as printed:
        main(*arguments)
    compiled, interpreted = printed.getvalue().splitlines(), interpreted_course(*arguments)
    for number, (one, other) in enumerate(zip_longest(compiled, interpreted)):
        if one != other:
            return len(compiled), f"line {number}: compiled {one}\ninterpreted {other}"
    return len(compiled), ""


def main(*arguments: str) -> None:
    """Print the course."""
    if arguments:
        for number in range(-(-int(arguments[0]) // BATCH)):
            random_course(*plan(int(arguments[1]), number, BATCH).begin())
    else:
        random_course(*every_card("cig2018", 20).begin())
        for agent in DECIDED:
            for name in ("fair", "leaky"):
                agent_course(agent, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
