"""Sorting short lists of numbers: decks and graveyards, for what players see of them."""

import numpy as np

from hsevo.engine.jit import I8, VOID, kernel, record

WHICH = 6  # the lowest bits of a key: its index, so that all keys differ
KEYS, TOGETHER, LAST_KEY = 1 << WHICH, 4, 2**31 - 1  # TOGETHER: keys that are compared at a time
# Scratch: the keys, and their places in order.
SORTING = np.dtype([("key", "i4", (KEYS,)), ("place", "i4", (KEYS,))], align=True)
SORTING_T = record(SORTING)


@kernel(VOID(SORTING_T, I8))
def rank(x, n):
    """Set x.place[k] to how many of the first n keys are less than key k; n <= KEYS - TOGETHER.

    All are compared with all, several at a time and without a branch: a deck takes a third of the
    time of an insertion sort.
    """
    width = (n + 15) // 16 * 16  # whole vectors
    for k in range(n, n + TOGETHER):
        x.key[k] = LAST_KEY
    for j in range(width):
        x.place[j] = 0
    for k in range(0, n, TOGETHER):
        a, b, c, d = x.key[k], x.key[k + 1], x.key[k + 2], x.key[k + 3]
        for j in range(width):
            key = x.key[j]
            x.place[j] = x.place[j] + (a < key) + (b < key) + (c < key) + (d < key)
