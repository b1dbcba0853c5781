"""The time left is right within a third, whatever the speed of the machine.

At the end it is right within a twentieth of the whole time: a long step is never over too early.
"""

import random
from collections.abc import Iterator

import pytest

from hsevo.engine.compiling import Estimate, Step, Work, machine_code_cost, translation_cost

KERNELS = [40 + 40 * (i % 25) for i in range(500)]  # bytes


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def compiled(clock: Clock, slowness: float, noise: float) -> Iterator[Estimate]:
    """Compile the kernels and their machine code; yield at every step, and within the long one."""
    chance = random.Random(3)
    estimate = Estimate(clock)
    costs = [translation_cost(size) for size in KERNELS]
    last = machine_code_cost(sum(KERNELS))
    work = Work(sum(costs) + last, estimate.begin)
    for cost in costs:
        work.begin("the engine", cost)
        yield estimate
        clock.now += slowness * cost * chance.uniform(1 - noise, 1 + noise)
    work.begin("the engine", last)
    for _ in range(100):
        yield estimate
        clock.now += slowness * last / 100
    work.end("the engine")
    yield estimate


@pytest.mark.parametrize("slowness", [0.3, 1.0, 6.0])
def test_the_time_left_is_right_within_a_third(slowness: float) -> None:
    clock = Clock()
    told = [(clock.now, estimate.left, estimate.share)
            for estimate in compiled(clock, slowness, 0.5)]
    shares = [share for _, _, share in told]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    begin, end = 1000.0, clock.now
    for now, left, _ in told:
        true = end - now
        early = now - begin < 0.25 * (end - begin)  # nothing is known of this machine at first
        if not early:
            assert abs(left - true) < max(true / 3, 0.05 * (end - begin))


def test_a_step_that_takes_longer_than_expected_does_not_end() -> None:
    clock = Clock()
    estimate = Estimate(clock)
    assert estimate.of == ""
    estimate.begin(Step("searches", 0, 10, 40))
    shares = []
    for _ in range(5):
        clock.now += 10
        shares.append(estimate.share)
        assert 30 < estimate.left < 31
    assert shares == sorted({*shares})
    assert shares[-1] < 10 / 40
    assert estimate.of == "searches"


def test_the_next_work_begins_at_its_own_time() -> None:
    clock = Clock()
    estimate = Estimate(clock)
    for begin in (0.0, 10.0, 40.0):
        estimate.begin(Step("the engine", begin, min(begin + 30, 40), 40))
        clock.now += 100
    estimate.begin(Step("more", 0, 10, 40))
    assert (estimate.share, estimate.left) == (0, 40)
