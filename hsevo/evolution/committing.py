"""Commit generations while the next one is played.

Writing a generation to the disk takes longer than everything else between two generations, and
with many workers as long as playing one. So a thread of its own does it; no generation is
committed before the one before it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Self

from hsevo.errors import HsevoError
from hsevo.runs.folder import Run
from hsevo.runs.tables import Generation


class Committer:
    """Commits the generations of a run; use it in a `with`, which ends when all are committed.

    watch: called with each generation after it is committed, by the thread that calls `settle`.
    """

    def __init__(self, run: Run, watch: Callable[[Generation], object]) -> None:
        self.run, self.watch = run, watch
        self.pool = ThreadPoolExecutor(1, "commit")
        self.pending: tuple[Generation, Future[None]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self.settle()
            else:
                with suppress(HsevoError):  # `error` came first
                    self.settle()
        finally:
            self.pool.shutdown()

    def commit(self, generation: Generation) -> None:
        """Begin to commit a generation, after the one before it. Raises what `settle` raises."""
        self.settle()
        self.pending = generation, self.pool.submit(self.run.append, generation)

    def settle(self, wait: bool = True) -> None:
        """End the commit that is under way; without `wait`, only if it has ended already.

        Raises RunError if it failed.
        """
        if self.pending and (wait or self.pending[1].done()):
            generation, ended = self.pending
            ended.result()
            self.pending = None
            self.watch(generation)
