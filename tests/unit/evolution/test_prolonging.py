"""A prolonged run: the same bytes as of one that was planned so from its start."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.config import Workers
from hsevo.errors import ConfigError, RunError
from hsevo.evolution.run import Run
from hsevo.evolution.verify import verify
from hsevo.play.workers import open_workers
from tests.support import folders
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.support.sums import sign_about
from tests.unit.runs.test_damage import content
from tests.unit.runs.test_runs import bits, finish

pytestmark = pytest.mark.usefixtures("fake_engine")


class Killed(BaseException):
    """What a test raises where a process is killed."""


def made(path: Path, generations: int, stop: int | None = None, **settings: Any) -> Path:
    return folders.make(path, stop, **{"evolution.generations": generations,
                                       "evolution.lambda": 8, **settings})


@pytest.mark.parametrize("strategy", ["es", "ga", "cma-es"])
def test_a_prolonged_run_is_as_one_planned_so(tmp_path: Path, strategy: str) -> None:
    """Generation 3 was measured, for it was the last; of seven it is not."""
    whole = made(tmp_path / "whole", 7, **{"evolution.strategy": strategy})
    for stop in (None, 2):
        path = made(tmp_path / f"run-{stop}", 4, stop, **{"evolution.strategy": strategy})
        run = hsevo.Run(path).resume(generations=7, backend="serial")
        assert bits(path) == bits(whole), stop
        assert f"{run!r}".endswith("7 of 7 generations, done)")
        assert "prolonged from 4 to 7 generations" in (path / "log.txt").read_text()
        assert run.state.left == 0
    assert run.verify().problems == []


def test_a_run_can_be_shortened_as_well(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", 3)
    path = made(tmp_path / "run", 6, stop=2)
    hsevo.Run(path).resume(generations=3, backend="serial")
    assert bits(path) == bits(whole)


@pytest.mark.slow
def test_a_prolonging_killed_at_any_point_goes_on(tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bits(made(tmp_path / "whole", 4, executions=2))
    assert verify(Run(tmp_path / "whole")).problems == []
    short = made(tmp_path / "short", 3, executions=2)
    points = 0
    while killed(tmp_path / f"run-{points}", short, points, monkeypatch):
        path = tmp_path / f"run-{points}"
        assert Run(path).config.evolution.generations in (3, 4)
        run = Run.lock(path)
        run._go_on_to(4)
        finish(run)
        assert bits(path) == whole
        points += 1
    assert points > 6


def killed(path: Path, short: Path, calls: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Prolong a copy of a run; return whether it was killed after so many changes of files."""
    shutil.copytree(short, path)
    run, left = Run.lock(path), [calls]

    def counted(change: Any) -> Any:
        def count(*args: Any, **kwargs: Any) -> Any:
            if not left[0]:
                raise Killed
            left[0] -= 1
            return change(*args, **kwargs)
        return count

    with monkeypatch.context() as patch:
        for where, name in ((Path, "replace"), (Path, "unlink"), (os, "truncate")):
            patch.setattr(where, name, counted(getattr(where, name)))
        try:
            run._go_on_to(4)
        except Killed:
            return True
        finally:
            run.close()
    return False


def test_what_cannot_be_prolonged_is_refused_in_a_line(tmp_path: Path) -> None:
    path = made(tmp_path / "run", 4, stop=3)
    with pytest.raises(ConfigError, match="has 3 already; for 3 more, give 6"):
        hsevo.Run(path).resume(generations=3)
    with pytest.raises(ConfigError, match="generations"):
        hsevo.Run(path).resume(generations=0)
    second = made(tmp_path / "second", 3, stop=4, executions=2)
    before = content(second)
    with pytest.raises(ConfigError, match=r"first execution of .* has 3 already"):
        hsevo.Run(second).resume(generations=2)
    assert content(second) == before


