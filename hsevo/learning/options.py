"""Games of a learner of a policy, compiled: what it could do at each decision, and what it did.

An option is a legal action that agent 0 might have taken, a SAMPLE: the position after it as the
look-ahead saw it, and the log-odds that its network gave it. An option that ends the game has no
entries (n = 0), and log-odds that are no network's. Actions FAR less likely than the best are no
options, as what is learned of one is in proportion to its probability. A decision names its options
and the one that was taken. The positions that followed in the game are samples as those of
play/samples.py.

If a teacher is to be asked, only the decisions about which it is have options. Then all actions
(of equal cards in hand, the last) are options, each with its move, and the game's state is kept for
the teacher.
"""

from typing import NamedTuple

import numpy as np

from hsevo.agents.learned.afterstate import drawn_by_softmax
from hsevo.agents.network.features import describe
from hsevo.agents.network.network import LOGIT
from hsevo.agents.network.value import INVERSE, NEVER, best_of, look_at, look_one_action_ahead
from hsevo.agents.shared.scratch import AHEAD, MOST, TRUE
from hsevo.engine.game.moves import make_move
from hsevo.engine.jit import BOOL, I8, U8, VOID, entry_point, kernel, record, records, tuple_of
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import RUNNING, STATES_T, mix, store
from hsevo.play.context import CONTEXT_T, PAIRING_T, PAIRINGS_T, RESULT_T, RESULTS_T
from hsevo.play.entry import add_game, deal, to_move
from hsevo.play.samples import (
    HEAD,
    NUMBERS_T,
    SAMPLES_T,
    WORDS_T,
    Count,
    begin_game_of,
    end_game_of,
    record_move,
    store_sample,
)
from hsevo.play.stepping import is_running
from hsevo.types import Array

DECISION = np.dtype([
    ("first", "i8"),  # of its options
    ("chosen", "i8"),  # the option that was taken
    ("sample", "i8"),  # the position that followed in the game; -1: it was over
    ("n", "i8"),  # options
])
ALL = 1 << 32  # of `ask`: all decisions
FAR = 13 << 16  # 2**13 times, as in afterstate.power_of_two
TEACHER_SALT = np.uint64(0x9E3779B97F4A7C15)  # any odd constant: who is asked has a stream
DECISION_T, DECISIONS_T = record(DECISION), records(DECISION)


class Tape(NamedTuple):
    """What is recorded, with room for all; counts: of samples.Count."""

    samples: Array  # SAMPLE
    words: Array  # uint16, of the samples
    counts: Array  # int64 (len(Count),)
    options: Array  # SAMPLE
    option_words: Array  # uint16
    option_counts: Array  # int64 (len(Count),)
    decisions: Array  # DECISION
    decided: Array  # int64 (1,): how many decisions
    states: Array  # STATE: of decisions, if a teacher is asked; else none
    moves: Array  # int64: of options, likewise
    ask: int  # about how many of ALL decisions; 0: there is no teacher


TAPE_T = tuple_of(Tape, SAMPLES_T, WORDS_T, NUMBERS_T, SAMPLES_T, WORDS_T, NUMBERS_T, DECISIONS_T,
                  NUMBERS_T, STATES_T, NUMBERS_T, I8)


@kernel(I8(CONTEXT_T, I8))
def choose_option(c, agent):
    """Return the index of the move of a learned policy that does not search, as afterstate.py."""
    s, a = c.scratch[0], c.agents[agent]
    g, inverse = s.games[TRUE], np.int64(a.budget[INVERSE])
    seed = mix(g.lookahead_rng)
    look_one_action_ahead(s, g, s.games[AHEAD], c.tables, a, c.nets)
    n = np.int64(g.n_moves)
    return drawn_by_softmax(s, n, inverse, seed) if inverse > 0 else best_of(s, n)


@kernel(BOOL(CONTEXT_T, TAPE_T))
def has_room_for_options(c, b):
    """Return whether the options of the next decision fit."""
    n, counts = np.int64(c.scratch[0].games[TRUE].n_moves), b.option_counts
    left = len(b.option_words) - counts[Count.WORDS]
    return (counts[Count.SAMPLES] + n <= len(b.options) and n * (HEAD + 2 * MOST) <= left
            and b.decided[0] < len(b.decisions))


