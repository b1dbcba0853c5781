"""Random actions have the same outcomes in games that must not differ (twins.py)."""

from typing import Any

import numpy as np
import pytest

from tests.rules import twins
from tests.support.deaf import SECRET, deaf, index
from tests.support.state_entry import MOVE

pytestmark = pytest.mark.slow

ACTIONS = 8_000
TESTS = ("seats", "deaf")


@pytest.mark.parametrize("test", TESTS)
def test_twins_do_the_same(test: str) -> None:
    tally = twins.run(ACTIONS, 2018, test)[test]
    assert not tally.finds, "\n".join(map(str, tally.finds))
    assert tally.actions[twins.SAME] > 0.8 * ACTIONS  # for the rest there is no room


@pytest.mark.parametrize("test", TESTS)
def test_twins_that_differ_are_seen(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Player 0 gains armour with every move, and so does a player who has a deaf secret."""
    real = twins.job

    def unfair(games: Any, moves: Any, ruleset: str, what: int = MOVE) -> None:
        real(games, moves, ruleset, what)
        if what == MOVE:
            secrets = games["side"]["secret"]["card"] == index(deaf("cig2018"))[SECRET]
            favoured = np.arange(2) == 0 if test == "seats" else secrets.any(axis=2)
            games["side"]["armor"] += favoured
    monkeypatch.setattr(twins, "job", unfair)
    tally = twins.run(300, 7, test)[test]
    assert len(tally.finds) > 20
    assert ".side.armor" in str(tally.finds[0])
