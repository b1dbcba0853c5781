"""Statistics of pairs of games: hand-computed numbers, known cases, and coverage by simulation."""

from math import inf, isnan, log, sqrt

import numpy as np
import pytest

from hsevo.strength.rating import (
    ELO,
    NELO,
    Sprt,
    Z,
    against_known,
    bradley_terry,
    elo,
    intervals,
    lead,
    nash,
    normalised_elo,
    place,
    rate,
    ratio,
    to_elo,
    to_score,
)

# A test of chess engines that was published with all its statistics (montytest.muzhen.org,
# 69d3c8dc7c5b3724e29d2712): 256 games.
PUBLISHED = np.array([13, 37, 50, 25, 3])


def counts(*pairs: int) -> np.ndarray:
    return np.array(pairs)


def test_the_published_example() -> None:
    assert rate(PUBLISHED).value == pytest.approx(0.43750)
    assert elo(PUBLISHED).value == pytest.approx(-43.6578, abs=1e-4)
    assert normalised_elo(PUBLISHED).value == pytest.approx(-63.97, abs=0.005)
    # H1 of normalised Elo 4 is an Elo of 2.716 with its deviation of a game, 0.33946
    assert to_elo(0.5 + 4 / NELO * 0.33946) == pytest.approx(2.716, abs=1e-3)
    assert Sprt(0, 2.716).llr(PUBLISHED) == pytest.approx(-0.53772, abs=1e-4)
    assert Sprt(0, 2.716).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


def test_by_hand() -> None:
    """10 pairs: 1 with 0 points, 4 split, 3 with 3/2, 2 with 2."""
    found = counts(1, 0, 4, 3, 2)
    mean = (4 * 0.5 + 3 * 0.75 + 2) / 10
    variance = (mean**2 + 4 * (0.5 - mean) ** 2 + 3 * (0.75 - mean) ** 2 + 2 * (1 - mean) ** 2) / 10
    assert rate(found).value == pytest.approx(mean)
    assert elo(found).value == pytest.approx(400 * np.log10(mean / (1 - mean)))
    assert normalised_elo(found).value == pytest.approx(
        800 / log(10) * (mean - 0.5) / sqrt(2 * variance))
    n = 10 + Z**2
    middle = (10 * mean + Z**2 / 2) / n
    second = (4 * 0.25 + 3 * 0.5625 + 2 + Z**2 / 2) / n
    half = Z * sqrt((second - middle**2) / n)
    assert (rate(found).low, rate(found).high) == pytest.approx((middle - half, middle + half))
    assert elo(found).low == pytest.approx(to_elo(middle - half))


def test_of_single_games_it_is_the_interval_of_agresti_and_coull() -> None:
    """60 of 90 games: their centre is Wilson's, the half width Z sqrt(p (1 - p) / n)."""
    p = (60 + Z**2 / 2) / (90 + Z**2)
    half = Z * sqrt(p * (1 - p) / (90 + Z**2))
    assert (rate(counts(30, 0, 60)).low, rate(counts(30, 0, 60)).high) == pytest.approx(
        (p - half, p + half))
    assert normalised_elo(counts(30, 0, 60)).value == pytest.approx(
        NELO * (2 / 3 - 0.5) / sqrt(2 / 9))


def test_elo_and_score_are_inverse() -> None:
    assert to_score(400) == pytest.approx(10 / 11)
    for difference in (-700, -3.5, 0, 120):
        assert to_elo(to_score(difference)) == pytest.approx(difference)
    assert (to_elo(0), to_elo(1)) == (-inf, inf)


@pytest.mark.parametrize("n", [1, 10, 1000])
def test_all_pairs_won_have_no_upper_end_and_a_true_lower_one(n: int) -> None:
    for found in (rate(counts(0, 0, 0, 0, n)), elo(counts(0, 0, 0, 0, n)),
                  normalised_elo(counts(0, 0, 0, 0, n))):
        assert found.value == found.high
        assert found.low < found.value
    assert (elo(counts(n, 0, 0, 0, 0)).value, elo(counts(n, 0, 0, 0, 0)).low) == (-inf, -inf)
    assert normalised_elo(counts(n, 0, 0, 0, 0)).high == pytest.approx(
        -normalised_elo(counts(0, 0, 0, 0, n)).low)


