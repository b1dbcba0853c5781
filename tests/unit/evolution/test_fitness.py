"""How a generation is rated: who meets whom, races, halls of fame; by hand, and what must hold."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from scipy.stats import binomtest

from hsevo import config
from hsevo.errors import ConfigError
from hsevo.evolution import fitness
from hsevo.play import match, tournament
from hsevo.runs.tables import individual_type

ONE = np.ones(1)  # all opponents count the same


def plan(**settings: Any) -> config.Config:
    return config.change(config.load("smoke"), {
        "evolution.mu": 2, "evolution.lambda": 2, "games": 10, "decks": ["mage", "shaman"],
        **settings})


def people(ids: Any, fitness: Any = 0.0) -> Any:
    rows = np.zeros(len(ids), individual_type(21))
    rows["id"], rows["fitness"] = ids, fitness
    return rows


def ranked(number: int, pairings: Any, players: Any) -> Any:
    """Play so that the higher id wins nine games of ten, and the tenth is drawn."""
    results = np.zeros(len(pairings), match.RESULT)
    ids = players["id"]
    tenth = pairings["games"] // 10
    results["draws"] = tenth
    ahead = ids[pairings["a"]] > ids[pairings["b"]]
    results["wins_a"] = np.where(ahead, pairings["games"] - tenth, 0)
    results["wins_b"] = np.where(ahead, 0, pairings["games"] - tenth)
    return results


def rate(experiment: config.Config, ids: Any = (0, 1, 2, 3), hall: Any = (),
         play: Any = ranked, weights: Any = ()) -> fitness.RatedField:
    fixed = [-1 - k for k in range(len(weights))]
    others = fitness.Others(people([*hall, *fixed]), np.array(weights, np.float64))
    return fitness.rate(experiment, 1, 5, people(ids), others, play)


def test_the_default_is_the_round_robin_of_the_paper() -> None:
    rated = rate(plan())
    key = (plan().seed, 1, 5)
    assert np.array_equal(rated.pairings, tournament.round_robin((0, 1, 2, 3), 2, 10, key))
    assert rated.fitness.tolist() == rated.scores["wins"].tolist() == [0, 36, 72, 108]
    assert rated.scores["draws"].tolist() == [12] * 4


def test_common_random_numbers_deal_the_same_to_all_pairs_from_either_seat() -> None:
    rated = rate(plan(**{"rating.common_random_numbers": True}))
    rows = rated.pairings
    assert len(rows) == 6 * 4 * 2
    assert (rows["games"] == 5).all()
    for name in ("deck_a", "deck_b", "seed"):
        assert (rows[name][::2] == rows[name][1::2]).all()
    assert (rows["a"][::2] == rows["b"][1::2]).all()
    assert (rows["b"][::2] == rows["a"][1::2]).all()
    seeds = {(int(a), int(b)): set() for a in (0, 1) for b in (0, 1)}  # type: ignore[var-annotated]
    for row in rows:
        seeds[int(row["deck_a"]), int(row["deck_b"])].add(int(row["seed"]))
    assert [len(each) for each in seeds.values()] == [1] * 4
    assert len(set.union(*seeds.values())) == 4
    assert rated.scores["wins"].sum() + rated.scores["losses"].sum() == 2 * 6 * 4 * 10


def test_doubles_are_equal_under_common_random_numbers() -> None:
    """With the real engine: the same agent four times must come to the same, game by game."""
    from hsevo.agents.genomes.weights import EVA_2018
    from hsevo.agents.shared.agent import eva
    from hsevo.cards.decks import read_deck

    experiment = plan(**{"rating.common_random_numbers": True, "games": 4})
    setting = match.Setting(decks=tuple(read_deck(name) for name in experiment.decks))

    def play(number: int, pairings: Any, players: Any) -> Any:
        return match.play_block(pairings, eva(np.repeat(EVA_2018[None], 4, axis=0)), setting)

    assert rate(experiment, play=play).fitness.tolist() == [24.0] * 4


def test_a_hall_of_fame_is_met_and_does_not_meet_itself() -> None:
    rated = rate(plan(), hall=(10, 11))
    met = {(int(a), int(b)) for a, b in zip(rated.pairings["a"], rated.pairings["b"], strict=True)}
    assert met == {*combinations(range(4), 2)} | {(i, k) for i in range(4) for k in (4, 5)}
    assert rated.fitness.tolist() == [0, 36, 72, 108]  # nobody beats the two, who don't count
    assert rated.scores["losses"].tolist() == [180, 144, 108, 72]
    assert len(rated.scores) == 4


def test_the_hall_is_drawn_from_old_champions_that_are_gone() -> None:
    experiment = plan(**{"rating.hall_of_fame": 3})
    champions = people([0, 4, 4, 9, 7, 0, 12])
    drawn = [fitness.draw_hall(experiment, 1, number, champions, people([12, 13]))["id"].tolist()
             for number in range(40)]
    assert all(len(set(ids)) == 3 and set(ids) <= {0, 4, 9, 7} for ids in drawn)
    assert len({tuple(ids) for ids in drawn}) == 4  # each of the four ways to leave one out
    few = fitness.draw_hall(experiment, 1, 2, champions[:1], people([12, 13]))
    assert few["id"].tolist() == [0]
    assert not len(fitness.draw_hall(plan(), 1, 2, champions, people([12])))


def test_a_race_stops_playing_those_who_are_decided() -> None:
    """Six of clear ranks and 40 games a pair and round: sure after one round, by hand."""
    settings = {"evolution.mu": 3, "evolution.lambda": 3, "games": 40}
    whole = rate(plan(**settings), ids=range(6))
    raced = rate(plan(**settings, **{"rating.racing.rounds": 4}), ids=range(6))
    # 5 opponents * 4 deck pairs * 10 games: rates 0, .18, .36, .54, .72, .9 of 200 games, whose
    # Wilson intervals (95 %) end at .019, .239, .428 and .608 above, .471 and .654 below: the
    # third and fourth are apart (.428 < .471), and so nobody is in doubt.
    assert raced.pairings["games"].sum() == 15 * 4 * 10
    assert whole.fitness.tolist() == [0, 144, 288, 432, 576, 720]
    assert raced.fitness == pytest.approx(whole.fitness)
    assert raced.scores["wins"].tolist() == [0, 36, 72, 108, 144, 180]


def test_those_in_doubt_go_on_against_everyone() -> None:
    """Two equals at the edge: they play all rounds, against each other and against all others."""
    def level(number: int, pairings: Any, players: Any) -> Any:
        results = ranked(number, pairings, players)
        strong = np.array([0, 1, 2, 2, 4, 5])
        equal = strong[pairings["a"]] == strong[pairings["b"]]
        for name in ("wins_a", "wins_b"):
            results[name][equal] = (pairings["games"] - results["draws"])[equal] // 2
        results["draws"] = pairings["games"] - results["wins_a"] - results["wins_b"]
        return results

    settings = {"evolution.mu": 3, "evolution.lambda": 3, "games": 80, "rating.racing.rounds": 4}
    rated = rate(plan(**settings), ids=range(6), play=level)
    _, games = fitness.tallies(rated.pairings, rated.results, 6)
    unsettled = [2, 3]
    for i, j in combinations(range(6), 2):
        assert games[i, j] == 4 * (80 if {i, j} & {*unsettled} else 20)


def test_undecided_by_hand() -> None:
    # Rates .9, .6, .5, .1 of 100 games each; intervals .83-.94, .50-.69, .40-.60, .06-.17.
    wins = np.array([[0, 90], [60, 0], [0, 50], [10, 0]])
    games = np.array([[0, 100], [100, 0], [0, 100], [100, 0]])
    assert fitness.undecided(wins, games, ONE, 2, 0.95).tolist() == [False, True, True, False]
    assert fitness.undecided(wins, games, ONE, 1, 0.95).tolist() == [False] * 4
    assert fitness.undecided(wins, games, ONE, 3, 0.95).tolist() == [False] * 4
    assert fitness.undecided(wins, games, ONE, 4, 0.95).tolist() == [False] * 4  # all of them stay
    assert fitness.undecided(wins, games, ONE, 2, 0.1).tolist() == [False] * 4


def test_differences_decide_though_intervals_overlap() -> None:
    # .62 and .48 of 100 games: .522 to .709 and .385 to .577; .14 > hypot(.098, .097) = .138.
    games = np.full((2, 1), 100)
    assert fitness.undecided(np.array([[62], [48]]), games, ONE, 1, 0.95).tolist() == [False, False]
    assert fitness.undecided(np.array([[61], [48]]), games, ONE, 1, 0.95).tolist() == [True, True]


def test_games_against_few_opponents_are_worth_less() -> None:
    games = np.array([[0, 10, 10], [1000, 0, 10], [0, 0, 0], [5, 0, 0]])
    # 2^2 / (1/10 + 1/10) = 20; 2^2 / (1/1000 + 1/10) = 39.60; nobody met; 1^2 / (1/5) = 5
    assert fitness.effective_games(games, ONE) == pytest.approx([20, 39.6039604, 0, 5])
    # Rates .75 and .65: of 1,010 and 2,000 games they would be apart (.722 to .776 against .629 to
    # .671), but the first is the mean of .9 of 1,000 games and .6 of ten (.597 to .859).
    wins, games = np.array([[900, 6], [650, 650]]), np.array([[1000, 10], [1000, 1000]])
    assert fitness.undecided(wins, games, ONE, 1, 0.95).tolist() == [True, True]
    games, wins = np.array([[505, 505], [1000, 1000]]), np.array([[379, 379], [650, 650]])
    assert fitness.undecided(wins, games, ONE, 1, 0.95).tolist() == [False, False]


def test_rates_that_are_equal_are_an_equal_fitness() -> None:
    """A third and two thirds here, the other way round there: added up in floats they may differ.

    Ranked by the wins alone, for all play all rounds: so fitness must be the wins to the bit."""
    def even(number: int, pairings: Any, players: Any) -> Any:
        results = np.zeros(len(pairings), match.RESULT)
        results["wins_a"] = 1 + pairings["seed"] % 2
        results["wins_b"] = pairings["games"] - results["wins_a"]
        return results

    settings = {"evolution.mu": 6, "evolution.lambda": 6, "games": 21, "decks": ["mage"],
                "rating.racing": {"rounds": 7, "confidence": 0.999999}}
    rated = rate(plan(**settings), ids=range(12), play=even)
    assert rated.pairings["games"].sum() == 66 * 21
    assert rated.fitness.tolist() == rated.scores["wins"].tolist()


@given(st.integers(1, 500), st.data(), st.sampled_from([0.5, 0.95, 0.999]))
def test_the_interval_is_wilsons(n: int, data: Any, confidence: float) -> None:
    k = data.draw(st.integers(0, n))
    low, high = fitness.interval(np.array([k / n]), np.array([n]), confidence)
    right = binomtest(k, n).proportion_ci(confidence, "wilson")
    assert (low[0], high[0]) == pytest.approx(tuple(right), abs=1e-9)


@settings_of_hypothesis(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 2), st.booleans(),
       st.sampled_from([1, 2, 5]))
def test_games_re_add_whatever_the_settings(seed: int, mu: int, hall: int, common: bool,
                                            laps: int) -> None:
    settings: dict[str, Any] = {"seed": seed, "evolution.mu": mu, "games": 10 * laps,
                                "rating.common_random_numbers": common}
    if laps > 1:
        settings["rating.racing.rounds"] = laps
    experiment = plan(**settings)
    random = np.random.default_rng(seed)

    def play(number: int, pairings: Any, players: Any) -> Any:
        results = np.zeros(len(pairings), match.RESULT)
        chance = random.dirichlet([5, 1, 5])
        parts = random.multinomial(pairings["games"], chance)
        results["wins_a"], results["draws"], results["wins_b"] = parts.T
        return results

    n = mu + 2
    rated = rate(experiment, ids=range(n), hall=range(50, 50 + hall), play=play)
    most = (n * (n - 1) // 2 + n * hall) * 4 * 10 * laps
    played = int(rated.pairings["games"].sum())
    assert played == most if laps == 1 else most // laps <= played <= most
    for name in ("wins", "draws", "losses"):
        assert (rated.scores[name] >= 0).all()
    assert (rated.fitness >= 0).all()
    assert (rated.fitness <= (n - 1 + hall) * 40 * laps + 1e-6).all()
    if laps == 1:
        assert (rated.fitness == rated.scores["wins"]).all()
    own = np.maximum(rated.pairings["a"], rated.pairings["b"]) < n
    assert rated.scores["draws"].sum() == (
        2 * rated.results["draws"][own].sum() + rated.results["draws"][~own].sum())


def test_games_that_cannot_be_dealt_evenly_are_refused() -> None:
    for settings, said in (
            ({"games": 7, "rating.common_random_numbers": True},
             "can't be split evenly over both seats: it must be a multiple of 2"),
            ({"games": 20, "rating.racing.rounds": 3},
             "can't be split evenly over 3 rounds: it must be a multiple of 3"),
            ({"games": 20, "rating": {"common_random_numbers": True, "racing": {"rounds": 4}}},
             "over 4 rounds and both seats: it must be a multiple of 8")):
        with pytest.raises(ConfigError, match=said):
            plan(**settings)
