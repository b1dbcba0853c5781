"""Decisions: chances and losses that can be checked by hand, the same from the same seed."""

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.play.moves import MoveKind
from hsevo.replays.decisions import COLUMNS, Z, by_turn, lost, mean_loss

GAMES = 30
FAST: dict[str, Any] = {"games": GAMES, "players": "eva:2018"}


def missing_a_win() -> tuple[hsevo.Game, int]:
    """Return a game in which player 0 once ends its turn though one move wins, and that step."""
    for seed in range(1, 50):
        game = hsevo.Game("warrior", "mage", players=["eva:2018", "eva:2018"], seed=seed)
        while not game.over:
            asked = game.ask()
            ahead = game.copy()
            ahead.play(asked.index)
            if ahead.winner == 0 and asked.kind is MoveKind.ATTACK and game.player == 0:
                game.play(0)  # the end of the turn
                step = len(game.history) - 1
                game.run()
                return game, step
            game.play(asked.index)
    raise AssertionError("no game ended by an attack of player 0")


@pytest.fixture(scope="module")
def missed() -> tuple[hsevo.Game, int]:
    return missing_a_win()


@pytest.fixture(scope="module")
def found(missed: tuple[hsevo.Game, int]) -> hsevo.Analysis:
    return hsevo.analyse(missed[0], **FAST, seed=3)


def test_a_win_that_was_missed_costs_what_was_not_won_later(
        missed: tuple[hsevo.Game, int], found: hsevo.Analysis) -> None:
    row = found.decisions.set_index("step").loc[missed[1]]
    assert (row["kind"], row["move"]) == ("end of turn", "end the turn")
    assert row["better"].startswith("attack the enemy hero")
    assert row["line"] == (row["better"],)  # it wins at once
    assert row["better_chance"] == 1
    assert row["loss"] == pytest.approx(1 - row["chance"])
    assert 0 < row["better_network"] <= 1


def test_only_decisions_of_the_side_are_judged(missed: tuple[hsevo.Game, int],
                                               found: hsevo.Analysis) -> None:
    game, _ = missed
    assert set(found.decisions["player"]) == {0}
    other = hsevo.analyse(game, side="b", games=1, players="eva:2018")
    assert set(other.decisions["player"]) == {1}
    both = hsevo.analyse(game, side="both", games=1, players="eva:2018")
    assert sorted([*found.decisions["step"], *other.decisions["step"]]) == [
        *both.decisions["step"]]
    again = game.beginning()
    for step, move in enumerate(game.history):
        assert (step in set(both.decisions["step"])) == (len(again.moves) > 1)
        again.play(move)


def test_the_analysts_own_moves_cost_nothing() -> None:
    agent = "rl:2026?search=turn"
    game = hsevo.Game("mage", "warrior", players=[agent, agent], seed=2)
    game.run()
    own = hsevo.analyse(game, side="both", games=2, players="eva:2018").decisions
    assert set(own["better"]) == {""}
    assert set(own["line"]) == {()}
    assert (own[["loss", "loss_low", "loss_high"]] == 0).all(axis=None)
    assert (own["chance"] == own["better_chance"]).all()


def test_the_same_seed_gives_the_same_numbers_with_any_workers(
        missed: tuple[hsevo.Game, int], found: hsevo.Analysis) -> None:
    for team in ({"backend": "serial"}, {"workers": 3}):
        again = hsevo.analyse(missed[0], **FAST, seed=3, **team)
        pd.testing.assert_frame_equal(again.decisions, found.decisions)
    other = hsevo.analyse(missed[0], **FAST, seed=4)
    assert not other.decisions["chance"].equals(found.decisions["chance"])


