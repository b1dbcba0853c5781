"""--json: one object on stdout and nothing else, the same shape everywhere, sums that add up."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hsevo.agents.genomes.weights import write_weights
from hsevo.objects import to_object
from hsevo.strength.rating import Estimate
from tests.support.command import hsevo

pytestmark = [pytest.mark.usefixtures("fake_engine", "here")]
SERIAL = ("--backend", "serial")
SMOKE = ("evolve", "--config", "smoke", *SERIAL)
FOUR = ("eva:four.csv#a", "eva:four.csv#b", "eva:four.csv#c", "eva:four.csv#d")


@pytest.fixture(autouse=True)
def four(here: Path) -> None:
    write_weights(here / "four.csv", list("abcd"), np.random.default_rng(5).random((4, 21)))


def printed(*words: object) -> Any:
    """Return the object that a command prints; json refuses anything beside it."""
    result = hsevo(*words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout, parse_constant=pytest.fail)  # NaN and Infinity are no JSON
    named = words[:2] if words[0] in ("cards", "decks", "config") else words[:1]
    assert found["command"] == " ".join(map(str, named))
    assert set(found["hsevo"]) >= {"version"}
    return found


def check_estimates(value: Any) -> int:
    """Check that all estimates are in order; return how many there are."""
    if isinstance(value, list):
        return sum(map(check_estimates, value))
    if not isinstance(value, dict):
        return 0
    assert not [name for name in value if name.endswith(("_low", "_high"))]
    if {"value", "low", "high"} == set(value):
        ends = [value[name] for name in ("low", "value", "high")]
        known = [end for end in ends if end is not None]
        assert known == sorted(known)
        return 1
    assert not {"low", "high"} & set(value)
    return sum(map(check_estimates, value.values()))


def check_sums(row: dict[str, Any]) -> None:
    assert row["wins"] + row["draws"] + row["losses"] == row["games"]


def test_a_match_adds_up() -> None:
    found = printed("match", FOUR[0], FOUR[1], "--games", 180, *SERIAL)
    check_sums(found)
    assert found["games"] == 2 * sum(found["pairs"]) == 180
    points = sum(n * i / 2 for i, n in enumerate(found["pairs"]))
    assert points == found["wins"] + found["draws"] / 2
    assert points == pytest.approx(180 * found["rate"]["value"])
    own = [row for row in found["deck_pairs"] if row["agent"] == FOUR[0]]
    for name in ("games", "wins", "draws", "losses"):
        assert sum(row[name] for row in own) == found[name]
    assert found["plan"]["decks"] == ["warrior", "shaman", "mage"]
    assert found["sprt"] is None
    assert found["sure"] is (not found["rate"]["low"] <= 0.5 <= found["rate"]["high"])
    assert check_estimates(found) == 3 + len(found["deck_pairs"])


def test_a_match_with_a_test_says_what_is_accepted() -> None:
    sprt = printed("match", *FOUR[:2], "--sprt", -900, -800, *SERIAL)["sprt"]
    assert (sprt["accepted"], sprt["elo0"], sprt["elo1"]) == ("H1", -900, -800)
    assert sprt["llr"] >= sprt["bounds"][1]


def test_an_arena_adds_up_and_is_its_files(here: Path) -> None:
    found = printed("arena", *FOUR, "--games", 36, "--out", "mine", *SERIAL)
    assert found["path"] == "mine"
    assert found["games"] == sum(row["games"] for row in found["ratings"]) / 2 == 216
    for row in (*found["ratings"], *found["pairs"], *found["deck_pairs"]):
        check_sums(row)
    assert sum(row["rating"]["value"] for row in found["ratings"]) == pytest.approx(0, abs=1e-6)
    assert found["ratings"][-1]["lead"] == {"value": None, "low": None, "high": None}
    ratings = pd.read_csv(here / "mine" / "ratings.csv")
    assert [row["rating"]["high"] for row in found["ratings"]] == ratings["high"].tolist()
    assert check_estimates(found) > 4 * 3


def test_a_benchmark_adds_up() -> None:
    found = printed("benchmark", FOUR[0], "--panel", "panel-2026", "--games", 18, *SERIAL)
    check_sums(found)
    others = [row for row in found["standing"] if row["agent"] != FOUR[0]]
    for name in ("games", "wins", "draws", "losses"):
        assert sum(row[name] for row in others) == found[name]
        assert sum(row[name] for row in found["decks"]) == found[name]
    place = found["place"]
    assert 1 <= place["low"] <= place["value"] <= place["high"] <= len(found["standing"])
    assert found["standing"][place["value"] - 1]["rating"] == found["rating"]
    check_estimates(found)


def test_a_runs_commands_agree_with_each_other(here: Path) -> None:
    run = printed(*SMOKE, "--out", "mine")
    seen = printed("watch", "mine")
    best = printed("export-best", "mine", "--games-per-pair", 2, *SERIAL)
    assert run["done"] is seen["done"] is True
    assert run["config"] == seen["config"]
    assert run["statistics"] == seen["statistics"]
    verified = printed("verify", "mine")
    assert verified["games"] == seen["games"] == sum(row["games"] for row in seen["statistics"])
    assert (verified["ok"], verified["problems"], verified["generations"]) == (True, [], 3)
    assert run["best"]["weights"] == seen["best"]
    for row in best["ranking"]:
        games = row["wins"] + row["draws"] + row["losses"]
        assert games == 3 * 9 * 2
        assert row["rate"]["value"] == row["wins"] / games
    assert best["rate"] == best["ranking"][0]["rate"]
    assert best["agent"] == best["ranking"][0]["agent"]
    assert len(best["weights"]) == 21
    matches = printed("replay", "mine", "--list")["matches"]
    assert [row["part"] for row in matches] == [*range(len(matches))]
    assert sum(row["games"] for row in matches) == seen["statistics"][-1]["games"]
    for found in (run, seen, best, verified):
        check_estimates(found)


def test_a_damaged_run_is_an_object_too(here: Path) -> None:
    hsevo(*SMOKE, "--out", "mine")
    path = here / "mine" / "statistics.csv"
    path.write_text(path.read_text().replace("0,0,", "0,1,", 1).replace("1,0,", "1,0,9", 1))
    result = hsevo("verify", "mine", "--json")
    assert result.exit_code == 2
    if result.stdout:  # what cannot be read at all is an error alone
        assert json.loads(result.stdout)["ok"] is False


def test_a_study_is_its_curve(here: Path) -> None:
    found = printed("study", "divine-shield-control", "--games", 5, "--out", "new", *SERIAL)
    for row in found["curve"]:
        assert (row["games"], row["rate"]["value"]) == (5, row["wins"] / 5)
    assert check_estimates(found) == 2 * len(found["curve"]) > 0  # with the published one


def test_lists_are_objects_too() -> None:
    mage, = printed("decks", "check", "mage")["decks"]
    assert mage["size"] == sum(card["copies"] for card in mage["cards"]) == 30
    assert sum(mage["curve"].values()) == 30
    assert {"mage", "warrior"} <= {row["name"] for row in printed("decks", "list")["decks"]}
    assert {"name": "taunts", "for": "hsevo study",
            "what it is": "The best number of minions with Taunt in a deck"} in printed(
                "config", "list")["configs"]
    cards = printed("cards", "list", "--class", "mage", "--cost", 7)["cards"]
    assert [row["cost"] for row in cards] == [7] * len(cards)
    sylvanas, = printed("cards", "show", "Sylvanas")["cards"]
    assert (sylvanas["cost"], sylvanas["body"], sylvanas["implemented"]) == (6, "5/5", True)
    assert printed("agents")["agents"][0]["agent"] == "random"


def test_each_mistake_of_a_deck_is_an_object(here: Path) -> None:
    (here / "bad.txt").write_text("class: Mage\n3x Fireball\nFirebal\n")
    result = hsevo("decks", "check", "mage", "bad.txt", "maeg", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert [deck["deck"] for deck in found["decks"]] == ["mage"]
    assert [one["deck"] for one in found["mistakes"]] == [*3 * ["bad.txt"], "maeg"]
    lines = [one["mistake"] for one in found["mistakes"]]
    assert lines[0] == "bad.txt: unknown card 'Firebal'; did you mean 'Fireball'?"
    assert lines == result.stderr.removeprefix("hsevo: ").splitlines()


def test_what_is_no_number_is_null() -> None:
    assert to_object(Estimate(np.inf, np.float64(1.5), np.nan)) == {
        "value": None, "low": 1.5, "high": None}
    table = pd.DataFrame({"x": [1, 2], "x_low": [0, 1], "x_high": [2, np.nan], "who": ["a", "b"]})
    assert to_object(table) == [{"x": {"value": 1, "low": 0.0, "high": 2.0}, "who": "a"},
                                {"x": {"value": 2, "low": 1.0, "high": None}, "who": "b"}]
    assert to_object({"n": np.int64(3), "t": (True, None, Path("x"))}) == {
        "n": 3, "t": [True, None, "x"]}
