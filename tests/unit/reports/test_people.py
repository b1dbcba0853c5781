"""The report on a study with participants: its numbers, by hand, and what is damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo.config.participants import load_design
from hsevo.config.reading import dump
from hsevo.play.tournament import wilson
from hsevo.replays.participants import CLICKS, GAMES, STEPS
from hsevo.reports import people
from hsevo.strength.rating import ratio
from tests.support.command import fails, hsevo

pytestmark = pytest.mark.usefixtures("undrawn")

DESIGN = """
participants: [A1, B2, C3]
order: latin
consent: consent.txt
blocks:
  - {condition: alone, opponent: random, deck: mage, against: warrior, games: 10}
  - {condition: helped, opponent: random, deck: mage, against: warrior, games: 2, hints: gsv}
"""
BEGUN = "2026-01-01T12:00:00.000+00:00"
ALONE = {"A1": 10 * ["won"], "B2": 10 * ["lost"]}  # and C3 only agreed


@pytest.fixture
def lab(here: Path) -> Path:
    """Return a folder in which A1 won, and B2 lost, the ten games of its first condition.

    The Latin square has B2 begin with the other one: there it won its two games. A1 left its first
    game there open.
    """
    (here / "lab.yaml").write_text(DESIGN)
    (here / "consent.txt").write_text("You play.")
    path = here / "lab"
    path.mkdir()
    (path / "play.yaml").touch()
    (path / "design.yaml").write_text(dump(load_design(here / "lab.yaml")[0]))
    results = {"A1": ALONE["A1"], "B2": ["won", "won", *ALONE["B2"]]}
    steps, games, clicks, number = [], [], [], 0
    for code in ("A1", "B2", "C3"):
        steps.append([code, 0, 0, 0, BEGUN])
    for code, ends in results.items():
        for place, result in enumerate(ends, start=1):
            number += 1
            condition = "helped" if code == "B2" and place <= 2 else "alone"
            steps.append([code, place, number, number, BEGUN])
            games.append([code, place, condition, "random", "mage", "warrior", number, "any",
                          result, int(result == "lost"), 8, BEGUN, BEGUN, 90.0, number])
            clicks += [[code, place, number, turn, 1000 * ms, "move", "end the turn"]
                       for turn, ms in ((1, 5), (1, 7 if code == "A1" else 11), (3, 60), (3, 62))]
    steps.append(["A1", 11, 23, 23, BEGUN])
    clicks += [["A1", 11, 23, 1, 120_000, "look", "Fireball"]]
    for name, columns, rows in (("steps", STEPS, steps), ("games", GAMES, games),
                                ("clicks", CLICKS, clicks)):
        pd.DataFrame(rows, columns=columns).to_csv(path / f"{name}.csv", index=False)
    return path


def test_rates_take_the_games_of_a_participant_together(lab: Path) -> None:
    found, = people.REPORT.load([lab]).runs.values()
    alone, helped = people.conditions(found).to_dict("records")
    assert (alone["games"], alone["participants"], alone["won"], alone["conceded"]) == (
        20, 2, 10, 10)
    wanted = ratio(np.array([10.0, 0.0]), np.array([10.0, 10.0]))
    assert (alone["rate"], alone["low"], alone["high"]) == (0.5, wanted.low, wanted.high)
    (low,), (high,) = wilson([10], [20])
    assert alone["high"] - alone["low"] > 1.5 * (high - low)  # as if they were independent
    assert (helped["games"], helped["rate"], helped["hints"]) == (2, 1.0, "gsv")


def test_orders_and_places_add_up(lab: Path) -> None:
    found, = people.REPORT.load([lab]).runs.values()
    orders = people.orders(found).set_index("order")
    assert orders["games"].sum() == people.places(found)["games"].sum() == 22
    assert orders.loc["alone > helped", ["assigned", "began", "finished", "won"]].tolist() == [
        2, 2, 0, 10]
    assert orders.loc["helped > alone", ["assigned", "began", "finished", "won"]].tolist() == [
        1, 1, 1, 2]
    first, *_, last = people.places(found).to_dict("records")
    assert (first["place"], first["games"], first["won"]) == (1, 2, 2)
    assert (last["place"], last["games"], last["won"]) == (12, 1, 0)


def test_moves_are_timed_within_a_turn(lab: Path) -> None:
    """Of A1 two seconds each; of B2 six, and two: the pause between the turns does not count."""
    alone, _ = people.times(next(iter(people.REPORT.load([lab]).runs.values()))).to_dict("records")
    assert (alone["participants"], alone["moves"], alone["median"]) == (2, 40, 2.0)
    assert alone["mean"] == (2 + 4) / 2
    assert 0 == alone["low"] < alone["mean"] < alone["high"]


def test_what_was_left_open_is_listed(lab: Path) -> None:
    found, = people.REPORT.load([lab]).runs.values()
    assert found.dropped.to_dict("records") == [{
        "code": "A1", "place": 11, "condition": "helped", "begun": BEGUN, "moves": 0,
        "minutes": 2.0}]
    each = people.participants(found).set_index("code")
    assert each["games"].tolist() == [10, 12, 0]
    assert each["agreed"].all()
    answer, = people.REPORT.top(people.REPORT.load([lab]))
    assert ("1 played all games. 22 are over, including 10 that a participant gave up, and 1 was"
            " left open") in answer.says[0]


def test_the_command_writes_its_tables(lab: Path) -> None:
    (lab / "codes.csv").write_text("code,order,token\nA1,alone,secret-token\n")
    result = hsevo("report", lab, "--out", "out")
    assert result.exit_code == 0, result.output
    assert {file.stem for file in Path("out/tables").iterdir()} == {
        "conditions", "orders", "places", "times", "clicks", "dropped", "participants"}
    page = Path("out/report.html").read_text()
    assert "50.0 %" in page
    assert "secret-token" not in page
    assert "random (alone)" in page


def test_two_studies_stand_in_one_report(lab: Path) -> None:
    other = lab.rename(lab.parent / "one")
    import shutil
    shutil.copytree(other, lab)
    assert hsevo("report", other, lab, "--out", "out").exit_code == 0
    assert {"conditions-1.csv", "conditions-2.csv"} <= {
        one.name for one in Path("out/tables").iterdir()}


def test_a_study_without_a_game_is_reported(lab: Path) -> None:
    for name, columns in (("steps", STEPS), ("games", GAMES), ("clicks", CLICKS)):
        (lab / f"{name}.csv").write_text(",".join(columns) + "\n")
    result = hsevo("report", lab, "--out", "out")
    assert result.exit_code == 0, result.output
    assert "No game has ended yet" in Path("out/report.html").read_text()


@pytest.mark.parametrize(("name", "old", "new", "says"), [
    ("games.csv", "A1,1,", "Z9,1,", "the design has no game 1 of 'Z9'"),
    ("games.csv", "A1,1,", "A1,99,", "the design has no game 99 of 'A1'"),
    ("steps.csv", "C3,0", "C3,x", "is damaged"),
    ("clicks.csv", "code,", "kode,", "it has no column code"),
    ("design.yaml", "order: latin", "order: none", "order is 'none'")])
def test_damaged_tables_are_one_line(lab: Path, name: str, old: str, new: str, says: str) -> None:
    text = (lab / name).read_text()
    assert old in text
    (lab / name).write_text(text.replace(old, new, 1))
    said = fails("report", lab, "--out", "out")
    assert says in said
    assert said.count("\n") == 1


def test_groups_are_of_solutions_alone(lab: Path) -> None:
    assert "is a study with participants, which has none" in fails("report", lab, "--groups", 3)
