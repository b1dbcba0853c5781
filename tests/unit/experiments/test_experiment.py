"""The life of any experiment, by the smallest kind there is: all that a third kind must write."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from rich.console import RenderableType
from rich.text import Text

from hsevo.cli.screens import details
from hsevo.config import Workers
from hsevo.errors import ConfigError, WriteError
from hsevo.experiments import loggers, watching
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import LogEntry
from hsevo.experiments.progress import Meter
from hsevo.play.workers import Executor, OnGames, open_workers
from hsevo.reports import folders
from hsevo.reports import kinds as report_kinds
from hsevo.reports.exhibit import Answer, Chapter, Drawn, Folders, ReportKind, exhibit
from hsevo.store import kinds
from hsevo.store.sums import Checked
from tests.support.command import fails, hsevo
from tests.support.counting import KIND, STEPS, Counted, Counting

GAMES = 10  # a step


@dataclass(frozen=True)
class State(watching.State[Counted]):
    """A folder that counts, at one moment."""

    step: int

    @property
    def where(self) -> str:
        return f"step {self.step}"

    def lines(self, before: State | None = None) -> list[str]:
        return [f"step {k + 1}" for k in range(before.step if before else 0, self.step)]


@dataclass(kw_only=True)
class Report(Checked):
    """What was checked of a folder that counts."""

    numbers: int = 0

    @property
    def outcome(self) -> str:
        return f"{self.numbers} numbers follow from each other, {self.games} games played again"


class Count(Counting, Experiment[Counted, int]):
    """An experiment that counts."""

    STATE, STEPS, LOGS = State, "steps", "count"

    @classmethod
    def _read_parts(cls, plan: Counted) -> tuple[()]:
        return ()

    @property
    def steps_done(self) -> int:
        return self.step

    def _steps(self) -> Generator[int, None, None]:
        self.closed = False
        try:
            for step in range(self.step + 1, self.plan.steps + 1):
                self._count_games(GAMES)
                yield step
        finally:
            self.closed = True

    def _show(self, step: int, meter: Meter) -> str:
        line = f"step {step - 1} of {self.plan.steps - 1}"
        meter.say(line)
        return line

    def _games_by_step(self) -> dict[tuple[int, int], int]:
        return {(1, step): GAMES for step in range(self.step)}

    @property
    def _games_left(self) -> int:
        return GAMES * (self.plan.steps - self.step)

    @classmethod
    def _costs(cls, plan: Counted, parts: Any) -> Callable[[Counted], float]:
        return lambda other: float(other.steps)

    @property
    def _games_to_verify(self) -> int:
        return GAMES if self.step else 0

    def _checked(self, executor: Executor, threads: int, on_games: OnGames) -> Report:
        numbers = [int(line) for line in self._part("numbers.csv").split()[1:]]
        report = Report(done=self.final, sums=bool(self.digests), numbers=len(numbers))
        report.problems += [f"numbers.csv: {number} stands where {right} belongs" for right, number
                            in enumerate(numbers, start=1) if right != number]
        for games in executor(int, [(GAMES,)] if self.step else []):
            report.games += games
            on_games(games)
        return report

    def _details(self) -> dict[str, Any]:
        return {"step": self.step}

    def _entries(self) -> Iterator[LogEntry]:
        return (LogEntry(1, step, 0.0, {"step": step + 1.0}, {}) for step in range(self.step))

    def _entry_of(self, step: int) -> LogEntry:
        return LogEntry(1, step - 1, 0.0, {"step": float(step)}, {})

    def resume(self, steps: int | None = None, **more: Any) -> Count:
        self._resume(steps, None, "serial", more.get("log", ()), more.get("progress", False))
        return self


@exhibit("numbers", "How far they are")
def numbers(data: Folders[Counting]) -> Drawn:
    steps = [run.step for run in data.runs.values()]
    return Drawn("Steps.", pd.DataFrame({"run": [*data.runs], "step": steps}))


def told(data: Folders[Counting]) -> list[Answer]:
    return [Answer(name, [f"It counted to {run.step}."], title="Number", shown=name)
            for name, run in data.runs.items()]


REPORTED = ReportKind("what was counted", Count, (Chapter("Numbers", (numbers,)),), told,
                (numbers,), step="step")


@details.register
def _(state: State, width: int) -> list[RenderableType]:
    return [Text(f"numbers {' '.join(str(k + 1) for k in range(state.step))}")]


class Ahead(Count):
    """The same, which commits a step while the next one is made."""

    AHEAD = True


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.RUNS, KIND, ("count", lambda path: "count on"))
    monkeypatch.setitem(folders.CLASSES, KIND, f"{__name__}:Count")
    monkeypatch.setitem(report_kinds.KINDS, KIND, REPORTED)


def complete(kind: type[Count], path: Path, watch: Any = lambda step: None,
             on_games: Any = lambda games: None) -> Count:
    run = kind.lock(path) if path.exists() else kind.make(path)
    try:
        with open_workers(Workers(backend="serial")) as executor:
            run._make_steps(executor, watch, on_games=on_games)
    finally:
        run.close()
    return run


def content(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()
            if file.name not in (".lock", "log.txt")}


@pytest.mark.parametrize("kind", [Count, Ahead])
def test_every_step_is_committed_then_told_in_order(tmp_path: Path, kind: type[Count]) -> None:
    seen: list[tuple[int, int]] = []
    complete(kind, tmp_path / "run", lambda step: seen.append(
        (step, int((tmp_path / "run" / "numbers.csv").read_text().split()[step]))))
    assert seen == [(step, step) for step in range(1, STEPS + 1)]
    assert content(tmp_path / "run") == content(Counting.make(tmp_path / "other").run().path)


@pytest.mark.parametrize("kind", [Count, Ahead])
@pytest.mark.parametrize("stop", [1, 2, 3])
def test_a_stopped_one_ends_what_it_opened_and_goes_on(tmp_path: Path, kind: type[Count],
                                                       stop: int) -> None:
    def watch(step: int) -> None:
        if step == stop:
            raise KeyboardInterrupt

    run = kind.make(tmp_path / "run")
    with (open_workers(Workers(backend="serial")) as executor,
          pytest.raises(KeyboardInterrupt)):
        run._make_steps(executor, watch)
    run.close()
    assert run.closed
    assert not (run.path / "done").exists()
    complete(kind, run.path)
    assert content(run.path) == content(Counting.make(tmp_path / "other").run().path)


def test_a_commit_that_fails_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is the step's own turn, or the next one is made meanwhile."""
    def full(run: Counting, step: int) -> None:
        raise WriteError("no space left")

    monkeypatch.setattr(Counting, "append", full)
    for number, kind in enumerate((Count, Ahead)):
        with pytest.raises(WriteError, match="no space left"):
            complete(kind, tmp_path / f"run-{number}")
        assert not (tmp_path / f"run-{number}" / "done").exists()


