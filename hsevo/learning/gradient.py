"""The learner's arithmetic, compiled: the network in floats, its gradient, TD(lambda) and Adam.

Numbers in brackets, as (3), are equations of docs/pages/explanation/learning.md.

Rows of cards may be composed of what the cards say (learner.py): `compose`, `spread`.

The network is agents/network's, in float32. Samples are play/samples.py's: positions after the
actions of a player, in the order of the game. All loops add up in a fixed order, so results do not
depend on the number of threads.
"""

import math

import numpy as np

from hsevo.agents.network.features import (
    DECK_LEFT,
    ENEMY,
    GLOBAL,
    HELD,
    ONE,
    OWN,
    REST,
    SIDES,
)
from hsevo.agents.network.network import WEIGHTS
from hsevo.agents.shared.scratch import GROUPS, HIDDEN, LAST, WIDE
from hsevo.engine.jit import F4, F8, I8, VOID, array, entry_point, kernel, record
from hsevo.engine.record.state import BOARD
from hsevo.play.samples import HEAD, SAMPLES_T, WORDS_T

# Activations of one position, and what goes back through them.
PASS = np.dtype([
    ("minion", "f4", (2 * BOARD, HIDDEN)), ("both", "f4", (2 * HIDDEN,)), ("wide", "f4", (WIDE,)),
    ("last", "f4", (LAST,)), ("d_both", "f4", (2 * HIDDEN,)), ("d_wide", "f4", (WIDE,)),
    ("d_last", "f4", (LAST,)), ("d_minion", "f4", (HIDDEN,)),
    ("second", "f4", (LAST, WIDE)),  # transposed
    ("first", "f4", (WIDE, 2 * HIDDEN)),  # of the minions' sums, transposed
], align=True)
W_T, PASS_T = record(WEIGHTS), record(PASS)
FLOATS_T, FLOATS_2_T, ORDER_T = array(F4, 1), array(F4, 2), array(I8, 1)
BLOCK = 64  # weights that Adam changes at a time
_UNIT, _ZERO, _1 = np.float32(1.0 / ONE), np.float32(0.0), np.float32(1.0)


@kernel(F4(WORDS_T, I8), inline=True)
def value_at(words, at):
    """Return a feature's value, an int16, as a number."""
    # Words are uint16 (play/samples.py); values may be negative and are in units of 1 / ONE.
    return np.float32(np.int16(words[at])) * _UNIT


@kernel(VOID(FLOATS_2_T, WORDS_T, I8, I8, I8, FLOATS_T), inline=True)
def add_rows(weights, words, at, n, group, sums):
    """Add to sums (WIDE,) the rows of weights that the entries of a group stand for."""
    for i in range(np.int64(words[at + group]), np.int64(words[at + group + 1])):
        row, value = words[at + HEAD + i], value_at(words, at + HEAD + n + i)
        for j in range(WIDE):
            sums[j] += value * weights[row, j]


@kernel(VOID(FLOATS_2_T, WORDS_T, I8, I8, I8, FLOATS_T), inline=True)
def add_to_rows(gradient, words, at, n, group, slopes):
    """Add slopes (WIDE,) to the rows that the entries of a group stand for."""
    for i in range(np.int64(words[at + group]), np.int64(words[at + group + 1])):
        row, value = words[at + HEAD + i], value_at(words, at + HEAD + n + i)
        for j in range(WIDE):
            gradient[row, j] += value * slopes[j]


@kernel(VOID(W_T, WORDS_T, I8, I8, PASS_T))
def forward_minions(w, words, at, n, x):
    """Compute the activations of all minions and their sums."""
    for j in range(2 * HIDDEN):
        x.both[j] = _ZERO
    for group in range(2 * BOARD):
        k, end = np.int64(words[at + group]), np.int64(words[at + group + 1])
        if k == end:  # no minion here; `backward_minions` skips the old activations likewise
            continue
        side = group // BOARD
        card = words[at + HEAD + k]  # the first entry, whose value is 1.0
        for j in range(HIDDEN):
            x.minion[group, j] = w.card[card, j]
        for i in range(k + 1, end):
            row, value = words[at + HEAD + i], value_at(words, at + HEAD + n + i)
            for j in range(HIDDEN):
                x.minion[group, j] += value * w.minion[side, row, j]
        for j in range(HIDDEN):
            x.minion[group, j] = max(x.minion[group, j], _ZERO)
            x.both[HIDDEN * side + j] += x.minion[group, j]


