"""Round robins: everyone meets everyone with every deck, seeds differ, and totals re-add."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import norm

from hsevo.agents.shared.agent import eva
from hsevo.config import Workers
from hsevo.errors import GameError
from hsevo.play import match, tournament
from hsevo.play.workers import open_workers
from hsevo.seeds import derive
from tests.support import fake

KEY = (2018, 1, 7)


pytestmark = pytest.mark.usefixtures("fake_engine")


def played(n: int, games: int = 5) -> tuple[np.ndarray, np.ndarray]:
    pairings = tournament.round_robin(range(n), 3, games, KEY)
    weights = np.random.default_rng(1).random((n, 21))
    with open_workers(Workers(backend="serial")) as executor:
        return pairings, tournament.play(executor, pairings, eva(weights), fake.SETTING)


def test_every_two_meet_once_with_every_ordered_deck_pair() -> None:
    rows = tournament.round_robin(range(4), 3, 20, KEY)
    met = [tuple(int(x) for x in row)[:4] for row in rows]
    assert met == [(a, b, da, db) for a, b in combinations(range(4), 2)
                   for da, db in product(range(3), repeat=2)]


def test_the_paper_plays_3420_games_an_individual() -> None:
    rows = tournament.round_robin(range(20), 3, 20, KEY)
    games = Counter()
    for row in rows:
        for side in ("a", "b"):
            games[int(row[side])] += int(row["games"])
    assert set(games.values()) == {3420}
    assert len(rows) * 20 == 34_200
    assert len(tournament.round_robin(range(10), 3, 20, KEY)) * 20 == 8_100  # generation 0


def test_a_hundred_agents_with_twenty_games_are_891000_games() -> None:
    rows = tournament.round_robin(range(100), 3, 20, KEY)
    assert int(rows["games"].sum()) == 891_000
    assert len(np.unique(rows["seed"])) == len(rows) == 44_550


def test_nobody_meets_nobody() -> None:
    rows = tournament.round_robin([5], 3, 20, KEY)
    assert len(rows) == 0
    assert tournament.split(rows, 2) == []
    assert tournament.tally(rows, np.empty(0, match.RESULT), 1)["wins"].tolist() == [0]


def test_seeds_come_from_what_a_match_is_and_not_from_its_place() -> None:
    few = tournament.round_robin([3, 8], 2, 20, KEY)
    many = tournament.round_robin([1, 3, 8], 2, 20, KEY)
    assert many[(many["a"] == 1) & (many["b"] == 2)]["seed"].tolist() == few["seed"].tolist()
    for other in ((2019, 1, 7), (2018, 2, 7), (2018, 1, 8)):
        assert not np.isin(tournament.round_robin([3, 8], 2, 20, other)["seed"], few["seed"]).any()


def test_a_seed_is_derived_from_the_whole_match() -> None:
    rows = tournament.round_robin([3, 8], 2, 20, KEY)
    assert rows["seed"][1] == derive((2018, 1, 7, 3, 8, 0, 1))[0]


def test_the_largest_seed_is_taken() -> None:
    assert len(tournament.round_robin([0, 1], 1, 1, (2**64 - 1, 99, 10**6))) == 1


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 64])
@pytest.mark.parametrize("games", [1, 20, 639, 640, 641, 5000])
def test_blocks_hold_every_row_once_in_order(games: int, workers: int, remote: bool) -> None:
    rows = tournament.round_robin(range(8), 3, games, KEY)
    blocks = tournament.split(rows, workers, remote)
    assert np.array_equal(np.concatenate(blocks), rows)
    assert all(len(block) for block in blocks)
    assert all(len(block) == 1 or block["games"].sum() < tournament.MOST_GAMES + games
               for block in blocks)


@pytest.mark.parametrize("workers", [2, 8, 64])
def test_no_worker_waits_long_for_the_last_block(workers: int) -> None:
    """Workers take the next block when they are free; all games take the same time."""
    rows = tournament.round_robin(range(20), 3, 20, KEY)  # 34,200 games
    ends = np.zeros(workers)
    for block in tournament.split(rows, workers):
        ends[ends.argmin()] += block["games"].sum()
    assert ends.max() - rows["games"].sum() / workers <= 20  # of a match


@pytest.mark.parametrize("workers", [16, 64])
def test_remote_workers_get_few_blocks(workers: int) -> None:
    """With 64, Dask took three times as long to hand out 415 blocks as workers to play them."""
    rows = tournament.round_robin(range(20), 3, 20, KEY)  # 34,200 games
    blocks = [len(tournament.split(rows, workers, remote)) for remote in (True, False)]
    assert blocks[0] <= max(3 * workers, 54)  # of at most MOST_GAMES
    assert blocks[1] > 2 * blocks[0]


def test_totals_re_add() -> None:
    pairings, results = played(6)
    scores = tournament.tally(pairings, results, 6)
    assert scores["wins"].sum() == scores["losses"].sum()
    assert scores["wins"].sum() + scores["draws"].sum() // 2 == pairings["games"].sum()
    each = scores["wins"] + scores["draws"] + scores["losses"]
    assert each.tolist() == [5 * 9 * 5] * 6


def test_tally_by_hand() -> None:
    pairings = np.zeros(3, match.PAIRING)
    pairings["a"], pairings["b"], pairings["games"] = [0, 0, 1], [1, 2, 2], 10
    results = np.zeros(3, match.RESULT)
    results["wins_a"], results["wins_b"], results["draws"] = [7, 4, 0], [2, 6, 9], [1, 0, 1]
    scores = tournament.tally(pairings, results, 3)
    assert scores["wins"].tolist() == [11, 2, 15]
    assert scores["losses"].tolist() == [8, 16, 4]
    assert scores["draws"].tolist() == [1, 2, 1]


def test_a_lost_game_is_not_swallowed() -> None:
    pairings, results = played(3)
    results["wins_a"][4] -= 1
    with pytest.raises(GameError, match=f"seed {pairings['seed'][4]} do not add up"):
        tournament.tally(pairings, results, 3)


def test_a_fault_stops_the_tournament_and_names_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = tournament.round_robin(range(3), 3, 5, KEY)["seed"][20]

    def faulty(pairings: np.ndarray, agents: np.ndarray, setting: match.Setting) -> np.ndarray:
        results = fake.play_block(pairings, agents, setting)
        results["faults"][pairings["seed"] == bad] = 2
        return results

    monkeypatch.setattr(match, "play_block", faulty)
    with pytest.raises(GameError, match=f"rejected 2 games, .* match with seed {bad}: individuals"):
        played(3)


def test_wilson_by_hand() -> None:
    z = norm.ppf(0.975)
    low, high = tournament.wilson([60, 0, 0], [90, 10, 0])
    centre, n, p = (60 + z * z / 2) / (90 + z * z), 90, 60 / 90
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert low[0] == pytest.approx(centre - half)
    assert high[0] == pytest.approx(centre + half)
    assert low[1] == pytest.approx(0)
    assert high[1] == pytest.approx(z * z / (10 + z * z))
    assert np.isnan([low[2], high[2]]).all()


def test_agents_are_ranked_with_draws_as_no_wins() -> None:
    scores = np.array([(5, 2, 3), (6, 0, 4), (5, 0, 5)], tournament.SCORE)
    table = tournament.agents_table(["x", "y", "z"], scores)
    assert table["agent"].tolist() == ["y", "x", "z"]  # x and z tie, and stay as given
    assert table["rate"].tolist() == [0.6, 0.5, 0.5]
    assert list(table) == ["agent", "wins", "draws", "losses", "rate", "low", "high"]
    assert ((table["low"] < table["rate"]) & (table["rate"] < table["high"])).all()


def test_pairs_of_matches_swap_the_sides_with_or_without_their_decks() -> None:
    rows = match.pairings(np.array([[3], [4]]), 5, [1, 2], 0, seed=7, games=2)
    both = match.pairs(rows)
    assert both.dtype == match.PAIRING
    assert both.shape == (2, 2, 2)
    assert both[1, 0].tolist() == [(4, 5, 1, 0, 2, 7), (5, 4, 0, 1, 2, 7)]
    assert match.swapped(rows, decks=False)[1, 1].tolist() == (5, 4, 2, 0, 2, 7)
    assert match.pairings(0, 1, 0, 1, [], 1).shape == (0,)
