"""Which Python files may run: only those that the user names or trusts.

A config, a run folder or an entry of a leaderboard may come from somebody else. A player
py:FILE.py#NAME that only such data names is not run: the command line, or an argument of a Python
call, has to name its file, or say --trust (trust=True).

    with command_line(words): ...    a command: only its words name files
    named("py:bot.py#decide")        an argument of a Python call names one
    with data(trust): ...            what is read inside comes from data
    refuse_data(path)                asked by play/python_players.py before it runs a file
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from hsevo.errors import AgentError, quoted

FILE = re.compile(r"(?:^|[\s=,:\[({'\"])py:([^#]+)#")  # in an argument, also of --set KEY=[...]
_named: set[Path] = set()
_in_data: ContextVar[bool] = ContextVar("in data", default=False)
_trusted: ContextVar[bool] = ContextVar("trusted", default=False)


def named(text: str) -> None:
    """Note the Python files that an argument names, unless it comes from data."""
    if not _in_data.get():
        _named.update(Path(path).resolve() for path in FILE.findall(text))


@contextmanager
def data(trust: bool) -> Iterator[None]:
    """Take what names Python files inside for data. trust: they may run."""
    before = _in_data.set(True), _trusted.set(trust)
    try:
        yield
    finally:
        _in_data.reset(before[0])
        _trusted.reset(before[1])


@contextmanager
def command_line(words: Iterable[str]) -> Iterator[None]:
    """Let only the words of a command name Python files."""
    before = {*_named}
    for word in words:
        named(word)
    try:
        with data(trust=False):
            yield
    finally:
        _named.clear()
        _named.update(before)


def may_run(path: Path) -> bool:
    """Return whether a Python file is named by the user, or trusted."""
    return _trusted.get() or path.resolve() in _named


def refuse_data(path: Path, spec: str) -> None:
    """Raise AgentError for a Python file that only data names, unless it is trusted.

    spec: as it is named.
    """
    if not may_run(path):
        raise AgentError(f"{quoted(spec)} is a Python file named by a config or folder, so it is"
                         " not run. If you trust it, add --trust (in Python, trust=True) or name it"
                         " yourself")
