"""Generations by minutes: as many are planned as fit, by what sampled games cost."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hsevo
from hsevo import config
from hsevo.errors import ConfigError
from hsevo.evolution import budget
from hsevo.evolution.budget import EvolutionCosts
from hsevo.evolution.evolve import games_to_play
from hsevo.experiments import progress as budgets
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.unit.runs.test_runs import bits

REFERENCES = {"references.against": ["random"], "references.every": 4, "references.games": 36}
GAME = EvolutionCosts(serial=0.0, commit=0.0, game=1.0, fixed=1.0, reference=1.0)  # a second each


def plan_of(**changes: Any) -> config.Config:
    return config.change(config.load("smoke"), changes)


def fitting(plan: config.Config, costs: EvolutionCosts, seconds: float) -> int:
    return budgets.fitting(lambda number: costs.run(config.change(plan, {
        "evolution.generations": number})), seconds, 1, 1000)


@pytest.mark.parametrize("changes", [
    {}, REFERENCES, {**REFERENCES, "executions": 3}, {"rating.hall_of_fame": 3},
    {**REFERENCES, "rating.opponents": {"agents": ["random", "noaggression"]}}])
@pytest.mark.parametrize("number", [1, 2, 5, 6, 9])
def test_as_many_generations_as_fit(changes: dict[str, Any], number: int) -> None:
    """With games of a second each, the games of a run are its seconds."""
    plan = plan_of(**changes, **{"evolution.generations": number})
    longest = games_to_play(plan)
    assert fitting(plan, GAME, longest) == number
    assert fitting(plan, GAME, longest - 1) == number - 1


def test_what_is_between_games_counts() -> None:
    plan = plan_of()
    costs = EvolutionCosts(2.0, 1.0, 0.0, 0.0, 0.0)
    assert fitting(plan, costs, 30.0) == 10  # a commit waits for no game
    slow = EvolutionCosts(0.0, 0.0, 0.0, 0.0, reference=1.0)
    assert fitting(plan_of(**REFERENCES), slow, 36 * 2.5) == 5  # 0 and 4: the second is the last


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that only the test moves."""
    moved = SimpleNamespace(now=0.0)
    monkeypatch.setattr(budgets, "time", SimpleNamespace(perf_counter=lambda: moved.now))
    return moved


def test_a_pace_is_of_later_games_alone(clock: SimpleNamespace) -> None:
    """The first games are slow, for the workers start."""
    asked: list[int] = []

    def play(games: int) -> int:
        clock.now += 0.05 * games if asked else 100.0
        asked.append(games)
        return games

    assert budgets.pace(play, 8, 30) == pytest.approx(0.05)
    assert asked == [8, 8, 30, 30]  # until they took two seconds
    assert budgets.pace(play, 8, 0) == 0.0
    assert asked == [8, 8, 30, 30]


@pytest.mark.usefixtures("fake_engine")
@pytest.mark.parametrize("changes", [
    REFERENCES, {"rating.racing.rounds": 2, "games": 4},
    {"agent.genome": "deck", "decks": ["mage", "warrior"], **REFERENCES,
     "rating.opponents": {"agents": ["random"], "decks": ["shaman"]}}])
def test_each_kind_of_game_is_measured(here: Path, monkeypatch: pytest.MonkeyPatch,
                                       changes: dict[str, Any]) -> None:
    """A block takes a hundredth of a second; a serial one has 8 to 640 games.

    Three seconds are enough for some generations on a busy machine, too.
    """
    monkeypatch.setenv("HSEVO_FAKE_SECONDS", "0.01")
    monkeypatch.setattr(budgets, "SECONDS", 0.05)
    found: list[EvolutionCosts] = []
    monkeypatch.setattr(budget, "measure", lambda *arguments, measure=budget.measure: (
        found.append(measure(*arguments)) or found[0]))
    run = hsevo.evolve("smoke", changes=changes, minutes=0.05, backend="serial", out="run")
    assert run.done
    assert found[0].serial > 0
    assert found[0].commit > 0
    assert found[0].game > 0.01 / 640
    assert (found[0].fixed > 0.01 / 640) == ("rating.opponents" in changes)
    assert (found[0].reference > 0.01 / 640) == ("references.against" in changes)
    assert [path.name for path in here.iterdir()] == ["run"]


@pytest.mark.usefixtures("fake_engine")
def test_the_same_run_is_made_again_by_its_generations(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    costs = EvolutionCosts(2.0, 0.0, 0.0, 0.0, 0.0)
    monkeypatch.setattr(budget, "measure", lambda *arguments: costs)
    made = hsevo_("evolve", "--config", "smoke", "--minutes", "0.2", "--out", "a", "--backend",
                  "serial", "--set", "references.against=[random]")
    said = ("6 generations fit into 0.2 minutes; to repeat this run, use"
            " --set evolution.generations=6")
    assert said in made.stderr.splitlines()
    assert said in Path("a/log.txt").read_text()
    hsevo_("evolve", "--config", "smoke", "--set", "evolution.generations=6", "--out", "b",
           "--backend", "serial", "--set", "references.against=[random]")
    planned, given = bits(Path("a")), bits(Path("b"))
    assert planned.pop("config.yaml").replace(b"out: a\n", b"out: b\n") == given.pop("config.yaml")
    assert planned == given
    assert hsevo.Run("a").config.evolution.generations == 6


@pytest.mark.usefixtures("fake_engine")
def test_too_few_minutes_leave_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    costs = EvolutionCosts(90.0, 0.0, 0.0, 0.0, 0.0)
    monkeypatch.setattr(budget, "measure", lambda *arguments: costs)
    with pytest.raises(ConfigError, match=r"^minutes is 4, but one generation of each of 3"
                                          r" executions takes about 4 min 30 s on this machine;"
                                          r" set more minutes$"):
        hsevo.evolve("smoke", executions=3, minutes=4, out="run")
    assert "minutes is 1, but one generation takes about 1 min 30 s" in fails(
        "evolve", "--config", "smoke", "--minutes", "1", "--out", "run").splitlines()[-1]
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), True, "ten"])
def test_no_number_of_minutes(here: Path, minutes: Any) -> None:
    with pytest.raises(ConfigError, match=r"^minutes is .*, but must be a number above 0"):
        hsevo.evolve("smoke", minutes=minutes, out="run")
    assert list(here.iterdir()) == []


def test_minutes_stand_alone(here: Path) -> None:
    with pytest.raises(ConfigError, match=r"^minutes and evolution\.generations can't be combined"):
        hsevo.evolve("smoke", minutes=1, changes={"evolution.generations": 3})
    said = fails("evolve", "--config", "smoke", "--minutes", "1", "--set",
                 "evolution.generations = 3")
    assert len(said.splitlines()) == 1
    assert "minutes and evolution.generations can't be combined" in said
    assert "--minutes can't be combined with --resume" in fails(
        "evolve", "--resume", "runs/x", "--minutes", "1")
    assert list(here.iterdir()) == []
