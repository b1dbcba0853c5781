"""What the user sees on stderr while the engine is compiled.

    with CompileMeter():            a live line with a bar in a terminal, else plain lines
        jit.load_all(...)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn

from hsevo.engine import jit
from hsevo.engine.compiling import Estimate, Step
from hsevo.experiments.progress import BAR, PLAIN_SECONDS, duration


class CompileMeter:
    """Shows how far compiling is; use it in a `with`.

    alone: False if another live line is shown meanwhile, with `lines` above it.
    """

    def __init__(self, console: Console | None = None, alone: bool = True) -> None:
        self.console, self.estimate = console or Console(stderr=True), Estimate()
        self._running, self._spoke = False, -PLAIN_SECONDS
        self._telling = jit.telling(self.begin)
        self._live = _CompileLine(self, disable=not (alone and self.console.is_terminal))

    def __enter__(self) -> Self:
        self._telling.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._telling.__exit__(kind, error, trace)
        self._live.stop()

    def begin(self, step: Step) -> None:
        """Take in that a step begins."""
        self.estimate.begin(step)
        self._running = step.begin < step.total
        if not self.console.is_terminal:
            self._say_now_and_then()
        elif self._running:
            self._live.start()
        else:
            self._live.stop()

    def _say_now_and_then(self) -> None:
        now = time.monotonic()
        if self._running and now - self._spoke >= PLAIN_SECONDS:
            self._spoke = now
            self.console.print(text(self.estimate), highlight=False, soft_wrap=True, markup=False)

    def lines(self) -> Iterable[RenderableType]:
        """Return what to show above another live line: a line, or nothing."""
        return [brief(self.estimate, self.console.width)] if self._running else []


class _CompileLine(Progress):
    """The live line of a CompileMeter."""

    def __init__(self, meter: CompileMeter, disable: bool) -> None:
        self._meter = meter
        super().__init__(TextColumn("{task.description}"), BarColumn(None), transient=True,
                         console=meter.console, disable=disable)
        self.add_task("", total=1.0)

    def get_renderables(self) -> Iterable[RenderableType]:
        estimate = self._meter.estimate
        for task in self.task_ids:
            self.update(task, completed=estimate.share,
                        description=brief(estimate, self.console.width - BAR))
        yield from super().get_renderables()


def text(estimate: Estimate) -> str:
    """Return what is compiled, and how long that takes."""
    return f"compiling {estimate.of}, once for this version: {left(estimate)}"


def brief(estimate: Estimate, width: int) -> str:
    """Return as much of the text as fits a line."""
    whole = text(estimate)
    return whole if len(whole) <= width else f"compiling {estimate.of}: {left(estimate)}"


def left(estimate: Estimate) -> str:
    """Return the time left in words."""
    return f"about {duration(rounded(estimate.left))} left"


def rounded(seconds: float) -> int:
    """Return seconds as exactly as an estimate can tell: many of them in fives."""
    step = 5 if seconds >= 20 else 1
    return max(step * round(seconds / step), 1)
