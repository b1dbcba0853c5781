"""Optimistic smooth fictitious play: Algorithm 1 followed by hand."""

import json

import numpy as np
import pytest

from hsevo.config.learning import OsfpSettings
from hsevo.learning.osfp import LATEST, OSFP


def pool_of(members: int, **settings: object) -> OSFP:
    """Return one at the beginning of a period, with a pool of so many members."""
    return OSFP.resume(OsfpSettings(**{"score": "mean"} | settings), {
        "seed": 5, "period": members, "asked": 0, "waited": 0,
        "games": [0] * members, "total": [0] * members})


def test_an_empty_pool_is_self_play_and_the_first_period_adds_the_learner():
    osfp = OSFP(OsfpSettings(), seed=1)
    assert osfp.ask(50).tolist() == [LATEST] * 50
    osfp.tell(osfp.ask(4), np.array([1, -1, 0, 1]))
    period = osfp.end_period()
    assert (period.number, period.added, period.reason) == (0, True, "beats all")
    assert osfp.members == 1


@pytest.mark.parametrize(("settings", "weights"), [
    ({}, [1 / 6, 5 / 8, 1 / 2]),  # 1 - w of w = 5/6, 3/8 (a draw is half a win) and, unmet, 1/2
    ({"power": 2}, [1 / 36, 25 / 64, 1 / 4]),
    ({"difficulty": "variance"}, [5 / 36, 15 / 64, 1 / 4]),
    ({"difficulty": "even"}, [1, 1, 1]),
])
def test_the_mixture_is_p_for_the_latest_and_the_rest_by_difficulty(settings, weights):
    osfp = pool_of(3, **settings)
    osfp.tell(np.array([0, 0, 0, 0, 1, 1]), np.array([1, 1, 1, 1, 0, -1]))
    expected = np.append(0.6, 0.4 * np.array(weights) / sum(weights))
    np.testing.assert_allclose(osfp.mixture(), expected)


def test_opponents_are_drawn_by_the_mixture():
    osfp = pool_of(2)
    osfp.tell(np.repeat([0, 1], 10), np.repeat([1, -1], 10))
    drawn = np.bincount(osfp.ask(100_000) + 1) / 100_000
    np.testing.assert_allclose(drawn, [0.6, 0.4 / 12, 0.4 * 11 / 12], atol=0.005)  # 3 sigma


@pytest.mark.parametrize(("self_play", "found"), [(0.0, {0, 1}), (1.0, {LATEST})])
def test_all_or_no_self_play(self_play, found):
    assert set(pool_of(2, self_play=self_play).ask(1000).tolist()) == found


@pytest.mark.parametrize(("settings", "won", "added"), [
    ({}, 77, False), ({}, 78, True),                            # (78 - 22) / 100 = 0.56
    ({"score": "rate"}, 55, False), ({"score": "rate"}, 56, True),
    ({"outcome": "opponent"}, 78, False), ({"outcome": "opponent"}, 22, True),
])
def test_the_threshold_in_each_reading(settings, won, added):
    """Of two members, one is beaten; the other in `won` of 100 games."""
    osfp = pool_of(2, **settings)
    sure = -1 if "outcome" in settings else 1
    osfp.tell(np.zeros(10, int), np.full(10, sure))
    osfp.tell(np.ones(100, int), np.repeat([1, -1], [won, 100 - won]))
    period = osfp.end_period()
    assert (period.added, period.reason) == (added, "beats all" if added else "")
    assert period.games.tolist() == [10, 100]


def test_draws_are_half_wins():
    osfp = pool_of(1, score="rate")
    osfp.tell(np.zeros(4, int), np.array([1, 0, 0, -1]))
    assert osfp.end_period().score.tolist() == [0.5]


def test_a_member_that_was_not_met_is_not_beaten():
    osfp = pool_of(2)
    osfp.tell(np.zeros(9, int), np.ones(9))
    assert not osfp.end_period().added


def test_patience():
    """As Algorithm 1 counts: with c = 2 the learner joins after three periods without."""
    osfp = pool_of(1, patience=2)
    reasons = [osfp.end_period().reason for _ in range(8)]
    assert reasons == ["", "", "", "patience", "", "", "", "patience"]
    assert osfp.members == 3