@kernel(VOID(W_T, WORDS_T, I8, I8, PASS_T))
def forward_wide(w, words, at, n, x):
    """Compute the activations of the wide layer."""
    for j in range(WIDE):
        x.wide[j] = _ZERO
    add_rows(w.first[:], words, at, n, SIDES, x.wide[:])
    add_rows(w.held[:], words, at, n, HELD, x.wide[:])
    add_rows(w.own[:], words, at, n, OWN, x.wide[:])
    add_rows(w.enemy[:], words, at, n, ENEMY, x.wide[:])
    add_rows(w.left[:], words, at, n, DECK_LEFT, x.wide[:])
    add_rows(w.rest[:], words, at, n, REST, x.wide[:])
    for i in range(2 * HIDDEN):
        value = x.both[i]
        if value != _ZERO:  # sums of rectified units are often 0, and a row of weights takes long
            for j in range(WIDE):
                x.wide[j] += value * w.first[GLOBAL + i, j]
    for j in range(WIDE):
        x.wide[j] = max(x.wide[j], _ZERO)


@kernel(F8(W_T, WORDS_T, I8, I8, PASS_T))
def forward(w, words, at, n, x):
    """Return the log-odds of a position; x keeps the activations."""
    forward_minions(w, words, at, n, x)
    forward_wide(w, words, at, n, x)
    for j in range(LAST):
        x.last[j] = w.bias[j]
    for i in range(WIDE):
        value = x.wide[i]
        if value != _ZERO:
            for j in range(LAST):
                x.last[j] += value * w.second[i, j]
    total = np.float64(w.bias[LAST])
    for j in range(LAST):
        x.last[j] = max(x.last[j], _ZERO)
        total += x.last[j] * w.third[j]
    return total


@kernel(VOID(W_T, PASS_T))
def transpose(w, x):
    """Transpose the layers that the gradient goes back through."""
    # The loops of the backward pass then read memory in order.
    for i in range(WIDE):
        for j in range(LAST):
            x.second[j, i] = w.second[i, j]
    for i in range(2 * HIDDEN):
        for j in range(WIDE):
            x.first[j, i] = w.first[GLOBAL + i, j]


@kernel(VOID(W_T, W_T, PASS_T, PASS_T, F8))
def backward_last(w, d, x, y, slope):
    """Add the gradient of the last layers; `slope`: of the loss by the log-odds.

    y: of `transpose`.
    """
    # Backpropagation. A rectified unit that is 0 passes nothing back: its derivative is taken as 0.
    dz = np.float32(slope)
    d.bias[LAST] += dz
    for i in range(WIDE):
        x.d_wide[i] = _ZERO
    for j in range(LAST):
        d.third[j] += dz * x.last[j]
        x.d_last[j] = dz * w.third[j] if x.last[j] > _ZERO else _ZERO
        d.bias[j] += x.d_last[j]
    for j in range(LAST):
        slope_j = x.d_last[j]
        if slope_j != _ZERO:
            for i in range(WIDE):
                x.d_wide[i] += slope_j * y.second[j, i]
    for i in range(WIDE):
        value = x.wide[i]
        if value > _ZERO:
            for j in range(LAST):
                d.second[i, j] += value * x.d_last[j]
        else:
            x.d_wide[i] = _ZERO


@kernel(VOID(W_T, WORDS_T, I8, I8, PASS_T, PASS_T))
def backward_wide(d, words, at, n, x, y):
    """Add the gradient of the wide layer; y: of `transpose`."""
    for j in range(2 * HIDDEN):
        x.d_both[j] = _ZERO
    for j in range(WIDE):
        slope = x.d_wide[j]
        if slope != _ZERO:
            for i in range(2 * HIDDEN):
                x.d_both[i] += slope * y.first[j, i]
    add_to_rows(d.first[:], words, at, n, SIDES, x.d_wide[:])
    add_to_rows(d.held[:], words, at, n, HELD, x.d_wide[:])
    add_to_rows(d.own[:], words, at, n, OWN, x.d_wide[:])
    add_to_rows(d.enemy[:], words, at, n, ENEMY, x.d_wide[:])
    add_to_rows(d.left[:], words, at, n, DECK_LEFT, x.d_wide[:])
    add_to_rows(d.rest[:], words, at, n, REST, x.d_wide[:])
    for i in range(2 * HIDDEN):
        value = x.both[i]
        if value != _ZERO:
            for j in range(WIDE):
                d.first[GLOBAL + i, j] += value * x.d_wide[j]


