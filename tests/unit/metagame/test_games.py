"""Values of matrix games: those of textbooks, and against a linear program on random games."""

import numpy as np
import pytest
from scipy.optimize import linprog

from hsevo.strength.matchups import best_mixture, solution, sure_of, value


def by_linear_program(game: np.ndarray) -> float:
    m, n = game.shape
    found = linprog(np.append(np.zeros(m), -1), A_ub=np.column_stack([-game.T, np.ones(n)]),
                    b_ub=np.zeros(n), A_eq=[np.append(np.ones(m), 0)], b_eq=[1],
                    bounds=[(0, None)] * m + [(None, None)])
    return -float(found.fun)


def test_by_hand() -> None:
    """A saddle point; matching pennies with unequal prizes; a game with a dominated column."""
    assert value(np.array([[3.0, 1], [2, 0]])) == 1
    found, mine, theirs = solution(np.array([[2.0, -1], [-1, 1]]))
    assert found == pytest.approx(0.2)
    assert mine == pytest.approx([0.4, 0.6])
    assert theirs == pytest.approx([0.4, 0.6])
    found, mine, theirs = solution(np.array([[2.0, -1, 5], [-1, 1, 5]]))
    assert found == pytest.approx(0.2)
    assert theirs == pytest.approx([0.4, 0.6, 0])


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (2, 2), (3, 2), (3, 3), (4, 4), (5, 5)])
def test_values_are_those_of_a_linear_program(shape: tuple[int, int]) -> None:
    """Also of games with many equal payoffs, whose equilibria are many."""
    random = np.random.default_rng(3)
    games = random.random((24, *shape))
    games[12:] = np.round(2 * games[12:]) / 2
    values, mine, theirs = solution(games)
    assert values == pytest.approx([by_linear_program(game) for game in games])
    assert mine.sum(axis=1) == pytest.approx(1)
    assert (np.einsum("gi,gij->gj", mine, games) >= values[:, None] - 1e-9).all()
    assert (np.einsum("gij,gj->gi", games, theirs) <= values[:, None] + 1e-9).all()


def test_any_leading_axes() -> None:
    games = np.random.default_rng(4).random((2, 5, 3, 3))
    assert value(games).shape == (2, 5)
    assert value(games)[1, 2] == value(games[1, 2])


def test_the_best_mixture_against_a_field() -> None:
    """By hand: p rows of the first win 0.3 + 0.3 p and 0.8 - 0.4 p, which are equal at 5/7."""
    shares, least = best_mixture(np.array([[0.6, 0.4], [0.3, 0.8], [0.2, 0.3]]))
    assert shares == pytest.approx([5 / 7, 2 / 7, 0])
    assert least == pytest.approx(0.3 + 0.3 * 5 / 7)


def test_what_a_mixture_wins_at_least() -> None:
    """One deck, one opponent: 50 of 100 less 1.645 standard errors of 0.05. In 19 of 20 it holds.
    """
    assert sure_of(np.array([[0.5]]), np.array([[100.0]]), np.ones(1)) == pytest.approx(
        0.5 - 1.6449 * 0.05, abs=1e-4)
    random, shares, true = np.random.default_rng(1), np.array([0.5, 0.5]), np.full((2, 9), 0.6)
    games = np.full((2, 9), 200.0)
    under = [sure_of(random.binomial(200, true) / 200, games, shares) <= 0.6
             for _ in range(400)]
    assert np.mean(under) >= 0.93


def test_the_best_mixture_is_that_of_all_square_parts() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        game = random.random((4, 3))
        shares, least = best_mixture(game)
        found, mine, _ = solution(game)
        assert least == pytest.approx(float(found))
        assert shares == pytest.approx(mine, abs=1e-6)
