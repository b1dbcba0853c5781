"""Print the course of some games, move by move: what compiled and interpreted runs must agree on.

    NUMBA_DISABLE_JIT=1 python -m tests.course

A line a step: the moves that were legal, the one made, and a digest of the whole state after it.
"""

import hashlib

import numpy as np

from hsevo import match
from hsevo.agents.agent import eva
from hsevo.agents.weights import EVA_2018
from hsevo.cards.decks import read_deck
from hsevo.engine.state import RUNNING
from hsevo.games import Games, legal_moves, results, step
from tests.random_games import begin, pick, states

RANDOM_GAMES = 6
DECIDED = 25  # decisions of the greedy agent that are compared, with all their scores


def digest(state: bytes) -> str:
    """Return a short name of a state."""
    return hashlib.sha256(state).hexdigest()[:12]


def random_course(ruleset: str) -> None:
    """Play random games of random decks."""
    games, random = begin(20, RANDOM_GAMES, ruleset)
    while (results(games) == RUNNING).any():
        masks = legal_moves(games)
        moves = pick(masks, random)
        step(games, moves)
        print(*masks.sum(axis=1), *moves, *map(digest, states(games)))


def greedy_course(information: str) -> None:
    """Play the beginning of a greedy game, and print every score to the last bit."""
    decks = tuple(read_deck(name) for name in ("shaman", "mage"))
    table = match.Table(eva(EVA_2018[None]), match.Setting("cig2018", decks, information))
    table.deal(np.array([(0, 0, 0, 1, 1, 5)], match.PAIRING)[0], 0)
    for _ in range(DECIDED):
        move, g = table.decide(), table.game
        scores = [float(score).hex() for score in g.score[:g.n_moves]]
        table.move(move)
        after = Games(np.array([table.game]).view(np.recarray), "cig2018")
        print(move, *map(digest, states(after)), *scores)


if __name__ == "__main__":
    for name in ("cig2018", "msg2017"):
        random_course(name)
    for name in ("fair", "leaky"):
        greedy_course(name)
