"""What a generation costs besides its games: measured parts, and what is calculated from them."""

from dataclasses import replace

import pytest

from hsevo.benches.generation import Parts, _row, measure, time_with

GAME = 200e-6
GAMES = 34_200  # of the paper's generation


def test_one_worker_takes_all_parts_one_after_the_other() -> None:
    assert time_with(Parts(0.01, 0.05, 0, GAME), 1, 0) == pytest.approx(0.01 + GAMES * GAME)


def test_many_workers_wait_for_a_commit_that_takes_longer_than_the_games() -> None:
    assert time_with(Parts(0.01, 0.5, 0, GAME), 64, 0) == pytest.approx(0.51)


def test_workers_wait_for_the_main_thread_if_jobs_cost_it_much() -> None:
    quick, slow = (time_with(Parts(0, 0, job, GAME), 64, job) for job in (0, 2e-3))
    assert quick < 0.12
    assert slow > 0.5


@pytest.mark.parametrize("workers", [2, 8, 32])
def test_without_overhead_the_speed_up_is_nearly_the_number_of_workers(workers: int) -> None:
    parts = Parts(0, 0, 0, GAME)
    assert time_with(parts, 1, 0) / time_with(parts, workers, 0) > 0.93 * workers


def test_dask_is_slower_by_what_its_jobs_cost_and_may_be_missing() -> None:
    """54 blocks of at most 640 games for 8 workers: the last waits for 53 jobs of 10 ms."""
    parts = Parts(0, 0, 0, GAME)
    alone = time_with(parts, 1, 0)
    assert _row(parts, 8, alone)["dask_speedup"] is None
    slow = _row(replace(parts, dask=0.01), 8, alone)
    assert slow["speedup"] == _row(parts, 8, alone)["speedup"] > 7.5
    assert 0.53 < slow["dask_seconds"] < alone
    assert slow["dask_speedup"] == pytest.approx(alone / slow["dask_seconds"])


def test_the_parts_are_measured() -> None:
    parts = measure()
    for seconds in (parts.serial, parts.commit, parts.job, parts.game):
        assert 0 < seconds < 10
