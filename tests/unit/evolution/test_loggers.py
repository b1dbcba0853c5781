"""Logs of a run for other tools: what they are told, read back by the tools' own readers."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from hsevo import config
from hsevo.agents.genomes.weights import NAMES
from hsevo.config import Workers
from hsevo.evolution.run import Run
from hsevo.experiments import loggers
from hsevo.experiments.loggers import LogEntry, copied
from hsevo.play.workers import open_workers
from hsevo.runs.tables import POPULATION, REFERENCES, STATISTICS
from tests.support.command import fails, hsevo
from tests.support.fake import DECKS

pytestmark = pytest.mark.usefixtures("fake_engine", "here")
TABLES = ("population.csv", "statistics.csv", "references.csv")
SMOKE = ("evolve", "--config", "smoke", "--backend", "serial", "--out", "mine")
STEPS = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]


class Book:
    """A logger that keeps what it is told, of all executions, and fails when it is to."""

    opened: ClassVar[list["Book"]]
    fails_at: ClassVar[tuple[int, int] | None]

    def __init__(self, run: Run, first: LogEntry) -> None:
        self.first, self.entries, self.closed = first, list[LogEntry](), False
        self.opened.append(self)

    def write(self, entry: LogEntry) -> None:
        if (entry.execution, entry.number) == self.fails_at:
            raise OSError(28, "No space left\non device")
        self.entries.append(entry)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch) -> type[Book]:
    """Return a fresh Book that --log tensorboard writes to."""
    class Fresh(Book):
        opened: ClassVar[list[Book]] = []
        fails_at = None

    monkeypatch.setitem(loggers.LOGGERS, "tensorboard", Fresh)
    monkeypatch.setattr(loggers, "NEEDED", {"tensorboard": (("json",), "")})
    return Fresh


def evolved(path: Path, names: list[str], say: Callable[[str], object] = print,
            stop: tuple[int, int] | None = None, **settings: Any) -> Run:
    """Make a run, or go on with it, until it is done or has committed some generation."""
    plan = config.change(config.load("smoke"), {
        "decks": [deck.name for deck in DECKS], "executions": 2, **settings})
    run = Run.lock(path) if path.exists() else Run.make(path, plan, DECKS)
    try:
        with open_workers(Workers(backend="serial")) as executor, copied(
                run._source, run._entries(), names, say) as tell:
            def watch(generation: Any) -> None:
                tell(lambda: run._entry_of(generation))
                if (generation.execution, generation.number) == stop:
                    raise KeyboardInterrupt
            run._make_steps(executor, watch)
    except KeyboardInterrupt:
        pass
    finally:
        run.close()
    return run


def bits(path: Path) -> dict[str, bytes]:
    """Return what must not change with a log: all tables, by the names of their files."""
    files = [path / name for name in TABLES] + sorted((path / "matches.parquet").iterdir())
    return {file.name: file.read_bytes() for file in files if file.exists()}


def test_an_entry_is_what_the_tables_say(books: type[Book], here: Path) -> None:
    evolved(here / "run", ["tensorboard"])
    tables = [pd.read_csv(here / "run" / name) for name in TABLES[:2]]
    told = [entry for book in books.opened for entry in book.entries]
    assert [(entry.execution, entry.number) for entry in told] == STEPS
    for entry in told:
        people, line = (table[(table["execution"] == entry.execution)
                              & (table["generation"] == entry.number)] for table in tables)
        people = people[people["survived"] == 1]
        best = people.loc[people["fitness"].idxmax()]
        expected = {"statistics/best": people["fitness"].max(),
                    "statistics/mean": people["fitness"].mean(),
                    "statistics/std": people["fitness"].std(ddof=0),
                    "statistics/mean_age": people["age"].mean(),
                    "statistics/mean_sigma": people.filter(like="sigma_").to_numpy().mean(),
                    "statistics/new": (people["born"] == entry.number).sum(),
                    "statistics/games": line["games"].item(),
                    "best/HHR": best["HHR"], "best/MM": best["MM"]}
        assert {name: entry.values[name] for name in expected} == pytest.approx(expected)
        assert entry.spreads["weights/MM"].tolist() == people["MM"].tolist()
        assert entry.spreads["sigmas/HHR"].tolist() == people["sigma_HHR"].tolist()
        assert len(entry.spreads) == 2 * len(NAMES)


def test_references_are_logged_when_they_were_measured() -> None:
    tables = {table.name: table.of({"weight": NAMES}) for table in (
        POPULATION, STATISTICS, REFERENCES)}
    run: Any = SimpleNamespace(_written=lambda name: 0.0, tables=tables, names=[*tables])
    people, line = (pd.DataFrame([dict.fromkeys(tables[name].names, 1)])
                    for name in ("population.csv", "statistics.csv"))
    row = {"opponent": "eva:runs/a#7?x=1&y=2", "rate": 1.0, "rate_low": 0.9, "rate_high": 1.0,
           "elo": np.inf, "elo_low": 381.7, "elo_high": np.inf}
    told = Run._entry(run, line, people, pd.DataFrame([row])).values
    name = "references/eva:runs_a_7_x_1_y_2/"
    assert {key: value for key, value in told.items() if key.startswith("references")} == {
        name + "rate": 1.0, name + "rate_low": 0.9, name + "rate_high": 1.0,
        name + "elo_low": 381.7}  # an infinite Elo is left out
    without = Run._entry(run, line, people, None).values
    assert told.items() - without.items() == {(key, told[key]) for key in told if name in key}


def test_a_log_changes_no_bit_of_a_run(books: type[Book], here: Path) -> None:
    evolved(here / "with", ["tensorboard"])
    evolved(here / "without", [])
    assert len(books.opened) == 2
    assert bits(here / "with") == bits(here / "without")


@pytest.mark.parametrize("stop", [(1, 1), (1, 2), (2, 0)])
def test_after_a_kill_a_log_is_told_all_of_the_run_again(
        books: type[Book], here: Path, stop: tuple[int, int]) -> None:
    evolved(here / "run", [], stop=stop)  # no matter if it had a log before
    evolved(here / "run", ["tensorboard", "tensorboard"])
    went_on, books.opened = books.opened, []
    hsevo("evolve", "--resume", here / "run", "--log", "tensorboard")  # of a run that is done
    for opened_ in went_on, books.opened:
        assert [(e.execution, e.number) for book in opened_ for e in book.entries] == STEPS
        assert [book.first for book in opened_] == [book.entries[0] for book in opened_]
        assert all(book.closed for book in opened_)
    new, read = ([e for book in some for e in book.entries] for some in (went_on, books.opened))
    assert [(e.values, e.when) for e in new] == [(e.values, e.when) for e in read]
    assert all((a.spreads[k] == b.spreads[k]).all() for a, b in zip(new, read, strict=True)
               for k in a.spreads)


@pytest.mark.parametrize("at", [(1, 1), (2, 0)])
def test_a_log_that_fails_is_said_once_and_the_run_goes_on(
        books: type[Book], here: Path, at: tuple[int, int]) -> None:
    books.fails_at = at
    result = hsevo(*SMOKE, "--executions", 2, "--log", "tensorboard")
    assert result.exit_code == 0
    (line,) = [line for line in result.stderr.splitlines() if "log failed" in line]
    assert line == ("the tensorboard log failed (OSError: [Errno 28] No space left on device); the"
                    " run continues without it. To write it later: hsevo evolve --resume mine --log"
                    " tensorboard")
    assert line in (here / "mine" / "log.txt").read_text()
    assert [(e.execution, e.number) for book in books.opened for e in book.entries
            ] == STEPS[:STEPS.index(at)]
    assert Run(here / "mine").done


def test_a_run_that_is_stopped_says_how_to_go_on_with_its_log(
        books: type[Book], here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(books, "write", stop)
    result = hsevo(*SMOKE, "--log", "tensorboard")
    assert result.exit_code == 130
    assert result.stderr.endswith("continue with: hsevo evolve --resume mine --log tensorboard\n")
    assert books.opened[0].closed


@pytest.mark.parametrize(("name", "missing"), [("tensorboard", "tensorboardX")])
def test_a_missing_package_is_said_before_a_folder_is_made(
        here: Path, monkeypatch: pytest.MonkeyPatch, name: str, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    said = fails(*SMOKE, "--log", name)
    assert said.startswith(
        f"hsevo: the {name} log needs {missing}, which ")
    assert said.endswith(f"install it with: pip install {loggers.NEEDED[name][1]}\n")
    assert len(said.splitlines()) == 1
    assert list(here.iterdir()) == []


def expected(path: Path, execution: int, name: str) -> dict[int, float]:
    """Return a column of statistics.csv for an execution, by generation."""
    table = pd.read_csv(path / "statistics.csv")
    table = table[table["execution"] == execution]
    return dict(zip(table["generation"].tolist(), table[name].tolist(), strict=True))


def test_tensorboard_reads_its_log(here: Path) -> None:
    pytest.importorskip("tensorboardX")
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    path = here / "run"
    evolved(path, ["tensorboard"], stop=(1, 1))
    (file,) = (path / "tensorboard" / "execution-01").iterdir()
    file.write_bytes(file.read_bytes()[:-5])  # killed in the middle of an event
    evolved(path, ["tensorboard"])
    people = pd.read_csv(path / "population.csv")
    for execution in (1, 2):
        events = accumulator.EventAccumulator(
            str(path / "tensorboard" / f"execution-0{execution}"), {"histograms": 0})
        events.Reload()
        for name in ("best", "mean_sigma", "games"):
            told = [(e.step, e.value) for e in events.Scalars(f"statistics/{name}")]
            assert told == [(k, np.float32(x)) for k, x in expected(path, execution, name).items()]
        stay = people[(people["execution"] == execution) & (people["survived"] == 1)]
        for name, column in (("weights/BMR", "BMR"), ("sigmas/MM", "sigma_MM")):
            assert [event.step for event in events.Histograms(name)] == [0, 1, 2]
            for event in events.Histograms(name):
                values = stay[stay["generation"] == event.step][column]
                seen = event.histogram_value
                assert (seen.min, seen.max) == (values.min(), values.max())
                assert seen.num == sum(seen.bucket) == len(values) == 4
        (text,) = events.Tensors("config/text_summary")
        assert b"    mu: 4\n" in text.tensor_proto.string_val[0].replace(b"      ", b"    ")


def test_a_logger_of_earlier_versions_names_another(here: Path) -> None:
    said = fails(*SMOKE, "--log", "mlflow")
    assert said == ("hsevo: the mlflow log was removed in version 0.6: log to tensorboard, or send"
                    " the columns of RUN/statistics.csv to MLflow\n")
    assert list(here.iterdir()) == []
