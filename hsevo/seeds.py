"""Random streams: one generator, SplitMix64, and the numbers of all streams derived from a seed.

    (seed, Stream or number, ...)  --derive()-->  seeds of games  --game_seed()-->  a game's stream

All random numbers are derived from a run's seed by `derive`: a key says what they are for, and no
two purposes share a key. Games draw from their own seed in compiled code
(`engine.record.state.mix`, the same function as `mix`), and look-aheads from a separate stream
(`engine.game.setup.LOOKAHEAD_SALT`); evolution draws from Python's Random (`generator`).
"""

from collections.abc import Sequence
from enum import IntEnum
from random import Random

import numpy as np

from hsevo.types import Array

MOST_SEED = 2**63 - 1  # that a user may give to an environment
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio, made odd
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


class Stream(IntEnum):
    """What random numbers are for: a part of their key, next to counts from 0 or 1.

    The keys of evolution hold only counts: (seed, execution) for the strategy, (seed, execution,
    generation) for its matches, (seed, execution, generation, round) for matches of a race. A
    stream takes the place of such a count, and no count is as high. The comments give the keys.
    """

    # (seed, 0, CHAMPIONS): games between the last survivors of a run; (seed, execution, CHAMPIONS):
    # of the elites of a map
    CHAMPIONS = 2**32
    ARENA = 2**32 + 1  # (seed, 0, ARENA): pairs of games; 1 to 4: series; 7 to 9: balance;
    # 10: decks that evolve against a changed field
    HALL_OF_FAME = 2**32 + 2  # (seed, execution, generation, HALL_OF_FAME): the champions drawn
    STUDY_GAME = 2**32 + 2  # (seed, STUDY_GAME): a shorter key than the one before, so distinct
    STUDY_BODY = 2**32 + 3  # (seed, STUDY_BODY): the minions of a random deck
    STUDY_TAUNT = 2**32 + 4  # (seed, STUDY_TAUNT): which of them have Taunt
    SAMPLE = 2**32 + 5  # (seed, SAMPLE): random moves in a batch of games
    OSFP = 2**32 + 6  # (seed, OSFP, period), game: the opponents of a learner
    ENVIRONMENT = 2**32 + 7  # (seed, ENVIRONMENT), slot: the series of games of an environment
    LEARNING = 2**32 + 8  # (seed, LEARNING, period, round), game: the games that it learns from
    LEARNING_REFERENCE = 2**32 + 9  # (seed, LEARNING_REFERENCE): its reference games
    LEARNING_PAYOFF = 2**32 + 10  # (seed, LEARNING_PAYOFF): games of all checkpoints
    ROUND = 2**32 + 11  # (seed, ROUND, round), game: a round of games of the end-to-end learner
    ACT = 2**32 + 12  # (round's seed, ACT, step), player of a game, part: moves of its network
    ORDER = 2**32 + 13  # (round's seed, ORDER, pass), trajectory: the order in which it learns
    LEARNER = 2**32 + 14  # (seed, LEARNER), weight; (seed, LEARNER, step), position: their order
    DECKS = 2**32 + 16  # (seed, DECKS, period, round), deck; (seed, DECKS, stream): those of games
    BENCH = 2**32 + 15  # (seed, BENCH): decks drawn from all sets, and who meets whom
    DROPOUT = 2**32 + 17  # (seed, DROPOUT, step), card: whose own weights a learner leaves out
    UNSEEN = 2**32 + 18  # (seed, UNSEEN, class), list: decks of cards that a learner did not meet
    DECK_SEARCH = 2**32 + 19  # (seed, DECK_SEARCH, generation): new decks; with a deck: its games
    DECK_FIELD = 2**32 + 20  # (seed, DECK_FIELD, class), list: human lists that are met
    # (seed, DECK_CONFIRM, stage), deck: games after the search; (seed, execution, DECK_CONFIRM): of
    # the best elite of a map of individuals; (seed, DECK_CONFIRM): draws of a report's rates
    DECK_CONFIRM = 2**32 + 21
    COEVOLUTION = 2**32 + 22  # (seed, COEVOLUTION): new weights; with a generation and a use: games
    COEVOLVED = 2**32 + 23  # (seed, COEVOLVED, stage), deck or pair: games at the end
    WORLDS = 2**32 + 27  # (seed, WORLDS), number: worlds; (seed, WORLDS, 1), game: random play-outs
    # 24 to 26 stand where they are used (learning/end_to_end/human_decks.py, learning/worth.py,
    # learning/acting/drafts.py): a new name here would change the fingerprint of the engine.


def mix(states: Array) -> Array:
    """Return the SplitMix64 outputs for states, uint64 (n,) (Steele, Lea and Flood 2014)."""
    return _finish(states + GOLDEN)


def _finish(z: Array) -> Array:
    """Apply the output function of SplitMix64, a bijection of 64 bits."""
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    finished: Array = z ^ (z >> _31)
    return finished


def derive(key: Sequence[int], *columns: Array) -> Array:
    """Hash a key and columns (n,) of whole numbers to seeds, uint64 (n,).

    Negative numbers (fixed opponents have the ids -1, -2 ...) count modulo 2^64.

    Folds the parts into the state one by one: h = finish((h + golden) xor part), where finish is
    the output function of SplitMix64. Two rows collide with probability 2^-64.
    """
    shape = np.broadcast_shapes((1,), *(np.shape(column) for column in columns))
    state: Array = np.zeros(shape, np.uint64)
    for part in (*key, *columns):
        state = _finish((state + GOLDEN) ^ np.asarray(part).astype("u8"))
    return state


def generator(key: Sequence[int]) -> Random:
    """Return Python's generator, seeded from a key."""
    return Random(int(derive(key)[0]))


def game_seed(seed: int, k: int) -> int:
    """Return the seed of game k (from 0) of a row."""
    return int(mix(np.array([(seed + k) % 2**64], np.uint64))[0])
