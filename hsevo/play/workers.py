"""Executors: run jobs in this process, in threads or processes, or on a dask cluster.

    with open_workers(config.workers) as executor:
        for result in executor(function, jobs): ...    # always in the order of the jobs

The result of a function must depend only on its arguments. Then no result depends on the backend,
on the number of workers, or on a worker that dies while another repeats its job. Dask repeats lost
jobs by itself. With loky, one dead worker breaks the pool; a new pool gets all jobs without a
result.
"""

import logging
import signal
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from multiprocessing import resource_tracker
from typing import Any, Protocol, TypeAlias

from joblib import Parallel, cpu_count, delayed, parallel_config

from hsevo.config import Workers
from hsevo.engine.jit import fingerprint
from hsevo.errors import WorkersError
from hsevo.optional import need

Job: TypeAlias = tuple[Any, ...]  # the arguments of one call; small: they travel to the worker
OnGames: TypeAlias = Callable[[int], object]  # called with the number of games just finished


class Executor(Protocol):
    """A pool of workers: executor(function, jobs) yields function(*job) for every job, in order."""

    workers: int  # how many jobs run at the same time
    remote: bool  # a job costs this process milliseconds: it should be long

    def __call__(self, function: Callable[..., Any],
                 jobs: Iterable[Job]) -> Generator[Any, None, None]:
        """Yield the results of jobs, in order."""


MOST_PER_CORE = 4  # workers; one is as fast, more are for tests and idle cores
CONNECT_SECONDS = 20  # a running scheduler answers within one
RETRIES = 3  # a job that kills every worker, for lack of memory, must not be repeated forever
logger = logging.getLogger(__name__)


@contextmanager
def open_workers(plan: Workers) -> Iterator[Executor]:
    """Start the workers of a plan, and yield their executor; they stop with the `with`.

    loky and dask pickle function and jobs, so the function must be at the top level of an
    importable module.
    Raises WorkersError: no workers, workers with another engine, or all workers lost.
    """
    if plan.backend == "serial":
        yield _Serial()
    else:
        with _POOLS[plan.backend](plan) as executor:
            yield executor


def worker_count(plan: Workers) -> int:
    """Return how many workers a plan starts on this machine; a cluster has its own number."""
    if plan.backend == "serial":
        return 1
    return min(plan.count or cpu_count(), most_workers())


def most_workers() -> int:
    """Return how many workers are started at most: more only wait, and take memory."""
    return MOST_PER_CORE * int(cpu_count())


class _Serial:
    """The executor without a pool: this process."""

    workers, remote = 1, False

    def __call__(self, function: Callable[..., Any],
                 jobs: Iterable[Job]) -> Generator[Any, None, None]:
        for job in jobs:
            yield function(*job)


