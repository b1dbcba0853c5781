"""Tables for people: drawn on a terminal, plain aligned lines elsewhere."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDE = 110  # columns of a terminal with room for long columns of a table


def show_table(heads: Sequence[str], rows: Sequence[Sequence[object]],
               right: Sequence[str] = ()) -> None:
    """Print rows under heads; columns named in `right` stand to the right.

    On a terminal the last column is folded to its width; elsewhere no line is broken.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    if Console().is_terminal:
        _draw(heads, cells, right)
    else:
        _print(heads, cells, right)


def _draw(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for head in heads:
        table.add_column(head, justify="right" if head in right else "left",
                         no_wrap=head != heads[-1], overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def _print(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        cells = [cell.rjust(width) if head in right else cell.ljust(width)
                 for head, cell, width in zip(heads, row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def wide() -> bool:
    """Tell whether there is room for long columns: a wide terminal, or none at all."""
    console = Console()
    return not console.is_terminal or console.width >= WIDE


def paragraph(words: str, indent: str = "  ", further: str = "  ") -> str:
    """Return words as indented lines, broken at the terminal's width, elsewhere at 100 columns."""
    console = Console()
    width = min(console.width, 100) if console.is_terminal else 100
    return textwrap.fill(words, width, initial_indent=indent, subsequent_indent=indent + further,
                         break_long_words=False, break_on_hyphens=False)
