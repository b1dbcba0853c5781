"""The network of the learned policy: from what is seen of a position to the log-odds of winning.

    minion -- MINION facts, its card -- HIDDEN, summed over a side's minions --.
    players and game -- GLOBAL facts ------------------------------------------ WIDE - LAST - 1
    own hand, other cards in play, decks -- their cards -----------------------'

Each layer is rectified but the last. All is integer arithmetic with fixed shifts, which gives the
same bits on every machine: facts (features.py) and activations are in units of 1 / ONE, weights
of 1 / WEIGHT, sums of 1 / LOGIT. A card has a row of weights in each of six tables.

Positions after the actions of one decision differ in little. So the sums of the last position are
kept, and only the minions and rows of weights in which the new one differs are added; integers give
the same sums in any order.
"""

import numpy as np

from hsevo.agents.network.features import (
    DECK_LEFT,
    ENEMY,
    GLOBAL,
    HELD,
    MINION,
    ONE,
    OWN,
    REST,
    SIDES,
    attack_damage,
    describe_minion,
    is_ready,
    key_of_minion,
)
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import (
    BLOCK,
    FEATURES_T,
    GROUPS,
    HIDDEN,
    KEPT,
    LAST,
    LAYERS,
    SCRATCH_T,
    SUMMAND,
    WIDE,
)
from hsevo.engine.jit import BOOL, I2, I4, I8, TABLES_T, VOID, array, kernel, record, records
from hsevo.engine.record.codec import minion_ref
from hsevo.engine.record.state import BOARD, GAME_T, mix

CARDS = 3584  # as many as layout.MAX_CARDS
SHIFT = 10
WEIGHT = 1 << SHIFT  # 1.0 as a weight
LOGIT = ONE * WEIGHT  # 1.0 as a sum
CERTAIN = 20 * LOGIT  # log-odds of what is decided
NET = np.dtype([
    ("minion", "i2", (2, MINION, HIDDEN)),  # of the own side, of the other
    ("card", "i2", (CARDS, HIDDEN)),  # of minions
    ("first", "i2", (GLOBAL + 2 * HIDDEN, WIDE)),  # the sums of the minions come last
    ("held", "i2", (CARDS, WIDE)),  # of cards in hand
    ("own", "i2", (CARDS, WIDE)),  # of the own weapon, power and secrets
    ("enemy", "i2", (CARDS, WIDE)),  # of the opponent's weapon and power
    ("left", "i2", (CARDS, WIDE)),  # of what is left of the own deck
    ("rest", "i2", (CARDS, WIDE)),  # of the opponent's cards that are not in play
    ("second", "i2", (WIDE, LAST)),
    ("third", "i2", (LAST,)),
    ("bias", "i4", (LAST + 1,)),
], align=True)
# The trainable weights: the same in floats.
WEIGHTS = np.dtype([(name, "f4", NET[name].shape) for name in NET.names or ()], align=True)
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
    x.key[:] = 0
    x.minion[:] = 0
    x.wide[:] = 0


@kernel(I8(FEATURES_T, LAYERS_T, I8))
def list_group(f, x, group):
    """List the rows of a group; return how many."""
    n = 0
    for i in range(np.int64(f.begin[group]), np.int64(f.begin[group + 1])):
        n = list_row(x, n, f.index[i], f.value[i])
    return n


