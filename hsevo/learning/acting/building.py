"""The branch of the end-to-end network that builds decks, in compiled code: 30 choices of a card.

    build(branch, asked, 0, 30)      the cards of n decks; the network: end_to_end/network.py
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hsevo.engine.jit import F4, F8, I8, VOID, array, entry_point, kernel, tuple_of
from hsevo.learning.acting.layers import (
    MATRIX_T,
    ROW_T,
    become_chances,
    copy_row,
    drawn,
    multiply,
    rectify,
)
from hsevo.types import Array


class Branch(NamedTuple):
    """The parameters, float32, padded as in acting/weights.py; k: cards in the pool."""

    cards: Array  # (k, embedding)
    heroes: Array  # (classes, embedding)
    # (2 embedding + STEP, width): of the hero, the cards so far, their number; or (3 embedding +
    # STEP, width): of the other player's cards, too, before their number.
    hidden: Array
    hidden_bias: Array  # (width,)
    query: Array  # (width, width)
    query_bias: Array  # (width,)
    key: Array  # (embedding, width)
    key_bias: Array  # (width,)
    root: Any  # float32: scores are divided by it
    list_scale: Any  # float32
    peeks: Any  # int64, 1: whether `hidden` has the cards of the other player, too


class Drafted(NamedTuple):
    """Decks of `size` cards to build, n of them, and what became of them; and memory for that."""

    owners: Array  # int64 (n,): classes
    uniform: Array  # int64 (n,): how many cards are drawn uniformly
    draws: Array  # float64 (n, size), in [0, 1)
    most: Array  # int64 (classes, k): copies that a deck may have
    theirs: Array  # int64 (n, size): what the other player chose, -1: a card out of the pool
    peeks: Array  # int64 (n,): how many of these are seen
    picks: Array  # int64 (n, size)
    chances: Array  # float64 (n, size)
    keys: Array  # (width, k)
    counts: Array  # int64 (k,)
    open: Array  # int64 (k,)
    rows: Array  # (k, width): keys before they are transposed
    inputs: Array  # (1, 2 embedding + STEP)
    layer: Array  # (1, width)
    query: Array  # (1, width)
    scores: Array  # (1, k)
    of_open: Array  # (k,)


NUMBERS_T, TABLE_T = array(I8, 1), array(I8, 2)
BRANCH_T = tuple_of(Branch, MATRIX_T, MATRIX_T, MATRIX_T, ROW_T, MATRIX_T, ROW_T, MATRIX_T, ROW_T,
                    F4, F4, I8)
DRAFTED_T = tuple_of(Drafted, NUMBERS_T, NUMBERS_T, array(F8, 2), TABLE_T, TABLE_T,
                     NUMBERS_T, TABLE_T, array(F8, 2), MATRIX_T, NUMBERS_T, NUMBERS_T,
                     *5 * (MATRIX_T,), ROW_T)
_ZERO = np.float32(0)


def drafted(branch: Branch, owners: Array, uniform: Array, draws: Array, most: Array,
            peeks: Array) -> Drafted:
    """Return decks to build."""
    k, width = len(branch.cards), branch.query.shape[0]

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, np.float32)

    return Drafted(
        owners, uniform, np.ascontiguousarray(draws), most, np.full(draws.shape, -1), peeks,
        np.zeros(draws.shape, np.int64), np.zeros(draws.shape), zeros(width, k),
        np.zeros(k, np.int64), np.zeros(k, np.int64), zeros(k, width),
        zeros(1, branch.hidden.shape[0]), zeros(1, width), zeros(1, width), zeros(1, k), zeros(k))


@kernel(VOID(BRANCH_T, DRAFTED_T))
def set_keys(w, d):
    """Set the keys of all cards, which scores compare with what is wanted."""
    for k in range(len(w.cards)):
        copy_row(w.key_bias, d.rows[k], 0)
    multiply(w.cards, w.cards.shape[1], w.key, 0, d.rows, len(w.cards))
    for k in range(len(w.cards)):
        for j in range(len(w.key_bias)):
            d.keys[j, k] = d.rows[k, j]


@kernel(VOID(BRANCH_T, DRAFTED_T, I8, I8))
def score(w, d, i, step):
    """Set the scores of all cards for the next choice of deck i."""
    wide, row = w.cards.shape[1], d.inputs[0]
    row[:] = _ZERO
    for k in range(step):
        for j in range(wide):
            row[wide + j] += w.cards[d.picks[i, k], j]
    for j in range(wide):
        row[j] = w.heroes[d.owners[i], j]
        row[wide + j] /= w.list_scale
    if w.peeks:
        for k in range(min(step, d.peeks[i])):
            if d.theirs[i, k] >= 0:
                for j in range(wide):
                    row[2 * wide + j] += w.cards[d.theirs[i, k], j]
        for j in range(wide):
            row[2 * wide + j] /= w.list_scale
    row[(2 + w.peeks) * wide] = np.float32(step) / np.float32(d.draws.shape[1])
    copy_row(w.hidden_bias, d.layer[0], 0)
    copy_row(w.query_bias, d.query[0], 0)
    multiply(d.inputs, len(row), w.hidden, 0, d.layer, 1)
    rectify(d.layer[0])
    d.scores[:] = _ZERO
    multiply(d.layer, w.query.shape[0], w.query, 0, d.query, 1)
    multiply(d.query, w.query.shape[0], d.keys, 0, d.scores, 1)


@kernel(VOID(BRANCH_T, DRAFTED_T, I8, I8))
def pick(w, d, i, step):
    """Make a choice of deck i by the scores."""
    n, forced = 0, step < d.uniform[i]
    for k in range(len(d.counts)):
        if d.counts[k] < d.most[d.owners[i], k]:
            d.open[n] = k
            d.of_open[n] = _ZERO if forced else d.scores[0, k] / w.root
            n += 1
    total = become_chances(d.of_open, n)
    option = drawn(d.of_open, n, d.draws[i, step] * total)
    d.picks[i, step] = d.open[option]
    d.chances[i, step] = d.of_open[option] / total
    d.counts[d.open[option]] += 1


@entry_point(VOID(BRANCH_T, DRAFTED_T, I8, I8), "the end-to-end policy")
def build(w, d, first, last):
    """Choose the cards of all decks from `first` on, before `last`."""
    if first == 0:
        set_keys(w, d)
    for i in range(len(d.owners)):
        d.counts[:] = 0
        for step in range(first):
            d.counts[d.picks[i, step]] += 1
        for step in range(first, last):
            score(w, d, i, step)
            pick(w, d, i, step)
