"""The end-to-end network in compiled code: from what is seen to a move, in many games at once.

    act(weights, shape, scratch, games)      draw moves, or say how likely given ones are

It computes what `end_to_end/network.py` does, without what only learning needs: scores of illegal
moves, values, entropies. A few games are computed together, as weights are read once for them; each
game has the same bits in any company.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hsevo.engine.jit import F4, F8, I2, I8, U4, VOID, array, entry_point, kernel, tuple_of
from hsevo.engine.record.codec import PLACES, TARGETS
from hsevo.learning.acting.layers import (
    MATRIX_T,
    ROW_T,
    become_chances,
    copy_row,
    drawn,
    multiply,
    rectified_product,
    rectify,
    remember,
)
from hsevo.types import Array

TOGETHER = 8  # games that are computed together
MOST_ROWS = 16  # of a block


class Weights(NamedTuple):
    """The parameters, float32; widths are padded with zeros (acting/weights.py)."""

    cards: Array  # (CARDS, embedding)
    places: Array  # (.., width): of all blocks, one after the other
    places_bias: Array  # (blocks, width)
    trunk: Array  # (.., lstm)
    trunk_bias: Array  # (lstm,)
    memory: Array  # (2 lstm, 4 lstm): of the input, of the state
    memory_bias: Array  # (4 lstm,)
    nothing: Array  # (width,): the vector of no place
    what: Array  # (width, width): of places
    what_context: Array  # (lstm, width)
    what_kind: Array  # (kinds, width)
    what_score: Array  # (width,)
    at: Array  # (width, width)
    at_context: Array  # (lstm + width, width)
    at_kind: Array  # (kinds, width)
    at_score: Array  # (width,)
    where: Array  # (lstm + width, padded PLACES)
    where_bias: Array  # (padded PLACES,)


class Shape(NamedTuple):
    """Where things are in observations, int64, and what the parts of a move point at."""

    blocks: Array  # (blocks, 9): places, by columns as below
    lists: Array  # (lists, 3): offset, rows, columns
    numbers: Array  # (.., 3): offset, how many, how many with padding
    card: int  # of the decision
    list_scale: Any  # float32
    what_place: Array  # (WHATS,)
    what_kind: Array  # (WHATS,)
    at_place: Array  # (TARGETS,)
    at_kind: Array  # (TARGETS,)
    scaled: Array  # float32 (32,769,): log(1 + n)


# Columns of Shape.blocks: offset, rows and columns in an observation; the first text and how many;
# the first number and how many; the first row in Weights.places, and how many.
OFFSET, ROWS, COLUMNS, TEXTS, N_TEXTS, NUMBERS, N_NUMBERS, FIRST, INPUTS = range(9)


class Scratch(NamedTuple):
    """What is computed of some games, float32."""

    places: Array  # (TOGETHER, places + 1, width)
    pooled: Array  # (TOGETHER, inputs of the trunk)
    trunk: Array  # (TOGETHER, lstm)
    states: Array  # (TOGETHER, 2 lstm): the LSTM's input, its state
    gates: Array  # (TOGETHER, 4 lstm)
    rows: Array  # (MOST_ROWS, widest input of a place)
    vectors: Array  # (MOST_ROWS, width)
    options: Array  # (WHATS, width): vectors of what can be chosen
    hidden: Array  # (WHATS, width)
    context: Array  # (1, lstm + width)
    base: Array  # (1, width)
    scores: Array  # (1, WHATS)
    where: Array  # (1, padded PLACES)
    taken: Array  # int64 (MOST_ROWS,)
    open: Array  # int64 (WHATS,): what can be chosen


class Asked(NamedTuple):
    """The games of a call: n decisions of n players.

    With draws, moves are drawn and written to `chosen`; without, they are read there.
    """

    seen: Array  # int16 (n, SIZE)
    legal: Array  # uint32 (n, WHATS)
    h: Array  # float32 (m, lstm): the memories of m players, which are updated
    c: Array
    players: Array  # int64 (n,): whose memory
    draws: Array  # float64 (n, 3), or (0, 3)
    chosen: Array  # int64 (n, 3)
    chances: Array  # float64 (n,): with which chances moves are chosen


NUMBERS_T, TABLE_T = array(I8, 1), array(I8, 2)
WEIGHTS_T = tuple_of(
    Weights, MATRIX_T, MATRIX_T, MATRIX_T, MATRIX_T, ROW_T, MATRIX_T, ROW_T, ROW_T, MATRIX_T,
    MATRIX_T, MATRIX_T, ROW_T, MATRIX_T, MATRIX_T, MATRIX_T, ROW_T, MATRIX_T, ROW_T)
SHAPE_T = tuple_of(Shape, TABLE_T, TABLE_T, TABLE_T, I8, F4, NUMBERS_T, NUMBERS_T, NUMBERS_T,
                   NUMBERS_T, ROW_T)
SCRATCH_T = tuple_of(Scratch, array(F4, 3), *12 * (MATRIX_T,), NUMBERS_T, NUMBERS_T)
ASKED_T = tuple_of(Asked, array(I2, 2), array(U4, 2), MATRIX_T, MATRIX_T, NUMBERS_T, array(F8, 2),
                   TABLE_T, array(F8, 1))
SEEN_T = array(I2, 1)
_ZERO = np.float32(0)


# -- what is seen -------------------------------------------------------------------------------


@kernel(F4(SHAPE_T, I8), inline=True)
def scaled(m, number):
    """Return sign(x) log(1 + |x|) of an int16."""
    return m.scaled[number] if number >= 0 else -m.scaled[-number]


@kernel(VOID(MATRIX_T, I8, ROW_T, I8), inline=True)
def add_card(cards, card, row, at):
    """Add the embedding of a card to a row, from `at` on."""
    for j in range(cards.shape[1]):
        row[at + j] += cards[card, j]


@kernel(VOID(WEIGHTS_T, SHAPE_T, SCRATCH_T, SEEN_T, I8, I8, I8))
def describe_place(w, m, z, seen, block, k, n):
    """Set row n of the inputs of places to row k of a block, which is not empty."""
    b, row, wide = m.blocks[block], z.rows[n], w.cards.shape[1]
    first, at = np.int64(b[OFFSET] + k * b[COLUMNS]), wide
    row[:] = _ZERO
    add_card(w.cards, np.int64(seen[first]), row, 0)
    if b[N_TEXTS] > 0:
        for i in range(b[N_TEXTS]):
            if seen[first + b[TEXTS] + i] != 0:
                add_card(w.cards, np.int64(seen[first + b[TEXTS] + i]), row, at)
        at += wide
    for i in range(b[N_NUMBERS]):
        row[at + i] = scaled(m, np.int64(seen[first + b[NUMBERS] + i]))


@kernel(I8(WEIGHTS_T, SHAPE_T, SCRATCH_T, SEEN_T, I8, I8, I8))
def look_at_block(w, m, z, seen, game, block, place):
    """Set the vectors of a block's places, from `place` on, and pool them; return how many.

    An empty place has the vector 0.
    """
    b, n, wide = m.blocks[block], 0, w.nothing.shape[0]
    places, pooled, bias = z.places[game], z.pooled[game], w.places_bias[block]
    for k in range(b[ROWS]):
        if seen[b[OFFSET] + k * b[COLUMNS]] > 0:
            describe_place(w, m, z, seen, block, k, n)
            z.taken[n] = k
            n += 1
        places[place + k, :] = _ZERO
    for k in range(n):
        copy_row(bias, z.vectors[k], 0)
    multiply(z.rows, np.int64(b[INPUTS]), w.places, np.int64(b[FIRST]), z.vectors, n)
    at = 2 * wide * block
    for k in range(n):
        for j in range(wide):
            value = max(z.vectors[k, j], _ZERO)
            places[place + z.taken[k], j] = value
            pooled[at + j] += value
            pooled[at + wide + j] = max(pooled[at + wide + j], value)
    return np.int64(b[ROWS])


@kernel(VOID(WEIGHTS_T, SHAPE_T, SCRATCH_T, SEEN_T, I8))
def look(w, m, z, seen, game):
    """Set the vectors of all places, and the inputs of the trunk, for one of the games."""
    pooled, place, wide = z.pooled[game], np.int64(0), w.cards.shape[1]
    pooled[:] = _ZERO
    for block in range(len(m.blocks)):
        place += look_at_block(w, m, z, seen, game, block, place)
    copy_row(w.nothing, z.places[game, place], 0)
    at = 2 * w.nothing.shape[0] * len(m.blocks)
    for k in range(len(m.lists)):
        first, columns = m.lists[k, 0], m.lists[k, 2]
        for i in range(m.lists[k, 1]):
            card = np.int64(seen[first + i * columns])
            if card > 0:
                times = np.float32(seen[first + i * columns + 1] if columns > 1 else 1)
                for j in range(wide):
                    pooled[at + j] += times * w.cards[card, j]
        for j in range(wide):
            pooled[at + j] = np.divide(pooled[at + j], m.list_scale)
        at += wide
    add_card(w.cards, np.int64(seen[m.card]), pooled, at)
    at += wide
    for k in range(len(m.numbers)):
        for i in range(m.numbers[k, 1]):
            pooled[at + i] = scaled(m, np.int64(seen[m.numbers[k, 0] + i]))
        at += m.numbers[k, 2]


# -- a move, part by part -------------------------------------------------------------------------


@kernel(I8(SCRATCH_T, I8, I8), inline=True)
def find_open(z, n, wanted):
    """Return which of the n open options is a wanted one; 0 if none is."""
    for k in range(n):
        if z.open[k] == wanted:
            return k
    return 0


@kernel(I8(SCRATCH_T, ASKED_T, I8, I8, I8))
def take_part(z, q, i, part, n):
    """Draw a part of a move among the n open options with their scores, or find the given one.

    Its chance goes into that of the move. Returns its place among the options.
    """
    scores = z.scores[0]
    total = become_chances(scores, n)
    if len(q.draws) == 0:
        option = find_open(z, n, q.chosen[i, part])
    else:
        option = drawn(scores, n, q.draws[i, part] * total)
        q.chosen[i, part] = z.open[option]
    q.chances[i] *= scores[option] / total
    return option


@kernel(VOID(SCRATCH_T, MATRIX_T, MATRIX_T, ROW_T, NUMBERS_T, I8))
def point(z, place_weights, kind_weights, score_weights, kinds, n):
    """Set the scores of n options, whose vectors are `options`, from the base."""
    for k in range(n):
        kind = kinds[z.open[k]]
        for j in range(len(score_weights)):
            z.hidden[k, j] = z.base[0, j] + kind_weights[kind, j]
    multiply(z.options, len(score_weights), place_weights, 0, z.hidden, n)
    for k in range(n):
        z.scores[0, k] = rectified_product(z.hidden[k], score_weights)


@kernel(I8(WEIGHTS_T, SHAPE_T, SCRATCH_T, ASKED_T, I8, I8))
def choose_what(w, m, z, q, i, game):
    """Choose what to do; return the place that it is about."""
    n, legal = 0, q.legal[i]
    for k in range(len(legal)):
        if legal[k] != 0:
            z.open[n] = k
            n += 1
    if n > 1:
        for k in range(n):
            copy_row(z.places[game, m.what_place[z.open[k]]], z.options[k], 0)
        z.base[:] = _ZERO
        multiply(z.context, w.what_context.shape[0], w.what_context, 0, z.base, 1)
        point(z, w.what, w.what_kind, w.what_score, m.what_kind, n)
    else:
        z.scores[0, 0] = _ZERO
    option = take_part(z, q, i, 0, n)
    return m.what_place[z.open[option]]


@kernel(I8(SCRATCH_T, I8, I8))
def list_bits(z, bits, n):
    """List which of n bits are set as the open options; return how many."""
    count = 0
    for k in range(n):
        if (bits >> k) & 1 == 1:
            z.open[count] = k
            count += 1
    return count


@kernel(VOID(WEIGHTS_T, SHAPE_T, SCRATCH_T, ASKED_T, I8, I8, I8))
def choose_at(w, m, z, q, i, game, bits):
    """Choose at what."""
    n = list_bits(z, bits, TARGETS)
    if n > 1:
        for k in range(n):
            copy_row(z.places[game, m.at_place[z.open[k]]], z.options[k], 0)
        z.base[:] = _ZERO
        multiply(z.context, w.at_context.shape[0], w.at_context, 0, z.base, 1)
        point(z, w.at, w.at_kind, w.at_score, m.at_kind, n)
    else:
        z.scores[0, 0] = _ZERO
    take_part(z, q, i, 1, n)


@kernel(VOID(WEIGHTS_T, SCRATCH_T, ASKED_T, I8, I8))
def choose_where(w, z, q, i, bits):
    """Choose where."""
    n = list_bits(z, bits, PLACES)
    if n > 1:
        copy_row(w.where_bias, z.where[0], 0)
        multiply(z.context, w.where.shape[0], w.where, 0, z.where, 1)
        for k in range(n):
            z.scores[0, k] = z.where[0, z.open[k]]
    else:
        z.scores[0, 0] = _ZERO
    take_part(z, q, i, 2, n)


@kernel(VOID(WEIGHTS_T, SHAPE_T, SCRATCH_T, ASKED_T, I8, I8))
def choose(w, m, z, q, i, game):
    """Choose a move in decision i, by what was seen of it as one of the games."""
    z.context[:] = _ZERO
    copy_row(q.h[q.players[i]], z.context[0], 0)
    q.chances[i] = 1.0
    place = choose_what(w, m, z, q, i, game)
    copy_row(z.places[game, place], z.context[0], q.h.shape[1])
    bits = np.int64(q.legal[i, q.chosen[i, 0]])
    choose_at(w, m, z, q, i, game, bits)
    choose_where(w, z, q, i, bits >> TARGETS)


@kernel(VOID(WEIGHTS_T, SCRATCH_T, ASKED_T, I8, I8))
def update_memories(w, z, q, first, n):
    """Update the memories of n players, from decision `first` on, by what they see."""
    lstm = q.h.shape[1]
    for k in range(n):
        copy_row(w.trunk_bias, z.trunk[k], 0)
        copy_row(w.memory_bias, z.gates[k], 0)
    multiply(z.pooled, w.trunk.shape[0], w.trunk, 0, z.trunk, n)
    for k in range(n):
        rectify(z.trunk[k])
        copy_row(z.trunk[k], z.states[k], 0)
        copy_row(q.h[q.players[first + k]], z.states[k], lstm)
    multiply(z.states, 2 * lstm, w.memory, 0, z.gates, n)
    for k in range(n):
        player = q.players[first + k]
        remember(z.gates[k], q.h[player], q.c[player])


@entry_point(VOID(WEIGHTS_T, SHAPE_T, SCRATCH_T, ASKED_T), "the end-to-end policy")
def act(w, m, z, q):
    """Choose a move in each decision, and update the memories."""
    for first in range(0, len(q.seen), TOGETHER):
        n = min(len(q.seen) - first, TOGETHER)
        for k in range(n):
            look(w, m, z, q.seen[first + k], k)
        update_memories(w, z, q, first, n)
        for k in range(n):
            choose(w, m, z, q, first + k, k)