def test_only_a_kind_that_says_so_is_ahead_of_its_commits(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that waits for the next step's games ends only where that step is made meanwhile."""
    played, append = threading.Event(), Counting.append
    waited: list[bool] = []

    def slow(run: Counting, step: int) -> None:
        if step == 1:
            waited.append(played.wait(0.2 if not waited else 60))
        append(run, step)

    monkeypatch.setattr(Counting, "append", slow)
    count = iter(range(99))
    complete(Count, tmp_path / "run", on_games=lambda games: next(count) and played.set())
    played.clear()
    count = iter(range(99))
    complete(Ahead, tmp_path / "ahead", on_games=lambda games: next(count) and played.set())
    assert waited == [False, True]


def test_it_is_resumed_prolonged_logged_and_watched(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
        ) -> None:
    told: list[tuple[int, float]] = []

    class Book:
        def __init__(self, source: Any, first: LogEntry) -> None:
            assert source.executions == "count"

        def write(self, entry: LogEntry) -> None:
            told.append((entry.number, entry.values["step"]))

        def close(self) -> None:
            pass

    monkeypatch.setitem(loggers.LOGGERS, "tensorboard", Book)
    monkeypatch.setattr(loggers, "NEEDED", {"tensorboard": (("json",), "")})
    path = Counting.make(tmp_path / "run").run().path
    before = Count.look(path)
    assert (before.done, before.played, before.left) == (True, STEPS * GAMES, 0)
    run = Count(path).resume(STEPS + 2, log=["tensorboard"], progress=True)
    assert run.done
    assert told == [(k, k + 1.0) for k in range(STEPS + 2)]
    log = [line[20:] for line in (path / "log.txt").read_text().splitlines()]
    assert log == [f"prolonged from {STEPS} to {STEPS + 2} steps",
                   f"go on after {STEPS * GAMES} games with serial, all workers",
                   f"step {STEPS} of 5", f"step {STEPS + 1} of 5", "done"]
    assert "step 4 of 5\nstep 5 of 5\n" in capsys.readouterr().err
    assert before.refreshed().lines(before) == ["step 5", "step 6"]
    assert content(path)["numbers.csv"] == b"step\n1\n2\n3\n4\n5\n6\n"
    with pytest.raises(ConfigError, match=r"^steps is 3, but .* has 6 already"):
        run.resume(3)


def test_a_state_is_read_again_when_its_folder_has_changed(tmp_path: Path) -> None:
    run = Counting.make(tmp_path / "run")
    state = Count.look(run.path)
    assert state.refreshed() is state
    time.sleep(0.01)
    run.append(1)
    run.close()
    assert state.refreshed().where == "step 1"
    assert state.stopped(state.changed + 61).endswith(
        f"continue with: hsevo count --resume {run.path}")
    assert state.stopped(state.changed + 59) == ""


def test_it_is_verified_by_what_its_kind_checks(tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    path = Counting.make(tmp_path / "run").run().path
    played: list[tuple[int, int]] = []
    assert Count(path).verify(workers=1, progress=lambda done, left: played.append((done, left))
                               ) == Report(done=True, sums=True, games=GAMES, numbers=STEPS)
    assert played == [(GAMES, GAMES)]
    assert hsevo("verify", path).stdout == (
        f"{path}: done; {STEPS} numbers follow from each other, {GAMES} games played again\n")
    part = Counting._part
    monkeypatch.setattr(Counting, "_part", lambda run, name: part(run, name).replace(b"3", b"7"))
    assert Count(path).verify(workers=1).problems == ["numbers.csv: 7 stands where 3 belongs"]
    assert fails("verify", path) == f"hsevo: {path}: numbers.csv: 7 stands where 3 belongs\n"


def test_no_worker_is_started_where_no_game_is_played_again(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("workers were opened")

    monkeypatch.setattr("hsevo.experiments.experiment.playing", refuse)
    Counting.make(tmp_path / "run").close()
    assert Count(tmp_path / "run").verify() == Report(sums=False)


def test_it_is_reported_as_its_kind_says(tmp_path: Path) -> None:
    one, other = (Counting.make(tmp_path / name) for name in ("one", "other"))
    one.run()
    other.append(1)
    other.close()
    said = hsevo("report", one.path, f"few={other.path}", "--out", tmp_path / "page").stdout
    assert "0 figures (figures/, SVG and PNG), 1 tables" in said
    page = (tmp_path / "page" / "report.html").read_text()
    assert "<h1>one and 1 other run: what was counted</h1>" in page
    assert "It counted to 4." in page
    assert "It counted to 1." in page
    assert (tmp_path / "page" / "tables" / "numbers.csv").read_text() == "run,step\none,4\nfew,1\n"
    assert "groups need evolved solutions, but" in fails("report", one.path, "--groups", "3")
    (tmp_path / "evolved").mkdir()
    (tmp_path / "evolved" / "about.json").write_text('{"kind": "hsevo run"}')
    assert fails("report", tmp_path / "evolved", one.path) == (
        f"hsevo: {tmp_path / 'evolved'} is a run of hsevo evolve, but {one.path} is not; make two"
        " reports\n")


def test_it_is_watched_with_what_its_kind_shows(tmp_path: Path) -> None:
    run = Counting.make(tmp_path / "run")
    run.append(1)
    run.append(2)
    run.close()
    said = hsevo("watch", "--once", run.path).stdout
    assert "run  step 2" in said
    assert "20 of 40 games, unknown time left\nnumbers 1 2\n" in said
    (run.path / "log.txt").write_text("2026-01-01 00:00:00 begin with serial, all workers\n"
                                      "2026-01-01 00:00:05 step 0 of 3\n"
                                      "2026-01-01 00:00:09 step 1 of 3\n")
    assert "20 of 40 games, 2 games/s, 9 s left" in hsevo("watch", "--once", run.path).stdout
    found = json.loads(hsevo("watch", "--json", run.path).stdout)
    assert {name: found[name] for name in found if name not in ("hsevo", "command")} == {
        "path": str(run.path), "config": run.plan.model_dump(mode="json"), "done": False,
        "games": 20, "games_left": 20, "games_per_second": 20 / 9, "seconds_left": 9.0}
