"""How fast environments are: steps a second of random play, with what players see written out.

Steps are counted by the clock, not by CPU time, for several threads work at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from hsevo.learning.slots import StepSeen
from hsevo.seeds import Stream, derive

if TYPE_CHECKING:
    from hsevo.learning.aec import BattleEnv
    from hsevo.learning.vector import BattleVectorEnv

GAMES = 4096
ROUNDS = 5


def measure(vectors: dict[str, BattleVectorEnv], aec: BattleEnv, seconds: float) -> dict[str, Any]:
    """Measure vector environments by name, the first also without Gymnasium, and an AEC one.

    Returns {name: {"value", "min", "max"}}, steps a second in five rounds of `seconds` in all.
    """
    first = next(iter(vectors.values()))
    ways = {"engine": _engine(first), **{name: _vector(env) for name, env in vectors.items()},
            "aec": _aec(aec)}
    rounds = [{name: _speed(steps, seconds / ROUNDS / len(ways)) for name, steps in ways.items()}
              for _ in range(ROUNDS)]
    speeds = {name: [speed[name] for speed in rounds] for name in ways}
    return {f"{name}_steps_per_second": {"value": median(each), "min": min(each), "max": max(each)}
            for name, each in speeds.items()}


def _speed(steps: Iterator[int], seconds: float) -> float:
    """Return the steps per second of an iterator that yields its numbers of steps."""
    next(steps)
    steps_made, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds or not steps_made:
        steps_made += next(steps)
    return steps_made / spent


def _engine(env: BattleVectorEnv) -> Iterator[int]:
    """Step the games of an environment in compiled code, into the same memory every time."""
    env.reset()
    slots, seen = env.slots, StepSeen.new(env.num_envs)
    for step in count():
        slots.sample(derive((step, Stream.SAMPLE), np.arange(env.num_envs)))
        slots.take(seen)
        yield env.num_envs


def _vector(env: BattleVectorEnv) -> Iterator[int]:
    env.reset()
    for step in count():
        env.step(env.sample(step))
        yield env.num_envs


def _aec(env: BattleEnv) -> Iterator[int]:
    for name in env.possible_agents:
        env.action_space(name).seed(1)
    while True:
        env.reset()
        for name in env.agent_iter():
            _, _, ended, cut, info = env.last()
            if ended or cut:
                break
            env.step(int(env.action_space(name).sample(info["action_mask"])))
            yield 1
