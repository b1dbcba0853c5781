"""What the compiled entry point takes: a `Context` for all calls of a caller, a `Batch` for one.

An `Environment` holds the arrays of a vector environment: `play/environment.py` steps it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.mcts.tree import TREES_T
from hsevo.agents.network.network import NETS_T
from hsevo.agents.shared.agent import AGENTS_T
from hsevo.agents.shared.belief import BELIEF, BELIEFS_T, LISTED, LISTS_T
from hsevo.agents.shared.scratch import SCRATCH
from hsevo.engine.game.setup import DECKLIST
from hsevo.engine.jit import (
    BOOL,
    F4,
    I1,
    I2,
    I8,
    TABLES_T,
    U4,
    U8,
    array,
    record,
    records,
    tuple_of,
)
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import HAND, NONE, STATE, STATES_T
from hsevo.play.acts import ACT, ACTS_T, PAST, PASTS_T
from hsevo.play.samples import SAMPLE, SAMPLES_T, WORDS_T
from hsevo.types import Array

# One row: two agents (by number) with a deck each play `games` games.
PAIRING = np.dtype(
    [
        ("a", "i4"),
        ("b", "i4"),
        ("deck_a", "i2"),
        ("deck_b", "i2"),
        ("games", "i4"),
        ("seed", "u8"),
    ]
)
# wins_a + wins_b + draws + faults == games. turns: player turns, summed over the games. margin_a:
# summed over a's wins, the winner's health and armour minus the loser's (whose health counts >= 0).
RESULT = np.dtype(
    [
        ("wins_a", "i4"),
        ("wins_b", "i4"),
        ("draws", "i4"),
        ("faults", "i4"),
        ("turns", "i8"),
        ("margin_a", "i8"),
        ("margin_b", "i8"),
        ("decisions", "i8"),
        ("simulated", "i8"),
    ]
)
# A place for games of a vector environment, one after the other; `states` hold the games.
GAME_SLOT = np.dtype(
    [
        ("seed", "u8"),  # of its games: game k has the seed mix(seed + k)
        ("game", "i8"),  # k, from 0
        ("seat", "i2"),  # the player that acts; NONE: both
        ("acted", "i2"),  # who acted last in the game; NONE: nobody yet
        ("waits", "i2"),  # for what of the caller: a number of Waits
        ("opponent", "i4"),  # by its number; NONE: both players act
        ("deck", "i4", (2,)),  # of players 0 and 1, by number: of those listed, or of `built`
        ("moves", "i4"),  # how many are legal now
        ("whats", "i8"),  # bit k: one with the `what` k is
    ],
    align=True,
)


# One of the opponents that are drawn for the games of an environment.
OPPONENT = np.dtype(
    [
        ("until", "f8"),  # it is drawn by numbers from that of the one before it to below this
        ("agent", "i4"),  # the first of its agents
        ("each", "i2"),  # 1: it has one for each deck, against each
        ("hosted", "i2"),  # 1: a hosted player, which compiled code waits for
    ],
    align=True,
)


class Waits(IntEnum):
    """What a slot waits for: only hosted opponents and decks that are drawn let it wait."""

    NOTHING = 0
    DECK = 1  # those with which the next game begins
    MOVE = 2


DECKLISTS_T, PAIRINGS_T, RESULTS_T = records(DECKLIST), records(PAIRING), records(RESULT)
PAIRING_T, RESULT_T = record(PAIRING), record(RESULT)
NUMBERS_T, MASKS_T = array(I8, 1), array(BOOL, 2)
SLOTS_T, SLOT_T, OPPONENTS_T = records(GAME_SLOT), record(GAME_SLOT), records(OPPONENT)
SEEN_T = array(I2, 2)


class Context(NamedTuple):
    """What all calls of a caller share: a setting, agents, a thread's scratch."""

    tables: Any  # cards.layout.TABLES (1,) for entry points, which pass its record to kernels
    decks: Array  # DECKLIST (d,)
    agents: Array  # AGENT (m,)
    scratch: Array  # agents.shared.scratch.SCRATCH (1,)
    trees: Array  # TREE: one if an agent is a tree search, else none
    nets: Array  # NET (k,): those of the learned policies among the agents
    max_turns: int
    ordered: int  # 1: decks are shuffled at the beginning and keep their order
    lists: Array = np.zeros(0, LISTED).view(np.recarray)  # deck lists to guess, or none
    belief: Array = np.zeros(0, BELIEF).view(np.recarray)  # (1,): how; (0,): deck lists are open
    all_places: int = 0  # 1: who is asked for a move is offered every place for a minion
    first: int = NONE  # the player that begins; NONE: by chance


