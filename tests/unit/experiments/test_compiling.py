"""What is seen in a terminal, and elsewhere, while the engine is compiled."""

import io
import re
import time

import pytest
from rich.console import Console

from hsevo.engine import jit
from hsevo.engine.compiling import Step
from hsevo.experiments.compiling import CompileMeter, rounded
from hsevo.experiments.progress import duration

SEARCHES = "searches, environments and learning"


def tell(*begins: float, of: str = "the engine") -> None:
    """Tell of steps that begin so far, of 40 seconds of work."""
    for begin in begins:
        jit._tell(Step(of, begin, min(begin + 4, 40), 40))


def test_without_a_terminal_there_are_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    written, now = io.StringIO(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with CompileMeter(Console(file=written)) as meter:
        meter.estimate._clock = lambda: now[0]
        for begin in (0, 4, 8, 12, 40):
            tell(begin)
            now[0] += 6
    assert written.getvalue().splitlines() == [
        "compiling the engine, once for this version: about 40 s left",
        "compiling the engine, once for this version: about 45 s left"]
    tell(0)  # of what is compiled later nothing is said
    assert len(written.getvalue().splitlines()) == 2


@pytest.mark.parametrize(("of", "line"), [
    ("the engine", "compiling the engine, once for this version: about 40 s left"),
    (SEARCHES, f"compiling {SEARCHES}: about 40 s left")])
def test_a_terminal_has_a_bar_that_goes_away(of: str, line: str) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80, color_system="standard")
    with CompileMeter(console) as meter:
        tell(0, of=of)
        seen = written.getvalue()
        assert line in seen
        assert "━" in seen
        plain = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]|\r", "\n", seen)
        assert all(len(part) <= 80 for part in plain.splitlines())
        tell(40, of=of)
        assert meter.lines() == []
        console.print("after")
    assert written.getvalue().endswith("after\n")


def test_above_another_live_line_it_is_one_line_more() -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80)
    with CompileMeter(console, alone=False) as meter:
        assert meter.lines() == []
        tell(0, of=SEARCHES)
        assert meter.lines() == [f"compiling {SEARCHES}: about 40 s left"]
    assert written.getvalue() == ""


def test_seconds_are_rounded_as_an_estimate() -> None:
    assert [rounded(seconds) for seconds in (0, 0.2, 7.4, 19.4, 21, 24, 63)] == [
        1, 1, 7, 19, 20, 25, 65]
    assert duration(rounded(63)) == "1 min 05 s"
