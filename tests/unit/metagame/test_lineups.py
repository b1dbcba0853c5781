"""Line-ups: chances by hand, and against a recursion that is written down as the rules say it."""

from functools import cache

import numpy as np
import pytest

from hsevo.metagame import lineups
from tests.unit.metagame.test_games import by_linear_program


def slowly(rates: np.ndarray, rule: str) -> float:
    """Return the chance that the player of rows wins a match without ban, deck by deck."""
    @cache
    def conquest(mine: frozenset[int], theirs: frozenset[int]) -> float:
        if not mine or not theirs:
            return float(not mine)
        return by_linear_program(np.array([
            [rates[i, j] * conquest(mine - {i}, theirs)
             + (1 - rates[i, j]) * conquest(mine, theirs - {j}) for j in sorted(theirs)]
            for i in sorted(mine)]))

    @cache
    def standing(mine: frozenset[int], theirs: frozenset[int], i: int, j: int) -> float:
        """Return the chance when deck i is about to play deck j."""
        won = min((standing(mine, theirs - {j}, i, k) for k in theirs - {j}), default=1.0)
        lost = max((standing(mine - {i}, theirs, k, j) for k in mine - {i}), default=0.0)
        return float(rates[i, j]) * won + (1 - float(rates[i, j])) * lost

    one, other = map(frozenset, map(range, rates.shape))
    if rule == "conquest":
        return conquest(one, other)
    return by_linear_program(np.array([[standing(one, other, i, j) for j in sorted(other)]
                                       for i in sorted(one)]))


def test_two_decks_by_hand() -> None:
    """Each deck is a coin against each of theirs: a first 60 %, a second 40 %, whoever it meets.

    Conquest needs a win of both. With decks that stay what they are against all, the order does not
    matter: it is won if the first has won before they have two wins ... summed over all orders.
    """
    rates = np.array([[0.6, 0.6], [0.4, 0.4]])
    first_then_second = 0.6 * (0.4 + 0.6 * 0.4) + 0.4 * 0.6 * 0.4
    assert lineups.conquest(rates, 2)[0, 0] == pytest.approx(first_then_second)
    # Last Hero Standing: with a alone left against one deck: 0.6, b alone against one: 0.4.
    b_after_a = 0.6 * (0.6 + 0.4 * 0.4) + 0.4 * 0.4 * 0.4  # a opens
    a_after_b = 0.4 * (0.4 + 0.6 * 0.6) + 0.6 * 0.6 * 0.6  # b opens
    assert lineups.last_hero_standing(rates, 2)[0, 0] == pytest.approx(max(b_after_a, a_after_b))


@pytest.mark.parametrize("rule", lineups.RULES)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_equal_coins_are_a_best_of_2n_less_1(rule: str, n: int) -> None:
    """All games at 60 %: the chance of n wins before n losses."""
    wanted = {1: 0.6, 2: 0.36 + 2 * 0.36 * 0.4, 3: 0.216 * (1 + 3 * 0.4 + 6 * 0.16)}[n]
    assert lineups.chances(np.full((n, n), 0.6), n, False, rule)[0, 0] == pytest.approx(wanted)


@pytest.mark.parametrize("rule", lineups.RULES)
@pytest.mark.parametrize("n", [2, 3])
def test_any_rates(rule: str, n: int) -> None:
    for rates in np.random.default_rng(n).random((3, n, n)):
        assert lineups.chances(rates, n, False, rule)[0, 0] == pytest.approx(slowly(rates, rule))


@pytest.mark.parametrize("rule", lineups.RULES)
def test_with_a_ban(rule: str) -> None:
    rates = np.random.default_rng(9).random((3, 3))
    games = np.array([[slowly(np.delete(np.delete(rates, lost, 0), struck, 1), rule)
                       for lost in range(3)] for struck in range(3)])
    assert lineups.chances(rates, 3, True, rule)[0, 0] == pytest.approx(by_linear_program(games))
    mine, theirs = lineups.bans(rates, rule)
    value = by_linear_program(games)
    assert (mine @ games).min() == pytest.approx(value)
    assert (games @ theirs).max() == pytest.approx(value)


@pytest.mark.parametrize("rule", lineups.RULES)
@pytest.mark.parametrize("ban", [False, True])
def test_the_other_side_has_the_rest(rule: str, ban: bool) -> None:
    rates = np.random.default_rng(5).random((20, 3, 3))
    other = 1 - rates.swapaxes(1, 2)
    both = [lineups.chances(one, 3, ban, rule)[:, 0, 0] for one in (rates, other)]
    assert both[0] + both[1] == pytest.approx(1)


def test_a_field() -> None:
    rates = np.random.default_rng(6).random((5, 5))
    mine, theirs = [(0, 2), (3, 4), (1, 2)], [(0, 1), (2, 4)]
    found = lineups.against(rates, mine, theirs, False, "conquest")
    for one, mean in zip(mine, found, strict=True):
        each = [slowly(rates[np.ix_(one, other)], "conquest") for other in theirs]
        assert mean == pytest.approx(np.mean(each))


def test_classes_of_a_line_up() -> None:
    classes = ("Mage", "Mage", "Druid")
    assert lineups.possible([0, 1, 2], 2, classes) == [(0, 2), (1, 2)]
    assert len(lineups.possible([0, 1, 2], 2, None)) == 3
