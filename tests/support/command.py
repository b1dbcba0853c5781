"""The command line, called in this process, as the tests of commands do."""

import shlex

import pytest
from click.testing import CliRunner, Result

from hsevo.cli import main
from hsevo.experiments import playing as pool


def hsevo(*words: object, **env: str) -> Result:
    """Call `hsevo WORDS...`, with some environment variables."""
    return CliRunner().invoke(main, [str(word) for word in words], env=env)


def fails(*words: object) -> str:
    """Return what a failing command says: one line or more, exit code 2, no traceback."""
    result = hsevo(*words)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.stderr


class Started(Exception):
    """A command has begun to play."""


def starts(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Check that a command, as printed for a shell, begins to play; it is stopped before a game."""
    def started(*_: object) -> None:
        raise Started

    first, *words = shlex.split(command)
    assert first == "hsevo", command
    with monkeypatch.context() as patch:
        patch.setattr(pool, "open_workers", started)
        result = hsevo(*words)
    assert isinstance(result.exception, Started), f"{command}: {result.output}"
