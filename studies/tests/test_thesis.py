"""Tables of the thesis' studies: what stands in a cell."""

from pathlib import Path

import numpy as np
import pytest

from studies.measure.recipes.thesis import games, markdown, mean, pooled, shares


def test_all_points_have_as_many_games(tmp_path: Path) -> None:
    (tmp_path / "curve.csv").write_text("line,x,games\none,no,1250\ntwo,no,1250\n")
    assert games(tmp_path) == "1,250"
    (tmp_path / "curve.csv").write_text("line,x,games\none,1,4\none,2,6\n")
    with pytest.raises(ValueError, match="too many values"):
        games(tmp_path)


def played(folder: Path, rows: list[tuple[str, str, int, int]]) -> Path:
    """Write a study's games; a row: line, x, seed, won."""
    (folder / "games.csv").write_text("line,x,seed,won\n" + "".join(
        f'"{line}",{x},{seed},{won}\n' for line, x, seed, won in rows))
    return folder


def cell(points: list[int], games: list[int]) -> str:
    """Return what stands in a cell of seeds with so many points in so many games."""
    found = mean(np.array(points), np.array(games))
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def test_the_mean_of_seeds_has_students_interval() -> None:
    """By hand: rates of 0.75, 0.5 and 0.25 have a deviation of 0.25; t(0.975, 2) is 4.3027."""
    found = mean(np.array([3, 2, 1]), np.array([4, 4, 4]))
    assert (found.value, found.low, found.high) == (0.5, 0, 1)  # 0.62 to either side, cut
    four = mean(np.array([30, 31, 29, 30]), np.array([60, 60, 60, 60]))
    assert four.high == pytest.approx(0.5 + 3.1824 * (1 / 60) * (2 / 3)**0.5 / 2, abs=1e-4)


def test_seeds_that_are_alike_have_an_interval() -> None:
    for points, each in (([2, 2], [4, 4]), ([4, 4], [4, 4]), ([3], [4])):
        found = mean(np.array(points), np.array(each))
        assert 0 <= found.low < found.high <= 1


def test_a_mean_over_points_counts_each_seed_once(tmp_path: Path) -> None:
    rows = [("one, mage", "gsv", 1, 1), ("one, mage", "gsv", 1, 1), ("one, priest", "gsv", 1, 1),
            ("one, priest", "gsv", 1, 0), ("one, mage", "gsv", 2, 0), ("one, priest", "gsv", 2, 0),
            ("one, mage", "gsv", 2, 1), ("one, priest", "gsv", 2, 0)]
    found = pooled(played(tmp_path, rows), "^(.*), ", "x")
    assert markdown(found).splitlines() == [
        "| | gsv |", "|---|---|", f"| one | {cell([3, 1], [4, 4])} |"]


def test_points_are_pooled_in_spans(tmp_path: Path) -> None:
    rows = [("one", str(x), seed, int(x > 20)) for x in (10, 20, 30) for seed in (1, 2)]
    assert markdown(pooled(played(tmp_path, rows), "(.*)", (20, 30))).splitlines() == [
        "| | 10 to 20 | 30 to 30 |", "|---|---|---|",
        f"| one | {cell([0, 0], [2, 2])} | {cell([1, 1], [1, 1])} |"]


def test_shares_are_averaged_over_the_other_side(tmp_path: Path) -> None:
    rows = [(f"k of the opponent {k} %", x, seed, int(k == 0 or x == "25"))
            for k in (0, 25) for x in ("0", "25") for seed in (1, 2)]
    half, whole = cell([1, 1], [2, 2]), cell([2, 2], [2, 2])
    assert markdown(shares(played(tmp_path, rows))).splitlines() == [
        "| | 0 % | 25 % |", "|---|---|---|",
        f"| k of the player's own actions | {half} | {whole} |",
        f"| k of the opponent's | {whole} | {half} |"]
