"""What agents work in: games for look-aheads, and what they note of a decision. One a thread.

It holds nothing between two decisions that a decision depends on (a tree search's tree is apart,
see mcts.py).
"""

import numpy as np

from hsevo.engine.jit import record, records
from hsevo.engine.state import GAME, MOVES, STATE

LEVELS = 15  # actions that a search of the own turn looks ahead at most
ENTRIES = 512  # of a search's table
TRUE, AHEAD = 0, 1  # of `games`: the game that is played, the first of LEVELS for look-aheads

# What the last decision came to. The legal moves are those of the true game's `list_moves`.
DECISION = np.dtype(
    [
        ("simulated", "i8"),  # actions
        ("score", "f8", (MOVES,)),  # what the agent thought of each legal move
        ("value", "f8", (16,)),  # EVA: the minions' values before the action
    ],
    align=True,
)
# A position on the line of actions that search.py follows.
NODE = np.dtype(
    [
        ("cursor", "i8"),  # the move to try next
        ("best", "f8"),  # the worth of the best position found so far
        ("limit", "f8"),  # how many actions may have been simulated when it is done
        ("key", "f8"),  # in the table
    ],
    align=True,
)
ENTRY = np.dtype([("key", "f8"), ("worth", "f8")])
# How often each move was tried by tyche.py, and the places of those that it goes on with.
BOOK = np.dtype([("tried", "i4", (MOVES,)), ("kept", "i4", (MOVES,))])

SCRATCH = np.dtype(
    [
        ("games", GAME, (1 + LEVELS,)),
        ("blank", STATE, (1,)),  # zeroed: what a game begins with
        ("decision", DECISION, (1,)),
        ("node", NODE, (LEVELS,)),
        ("table", ENTRY, (ENTRIES,)),
        ("book", BOOK, (1,)),
    ],
    align=True,
)
SCRATCH_T = record(SCRATCH)
DECISION_T, NODE_T, NODES_T, BOOK_T = record(DECISION), record(NODE), records(NODE), record(BOOK)