@kernel(VOID(W_T, WORDS_T, I8, I8, PASS_T))
def backward_minions(d, words, at, n, x):
    """Add the gradient of the minions' layer."""
    for group in range(2 * BOARD):
        k, end = np.int64(words[at + group]), np.int64(words[at + group + 1])
        if k == end:
            continue
        side = group // BOARD
        card = words[at + HEAD + k]
        for j in range(HIDDEN):
            slope = x.d_both[HIDDEN * side + j]
            x.d_minion[j] = slope if x.minion[group, j] > _ZERO else _ZERO
            d.card[card, j] += x.d_minion[j]
        for i in range(k + 1, end):
            row, value = words[at + HEAD + i], value_at(words, at + HEAD + n + i)
            for j in range(HIDDEN):
                d.minion[side, row, j] += value * x.d_minion[j]


@kernel(F8(F8), inline=True)
def sigmoid(z):
    """Return the logistic function, the value (1) of log-odds."""
    return 1.0 / (1.0 + math.exp(-z))


@entry_point(VOID(W_T, SAMPLES_T, WORDS_T, I8, I8, PASS_T, FLOATS_T))
def evaluate(w, samples, words, first, end, x, odds):
    """Set odds (n,) of samples `first` to `end` to the network's log-odds of winning."""
    for i in range(first, end):
        odds[i] = forward(w, words, samples[i].at, np.int64(samples[i].n), x)


@entry_point(VOID(SAMPLES_T, FLOATS_T, F8, F8, FLOATS_T))
def td_targets(samples, odds, trace, discount, targets):
    """Set targets (n,) to TD(lambda) returns (3): probabilities of winning.

    trace: lambda; discount: gamma, of the reward +1 or -1 at the end, which is 2 target - 1.

    Each player has its own chain of samples in a game; the return of the last is the outcome, that
    of the others (1 - lambda) of the next one's value plus lambda of its return, as much nearer to
    1/2 as gamma says.
    """
    # With values v = 2 p - 1 from -1 to 1, the return is gamma ((1 - lambda) v' + lambda G'). As a
    # probability, 1/2 + 1/2 of that, it is (1 - gamma) / 2 + gamma ((1 - lambda) p' + lambda P').
    even = 0.5 * (1.0 - discount)
    later = np.int64(-1)  # the game of the sample after this one
    value_0, value_1, return_0, return_1 = 0.0, 0.0, 0.0, 0.0
    open_0, open_1 = False, False
    # Backwards, as each return needs the next one: value_ and return_ are those of a seat's next
    # sample.
    for i in range(len(samples) - 1, -1, -1):
        s = samples[i]
        if s.game != later:
            open_0, open_1, later = False, False, np.int64(s.game)
        target = 0.5 * (1.0 + s.outcome)
        if s.seat == 0:
            if open_0:
                target = even + discount * ((1.0 - trace) * value_0 + trace * return_0)
            open_0, value_0, return_0 = True, sigmoid(np.float64(odds[i])), target
        else:
            if open_1:
                target = even + discount * ((1.0 - trace) * value_1 + trace * return_1)
            open_1, value_1, return_1 = True, sigmoid(np.float64(odds[i])), target
        targets[i] = target


@entry_point(F8(W_T, SAMPLES_T, WORDS_T, ORDER_T, FLOATS_T, PASS_T, W_T))
def add_gradient(w, samples, words, order, targets, x, d):
    """Add to d the gradient of the cross-entropy (4) of samples `order`; return its sum."""
    total = 0.0
    transpose(w, x)  # once: the weights are the same for the whole minibatch
    for k in range(len(order)):
        i = order[k]
        at, n = samples[i].at, np.int64(samples[i].n)
        z = forward(w, words, at, n, x)
        target = np.float64(targets[i])
        # -target log p - (1 - target) log(1 - p) of p = sigmoid(z), in a form that can't overflow;
        # its derivative by z is p - target.
        total += max(z, 0.0) - z * target + math.log1p(math.exp(-abs(z)))
        backward_last(w, d, x, x, sigmoid(z) - target)
        backward_wide(d, words, at, n, x, x)
        backward_minions(d, words, at, n, x)
    return total


