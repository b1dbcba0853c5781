"""Chances to win: points of play-outs, the same from the same seed, and honest at the ends."""

from itertools import pairwise
from pathlib import Path

import pytest

import hsevo
from hsevo.engine.record.state import WIN_0
from hsevo.errors import ConfigError
from hsevo.play.tournament import wilson
from hsevo.replays import chances
from hsevo.replays.chances import ChancePoint, Chances, estimate

GAMES = 20


@pytest.fixture(scope="module")
def game() -> hsevo.Game:
    played = hsevo.Game("mage", "warrior", players=["eva:2018", "random"], seed=3)
    played.run()
    return played


@pytest.fixture(scope="module")
def found(game: hsevo.Game) -> Chances:
    curve = estimate(game, moves(game), GAMES)
    assert curve is not None
    return curve


def moves(game: hsevo.Game) -> list[int]:
    return [move.index for move in game.history]


def test_each_turn_has_a_point_and_the_last_is_the_result(game: hsevo.Game, found: Chances) -> None:
    again, starts = game.beginning(), {0}
    for step, move in enumerate(game.history, start=1):
        before = again.turn
        again.play(move.index)
        starts |= {step} if again.turn != before else set()
    steps = [point.step for point in found.points]
    assert starts <= {*steps}
    assert steps == sorted({*steps})
    assert steps[-1] == len(game.history)
    assert game.result == WIN_0
    assert found.points[-1] == ChancePoint(steps[-1], 1, 1, 1)


def test_a_chance_is_a_share_of_games_with_its_wilson_interval(found: Chances) -> None:
    for point in found.points[:-1]:
        won = point.chance * GAMES
        assert won == pytest.approx(round(won))
        low, high = wilson([round(won)], [GAMES])
        assert (point.low, point.high) == pytest.approx((low[0], high[0]), abs=1e-4)
    assert found.players == ("eva:2018", "random")
    assert found.points[0].chance > 0.5  # eva:2018 wins nearly always


def test_the_same_seed_gives_the_same_chances_and_another_does_not(game: hsevo.Game,
                                                                   found: Chances) -> None:
    assert estimate(game, moves(game), GAMES) == found
    even = hsevo.Game("mage", "mage", seed=1), hsevo.Game("mage", "mage", seed=2)
    one, other = (estimate(each, [each.moves[0].index], 50) for each in even)
    assert one != other


def test_games_played_on_differ_in_their_luck(game: hsevo.Game) -> None:
    """In an even game, neither all nor none of the copies are won."""
    even = hsevo.Game("mage", "mage", players=["eva:2018", "eva:2018"], seed=1)
    curve = estimate(even, [even.moves[0].index], 50)
    assert curve is not None
    assert 0.1 < curve.points[0].chance < 0.9


def test_who_searches_or_has_no_agent_is_played_by_a_stand_in() -> None:
    for players in (["tyche:mc", "random"], [None, "random"]):
        game = hsevo.Game("mage", "mage", players=players, seed=1)
        curve = estimate(game, [game.moves[0].index], 2)
        assert curve is not None
        assert curve.players == ("eva:2018", "eva:2018")


def test_turning_points_are_single_moves_beyond_the_intervals(found: Chances) -> None:
    def at(step: int, low: float, high: float) -> ChancePoint:
        return ChancePoint(step, (low + high) / 2, low, high)

    points = [at(0, .4, .6), at(1, .5, .7), at(2, .8, .9), at(5, .1, .2), at(6, .6, .7),
              at(7, .3, .5), at(8, .7, .9)]
    assert chances._turning(points) == (5, 7, 1)  # not 0, which overlaps, nor 2 to 5, a turn
    by_step = {point.step: point for point in found.points}
    for step in found.turning:
        a, b = by_step[step], by_step[step + 1]
        assert a.high < b.low or b.high < a.low


def test_the_turns_that_changed_most_are_estimated_move_by_move(found: Chances) -> None:
    assert any(b.step == a.step + 1 for a, b in pairwise(found.points))


def test_a_long_game_has_a_bounded_number_of_turns(monkeypatch: pytest.MonkeyPatch,
                                                   game: hsevo.Game) -> None:
    monkeypatch.setattr(chances, "MOST_TURNS", 4)
    states = chances.states_of(game, moves(game))
    assert len(chances._starts(states)) <= 5


def test_bad_numbers_are_refused_in_one_line(game: hsevo.Game, tmp_path: Path) -> None:
    for bad in (-1, 10_001, 1.5, True, "x"):
        with pytest.raises(ConfigError, match="chances is "):
            game.replay(tmp_path / "game.html", chances=bad)
    game = hsevo.Game("mage", "mage", seed=1)
    assert estimate(game, [game.moves[0].index], 0) is None


def test_the_states_are_those_of_the_game(game: hsevo.Game) -> None:
    """Fair and leaky: dealt and moved anew, the game comes to the same boards and the same end."""
    for information in ("fair", "leaky"):
        played = hsevo.Game("mage", "shaman", players=["eva:2018", "eva:2018"], seed=5,
                            information=information)
        played.run()
        states, again = chances.states_of(played, moves(played)), played.beginning()
        for state, move in zip(states.states, moves(played), strict=False):
            assert state["turn"] == again.turn
            assert [int(side["n_hand"]) for side in state["side"]] == [
                len(side.hand) for side in again.scene().sides]
            again.play(move)
        assert states.results[-1] == played.result
