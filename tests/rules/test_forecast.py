"""Actions that are forecast: EVA's scores of them are those of a simulation, to the bit.

By hand, over as many batches of 100 games as there is time for:

    python -m tests.rules.test_forecast 1000
"""

from typing import Any

import numpy as np
import pytest

from hsevo.agents.genomes.decks import joined
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import tables
from hsevo.cards.terms import Forecast
from hsevo.engine.record.state import FAIR, LEAKY, RUNNING
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent
from tests.support.dense_games import Plan, count_batches, plan
from tests.support.random_games import play_out
from tests.support.recounts import at_work
from tests.support.state_entry import (
    ACTIONS,
    ATTACKS,
    COMPARE,
    GAINS,
    MINIONS,
    PASSED,
    TEXTS,
    WEAPONS,
    WRONG,
    drive,
)

SEED, SIZE = 5, 100
NAMES = ("actions", "wrong", "secrets passed over", "attacks", "with gains", "minions", "weapons",
         *(one.name for one in Forecast))


def anyone(random: np.random.Generator, n: int) -> Any:
    """Return EVA agents with random weights of either sign, AGENT (n,)."""
    agents = np.zeros(n, AGENT).view(np.recarray)
    agents.w[:, :21] = random.normal(size=(n, 21))
    agents.sight = random.choice([FAIR, LEAKY], n)
    return agents


def compare(batch: Plan) -> Any:
    """Play a batch; return the numbers of actions, of wrong scores, of forecast actions: NAMES."""
    games, random, choose = batch.begin()
    found, agents = np.zeros(len(NAMES), np.int64), anyone(random, 64)

    def check(before: Any, moves: Any, games: GameBatch) -> None:
        scratch_first = at_work(games.states[np.append(0, np.arange(len(games)))])
        drive(scratch_first, tables(games.ruleset), agents, found, COMPARE)

    play_out(games, random, check, choose)
    return found


@pytest.mark.slow
def test_forecast_actions_score_as_simulated_ones() -> None:
    found = sum(compare(plan(SEED, number, SIZE)) for number in range(2))
    assert found[WRONG] == 0
    assert found[PASSED] > 1_000
    assert found[ATTACKS] > 10_000
    assert found[MINIONS] > 1_000
    assert found[TEXTS + Forecast.DAMAGE] > 1_000
    assert (found[[WEAPONS, *range(TEXTS + Forecast.NOTHING, len(NAMES))]] > 50).all()
    assert found[TEXTS + Forecast.UNKNOWN] == 0
    assert found[ACTIONS] > 1.5 * found[ATTACKS:].sum()  # many of both, among others


@pytest.mark.slow
def test_forecast_actions_of_evas_own_games_score_as_simulated_ones() -> None:
    """Strong play meets other positions: Spirit Claws with Spell Damage, Secrets, full boards."""
    decks = [read_deck(name) for name in ("warrior", "shaman", "mage") for _ in range(40)]
    games = GameBatch.new(decks, [*decks[40:], *decks[:40]], range(120))
    found = np.zeros(len(NAMES), np.int64)
    players = joined([read_agent("eva:2018")], 1)
    both = np.concatenate([players, players]).view(np.recarray)
    both.sight = FAIR, LEAKY
    while (running := games.states["result"] == RUNNING).any():
        states = games.states[running]
        drive(at_work(states[np.append(0, np.arange(len(states)))]), tables(games.ruleset), both,
              found, COMPARE)
        games.ask(players)
    assert found[WRONG] == 0
    assert found[PASSED] > 100
    assert (found[[ATTACKS, GAINS, MINIONS, WEAPONS]] > 200).all()


if __name__ == "__main__":
    count_batches(compare, NAMES, WRONG, "scores", SEED, SIZE)
