"""Mixtures: games with known equilibria, what OpenSpiel finds, and coverage of intervals."""

import numpy as np
import pytest
from scipy.optimize import linprog

from hsevo.strength.matchups import (
    Matchups,
    alpha_rank,
    interval,
    mixture_table,
    rates_of,
    resampled,
    soft_condorcet,
)
from hsevo.strength.rating import nash

CYCLE = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])


def antisymmetric(n: int, seed: int) -> np.ndarray:
    rates = np.random.default_rng(seed).random((n, n))
    return (rates + 1 - rates.T) / 2


def matchups(rates: np.ndarray, pairs: int, seed: int = 1) -> Matchups:
    """Return match-ups of so many pairs whose games are independent, each won at these rates."""
    random, n = np.random.default_rng(seed), len(rates)
    counts = np.zeros((n, n, 5), np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            won = random.binomial(2, rates[i, j], pairs)
            counts[i, j] = np.bincount(2 * won, minlength=5)
            counts[j, i] = counts[i, j][::-1]
    names = tuple("abcdefgh"[:n])
    return Matchups(names, tuple(f"class of {name}" for name in names), counts)


def test_the_mixture_is_that_of_a_linear_program() -> None:
    """A linear program that asks for a rate of half against every deck finds the same."""
    for seed in range(5):
        rates = antisymmetric(6, seed)
        found = linprog(np.zeros(6), A_ub=-(rates.T - 0.5), b_ub=np.full(6, 1e-9),
                        A_eq=np.ones((1, 6)), b_eq=[1], bounds=(0, None))
        assert nash(rates) == pytest.approx(found.x, abs=1e-4)


def test_alpha_rank_of_two() -> None:
    """By hand: with payoffs +1 and -1 and alpha 0.1 the better has u = 0.1 (1 - -1) = 0.2 more.

    The better takes over with (1 - e^-u) / (1 - e^-2u), the worse with (1 - e^u) / (1 - e^2u).
    """
    up, down = ((1 - np.exp(-u)) / (1 - np.exp(-2 * u)) for u in (0.2, -0.2))
    found = alpha_rank(np.array([[0.5, 1], [0, 0.5]]), alpha=0.1, population=2)
    assert found == pytest.approx([up / (up + down), down / (up + down)])


def test_alpha_rank_of_known_games() -> None:
    assert alpha_rank(CYCLE) == pytest.approx([1 / 3] * 3)
    best = np.array([[0.5, 0.6, 0.6], [0.4, 0.5, 0.6], [0.4, 0.4, 0.5]])
    assert alpha_rank(best) == pytest.approx([1, 0, 0], abs=1e-6)
    assert alpha_rank(np.full((4, 4), 0.5)) == pytest.approx([0.25] * 4)
    assert alpha_rank(np.array([[0.5]])) == pytest.approx([1])


@pytest.mark.parametrize(("alpha", "population"), [(0.1, 10), (1.0, 50), (10.0, 50)])
def test_alpha_rank_is_openspiels(alpha: float, population: int) -> None:
    peer = pytest.importorskip("open_spiel.python.egt.alpharank")  # pip install 'hsevo[peers]'
    for seed in range(4):
        rates = antisymmetric(5, seed)
        with np.errstate(over="ignore"):  # its own
            found = peer.compute([2 * rates - 1], m=population, alpha=alpha)
        assert alpha_rank(rates, alpha, population) == pytest.approx(found[2], abs=1e-8)


def test_soft_condorcet_ranks_by_who_beats_whom() -> None:
    """The first beats all by little and so is first, though the second wins most games."""
    rates = np.array([[0.5, 0.55, 0.55, 0.55], [0.45, 0.5, 0.95, 0.95],
                      [0.45, 0.05, 0.5, 0.6], [0.45, 0.05, 0.4, 0.5]])
    assert rates.mean(axis=1).argmax() == 1
    assert np.argsort(-soft_condorcet(rates)).tolist() == [0, 1, 2, 3]
    assert soft_condorcet(CYCLE) == pytest.approx([50] * 3)
    assert soft_condorcet(np.array([[0.5]])).tolist() == [50]


def test_soft_condorcet_is_openspiels() -> None:
    base = pytest.importorskip("open_spiel.python.voting.base")  # pip install 'hsevo[peers]'
    peer = pytest.importorskip("open_spiel.python.voting.soft_condorcet_optimization")
    wins, names = np.random.default_rng(1).integers(1, 10, (4, 4)), list("abcd")
    wins[np.tril_indices(4)] = 10 - wins.T[np.tril_indices(4)]  # ten games a match-up
    profile = base.PreferenceProfile(alternatives=names)
    for i, j in zip(*np.nonzero(~np.eye(4, dtype=bool)), strict=True):
        profile.add_vote([names[i], names[j]], int(wins[i, j]))
    found, _ = peer.SoftCondorcetOptimizer(profile, rating_upper_bound=100,
                                           temperature=10).run_solver(300, 500.0)
    assert soft_condorcet(wins / 10, 10, 100, 500.0, 300) == pytest.approx(found, abs=0.01)


def test_a_cycle_has_equal_shares() -> None:
    table = mixture_table(matchups(CYCLE, 4000), 200)
    assert table["share"].to_numpy() == pytest.approx([1 / 3] * 3, abs=0.05)
    assert (table["share_low"] < 1 / 3).all()
    assert (table["share_high"] > 1 / 3).all()
    assert (table["rate_low"] <= 0.5).all()
    assert (table["rate_high"] >= 0.5).all()
    assert table["kept"].to_numpy() == pytest.approx([1] * 3)


def test_a_best_deck_has_all() -> None:
    rates = np.array([[0.5, 0.8, 0.8], [0.2, 0.5, 0.3], [0.2, 0.7, 0.5]])
    table = mixture_table(matchups(rates, 500), 100)
    assert table["deck"].tolist() == ["a", "c", "b"]
    assert table["share"].tolist() == [1, 0, 0]
    assert table["share_low"].tolist() == [1, 0, 0]
    assert table["rate"][2] == pytest.approx(0.2, abs=0.05)
    assert table["rate_low"][2] < table["rate"][2] < table["rate_high"][2] < 0.3


def test_resamples_sum_to_one_and_spread_as_rates_do() -> None:
    counts = matchups(CYCLE, 200).counts
    drawn = resampled(counts, 4000, 1)
    assert drawn + drawn.swapaxes(1, 2) == pytest.approx(1)
    assert (drawn == resampled(counts, 4000, 1)).all()
    assert not (drawn == resampled(counts, 4000, 2)).all()
    assert drawn[:, 0, 1].mean() == pytest.approx(rates_of(counts)[0, 1], abs=0.01)
    assert drawn[:, 0, 1].std() == pytest.approx(np.sqrt(0.7 * 0.3 / 400), rel=0.15)


def test_no_variance_is_no_certainty() -> None:
    """Ten pairs that all ended 2 to 0 leave something open."""
    counts = np.zeros((2, 2, 5), np.int64)
    counts[0, 1, 4] = counts[1, 0, 0] = 10
    low, high = interval(resampled(counts, 2000, 1)[:, 0, 1])
    assert 0.7 < low < 0.95
    assert high > 0.99


def test_intervals_of_rates_cover() -> None:
    """Of 200 experiments of 60 pairs, the 95 % interval holds the true rate in about 190."""
    held = 0
    for seed in range(200):
        low, high = interval(resampled(matchups(CYCLE, 60, seed).counts, 400, seed)[:, 0, 1])
        held += low <= 0.7 <= high
    assert 180 <= held <= 199
