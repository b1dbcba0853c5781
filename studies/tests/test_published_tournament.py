"""The comparison of a tournament with what was published: numbers computed by hand."""

import pandas as pd
import pytest

from studies.published_tournament import PUBLISHED, deck_matrix, reliability, within_runs


def test_the_matrix_adds_all_agents_and_names_the_shorter_mage_as_the_paper_does() -> None:
    pairs = pd.DataFrame(
        [("a", "warrior", "mage-21", 3, 1, 4), ("b", "warrior", "mage-21", 7, 0, 5),
         ("a", "mage-21", "warrior", 4, 1, 3)],
        columns=["agent", "deck", "opponent_deck", "wins", "draws", "losses"])  # fmt: skip
    table = deck_matrix(pairs)
    assert table.to_numpy().tolist() == [["warrior", "mage", 50.0, 73.15],
                                         ["mage", "warrior", 50.0, 52.41]]


def test_rates_and_fitness_lose_the_means_of_their_run() -> None:
    fitness = pd.read_csv(PUBLISHED).set_index(["run", "rank"])["fitness"]
    names = ["run-1-rank-0", "run-1-rank-1", "run-2-rank-0"]
    inner = within_runs(pd.DataFrame({"agent": names, "rate": [0.5, 0.6, 0.3]}))
    half = (fitness[1, 0] - fitness[1, 1]) / 2
    assert inner["rate"].tolist() == pytest.approx([-0.05, 0.05, 0])
    assert inner["fitness"].tolist() == pytest.approx([half, -half, 0])


def test_reliability_is_the_share_of_the_variance_that_is_no_noise() -> None:
    values = pd.Series([1.0, -1.0, 3.0, -3.0])  # two runs: variance 20 / (4 - 2) = 10
    assert reliability(values, 4, runs=2) == pytest.approx(0.6)
    assert reliability(values, 20, runs=2) == 0
