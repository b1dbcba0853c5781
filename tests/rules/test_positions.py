"""The engine and EVA against decision points of real games, and that the check sees errors."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.rules import positions
from tests.support import DATA
from tests.support.state_adapter import read

pytestmark = pytest.mark.slow

FILE = DATA / "positions.dev.jsonl.xz"
POSITIONS, QUIRKS = 1515, 881  # in the file
Line = dict[str, Any]


@pytest.fixture(scope="module")
def report() -> positions.Report:
    return positions.check(FILE)


@pytest.fixture(scope="module")
def good() -> Line:
    """Return a position with a choice between scores that are not random."""
    lines = (line for line in read(FILE) if line["score_det"] and len(line["options"]) > 3)
    return next(line for line in lines if check(line).of["chosen"])


def check(line: Line, excused: frozenset[str] = frozenset()) -> positions.Report:
    run = positions.Check(set(excused))
    run.position(line)
    return run.report


def test_everything_agrees_or_is_a_quirk_or_an_exception(report: positions.Report) -> None:
    assert report.lines == []
    assert report.agree == report.of
    assert report.of["legal"] + report.exceptions == POSITIONS
    assert report.quirks == QUIRKS
    assert report.exceptions < POSITIONS / 50


def test_the_command_prints_its_one_line(
    good: Line, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(good) + "\n")
    assert positions.main([str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("legal 1 of 1 positions, outcomes ")
    assert "chosen 1 of 1, " in said
    assert said.endswith(" quirks apart, 0 exceptions\n")


def changed(line: Line, part: str) -> Line:
    """Return a line with one thing made wrong."""
    line = copy.deepcopy(line)
    option = next(o for o in line["options"] if o["score"] is not None and "after" in o)
    if part == "legal":
        option["action"] = {"t": "attack", "attacker": [0, 6], "target": [1, 6]}
    elif part == "outcomes":
        option["after"]["players"][0]["mana"]["max"] += 1
    elif part == "scores":
        option["score"] += 1e-6
    else:
        line["chosen"] = {"t": "end"}
    return line


@pytest.mark.parametrize("part", positions.PARTS)
def test_what_is_wrong_is_seen(good: Line, part: str) -> None:
    report = check(changed(good, part))
    assert report.agree[part] < report.of[part]
    assert report.lines


def test_a_position_among_the_exceptions_is_counted_as_one(good: Line) -> None:
    report = check(changed(good, "chosen"), frozenset({good["id"]}))
    assert report.exceptions == 1
    assert report.agree == report.of