class _Joblib:
    """The executor of a joblib pool.

    losses: the exceptions that the backend raises when its workers are lost. renew: makes a new
    pool for the unfinished jobs of a lost one, at most RETRIES times in a row without a result, and
    after a stop: joblib's can give the next call an error of a job that was stopped. apart: workers
    are other processes, which must have the same engine. remote: see Executor.
    """

    def __init__(self, workers: int, parallel: Parallel, *losses: type[BaseException],
                 renew: Callable[[], Parallel] | None = None, apart: bool = True,
                 remote: bool = False) -> None:
        self.workers, self.parallel, self.losses, self.renew = workers, parallel, losses, renew
        self.apart, self.remote, self.stopped = apart, remote, False

    def __call__(self, function: Callable[..., Any],
                 jobs: Iterable[Job]) -> Generator[Any, None, None]:
        rest, begun, lost = iter(jobs), deque[Job](), 0  # begun: without a result

        def parcels(repeated: Iterable[Job]) -> Iterator[Any]:
            for job in repeated:
                yield self._parcel(function, job)
            for job in rest:
                begun.append(job)
                yield self._parcel(function, job)

        if self.stopped and self.renew is not None:
            self.parallel, self.stopped = self.renew(), False
        while True:
            try:
                with _shielding() if self.apart else nullcontext():  # here loky starts processes
                    results = self.parallel(parcels(tuple(begun)))
                try:
                    for result in results:
                        begun.popleft()
                        lost = 0
                        yield result
                except BaseException:
                    self.stopped = True
                    # A stop: joblib warns of the jobs that are left over, which is noise then.
                    with warnings.catch_warnings(action="ignore", category=UserWarning):
                        results.close()
                    raise
                return
            except self.losses as error:
                lost += 1
                if self.renew is None or lost > RETRIES:
                    raise WorkersError(f"the workers were lost ({_first_line(error)}); the system"
                                       " may have killed one for lack of memory") from error
                logger.warning("a worker was lost; hsevo repeats its games")
                self.parallel = self.renew()  # the old one keeps jobs of its own in a queue
                self.stopped = False

    def _parcel(self, function: Callable[..., Any], job: Job) -> Any:
        if not self.apart:
            return delayed(function)(*job)
        # One tuple, not four arguments: joblib's dask backend scatters an array argument to a
        # single worker. If that worker dies, the array is lost, and every job that needs it.
        return delayed(_do)((fingerprint(), function, job))


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def _do(parcel: tuple[str, Callable[..., Any], Job]) -> Any:
    """Run one job in a worker, if its engine is the same as here."""
    wanted, function, job = parcel
    if fingerprint() != wanted:
        raise WorkersError(f"a worker has another engine version ({fingerprint()}, not {wanted});"
                           " install the same hsevo version on every machine")
    return function(*job)


@contextmanager
def _threads(plan: Workers) -> Iterator[Executor]:
    workers = worker_count(plan)
    with _parallel(workers, backend="threading") as parallel:
        yield _Joblib(workers, parallel, apart=False)


@contextmanager
def _loky(plan: Workers) -> Iterator[Executor]:
    with ExitStack() as stack:
        def pool() -> Parallel:
            return stack.enter_context(_parallel(worker_count(plan), backend="loky"))

        yield _Joblib(worker_count(plan), pool(), BrokenExecutor, renew=pool)


@contextmanager
def _dask(plan: Workers) -> Iterator[Executor]:
    need("the dask backend", "dask", "distributed", install="'dask[distributed]'")
    from distributed import Client, KilledWorker, LocalCluster  # half a second to import

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it logs every lost worker
    local = {"n_workers": worker_count(plan), "threads_per_worker": 1,
             "dashboard_address": "127.0.0.1:0",  # any free port; None means 8787
             "silence_logs": logging.CRITICAL}
    with ExitStack() as stack:
        try:
            with _shielding():
                address = plan.scheduler or stack.enter_context(
                    LocalCluster(**local))  # type: ignore[no-untyped-call]
            client = stack.enter_context(Client(  # type: ignore[no-untyped-call]
                address, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            raise WorkersError(f"no dask scheduler at {plan.scheduler or 'this machine'} within"
                               f" {CONNECT_SECONDS} s: {error}") from None
        stack.enter_context(parallel_config(backend="dask", client=client))
        threads: dict[str, int] = client.nthreads()
        workers = max(sum(threads.values()), 1)
        yield _Joblib(workers, stack.enter_context(_parallel()), KilledWorker, CancelledError,
                      OSError, remote=True)


def _parallel(workers: int | None = None, **options: Any) -> Parallel:
    """Return joblib's pool; its jobs are long enough to go to the workers one by one."""
    return Parallel(workers, return_as="generator", batch_size=1, **options)


@contextmanager
def _shielding() -> Iterator[None]:
    """Hide Ctrl-C from processes that start meanwhile: this process handles it, and ends them.

    A terminal sends it to all. What a process inherits holds from its first instruction: no code of
    a worker could ask for it in time. Threads that start meanwhile hand it on to the processes that
    they start later. Ctrl-C in this process comes at once or, at the latest, after the block.
    """
    resource_tracker.ensure_running()  # else its start, in the block, would end the shield
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_POOLS: dict[str, Callable[[Workers], AbstractContextManager[Executor]]] = {
    "threads": _threads, "loky": _loky, "dask": _dask,
}
