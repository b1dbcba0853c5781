"""Tables of folders, declared column by column.

    DataTable("statistics.csv", "One row a generation.",
              (Column("best", float, "The best fitness."),))

All that is done with a table follows from its declaration: its text, the types and checks of what
is read, the comparison with a table that was made again, what logs have of it, and its page in the
docs. A new column takes a `Column` here, and a line that computes it where the table is made.

A column `<weight>` stands for one column a weight, and one with `only` is in some folders alone;
`DataTable.of` makes the table of one folder.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hsevo.config import short
from hsevo.errors import name_problem
from hsevo.files import undamaged
from hsevo.types import Array

LAST_DIGITS = 1e-9  # exp and log of another library differ by 1e-16, which generations amplify


@dataclass(frozen=True)
class Column:
    """A column of a table.

    kind: int, float, or str for names. says: what it holds, for the docs. only: the name without
    which a folder lacks it, see `DataTable.of`; "": all have it. empty: whether cells may be
    empty. infinite: whether numbers may be. logged: whether logs have its numbers. since: the
    first format of the folder that has it.
    """

    name: str
    kind: type
    says: str
    only: str = ""
    empty: bool = False
    infinite: bool = False
    logged: bool = True
    since: int = 1

    def check(self, values: Array) -> None:
        """Raise ValueError for a cell that can't be."""
        if self.kind is str:
            self._check_names(values)
            return
        whole = self.kind is int and not self.empty
        if values.dtype.kind not in ("iu" if whole else "iuf"):
            what = "whole number" if whole else "number"
            raise ValueError(f"column {self.name} has a cell that is not a {what}")
        if values.dtype.kind == "f" and not self.infinite and not (
                np.isfinite(values) | (np.isnan(values) & self.empty)).all():
            raise ValueError(f"column {self.name} has a cell that is not a finite number")

    def _check_names(self, values: Array) -> None:
        for text in dict.fromkeys(values.tolist()):
            if self.empty and text == "":
                continue
            named = isinstance(text, str) and text != ""
            problem = name_problem(text) if named else "must be a name"
            if problem:
                raise ValueError(f"column {self.name} has {short(text)}, and {problem}")


