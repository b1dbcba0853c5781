"""Attacks: made without the stack where that is possible, they leave the same game, to the byte.

By hand, over as many batches of 100 games as there is time for:

    python -m tests.rules.test_attacks 1000
"""

from typing import Any

import numpy as np
import pytest

from hsevo.agents.genomes.decks import joined
from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import tables
from hsevo.engine.record.codec import ATTACK, POWER
from hsevo.engine.record.state import FAIR, GAME, LEAKY, PREFIX, RUNNING, TRUE_GAME
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent
from tests.support.dense_games import Plan, count_batches, plan
from tests.support.random_games import play_out
from tests.support.recounts import at_work
from tests.support.state_entry import MOVE, STEPS, drive

SEED, SIZE = 6, 100
NAMES = ("attacks", "wrong", "deaths", "gains of attack", "weapons", "auras", "ends")
ATTACKS, WRONG, DEATHS, GAINS, WEAPONS, AURAS, ENDS = range(len(NAMES))


def compare(games: GameBatch, random: np.random.Generator) -> Any:
    """Make every legal attack in every game, both ways; return what happened: NAMES."""
    which, attack = np.nonzero(games.legal_moves()[:, ATTACK:POWER])
    if not len(which):
        return np.zeros(len(NAMES), np.int64)
    states = games.take(which).states
    before, short, long = at_work(states), at_work(states), at_work(states)
    short.sight = long.sight = random.choice([TRUE_GAME, FAIR, LEAKY], len(before))
    nobody, moves = np.zeros(0, AGENT).view(np.recarray), attack + ATTACK
    drive(short, tables(games.ruleset), nobody, moves, MOVE)
    drive(long, tables(games.ruleset), nobody, moves, STEPS)
    raw, other = (one.view(np.uint8).reshape(len(one), GAME.itemsize)[:, :PREFIX]
                  for one in (short.view(np.ndarray), long.view(np.ndarray)))
    there = (before.char.uid == short.char.uid) & (before.char.card > 0)
    sides, now = before.side, short.side
    return np.array([
        len(before),
        ((raw != other).any(axis=1) | (short.depth != long.depth)).sum(),
        (now.minions < sides.minions).any(axis=1).sum(),
        (there & (short.char.attack > before.char.attack)).any(axis=1).sum(),
        (now.weapon != sides.weapon).any(axis=1).sum(),
        (short.auras != before.auras).sum(),
        (short.result != RUNNING).sum(),
    ])


def compare_batch(batch: Plan) -> Any:
    """Play a batch at random; compare in every position: NAMES."""
    games, random, choose = batch.begin()
    found = np.zeros(len(NAMES), np.int64)

    def check(before: Any, moves: Any, games: GameBatch) -> None:
        found[:] += compare(games, random)

    play_out(games, random, check, choose)
    return found


@pytest.mark.slow
def test_attacks_without_the_stack_leave_the_same_games() -> None:
    found = sum(compare_batch(plan(SEED, number, SIZE)) for number in range(2))
    assert found[WRONG] == 0
    assert found[ATTACKS] > 20_000
    assert found[DEATHS] > 10_000
    assert (found[[GAINS, WEAPONS, AURAS, ENDS]] > 500).all()


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["eva:turn", "tyche:onestep"])
def test_attacks_in_games_of_agents_leave_the_same_games(agent: str) -> None:
    """Strong play meets other positions: boards that were cleared, weapons, Frothing Berserkers."""
    decks = [read_deck(name) for name in ("warrior", "shaman", "mage") for _ in range(10)]
    games, players = GameBatch.new(decks, [*decks[10:], *decks[:10]], range(30)), read_agent(agent)
    found, random = np.zeros(len(NAMES), np.int64), np.random.default_rng(0)
    while games.running.any():
        found += compare(games, random)
        games.ask(joined([players], 1))
    assert found[WRONG] == 0
    assert found[ATTACKS] > 2_000
    assert (found[[DEATHS, AURAS, WEAPONS]] > 100).all()


if __name__ == "__main__":
    count_batches(compare_batch, NAMES, WRONG, "games", SEED, SIZE)
