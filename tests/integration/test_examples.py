"""Examples run, small; without the libraries that they need, they end with one line."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from tests.support import ROOT

RUN = """
import runpy, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

_, missing, *sys.argv = sys.argv
sys.meta_path.insert(0, Missing())
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(("example", "missing", "install"), [
    ("ppo_self_play", "torch", "pip install -e '.[env,torch]'"),
    ("ppo_self_play", "gymnasium", "pip install gymnasium"),
    ("linear_reinforce", "gymnasium", "pip install gymnasium"),
    ("league", "gymnasium", "pip install gymnasium"),
    ("sb3_ppo", "torch", "pip install -e '.[sb3]'"),
    ("sb3_ppo", "sb3_contrib", "pip install -e '.[sb3]'"),
    ("end_to_end", "torch", "pip install torch"),
    ("pyribs_map", "ribs", "pip install 'hsevo[research]'"),
    ("alpha_zero", "torch", "pip install -e '.[torch]'"),
    ("offline_rl", "torch", "pip install -e '.[torch]'"),
])
def test_a_missing_library_is_one_line(example: str, missing: str, install: str,
                                       tmp_path) -> None:
    if missing != "torch" and example not in ("linear_reinforce", "league"):
        pytest.importorskip("torch")
    found = subprocess.run(
        [sys.executable, "-c", RUN, missing, ROOT / "examples" / f"{example}.py"], cwd=tmp_path,
        capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("error: ")
    assert found.stderr.count("\n") == 1
    assert missing.removesuffix("_contrib") in found.stderr.replace("PyTorch", "torch")
    assert install in found.stderr
    assert list(tmp_path.iterdir()) == []


SMALL = {"games": 1, "decks": ["mage"], "evolution.lambda": 6, "evolution.mu": 2,
         "evolution.generations": 2}


@pytest.fixture
def examples(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Import from the folder of examples, in an empty folder."""
    monkeypatch.syspath_prepend(ROOT / "examples")
    return ROOT / "examples"


def test_pycma_is_a_strategy_and_resumes_exactly(examples: Path) -> None:
    spec = {"evolution.strategy": f"py:{examples}/pycma_strategy.py#PyCma",
            "evolution.options": {"sigma": 0.2}}
    whole = hsevo.evolve("smoke", {**SMALL, **spec, "evolution.generations": 3}, out="whole")
    hsevo.evolve("smoke", SMALL | spec, out="cut").resume(generations=3)
    assert (Path("cut/population.csv").read_bytes() == Path("whole/population.csv").read_bytes())
    assert whole.verify().problems == []
    assert whole.population.groupby("generation").size().tolist() == [6, 7, 7]  # with its best
    assert whole.statistics["sigma"].between(0.05, 0.5).all()
    assert whole.statistics["axis_ratio"].ge(1).all()


@pytest.mark.slow
def test_pyribs_draws_a_map_that_the_run_gives_again(examples: Path) -> None:
    pytest.importorskip("ribs")
    from pyribs_map import WEIGHT, evolve, map_of

    run = evolve("map", **SMALL, **{"rating.opponents.games": 2})
    people, archive = run.population, map_of(run)
    assert archive.stats.obj_max == people["fitness"].max()
    assert 1 <= archive.stats.num_elites <= len(people)
    assert 1 <= run.statistics["elites"].iloc[-1] <= len(people)
    elites = archive.data(return_type="pandas")
    played = people[["fitness", "feature_turns", WEIGHT]].to_numpy().tolist()
    assert all(row in played for row in elites[
        ["objective", "measures_0", "measures_1"]].to_numpy().tolist())
    assert run.verify().problems == []


def test_ask_and_tell_in_plain_python(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from cmaes_ask_and_tell import search

    weights = search(generations=1, size=4, games=18).weights
    assert weights.between(0, 1).all()
    assert weights.nunique() > 1
    assert "generation 0: best" in capsys.readouterr().out


def test_a_league_weighs_opponents_by_its_results_and_meets_its_past(
        examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium")
    import league

    from hsevo.learning.vector import BattleVectorEnv

    pools = []

    def noted(env: BattleVectorEnv, pool: dict[Any, float]) -> None:
        pools.append({agent.name: weight for agent, weight in pool.items()})
        set_opponents(env, pool)

    set_opponents = BattleVectorEnv.set_opponents
    monkeypatch.setattr(BattleVectorEnv, "set_opponents", noted)
    monkeypatch.setattr(league, "GAMES", 16)
    table, again = (league.train(rounds=3, games=60, decks=["mage"]) for _ in range(2))
    pd.testing.assert_frame_equal(table, again)
    assert (table.groupby("round").games.sum() >= 60).all()
    assert {*table.opponent} == {*league.AGENTS, "round-1", "round-2"}
    assert "round-1" not in {*table.opponent[table["round"] == 1]}
    for number, pool in enumerate(pools[:3], 1):
        assert pool[f"round-{number}"] == 0.25
        for row in table[table["round"] == number].itertuples():
            assert pool[row.opponent] == max(0.01, (1 - row.rate)**2)


def test_a_copy_of_a_league_stays_as_it_was(examples: Path) -> None:
    from league import Copy

    weights = [np.zeros(2), np.zeros(3)]
    copy = Copy(weights)
    weights[0] += 1
    assert not copy.weights[0].any()