def test_the_first_of_several_executions_can_be_prolonged(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", 4, executions=2)
    path = made(tmp_path / "run", 3, stop=3, executions=2)
    hsevo.Run(path).resume(generations=4, backend="serial")
    assert bits(path) == bits(whole)


@pytest.mark.parametrize("settings", [
    {}, {"evolution.strategy": "cma-es"},
    {"rating.racing": {"rounds": 3}, "rating.hall_of_fame": 2},
    {"evolution.strategy": "map-elites", "rating.shares": {"coevolution": 0},
     "rating.opponents": {"agents": ["random"]}, "evolution.cells": [3, 3]}])
def test_a_run_with_several_executions_can_be_prolonged(tmp_path: Path,
                                                        settings: dict[str, Any]) -> None:
    """Its last generations were measured, for they were the last; of four they are not."""
    whole = made(tmp_path / "whole", 4, executions=3, **settings)
    for stop in (None, 5):
        path = made(tmp_path / f"run-{stop}", 3, stop, executions=3, **settings)
        hsevo.Run(path).resume(generations=4, backend="serial")
        assert bits(path) == bits(whole), stop
        assert sorted(one.name for one in path.iterdir() if one.name != "log.txt") == sorted(
            one.name for one in whole.iterdir() if one.name != "log.txt")
    assert verify(Run(path)).problems == []


def test_a_prolonged_run_plays_what_it_had_no_second_time(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "run", 3, executions=2)
    played: list[int] = []
    run = Run.lock(path)
    run._go_on_to(5)
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor, on_games=played.append)
    run.close()
    new = Run(path)
    lines = new.statistics
    measured = new.references
    assert sum(played) == (lines[lines["generation"] >= 3]["games"].sum()
                           + measured[measured["generation"] >= 3]["games"].sum())


def test_a_run_is_prolonged_again_before_it_is_done(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", 5, executions=3)
    path = made(tmp_path / "run", 3, executions=3)
    run = Run.lock(path)
    run._go_on_to(4)
    seen: list[Any] = []

    def watch(generation: Any) -> None:
        seen.append(generation)
        if len(seen) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor, watch)
    run.close()
    hsevo.Run(path).resume(generations=5, backend="serial")
    assert bits(path) == bits(whole)


def test_generations_go_with_resume_alone(tmp_path: Path) -> None:
    assert "--set evolution.generations=N" in fails("evolve", "--config", "smoke",
                                                    "--generations", "3")
    path = made(tmp_path / "run", 2)
    hsevo_("evolve", "--resume", path, "--generations", "3", "--backend", "serial")
    assert len(hsevo.Run(path).statistics) == 3


def test_a_finished_run_says_how_strong_its_bests_are(tmp_path: Path) -> None:
    path = made(tmp_path / "run", 3, executions=2)
    said = hsevo_("evolve", "--resume", path).output
    table = hsevo.Run(path).references
    last = table[table["generation"] == 2]
    assert sorted(last["execution"]) == [1, 2]
    for row in last.to_dict("records"):
        assert (f"execution {row['execution']}, individual-{row['individual']} against random:"
                f" {100 * row['rate']:.1f} % ({100 * row['rate_low']:.1f} to"
                f" {100 * row['rate_high']:.1f}) of {row['games']} new games\n") in said


def test_a_refused_resume_writes_nothing(tmp_path: Path) -> None:
    """Not even what was not committed is cut off."""
    path = made(tmp_path / "run", 4, stop=2)
    with (path / "population.csv").open("a") as table:
        table.write("half a li")
    sign_about(path, references={"random": "damaged"})
    before = content(path)
    with pytest.raises(RunError, match=r"about\.json is damaged: its references can't be read"):
        hsevo.Run(path).resume()
    assert content(path) == before


def test_a_run_goes_on_with_the_deck_database_that_it_began_with(tmp_path: Path) -> None:
    lists = tmp_path / "lists.csv"
    hsevo.export_decks(["mage", "warrior", "shaman"], "csv", lists)
    path = made(tmp_path / "run", 3, stop=1, information=f"closed@{lists}")
    before, text = content(path), lists.read_text()
    lists.write_text(text.replace("Fireball", "Frostbolt*2", 1)
                     .replace("Frostbolt|", "", 1))
    with pytest.raises(RunError, match=r"the deck database .*lists\.csv has changed since .*run"
                                       r" was begun, so the results would differ"):
        hsevo.Run(path).resume(backend="serial")
    assert content(path) == before
    assert "has changed since" in fails("evolve", "--resume", path)
    lists.unlink()
    assert "no deck database" in fails("evolve", "--resume", path)
    lists.write_text(text)
    assert len(hsevo.Run(path).resume(backend="serial").statistics) == 3
