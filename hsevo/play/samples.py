"""What games leave for a learner: the position after each action of agent 0, and who won.

A sample is an entry of SAMPLE, with what a learned policy thought of its action, after a search if
it searches; what was seen of its position is in `words`, uint16, from `at` on:
the GROUPS + 1 numbers `begin`, then `n` numbers `index` and `n` numbers `value` (int16), as in
agents/network/features.py. The position is the one that a look-ahead of that player has, with the
game's own random outcomes: secrets do not trigger, and what is drawn is unknown.
"""

from enum import IntEnum

import numpy as np

from hsevo.agents.network.features import describe
from hsevo.agents.network.network import LOGIT
from hsevo.agents.network.value import look_at
from hsevo.agents.shared.scratch import AHEAD, GROUPS, MOST, SCRATCH_T, TRUE
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U2, VOID, array, kernel, records
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import DRAW, FAIR, RUNNING

HEAD = GROUPS + 1  # words before those of the entries
SAMPLE = np.dtype([
    ("at", "i8"),  # of its first word
    ("game", "i4"),  # number of the game in its block
    ("odds", "f4"),  # log-odds that a learned policy gave to the action; of others, meaningless
    ("n", "i2"),  # entries
    ("seat", "i1"),
    ("outcome", "i1"),  # 1: that player won, -1: it lost, 0: a draw
])
SAMPLES_T = records(SAMPLE)
WORDS_T, NUMBERS_T = array(U2, 1), array(I8, 1)


class Count(IntEnum):
    """What is counted while games are recorded."""

    SAMPLES = 0
    WORDS = 1
    GAMES = 2
    LOST = 3  # games without room
    # of the game that is played:
    FIRST = 4  # its first sample
    FIRST_WORD = 5
    WHOLE = 6  # 1: all of its positions had room so far


@kernel(BOOL(SAMPLES_T, WORDS_T, NUMBERS_T))
def has_room(samples, words, counts):
    """Return whether one more position fits."""
    full = counts[Count.WORDS] + HEAD + 2 * MOST > len(words)
    return counts[Count.SAMPLES] < len(samples) and not full


@kernel(F8(SCRATCH_T, I8))
def odds_given(s, move):
    """Return the log-odds that the last decision, of a learned policy, gave to a move."""
    g = s.games[TRUE]
    for k in range(g.n_moves):
        if g.moves[k] == move:
            return s.log_odds[k] / LOGIT
    return 0.0


@kernel(VOID(SCRATCH_T, SAMPLES_T, WORDS_T, NUMBERS_T, I8, F8))
def store_sample(s, samples, words, counts, seat, odds):
    """Store the position that s.features describes."""
    f, x, at = s.features[0], samples[counts[Count.SAMPLES]], counts[Count.WORDS]
    x.at, x.game, x.n, x.seat, x.outcome = at, counts[Count.GAMES], f.n, seat, 0
    x.odds = odds
    for k in range(HEAD):
        words[at + k] = f.begin[k]
    at += HEAD
    for k in range(f.n):
        words[at + k] = f.index[k]
        words[at + f.n + k] = f.value[k]
    counts[Count.SAMPLES] += 1
    counts[Count.WORDS] = at + 2 * f.n


@kernel(VOID(NUMBERS_T))
def begin_game_of(counts):
    """Begin the samples of a game."""
    counts[Count.FIRST], counts[Count.FIRST_WORD] = counts[Count.SAMPLES], counts[Count.WORDS]
    counts[Count.WHOLE] = 1


@kernel(VOID(SCRATCH_T, TABLES_T, SAMPLES_T, WORDS_T, NUMBERS_T, I8))
def record_move(s, t, samples, words, counts, move):
    """Store the position after a move of the true game, unless the move ends the game.

    Where there is no room, the rest of the game is not stored either.
    """
    if counts[Count.WHOLE] == 0 or not has_room(samples, words, counts):
        counts[Count.WHOLE] = 0
        return
    g, h, odds = s.games[TRUE], s.games[AHEAD], odds_given(s, move)
    known = look_at(g, h, t, move, g.rng, FAIR)
    if h.result == RUNNING:
        describe(g, h, t, s.features[0], np.int64(g.me), known, move == END)
        store_sample(s, samples, words, counts, np.int64(g.me), odds)


@kernel(VOID(SCRATCH_T, SAMPLES_T, NUMBERS_T))
def end_game_of(s, samples, counts):
    """Give the samples of a game its outcome; a game without room is dropped."""
    g = s.games[TRUE]
    if counts[Count.WHOLE] == 0:
        counts[Count.SAMPLES], counts[Count.WORDS] = counts[Count.FIRST], counts[Count.FIRST_WORD]
        counts[Count.LOST] += 1
        return
    for i in range(counts[Count.FIRST], counts[Count.SAMPLES]):
        x = samples[i]
        if g.result != DRAW and g.result != RUNNING:
            x.outcome = 1 if g.result == x.seat + 1 else -1
    counts[Count.GAMES] += 1
