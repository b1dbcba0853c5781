"""The engine against positions with known outcomes, and that the check sees what is wrong."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.rules import scenarios
from tests.support import DATA
from tests.support.state_adapter import read
from tests.support.state_compare import differences

pytestmark = pytest.mark.slow

FILE = DATA / "scenarios.dev.jsonl.xz"
EXPANSIONS = DATA / "scenarios.expansions.jsonl.xz"
OF_2019 = DATA / "scenarios.2019.jsonl.xz"
STEPS = {FILE: 3720, EXPANSIONS: 5306, OF_2019: 2398}
LOST = {FILE: 0, EXPANSIONS: 31, OF_2019: 14}  # most after a departure while a choice is open
EXCEPTIONS = {FILE: 1 / 25, EXPANSIONS: 1 / 25, OF_2019: 1 / 16}  # share of the steps, at most
Line = dict[str, Any]


@pytest.fixture(scope="module")
def sequence() -> Line:
    """Return a sequence that agrees in every step."""
    lines = (line for line in read(FILE) if line["kind"] == "sequence")
    return next(line for line in lines if check([line]).agree == len(line["steps"]))


@pytest.fixture(scope="module")
def good() -> list[Line]:
    """Return a few lines that agree, one of them with several outcomes."""
    lines = [line for line in read(FILE) if line["kind"] == "single"]
    sure = [line for line in lines if len(line["steps"][0]["outcomes"]) == 1]
    random = [line for line in lines if len(line["steps"][0]["outcomes"]) == 3]
    agreeing = [line for line in [*random, *sure[:50]] if check([line]).agree == 1]
    return [agreeing[0], *agreeing[-5:]]


def check(lines: list[Line], excused: frozenset[str] = frozenset()) -> scenarios.Report:
    run = scenarios.Check(set(excused))
    for line in lines:
        run.line(line)
    return run.report


@pytest.mark.parametrize("path", STEPS, ids=lambda path: path.name)
def test_every_step_agrees_or_is_an_exception(path: Path) -> None:
    report = scenarios.check(path)
    assert report.lines == []
    assert report.agree == report.steps
    assert report.lost <= LOST[path]
    examined = report.steps + report.skipped + report.exceptions
    assert examined + report.lost == STEPS[path]
    assert report.exceptions < STEPS[path] * EXCEPTIONS[path]


def test_the_command_prints_its_one_line(
    good: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in good))
    assert scenarios.main([str(path)]) == 0
    n = len(good)
    said = f"agree {n} of {n} steps, 0 skipped (cards not implemented), 0 exceptions"
    assert capsys.readouterr().out == said + "\n"


def changed(line: Line, change: str) -> Line:
    """Return a line with one thing made wrong."""
    line = copy.deepcopy(line)
    step = line["steps"][0]
    if change == "before":
        line["before"]["players"][1]["hero"]["hp"] += 1
    elif change == "outcome":
        step["outcomes"][0]["state"]["players"][0]["mana"]["max"] += 1
    elif change == "legal":
        step["legal"].append({"t": "attack", "attacker": [0, 6], "target": [1, 6]})
    elif change == "missing":
        step["legal"].remove({"t": "end"})
    else:
        step["outcomes"][0]["p"], step["outcomes"][1]["p"] = 0.05, 0.55
    return line


@pytest.mark.parametrize("change", ["before", "outcome", "legal", "missing", "chance"])
def test_what_is_wrong_is_seen(good: list[Line], change: str) -> None:
    report = check([changed(good[0], change)])
    assert (report.agree, report.steps) == (0, 1)
    assert report.lines


def test_a_line_among_the_exceptions_is_counted_as_one(good: list[Line]) -> None:
    wrong = changed(good[0], "outcome")
    report = check([wrong], frozenset({wrong["id"]}))
    assert (report.steps, report.exceptions) == (0, 1)


def test_a_line_with_an_unknown_card_is_skipped(good: list[Line]) -> None:
    line = copy.deepcopy(good[0])
    line["init"]["players"][0]["deck"].append("NO_SUCH_CARD")
    report = check([line])
    assert (report.steps, report.skipped) == (0, 1)


def test_a_sequence_goes_on_from_the_state_of_the_file(sequence: Line) -> None:
    line = copy.deepcopy(sequence)
    for step in line["steps"]:  # the file alone has it
        for outcome in step["outcomes"]:
            outcome["state"]["players"][1]["fatigue"] += 1
    report = check([line])
    assert (report.agree, report.steps) == (len(line["steps"]) - 1, len(line["steps"]))


def test_lines_about_a_card_or_a_set_can_be_chosen() -> None:
    line = {"focus": ["GVG_110", 2080, "Dr. Boom"]}
    for focus in ("Dr. Boom", "dr. boom", "GVG_110", "gvg", "Goblins vs Gnomes"):
        assert scenarios.is_about(line, focus)
    assert not scenarios.is_about(line, "naxx")
    assert not scenarios.is_about({}, "gvg")


def test_an_unknown_card_is_one_of_its_pool() -> None:
    pool = frozenset({"A", "B"})
    hand = {"hand": [{"id": "?"}, {"id": "C", "cost": 1}], "deck": ["?"]}
    found = {"hand": [{"id": "B", "cost": 9}, {"id": "C", "cost": 1}], "deck": ["A"]}
    other = {"hand": [{"id": "D", "cost": 9}, {"id": "C", "cost": 1}], "deck": ["D"]}
    state = {"turn_player": 0}
    assert not differences(state | {"players": [hand]}, state | {"players": [found]}, pool)
    assert len(differences(state | {"players": [hand]}, state | {"players": [other]}, pool)) == 2


def test_options_of_a_choice_are_a_set() -> None:
    pool, state = frozenset({"A", "B"}), {"turn_player": 0, "players": []}

    def options(*ids: str) -> dict[str, Any]:
        return state | {"choice": {"player": 0, "options": list(ids)}}

    assert not differences(options("?", "C", "?"), options("A", "B", "C"), pool)
    assert differences(options("?", "C", "?"), options("A", "B", "D"), pool)
    assert differences(options("C", "D"), options("C"), pool)
    assert differences(options("C"), state, pool)


def test_potions_are_given_by_their_parts() -> None:
    line = {"hand": [{"id": "CFM_621t", "cost": 1, "parts": ["CFM_621t4", "CFM_621t9"]}]}
    assert scenarios.with_potions(line) == {"hand": [{"id": "CFM_621t:1:2:6", "cost": 1}]}
