"""Tables of the thesis' studies: which way they lie, and what stands in a cell."""

from pathlib import Path

import pytest

from tests.measure.recipes.thesis import games, markdown, pooled, shares, table_of

HEAD = "line,x,games,wins,draws,rate,low,high,turns,published,published_low,published_high\n"


def written(folder: Path, rows: list[tuple[str, str, float]], counts: int = 4) -> Path:
    """Write a study's curve and times; a row: line, x, rate."""
    (folder / "curve.csv").write_text(HEAD + "".join(
        f"{line},{x},{counts},1,0,{rate},{rate / 2},{(1 + rate) / 2},20,,,\n"
        for line, x, rate in rows))
    heads = "line,x,games,decisions,seconds,per_game,per_decision\n"
    (folder / "times.csv").write_text(heads + "".join(
        f"{line},{x},4,9,1,0.25,{10 * (i + 1)}.4\n" for i, (line, x, _) in enumerate(rows)))
    return folder


def test_a_row_is_a_line_unless_there_are_more_values(tmp_path: Path) -> None:
    two = [("one", "no", 0.5), ("one", "yes", 0.25), ("two", "no", 0), ("two", "yes", 1)]
    assert table_of(written(tmp_path, two), "rate").splitlines() == [
        "| | no | yes |", "|---|---|---|",
        "| one | 50.0 % (25.0 to 75.0) | 25.0 % (12.5 to 62.5) |",
        "| two | 0.0 % (0.0 to 50.0) | 100.0 % (50.0 to 100.0) |"]
    three = [(line, x, 0.5) for line in ("one", "two") for x in ("10", "20", "30")]
    assert table_of(written(tmp_path, three), "time").splitlines() == [
        "| | one | two |", "|---|---|---|",
        "| 10 | 10 ms | 40 ms |", "| 20 | 20 ms | 50 ms |", "| 30 | 30 ms | 60 ms |"]


def test_all_points_have_as_many_games(tmp_path: Path) -> None:
    assert games(written(tmp_path, [("one", "no", 0.5), ("two", "no", 0.5)], 1250)) == "1,250"
    row = ",1,0,0.2,0,1,20,,,\n"
    (tmp_path / "curve.csv").write_text(f"{HEAD}one,1,4{row}one,2,6{row}")
    with pytest.raises(ValueError, match="too many values"):
        games(tmp_path)


def played(folder: Path, rows: list[tuple[str, str, int, int]]) -> Path:
    """Write a study's games; a row: line, x, seed, won."""
    (folder / "games.csv").write_text("line,x,seed,won\n" + "".join(
        f'"{line}",{x},{seed},{won}\n' for line, x, seed, won in rows))
    return folder


def test_a_mean_over_points_counts_each_seed_once(tmp_path: Path) -> None:
    """By hand: seeds 1 and 2 have means of 0.75 and 0.25; half = t(0.975, 1) * 0.25 = 3.18."""
    rows = [("one, mage", "gsv", 1, 1), ("one, mage", "gsv", 1, 1), ("one, priest", "gsv", 1, 1),
            ("one, priest", "gsv", 1, 0), ("one, mage", "gsv", 2, 0), ("one, priest", "gsv", 2, 0),
            ("one, mage", "gsv", 2, 1), ("one, priest", "gsv", 2, 0)]
    found = pooled(played(tmp_path, rows), "^(.*), ", "x")
    assert markdown(found).splitlines() == [
        "| | gsv |", "|---|---|", "| one | 50.0 % (0.0 to 100.0) |"]
    even = [("one, mage", "gsv", seed, won) for seed in (1, 2) for won in (0, 1)]
    assert pooled(played(tmp_path, even), "all", "x").loc["all", "gsv"] == "50.0 % (50.0 to 50.0)"


def test_points_are_pooled_in_spans(tmp_path: Path) -> None:
    rows = [("one", str(x), seed, int(x > 20)) for x in (10, 20, 30) for seed in (1, 2)]
    assert markdown(pooled(played(tmp_path, rows), "(.*)", (20, 30))).splitlines() == [
        "| | 10 to 20 | 30 to 30 |", "|---|---|---|",
        "| one | 0.0 % (0.0 to 65.8) | 100.0 % (34.2 to 100.0) |"]  # Wilson's, of two seeds


def test_shares_are_averaged_over_the_other_side(tmp_path: Path) -> None:
    rows = [(f"k of the opponent {k} %", x, seed, int(k == 0 or x == "25"))
            for k in (0, 25) for x in ("0", "25") for seed in (1, 2)]
    assert markdown(shares(played(tmp_path, rows))).splitlines() == [
        "| | 0 % | 25 % |", "|---|---|---|",
        "| k of the own actions | 50.0 % (50.0 to 50.0) | 100.0 % (34.2 to 100.0) |",
        "| k of the opponent's | 100.0 % (34.2 to 100.0) | 50.0 % (50.0 to 50.0) |"]