def test_the_loss_and_its_interval_by_hand() -> None:
    """Of 8 worlds the better move alone wins 3 and the one that was made 1: 2 of 8."""
    made = [True, False, False, False, True, True, False, False]
    better = [False, True, True, True, True, True, False, False]
    found = lost(np.array([made, better]))
    assert found["loss"] == 2 / 8
    p, q = 3.5 / 10, 1.5 / 10  # with half a world of each and one of neither added to 8
    half = Z * sqrt((p + q - (p - q) ** 2) / 10)
    assert found["loss_low"] == pytest.approx(p - q - half)
    assert found["loss_high"] == pytest.approx(p - q + half)
    assert lost(np.array([made])) == {"loss": 0, "loss_low": 0, "loss_high": 0}


def decision(turn: int, step: int, loss: float, half: float, line: tuple[str, ...],
             lethal: str = "no") -> dict[str, Any]:
    better, wins = line[0] if line else "", ("w",) if lethal == "yes" else ()
    return dict(zip(COLUMNS, (step, turn, 0, "attack", f"move {step}", better, 0.5, 0.5, line,
                              lethal, 0, 0, wins, False, 0.5 - loss, 0, 1, 0.5, 0, 1, loss,
                              loss - half, loss + half),
                    strict=True))


def test_a_turn_costs_the_sum_of_its_decisions() -> None:
    table = pd.DataFrame([
        decision(1, 0, 0.0, 0.0, ()), decision(1, 1, 0.2, 0.3, ("x", "end the turn")),
        decision(1, 2, 0.1, 0.4, ("y",)), decision(3, 5, 0.0, 0.0, ())])
    first, second = by_turn(table).to_dict("records")
    assert first["loss"] == pytest.approx(0.3)
    assert first["loss_high"] == pytest.approx(0.3 + 0.5)  # 0.3 and 0.4 are independent
    assert first["loss_low"] == pytest.approx(0.3 - 0.5)
    assert first["step"] == 1
    assert first["moves"] == ("move 0", "move 1", "move 2")
    assert first["better"] == ("move 0", "x", "end the turn")
    assert (first["better_chance"], first["chance"]) == (0.5, pytest.approx(0.3))  # of step 1
    assert (second["turn"], second["loss"], second["better"]) == (3, 0, ())
    assert mean_loss(table) == pytest.approx((0.3 / 4, -0.2 / 4, 0.8 / 4))


def test_a_turn_missed_a_lethal_if_a_decision_of_it_had_one() -> None:
    table = pd.DataFrame([
        decision(1, 0, 0, 0, (), "unknown"), decision(1, 1, 0, 0, (), "yes"),
        decision(1, 2, 0, 0, (), "no"), decision(3, 5, 0, 0, (), "no"),
        decision(3, 6, 0, 0, (), "chance"), decision(5, 7, 0, 0, ())])
    missed = by_turn(table)
    assert missed["lethal"].tolist() == ["missed", "chance", "no"]
    assert missed["lethal_line"].tolist() == [("move 0", "w"), (), ()]
    assert by_turn(table.assign(won=True))["lethal"].tolist() == ["taken", "chance", "no"]
    assert by_turn(table.assign(lethal=""))["lethal"].tolist() == ["", "", ""]


def test_a_lethal_that_was_missed_is_found(missed: tuple[hsevo.Game, int],
                                           found: hsevo.Analysis) -> None:
    game, step = missed
    row = found.decisions.set_index("step").loc[step]
    assert (row["lethal"], row["lethal_least"], row["lethal_most"]) == ("yes", 1, 1)
    assert row["lethal_line"][-1].startswith("attack the enemy hero")
    turn = found.turns.set_index("turn").loc[row["turn"]]
    assert turn["lethal"] == "missed"
    last = hsevo.analyse(game, games=1, side="both", players="eva:2018").turns.iloc[-1]
    assert last["lethal"] in ("taken", "unknown", "chance")  # the game was won in it
    none = hsevo.analyse(game, games=1, budget=0, players="eva:2018")
    assert set(none.decisions["lethal"]) == set(none.turns["lethal"]) == {""}


def test_the_worst_turns_are_in_order(found: hsevo.Analysis) -> None:
    worst = found.worst(3)
    assert worst["loss"].is_monotonic_decreasing
    assert worst["loss"].iloc[0] == found.turns["loss"].max()
    assert (worst["loss"] > 0).all()
