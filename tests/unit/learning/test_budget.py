"""Periods by minutes: as many are planned as fit, by what sampled rounds cost."""

from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo import config
from hsevo.config import change
from hsevo.config.learning import Plan
from hsevo.errors import ConfigError
from hsevo.experiments import progress as budgets
from hsevo.learning import budget
from hsevo.learning.budget import LearningCosts
from hsevo.learning.measures import games_to_play
from tests.support.command import fails
from tests.support.command import hsevo as command

SMALL = {"rounds": 2, "games": 2, "references.games": 8, "payoff_games": 1}
IMITATING = {"start": "random", "start_periods": 2}


def plan_of(**changes: Any) -> Plan:
    return change(config.load("osfp-smoke", model=Plan), {**SMALL, **changes})


def fitting(plan: Plan, costs: LearningCosts, seconds: float) -> int:
    return budgets.fitting(lambda number: costs.run(change(plan, {"periods": number})),
                           seconds, plan.imitates + 1, budget.MOST)


@pytest.mark.parametrize("changes", [{}, IMITATING, {"payoff_games": 0}, {"references.every": 3}])
@pytest.mark.parametrize("number", [3, 4, 7])
def test_as_many_periods_as_fit(changes: dict[str, Any], number: int) -> None:
    """With games of a second each, the games of a run are its seconds."""
    plan = plan_of(**changes, periods=number)
    each = float(plan.games_per_round)
    costs, seconds = LearningCosts(each, each, 0.0, 1.0), games_to_play(plan)
    assert costs.run(plan) == seconds
    assert fitting(plan, costs, seconds) == number
    assert fitting(plan, costs, seconds - 1) == (number - 1 if number > 3 or not changes.get(
        "start") else 0)


def test_what_is_between_rounds_counts() -> None:
    assert LearningCosts(0.0, 1.0, 0.5, 0.0).run(plan_of(periods=4)) == 4 * (2 * 1.0 + 0.5)
    imitating = plan_of(periods=4, **IMITATING)
    assert LearningCosts(3.0, 1.0, 0.0, 0.0).run(imitating) == 2 * 2 * 3.0 + 2 * 2


@pytest.mark.parametrize("changes", [{}, IMITATING])
def test_the_same_run_is_made_again_by_its_periods(
        here: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]) -> None:
    monkeypatch.setattr(budgets, "SECONDS", 0.01)
    found: list[LearningCosts] = []

    def measure(*arguments: Any, measure: Any = budget.measure) -> LearningCosts:
        found.append(measure(*arguments))
        return LearningCosts(2.0, 1.0, 0.0, 0.0)

    monkeypatch.setattr(budget, "measure", measure)
    run = hsevo.learn("osfp-smoke", changes=SMALL | changes, minutes=0.2, out="a")
    assert (found[0].own > 0, found[0].game > 0) == (True, True)
    assert (found[0].imitating > 0) == bool(changes)
    periods = 4 if changes else 6  # 12 seconds; two periods of `start` take 8
    assert run.plan.periods == periods
    said = (f"{periods} periods fit into 0.2 minutes; to repeat this run, use --set"
            f" periods={periods}")
    assert said in Path("a/log.txt").read_text()
    hsevo.learn("osfp-smoke", changes=SMALL | changes | {"periods": periods}, out="b")
    names = sorted(path.relative_to("a") for path in Path("a/checkpoints").iterdir())
    assert len(names) == periods
    for name in [*names, "learning.csv", "references.csv", "payoff.csv"]:
        assert (Path("a") / name).read_bytes() == (Path("b") / name).read_bytes(), name
    assert sorted(path.name for path in here.iterdir()) == ["a", "b"]


def test_what_is_refused_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "measure", lambda *arguments: LearningCosts(60.0, 60.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match=r"^minutes is 1, but one period takes about 2 min"):
        hsevo.learn("osfp-smoke", changes=SMALL, minutes=1)
    with pytest.raises(ConfigError, match=r"^minutes and periods can't be combined"):
        hsevo.learn("osfp-smoke", changes={"periods": 3}, minutes=1)
    with pytest.raises(ConfigError, match=r"^minutes is 0, but must be a number above 0"):
        hsevo.learn("osfp-smoke", minutes=0)
    small = ("learn", "--config", "osfp-smoke", "--minutes")
    assert "minutes and periods can't be combined" in fails(*small, "1", "--set", "periods=3")
    assert "--minutes can't be combined with --resume" in fails(
        "learn", "--resume", "x", "--minutes", "1")
    assert list(here.iterdir()) == []


def test_a_full_folder_is_refused_before_anything_is_measured(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "measure", lambda *arguments: pytest.fail("measured"))
    monkeypatch.setattr("hsevo.evolution.budget.measure", lambda *_: pytest.fail("measured"))
    (here / "full").mkdir()
    (here / "full" / "file").touch()
    for words in (("learn", "--config", "osfp-smoke"), ("evolve", "--config", "smoke")):
        assert "full already exists and is not empty" in fails(
            *words, "--minutes", "1", "--out", "full")
    assert command("learn", "--help").output.count("--minutes") == 2
