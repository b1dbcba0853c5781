"""The map: the same answers from every backend and number of workers, killed ones included."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hsevo.agents.shared.agent import eva
from hsevo.config import Backend, Workers
from hsevo.errors import WorkersError
from hsevo.play import tournament, workers
from hsevo.play.workers import Executor, open_workers, worker_count
from tests.support import ROOT, fake
from tests.support.jobs import die, die_once, fail, heeds_interrupts, square

BACKENDS: tuple[Backend, ...] = ("serial", "threads", "loky", "dask")
pytestmark = [
    pytest.mark.usefixtures("fake_engine"),
    # joblib and distributed leave sockets and event loops to the garbage collector
    *(pytest.mark.filterwarnings(f"ignore::{kind}") for kind in
      ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning", "DeprecationWarning")),
]


@pytest.fixture(scope="module", params=BACKENDS)
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Start two workers of a backend, which takes seconds, for several tests."""
    with open_workers(Workers(backend=request.param, count=2)) as executor:
        yield executor


def everything(executor: Executor) -> Any:
    """Play the same round robin twice over the same workers; both must agree."""
    pairings = tournament.round_robin(range(12), 3, 20, (1, 1, 1))
    agents = eva(np.random.default_rng(3).random((12, 21)))
    first, again = (tournament.play(executor, pairings, agents, fake.SETTING) for _ in "ab")
    assert np.array_equal(first, again)
    return first


def check_everything(executor: Executor) -> None:
    with open_workers(Workers(backend="serial")) as alone:
        assert np.array_equal(everything(executor), everything(alone))


def test_no_result_depends_on_the_backend(executor: Executor) -> None:
    check_everything(executor)


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_worker_gives_the_same_results(backend: Backend) -> None:
    with open_workers(Workers(backend=backend, count=1)) as executor:
        check_everything(executor)


def test_answers_come_in_the_order_of_the_jobs(executor: Executor) -> None:
    assert list(executor(square, ((i,) for i in range(50)))) == [i * i for i in range(50)]
    assert list(executor(square, [])) == []


def test_what_a_job_raises_is_raised_here(executor: Executor) -> None:
    with pytest.raises(ZeroDivisionError, match="job"):
        list(executor(fail, [(1,), (2,)]))


def test_ctrl_c_reaches_no_worker_process(executor: Executor) -> None:
    """Even one that is just starting: it was started so. This thread heeds it, as before."""
    apart = isinstance(executor, workers._Joblib) and executor.apart
    assert set(executor(heeds_interrupts, [()] * 8)) == {not apart}
    assert heeds_interrupts()


def test_a_job_that_kills_every_process_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "RETRIES", 1)
    with (open_workers(Workers(backend="loky", count=2)) as executor,
          pytest.raises(WorkersError, match="the workers were lost") as caught):
        list(executor(die, [(1,), (2,)]))
    assert "\n" not in str(caught.value)


def test_a_killed_loky_worker_costs_its_jobs_alone(tmp_path: Path) -> None:
    """Jobs are drawn once, and every answer comes once, in order."""
    drawn: list[int] = []

    def jobs() -> Iterator[tuple[int, str]]:
        for i in range(40):
            drawn.append(i)
            yield i, str(tmp_path)

    with open_workers(Workers(backend="loky", count=2)) as executor:
        assert list(executor(die_once, jobs())) == [i * i for i in range(40)]
    assert drawn == list(range(40))
    assert [path.name for path in tmp_path.iterdir()] == ["7"]


def test_a_worker_with_another_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parcel = ("another", square, (2,))
    with pytest.raises(WorkersError, match="a worker has another engine"):
        workers._do(parcel)


def test_one_worker_a_core_unless_said() -> None:
    assert worker_count(Workers()) >= 1
    assert worker_count(Workers(count=7)) == 7
    assert worker_count(Workers(backend="serial", count=7)) == 1


def test_no_scheduler_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    nobody = Workers(backend="dask", scheduler="tcp://127.0.0.1:1")
    with pytest.raises(WorkersError, match="no dask scheduler at tcp://127"), open_workers(nobody):
        pass


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a real scheduler and two worker processes; yield its address and the workers."""
    place = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    with ExitStack() as stack:
        def start(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(words, cwd=ROOT,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        start(*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
              "--scheduler-file", str(place))
        while not (place.exists() and place.read_text().rstrip().endswith("}")):  # whole
            time.sleep(0.05)
        address = json.loads(place.read_text())["address"]
        helper = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
                  "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
        yield address, [start(*helper) for _ in range(2)]


def test_a_dask_worker_killed_in_mid_generation_changes_nothing(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSEVO_FAKE_SECONDS", "0.03")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT),
                                                      os.environ.get("PYTHONPATH", "")]))
    # Blocks of 128 rows, 3 kB: joblib would scatter such an argument to one worker and lose it.
    pairings = tournament.round_robin(range(40), 3, 5, (1, 1, 1))
    agents = eva(np.random.default_rng(3).random((40, 21)))
    with cluster(tmp_path) as (address, processes):
        done: list[int] = []

        def kill_one(games: int) -> None:
            done.append(games)
            if len(done) == 12:
                processes[0].send_signal(signal.SIGKILL)

        plan = Workers(backend="dask", scheduler=address)
        with open_workers(plan) as executor:
            wait_for_two(address)
            found = tournament.play(executor, pairings, agents, fake.SETTING, kill_one)
        assert processes[0].wait(5) == -signal.SIGKILL
        assert processes[1].poll() is None
    assert sum(done) == pairings["games"].sum()
    monkeypatch.setenv("HSEVO_FAKE_SECONDS", "0")
    with open_workers(Workers(backend="serial")) as executor:
        assert np.array_equal(found, tournament.play(executor, pairings, agents, fake.SETTING))


def wait_for_two(address: str) -> None:
    """Wait until both workers have joined, so that the one that is killed has jobs."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_stops_promptly_and_quietly(backend: Backend) -> None:
    """Interrupt the whole process group, as a terminal does."""
    words = [sys.executable, "-m", "tests.support.jobs", backend]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True, cwd=ROOT,
                          preexec_fn=_heed_interrupts) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "playing\n"
        began = time.monotonic()
        os.killpg(child.pid, signal.SIGINT)
        assert child.stdout.read() == "interrupted\n"
        assert child.wait() == 130
        assert time.monotonic() - began < 10


def test_jobs_that_a_stop_leaves_over_are_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first result is there and the second job runs on, when nobody wants more."""
    running, lost = threading.Event(), list[Any]()
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    def job(number: int) -> int:
        return number if number == 0 else int(running.wait(20))

    with (warnings.catch_warnings(action="error"),
          open_workers(Workers(backend="threads", count=2)) as executor):
        results = executor(job, [(0,), (1,), (2,)])
        assert next(results) == 0
        results.close()
        running.set()
    assert not lost


def _heed_interrupts() -> None:
    """Undo what a shell does to commands in its background, which is to have them ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
