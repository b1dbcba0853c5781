"""The network of the learned policy: from what is seen of a position to the log-odds of winning.

    minion -- MINION facts, its card -- HIDDEN, summed over a side's minions --.
    players and game -- GLOBAL facts ------------------------------------------ WIDE - LAST - 1
    own hand -- its cards -----------------------------------------------------'

Each layer is rectified but the last. All is integer arithmetic with fixed shifts, which gives the
same bits on every machine: facts (features.py) and activations are in units of 1 / ONE, weights
of 1 / WEIGHT, sums of 1 / LOGIT. A card has a row of weights in each of two tables.

Positions after the actions of one decision differ in little. So the sums of the last position are
kept, and only what differs is added; integers give the same sums in any order.
"""

import numpy as np

from hsevo.agents.features import FEATURES_T, GLOBAL, GROUPS, HELD, MINION, ONE, SIDES
from hsevo.engine.jit import BOOL, I8, VOID, kernel, record, records
from hsevo.engine.state import BOARD

CARDS = 2048  # as many as tables.MAX_CARDS
SHIFT = 10
WEIGHT = 1 << SHIFT  # 1.0 as a weight
LOGIT = ONE * WEIGHT  # 1.0 as a sum
CERTAIN = 20 * LOGIT  # log-odds of what is decided
HIDDEN, WIDE, LAST = 32, 64, 32
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
# Scratch: the sums and activations of the last position.
LAYERS = np.dtype([
    ("minion", "i4", (2 * BOARD, HIDDEN)),  # activations by group
    ("both", "i4", (2 * HIDDEN,)),  # their sums by side
    ("fresh", "i4", (2 * HIDDEN,)),  # the same of the new position
    ("wide", "i4", (WIDE,)),  # sums
    ("last", "i4", (LAST,)),
    ("change", "i4", (CARDS,)),  # of facts or cards; 0 between two calls
    # HIDDEN and LAST, as numbers that the compiler does not know: it would write out loops over
    # them, and only for longer loops does it use vector instructions.
    ("hidden", "i8"),
    ("narrow", "i8"),
], align=True)
NET_T, NETS_T, LAYERS_T = record(NET), records(NET), record(LAYERS)


@kernel(VOID(FEATURES_T, LAYERS_T))
def forget(f, x):
    """Set the last position, f, to an empty one."""
    x.hidden, x.narrow = HIDDEN, LAST
    f.n = 0
    for k in range(GROUPS + 1):
        f.begin[k] = 0
    for j in range(2 * HIDDEN):
        x.both[j] = 0
    for j in range(WIDE):
        x.wide[j] = 0


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


@kernel(VOID(NET_T, FEATURES_T, LAYERS_T, I8))
def weigh_minion(net, f, x, group):
    """Compute the activations of a minion."""
    k, end, side = np.int64(f.begin[group]), np.int64(f.begin[group + 1]), group // BOARD
    card, n = f.index[k], np.int64(x.hidden)
    for j in range(n):
        x.minion[group, j] = np.int32(net.card[card, j]) * ONE
    for i in range(k + 1, end):
        row, value = f.index[i], np.int32(f.value[i])
        for j in range(n):
            x.minion[group, j] += value * np.int32(net.minion[side, row, j])
    for j in range(n):
        x.minion[group, j] = max(x.minion[group, j], 0) >> SHIFT


@kernel(VOID(NET_T, FEATURES_T, FEATURES_T, LAYERS_T))
def update_minions(net, e, f, x):
    """Go from the minions of position e to those of f."""
    for j in range(2 * HIDDEN):
        x.fresh[j] = 0
    for group in range(2 * BOARD):
        if f.begin[group] == f.begin[group + 1]:
            continue
        if not is_same(e, f, group):
            weigh_minion(net, f, x, group)
        first = HIDDEN * (group // BOARD)
        for j in range(x.hidden):
            x.fresh[first + j] += x.minion[group, j]
    for i in range(2 * HIDDEN):
        change = np.int32(x.fresh[i] - x.both[i])
        if change != 0:
            x.both[i] = x.fresh[i]
            for j in range(WIDE):
                x.wide[j] += change * np.int32(net.first[GLOBAL + i, j])


@kernel(VOID(FEATURES_T, LAYERS_T, I8, I8), inline=True)
def count_group(f, x, group, sign):
    """Add the entries of a group to the changes."""
    for i in range(np.int64(f.begin[group]), np.int64(f.begin[group + 1])):
        x.change[f.index[i]] += sign * np.int32(f.value[i])


@kernel(VOID(NET_T, FEATURES_T, LAYERS_T, I8))
def apply_group(net, f, x, group):
    """Add the changes of a group's entries to the sums, each once."""
    for i in range(np.int64(f.begin[group]), np.int64(f.begin[group + 1])):
        row = f.index[i]
        change = np.int32(x.change[row])
        if change != 0:
            x.change[row] = 0
            if group == SIDES:
                for j in range(WIDE):
                    x.wide[j] += change * np.int32(net.first[row, j])
            else:
                for j in range(WIDE):
                    x.wide[j] += change * np.int32(net.held[row, j])


@kernel(I8(NET_T, FEATURES_T, FEATURES_T, LAYERS_T))
def log_odds(net, e, f, x):
    """Return the log-odds of winning from position f, in units of 1 / LOGIT.

    x has the sums of position e, and gets those of f.
    """
    update_minions(net, e, f, x)
    for group in range(SIDES, HELD + 1):
        count_group(f, x, group, 1)
        count_group(e, x, group, -1)
        apply_group(net, f, x, group)
        apply_group(net, e, x, group)
    return last_layers(net, x)


@kernel(I8(NET_T, LAYERS_T))
def last_layers(net, x):
    """Return the log-odds from the sums of the wide layer."""
    n = np.int64(x.narrow)
    for j in range(n):
        x.last[j] = net.bias[j]
    for i in range(WIDE):
        value = np.int32(max(x.wide[i], 0) >> SHIFT)
        if value != 0:
            for j in range(n):
                x.last[j] += value * np.int32(net.second[i, j])
    total = np.int64(net.bias[LAST])
    for j in range(LAST):
        total += (max(x.last[j], 0) >> SHIFT) * np.int64(net.third[j])
    return min(max(total, -CERTAIN), CERTAIN)
