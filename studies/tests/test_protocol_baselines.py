"""Baselines of the protocol: rows of the tables, of one seed and of several."""

from pathlib import Path

import pytest

from studies.protocol_baselines import LEARNERS, costs, rates


def folder(path: Path, rate: float, games: str = "11520") -> Path:
    """Return a measured folder with one rate in the split `seen`."""
    path.mkdir()
    (path / "costs.csv").write_text(
        f"decisions,games,cpu_minutes,games_per_second\n1000000,{games},2.0,600\n")
    (path / "rates.csv").write_text(
        "opponent,split,games,rate,rate_low,rate_high\n"
        f"eva:2018,seen,450,{rate},{rate - 0.04},{rate + 0.04}\n"
        f"rl:2026?search=turn&depth=3&nodes=300&samples=0,seen,450,{rate / 2},0,1\n")
    return path


def test_one_seed_has_the_interval_of_its_games(tmp_path: Path) -> None:
    row = rates("ppo", "seen", [folder(tmp_path / "1", 0.6)])
    assert row == "| `ppo` |  | 60.0 (56.0 to 64.0) |  | 30.0 (0.0 to 100.0) |"


def test_several_seeds_have_an_interval_over_seeds(tmp_path: Path) -> None:
    """Of 0.5, 0.6, 0.7: mean 0.6, and 4.303 * 0.1 / sqrt(3) = 0.248 (Student's t, 2 degrees)."""
    each = [folder(tmp_path / f"{seed}", 0.4 + seed / 10) for seed in (1, 2, 3)]
    assert rates("ppo", "seen", each).split(" | ")[2] == "60.0 (35.2 to 84.8)"
    assert rates("ppo", "held-out", each) == "| `ppo` |  |  |  |  |"


def test_costs_are_means_over_seeds(tmp_path: Path) -> None:
    each = [folder(tmp_path / "1", 0.5, ""), folder(tmp_path / "2", 0.5, "")]
    assert costs("sb3", False, each) == (
        "| `sb3` | no | 2 | 1,000,000 | not counted | 2.0 | 600 |")


@pytest.mark.parametrize("name", LEARNERS)
def test_ten_times_the_budget_is_ten_times_the_length(name: str) -> None:
    one, ten = (LEARNERS[name].words(millions, 1, Path("out")) for millions in (1, 10))
    changed = [(a, b) for a, b in zip(one, ten, strict=True) if a != b]
    (before, after), = changed
    assert int(after.rpartition("=")[2]) == 10 * int(before.rpartition("=")[2])
