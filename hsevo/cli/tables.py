"""Tables for people: fitted to the terminal's width, plain aligned lines elsewhere.

Lines are broken between words. Commands stay whole, so that you can copy them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any, NamedTuple, TypeAlias

import click
from rich import box
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from hsevo.cli.lines import broken, folded

LEAST = 16  # columns that text keeps; what is longer is folded, names of agents and sentences
GAP = 2  # columns between two of a table
PAGE = 100  # columns of a paragraph without a terminal
TREND = 40  # values in a line of small bars
BLOCKS = "▁▂▃▄▅▆▇█"

Spare: TypeAlias = Sequence[str | Sequence[str]]


class Sheet(NamedTuple):
    """A table of texts: rows under heads; columns named in `right` stand to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[str] = ()

    def without(self, names: Sequence[str]) -> Sheet:
        """Return the table without some columns."""
        at = [i for i, head in enumerate(self.heads) if head not in names]
        return Sheet([self.heads[i] for i in at], [[row[i] for i in at] for row in self.rows],
                     self.right)

    @property
    def widths(self) -> list[int]:
        """The columns that each column needs at least: numbers are never folded."""
        most = [max(map(len, column)) for column in zip(self.heads, *self.rows, strict=True)]
        return [width if head in self.right else min(width, max(LEAST, len(head)))
                for head, width in zip(self.heads, most, strict=True)]

    def fits(self, width: int) -> bool:
        """Whether it can be drawn in so many columns."""
        return sum(self.widths) + GAP * (len(self.heads) - 1) <= width


def show_table(heads: Sequence[str], rows: Sequence[Sequence[object]],
               right: Sequence[str] = (), spare: Spare = (),
               more: str = "a wider terminal, a pipe or --json shows them") -> None:
    """Print rows under heads; columns named in `right` stand to the right.

    spare: columns (or groups of them) that a narrow terminal leaves out, in this order, and says
    so; more: where they are then. Text is folded to the terminal's width; without a terminal no
    line is broken.
    """
    sheet = Sheet(heads, [[str(cell) for cell in row] for row in rows], right)
    console = Console()
    if not console.is_terminal:
        _print(sheet)
        return
    fitting, left_out = fitted(sheet, spare, console.width)
    console.print(drawn(fitting))
    if left_out:
        say(f"not shown at {console.width} columns: {', '.join(left_out)}; {more}")


def fitted(sheet: Sheet, spare: Spare, width: int) -> tuple[Sheet, list[str]]:
    """Return a table with as many columns as have room, and the names of those left out."""
    left_out: list[str] = []
    for columns in spare:
        if sheet.fits(width):
            break
        names = [columns] if isinstance(columns, str) else columns
        sheet = sheet.without(names)
        left_out += names
    return sheet, left_out


def drawn(sheet: Sheet) -> Table:
    """Return a table as rich draws it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0),
                  show_edge=False)
    for head, least in zip(sheet.heads, sheet.widths, strict=True):
        number = head in sheet.right
        table.add_column(head, justify="right" if number else "left", no_wrap=number,
                         overflow="fold", min_width=least)
    for row in sheet.rows:
        table.add_row(*map(Cell, row))
    return table


class Cell:
    """A text that rich draws as wide as its column is, broken by `lines.folded`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield Text(folded(self.text, options.max_width), justify=options.justify)

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(len(self.text), LEAST), len(self.text)).with_maximum(
            options.max_width)


def _print(sheet: Sheet) -> None:
    widths = [max(map(len, column)) for column in zip(sheet.heads, *sheet.rows, strict=True)]
    for row in (sheet.heads, *sheet.rows):
        cells = [cell.rjust(width) if head in sheet.right else cell.ljust(width)
                 for head, cell, width in zip(sheet.heads, row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def say(text: str, err: bool = False) -> None:
    """Print lines; on a terminal, those that are too long are broken between words."""
    console = Console(stderr=err)
    for line in text.splitlines():
        inside = len(line) <= console.width or not console.is_terminal
        click.echo(line if inside else broken(line, console.width), err=err)


def within(row: Any, name: str) -> str:
    """Return a rate of a row in whole per cent with its interval, "54 (48 to 60)"; "" if NaN."""
    if row[name] != row[name]:
        return ""
    value, low, high = (f"{100 * row[name + end]:.0f}" for end in ("", "_low", "_high"))
    return f"{value} ({low} to {high})"


def percent_cells(row: Any, name: str = "rate", digits: int = 1) -> list[str]:
    """Return a rate of a row in per cent, and its interval, as two cells."""
    value, low, high = (f"{100 * row[name + end]:.{digits}f}" for end in ("", "_low", "_high"))
    return [value, f"{low} to {high}"]


def gap_cells(row: Any, name: str = "lead") -> list[str]:
    """Return a difference in Elo, and its interval, as two cells, which are empty if it is NaN."""
    if isnan(row[name]):
        return ["", ""]
    return [f"{row[name]:+.0f}", f"{row[name + '_low']:+.0f} to {row[name + '_high']:+.0f}"]


def paragraph(words: str, indent: str = "  ", further: str = "  ") -> str:
    """Return words as indented lines, broken at the terminal's width, elsewhere at 100 columns."""
    console = Console()
    width = min(console.width, PAGE) if console.is_terminal else PAGE
    return textwrap.fill(words, width, initial_indent=indent, subsequent_indent=indent + further,
                         break_long_words=False, break_on_hyphens=False)


def grid(columns: int = 3) -> Table:
    """Return a table without lines and heads, of so many columns."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(columns):
        table.add_column(no_wrap=columns > 3)
    return table


def trend(values: Sequence[float]) -> str:
    """Return the course of the last values as a line of small bars, from the least to the most."""
    last = list(values)[-TREND:]
    low, high = min(last), max(last)
    return "".join(BLOCKS[int((x - low) / (high - low or 1) * (len(BLOCKS) - 1))] for x in last)
