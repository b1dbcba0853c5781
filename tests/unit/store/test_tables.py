"""Tables as declared: text, reading, checks, comparison, logs; a new column in two edits."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.errors import RunError
from hsevo.evolution import run as running
from hsevo.evolution import verify
from hsevo.evolution.run import Run
from hsevo.runs import folder, tables
from hsevo.store.tables import Column, DataTable
from tests.docs import generated

TABLE = DataTable("some.csv", "Some lines.", (
    Column("step", int, "Which step.", logged=False), Column("who", str, "Whose."),
    Column("rate", float, "A rate."), Column("elo", float, "An Elo.", infinite=True),
    Column("left", int, "What is left.", empty=True), Column("why", str, "Why.", empty=True),
    Column("x_<axis>", float, "Along an axis.", only="axis")))
PLAIN = TABLE.of({})
LINES = pd.DataFrame({"step": [0, 1], "who": ["null", "1"], "rate": [0.1 + 0.2, 1e-7],
                      "elo": [np.inf, 2.0], "left": [pd.NA, 3], "why": ["", "a, b"]})


def test_what_is_written_is_read_with_all_its_digits() -> None:
    data = PLAIN.text(LINES)
    assert data == LINES.to_csv(index=False).encode()
    read = PLAIN.read(Path("some.csv"), data)
    assert read["who"].tolist() == ["null", "1"]
    assert read["why"].tolist() == ["", "a, b"]
    assert read["rate"].tolist() == [0.1 + 0.2, 1e-7]
    assert read["left"].isna().tolist() == [True, False]
    assert PLAIN.text(LINES, header=False) == data.split(b"\n", 1)[1]
    for nothing in (b"", PLAIN.text(LINES[:0])):
        empty = PLAIN.read(Path("some.csv"), nothing)
        assert (list(empty), len(empty)) == (PLAIN.names, 0)


def test_columns_of_some_folders_alone_are_named_by_what_these_have() -> None:
    assert PLAIN.names == ["step", "who", "rate", "elo", "left", "why"]
    assert TABLE.of({"axis": ("a", "b")}).names == [*PLAIN.names, "x_a", "x_b"]


def test_a_newer_column_is_not_missed_in_older_folders() -> None:
    newer = replace(TABLE, columns=(*TABLE.columns, Column("late", int, "Since 4.", since=4)))
    assert newer.of({}, 3).names == PLAIN.names
    assert newer.of({}, 4).names == newer.of({}).names == [*PLAIN.names, "late"]


def test_a_heading_may_have_a_name_with_a_comma() -> None:
    """A deck may be called so, and weights of decks are in columns with its name."""
    table = replace(TABLE, columns=(Column("<axis>.HHR", int, "A weight."),)).of(
        {"axis": ('Aggro, "fast"', "mage")})
    text = table.text(pd.DataFrame({name: [1] for name in table.names}))
    assert text.startswith(table.heading)
    assert table.read(Path("some.csv"), text).columns.tolist() == table.names
    with pytest.raises(RunError, match="its first line is not its heading"):
        table.read(Path("some.csv"), b"mage.HHR,\"Aggro, \"\"fast\"\".HHR\"\n1,1\n")


@pytest.mark.parametrize(("old", "new", "says"), [
    ("0,null", "0.5,null", "column step has a cell that is not a whole number"),
    ("1e-07", "nan", "column rate has a cell that is not a finite number"),
    ("1e-07", "much", "column rate has a cell that is not a number"),
    ("1e-07", "", "column rate has a cell that is not a finite number"),
    (",1,", ",,", "column who has "), ("step", "stop", "it has no column step"),
    (",3,", ",three,", "column left has a cell that is not a number"),
    ("a, b", "\x1b[31m", "column why has ")])
def test_damage_gets_one_line(old: str, new: str, says: str) -> None:
    text = PLAIN.text(LINES).decode()
    with pytest.raises(RunError) as error:
        PLAIN.read(Path("some.csv"), text.replace(old, new, 1).encode())
    assert str(error.value).startswith(f"some.csv is damaged: {says}")
    assert "\n" not in str(error.value)


def test_what_differs_is_said_by_column() -> None:
    stored = PLAIN.text(LINES, header=False)
    assert [*PLAIN.differences(LINES, stored)] == []
    assert [*PLAIN.differences(LINES, stored.replace(b"2.0", b"2"))] == []
    said = [*PLAIN.differences(LINES.assign(rate=[np.nextafter(0.1 + 0.2, 1), 1e-7],
                                            who=["null", "2"]), stored)]
    assert said == ["some.csv: column who differs from what the results give",
                    "some.csv: column rate differs from what the results give, in its last digits;"
                    " was it made on another machine?"]
    assert [*PLAIN.differences(LINES, stored.splitlines(keepends=True)[0])] == [
        "some.csv lacks 1 lines"]
    assert [*PLAIN.differences(LINES[:1], stored)] == ["some.csv has 2 lines, not 1"]


def test_logs_have_its_finite_numbers() -> None:
    assert PLAIN.logged("tag", LINES.iloc[0]) == {"tag/rate": 0.1 + 0.2}
    assert PLAIN.logged("tag", LINES.iloc[1]) == {"tag/rate": 1e-7, "tag/elo": 2.0, "tag/left": 3.0}


@pytest.mark.parametrize("name", ["statistics.csv", "population.csv"])
def test_a_new_column_takes_two_edits(name: str, here: Path, fake_engine: None,
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Declared and computed, it is in the CSV, in what is read, verified and logged, in the docs.
    """
    column = Column("points", float, "Wins and half the draws.")
    declared = tuple(replace(table, columns=(*table.columns, column)) if table.name == name
                     else table for table in tables.TABLES)
    making = "population_table" if name == "population.csv" else "statistics_table"
    made: Callable[..., pd.DataFrame] = getattr(tables, making)

    def computed(generation: tables.Generation, *given: Any) -> pd.DataFrame:
        table = made(generation, *given)
        return table.assign(points=table["draws"] / 2)

    monkeypatch.setattr(Run, "TABLES", declared)
    for module in (folder, verify, running):
        monkeypatch.setattr(module, making, computed)
    run = hsevo.evolve("smoke", out="run", backend="serial", changes={
        "games": 2, "evolution.mu": 2, "evolution.lambda": 2, "evolution.generations": 2})
    text = pd.read_csv(here / "run" / name)
    assert (text["points"] == text["draws"] / 2).all()
    read = run.population if name == "population.csv" else run.statistics
    assert read["points"].tolist() == text["points"].tolist()
    assert run.verify().problems == []
    tag = "best" if name == "population.csv" else "statistics"
    assert all(f"{tag}/points" in entry.values for entry in run._entries())
    files = {table.name: generated.declared_file(table) for table in Run.TABLES}
    assert files[name]["columns"]["points"] == column.says
