"""hsevo.frontier and hsevo benchmark --frontier: ratings of the panel's scale, files, messages."""

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hsevo
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.files import UNFINISHED
from hsevo.play.decision_times import Times
from hsevo.strength import frontier as frontiers
from hsevo.strength.panel import Panel
from hsevo.strength.rating import Estimate
from tests.support.command import hsevo as command

SERIAL: dict[str, Any] = {"workers": 1, "backend": "serial"}


@pytest.fixture(autouse=True)
def _instant(monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    """Give each agent the time of its place: 0.001 ms, 0.002 ms ..."""
    at = iter(range(1, 1000))

    def take(agent: Any, dealt: Any, seconds: float) -> Times:
        mean = 1e-6 * next(at)
        return Times(mean, 0.9 * mean, 1.1 * mean, mean, 2 * mean, 20)

    monkeypatch.setattr(frontiers, "times", take)
    monkeypatch.setattr(frontiers, "positions", lambda decks: None)


def test_the_panels_ratings_are_its_own() -> None:
    found, panel = hsevo.frontier(panel="panel-2026"), Panel.read("panel-2026")
    values, _ = panel.ratings(panel.plan.agents)
    shown = found.table.set_index("agent")["rating"]
    assert [shown[name] for name in panel.plan.agents] == values.tolist()
    assert repr(found).startswith("agents on the frontier, fastest first: random, ")


def test_others_are_rated_as_by_a_benchmark() -> None:
    both = ["eva:turn", "hearthsim?nodes=10"]
    found = hsevo.frontier(both, 18, panel="panel-2026", **SERIAL)
    shown = found.table.set_index("agent")
    for name in both:
        wanted = hsevo.benchmark(name, 18, panel="panel-2026", **SERIAL).rating
        assert Estimate(*shown.loc[name, ["rating", "low", "high"]]) == wanted


def test_who_is_in_the_panel_does_not_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontiers, "benchmark_of", None)
    found = hsevo.frontier(["gsv", "tyche:mc"], panel="panel-2026")
    assert len(found.names) == len(Panel.read("panel-2026").plan.agents)


def test_a_folder_has_all_and_goes_on_after_a_stop(tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    call: dict[str, Any] = {"agents": ["eva:turn"], "games": 18, "panel": "panel-2026",
                            "out": tmp_path / "new", **SERIAL}
    with monkeypatch.context() as patch:
        patch.setattr(frontiers, "_times", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            hsevo.frontier(**call)
        assert (tmp_path / "new" / "1-eva-turn" / "benchmark.csv").exists()
        with pytest.raises(RunError, match="unfinished output of another command"):
            hsevo.frontier(**call | {"agents": ["eva:reply"]})
    with monkeypatch.context() as patch:
        patch.setattr("hsevo.strength.contest.play", lambda *_: iter(()))  # its games are there
        found = hsevo.frontier(**call)
    assert {one.name for one in found.path.iterdir()} == {
        "1-eva-turn", "frontier.csv", "budgets.csv", "frontier.svg", "frontier.png",
        "frontier.yaml", ".lock"}
    pd.testing.assert_frame_equal(pd.read_csv(found.path / "frontier.csv"), found.table)
    assert not (found.path / UNFINISHED).exists()
    with pytest.raises(RunError, match="is not empty"):
        hsevo.frontier(**call)


@pytest.mark.parametrize(("changes", "error", "says"), [
    ({"agents": "nobody"}, AgentError, "unknown agent 'nobody'"),
    ({"agents": "eva:2018@mage"}, AgentError, "remove @ and the deck"),
    ({"agents": ["gsv", "gsv"]}, AgentError, "given twice"),
    ({"seconds": 0}, ConfigError, "seconds is 0, but"),
    ({"seconds": "2"}, ConfigError, "seconds is '2', but"),
    ({"games": 0}, ConfigError, "games is 0, but"),
    ({"panel": "panel-2026d"}, ConfigError, "there is no panel"),
])
def test_bad_arguments_get_one_line_and_no_folder(changes: dict[str, Any],
                                                  error: type[Exception], says: str,
                                                  tmp_path: Path) -> None:
    with pytest.raises(error, match=re.escape(says)) as found:
        hsevo.frontier(**{"out": tmp_path / "new", **changes})
    assert "\n" not in str(found.value)
    assert not (tmp_path / "new").exists()


def test_the_command_prints_in_80_columns(here: Path) -> None:
    done = command("benchmark", "--frontier", "--panel", "panel-2026", "eva:turn", "--games", 18,
                   "--backend", "serial", "--out", "new", FORCE_COLOR="1", TERM="xterm",
                   COLUMNS="80")
    lines = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", done.stdout).splitlines()
    assert max(map(len, lines)) <= 80
    assert next(line for line in lines if " random " in line).startswith("* ")
    assert lines[-1] == "picture and tables: new"


def test_json_has_both_tables() -> None:
    found = json.loads(command("benchmark", "--frontier", "--panel", "panel-2026",
                               "--json").stdout)
    assert found["panel"] == "panel-2026"
    assert {*found["agents"][0]} >= {"agent", "rating", "ms", "ratio", "on_frontier"}
    assert {*found["agents"][0]["ms"]} == {"value", "low", "high"}
    assert [one["within_ms"] for one in found["budgets"]][:2] == [0.001, 0.01]