@dataclass(frozen=True)
class DataTable:
    """A table of a folder.

    name: of its file. says: what its rows are, for the docs. grows: whether steps append to it;
    else it is made at the end. optional: whether a folder may lack it.
    """

    name: str
    says: str
    columns: tuple[Column, ...]
    grows: bool = True
    optional: bool = False

    def of(self, names: Mapping[str, Sequence[str]], number: int | None = None) -> DataTable:
        """Return the table of one folder.

        names: the texts that replace each `<NAME>` in the names of columns; a column with `only` is
        there if that name has a text. number: the folder's format; None: the newest.
        """
        columns: list[Column] = []
        for column in self.columns:
            if number is not None and column.since > number:
                continue
            if column.only and not names.get(column.only):
                continue
            before, sign, rest = column.name.partition("<")
            if not sign:
                columns.append(column)
                continue
            each, _, after = rest.partition(">")
            columns += [replace(column, name=f"{before}{name}{after}")
                        for name in names.get(each, ())]
        return replace(self, columns=tuple(columns))

    @cached_property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [column.name for column in self.columns]

    @property
    def heading(self) -> bytes:
        """The first line of its file."""
        return self.text(pd.DataFrame())

    def text(self, table: pd.DataFrame, header: bool = True) -> bytes:
        """Return these columns of a table as CSV, as `to_csv` writes it, in a fifth of its time."""
        columns = [_cells(table[name]) for name in self.names] if len(table) else []
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([self.names] * header)
        writer.writerows(zip(*columns, strict=True))
        return out.getvalue().encode()

    def read(self, path: Path, data: bytes, header: bool = True) -> pd.DataFrame:
        """Return the table of a CSV file's content, with exact numbers; without it, no rows.

        Raises RunError if it is damaged.
        """
        import pyarrow as pa
        from pyarrow import csv  # reads numbers exactly; not every version of pandas does

        if not data:
            return self._without_rows()
        words = {column.name: pa.string() for column in self.columns if column.kind is str}
        how = csv.ReadOptions(use_threads=False, column_names=None if header else self.names)
        with undamaged(path):
            table: pd.DataFrame = csv.read_csv(
                pa.BufferReader(arrow_buffer(data)), how,
                convert_options=csv.ConvertOptions(column_types=words)).to_pandas()
            for name in self.names:
                if name not in table:
                    raise ValueError(f"it has no column {name}")
            if header and not data.startswith(self.heading):
                raise ValueError("its first line is not its heading")
            if not len(table):
                return self._without_rows()
            for column in self.columns:
                if column.empty and column.kind is not str and table[column.name].isna().all():
                    table[column.name] = np.nan
            self.check(table)
        return table[self.names]

    def _without_rows(self) -> pd.DataFrame:
        """Return no rows, in columns of the types that others have."""
        kinds = {column.name: float if column.empty and column.kind is int else column.kind
                 for column in self.columns}
        return pd.DataFrame(columns=self.names).astype(kinds)

    def check(self, table: pd.DataFrame | Mapping[str, Array]) -> None:
        """Raise ValueError for a cell that can't be; columns that are not there are not missed."""
        for column in self.columns:
            if column.name in table:
                column.check(np.asarray(table[column.name]))

    def differences(self, recomputed: pd.DataFrame, stored: bytes) -> Iterator[str]:
        """Yield what differs in lines without a heading that were stored, and made again.

        Lines with other texts are compared number by number: 1 equals 1.0.
        """
        if self.text(recomputed, header=False) == stored:
            return
        rows = len(stored.splitlines())
        if rows < len(recomputed):
            yield f"{self.name} lacks {len(recomputed) - rows} lines"
            return
        if rows > len(recomputed):
            yield f"{self.name} has {rows} lines, not {len(recomputed)}"
            return
        try:
            known = _raw(self.names, stored)
        except ValueError as error:
            yield f"{self.name}: {error}"
            return
        for column in self.columns:
            name = column.name
            if column.kind is str:
                if known[name].tolist() != recomputed[name].tolist():
                    yield f"{self.name}: column {name} differs from what the results give"
                continue
            numbers, right = (pd.to_numeric(table[name], errors="coerce").to_numpy(
                np.float64, na_value=np.nan) for table in (known, recomputed))
            if np.array_equal(numbers, right, equal_nan=True):
                continue
            near = np.allclose(numbers, right, rtol=LAST_DIGITS, atol=LAST_DIGITS, equal_nan=True)
            yield f"{self.name}: column {name} differs from what the results give" + (
                ", in its last digits; was it made on another machine?" if near else "")

    def logged(self, tag: str, row: Any) -> dict[str, float]:
        """Return what logs have of a row, TAG/COLUMN: its finite numbers."""
        values = {f"{tag}/{column.name}": float(row[column.name]) for column in self.columns
                  if column.logged and column.kind is not str and pd.notna(row[column.name])}
        # An Elo may be infinite, which charts cannot draw; the rate gives the same information.
        return {name: value for name, value in values.items() if math.isfinite(value)}


def _raw(names: Sequence[str], lines: bytes) -> pd.DataFrame:
    """Return lines without a heading, unconverted. Raises ValueError for other lines."""
    import pyarrow as pa
    from pyarrow import csv

    options = csv.ReadOptions(use_threads=False, column_names=[*names])
    table: pd.DataFrame = csv.read_csv(
        pa.BufferReader(arrow_buffer(lines)), options,
        convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
        ).to_pandas()
    return table


def _cells(column: pd.Series) -> list[Any]:
    """Return the cells of a column, "" where one is empty."""
    values = column.tolist()
    if column.dtype.kind in "iub":
        return values
    return ["" if value is pd.NA or value != value else value for value in values]


def arrow_buffer(data: bytes) -> Any:
    """Return bytes in Arrow's own memory.

    Arrow's threads would have to release Python's, which aborts a process that is exiting (SIGABRT,
    apache/arrow issue 34314).
    """
    import pyarrow as pa

    own = pa.BufferOutputStream()
    own.write(data)
    return own.getvalue()
