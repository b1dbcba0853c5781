"""CPU time a decision: real positions, dearer agents take longer, Python players are timed."""

import functools
import time
from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo.cards.decks import read_deck
from hsevo.engine.record.state import RUNNING
from hsevo.play.decision_times import EACH, LEAST, Positions, Times, positions, times
from hsevo.strength.roster import read_agent

FEW = 0.02


@pytest.fixture(scope="module")
def dealt() -> Positions:
    return positions([read_deck(name) for name in ("warrior", "mage")])


@functools.cache
def found(spec: str) -> Times:
    decks = [read_deck(name) for name in ("warrior", "mage")]
    return times(read_agent(spec), positions(decks), FEW)


def test_positions_are_decisions_of_whole_games_the_same_every_time(dealt: Positions) -> None:
    again = positions(dealt.decks)
    assert again.states.tobytes() == dealt.states.tobytes()
    assert len(dealt.states) > 20 * 4 * EACH
    assert (dealt.states["result"] == RUNNING).all()
    assert {*map(tuple, dealt.seats.tolist())} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    turns = dealt.states["turn"]
    assert turns.min() == 1
    assert turns.max() > 10
    assert not np.array_equal(np.sort(turns), turns)


def test_a_search_takes_longer_than_one_step_and_that_longer_than_none() -> None:
    random, eva, search = map(found, ("random", "eva:2018", "tyche:mc"))
    assert random.mean < eva.mean < search.mean / 5
    for one in (random, eva, search):
        assert one.low <= one.mean <= one.high < 1e-3
        assert one.decisions >= LEAST


def test_quantiles_are_of_agents_that_a_clock_can_time() -> None:
    assert np.isnan([found("eva:2018").median, found("eva:2018").p95]).all()
    search = found("tyche:mc?episodes=2000")
    assert 0 < search.median < search.p95


def test_weights_for_each_pair_of_decks_are_asked_as_any(dealt: Positions) -> None:
    agent = np.broadcast_to(read_agent("eva:2018")[:, None, None], (1, 2, 2)).copy()
    assert times(agent, dealt, FEW).mean < 1e-4


def test_a_python_player_is_timed_by_what_it_does(here: Path, dealt: Positions) -> None:
    Path("bot.py").write_text(
        "import time\n\n\ndef slow(view):\n    end = time.process_time() + 0.004\n"
        "    while time.process_time() < end:\n        pass\n    return view.moves[0]\n")
    began = time.process_time()
    one = times(hsevo.Agent("py:bot.py#slow").record, dealt, FEW)
    assert 0.004 < one.low <= one.mean < time.process_time() - began
    assert one.decisions >= LEAST
