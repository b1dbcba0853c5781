"""Quiet actions: EVA's scores of them are those of a simulation, to the bit.

By hand, over as many batches of 100 games as there is time for:

    python -m tests.rules.test_quiet 1000
"""

import sys
from typing import Any

import numpy as np
import pytest

from hsevo.agents.agent import AGENT
from hsevo.cards.tables import tables
from hsevo.engine.state import FAIR, LEAKY
from hsevo.play.games import Games
from tests.support.dense_games import Plan, plan
from tests.support.random_games import play_out
from tests.support.recounts import at_work
from tests.support.state_entry import ACTIONS, ATTACKS, BOLTS, COMPARE, WRONG, drive

SEED, SIZE = 5, 100


def anyone(random: np.random.Generator, n: int) -> Any:
    """Return EVA agents with random weights of either sign, AGENT (n,)."""
    agents = np.zeros(n, AGENT).view(np.recarray)
    agents.w[:, :21] = random.normal(size=(n, 21))
    agents.sight = random.choice([FAIR, LEAKY], n)
    return agents


def compare(batch: Plan) -> Any:
    """Play a batch; return how many actions, quiet attacks, bolts and wrong scores there were."""
    games, random, choose = batch.begin()
    found, agents = np.zeros(4, np.int64), anyone(random, 64)

    def check(before: Any, moves: Any, games: Games) -> None:
        scratch_first = at_work(games.states[np.append(0, np.arange(len(games)))])
        drive(scratch_first, tables(games.ruleset), agents, found, COMPARE)

    play_out(games, random, check, choose)
    return found


@pytest.mark.slow
def test_quiet_actions_score_as_simulated_ones() -> None:
    found = sum(compare(plan(SEED, number, SIZE)) for number in range(2))
    assert found[WRONG] == 0
    assert found[ATTACKS] > 10_000
    assert found[BOLTS] > 1_000
    assert found[ACTIONS] > 2 * (found[ATTACKS] + found[BOLTS])  # many of both, among others


def main(batches: int) -> None:
    """Compare over batches of games, and print the counts."""
    total = np.zeros(4, np.int64)
    for number in range(batches):
        total += compare(plan(SEED, number, SIZE))
        if total[WRONG]:
            sys.exit(f"batch {number}: {total[WRONG]} scores differ")
        print(f"\r{number + 1} of {batches}: {total[ACTIONS]:,} actions, {total[ATTACKS]:,} quiet"
              f" attacks, {total[BOLTS]:,} bolts", end="", flush=True)
    print()


if __name__ == "__main__":
    main(int(sys.argv[1]))