@kernel(BOOL(TAPE_T, I8, U8), inline=True)
def is_asked(b, n, seed):
    """Return whether the teacher is asked about a decision between n moves."""
    return n > 1 and np.int64(mix(seed ^ TEACHER_SALT) >> np.uint64(32)) < b.ask


@kernel(VOID(CONTEXT_T, TAPE_T, I8, U8, I8))
def record_option(c, b, k, seed, sight):
    """Store the position after move k as the look-ahead of this decision saw it."""
    s = c.scratch[0]
    g, h, f = s.games[TRUE], s.games[AHEAD], s.features[0]
    me, move = np.int64(g.me), np.int64(g.moves[k])
    known = look_at(g, h, c.tables, move, mix(seed + np.uint64(k)), sight)
    if h.result == RUNNING:
        describe(g, h, c.tables, f, me, known, move == END)
    else:
        f.n = 0
        for group in range(HEAD):
            f.begin[group] = 0
    if b.ask > 0:
        b.moves[b.option_counts[Count.SAMPLES]] = move
    store_sample(s, b.options, b.option_words, b.option_counts, me, s.log_odds[k] / LOGIT)


@kernel(BOOL(I8, I8), inline=True)
def is_near(less, inverse):
    """Return whether a move is an option; less: how much its log-odds are below the best."""
    return less < -NEVER // 2 and (less * inverse) >> 14 < FAR


@kernel(VOID(CONTEXT_T, TAPE_T, I8, I8, U8))
def record_decision(c, b, agent, chosen, seed):
    """Store the options of a decision, and the position after the one that is taken."""
    s, counts = c.scratch[0], b.option_counts
    g = s.games[TRUE]
    if b.ask > 0 and not is_asked(b, np.int64(g.n_moves), seed):
        record_move(s, c.tables, b.samples, b.words, b.counts, g.moves[chosen])
        return
    inverse = np.int64(c.agents[agent].budget[INVERSE])
    best = s.log_odds[best_of(s, np.int64(g.n_moves))]
    if not has_room_for_options(c, b):
        counts[Count.WHOLE] = 0
        return
    d = b.decisions[b.decided[0]]
    d.first = counts[Count.SAMPLES]
    for k in range(g.n_moves):
        if k == chosen:
            d.chosen = counts[Count.SAMPLES]
        if b.ask > 0:
            wanted = s.log_odds[k] != NEVER
        else:
            wanted = k == chosen or is_near(best - s.log_odds[k], inverse)
        if wanted:
            record_option(c, b, k, seed, np.int64(c.agents[agent].sight))
    d.n, d.sample = counts[Count.SAMPLES] - d.first, b.counts[Count.SAMPLES]
    record_move(s, c.tables, b.samples, b.words, b.counts, g.moves[chosen])
    if b.counts[Count.SAMPLES] == d.sample:
        d.sample = -1
    if b.ask > 0:
        store(b.states[b.decided[0]], g)
    b.decided[0] += 1


@kernel(VOID(CONTEXT_T, TAPE_T, PAIRING_T, RESULT_T))
def play_row(c, b, p, r):
    """Play and record every game of a pairing, and add it to a result."""
    s = c.scratch[0]
    g = s.games[TRUE]
    for k in range(p.games):
        deal(c, p, k)
        begin_game_of(b.counts)
        begin_game_of(b.option_counts)
        decisions, simulated = 0, np.int64(0)
        while is_running(g):
            agent, seed = to_move(c, p), mix(g.lookahead_rng)
            s.decision[0].simulated = 0
            chosen = choose_option(c, agent)
            move = np.int64(g.moves[chosen])
            if agent == 0:
                record_decision(c, b, agent, chosen, seed)
            make_move(g, c.tables, move)
            decisions += 1
            simulated += s.decision[0].simulated
        end_game_of(s, b.samples, b.counts)
        end_game_of(s, b.options, b.option_counts)
        add_game(g, r, decisions, simulated)


@entry_point(VOID(CONTEXT_T, TAPE_T, PAIRINGS_T, RESULTS_T), "learning of a policy",
             lambda c, *rest: c.tables["late"])
def record_rows(c, b, pairings, results):
    """Play every game of every pairing of learned policies; record agent 0's decisions."""
    for i in range(len(pairings)):
        play_row(c, b, pairings[i], results[i])