def test_a_thousand_pairs_won_leave_as_much_doubt_as_the_added_pairs() -> None:
    """1 - p = Z² / 2 / n, with a standard error of sqrt(Z² / 2) / n."""
    assert 1 - rate(counts(0, 0, 0, 0, 1000)).low == pytest.approx(
        Z**2 / 2 * (1 + sqrt(2)) / 1000, rel=0.01)


def test_all_pairs_split_are_no_difference_with_an_interval() -> None:
    for found, middle in ((rate(counts(0, 0, 100, 0, 0)), 0.5),
                          (elo(counts(0, 0, 100, 0, 0)), 0.0),
                          (normalised_elo(counts(0, 0, 100, 0, 0)), 0.0)):
        assert found.value == middle
        assert found.low < middle < found.high


def test_no_games_say_nothing() -> None:
    none = counts(0, 0, 0, 0, 0)
    for found, ends in ((rate(none), (0, 1)), (elo(none), (-inf, inf)),
                        (normalised_elo(none), (-inf, inf))):
        assert isnan(found.value)
        assert (found.low, found.high) == ends
    assert Sprt(0, 5).llr(none) == 0


def test_an_interval_holds_its_value() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        seen = random.multinomial(random.integers(1, 40), random.dirichlet(np.full(5, 0.3)))
        for found in (rate(seen), elo(seen), normalised_elo(seen)):
            assert found.low <= found.value <= found.high


@pytest.mark.parametrize("chances", [
    (0.05, 0.1, 0.5, 0.2, 0.15), (0.2, 0, 0.55, 0, 0.25), (0.02, 0, 0.2, 0, 0.78),
    (0, 0.2, 0, 0.2, 0.6)])
def test_intervals_cover_the_truth_in_95_of_100_cases(chances: tuple[float, ...]) -> None:
    """1,000 matches of 200 pairs: 0.95 with a standard error of 0.007."""
    points = np.arange(5) / 4
    mean = float(points @ chances)
    truth = NELO * (mean - 0.5) / sqrt(2 * ((points - mean) ** 2 @ chances))
    hits = np.zeros(2)
    for seen in np.random.default_rng(1).multinomial(200, chances, 1000):
        one, other = rate(seen), normalised_elo(seen)
        hits += (one.low <= mean <= one.high, other.low <= truth <= other.high)
    assert hits[0] / 1000 == pytest.approx(0.95, abs=0.025)
    assert hits[1] / 1000 == pytest.approx(0.95, abs=0.035)  # it leaves the spread's own error out


def test_the_ratio_is_the_normal_approximation_near_the_middle() -> None:
    """n (s1 - s0) (2 s - s0 - s1) / (2 v), Van den Bergh's GSPRT_approximation.pdf."""
    found = counts(400, 2100, 5000, 2200, 420)
    n, points = found.sum(), np.arange(5) / 4
    mean = points @ found / n
    variance = (points - mean) ** 2 @ found / n
    s0, s1 = to_score(0), to_score(5)
    assert Sprt(0, 5).llr(found) == pytest.approx(
        n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.01)


def test_the_ratio_of_games_without_draws_is_the_binomial_one() -> None:
    s0, s1 = to_score(-10), to_score(20)
    exact = 300 * log(s1 / s0) + 260 * log((1 - s1) / (1 - s0))
    assert Sprt(-10, 20).llr(counts(260, 0, 300)) == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize(("found", "says"), [
    ((0, 0, 0, 0, 205), None), ((0, 0, 0, 0, 207), "H1"), ((0, 0, 10, 0, 0), None),
    ((0, 0, 250, 0, 0), "H0"), ((207, 0, 0, 0, 0), "H0")])
