"""The best of a run in new games: whom it meets, and how lucky its rate in the run was."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hsevo.analysis.examine import companions
from hsevo.config import Workers
from hsevo.evolution.run import Run
from hsevo.play import match
from hsevo.play.workers import open_workers
from hsevo.strength.champions import Best, find_best, last_population, pool_size
from tests.support.command import hsevo
from tests.support.folders import make

pytestmark = pytest.mark.usefixtures("fake_engine")
TWO = {"rating.opponents.agents": ["random", "greedy:metastone"],
       "rating.opponents.decks": ["mage"], "rating.shares.coevolution": 0}


def best_of(path: Path, games: int = 4) -> tuple[Best, Any]:
    """Return the best of a run, and the pairings that were played for it."""
    seen = []

    def watched(pairings: Any, agents: Any, setting: Any) -> Any:
        seen.append(pairings)
        return fake_block(pairings, agents, setting)

    fake_block, run = match.play_block, Run(path)
    with pytest.MonkeyPatch.context() as patch, open_workers(Workers(backend="serial")) as work:
        patch.setattr(match, "play_block", watched)
        found = find_best(run, work, games)
    played = np.concatenate(seen)
    assert played["games"].sum() == pool_size(run, games)
    return found, played


def test_a_coevolved_population_meets_itself(tmp_path: Path) -> None:
    best, played = best_of(make(tmp_path / "run"))
    assert played["games"].sum() == 6 * 9 * 4
    assert (best.against, best.run_against) == ("the 3 others", "its generation")
    assert best.optimism is None  # other opponents: no difference of luck alone
    names, rows = last_population(Run(tmp_path / "run"))
    row = rows[rows["fitness"].argmax()]
    assert best.favourites == (names[rows["fitness"].argmax()],)
    assert best.run_rate == row["wins"] / (row["wins"] + row["draws"] + row["losses"])


def test_without_coevolution_all_meet_the_fixed_opponents_again(tmp_path: Path) -> None:
    path = make(tmp_path / "run", executions=2, **TWO)
    best, played = best_of(path)
    assert {(int(row["a"]), int(row["b"])) for row in played} == {
        (i, k) for i in range(8) for k in (8, 9)}
    assert {(int(row["deck_a"]), int(row["deck_b"])) for row in played} == {(0, 2), (1, 2), (2, 2)}
    assert best.against == best.run_against == "random, greedy:metastone"
    names, rows = last_population(Run(path))
    favourites = [rows["fitness"][:4].argmax(), 4 + rows["fitness"][4:].argmax()]
    assert best.favourites == tuple(names[i] for i in favourites)
    assert best.run_rate == pytest.approx(rows["fitness"][favourites].mean() / 100)
    fresh = [best.table["rate"][best.table["agent"] == name].item() for name in best.favourites]
    assert best.optimism == pytest.approx(best.run_rate - np.mean(fresh))
    old = Run(path).matches_of(1, 3)["seed"]
    assert not set(played["seed"].tolist()) & set(old.tolist())  # new games


def test_the_rate_is_the_mean_over_equal_opponents(tmp_path: Path) -> None:
    best, _ = best_of(make(tmp_path / "run", **TWO), games=10)
    row = best.table.iloc[0]
    assert row["wins"] + row["draws"] + row["losses"] == 3 * 2 * 10
    assert row["rate"] == pytest.approx(row["wins"] / 60)
    assert best.table["rate"].is_monotonic_decreasing


def test_shares_weigh_the_new_games_as_the_fitness(tmp_path: Path) -> None:
    """Four individuals: three others of 36 games each; the one opponent of 36 counts three fold."""
    settings: dict[str, Any] = {"rating.opponents.agents": ["random"], "rating.shares": {
        "coevolution": 1, "opponents": 3}}
    best, played = best_of(make(tmp_path / "run", **settings))
    assert best.against == "the 3 others and random by their shares"
    assert played["games"].sum() == (6 + 4) * 9 * 4
    row = best.table.iloc[0]
    assert row["low"] < row["rate"] < row["high"]
    # (1/3)^2 * 3 / 36 + 3^2 / 36 of a variance: 16 / (28 / 108) = 61.7 games, not 144
    wilson = row["high"] - row["low"]
    assert wilson == pytest.approx(2 * 1.96 * np.sqrt(row["rate"] * (1 - row["rate"]) / 61.7),
                                   rel=0.1)


def test_one_alone_meets_the_fixed_opponents(tmp_path: Path) -> None:
    path = make(tmp_path / "run", **TWO, **{"evolution.mu": 1, "evolution.lambda": 1})
    best, played = best_of(path)
    assert played["games"].sum() == 2 * 3 * 4
    assert best.z == float("inf")


@pytest.mark.parametrize("settings", [{}, TWO])
def test_the_command_says_both_rates(settings: dict[str, Any], tmp_path: Path, here: Path) -> None:
    path = make(tmp_path / "run", **settings)
    said = hsevo("export-best", path, "--games-per-pair", 4, "--output", "best.yaml").stderr
    assert "of" in said
    assert ("points by luck" in said) == bool(settings)
    tree = json.loads(hsevo("export-best", path, "--games-per-pair", 4, "--json").stdout)
    assert tree["against"] in said
    assert f"{100 * tree['run_rate']:.2f} % there against {tree['run_against']}, and" in said
    assert f"{100 * tree['fresh_rate']:.2f} % in these games" in said
    assert (tree["optimism"] is None) == (not settings)


def test_an_examination_meets_whom_the_run_meets(tmp_path: Path) -> None:
    assert len(companions(Run(make(tmp_path / "run")), "individual-1")) >= 3
    assert companions(Run(make(tmp_path / "fixed", **TWO)), "individual-1") == [
        "random", "greedy:metastone"]
