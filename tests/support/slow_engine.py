"""An engine that is compiled as slowly as a test likes, without compiling anything.

    engine = SlowEngine(monkeypatch)      every server waits for it
    engine.step(0.4)                      so much is done
    engine.finish()
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hsevo.engine import jit
from hsevo.engine.compiling import Step
from hsevo.play import match

TOTAL = 40.0  # seconds of work


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something holds, for a minute at most."""
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


class SlowEngine:
    """Stands for an entry point, and for what loads it; error: what compiling ends with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, compiled: bool = False,
                 error: Exception | None = None) -> None:
        self.compiled, self.error, self.loads = compiled, error, 0
        self._go_on = threading.Event()
        self.begun = threading.Event()
        self._load_others = jit.load_all
        monkeypatch.setattr(jit, "load_all", self.load_all)
        monkeypatch.setattr(match, "entry_points", lambda rest, ruleset: ([self], []))

    def is_compiled(self) -> bool:
        return self.compiled

    def load_all(self, entries: Sequence[Any]) -> None:
        if self not in entries:
            self._load_others(entries)
            return
        self.loads += 1
        if self.compiled:
            return
        self.step(0.0)
        self.begun.set()
        assert self._go_on.wait(60)
        if self.error:
            raise self.error
        self.compiled = True

    def step(self, share: float) -> None:
        """Let so much be done; what follows is one long step."""
        jit._tell(Step("the engine", share * TOTAL, TOTAL, TOTAL))

    def finish(self) -> None:
        self._go_on.set()
