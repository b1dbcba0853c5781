"""The network of the learned policy: from what is seen of a position to the log-odds of winning.

    minion -- MINION facts, its card -- HIDDEN, summed over a side's minions --.
    players and game -- GLOBAL facts ------------------------------------------ WIDE - LAST - 1
    own hand -- its cards -----------------------------------------------------'

Each layer is rectified but the last. All is integer arithmetic with fixed shifts, which gives the
same bits on every machine: facts (features.py) and activations are in units of 1 / ONE, weights
of 1 / WEIGHT, sums of 1 / LOGIT. A card has a row of weights in each of two tables.

Positions after the actions of one decision differ in little. So the sums of the last position are
kept, and only the rows of weights in which the new one differs are added; integers give the same
sums in any order.
"""

import numpy as np

from hsevo.agents.agent import AGENT_T
from hsevo.agents.features import (
    FACTS,
    FEATURES_T,
    GLOBAL,
    GROUPS,
    HELD,
    MINION,
    MOST,
    ONE,
    SIDES,
)
from hsevo.engine.jit import BOOL, I2, I4, I8, VOID, array, kernel, record, records
from hsevo.engine.state import BOARD

CARDS = 2048  # as many as tables.MAX_CARDS
SHIFT = 10
WEIGHT = 1 << SHIFT  # 1.0 as a weight
LOGIT = ONE * WEIGHT  # 1.0 as a sum
CERTAIN = 20 * LOGIT  # log-odds of what is decided
HIDDEN, WIDE, LAST = 32, 64, 32
BLOCK = 4  # rows of weights that are added at a time
NET = np.dtype([
    ("minion", "i2", (2, MINION, HIDDEN)),  # of the own side, of the other
    ("card", "i2", (CARDS, HIDDEN)),  # of minions
    ("first", "i2", (GLOBAL + 2 * HIDDEN, WIDE)),  # the sums of the minions come last
    ("held", "i2", (CARDS, WIDE)),  # of cards in hand
    ("second", "i2", (WIDE, LAST)),
    ("third", "i2", (LAST,)),
    ("bias", "i4", (LAST + 1,)),
], align=True)
# The trainable weights: the same in floats.
WEIGHTS = np.dtype([(name, "f4", NET[name].shape) for name in NET.names or ()], align=True)
# What a minion adds to the sums of the wide layer. Other positions, also those of later decisions,
# have the same minions, so what was computed last is kept.
SUMMAND = np.dtype([
    ("net", "f8", (2,)),  # its digest
    ("side", "i4"),
    ("n", "i4"),  # entries in FEATURES; 0: nothing is kept here
    ("index", "u2", (FACTS,)),
    ("value", "i2", (FACTS,)),
    ("wide", "i4", (WIDE,)),
], align=True)
KEPT = 256  # a power of two; with 64 a third more are computed again
# Scratch: the sums and activations of the last position.
LAYERS = np.dtype([
    ("kept", SUMMAND, (KEPT,)),
    ("minion", "i4", (2 * BOARD, WIDE)),  # of which sums
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
NET_T, NETS_T, LAYERS_T, SUMMAND_T = record(NET), records(NET), record(LAYERS), record(SUMMAND)
ROWS_T, SUMS_T = array(I2, 2), array(I4, 1)
PAST = 1 << 16  # beyond all rows


@kernel(VOID(FEATURES_T, LAYERS_T))
def forget(f, x):
    """Set the last position, f, to an empty one."""
    x.n_hidden, x.n_wide, x.n_last = HIDDEN, WIDE, LAST
    f.n = 0
    for k in range(GROUPS + 1):
        f.begin[k] = 0
    x.minion[:] = 0
    x.wide[:] = 0


@kernel(BOOL(FEATURES_T, FEATURES_T, I8))
def is_same(e, f, group):
    """Return whether a group of two positions has the same entries."""
    i, k = np.int64(e.begin[group]), np.int64(f.begin[group])
    n = np.int64(f.begin[group + 1]) - k
    if e.begin[group + 1] - i != n:
        return False
    for j in range(n):
        if e.index[i + j] != f.index[k + j] or e.value[i + j] != f.value[k + j]:
            return False
    return True


@kernel(I8(LAYERS_T, I8, I8, I8), inline=True)
def list_row(x, n, row, times):
    """List a row of weights, after n others, to be added so often; return how many there are.

    One that is not needed is overwritten by the next: cheaper than a branch.
    """
    x.row[n], x.times[n] = row, times
    return n + (times != 0)


@kernel(VOID(ROWS_T, LAYERS_T, I8, SUMS_T, I8))
def add_rows(weights, x, n, sums, width):
    """Add the n listed rows of weights to sums.

    Several at a time, for each sum has to be read and written again.
    """
    for i in range(n, n + BLOCK):
        x.row[i], x.times[i] = 0, 0
    for i in range(0, n, BLOCK):
        a, b, c, d = x.row[i], x.row[i + 1], x.row[i + 2], x.row[i + 3]
        k, m, p, q = x.times[i], x.times[i + 1], x.times[i + 2], x.times[i + 3]
        for j in range(width):
            sums[j] += (k * np.int32(weights[a, j]) + m * np.int32(weights[b, j])
                        + p * np.int32(weights[c, j]) + q * np.int32(weights[d, j]))


@kernel(I8(FEATURES_T, I8))
def place_of(f, group):
    """Return the place among those kept of what a minion adds."""
    total = np.int32(group // BOARD)
    for i in range(np.int64(f.begin[group]), np.int64(f.begin[group + 1])):
        total += (np.int32(f.index[i]) * 73 + 1) * (np.int32(f.value[i]) * 11 + 5)
    return (total ^ total >> 9 ^ total >> 17) & (KEPT - 1)


@kernel(BOOL(SUMMAND_T, AGENT_T, FEATURES_T, I8))
def is_kept(z, a, f, group):
    """Return whether what is kept in z is what a minion adds to the sums in the net of agent a."""
    k = np.int64(f.begin[group])
    if z.n != f.begin[group + 1] - k or z.side != group // BOARD:
        return False
    if z.net[0] != a.w[0] or z.net[1] != a.w[1]:
        return False
    for i in range(z.n):
        if z.index[i] != f.index[k + i] or z.value[i] != f.value[k + i]:
            return False
    return True


@kernel(VOID(SUMMAND_T, AGENT_T, FEATURES_T, I8))
def label(z, a, f, group):
    """Store of which minion, and of which net, z is."""
    k = np.int64(f.begin[group])
    z.n, z.side = f.begin[group + 1] - k, group // BOARD
    z.net[0], z.net[1] = a.w[0], a.w[1]
    for i in range(z.n):
        z.index[i], z.value[i] = f.index[k + i], f.value[k + i]


@kernel(VOID(NET_T, FEATURES_T, LAYERS_T, I8, SUMMAND_T))
def weigh_minion(net, f, x, group, z):
    """Set z.wide to what a minion adds to the sums."""
    first, side, n = np.int64(f.begin[group]), group // BOARD, 0
    card = f.index[first]
    for j in range(x.n_hidden):
        x.hidden[j] = np.int32(net.card[card, j]) * ONE
    for i in range(first + 1, np.int64(f.begin[group + 1])):
        n = list_row(x, n, f.index[i], f.value[i])
    add_rows(net.minion[side], x, n, x.hidden[:], x.n_hidden)
    n = 0
    for j in range(HIDDEN):
        n = list_row(x, n, GLOBAL + HIDDEN * side + j, max(x.hidden[j], 0) >> SHIFT)
    z.wide[:] = 0
    add_rows(net.first[:], x, n, z.wide[:], x.n_wide)


@kernel(VOID(NET_T, AGENT_T, FEATURES_T, LAYERS_T, I8))
def update_minion(net, a, f, x, group):
    """Go to another minion of a group, or to none."""
    if f.begin[group] == f.begin[group + 1]:
        for j in range(x.n_wide):
            x.wide[j] -= x.minion[group, j]
            x.minion[group, j] = 0
        return
    z = x.kept[place_of(f, group)]
    if not is_kept(z, a, f, group):
        label(z, a, f, group)
        weigh_minion(net, f, x, group, z)
    for j in range(x.n_wide):
        x.wide[j] += z.wide[j] - x.minion[group, j]
        x.minion[group, j] = z.wide[j]


@kernel(I8(FEATURES_T, FEATURES_T, LAYERS_T, I8))
def list_changes(e, f, x, group):
    """List the rows in which a group of position f differs from that of e; return how many.

    Goes through both as if they were sorted, as they nearly are: where they are not, a row can be
    listed twice, which gives the same sums.
    """
    i, i_end = np.int64(e.begin[group]), np.int64(e.begin[group + 1])
    k, k_end = np.int64(f.begin[group]), np.int64(f.begin[group + 1])
    n = 0
    while i < i_end or k < k_end:
        old = np.int64(e.index[i]) if i < i_end else PAST
        new = np.int64(f.index[k]) if k < k_end else PAST
        if old == new:
            n = list_row(x, n, new, np.int64(f.value[k]) - np.int64(e.value[i]))
            i, k = i + 1, k + 1
        elif new < old:
            n = list_row(x, n, new, f.value[k])
            k += 1
        else:
            n = list_row(x, n, old, -np.int64(e.value[i]))
            i += 1
    return n


@kernel(I8(NET_T, AGENT_T, FEATURES_T, FEATURES_T, LAYERS_T))
def log_odds(net, a, e, f, x):
    """Return the log-odds of winning from position f, in units of 1 / LOGIT.

    x has the sums of position e, and gets those of f. net: that of agent a.
    """
    for group in range(2 * BOARD):
        if not is_same(e, f, group):
            update_minion(net, a, f, x, group)
    add_rows(net.first[:], x, list_changes(e, f, x, SIDES), x.wide[:], x.n_wide)
    add_rows(net.held[:], x, list_changes(e, f, x, HELD), x.wide[:], x.n_wide)
    return last_layers(net, x)


@kernel(I8(NET_T, LAYERS_T))
def last_layers(net, x):
    """Return the log-odds from the sums of the wide layer."""
    n = np.int64(x.n_last)
    for j in range(n):
        x.last[j] = net.bias[j]
    for i in range(WIDE):  # all: the few that are 0 cost less than to leave them out
        x.row[i], x.times[i] = i, max(x.wide[i], 0) >> SHIFT
    add_rows(net.second[:], x, WIDE, x.last[:], n)
    total = np.int64(net.bias[LAST])
    for j in range(n):
        total += (max(x.last[j], 0) >> SHIFT) * np.int64(net.third[j])
    return min(max(total, -CERTAIN), CERTAIN)
