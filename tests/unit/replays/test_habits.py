"""Habits: told by the moves alone, and said only where what they cost is sure."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hsevo.errors import RunError
from hsevo.replays import habits
from hsevo.replays.judged import COLUMNS, Judged

FACE, TRADE = "attack the enemy hero with Wisp", "attack Wisp (enemy minion 1) with Wisp"
EARLY = {"kind": "attack", "move": FACE, "better": "play Wisp", "line": ("play Wisp", FACE, "end")}


def row(**of: Any) -> dict[str, Any]:
    return {"kind": "attack", "move": FACE, "better": "", "line": (), "lethal": "no", "loss": 0.0,
            "loss_low": 0.0, "loss_high": 0.0, "game": 0} | of


def attacks(losses: list[float], games: int) -> pd.DataFrame:
    """Return attacks on the hero that came too early, and as many that were right."""
    early = [row(**EARLY, loss=loss, game=k % games) for k, loss in enumerate(losses)]
    return pd.DataFrame([*early, *(row(game=k) for k in range(len(losses)))])


@pytest.mark.parametrize(("of", "said"), [
    (EARLY, "early-hero"), ({}, ""), ({"better": "end the turn", "line": ("end the turn",)}, ""),
    ({"better": TRADE, "line": (TRADE, "end")}, "hero"),
    ({"move": TRADE, "better": FACE, "line": (FACE, "end")}, "minion"),
    ({"move": TRADE, "better": FACE, "line": (FACE, TRADE)}, "early-minion"),
    ({"kind": "end of turn", "move": "end the turn", "better": FACE, "line": (FACE,)}, "early-end"),
    ({"kind": "spell", "move": "play Coin", "better": FACE, "line": (FACE, "play Coin")},
     "early-spell"),
    ({"kind": "mulligan", "move": "keep the other cards", "better": "throw back Wisp"}, "kept"),
    ({"kind": "mulligan", "move": "throw back Wisp", "better": "throw back Boar"}, "")])
def test_a_habit_is_told_by_the_moves(of: dict[str, Any], said: str) -> None:
    assert habits.habit(pd.Series(row(**of))) == said


def test_what_surely_costs_something_is_said_with_its_interval() -> None:
    found = attacks([0.04, 0.06] * 6, games=6)
    (one,) = habits.by_habit(found).to_dict("records")
    assert (one["habit"], one["of"], one["decisions"], one["games"]) == ("early-hero", 24, 12, 6)
    assert one["loss"] == pytest.approx(0.05)
    # Each game has two of them alike, so that the means of 6 games are 0.04 and 0.06 in turn.
    half = 2.570582 * np.std([0.04, 0.06] * 3, ddof=1) / np.sqrt(6)  # Student's t, 5 degrees
    assert (one["loss_low"], one["loss_high"]) == pytest.approx((0.05 - half, 0.05 + half))
    (said,) = habits.sentences(found, "You")
    assert said == (
        "You attacked the hero too early in the turn: 12 times in 24 decisions of that kind. On"
        " average, each time cost 5.0 percentage points of the chance to win"
        f" ({5 - 100 * half:.1f} to {5 + 100 * half:.1f}).")


def test_people_who_share_a_name_are_not_you() -> None:
    assert habits.who(["human"]) == "You"
    assert habits.who(["human"], shared=True) == habits.who(["gsv", "random"]) == "The players"


@pytest.mark.parametrize("found", [
    attacks([0.05] * 9, 6), attacks([0.04, 0.06] * 6, 4), attacks([0.5, -0.4] * 6, 6),
    attacks([-0.05] * 12, 6), attacks([], 1).reindex(columns=[*COLUMNS, "game"])])
def test_what_is_not_sure_is_not_said(found: pd.DataFrame) -> None:
    assert habits.sentences(found, "You") == ()
    assert "No repeated mistake" in habits.about(())


def test_decisions_of_games_are_kept(tmp_path: Path) -> None:
    table, judged = attacks([0.04, 0.06], 1), Judged(tmp_path)
    assert judged.of([1, 2]).empty
    for game in (1, 2, 3):
        judged.put(game, table)
    again = Judged(tmp_path).of([1, 3, 9])
    assert again["game"].tolist() == [1] * 4 + [3] * 4
    pd.testing.assert_frame_equal(again[again["game"] == 1][COLUMNS], table[COLUMNS])
    for text in ("{", "[1]", '[{"line": 3}]', "[]]", "NaN"):
        (tmp_path / "mistakes" / "0003.json").write_text(text)
        with pytest.raises(RunError, match=r"0003\.json is damaged"):
            Judged(tmp_path).of([3])
