"""The command line, called in this process, as the tests of commands do."""

from click.testing import CliRunner, Result

from hsevo.cli import main


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