@kernel(VOID(NET_T, FEATURES_T, LAYERS_T))
def take_decks(net, f, x):
    """Add to the sums what is left of both decks, of which f has the groups; then clear f."""
    add_rows(net.left[:], x, list_group(f, x, DECK_LEFT), x.wide[:], x.n_wide)
    add_rows(net.rest[:], x, list_group(f, x, REST), x.wide[:], x.n_wide)
    f.n = 0
    for k in range(GROUPS + 1):
        f.begin[k] = 0


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

    Several at a time, because each sum has to be read and written again.
    """
    for i in range(n, n + BLOCK):
        x.row[i], x.times[i] = 0, 0
    for i in range(0, n, BLOCK):
        a, b, c, d = x.row[i], x.row[i + 1], x.row[i + 2], x.row[i + 3]
        k, m, p, q = x.times[i], x.times[i + 1], x.times[i + 2], x.times[i + 3]
        for j in range(width):
            sums[j] += (k * np.int32(weights[a, j]) + m * np.int32(weights[b, j])
                        + p * np.int32(weights[c, j]) + q * np.int32(weights[d, j]))


@kernel(I8(I8, I8, I8), inline=True)
def place_of(side, body, marks):
    """Return the place among those kept of what a minion adds."""
    return np.int64(mix(np.uint64(body) ^ mix(np.uint64(marks + side))) % np.uint64(KEPT))


@kernel(BOOL(SUMMAND_T, AGENT_T, I8, I8, I8), inline=True)
def is_kept(z, a, side, body, marks):
    """Return whether what is kept in z is what a minion adds to the sums in the net of agent a."""
    same = z.key[0] == body and z.key[1] == marks and z.side == side
    return same and z.net[0] == a.w[0] and z.net[1] == a.w[1]


@kernel(VOID(NET_T, FEATURES_T, LAYERS_T, I8, SUMMAND_T))
def weigh_minion(net, f, x, side, z):
    """Set z.wide to what the minion that f describes adds to the sums."""
    n = 0
    for j in range(x.n_hidden):
        x.hidden[j] = np.int32(net.card[f.index[0], j]) * ONE
    for i in range(1, f.n):
        n = list_row(x, n, f.index[i], f.value[i])
    add_rows(net.minion[side], x, n, x.hidden[:], x.n_hidden)
    n = 0
    for j in range(HIDDEN):
        n = list_row(x, n, GLOBAL + HIDDEN * side + j, max(x.hidden[j], 0) >> SHIFT)
    z.wide[:] = 0
    add_rows(net.first[:], x, n, z.wide[:], x.n_wide)


@kernel(VOID(NET_T, AGENT_T, SCRATCH_T, GAME_T, TABLES_T, I8, I8, BOOL))
def take_minion(net, a, s, g, t, group, ref, ready):
    """Put a minion of game g into a group of the sums."""
    x, f = s.layers[0], s.features[1 - s.seen]
    body, marks = key_of_minion(g, t, ref, ready)
    if x.key[group, 0] == body and x.key[group, 1] == marks:
        return
    side = group // BOARD
    z = x.summands[place_of(side, body, marks)]
    if not is_kept(z, a, side, body, marks):
        f.n = 0
        describe_minion(g, t, f, ref, ready)
        weigh_minion(net, f, x, side, z)
        z.net[0], z.net[1], z.side, z.key[0], z.key[1] = a.w[0], a.w[1], side, body, marks
    x.key[group, 0], x.key[group, 1] = body, marks
    for j in range(x.n_wide):
        x.wide[j] += z.wide[j] - x.minion[group, j]
        x.minion[group, j] = z.wide[j]


@kernel(VOID(LAYERS_T, I8))
def drop_minion(x, group):
    """Take the minion out of a group of the sums."""
    x.key[group, 0], x.key[group, 1] = 0, 0
    for j in range(x.n_wide):
        x.wide[j] -= x.minion[group, j]
        x.minion[group, j] = 0


@kernel(I8(NET_T, AGENT_T, SCRATCH_T, GAME_T, TABLES_T, I8, I8, BOOL))
def take_minions(net, a, s, g, t, side, me, ended):
    """Put the minions of a player of game g into the sums, as player `me` sees them.

    ended: as in features.describe. Returns the damage that the ready ones can deal.
    """
    z, x, total, first = g.side[side], s.layers[0], np.int64(0), 0 if side == me else BOARD
    for i in range(z.minions):
        ref = minion_ref(side, z.row[i])
        ready = is_ready(g, ref, me, ended)
        take_minion(net, a, s, g, t, first + i, ref, ready)
        if ready:
            total += attack_damage(g, ref)
    for i in range(np.int64(z.minions), BOARD):
        if x.key[first + i, 0] != 0:
            drop_minion(x, first + i)
    return total


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


@kernel(I8(NET_T, FEATURES_T, FEATURES_T, LAYERS_T))
def log_odds(net, e, f, x):
    """Return the log-odds of winning from position f, in units of 1 / LOGIT.

    x has the sums of f's minions and of all else in position e, and gets those of f.
    """
    add_rows(net.first[:], x, list_changes(e, f, x, SIDES), x.wide[:], x.n_wide)
    add_rows(net.held[:], x, list_changes(e, f, x, HELD), x.wide[:], x.n_wide)
    add_rows(net.own[:], x, list_changes(e, f, x, OWN), x.wide[:], x.n_wide)
    add_rows(net.enemy[:], x, list_changes(e, f, x, ENEMY), x.wide[:], x.n_wide)
    return last_layers(net, x)


@kernel(I4(LAYERS_T, I8), inline=True)
def activation(x, i):
    """Return the rectified sum i of the wide layer."""
    return max(x.wide[i], 0) >> SHIFT


@kernel(I8(NET_T, LAYERS_T))
def last_layers(net, x):
    """Return the log-odds from the sums of the wide layer.

    All rows of weights, for the few that are not needed cost less than to leave them out; eight at
    a time: with `add_rows` it would take half as long again.
    """
    n, w = np.int64(x.n_last), net.second
    for j in range(n):
        x.last[j] = net.bias[j]
    for i in range(0, WIDE, 8):
        a, b, c, d = (activation(x, i), activation(x, i + 1), activation(x, i + 2),
                      activation(x, i + 3))
        k, m, p, q = (activation(x, i + 4), activation(x, i + 5), activation(x, i + 6),
                      activation(x, i + 7))
        for j in range(n):
            x.last[j] += (a * np.int32(w[i, j]) + b * np.int32(w[i + 1, j])
                          + c * np.int32(w[i + 2, j]) + d * np.int32(w[i + 3, j])
                          + k * np.int32(w[i + 4, j]) + m * np.int32(w[i + 5, j])
                          + p * np.int32(w[i + 6, j]) + q * np.int32(w[i + 7, j]))
    total = np.int64(net.bias[LAST])
    for j in range(n):
        total += (max(x.last[j], 0) >> SHIFT) * np.int64(net.third[j])
    return min(max(total, -CERTAIN), CERTAIN)
