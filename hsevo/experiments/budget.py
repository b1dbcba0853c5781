"""How many steps fit into a time, by what samples of them cost.

    check_minutes(minutes, key)             before anything is measured
    pace(play, least, most)                 seconds of a game, or of what else is sampled
    planned(plan, key, seconds, minutes)    the plan with as many as fit

A kind of experiment measures what its steps cost on this machine, with its own workers.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from hsevo import config
from hsevo.config import as_real, short
from hsevo.errors import ConfigError
from hsevo.experiments.progress import duration

P = TypeVar("P", bound=config.Section)
Sample: TypeAlias = Callable[[int], int]  # plays about so many games, and returns how many
SECONDS = 2.0  # of samples of each kind, at least
LONGEST = 60 * 24 * 366  # minutes to plan for


def check_minutes(minutes: float | None, key: str, changed: Iterable[str] = ()) -> None:
    """Raise ConfigError for no number of minutes, or if the key that they plan is changed, too."""
    if minutes is None:
        return
    number = as_real(minutes)
    if number is None or not 0 < number <= LONGEST:
        raise ConfigError(f"minutes is {short(minutes)}, but must be a number above 0,"
                          f" and at most {LONGEST:,}")
    if {key, key.partition(".")[0]} & {*changed}:
        raise ConfigError(f"minutes and {key} can't be combined: minutes plan the"
                          f" {key.rpartition('.')[2]}; leave one out")


def pace(play: Sample, least: int, most: int) -> float:
    """Return how long one of what is sampled takes, in seconds; 0 if there is nothing.

    least, most: how many at once, first and later. The first are not counted: with them, workers
    load the engine.
    """
    games, played, seconds = min(least, most), 0, 0.0
    if not games:
        return 0.0
    play(games)
    while seconds < SECONDS:
        began = time.perf_counter()
        played += play(games)
        seconds += time.perf_counter() - began
        games = min(4 * games, most)
    return seconds / played


def fitting(cost: Callable[[int], float], seconds: float, least: int, most: int) -> int:
    """Return how many steps fit, at most `most`; 0 if fewer than `least`.

    cost: the seconds of so many steps, which grow with their number.
    """
    if cost(least) > seconds:
        return 0
    high = least
    while high < most and cost(high) <= seconds:
        high = min(2 * high, most)
    return least - 1 + bisect_right(range(least, high + 1), seconds, key=cost)


def planned(plan: P, key: str, cost: Callable[[P], float], minutes: float, least: int = 1,
            most: int = 1_000_000, of: str = "") -> tuple[P, str]:
    """Return the plan with as many steps as fit, and what was planned, in words.

    key: of their number, as "evolution.generations". cost: the seconds of a plan. of: what a step
    is of, in words. Raises ConfigError if fewer than `least` fit.
    """
    def seconds(number: int) -> float:
        return cost(config.change(plan, {key: number}))

    step = key.rpartition(".")[2].removesuffix("s")
    number = fitting(seconds, 60 * minutes, least, most)
    if not number:
        many = f"{least:,} {step}s{of} take" if least > 1 else f"one {step}{of} takes"
        raise ConfigError(f"minutes is {minutes:g}, but {many} about"
                          f" {duration(max(seconds(least), 1))} here; give more")
    return config.change(plan, {key: number}), (
        f"{number:,} {step}{'s' * (number > 1)} fit{'s' * (number == 1)} into {minutes:g}"
        f" minute{'s' * (minutes != 1)}; the same run: --set {key}={number}")