@entry_point(VOID(FLOATS_T, FLOATS_2_T, FLOATS_T, FLOATS_T, I8, I8, F8, F8, F8))
def adam(w, shards, first, second, begin, end, rate, count, step):
    """Update weights w (k,) by Adam (Kingma and Ba 2015), by the mean of summed gradients (s, k).

    Those from `begin` to `end` alone. first, second: (k,) its moments. count: samples; step: from
    1. The gradients are set to 0.

    Most of its time is waiting for memory. So it works in blocks, which stay in the cache between
    the loops, and neither adds nor clears what is 0 in a block, as the gradients of most cards are
    in a minibatch. It skips blocks that no gradient has ever reached: those of cards and facts that
    were never met.
    """
    scale, b1, b2 = np.float32(1.0 / count), np.float32(0.9), np.float32(0.999)
    # Both moments begin at 0. The correction of that bias is part of the step size, so 1e-8 is
    # added to a root that is not corrected.
    a = np.float32(rate * math.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step))
    for at in range(begin, end, BLOCK):
        n = min(BLOCK, end - at)
        total = shards[0, at:at + n]
        for s in range(1, len(shards)):
            shard = shards[s, at:at + n]
            some = False
            for i in range(n):
                some |= shard[i] != _ZERO
            if some:
                for i in range(n):
                    total[i] += shard[i]
                    shard[i] = _ZERO
        w_block, m, v = w[at:at + n], first[at:at + n], second[at:at + n]
        reached = False
        for i in range(n):
            reached |= (total[i] != _ZERO) | (m[i] != _ZERO) | (v[i] != _ZERO)
        if not reached:
            continue
        for i in range(n):
            g = total[i] * scale
            total[i] = _ZERO
            m[i] = b1 * m[i] + (_1 - b1) * g
            v[i] = b2 * v[i] + (_1 - b2) * g * g
        for i in range(n):
            w_block[i] -= a * m[i] / (np.float32(math.sqrt(v[i])) + np.float32(1e-8))


@entry_point(VOID(SAMPLES_T, WORDS_T, array(I8, 2)))
def count_cards(samples, words, counts):
    """Add to counts (text.ROWS, CARDS) how often samples need each card's row of each part."""
    for i in range(len(samples)):
        at = samples[i].at
        for group in range(SIDES):
            k = np.int64(words[at + group])  # of a minion, only the first entry is a card
            if k < words[at + group + 1]:
                counts[0, words[at + HEAD + k]] += 1
        for group in range(HELD, GROUPS):  # all their entries are cards
            for k in range(np.int64(words[at + group]), np.int64(words[at + group + 1])):
                counts[group - SIDES, words[at + HEAD + k]] += 1


@entry_point(VOID(ORDER_T, ORDER_T, FLOATS_T, ORDER_T, FLOATS_T, FLOATS_2_T, FLOATS_2_T,
                  FLOATS_2_T))
def compose(begin, fact, value, cards, keep, matrix, own, rows):
    """Set rows (CARDS, width) of some cards to their facts times a matrix (FACTS, width) + own.

    begin, fact, value: as in facts.CardFacts, value (n,) as numbers. keep (CARDS,): what own
    (CARDS, width) is taken times.
    """
    width = rows.shape[1]
    for c in cards:
        for j in range(width):
            rows[c, j] = keep[c] * own[c, j]
        for i in range(begin[c], begin[c + 1]):
            k, x = fact[i], value[i]
            for j in range(width):
                rows[c, j] += x * matrix[k, j]


@entry_point(VOID(ORDER_T, ORDER_T, FLOATS_T, ORDER_T, FLOATS_T, FLOATS_2_T, I8, FLOATS_2_T,
                  FLOATS_T))
def spread(begin, fact, value, cards, keep, shards, first, gradient, sums):
    """Add the gradients of composed rows to that of the matrix, (FACTS, width).

    shards (s, k): summed gradients, those of the rows from place `first` on; of cards that are not
    kept they are set to 0. sums (width,): scratch.
    """
    # The chain rule for rows = keep * own + facts * matrix: a row's gradient, times a fact's value,
    # goes to the fact's row of the matrix, and times `keep` to the card's own row.
    width = len(sums)
    for c in cards:
        at, factor, some = first + c * width, keep[c], False
        for j in range(width):
            sums[j] = _ZERO
        for s in range(len(shards)):
            row = shards[s, at:at + width]
            for j in range(width):
                sums[j] += row[j]
                row[j] *= factor
        for j in range(width):
            some |= sums[j] != _ZERO
        if some:
            for i in range(begin[c], begin[c + 1]):
                k, x = fact[i], value[i]
                for j in range(width):
                    gradient[k, j] += x * sums[j]
