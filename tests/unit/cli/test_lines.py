"""Messages on a terminal: broken between words, commands whole; elsewhere as they are."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hsevo.cli.lines import broken, first_sentence, folded
from hsevo.cli.tables import Sheet, drawn
from tests.support.command import fails

NO_CONFIG = ("evolve", "--config", "a-config-that-is-not-there-and-has-a-long-name")
NO_RUN = ("verify", "runs/a-folder-that-is-not-there-and-has-a-name-of-some-length")


def on_a_terminal(columns: int, *words: str) -> list[str]:
    """Return the lines that a command prints on a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.run([sys.executable, "-m", "hsevo", *words], stdout=theirs, stderr=theirs,
                          stdin=theirs, check=False)
    os.close(theirs)
    assert done.returncode == 2
    text = b""
    with suppress(OSError):  # EIO is how Linux tells that nobody writes any more
        while more := os.read(ours, 4096):
            text += more
    os.close(ours)
    return text.decode().splitlines()


@pytest.mark.parametrize(("words", "columns"), [(NO_CONFIG, 40), (NO_RUN, 80)],
                         ids=["no config", "no run"])
def test_a_message_fits_the_terminal(words: tuple[str, ...], columns: int, tmp_path: Path,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_a_pipe = fails(*words)
    assert len(in_a_pipe.splitlines()) == 1
    lines = on_a_terminal(columns, *words)
    assert len(lines) > 1
    assert [line for line in lines if len(line) > columns and " " in line.strip()] == []
    assert " ".join(line.strip() for line in lines) == in_a_pipe.rstrip("\n")


@pytest.mark.parametrize("command", [
    "stopped; continue with: {hsevo learn --resume 'runs/my first' --log tensorboard}",
    "no deck 'maeg'; did you mean 'mage'?; {`hsevo decks list`} lists all",
    "no such option: --gmaes; did you mean --games? (see {hsevo match --help})",
    "games: runs/a; {hsevo replay runs/a --list} lists them",
    "it needs torch, which is not installed; install it with: {pip install 'hsevo[torch]'}",
    "the report of runs/a/b is drawn by {hsevo report --arena runs/a/b}, if wanted",
])
@pytest.mark.parametrize("width", [20, 40, 79])
def test_a_command_is_not_broken(command: str, width: int) -> None:
    before, rest = command.split("{")
    whole, after = rest.split("}")
    assert any(whole in line for line in broken(before + whole + after, width).splitlines())


@given(st.lists(st.text("ab`':;-h ", max_size=12), max_size=9).map(" ".join), st.integers(10, 90))
def test_no_word_is_lost(text: str, width: int) -> None:
    assert broken(text, width).split() == text.split()


@pytest.mark.parametrize(("text", "width", "lines"), [
    ("eva:runs/mine#individual-354", 16, ["eva:runs/mine#", "individual-354"]),
    ("turn:eva:2018?nodes=400", 16, ["turn:eva:2018?", "nodes=400"]),
    ("a sentence of some words", 16, ["a sentence of", "some words"]),
    ("12345678901234567890", 16, ["1234567890123456", "7890"]),
    ("short", 16, ["short"]),
    ("", 16, [""]),
])
def test_a_name_is_broken_at_its_signs(text: str, width: int, lines: list[str]) -> None:
    assert folded(text, width).split("\n") == lines


@given(st.text("ab/#:-= ", max_size=60), st.integers(1, 40))
def test_a_cell_fits_and_loses_nothing(text: str, width: int) -> None:
    lines = folded(text, width).split("\n")
    assert max(map(len, lines)) <= width
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_narrow_table_keeps_parts_of_names_whole() -> None:
    console = Console(width=30, file=StringIO(), force_terminal=True, color_system=None)
    console.print(drawn(Sheet(["agent", "rate"], [["eva:runs/mine#individual-354", "43.25 %"]],
                              ["rate"])))
    shown = console.file.getvalue().splitlines()
    assert [line.rstrip() for line in shown[2:]] == [
        "eva:runs/mine#         43.25 %", "individual-354"]


@pytest.mark.parametrize(("text", "sentence"), [
    ("# One two.\n# Three.\nname: a", "One two"), ("\n\n# One\n# two. Three", "One two"),
    ("# By Smith et al. 2020. More", "By Smith et al. 2020"), ("name: a\n# no head", ""), ("", ""),
    ("### My Deck\n# Class: Mage\n#\n# 2x (1) Mana Wyrm\n#\nAAEB", "My Deck"),
    ("# Is it? Yes.", "Is it?")])
def test_the_first_sentence_of_a_head(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence
