"""States and working records: one begins with the other, and nothing is lost between them."""

from typing import Any

import numba
import numpy as np
import pytest

from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import read_deck
from hsevo.cards.late import FIELDS
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import tables
from hsevo.engine import jit
from hsevo.engine.record.state import (
    EARLY_SIDE,
    GAME,
    PREFIX,
    RUNNING,
    SIDE,
    STATE,
    WAITING,
    Fault,
    Phase,
    copy_position,
)
from hsevo.play import match
from hsevo.play.games import GameBatch
from tests.support.random_games import batch_of, begin, random_deck, states, unnoted


@numba.njit
def copy_first(source: Any, target: Any) -> None:
    copy_position(source[0], target[0])


DECKS = tuple(read_deck(name) for name in ("warrior", "shaman", "mage"))


def test_ten_thousand_states_are_less_than_28_mb() -> None:
    """Look-aheads copy less than 2,300 bytes, with cards up to 2016 less than 1,850."""
    assert PREFIX < 2300
    assert PREFIX - 2 * (SIDE.itemsize - EARLY_SIDE) < 1850
    assert STATE.itemsize <= 2800


def test_what_early_games_do_not_copy_stands_last_in_a_side() -> None:
    late = {name for name in SIDE.names if SIDE.fields[name][1] >= EARLY_SIDE}
    assert late == FIELDS, " ".join(name for name in SIDE.names if name in late)


@pytest.mark.parametrize("ruleset", [name for name in SHIPPED if not tables(name).late])
def test_what_early_games_do_not_copy_is_zero(
        ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by the engine of all cards, which an untried numba and the interpreter run."""
    monkeypatch.setattr(jit.EntryPoint, "_for", lambda self, arguments: self)
    games, random = begin(3, 200, ruleset)
    while games.running.any():
        sides = games.states.view(np.ndarray)["side"].copy().view(np.uint8)
        assert not sides.reshape(-1, SIDE.itemsize)[:, EARLY_SIDE:].any()
        games.step(games.sample(random))


def test_a_copy_takes_what_only_later_cards_use_where_either_game_has_them() -> None:
    """The side of the later game is filled, so that a byte that is not copied is seen."""
    early, later = np.zeros((2, 1), GAME).view(np.recarray)
    later["late"] = 1
    later["side"].view(np.uint8)[...] = 7
    for source, target in ((later, early.copy()), (early, later.copy())):
        copy_first(source, target)
        assert target["side"].tobytes() == source["side"].tobytes()
        assert target["late"] == source["late"]


def test_a_working_record_begins_with_a_state() -> None:
    for name in STATE.names:
        assert GAME.fields[name][1] == STATE.fields[name][1]
        if name != "stack":
            assert GAME.fields[name][0] == STATE.fields[name][0]
    assert STATE.fields["stack"][1] > PREFIX


def test_a_game_of_states_is_the_game_of_a_working_record() -> None:
    """Also where effects wait for a choice, again and again in the game."""
    random, waited = np.random.default_rng(6), 0
    for seed in range(12):
        decks = tuple(random_deck(random, "msg2017") for _ in range(2))
        table = match.Table(np.zeros(0, AGENT), match.Setting("msg2017", decks))
        table.deal(np.array([(0, 0, 0, 1, 1, seed)], match.PAIRING)[0], 0)
        games = GameBatch.new(*decks, [seed], "msg2017")
        while games.running[0]:
            assert unnoted(games) == states(batch_of([table.state]))
            waits = games.states["depth"][0] > 0
            assert not waits or games.states["pending"][0] == Phase.CHOICE
            waited += waits
            move = games.sample(random)
            games.step(move)
            table.move(int(move[0]))
        assert table.game.result == games.results[0] != RUNNING
    assert waited > 5


def test_equal_games_have_equal_bytes() -> None:
    """Whatever the thread worked on before."""
    def course() -> GameBatch:
        games, random = begin(3, 30, "msg2017")
        for _ in range(40):
            games.step(games.sample(random))
        return games

    first = course()
    begin(4, 5)[0].legal_moves()
    second = course()
    assert first.states.tobytes() == second.states.tobytes()


def test_more_frames_than_a_state_holds_stop_the_game() -> None:
    table = match.Table(np.zeros(0, AGENT), match.Setting(decks=DECKS))
    table.deal(np.array([(0, 0, 0, 1, 1, 7)], match.PAIRING)[0], 0)
    table.game.pending, table.game.depth = Phase.CHOICE, WAITING
    assert (table.state.fault, table.state.depth) == (Fault.NONE, WAITING)
    table.game.depth = WAITING + 1
    assert (table.state.fault, table.state.depth) == (Fault.WAITING, 0)


def test_a_table_goes_on_from_a_state() -> None:
    table = match.Table(np.zeros(0, AGENT), match.Setting(decks=DECKS))
    games = GameBatch.new(DECKS[0], DECKS[2], [5])
    for seed in range(30):
        games.step(games.sample(seed))
    table.game = games.states[0]
    assert states(batch_of([table.state])) == states(games)