def test_success_ends_the_waiting():
    osfp = pool_of(1, patience=1)
    assert not osfp.end_period().added
    osfp.tell(np.array([0]), np.array([1]))
    assert osfp.end_period().reason == "beats all"
    assert [osfp.end_period().reason for _ in range(3)] == ["", "", "patience"]


def test_counts_begin_anew_with_each_period():
    osfp = pool_of(2)
    osfp.tell(np.array([0, 1]), np.array([-1, -1]))
    osfp.end_period()
    np.testing.assert_allclose(osfp.mixture(), [0.6, 0.2, 0.2])


def test_a_learning_period_by_samples_goes_on_until_it_has_them():
    osfp = pool_of(1, samples=100)
    osfp.tell(np.array([0]), np.array([1]))
    for samples, due in ((60, False), (39, False), (1, True), (500, True)):
        osfp.learned(samples)
        assert osfp.due is due
    again = OSFP.resume(osfp.settings, json.loads(json.dumps(osfp.state())))
    assert again.due
    assert osfp.end_period().games.tolist() == [1]
    assert not osfp.due  # counts begin anew


def test_without_samples_a_learning_period_is_always_due():
    assert pool_of(1).due


@pytest.mark.parametrize("samples", ["x", None, -5, float("nan")])
def test_a_state_with_other_samples_is_refused(samples):
    with pytest.raises(ValueError, match="samples that are not a number"):
        OSFP.resume(OsfpSettings(), {**pool_of(2).state(), "samples": samples})


def test_members_that_are_all_beaten_by_a_steep_f_are_still_drawn():
    osfp = pool_of(2, power=1000)
    osfp.tell(np.repeat([0, 1], [50, 20]), np.ones(70, int))  # 1 - w = 1/52 and 1/22
    np.testing.assert_allclose(osfp.mixture(), [0.6, 0.0, 0.4])


def test_a_state_of_an_older_version_has_no_samples():
    old = pool_of(2).state()
    del old["samples"]
    assert OSFP.resume(OsfpSettings(), old).state() == pool_of(2).state()


def test_the_course_does_not_depend_on_how_games_are_split():
    """Nor on the order in which results come in."""
    whole, parts = pool_of(3), pool_of(3)
    assert whole.ask(100).tolist() == [i for n in (1, 29, 70) for i in parts.ask(n).tolist()]
    opponents, outcomes = np.array([0, 1, 1, LATEST, 2]), np.array([1, -1, 0, 1, -1])
    whole.tell(opponents, outcomes)
    for i in (3, 4, 0, 2, 1):
        parts.tell(opponents[i:i + 1], outcomes[i:i + 1])
    assert whole.ask(1000).tolist() == parts.ask(1000).tolist()


def test_periods_and_seeds_draw_differently():
    drawn = [OSFP.resume(OsfpSettings(), {**pool_of(3).state(), **other}).ask(50).tolist()
             for other in ({}, {"period": 9}, {"seed": 6})]
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]


def play(osfp: OSFP, periods: int) -> list[object]:
    """Play games with outcomes that depend on the opponent; return all that can be seen."""
    seen: list[object] = []
    for _ in range(periods):
        for _ in range(3):
            opponents = osfp.ask(40)
            osfp.tell(opponents, np.where(opponents % 2, 1, -1))
            seen.append((opponents.tolist(), osfp.mixture().tolist()))
        period = osfp.end_period()
        seen.append((period.number, period.reason, period.games.tolist()))
    return seen


def test_a_state_is_plain_and_goes_on_exactly():
    """Also one from the middle of a period."""
    osfp = pool_of(2, patience=1)
    play(osfp, 4)
    opponents = osfp.ask(30)
    osfp.tell(opponents, np.ones(30))
    again = OSFP.resume(osfp.settings, json.loads(json.dumps(osfp.state())))
    assert play(again, 5) == play(osfp, 5)


@pytest.mark.parametrize(("opponents", "outcomes", "says"), [
    ([2], [1], "opponents must be -1 to 1"),
    ([-2], [1], "opponents must be -1 to 1"),
    ([0, 1], [1], r"\(2,\) opponents, but \(1,\) outcomes"),
])
def test_results_that_nobody_asked_for(opponents, outcomes, says):
    with pytest.raises(ValueError, match=says):
        pool_of(2).tell(np.array(opponents), np.array(outcomes))
