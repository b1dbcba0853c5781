"""Lists of legal moves with a limit, as searches make them."""

from typing import Any

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.cards.tables import tables
from hsevo.play.games import GameBatch
from tests.support.dense_games import plan
from tests.support.random_games import play_out
from tests.support.recounts import at_work
from tests.support.state_entry import ACTIONS, FEW, PASSED, WRONG, drive


def test_a_list_with_a_limit_is_the_first_moves_of_the_whole() -> None:
    """It is the whole list if that is no longer than the limit, else longer than the limit."""
    games, random, choose = plan(7, 0, 30).begin()
    found, agents = np.zeros(10, np.int64), np.zeros(1, AGENT).view(np.recarray)

    def check(before: Any, moves: Any, games: GameBatch) -> None:
        scratch_first = at_work(games.states[np.append(0, np.arange(len(games)))])
        drive(scratch_first, tables(games.ruleset), agents, found, FEW)

    play_out(games, random, check, choose)
    assert found[WRONG] == 0
    assert 5_000 < found[PASSED] < found[ACTIONS] - 5_000
