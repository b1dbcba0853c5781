"""Random streams: one generator, SplitMix64, and the number of every stream that is drawn from it.

    (seed, Stream or number, ...)  --derive()-->  seeds of games  --game_seed()-->  a game's stream

Everything random comes from a run's seed by `derive`: a key says what the numbers are for, and no
two purposes share a key. Games draw from their own seed in compiled code (`engine.state.mix`, the
twin of `mix`), and look-aheads from a stream apart (`engine.setup.DREAM_SALT`); evolution draws
from Python's Random (`generator`).
"""

from collections.abc import Sequence
from enum import IntEnum
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / the golden ratio, made odd
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


class Stream(IntEnum):
    """What random numbers are for, as a part of their key beside what counts from 0 or 1.

    The keys of evolution hold counts alone: (seed, execution) is of the strategy, (seed, execution,
    generation) of its matches, (seed, execution, generation, round) of those of a race. A stream
    stands in the place of such a count, and no count is as high. Each comment is the key.
    """

    CHAMPIONS = 2**32  # (seed, 0, CHAMPIONS): the last population of a run once more
    ARENA = 2**32 + 1  # (seed, 0, ARENA): pairs of games
    HALL_OF_FAME = 2**32 + 2  # (seed, execution, generation, HALL_OF_FAME): who is drawn
    STUDY_GAME = 2**32 + 2  # (seed, STUDY_GAME): shorter than the key before, so another one
    STUDY_BODY = 2**32 + 3  # (seed, STUDY_BODY): the minions of a random deck
    STUDY_TAUNT = 2**32 + 4  # (seed, STUDY_TAUNT): those of them with Taunt
    SAMPLE = 2**32 + 5  # (seed, SAMPLE): random moves in a batch of games


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
    """Hash a key and columns (n,) of whole numbers >= 0 to seeds, uint64 (n,).

    Folds part after part into the state: h = finish((h + golden) xor part), where finish is the
    output function of SplitMix64. Two rows collide with a chance of 2^-64.
    """
    shape = np.broadcast_shapes((1,), *(np.shape(column) for column in columns))
    state: Array = np.zeros(shape, np.uint64)
    for part in (*key, *columns):
        state = _finish((state + GOLDEN) ^ np.asarray(part).astype("u8"))
    return state


def generator(key: Sequence[int]) -> Random:
    """Return Python's generator, begun from a key."""
    return Random(int(derive(key)[0]))


def game_seed(seed: int, k: int) -> int:
    """Return the seed of game k (from 0) of a row."""
    return int(mix(np.array([(seed + k) % 2**64], np.uint64))[0])