class Environment(NamedTuple):
    """The arrays of a vector environment of n games; outputs that are not wanted are empty."""

    slots: Array = np.zeros(0, GAME_SLOT).view(np.recarray)  # (n,)
    rows: Array = np.zeros(0, np.int16)  # the vocabulary's number of each card of the tables
    lists: Array = np.zeros((0, 0), np.int16)  # (d, DECK): sorted deck lists to show, or none
    own: Array = np.zeros(0, np.int64)  # the decks of the player that acts, or of player 0
    others: Array = np.zeros(0, np.int64)  # those of its opponent; none: slots wait for decks
    opponents: Array = np.zeros(0, OPPONENT).view(np.recarray)  # (k,); none: both players act
    built: Array = np.zeros(0, DECKLIST).view(np.recarray)  # (2 n,): decks that slots wait for
    pasts: Array = np.zeros(0, PAST).view(np.recarray)  # (n,): for a history, or none
    acts: Array = np.zeros(0, ACT).view(np.recarray)  # (k,): to note in pasts[0]
    actions: Array = np.zeros((0, 3), np.int64)  # (n, 3): what, at, where
    legal: Array = np.zeros((0, 0), np.uint32)  # (n, WHATS): engine.view.observe
    observations: Array = np.zeros((0, 0), np.int16)  # (n, SIZE), or + HISTORY
    what: Array = np.zeros((0, 0), np.int8)  # (n, WHATS): masks of the legal actions
    at: Array = np.zeros((0, 0, 0), np.int8)  # (n, WHATS, TARGETS)
    where: Array = np.zeros((0, 0, 0), np.int8)  # (n, WHATS, PLACES)
    rewards: Array = np.zeros((0, 2), np.float32)  # (n, 2): of players 0 and 1
    over: Array = np.zeros(0, np.int8)  # (n,): 0, or how the game that has just ended did
    last: Array = np.zeros((0, 0), np.int16)  # as observations: the last ones of games now over


class Batch(NamedTuple):
    """The arrays of one call; those that its command does not read are empty."""

    pairings: Array = np.zeros(0, PAIRING).view(np.recarray)  # (n,)
    results: Array = np.zeros(0, RESULT).view(np.recarray)  # (n,)
    states: Array = np.zeros(0, STATE).view(np.recarray)  # (n,)
    moves: Array = np.zeros(0, np.int64)  # (n,): to make, or that were made
    masks: Array = np.zeros((0, N_MOVES), np.bool_)  # (n, N_MOVES): of legal moves
    asked: Array = np.zeros(0, np.int64)  # (n,): the agent that moves, by number; none: < 0
    players: Array = np.zeros(0, np.int64)  # (n,): who looks; the player to move: < 0
    seeds: Array = np.zeros(0, np.uint64)  # (n,): of uniform moves
    # (n, 2, HAND + 1): of the cards in hand, and of the hero power
    costs: Array = np.zeros((0, 2, HAND + 1), np.int64)
    report: Array = np.zeros(0, np.int64)  # (len(Report),): what a step of a move did
    samples: Array = np.zeros(0, SAMPLE).view(np.recarray)  # with room for all
    words: Array = np.zeros(0, np.uint16)  # of the samples, with room
    counts: Array = np.zeros(0, np.int64)  # (len(Count),): of samples
    part: Array = np.zeros(0, np.int64)  # (2,): of a decision (agents.parts), and its actions


_SHARED_T = (DECKLISTS_T, AGENTS_T, records(SCRATCH), TREES_T, NETS_T, I8, I8, LISTS_T, BELIEFS_T,
             I8, I8)
CONTEXT_T = tuple_of(Context, TABLES_T, *_SHARED_T)
# Python passes the tables as an array: numba takes 14 us to unpack so large a record.
PASSED_T = tuple_of(Context, array(TABLES_T, 1), *_SHARED_T)
BATCH_T = tuple_of(
    Batch, PAIRINGS_T, RESULTS_T, STATES_T, NUMBERS_T, MASKS_T, NUMBERS_T, NUMBERS_T, array(U8, 1),
    array(I8, 3), NUMBERS_T, SAMPLES_T, WORDS_T, NUMBERS_T, NUMBERS_T)
ENVIRONMENT_T = tuple_of(
    Environment, SLOTS_T, array(I2, 1), SEEN_T, NUMBERS_T, NUMBERS_T, OPPONENTS_T, DECKLISTS_T,
    PASTS_T, ACTS_T, array(I8, 2), array(U4, 2), SEEN_T, array(I1, 2), array(I1, 3), array(I1, 3),
    array(F4, 2), array(I1, 1), SEEN_T)
