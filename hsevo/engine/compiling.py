"""How far compiling is: steps of work, whose costs were measured, and the time that is left.

    Work --Step for each kernel, and for the machine code--> Estimate

Kernels are many short steps, and the machine code of an entry point is one long step. Costs are
seconds of CPU on one machine. The time of the steps that are done tells how long they take here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

# Measured costs: of a kernel, and of each byte of its bytecode; of machine code, by the same bytes.
KERNEL, BYTE, MACHINE_BYTE = 0.02, 1.1e-4, 9e-5
PRIOR = 1.0  # seconds: how much work counts as done in its measured time before anything is done
SLOWS = 0.8  # of the expected time of a step: from there it approaches its end, but is never over


class Step(NamedTuple):
    """A step of compiling that begins: it leads from `begin` to `end` of `total` work.

    of: what is compiled. After the last step there is another one without work, at the total.
    """

    of: str
    begin: float
    end: float
    total: float


def translation_cost(code_bytes: int) -> float:
    """Return what it costs to translate a kernel with this number of bytes of bytecode."""
    return KERNEL + BYTE * code_bytes


def machine_code_cost(code_bytes: int) -> float:
    """Return what machine code costs of kernels with this number of bytes of bytecode in total."""
    return MACHINE_BYTE * code_bytes


class Work:
    """Work that is done in steps. total: its cost. watch: called with each step that begins."""

    def __init__(self, total: float, watch: Callable[[Step], object]) -> None:
        self.done, self.total, self._watch = 0.0, total, watch

    def begin(self, of: str, cost: float) -> None:
        """Begin a step."""
        self._watch(Step(of, self.done, self.done + cost, self.total))
        self.done += cost

    def end(self, of: str) -> None:
        """End the last step."""
        self._watch(Step(of, self.total, self.total, self.total))


class Estimate:
    """How much is done, and how long the rest takes, by the time of what is done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._first = self._since = clock()
        self._step = Step("", 0.0, 0.0, 1.0)

    def begin(self, step: Step) -> None:
        """Take in that a step begins."""
        self._since = self._clock()
        if step.begin == 0:
            self._first = self._since
        self._step = step

    @property
    def of(self) -> str:
        """What is compiled; "" before the first step."""
        return self._step.of

    @property
    def share(self) -> float:
        """How much is done, 0 to 1. Within a step it grows with the time."""
        return min(self._done / self._step.total, 1.0)

    @property
    def left(self) -> float:
        """How long the rest takes, in seconds."""
        return max(self._step.total - self._done, 0.0) * self._pace

    @property
    def _pace(self) -> float:
        """How long a unit of work takes here, in seconds."""
        return (self._since - self._first + PRIOR) / (self._step.begin + PRIOR)

    @property
    def _done(self) -> float:
        step = self._step
        cost = step.end - step.begin
        if not cost:
            return step.begin
        passed = (self._clock() - self._since) / self._pace / cost
        if passed > SLOWS:
            passed = 1 - (1 - SLOWS) * math.exp((SLOWS - passed) / (1 - SLOWS))
        return step.begin + passed * cost
