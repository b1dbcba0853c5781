"""Lines for a terminal: broken between words, commands kept whole, so that they can be copied."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from itertools import takewhile

import click

from hsevo.errors import printable

# `...`, a command that ends its clause, and one amid a sentence with what can only be its arguments
COMMAND = re.compile(r"`[^`]*`|(?<=: )(?:hsevo|pip|python) [^;]*"
                     r"|\bhsevo [a-z-]+(?: (?:--?[a-z]\S*|'[^']*'|[A-Z]+\b|\S*[/#:]\S*))*")
PART = re.compile(r"[^\s/#:?&,=-]*[\s/#:?&,=-]|[^\s/#:?&,=-]+")  # of a name or sentence
GLUE = "\0"  # for a space at which no line may be broken


def broken(line: str, width: int) -> str:
    """Return a line broken between words, the rest indented by two more columns.

    A command is kept on one line, whatever its length: a terminal that wraps it copies it whole.

    >>> from hsevo.cli.lines import broken
    >>> print(broken("stopped; continue with: hsevo evolve --resume runs/a", 30))
    stopped; continue with:
      hsevo evolve --resume runs/a
    """
    indent = " " * (len(line) - len(line.lstrip()))
    whole = COMMAND.sub(lambda match: match[0].replace(" ", GLUE), line.strip())
    return textwrap.fill(whole, width, initial_indent=indent, subsequent_indent=indent + "  ",
                         break_long_words=False, break_on_hyphens=False).replace(GLUE, " ")


def folded(text: str, width: int) -> str:
    """Return a cell's text in lines of at most so many characters, broken after spaces and signs.

    A part of a name that is longer than a line is cut.

    >>> from hsevo.cli.lines import folded
    >>> print(folded("eva:runs/mine#individual-354", 16))
    eva:runs/mine#
    individual-354
    """
    lines = [""]
    for part in PART.findall(text):
        for piece in (part[at:at + width] for at in range(0, len(part), width)):
            if len(lines[-1]) + len(piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def tell(said: str) -> None:
    """Print a message on standard error, broken to fit where that is a terminal."""
    width = _width_of_errors()
    for line in f"hsevo: {said}".split("\n"):
        click.echo(broken(line, width) if width and len(line) > width else line, err=True)


def _width_of_errors() -> int:
    """Return the columns of the terminal that shows standard error; 0 if none does."""
    try:
        shown = sys.stderr.isatty()
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80 if shown else 0
    except (AttributeError, OSError, ValueError):  # closed from the start, or no real file
        return 0


def first_sentence(text: str) -> str:
    r"""Return the first sentence of the comment at a file's head, "" if there is none.

    >>> from hsevo.cli.lines import first_sentence
    >>> first_sentence("# As Smith et al. (2020)\n# have it. More of it.\nname: a")
    'As Smith et al. (2020) have it'

    A deck that the game exported has its name there, and then all its cards: it is the name.
    """
    head = [*takewhile(lambda line: line.startswith("#"), text.strip().splitlines())]
    title = head[:1] if head and head[0].startswith("###") else head
    words = printable(" ".join(line.strip("# ") for line in title))
    return re.split(r"(?<=[.?])(?<!\bal\.)\s", words)[0].removesuffix(".")
