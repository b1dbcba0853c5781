"""The study of states for search does the work that it counts."""

import pytest

from studies.state_speed import cell, hsevo_game, speeds, spiel_game


def test_the_works_count_units_of_positive_speed() -> None:
    _, _, works = hsevo_game()
    assert works["playouts"]() == 1000
    assert works["samples"]() == 100
    assert works["steps"]() > 10
    assert min(speeds(lambda: sum(range(1000)) and 5, 0.001)) > 0


def test_openspiel_samples_where_it_can() -> None:
    pytest.importorskip("pyspiel")
    *_, works = spiel_game("leduc_poker", "Leduc poker", True)
    assert works["samples"]() == 1
    assert works["steps"]() >= 4


def test_a_cell_has_the_median_and_the_range() -> None:
    assert cell([1500.0, 1000.4, 3000.0]) == "1,500 (1,000 to 3,000)"
    assert cell(None) == "no"