def test_the_test_is_sure_when_it_may_be(found: tuple[int, ...], says: str | None) -> None:
    """All won: log(s1 / s0) = 0.01429 a pair, so that 206 of them make 2.944."""
    assert Sprt(0, 5).verdict(counts(*found)) == says


@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (40, "H0")])
def test_the_test_errs_as_often_as_it_may(truth: float, wrong: str) -> None:
    random, sprt, errors = np.random.default_rng(7), Sprt(0, 40), 0
    mean = to_score(truth)
    chances = np.array([1 - mean - 0.25, 0, 0.5, 0, mean - 0.25])
    for _ in range(400):
        seen = np.zeros(5, np.int64)
        while (says := sprt.verdict(seen)) is None:
            seen += random.multinomial(20, chances)
        errors += says == wrong
    assert errors / 400 <= 0.05 + 2 * 0.011  # two standard errors


def field(n: int, *meetings: tuple[int, int, tuple[int, ...]]) -> np.ndarray:
    """Return counts (n, n, 5) of meetings i, j, pairs as i saw them."""
    found = np.zeros((n, n, 5), np.int64)
    for i, j, pairs in meetings:
        found[i, j], found[j, i] = pairs, pairs[::-1]
    return found


def rated(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ratings and the ends of their intervals."""
    values, spread = bradley_terry(counts)
    return values, *intervals(values, spread)


def test_two_agents_are_rated_as_far_apart_as_their_elo() -> None:
    pairs = (200, 0, 500, 0, 300)
    value, low, high = rated(field(2, (0, 1, pairs)))
    more = (2 * (500 / 2 + 300) + 0.5) / 2001  # of 2,000 games; and half a game won, half one lost
    assert value == pytest.approx([to_elo(more) / 2, -to_elo(more) / 2])
    error = Z * sqrt((0.2 * 0.55**2 + 0.5 * 0.05**2 + 0.3 * 0.45**2) / 1000)
    assert (high - low) / 2 == pytest.approx(error / (0.55 * 0.45) * ELO / 2, rel=1e-3)


def test_ratings_are_those_that_make_the_expected_scores_the_observed_ones() -> None:
    """The likelihood equations of Bradley-Terry: what each scored is what its rating promises."""
    found = field(3, (0, 1, (10, 5, 30, 20, 35)), (0, 2, (1, 4, 25, 30, 40)),
                  (1, 2, (20, 5, 30, 5, 40)))
    value, low, high = rated(found)
    assert value[0] > value[1] > value[2]
    assert ((low < value) & (value < high)).all()
    more = found + np.array([1, 0, 0, 0, 1]) * (1 - np.eye(3))[:, :, None] / 6  # 1/3 of a game
    for i in range(3):
        others = [j for j in range(3) if j != i]
        scored = sum(more[i, j] @ np.arange(5) / 4 for j in others)
        promised = sum(more[i, j].sum() * to_score(value[i] - value[j]) for j in others)
        assert scored == pytest.approx(promised)


def test_who_lost_everything_has_a_rating() -> None:
    value, low, high = rated(field(3, (0, 1, (0, 0, 0, 0, 50)), (1, 2, (0, 0, 0, 0, 50)),
                                   (0, 2, (0, 0, 0, 0, 50))))
    assert value[0] > value[1] > value[2]
    assert np.isfinite([value, low, high]).all()


def test_the_intervals_of_two_mirror_each_other() -> None:
    for pairs in ((0, 0, 0, 0, 18), (0, 0, 0, 0, 500), (3, 0, 20, 1, 9)):
        value, low, high = rated(field(2, (0, 1, pairs)))
        assert value[0] == pytest.approx(-value[1])
        assert low[0] == pytest.approx(-high[1])
        assert high[0] == pytest.approx(-low[1])


def test_a_lead_is_known_better_than_the_ratings_if_a_third_is_far_away() -> None:
    even, all_won = (250, 0, 480, 0, 270), (0, 0, 4, 0, 996)
    values, spread = bradley_terry(field(3, (0, 1, even), (0, 2, all_won), (1, 2, all_won)))
    low, high = intervals(values, spread)
    gap = lead(values, spread, 0, 1)
    assert gap.value == pytest.approx(values[0] - values[1])
    assert gap.high - gap.low < (high - low)[0]
    error = Z * ELO * sqrt(0.52 / 4 / 1000) / 0.25  # of the two alone
    assert (gap.high - gap.low) / 2 == pytest.approx(error, rel=0.05)
    back = lead(values, spread, 1, 0)
    assert (back.value, back.low, back.high) == pytest.approx((-gap.value, -gap.high, -gap.low))


def test_a_gauntlet_rates_those_who_never_met() -> None:
    value, _ = bradley_terry(field(3, (0, 2, (0, 0, 20, 0, 80)), (1, 2, (10, 0, 80, 0, 10))))
    assert value[0] > value[1] == pytest.approx(value[2])


def test_one_agent_and_islands() -> None:
    assert [part.tolist() for part in rated(np.zeros((1, 1, 5)))] == [[0], [0], [0]]
    with pytest.raises(ValueError, match="agents 0 and 2 have played neither"):
        bradley_terry(field(4, (0, 1, (0, 0, 5, 0, 5)), (2, 3, (0, 0, 5, 0, 5))))


def simulated(random: np.random.Generator, gap: float) -> np.ndarray:
    """Draw 100 pairs at an Elo difference, whose games are far from independent of each other."""
    p = to_score(gap)
    split = 1.6 * min(p, 1 - p)  # of independent games: 2 p (1 - p)
    return random.multinomial(100, [1 - p - split / 2, 0, split, 0, p - split / 2])


@pytest.mark.parametrize("strengths", [(0, 100, 200, 400), (-800, 0, 0, 100, 200, 400)])
def test_rating_intervals_cover_the_truth_in_95_of_100_cases(strengths: tuple[float, ...]) -> None:
    """300 arenas of 100 pairs a meeting."""
    random, n = np.random.default_rng(1), len(strengths)
    truth = np.array(strengths) - np.mean(strengths)
    hits, leads = np.zeros(n), 0
    for _ in range(300):
        found = np.zeros((n, n, 5), np.int64)
        for i in range(n):
            for j in range(i):
                seen = simulated(random, truth[i] - truth[j])
                found[i, j], found[j, i] = seen, seen[::-1]
        values, spread = bradley_terry(found)
        low, high = intervals(values, spread)
        hits += (low <= truth) & (truth <= high)
        gap = lead(values, spread, n - 1, n - 2)
        leads += gap.low <= truth[-1] - truth[-2] <= gap.high
    assert hits / 300 == pytest.approx(0.95, abs=0.04)
    assert leads / 300 == pytest.approx(0.95, abs=0.03)


def test_one_more_is_placed_where_it_is_expected_to_score_what_it_scored() -> None:
    values, spread = np.array([100.0, -100.0]), np.array([[9.0, -4.0], [-4.0, 16.0]])
    found = np.array([(30, 0, 50, 0, 20), (10, 5, 40, 5, 40)])
    more, wide = place(values, spread, found)
    assert more[:2].tolist() == [100, -100]
    assert wide[:2, :2].tolist() == spread.tolist()
    seen = found + np.array([1, 0, 0, 0, 1]) / 8  # 1/4 game won and 1/4 lost, with each
    promised = [pairs.sum() * to_score(more[2] - value)
                for pairs, value in zip(seen, values, strict=True)]
    assert sum(promised) == pytest.approx((seen @ np.arange(5) / 4).sum())
    raised = [place(values + 0.01 * np.eye(2)[i], spread, found)[0][2] for i in range(2)]
    parts = (np.array(raised) - more[2]) / 0.01
    assert parts.sum() == pytest.approx(1, abs=1e-4)
    assert wide[2, :2] == pytest.approx(spread @ parts, rel=1e-3)
    own = place(values, np.zeros((2, 2)), found)[1][2, 2]
    assert wide[2, 2] == pytest.approx(own + parts @ spread @ parts, rel=1e-3)


def test_placed_against_one_it_is_as_far_off_as_two_are_rated_apart() -> None:
    pairs = (200, 0, 500, 0, 300)
    more, wide = place(np.zeros(1), np.zeros((1, 1)), np.array([pairs]))
    values, spread = bradley_terry(field(2, (0, 1, pairs)))
    assert more[1] == pytest.approx(values[0] - values[1])
    two, one = lead(values, spread, 0, 1), lead(more, wide, 1, 0)
    assert (one.low, one.high) == pytest.approx((two.low, two.high))


def test_who_won_everything_is_placed_and_who_met_some_alone() -> None:
    values, spread = np.array([-50.0, 50.0, 7.0]), np.eye(3)
    all_won = np.array([(0, 0, 0, 0, 50), (0, 0, 0, 0, 50), (0, 0, 0, 0, 0)])
    more, wide = place(values, spread, all_won)
    assert 500 < more[3] < 2000
    assert np.isfinite(wide).all()
    assert wide[3, 2] == 0  # it has no part of an error of one that it never met


def test_intervals_of_one_placed_cover_the_truth_in_95_of_100_cases() -> None:
    """300 panels of four, of 100 pairs a meeting, and one more; its lead over each, and its rating.

    The errors of the panel's own ratings are as large as those of the games of the new one.
    """
    random, truth, new = np.random.default_rng(2), np.array([-300.0, -20, 120, 200]), 90.0
    rated_well, leads = 0, np.zeros(4)
    for _ in range(300):
        panel = field(4, *((i, j, simulated(random, truth[i] - truth[j]))
                           for i in range(4) for j in range(i)))
        found = np.array([simulated(random, new - value) for value in truth])
        values, spread = place(*bradley_terry(panel), found)
        low, high = intervals(values, spread)
        rated_well += low[4] <= new - truth.mean() <= high[4]
        gaps = [lead(values, spread, 4, i) for i in range(4)]
        leads += [gap.low <= new - old <= gap.high for gap, old in zip(gaps, truth, strict=True)]
    assert rated_well / 300 == pytest.approx(0.95, abs=0.03)
    assert leads / 300 == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("n", [3, 8])
def test_a_few_games_with_known_opponents_cover_the_truth(n: int) -> None:
    random, held = np.random.default_rng(n), []
    for _ in range(200):
        known, truth = random.normal(0, 200, n), random.normal(0, 200)
        won = random.random(n) < [to_score(truth - value) for value in known]
        found = against_known(won.astype(float), known)
        held.append(found.low <= truth <= found.high)
    assert np.mean(held) == pytest.approx(0.955, abs=0.03)


def test_known_opponents_give_a_rating_by_their_own() -> None:
    even = against_known(np.array([1.0, 0] * 200), np.full(400, 50.0))
    assert even.value == pytest.approx(50, abs=1)
    assert even.high - even.value == pytest.approx(Z * ELO / sqrt(400 / 4), rel=0.02)
    drawn = against_known(np.full(400, 0.5), np.full(400, 50.0))
    assert (drawn.value, drawn.low) == (even.value, even.low)
    won, lost = (against_known(np.full(3, score), np.full(3, 50.0)) for score in (1.0, 0.0))
    assert won.value - 50 == pytest.approx(50 - lost.value, abs=2)
    assert 0 < won.low < won.value < won.high < 2500
    nothing = against_known(np.zeros(0), np.zeros(0))
    assert isnan(nothing.value)
    assert (nothing.low, nothing.high) == (-inf, inf)


def rates(*upper: float) -> np.ndarray:
    """Return the matrix of rates (3, 3) of 0 against 1, 0 against 2, and 1 against 2."""
    found = np.full((3, 3), 0.5)
    for (i, j), p in zip(((0, 1), (0, 2), (1, 2)), upper, strict=True):
        found[i, j], found[j, i] = p, 1 - p
    return found


@pytest.mark.parametrize(("matrix", "mixture"), [
    (rates(0.7, 0.9, 0.7), (1, 0, 0)),  # transitive
    (rates(0.6, 0.4, 0.6), (1 / 3, 1 / 3, 1 / 3)),  # rock, paper, scissors
    (rates(0.6, 0.2, 0.6), (0.2, 0.6, 0.2)),  # each as often as the other two matter to each other
    (rates(0.5, 0.5, 0.5), (1 / 3, 1 / 3, 1 / 3)),  # all equal: the most even
    (rates(0.5, 0.8, 0.8), (0.5, 0.5, 0)),  # two doubles
    (np.array([[0.5]]), (1,)),
])
def test_nash_mixtures(matrix: np.ndarray, mixture: tuple[float, ...]) -> None:
    assert nash(matrix) == pytest.approx(mixture, abs=1e-9)


@pytest.mark.parametrize("steps", [0, 2, 4])
def test_nobody_beats_a_nash_mixture(steps: int) -> None:
    """Games of any rates, and of few different ones, which have many mixtures."""
    random = np.random.default_rng(2)
    for _ in range(60):
        gain = random.uniform(-0.5, 0.5, 2 * [random.integers(1, 25)])
        gain = np.round(gain * steps) / steps if steps else gain
        matrix = 0.5 + (np.triu(gain, 1) - np.triu(gain, 1).T)
        mixture = nash(matrix)
        assert mixture.sum() == pytest.approx(1)
        assert (mixture >= 0).all()
        assert (matrix @ mixture <= 0.5 + 1e-9).all()


def test_of_many_mixtures_it_is_the_most_even() -> None:
    """A cycle of 1, 2, 3, and 0 draws with all: any part of 0 would do."""
    matrix = np.full((4, 4), 0.5)
    for i, j in ((1, 2), (2, 3), (3, 1)):
        matrix[i, j], matrix[j, i] = 0.6, 0.4
    assert nash(matrix) == pytest.approx([0.25] * 4)
    doubled = np.full((3, 3), 0.5)  # 0 and 1 are doubles, and both beat 2
    doubled[:2, 2], doubled[2, :2] = 0.9, 0.1
    assert nash(doubled) == pytest.approx([0.5, 0.5, 0])


@pytest.mark.parametrize("games", [[], [0.0], [0.0, 0.0]])
def test_a_ratio_of_no_games_is_open(games: list[float]) -> None:
    found = ratio(np.zeros(len(games)), np.array(games))
    assert isnan(found.value)
    assert (found.low, found.high) == (0, 1)


def test_a_ratio_of_single_games_is_their_rate() -> None:
    """Clusters of one game each are what `rate` counts, but for n / (n - 1)."""
    points = np.repeat([0.0, 0.5, 1.0], [30, 10, 60])
    found, same = ratio(points, np.ones(100)), rate(np.array([30, 10, 60]))
    assert found.value == same.value == 0.65
    assert found.low == pytest.approx(same.low, abs=1e-3)
    assert found.high == pytest.approx(same.high, abs=1e-3)


def test_a_ratio_has_a_width_if_all_ended_alike() -> None:
    one, swept = (ratio(np.full(n, 3), np.full(n, 3)) for n in (1, 20))
    assert (one.value, one.high, swept.value, swept.high) == (1, 1, 1, 1)
    assert 0 < one.low < 0.2
    assert 0.7 < swept.low < 0.9
    assert np.isnan(ratio(np.zeros(0), np.zeros(0)).value)


@pytest.mark.parametrize("n", [5, 20, 100])
@pytest.mark.parametrize("edge", [0.0, 0.3])
def test_intervals_of_a_ratio_hold_the_true_one(n: int, edge: float) -> None:
    """Clusters of 2 to 5 games, each with a rate of its own: 0.5 + edge, 0.15 more or less."""
    random, held, times = np.random.default_rng(n), 0, 300
    for _ in range(times):
        games = random.integers(2, 6, n)
        rates = 0.5 + edge + random.choice([-0.15, 0.15], n)
        found = ratio(random.binomial(games, rates).astype(float), games)
        held += found.low <= 0.5 + edge <= found.high
    assert held >= 0.9 * times
