"""Scratch memory of agents, one per thread: games of look-aheads, data of decisions and networks.

No decision depends on what an earlier one left in it (the tree of a tree search is separate, see
mcts/uct.py). A learned player's network has its own for what it sees of a position, and
for its sums.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.engine.jit import record
from hsevo.engine.record.state import BOARD, DECK, GAME, HAND, MOVES, SECRETS, STATE
from hsevo.engine.view.observe import SORTING

# What is seen of a position, see network/features.py.
GROUPS, MOST = 2 * BOARD + 6, 800
FEATURES = np.dtype([
    ("begin", "u2", (GROUPS + 1,)),
    ("n", "i4"),
    ("known", "i4"),
    ("index", "u2", (MOST,)),
    ("value", "i2", (MOST,)),
], align=True)
FEATURES_T = record(FEATURES)

# Widths of the network's layers, see network/network.py.
HIDDEN, WIDE, LAST = 32, 64, 32
BLOCK = 4  # rows of weights that are added at a time
# What a minion adds to the sums of the wide layer. Other positions, also those of later decisions,
# have the same minions, so what was computed last is kept.
SUMMAND = np.dtype([
    ("net", "f8", (2,)),  # its digest
    ("side", "i8"),  # 0: an own minion, 1: one of the opponent's
    ("key", "i8", (2,)),  # features.key_of_minion; zeros: nothing is kept here
    ("wide", "i4", (WIDE,)),
], align=True)
KEPT = 256  # a power of two
# Scratch: the sums and activations of the last position.
LAYERS = np.dtype([
    ("summands", SUMMAND, (KEPT,)),
    ("minion", "i4", (2 * BOARD, WIDE)),  # of which sums
    ("key", "i8", (2 * BOARD, 2)),  # of these minions; zeros: none
    ("wide", "i4", (WIDE,)),  # sums
    ("hidden", "i4", (HIDDEN,)),  # activations of a minion
    ("last", "i4", (LAST,)),
    # The next rows of weights to add, and how often each (in units as those of the input).
    ("row", "u4", (2 * MOST + BLOCK,)),
    ("times", "i4", (2 * MOST + BLOCK,)),
    # HIDDEN, WIDE and LAST, as numbers that the compiler does not know: it would write out loops
    # over them, and only for longer loops does it use vector instructions.
    ("n_hidden", "i8"),
    ("n_wide", "i8"),
    ("n_last", "i8"),
], align=True)


ENDS = 16  # most ends of the own turn that a search remembers
LEVELS = 15  # most actions that a search of the own turn looks ahead
ENTRIES = 512  # of a search's table
TRUE, AHEAD = 0, 1  # of `games`: the game being played, the first of LEVELS for look-aheads

# Data of the last decision. The legal moves are those of the true game's `list_moves`.
DECISION = np.dtype(
    [
        ("simulated", "i8"),  # actions examined, also those scored without a simulation
        ("score", "f8", (MOVES,)),  # the agent's scores of the legal moves
        ("value", "f8", (16,)),  # EVA: the minions' values before the action
        ("further", "f8", (2,)),  # EVA: each side's sum of the further terms before it
    ],
    align=True,
)
# A position on the current line of actions in turn_search/search.py.
NODE = np.dtype(
    [
        ("cursor", "i8"),  # the move to try next
        ("best", "f8"),  # the score of the best position found so far
        ("limit", "f8"),  # simulated actions at which its search must end
        ("key", "f8"),  # in the table
        ("sign", "u8"),  # search.sign_of the position
        ("closed", "u8"),  # signs of the positions at this level whose search has ended, as bits
    ],
    align=True,
)
# The score of a position, and the decision in which it was found.
ENTRY = np.dtype([("key", "f8"), ("worth", "f8"), ("number", "i8")])
# An end of the own turn that turn_search/reply.py follows into the opponent's; its state is in
# `states`.
END_OF_TURN = np.dtype(
    [
        ("value", "f8"),  # its score before the reply
        ("key", "f8"),  # of the position
        ("first", "i8"),  # the index of the action that leads there, in the true game's moves
    ],
    align=True,
)
# How often turn_search/tyche.py tried each move, and the indices of the moves that it keeps.
BOOK = np.dtype([("tried", "i4", (MOVES,)), ("better", "i4", (MOVES,))])
# What shared/secrets.py guesses, and what came of it.
GUESSES = np.dtype(
    [
        ("cards", "u2", (SECRETS + HAND + DECK,)),  # n_cards different secrets
        ("n_cards", "i8"),
        ("chosen", "i8", (SECRETS,)),  # the next guess: indices into `cards`
        ("dealt", "i8"),  # 1: guesses are random instead
        ("worst", "f8"),  # the score of the best move in the worst guess so far
        ("move", "i8"),  # that move
        ("score", "f8", (MOVES,)),  # of the moves in that guess
        ("simulated", "i8"),  # actions examined in all guesses
    ],
    align=True,
)

SCRATCH = np.dtype(
    [
        ("games", GAME, (1 + LEVELS,)),
        ("blank", STATE, (1,)),  # zeros, to begin a game with
        ("decision", DECISION, (2,)),  # the second: the opponent's, in turn_search/reply.py
        ("node", NODE, (LEVELS,)),
        ("table", ENTRY, (ENTRIES,)),
        ("number", "i8"),  # of the decision, from 1: entries of others count as empty
        ("book", BOOK, (1,)),
        ("ends", END_OF_TURN, (ENDS,)),  # the first n_ends, in no order
        ("states", STATE, (ENDS,)),
        ("n_ends", "i8"),
        ("features", FEATURES, (2,)),  # of a position that network/value.py looks at, and the last
        ("seen", "i8"),  # which of them is the last
        ("layers", LAYERS, (1,)),  # of its network
        ("known", "i8", (1 + LEVELS,)),  # cards in hand that network/features.py knows, in `games`
        ("log_odds", "i8", (MOVES,)),  # after each move, in units of 1 / network.LOGIT
        ("policy", "i8", (MOVES,)),  # network/value.ask_policy
        ("adviser", AGENT, (1,)),  # which decides by the policy alone
        ("sorting", SORTING, (1,)),  # of observations
        ("guesses", GUESSES, (1,)),
        ("unguessed", STATE, (1,)),  # the true game, while its secrets are guesses
        ("true", STATE, (1,)),  # the true game, while an agent decides by what it believes
    ],
    align=True,
)
SCRATCH_T = record(SCRATCH)
GUESSES_T = record(GUESSES)
DECISION_T, NODE_T, BOOK_T = record(DECISION), record(NODE), record(BOOK)
