"""Do works side by side, each after those that it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from graphlib import TopologicalSorter

from studies.measure.works import Lab, Work, WorkError, closure


@contextmanager
def _stopping(lab: Lab) -> Iterator[None]:
    """End all commands when something else goes wrong, as when Ctrl-C is pressed."""
    try:
        yield
    except BaseException:
        lab.stop()
        raise


def do(works: Sequence[Work], lab: Lab, jobs: int) -> Iterator[tuple[Work, WorkError | None]]:
    """Do works and what they need, `jobs` at a time, those that are named first sooner.

    Yields each when it is done, or with its error; what needs a failed one is left out.
    """
    order = {work: i for i, work in enumerate(closure(works))}
    sorter = TopologicalSorter({work: work.needs for work in order})
    sorter.prepare()
    running: dict[Future[None], Work] = {}
    ready: list[Work] = []
    with ThreadPoolExecutor(jobs) as pool, _stopping(lab):
        while True:
            ready = sorted([*ready, *sorter.get_ready()], key=order.__getitem__)
            while ready and len(running) < jobs:
                work = ready.pop(0)
                running[pool.submit(lab.do, work)] = work
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                work, error = running.pop(future), future.exception()
                if error is None:
                    sorter.done(work)
                elif not isinstance(error, WorkError):
                    raise error
                yield work, error
