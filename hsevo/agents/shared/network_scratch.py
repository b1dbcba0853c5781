"""Scratch memory of a learned player's network: what it sees of a position, and its sums.

The record of all scratch memory (scratch.py) has room for both, so they stand below the network.
"""

import numpy as np

from hsevo.engine.jit import record
from hsevo.engine.record.state import BOARD

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
    ("kept", SUMMAND, (KEPT,)),
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
