"""One map over jobs, whoever does them: this process, threads, processes, or a dask cluster.

    with open_workers(config.workers) as work:
        for answer in work(function, jobs): ...        # in the order of the jobs, always

A function must answer by its arguments alone; then no answer depends on the backend, on the
number of workers, or on a worker that dies and has its job done by another. Dask does so by itself;
with loky, one dead worker breaks the pool, and a new one gets all jobs that have no answer yet.
"""

import logging
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, TypeAlias

from joblib import Parallel, cpu_count, delayed, parallel_config

from hsevo.config import Workers
from hsevo.engine.jit import fingerprint
from hsevo.errors import WorkersError

Job: TypeAlias = tuple[Any, ...]  # the arguments of one call; small, for they travel to the worker
Map: TypeAlias = Callable[[Callable[..., Any], Iterable[Job]], Generator[Any, None, None]]
OnGames: TypeAlias = Callable[[int], object]  # called with the number of games just finished

# joblib counts what an interrupt leaves over, when its generator is collected, and that may be
# at the very end: no news to who pressed Ctrl-C.
warnings.filterwarnings("ignore", ".*tasks have been successfully executed")
warnings.filterwarnings("ignore", ".*tasks which were still being processed")

MOST_PER_CORE = 4  # workers; one plays as fast, some more for tests and for cores that sleep
CONNECT_SECONDS = 20  # a scheduler that is there answers within one
RETRIES = 3  # a job that kills every worker, for want of memory, is not to be tried for ever
logger = logging.getLogger(__name__)


@contextmanager
def open_workers(plan: Workers) -> Iterator[Map]:
    """Open the workers of a plan, and yield their map; they end with the `with`.

    map(function, jobs) yields function(*job) for every job, in order. Function and jobs are
    pickled for loky and dask, so the function must stand at the top of an importable module.
    Raises WorkersError: no workers, workers of another hsevo, or all of them lost.
    """
    if plan.backend == "serial":
        yield _serial
    else:
        with _POOLS[plan.backend](plan) as work:
            yield work


def worker_count(plan: Workers) -> int:
    """Return how many workers a plan means on this machine (a cluster's own count aside)."""
    if plan.backend == "serial":
        return 1
    return min(plan.count or cpu_count(), most_workers())


def most_workers() -> int:
    """Return how many workers are opened at most: more only wait, and take memory."""
    return MOST_PER_CORE * int(cpu_count())


def _serial(function: Callable[..., Any], jobs: Iterable[Job]) -> Generator[Any, None, None]:
    for job in jobs:
        yield function(*job)


class _Joblib:
    """The map of a joblib pool; `losses` is what the backend raises when its workers are gone.

    renew: makes a new pool, which gets the jobs that a lost one leaves undone; RETRIES times in a
    row at most, without an answer between.
    """

    def __init__(self, parallel: Parallel, *losses: type[BaseException],
                 renew: Callable[[], Parallel] | None = None) -> None:
        self.parallel, self.losses, self.renew = parallel, losses, renew

    def __call__(self, function: Callable[..., Any],
                 jobs: Iterable[Job]) -> Generator[Any, None, None]:
        rest, begun, lost = iter(jobs), deque[Job](), 0  # begun: without an answer

        def parcels(again: Iterable[Job]) -> Iterator[Any]:
            for job in again:
                yield self._parcel(function, job)
            for job in rest:
                begun.append(job)
                yield self._parcel(function, job)

        while True:
            try:
                for answer in self.parallel(parcels(tuple(begun))):
                    begun.popleft()
                    lost = 0
                    yield answer
                return
            except self.losses as error:
                lost += 1
                if self.renew is None or lost > RETRIES:
                    raise WorkersError(f"the workers were lost ({_first_line(error)}); was one"
                                       " killed for want of memory?") from error
                logger.warning("a worker was lost; its games are played again")
                self.parallel = self.renew()  # the old one keeps jobs of its own in a queue

    @staticmethod
    def _parcel(function: Callable[..., Any], job: Job) -> Any:
        # One tuple, not four arguments: joblib's dask backend scatters an array argument to a
        # single worker, and when that one dies the array is gone and every job that needs it.
        return delayed(_do)((fingerprint(), function, job))


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def _do(parcel: tuple[str, Callable[..., Any], Job]) -> Any:
    """Do one job where the worker is, if that worker would play the same games as we."""
    wanted, function, job = parcel
    if fingerprint() != wanted:
        raise WorkersError(f"a worker has another engine ({fingerprint()}, not {wanted});"
                           " install the same hsevo on every machine")
    return function(*job)


@contextmanager
def _threads(plan: Workers) -> Iterator[Map]:
    with Parallel(worker_count(plan), backend="threading", return_as="generator") as parallel:
        yield _Joblib(parallel)


@contextmanager
def _loky(plan: Workers) -> Iterator[Map]:
    with ExitStack() as stack:
        def pool() -> Parallel:
            return stack.enter_context(
                Parallel(worker_count(plan), backend="loky", return_as="generator"))

        yield _Joblib(pool(), BrokenExecutor, renew=pool)


@contextmanager
def _dask(plan: Workers) -> Iterator[Map]:
    from distributed import Client, KilledWorker, LocalCluster  # half a second to import

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a lost worker is no alarm
    local = {"n_workers": worker_count(plan), "threads_per_worker": 1,
             "dashboard_address": "127.0.0.1:0",  # any free port; None means 8787
             "silence_logs": logging.CRITICAL}
    with ExitStack() as stack:
        try:
            with _deaf_to_interrupts():
                address = plan.scheduler or stack.enter_context(
                    LocalCluster(**local))  # type: ignore[no-untyped-call]
            client = stack.enter_context(Client(  # type: ignore[no-untyped-call]
                address, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            raise WorkersError(f"no dask scheduler at {plan.scheduler or 'this machine'} within"
                               f" {CONNECT_SECONDS} s: {error}") from None
        stack.enter_context(parallel_config(backend="dask", client=client))
        parallel = stack.enter_context(Parallel(return_as="generator"))
        yield _Joblib(parallel, KilledWorker, CancelledError, OSError)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that start meanwhile ignore Ctrl-C: we hear it, and end them quietly."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change, and hears, signals
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_POOLS: dict[str, Callable[[Workers], AbstractContextManager[Map]]] = {
    "threads": _threads, "loky": _loky, "dask": _dask,
}
